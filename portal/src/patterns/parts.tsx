/** Form lines whose goods come from several batches: each part is a row of its own, with the id of its line. */
import { Button, Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Decimal, forTyping, isPositive, minus, sum, typed } from '../exact.ts'
import { AddLine } from './add-line.tsx'

type Part = { readonly id: string; readonly quantity: string }

const partsOf = (items: readonly Part[], id: string) => items.filter(item => item.id === id)

/** The typed quantity of all parts of a line. */
export const typedOf = (items: readonly Part[], id: string): Decimal =>
  sum(partsOf(items, id).map(({ quantity }) => typed(quantity) ?? '0'))

/** The number of the part within its line, from 0. */
export const partAt = (items: readonly Part[], index: number): number =>
  partsOf(items.slice(0, index), items[index]?.id ?? '').length

/** The name of a part. */
export const partTitle = (title: string, part: number): string => (part === 0 ? title : `${title}, part ${part + 1}`)

type Values = { items: (Part & { readonly left: Decimal; readonly batch?: string | null })[] }
type Props<Has extends Values> = {
  readonly form: UseFormReturnType<Has>
  readonly index: number
  readonly title: string
}

/** Adds a part after the last one of its line, with the quantity that the others leave, and removes a part. */
export function Parts<Has extends Values>({ form: given, index, title }: Props<Has>) {
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Values>
  const { items } = form.values
  const line = items[index]
  if (!line) return null
  const part = partAt(items, index)
  const left = minus(line.left, typedOf(items, line.id))
  const next = { ...line, batch: '', quantity: isPositive(left) ? forTyping(left) : '' }
  return (
    <PartButtons
      title={title}
      part={part}
      isLast={items[index + 1]?.id !== line.id}
      onAdd={() => form.insertListItem('items', next, index + 1)}
      onRemove={() => form.removeListItem('items', index)}
    />
  )
}

type ButtonsProps = {
  readonly title: string
  readonly part: number
  /** Another part can be added behind the last one alone. */
  readonly isLast: boolean
  readonly onAdd: () => void
  readonly onRemove: () => void
}

export const PartButtons = ({ title, part, isLast, onAdd, onRemove }: ButtonsProps) => (
  <Group gap={4}>
    {isLast && (
      <AddLine onAdd={onAdd} aria-label={`Another batch of ${title}`}>
        Another batch
      </AddLine>
    )}
    {part > 0 && (
      <Button variant="subtle" size="xs" aria-label={`Remove ${partTitle(title, part)}`} onClick={onRemove}>
        Remove
      </Button>
    )}
  </Group>
)
