/** Quantities of lines of which something is left: how much of each. */
import { Table } from '@mantine/core'
import { type Decimal, forTyping, isPositive, isZero, sent, typed, typedHint } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { DecimalInput } from './inputs.tsx'

export type QuantityLine = {
  readonly id: string
  readonly title: string
  readonly left: Decimal
  readonly quantity: string
}

/** Lines of which something is left, with all of it filled in. */
export const linesLeft = <Item extends { readonly id: string; readonly title: string }>(
  items: readonly Item[],
  leftOf: (item: Item) => Decimal,
): QuantityLine[] =>
  items
    .map(item => ({ id: item.id, title: item.title, left: leftOf(item) }))
    .filter(({ left }) => isPositive(left))
    .map(line => ({ ...line, quantity: forTyping(line.left) }))

/** Nothing typed is nothing of the line. */
export const quantityRule = (input: string) => (input.trim() === '' || typed(input) !== null ? null : typedHint)

/** Lines with their numbers: what was left empty or 0 stays for later. */
export const sentLines = <Line extends { readonly quantity: string }>(lines: readonly Line[]) =>
  lines.flatMap(line => {
    const value = typed(line.quantity)
    return value === null || isZero(value) ? [] : [{ line, quantity: sent(value) }]
  })

/** Where a field of a sent line stands in the form: lines that stay for later were not sent. */
export function fieldOfSent(field: string, { items }: { readonly items: readonly { readonly quantity: string }[] }) {
  const kept = sentLines(items)
  return field.replace(/^items\.(\d+)/, (whole, index: string) => {
    const line = kept[Number(index)]?.line
    return line ? `items.${items.indexOf(line)}` : whole
  })
}

type Props = {
  readonly lines: readonly QuantityLine[]
  /** Of a form that has them as `items`. */
  readonly inputProps: (path: string) => object
  readonly leftIs?: string
}

export function QuantityFields({ lines, inputProps, leftIs = 'Left' }: Props) {
  return (
    <Table aria-label="Quantities">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th className="right">{leftIs}</Table.Th>
          <Table.Th w={130}>Quantity</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ id, title, left }, index) => (
          <Table.Tr key={id}>
            <Table.Td>{title}</Table.Td>
            <Table.Td className="right">{quantityText(left)}</Table.Td>
            <Table.Td>
              <DecimalInput aria-label={`Quantity of ${title}`} {...inputProps(`items.${index}.quantity`)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
