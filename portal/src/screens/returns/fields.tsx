/** Parts of the form of a return. */
import { Button, Checkbox, Table } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { forTyping, typed } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { Small } from '../../patterns/small.tsx'
import { taxWords } from '../../patterns/taxes.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import type { MoneyLine, ReturnLine } from './refundable.ts'
import { comesBack } from './returned-kit.ts'

type Props<Has extends { items: ReturnLine[] }> = { readonly form: UseFormReturnType<Has>; readonly index: number }

/** Parts of a returned kit that are missing: how much of each component came back. */
export function KitFields<Has extends { items: ReturnLine[] }>({ form, index }: Props<Has>) {
  const { kit, title = '', quantity = '', stays } = form.values.items[index] ?? {}
  if (kit === undefined || stays) return null
  const at = `items.${index}.kit`
  return (
    <>
      <Checkbox
        size="xs"
        mt={4}
        label="Parts are missing"
        aria-label={`Parts of ${title} are missing`}
        {...form.getInputProps(`${at}.isShort` as never, { type: 'checkbox' })}
      />
      {kit.isShort && (
        <>
          <Small>How many came back of each; leave empty what is all there.</Small>
          {kit.parts.map((part, nth) => (
            <DecimalInput
              key={part.item_variant_id}
              size="xs"
              maw={180}
              label={part.title}
              aria-label={`${part.title} that came back`}
              placeholder={`all ${quantityText(comesBack(kit, part, typed(quantity) ?? '0'))}`}
              {...form.getInputProps(`${at}.parts.${nth}.back` as never)}
            />
          ))}
        </>
      )}
    </>
  )
}

type Money = { money: MoneyLine[] }
type MoneyProps<Has extends Money> = { readonly form: UseFormReturnType<Has>; readonly order: Order }

/** Money that is refunded without goods: how much of each line and charge. */
export function MoneyFields<Has extends Money>({ form: given, order }: MoneyProps<Has>) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Money>
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
