/** Finds a batch. */
import type { Batch } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { DayFilter, TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { What } from './what.tsx'

const route = getRouteApi('/trace')

const column = columnsOf<Exact<Batch>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Batch',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/trace/$batchId" params={{ batchId: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  column.accessor('title', { header: 'What', cell: ({ row: { original } }) => <What {...original} /> }),
  column.accessor('quantity', {
    header: 'In stock',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('quarantine_quantity', {
    header: 'Quarantined',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
  column.accessor('manufacture_date', {
    header: 'Made',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('expiry_date', {
    header: 'Expires',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
])

export function Batches() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, ...filters } = search
  const query = listQuery(['batches'], search, (paged, options) =>
    api.batches.list({ ...filters, ...paged, order: order === 'asc' ? 'asc' : 'desc' }, options),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Trace"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="There are no batches yet. A receipt, a production or an adjustment that names a batch_number makes one."
      filters={
        <>
          <TextFilter label="Batch number" value={search.number} onChange={set('number')} />
          <DayFilter label="Expires before" value={search.expires_before} onChange={set('expires_before')} />
        </>
      }
    />
  )
}
