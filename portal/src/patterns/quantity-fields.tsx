/** Quantities of lines of which something is left: how much of each. */
import { Group, Table, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { type Decimal, forTyping, isPositive, isZero, minus, sent, typed, typedHint } from '../exact.ts'
import { quantityText } from '../format.tsx'
import type { Scan } from '../records.ts'
import { type Sending, Step, type StepProps } from './action-form.tsx'
import { BatchThere } from './batches.tsx'
import { DecimalInput } from './inputs.tsx'
import { type Kit, KitPicks, scanned } from './kit-picks.tsx'
import { Parts, partAt, partTitle, typedOf } from './parts.tsx'
import { focusField, ScanInput } from './scan-input.tsx'
import { batchIn, variantsIn } from './scans.ts'
import { Small } from './small.tsx'
import { Quantity } from './units.tsx'

export type QuantityLine = {
  readonly id: string
  readonly item_variant_id: string | null
  readonly title: string
  readonly sku?: string | null
  readonly left: Decimal
  readonly quantity: string
  /** Where goods are picked. With it the person can choose a batch. */
  readonly from?: From
  /** Empty: the batches that expire first. */
  readonly batch?: string | null
  /** For a kit that is picked. With it the person can choose batches of its components. */
  readonly picked?: Kit | undefined
}

type From = { readonly variantId: string; readonly place: string }

/** The lines with something left, with all of it filled in. */
export const linesLeft = <Item extends Pick<QuantityLine, 'id' | 'item_variant_id' | 'title' | 'sku'>>(
  items: readonly Item[],
  leftOf: (item: Item) => Decimal,
  from?: (item: Item) => From | null,
  kitOf?: (item: Item) => Kit | undefined,
): QuantityLine[] =>
  items
    .map(item => {
      const taken = from?.(item) ?? null
      return {
        ...{ id: item.id, item_variant_id: item.item_variant_id, title: item.title, left: leftOf(item) },
        ...(item.sku === undefined ? {} : { sku: item.sku }),
        ...(taken === null ? {} : { from: taken, batch: '' }),
        picked: kitOf?.(item),
      }
    })
    .filter(({ left }) => isPositive(left))
    .map(line => ({ ...line, quantity: forTyping(line.left) }))

/** An empty field means nothing of the line. */
export const quantityRule = (input: string) => (input.trim() === '' || typed(input) !== null ? null : typedHint)

/** As `quantityRule`, and all parts of a line may take at most what is left of it. */
export function leftRule(input: string, { items }: { readonly items: readonly QuantityLine[] }, path: string) {
  const line = items[Number(path.split('.')[1])]
  return line !== undefined && typed(input) !== null && isPositive(minus(typedOf(items, line.id), line.left))
    ? `at most ${quantityText(line.left)}${items.some(one => one !== line && one.id === line.id) ? ' in all' : ''}`
    : quantityRule(input)
}

/** Lines with their numbers. Lines with an empty field or 0 are left out. */
const keptLines = <Line extends { readonly quantity: string }>(lines: readonly Line[]) =>
  lines.flatMap(line => {
    const value = typed(line.quantity)
    return value === null || isZero(value) ? [] : [{ line, quantity: sent(value) }]
  })

/** The lines for a request: each names the order's line in this field. */
export const sentLines = <Line extends QuantityLine, Name extends string, More extends object>(
  lines: readonly Line[],
  name: Name,
  more?: (line: Line) => More,
) =>
  keptLines(lines).map(
    ({ line, quantity }) =>
      ({ [name]: line.id, quantity, ...more?.(line) }) as { [Each in Name]: string } & { quantity: number } & More,
  )

/** The form's path of a field of a sent line. Lines that were left out are skipped. */
export function fieldOfSent(field: string, { items }: { readonly items: readonly { readonly quantity: string }[] }) {
  const kept = keptLines(items)
  return field.replace(/^items\.(\d+)/, (whole, index: string) => {
    const line = kept[Number(index)]?.line
    return line ? `items.${items.indexOf(line)}` : whole
  })
}

type Values = { items: QuantityLine[] }

type QuantityStepProps<One extends object, Answer> = Omit<StepProps<Values, One, Answer>, 'send'> & {
  readonly lines: QuantityLine[]
  /** The note about the typed quantities. */
  readonly says?: (lines: readonly QuantityLine[]) => ReactNode
  /** What is asked beside the quantities: fields with their labels. */
  readonly texts?: Readonly<Record<string, string>>
  /** @param texts those that are filled in. */
  readonly send: (
    lines: readonly QuantityLine[],
    sending: Sending,
    texts: Readonly<Record<string, string>>,
  ) => Promise<Answer>
}

/** A step with quantities of lines. Without lines that have something left there is no step. */
export function QuantityStep<One extends object, Answer>(given: QuantityStepProps<One, Answer>) {
  const { lines, says, texts = {}, send, ...props } = given
  if (lines.length === 0) return null
  const asked = Object.entries(texts)
  return (
    <Step
      {...props}
      size="lg"
      initial={(): Values => ({ items: lines, ...Object.fromEntries(asked.map(([name]) => [name, ''])) })}
      validate={{ items: { quantity: leftRule } }}
      fields={form => (
        <>
          <QuantityFields form={form} />
          {says?.(form.values.items)}
          {asked.length > 0 && (
            <Group grow>
              {asked.map(([name, label]) => (
                <TextInput key={name} label={label} maxLength={255} {...form.getInputProps(name as never)} />
              ))}
            </Group>
          )}
        </>
      )}
      fieldOf={props.fieldOf ?? fieldOfSent}
      send={({ items, ...typed }, sending) => send(items, sending, filledIn(typed as Readonly<Record<string, string>>))}
    />
  )
}

const filledIn = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))

type Props<Has extends Values> = {
  readonly form: UseFormReturnType<Has>
  readonly leftIs?: string
  readonly below?: (line: QuantityLine, index: number) => ReactNode
}

export function QuantityFields<Has extends Values>({ form, leftIs = 'Left', below }: Props<Has>): ReactNode {
  const input = (path: string) => form.getInputProps(path as never)
  const kits = (index: number) => ({ form: form as never, path: `items.${index}.picked` })
  const isPicked = form.values.items.some(({ from, picked }) => from !== undefined || picked !== undefined)
  return (
    <>
      {isPicked && <ScanInput onScan={scan => pick(form, scan)} />}
      <Table aria-label="Quantities">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th className="right">{leftIs}</Table.Th>
            <Table.Th w={130}>Quantity</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {form.values.items.map((line, index) => {
            const part = partAt(form.values.items, index)
            const title = partTitle(line.title, part)
            return (
              <Table.Tr key={`${line.id} ${part}`}>
                <Table.Td className="address">
                  {title}
                  {line.sku && part === 0 && <Small>{line.sku}</Small>}
                  {below?.(line, index)}
                  {line.picked && <KitPicks {...kits(index)} kit={line.picked} kits={line.quantity} />}
                  {line.from && (
                    <BatchThere {...line.from} aria-label={`Batch of ${title}`} {...input(`items.${index}.batch`)}>
                      <Parts form={form} index={index} title={line.title} />
                    </BatchThere>
                  )}
                </Table.Td>
                <Table.Td className="right">{part === 0 && <Quantity of={line.left} goods={line} />}</Table.Td>
                <Table.Td>
                  <DecimalInput aria-label={`Quantity of ${title}`} {...input(`items.${index}.quantity`)} />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </>
  )
}

/** Chooses the scanned batch in the line that picks it, and moves the focus to its quantity. */
function pick<Has extends Values>(form: UseFormReturnType<Has>, scan: Scan): string | null {
  const { items } = form.values
  for (const variantId of variantsIn(scan)) {
    const { number, id } = batchIn(scan, variantId)
    const isFree = ({ batch }: QuantityLine) => id === null || !batch || batch === id
    const index = items.findIndex(line => line.from?.variantId === variantId && isFree(line))
    const kitAt = items.findIndex(({ picked }) => picked?.parts.some(part => part.item_variant_id === variantId))
    if (index === -1 && kitAt === -1) continue
    if (number !== '' && id === null) return `There is no batch ${number}`
    const { picked } = items[kitAt] ?? {}
    if (index !== -1 && id !== null) form.setFieldValue(`items.${index}.batch` as never, id as never)
    else if (index === -1 && picked && id !== null)
      form.setFieldValue(`items.${kitAt}.picked.picks` as never, scanned(picked, variantId, id) as never)
    focusField(`items.${index === -1 ? kitAt : index}.quantity`)
    return null
  }
  return 'No line picks this'
}
