/** The lines of an order in its form, new and existing ones. A long order shows a part; others are found by a search. */
import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { countText } from '../format.tsx'
import { isListField } from '../keyboard.ts'
import { AddLine, addLine } from './add-line.tsx'
import { type Bought, type OrderKind, type OrderLine, orderLine, usualTax } from './order-line.ts'
import { LineFields } from './order-line-fields.tsx'
import type { Foretold, Sold } from './order-line-price.tsx'
import { usePlaces } from './places.tsx'
import { Small } from './small.tsx'

/** How many lines are shown at first, and with each further step. */
const SHOWN = 50

type Values = { items: OrderLine[] }

type Props<Has extends Values> = {
  readonly form: UseFormReturnType<Has>
  readonly kind: OrderKind
  /** The rate of the first line if none is typed. */
  readonly firstTax?: string
  readonly boughtOf?: (line: OrderLine) => Bought | null
  readonly hasBatch?: (line: OrderLine) => boolean
  readonly sold?: Sold
  /** Foretold figures by the keys of lines. For an order on a page, where Enter moves from line to line. */
  readonly foretold?: ReadonlyMap<string, Foretold> | undefined
}

const UNKNOWN: Foretold = { price: '', amount: '' }

const none: Readonly<Record<string, ReactNode>> = {}

const errorsByLine = (errors: Readonly<Record<string, ReactNode>>): ReadonlyMap<number, typeof none> => {
  const byLine = new Map<number, Record<string, ReactNode>>()
  for (const [path, error] of Object.entries(errors)) {
    const index = /^items\.(\d+)/.exec(path)?.[1]
    if (index !== undefined) byLine.set(Number(index), { ...byLine.get(Number(index)), [path]: error })
  }
  return byLine
}

const matches = ({ variant, title }: OrderLine, wanted: string): boolean =>
  `${title ?? variant?.label ?? ''} ${variant?.hint ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase())

export function OrderLineFields<Has extends Values>({ form: given, kind, firstTax = '', ...of }: Props<Has>) {
  const { boughtOf = () => null, hasBatch = () => false, sold, foretold } = of
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Values>
  const hasPlaces = (usePlaces()?.length ?? 0) > 1
  const [limit, setLimit] = useState(SHOWN)
  const [wanted, setWanted] = useState('')
  const { items } = form.values
  const errors = errorsByLine(form.errors)
  const before = useMemo(
    () => new Map(form.getInitialValues().items.map(line => [line.key, JSON.stringify(line)])),
    [form.getInitialValues],
  )
  const isLong = items.length > SHOWN
  // Refusals are shown at their fields. Changed lines are never hidden.
  const isKept = (line: OrderLine, index: number) =>
    line.id === null || errors.has(index) || before.get(line.key) !== JSON.stringify(line)
  const found = items.flatMap((line, index) => (!isLong || matches(line, wanted) ? [index] : []))
  const first = new Set(found.slice(0, limit))
  const add = () => form.insertListItem('items', orderLine())
  return (
    <Fieldset legend="Lines" p="xs" {...(foretold ? { onKeyDown: event => entersNext(event, add) } : {})}>
      <Stack gap="xs">
        {isLong && (
          <TextInput
            label="Find a line"
            description={`${countText(items.length)} lines; those that you change stay in sight`}
            value={wanted}
            onChange={event => setWanted(event.currentTarget.value)}
          />
        )}
        {items.map(
          (line, index) =>
            (first.has(index) || isKept(line, index)) && (
              <LineFields
                key={line.key}
                {...{ form, kind, index, line, hasPlaces }}
                errors={errors.get(index) ?? none}
                tax={line.tax_rate ?? usualTax(items, index, firstTax)}
                isOnly={items.length === 1}
                hasBatch={hasBatch(line)}
                bought={boughtOf(line)}
                sold={sold}
                foretold={foretold && (foretold.get(line.key) ?? UNKNOWN)}
              />
            ),
        )}
        <Group>
          {found.length > limit && (
            <Button variant="default" size="xs" onClick={() => setLimit(limit + SHOWN)}>
              Show more lines
            </Button>
          )}
          <AddLine onAdd={add}>Add a line</AddLine>
          {sold && (
            <AddLine onAdd={() => form.insertListItem('items', orderLine(null, '1', { title: '' }))}>
              Add without a product
            </AddLine>
          )}
          {foretold && <Small>Enter: the next line. Ctrl and Enter: create.</Small>}
          {isLong && (
            <Text size="xs" c="dimmed" role="status">
              {countText(Math.min(limit, found.length))} of {countText(found.length)} are shown
            </Text>
          )}
        </Group>
      </Stack>
    </Fieldset>
  )
}

/** Enter in a field of a line leads to the next line, and adds a line after the last. */
function entersNext(event: KeyboardEvent<HTMLFieldSetElement>, add: () => void) {
  const { key, target, ctrlKey, metaKey, defaultPrevented } = event
  if (key !== 'Enter' || ctrlKey || metaKey || defaultPrevented) return
  if (!(target instanceof HTMLInputElement) || isListField(target)) return
  event.preventDefault()
  const next = target.closest('fieldset')?.nextElementSibling
  const field = next?.matches('fieldset') ? next.querySelector('input') : null
  if (field) field.focus()
  else addLine(target, add)
}
