/** The receipts of all purchase orders. */
import type { PurchaseReceipt } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Exact } from '../../exact.ts'
import { dayText, Instant } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { DayFilter, PlaceFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { linesText } from '../../patterns/what.tsx'
import { useApi } from '../../session.tsx'

const route = getRouteApi('/purchase-receipts')

const column = columnsOf<Exact<PurchaseReceipt>>()

const columnsAt = (placeTitle: (id: string | null) => string) =>
  column.columns([
    column.accessor('number', {
      header: 'Number',
      cell: ({ row: { original } }) => (
        <Link className="row-link" to="/purchase-orders/$id" params={{ id: original.purchase_order_id }}>
          {original.number}
        </Link>
      ),
    }),
    column.accessor('received_date', { header: 'Received', cell: ({ getValue }) => dayText(getValue()) }),
    column.accessor('items', {
      header: 'What',
      cell: ({ getValue }) => linesText(getValue()),
    }),
    column.accessor(({ storage_place_id }) => placeTitle(storage_place_id), {
      id: 'place',
      header: 'At',
      meta: { visibleFrom: 'sm' },
    }),
    column.accessor('created_at', {
      header: 'Booked',
      cell: ({ getValue }) => <Instant at={getValue()} />,
      meta: { visibleFrom: 'md' },
    }),
  ])

export function Receipts() {
  const api = useApi()
  const placeTitle = usePlaceTitle()
  const columns = useMemo(() => columnsAt(placeTitle), [placeTitle])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, ...filters } = search
  const query = listQuery(['purchase-receipts'], search, (paged, options) =>
    api.purchaseReceipts.list({ ...filters, ...paged, order: order === 'asc' ? 'asc' : 'desc' }, options),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Receipts"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="Nothing has been received yet. Open a purchase order and receive what arrives."
      filters={
        <>
          <PlaceFilter value={search.storage_place_id} onChange={set('storage_place_id')} />
          <DayFilter label="Received from" value={search.received_after} onChange={set('received_after')} />
          <DayFilter label="Received before" value={search.received_before} onChange={set('received_before')} />
        </>
      }
    />
  )
}
