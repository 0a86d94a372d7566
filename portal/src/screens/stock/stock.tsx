/** Stock by variant and place, found by anything that names it. */
import { Button, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceInput } from '../../patterns/place-input.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { useSession } from '../../session.tsx'
import { type Found, findEntries, findStock } from './found.ts'

const route = getRouteApi('/stock')

/** It is many requests: the stream's events do not make it be read again, but time does. */
const REFRESH_MS = 20_000

const column = columnsOf<Found>()
const columns = column.columns([
  column.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => <What found={original} />,
  }),
  column.accessor('sku', { header: 'SKU', cell: ({ getValue }) => getValue() ?? '–', meta: { visibleFrom: 'md' } }),
  column.accessor('storage_place_id', {
    header: 'Place',
    cell: ({ row: { original } }) => <Place found={original} />,
    meta: { visibleFrom: 'sm' },
  }),
  ...(['quantity', 'quarantine_quantity', 'reserved_quantity', 'expected_quantity', 'available_quantity'] as const).map(
    name =>
      column.accessor(({ levels }) => levels?.[name], {
        id: name,
        header: {
          quantity: 'On hand',
          quarantine_quantity: 'Quarantine',
          reserved_quantity: 'Reserved',
          expected_quantity: 'Expected',
          available_quantity: 'Available',
        }[name],
        cell: ({ getValue }) => {
          const value = getValue()
          return value === undefined ? '–' : quantityText(value)
        },
        meta: {
          align: 'right',
          ...(name === 'quantity' || name === 'available_quantity'
            ? {}
            : { visibleFrom: name === 'quarantine_quantity' ? ('lg' as const) : ('sm' as const) }),
        },
      }),
  ),
])

function What({ found }: { readonly found: Found }) {
  return (
    <>
      <Link
        className="row-link wraps"
        to="/stock/$productId/$variantId"
        params={{ productId: found.item_id, variantId: found.item_variant_id }}
      >
        {found.title}
      </Link>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        <Place found={found} />
      </Text>
      {found.batch_number !== null && (
        <Text size="xs" c="dimmed">
          Batch {found.batch_number}
        </Text>
      )}
    </>
  )
}

function Place({ found: { storage_place_id, isUnread } }: { readonly found: Found }) {
  const placeTitle = usePlaceTitle()
  if (isUnread) return 'Its page tells'
  return storage_place_id === undefined ? 'Nowhere yet' : placeTitle(storage_place_id)
}

export function Stock() {
  const { api, can } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const find = can('read:catalog') ? findStock : findEntries
  const query = listQuery(['products', 'stock'], search, (asked, options) => find(api, asked, options))
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Stock"
      query={{ ...query, refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? REFRESH_MS : false) }}
      columns={columns}
      rowId={({ key }) => key}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="There are no products yet. Send them to POST /products, or import a file of them with the command millrace import."
      whenNoMatch="Nothing has this in its title, SKU or barcode, nor as the number of a batch."
      actions={
        <Button variant="default" renderRoot={props => <Link to="/stock/batches" {...props} />}>
          By place and batch
        </Button>
      }
      filters={
        <>
          <TextFilter
            label={can('read:catalog') ? 'Title, SKU, barcode or batch' : 'SKU or batch, in full'}
            value={search.q}
            onChange={set('q')}
          />
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
