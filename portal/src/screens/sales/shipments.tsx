/** The shipments of all sales orders. */
import type { SalesShipment } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Exact, sum } from '../../exact.ts'
import { countText, dayText, Instant, quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { DayFilter, VariantFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'

const route = getRouteApi('/sales-shipments')

const column = columnsOf<Exact<SalesShipment>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Number',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/sales-orders/$id" params={{ id: original.sales_order_id }}>
        {original.number}
      </Link>
    ),
  }),
  column.accessor('date', { header: 'Shipped', cell: ({ getValue }) => dayText(getValue()) }),
  column.accessor(({ items }) => items.length, {
    id: 'lines',
    header: 'Lines',
    cell: ({ getValue }) => countText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor(({ items }) => sum(items.map(({ quantity }) => quantity)), {
    id: 'quantity',
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('external_ref', {
    header: 'Reference',
    cell: ({ getValue }) => getValue() ?? '–',
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('created_at', {
    header: 'Booked',
    cell: ({ getValue }) => <Instant at={getValue()} />,
    meta: { visibleFrom: 'sm' },
  }),
])

export function Shipments() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, ...filters } = search
  const query = listQuery(['sales-shipments'], search, (paged, options) =>
    api.salesShipments.list({ ...filters, ...paged, order: order === 'asc' ? 'asc' : 'desc' }, options),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Shipments"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="Nothing has been shipped yet. Open a sales order and ship what is there."
      filters={
        <>
          <VariantFilter value={search.item_variant_id} onChange={set('item_variant_id')} of="is_sellable" />
          <DayFilter label="Booked from" value={search.created_after} onChange={set('created_after')} />
          <DayFilter label="Booked before" value={search.created_before} onChange={set('created_before')} />
        </>
      }
    />
  )
}
