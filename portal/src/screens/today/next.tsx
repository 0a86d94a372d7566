/** What comes next: to ship, to arrive, short, and soon to expire. */
import { Text } from '@mantine/core'
import type { Batch, PurchaseOrder, SalesOrder, Shortage } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Exact, isPositive } from '../../exact.ts'
import { dayText, quantityText, Status } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { useApi } from '../../session.tsx'
import { Panel } from './panel.tsx'

const ROWS = 6
/** Of so many the earliest are shown: lists are in the order in which records were made. */
const READ = 100

type Span = { readonly before: string; readonly today: string }

/** The first rows by a date; those without one last. */
function earliest<Row>(rows: readonly Row[], dateOf: (row: Row) => string | null): Row[] {
  const at = (row: Row) => dateOf(row) ?? '9999'
  return rows.toSorted((one, other) => at(one).localeCompare(at(other))).slice(0, ROWS)
}

function Due({ at, today }: { readonly at: string | null; readonly today: string }) {
  const isLate = at !== null && at < today
  return (
    <Text span size="sm" {...(isLate ? { c: 'var(--mantine-color-error)' } : {})}>
      {dayText(at)}
      {isLate && ' (late)'}
    </Text>
  )
}

type Row<T> = Exact<T> & { readonly today: string }

const order = columnsOf<Row<SalesOrder>>()
const orderColumns = order.columns([
  order.accessor('number', {
    header: 'Order',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/sales-orders/$id" params={{ id: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  order.accessor(({ customer }) => customer.title, { id: 'customer', header: 'Customer' }),
  order.accessor('delivery_status', {
    header: 'Delivery',
    cell: ({ getValue }) => <Status code={getValue()} />,
    meta: { visibleFrom: 'lg' },
  }),
  order.accessor('delivery_date', {
    header: 'Due',
    cell: ({ row: { original } }) => <Due at={original.delivery_date} today={original.today} />,
  }),
])

export function Shipments({ before, today }: Span) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['sales-orders', 'next', before] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const { data } = await api.salesOrders.list({ status: 'OPEN', limit: READ }, { signal })
      return earliest(data, ({ delivery_date }) => delivery_date).map(row => ({ ...row, today }))
    },
  })
  return (
    <Panel
      title="To ship"
      scope="read:sales"
      query={query}
      isEmpty={rows => rows.length === 0}
      whenEmpty="Nothing is waiting to be shipped."
      aside={
        <PathLink to="/sales-orders" search={{ status: 'OPEN' }}>
          All open orders
        </PathLink>
      }
    >
      {rows => <DataTable label="To ship" columns={orderColumns} rows={rows} rowId={({ id }) => id} leads />}
    </Panel>
  )
}

const purchase = columnsOf<Row<PurchaseOrder>>()
const purchaseColumns = purchase.columns([
  purchase.accessor('number', {
    header: 'Order',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/purchase-orders/$id" params={{ id: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  purchase.accessor(({ supplier }) => supplier.title, { id: 'supplier', header: 'Supplier' }),
  purchase.accessor('delivery_status', {
    header: 'Delivery',
    cell: ({ getValue }) => <Status code={getValue()} />,
    meta: { visibleFrom: 'lg' },
  }),
  purchase.accessor('expected_date', {
    header: 'Expected',
    cell: ({ row: { original } }) => <Due at={original.expected_date} today={original.today} />,
  }),
])

export function Arrivals({ before, today }: Span) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['purchase-orders', 'next', before] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const { data } = await api.purchaseOrders.list({ status: 'OPEN', limit: READ }, { signal })
      return earliest(data, ({ expected_date }) => expected_date).map(row => ({ ...row, today }))
    },
  })
  return (
    <Panel
      title="To arrive"
      scope="read:purchase"
      query={query}
      isEmpty={rows => rows.length === 0}
      whenEmpty="Nothing is on its way."
      aside={
        <PathLink to="/purchase-orders" search={{ status: 'OPEN' }}>
          All open orders
        </PathLink>
      }
    >
      {rows => <DataTable label="To arrive" columns={purchaseColumns} rows={rows} rowId={({ id }) => id} leads />}
    </Panel>
  )
}

const shortage = columnsOf<Exact<Shortage>>()
const shortageColumns = shortage.columns([
  shortage.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => (
      <PathLink className="row-link title" to={`/stock/${original.item_id}/${original.item_variant_id}`}>
        {original.title}
      </PathLink>
    ),
  }),
  shortage.accessor('sku', { header: 'SKU', cell: ({ getValue }) => getValue() ?? '–', meta: { visibleFrom: 'lg' } }),
  shortage.accessor('short_quantity', {
    header: 'Short',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  shortage.accessor('reserved_quantity', {
    header: 'Demand',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
])

export function Shortages() {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['shortages', 'first'] as readonly unknown[],
    queryFn: async ({ signal }) => (await api.shortages.list({ limit: ROWS }, { signal })).data,
  })
  return (
    <Panel
      title="Short"
      scope="read:stock"
      query={query}
      isEmpty={rows => rows.length === 0}
      aside={<PathLink to="/planner">All that is short</PathLink>}
      whenEmpty="Nothing is short: what is there or on its way covers all demand."
    >
      {rows => (
        <DataTable
          label="Short"
          columns={shortageColumns}
          rows={rows}
          rowId={row => `${row.item_variant_id} ${row.storage_place_id}`}
          leads
        />
      )}
    </Panel>
  )
}

const batch = columnsOf<Row<Batch>>()
const batchColumns = batch.columns([
  batch.accessor('title', { header: 'What' }),
  batch.accessor('number', {
    header: 'Batch',
    cell: ({ row: { original } }) => <PathLink to={`/trace/${original.id}`}>{original.number}</PathLink>,
  }),
  batch.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  batch.accessor('expiry_date', {
    header: 'Expires',
    cell: ({ row: { original } }) => {
      const { expiry_date, today } = original
      return expiry_date !== null && expiry_date < today ? (
        <Text span size="sm" c="var(--mantine-color-error)">
          {dayText(expiry_date)} (expired)
        </Text>
      ) : (
        dayText(expiry_date)
      )
    },
  }),
])

export function Expiring({ before, today }: Span) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['batches', 'expiring', before] as readonly unknown[],
    queryFn: async ({ signal }) => {
      // The newest of them: of the oldest most is gone.
      const { data } = await api.batches.list({ expires_before: before, order: 'desc', limit: READ }, { signal })
      const there = data.filter(({ quantity }) => isPositive(quantity))
      return earliest(there, ({ expiry_date }) => expiry_date).map(row => ({ ...row, today }))
    },
  })
  return (
    <Panel
      title="Expires within 30 days"
      scope="read:stock"
      query={query}
      isEmpty={rows => rows.length === 0}
      whenEmpty="No batch that is there expires within 30 days."
    >
      {rows => <DataTable label="Expires within 30 days" columns={batchColumns} rows={rows} rowId={({ id }) => id} />}
    </Panel>
  )
}
