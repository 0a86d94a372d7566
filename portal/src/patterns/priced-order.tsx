/** What the pages of purchase and sales orders share: both statuses, and the lines with their amounts. */
import { Group, Stack, Text } from '@mantine/core'
import type { Decimal } from '../exact.ts'
import { moneyText, Status } from '../format.tsx'
import { type Columns, DataTable } from './data-table.tsx'
import { Section } from './section.tsx'

export function OrderStatuses({
  of: { status, delivery_status },
}: {
  readonly of: { readonly status: string; readonly delivery_status: string }
}) {
  return (
    <Group gap={6}>
      <Status code={status} />
      <Status code={delivery_status} />
    </Group>
  )
}

type Totals = {
  readonly currency: string
  readonly total_amount: Decimal
  readonly tax_amount: Decimal
  readonly total_amount_with_tax: Decimal
}
type Order<Line> = Totals & {
  readonly items: readonly Line[]
  /** The charges of a sales order, in the price mode of the order. */
  readonly charges?: readonly ShownCharge[]
}
export type ShownCharge = {
  readonly id: string
  readonly title: string
  readonly amount: Decimal
  readonly notes: readonly string[]
}
export type Priced<Line> = Line & { readonly currency: string }

export const OrderTotals = ({ of }: { readonly of: Totals }) => (
  <>
    <Text size="sm">Net {moneyText(of.total_amount, of.currency)}</Text>
    <Text size="sm">Tax {moneyText(of.tax_amount, of.currency)}</Text>
    <Text fw={600}>Total {moneyText(of.total_amount_with_tax, of.currency)}</Text>
  </>
)

type LinesProps<Line> = { readonly of: Order<Line>; readonly columns: Columns<Priced<Line>> }

export function PricedLines<Line extends object>({ of: order, columns }: LinesProps<Line>) {
  const { currency, items, charges = [] } = order
  return (
    <Section title="Lines">
      <DataTable label="Lines" columns={columns} rows={items.map(item => ({ ...item, currency }))} />
      <Stack gap={2} align="flex-end" p="md" className="numbers">
        {charges.map(({ id, title, amount, notes }) => (
          <div key={id} style={{ textAlign: 'right' }}>
            <Text size="sm">
              {title} {moneyText(amount, currency)}
            </Text>
            {notes.map(note => (
              <Text key={note} size="xs" c="dimmed" className="address">
                {note}
              </Text>
            ))}
          </div>
        ))}
        <OrderTotals of={order} />
      </Stack>
    </Section>
  )
}
