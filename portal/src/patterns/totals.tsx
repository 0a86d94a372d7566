/** What an order's lines come to. */
import { Stack, Text } from '@mantine/core'
import type { Decimal } from '../exact.ts'
import { moneyText } from '../format.tsx'

type Props = {
  readonly of: {
    readonly currency: string
    readonly total_amount: Decimal
    readonly tax_amount: Decimal
    readonly total_amount_with_tax: Decimal
  }
}

export function Totals({ of: { currency, total_amount, tax_amount, total_amount_with_tax } }: Props) {
  return (
    <Stack gap={2} align="flex-end" p="md" className="numbers">
      <Text size="sm">Net {moneyText(total_amount, currency)}</Text>
      <Text size="sm">Tax {moneyText(tax_amount, currency)}</Text>
      <Text fw={600}>Total {moneyText(total_amount_with_tax, currency)}</Text>
    </Stack>
  )
}
