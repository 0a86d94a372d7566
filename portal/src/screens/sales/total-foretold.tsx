/** What an order comes to, in words, from the answer of a dry run. */
import { Text } from '@mantine/core'
import { moneyText } from '../../format.tsx'
import type { SalesOrder } from '../../records.ts'

export const TotalForetold = ({ order }: { readonly order: SalesOrder }) => (
  <Text size="sm">
    The order comes to {moneyText(order.total_amount_with_tax, order.currency)} with tax, of it{' '}
    {moneyText(order.tax_amount, order.currency)} tax.
  </Text>
)
