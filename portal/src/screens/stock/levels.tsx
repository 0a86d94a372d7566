/** Stock by place and batch. */
import { Button, Text } from '@mantine/core'
import type { StockEntry } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceInput } from '../../patterns/place-input.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { useApi } from '../../session.tsx'

const route = getRouteApi('/stock/batches')

type Entry = Exact<StockEntry>

const column = columnsOf<Entry>()
const columns = column.columns([
  column.accessor('title', { header: 'What', cell: ({ row: { original } }) => <What entry={original} /> }),
  column.accessor('sku', { header: 'SKU', cell: ({ getValue }) => getValue() ?? '–', meta: { visibleFrom: 'md' } }),
  column.accessor('storage_place_id', {
    header: 'Place',
    cell: ({ getValue }) => <Place id={getValue()} />,
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('batch_number', {
    header: 'Batch',
    cell: ({ getValue }) => getValue() ?? '–',
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('expiry_date', {
    header: 'Expires',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('quantity', {
    header: 'On hand',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('quarantine_quantity', {
    header: 'Quarantine',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('unit_name', { header: 'Unit' }),
])

function Place({ id }: { readonly id: string | null }) {
  return usePlaceTitle()(id)
}

function What({ entry }: { readonly entry: Entry }) {
  return (
    <>
      <Link
        className="row-link wraps"
        to="/stock/$productId/$variantId"
        params={{ productId: entry.item_id, variantId: entry.item_variant_id }}
      >
        {entry.title}
      </Link>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        <Place id={entry.storage_place_id} />
        {entry.batch_number !== null && `, batch ${entry.batch_number}`}
      </Text>
    </>
  )
}

export function Levels() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const query = listQuery(['stock'], search, (paged, options) => api.stock.list(paged, options))
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Stock by place and batch"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="Nothing was ever in stock. It comes in with receipts, manufacturing and adjustments: a variant's page has a form for these."
      actions={
        <Button variant="default" renderRoot={props => <Link to="/stock" {...props} />}>
          By variant
        </Button>
      }
      filters={
        <>
          <TextFilter label="SKU" value={search.sku} onChange={set('sku')} />
          <TextFilter label="Batch number" value={search.batch_number} onChange={set('batch_number')} />
          <PlaceInput
            label="Place"
            placeholder="Any"
            clearable
            value={search.storage_place_id ?? null}
            onChange={value => set('storage_place_id')(value ?? undefined)}
          />
        </>
      }
    />
  )
}
