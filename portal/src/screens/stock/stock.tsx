/** Stock by variant and place, with a search. */
import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { isPositive } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { type Columns, column, levelColumns } from '../../patterns/columns.tsx'
import { PlaceFilter, TextFilter, useFilters } from '../../patterns/filters.tsx'
import { ButtonLink, PathLink, VariantLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Small } from '../../patterns/small.tsx'
import { withUnit } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import { NewProduct } from '../products/new-product.tsx'
import { type Found, findEntries, findStock } from './found.ts'

const route = getRouteApi('/stock')

/** The reads are many requests, so events do not repeat them. They are repeated after this time. */
const REFRESH_MS = 20_000

const columns: Columns<Found> = [
  column.shown('What', found => <What found={found} />, { says: ({ title }) => title }),
  column.sku('SKU', ({ sku }) => sku, 'md'),
  column.shown('Place', found => <Place found={found} />, {
    visibleFrom: 'sm',
    says: ({ storage_place_id: id }, placeTitle) => (id === undefined ? null : placeTitle(id)),
  }),
  ...levelColumns,
]

const What = ({ found }: { readonly found: Found }) => (
  <>
    <VariantLink of={found} className="row-link wraps" />
    <Small hiddenFrom="sm">
      <Place found={found} />
    </Small>
    {found.batch_number !== null && <Small>Batch {found.batch_number}</Small>}
    <Unusable found={found} />
  </>
)

/** The stock that cannot be picked. */
function Unusable({ found: { levels, unit_name } }: { readonly found: Found }) {
  const told = { expired: levels?.expired_quantity, 'in quarantine': levels?.quarantine_quantity }
  const texts = Object.entries(told).flatMap(([words, quantity]) =>
    quantity != null && isPositive(quantity) ? `${withUnit(quantity, unit_name)} ${words}` : [],
  )
  return (
    texts.length > 0 && (
      <Text size="xs" c="var(--mantine-color-error)">
        {texts.join(', ')}
      </Text>
    )
  )
}

const Place = ({ found: { storage_place_id: id } }: { readonly found: Found }) =>
  id === undefined ? 'Nowhere yet' : <PlaceTitle id={id} />

export function Stock() {
  const { api, can } = useSession()
  const { search, filter, onClear } = useFilters(route)
  const find = can('read:catalog') ? findStock : findEntries
  const query = listQuery(['products', 'stock'], { ...search, order: search.order ?? 'asc' }, (asked, options) =>
    find(api, asked, options),
  )
  return (
    <ListPage
      title="Stock"
      query={{ ...query, refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? REFRESH_MS : false) }}
      columns={columns}
      rowId={({ key }) => key}
      onClear={onClear}
      whenEmpty="There are no products yet. Make one here, or import a file of them."
      whenNoMatch="Nothing has this in its name, SKU or barcode, nor as the number of a batch."
      actions={
        <>
          <PathLink to="/products">Products</PathLink>
          <PathLink to="/stock-adjustments">Adjustments</PathLink>
          <PathLink to="/stock-transfers">Transfers</PathLink>
          <PathLink to="/stock-counts">Counts</PathLink>
          <ButtonLink to="/stock/batches">By place and batch</ButtonLink>
          <NewProduct />
        </>
      }
      filters={
        <>
          <TextFilter
            label={can('read:catalog') ? 'Name, SKU, barcode or batch' : 'SKU or batch, in full'}
            {...filter('q')}
          />
          <PlaceFilter {...filter('storage_place_id')} />
        </>
      }
    />
  )
}
