/** What comes next: goods to ship, to arrive, short, and about to expire. */
import { Text } from '@mantine/core'
import type { Page } from '@millrace/client'
import type { ComponentProps } from 'react'
import { greater, isPositive, minus } from '../../exact.ts'
import { dayText } from '../../format.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { Quantity } from '../../patterns/units.tsx'
import type { Batch, ManufacturingOrder, PurchaseOrder, SalesOrder, Shortage } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { manufacturingOrders } from '../manufacturing/nouns.ts'
import { purchaseOrders } from '../purchasing/nouns.ts'
import { salesOrders } from '../sales/nouns.ts'
import { openPurchases, openSales, shortages, toMake } from './reads.ts'

const ROWS = 6
/** How many rows are read. The earliest by date are shown, because lists are in the order of creation. */
const READ = 100

/** The first rows by a date. Rows without one come last. */
function earliest<Row>(rows: readonly Row[], dateOf: (row: Row) => string | null): Row[] {
  const at = (row: Row) => dateOf(row) ?? '9999'
  return rows.toSorted((one, other) => at(one).localeCompare(at(other))).slice(0, ROWS)
}

type Day = { readonly today: string }

function Due({ at, today, word = 'late' }: Day & { readonly at: string | null; readonly word?: string }) {
  const isLate = at !== null && at < today
  return (
    <Text span size="sm" {...(isLate ? { c: 'var(--mantine-color-error)' } : {})}>
      <span className="whole">{dayText(at)}</span>
      {isLate && ` (${word})`}
    </Text>
  )
}

type EarliestProps<Row extends object> = Day &
  Omit<ComponentProps<typeof TablePanel<Page<Row>, Row & Day>>, 'rows'> & {
    readonly dateOf: (row: Row) => string | null
  }

const Earliest = <Row extends object>({ today, dateOf, ...panel }: EarliestProps<Row>) => (
  <TablePanel {...panel} rows={({ data }) => earliest(data, dateOf).map(row => ({ ...row, today }))} leads />
)

const allOpen = (to: string) => (
  <PathLink to={to} search={{ status: 'OPEN' }}>
    All open orders
  </PathLink>
)

const orderColumns: Columns<SalesOrder & Day> = [
  numberColumn(salesOrders, 'Order'),
  column.shown('Customer', ({ customer }) => customer.title),
  column.status('Delivery', ({ delivery_status }) => delivery_status, 'lg'),
  column.shown('Due', ({ delivery_date, today }) => <Due at={delivery_date} today={today} />),
]

export const Shipments = ({ today }: Day) => (
  <Earliest
    title="To ship"
    scope="read:sales"
    query={openSales(useApi())}
    whenEmpty="Nothing is waiting to be shipped."
    aside={allOpen('/sales-orders')}
    columns={orderColumns}
    dateOf={({ delivery_date }) => delivery_date}
    today={today}
  />
)

const makeColumns: Columns<ManufacturingOrder & Day> = [
  numberColumn(manufacturingOrders, 'Order'),
  column.shown('What', ({ item_variant }) => variantTitle(item_variant)),
  column.quantity('Left', ({ quantity, released_quantity }) => greater('0', minus(quantity, released_quantity)), 'sm'),
  column.shown('Due', ({ production_date, today }) => <Due at={production_date} today={today} />),
]

export const ToMake = ({ today }: Day) => (
  <Earliest
    title="To make"
    scope="read:manufacturing"
    query={toMake(useApi())}
    whenEmpty="Nothing is waiting to be made."
    aside={<PathLink to="/manufacturing-orders">All orders</PathLink>}
    columns={makeColumns}
    dateOf={({ production_date }) => production_date}
    today={today}
  />
)

const purchaseColumns: Columns<PurchaseOrder & Day> = [
  numberColumn(purchaseOrders, 'Order'),
  column.shown('Supplier', ({ supplier }) => supplier.title),
  column.status('Delivery', ({ delivery_status }) => delivery_status, 'lg'),
  column.shown('Expected', ({ expected_date, today }) => <Due at={expected_date} today={today} />),
]

export const Arrivals = ({ today }: Day) => (
  <Earliest
    title="To arrive"
    scope="read:purchase"
    query={openPurchases(useApi())}
    whenEmpty="Nothing is on its way."
    aside={allOpen('/purchase-orders')}
    columns={purchaseColumns}
    dateOf={({ expected_date }) => expected_date}
    today={today}
  />
)

const shortageColumns: Columns<Shortage> = [
  column.shown('What', row => (
    <>
      <DocumentLink kind="VARIANT" id={`${row.item_id}/${row.item_variant_id}`} className="row-link wraps">
        {row.title}
      </DocumentLink>
      {isPositive(row.expired_quantity) && (
        <Text size="xs" c="var(--mantine-color-error)">
          <Quantity of={row.expired_quantity} goods={row} /> expired
        </Text>
      )}
    </>
  )),
  column.sku('SKU', ({ sku }) => sku, 'lg'),
  column.quantity('Short', ({ short_quantity }) => short_quantity),
  column.quantity('Demand', ({ reserved_quantity }) => reserved_quantity),
]

export const Shortages = () => (
  <TablePanel
    title="Short"
    scope="read:stock"
    query={shortages(useApi())}
    aside={<PathLink to="/planner">All that is short</PathLink>}
    whenEmpty="Nothing is short: what is there and has not expired, or is on its way, covers all demand."
    columns={shortageColumns}
    rows={({ data }) => data.slice(0, ROWS)}
    rowId={row => `${row.item_variant_id} ${row.storage_place_id}`}
    leads
  />
)

const batchColumns: Columns<Batch & Day> = [
  column.shown('What', ({ title }) => title),
  column.batch('Batch', ({ id, number }) => ({ batch_id: id, batch_number: number })),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Expires', ({ expiry_date, today }) => <Due at={expiry_date} today={today} word="expired" />),
]

/** @param before a day: batches that expire on it or later are not shown. */
export function Expiring({ before, today }: Day & { readonly before: string }) {
  const api = useApi()
  return (
    <TablePanel
      title="Expires within 30 days"
      scope="read:stock"
      query={{
        queryKey: ['batches', 'expiring', before],
        queryFn: async ({ signal }) => {
          // The newest of them: most old batches have no stock left.
          const { data } = await api.batches.list({ expires_before: before, order: 'desc', limit: READ }, { signal })
          const there = data.filter(({ quantity }) => isPositive(quantity))
          return earliest(there, ({ expiry_date }) => expiry_date)
        },
      }}
      aside={
        <PathLink to="/trace" search={{ expires_before: before }}>
          All that expire
        </PathLink>
      }
      whenEmpty="No batch that is there expires within 30 days."
      columns={batchColumns}
      rows={rows => rows.map(row => ({ ...row, today }))}
    />
  )
}
