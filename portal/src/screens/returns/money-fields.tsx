/** Money that is refunded without goods, in the form of a return: how much of each line and charge. */
import { Button, Table } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { forTyping } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { taxWords } from '../../patterns/taxes.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import type { MoneyLine } from './refundable.ts'

type Values = { money: MoneyLine[] }
type Props<Has extends Values> = { readonly form: UseFormReturnType<Has>; readonly order: Order }

export function MoneyFields<Has extends Values>({ form: given, order }: Props<Has>) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Values>
  const { money } = form.values
  if (money.length === 0) return null
  return (
    <Table aria-label="Money without goods">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Money without goods</Table.Th>
          <Table.Th className="right">Left, {taxWords(order.prices_include_tax)}</Table.Th>
          <Table.Th w={130}>Amount, {taxWords(order.prices_include_tax)}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {money.map(({ id, title, left }, index) => (
          <Table.Tr key={id}>
            <Table.Td className="address">{title}</Table.Td>
            <Table.Td className="right">
              {moneyText(left, order.currency)}
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`All of ${title}`}
                onClick={() => form.setFieldValue(`money.${index}.amount`, forTyping(left))}
              >
                All
              </Button>
            </Table.Td>
            <Table.Td>
              <DecimalInput aria-label={`Money of ${title}`} {...form.getInputProps(`money.${index}.amount`)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
