/** A variant: where it lies, what moved, what is open, what it is made of, and the steps that change its stock. */
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import type { Availability, Product, StockEntry } from '@millrace/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Exact, sum } from '../../exact.ts'
import { dayText, moneyText, quantityText } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, DetailHead, DetailPage, Facts } from '../../patterns/detail-page.tsx'
import { DocumentLink } from '../../patterns/document-link.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { useSession } from '../../session.tsx'
import { Panel } from '../today/panel.tsx'
import { Batches } from './batches.tsx'
import { variantTitle } from './found.ts'
import { Movements } from './movements.tsx'
import { OpenOrders } from './open-orders.tsx'
import { availabilityQuery, entriesQuery } from './queries.ts'
import { RecipeSection } from './recipe.tsx'
import { StockSteps } from './steps.tsx'

const route = getRouteApi('/stock/$productId/$variantId')

export function Variant() {
  const { api } = useSession()
  const { productId, variantId } = route.useParams()
  const query = queryOptions({
    queryKey: ['products', 'variant', productId, variantId] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const product = await api.products.get(productId, { signal })
      const variant = product.variants.find(({ id }) => id === variantId)
      if (!variant) throw new Error(`${product.title} has no variant ${variantId}.`)
      return { product, variant }
    },
  })
  return (
    <DetailPage kind="Variant" query={query}>
      {({ product, variant }) => <Shown key={variantId} product={product} variant={variant} />}
    </DetailPage>
  )
}

export type Shown = {
  readonly product: Exact<Product>
  readonly variant: Exact<Product>['variants'][number]
}

function Shown({ product, variant }: Shown) {
  const { api, me, can } = useSession()
  const levels = useQuery({ ...availabilityQuery(api, variant.id), enabled: can('read:stock') })
  const money = (value: `${number}` | null) => value && moneyText(value, me.currency)
  const isArchived = product.archived || variant.archived
  return (
    <Stack gap="md">
      <DetailHead
        title={variantTitle(product.title, variant.title)}
        status={isArchived && <Badge color="gray">Archived</Badge>}
        steps={product.type !== 'SERVICE' && <StockSteps product={product} variant={variant} />}
      />
      <Facts
        facts={[
          ...(levels.data ? totalsOf(levels.data, product.unit_name) : []),
          [
            'Product',
            <Anchor
              key="product"
              inherit
              renderRoot={props => <Link to="/stock/$productId" params={{ productId: product.id }} {...props} />}
            >
              {product.title}
            </Anchor>,
          ],
          ['SKU', variant.sku],
          ['Barcode', variant.barcode],
          ['Price', money(variant.price)],
          ['Purchase price', money(variant.purchase_price)],
          ['Minimum stock', variant.minimum_stock && quantityText(variant.minimum_stock)],
          [
            'Attributes',
            Object.entries(variant.attributes)
              .map(([name, value]) => `${name}: ${value}`)
              .join(', '),
          ],
        ]}
      />
      {levels.error && (
        <Failure error={levels.error} title="Its stock could not be read" onRetry={() => levels.refetch()} />
      )}
      {product.type === 'SERVICE' ? (
        <Text size="sm">A service: it holds no stock.</Text>
      ) : (
        <>
          <Entries variantId={variant.id} />
          <Columns
            wide={<Movements variantId={variant.id} />}
            narrow={
              <>
                <OpenOrders variantId={variant.id} />
                <RecipeSection product={product} variantId={variant.id} />
                {product.batch_tracked && <Batches variantId={variant.id} />}
              </>
            }
          />
        </>
      )}
    </Stack>
  )
}

const totals = {
  quantity: 'On hand, all places',
  quarantine_quantity: 'Of it in quarantine',
  reserved_quantity: 'Reserved',
  expected_quantity: 'Expected',
  available_quantity: 'Available',
} as const

const totalsOf = (levels: readonly Exact<Availability>[], unit: string) =>
  (Object.keys(totals) as (keyof typeof totals)[]).map(
    name => [totals[name], `${quantityText(sum(levels.map(level => level[name])))} ${unit}`] as const,
  )

type Entry = Exact<StockEntry> & { readonly place: string; readonly currency: string }

const entry = columnsOf<Entry>()
const entryColumns = entry.columns([
  entry.accessor('place', { header: 'Place' }),
  entry.accessor('batch_number', {
    header: 'Batch',
    cell: ({ row: { original } }) =>
      original.batch_id === null ? (
        '–'
      ) : (
        <>
          <DocumentLink kind="BATCH" id={original.batch_id}>
            {original.batch_number}
          </DocumentLink>
          {original.expiry_date !== null && (
            <Text span size="xs" c="dimmed" display="block">
              to {dayText(original.expiry_date)}
            </Text>
          )}
        </>
      ),
  }),
  ...(['quantity', 'quarantine_quantity', 'reserved_quantity', 'expected_quantity', 'available_quantity'] as const).map(
    name =>
      entry.accessor(name, {
        header: {
          quantity: 'On hand',
          quarantine_quantity: 'Quarantine',
          reserved_quantity: 'Reserved',
          expected_quantity: 'Expected',
          available_quantity: 'Available',
        }[name],
        cell: ({ getValue }) => quantityText(getValue()),
        meta: {
          align: 'right',
          ...(name === 'quantity' || name === 'available_quantity' ? {} : { visibleFrom: 'sm' as const }),
        },
      }),
  ),
  entry.accessor('average_cost', {
    header: 'Average cost',
    cell: ({ row: { original } }) =>
      original.average_cost === null ? '–' : moneyText(original.average_cost, original.currency),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
  entry.accessor('stock_value', {
    header: 'Value',
    cell: ({ row: { original } }) => moneyText(original.stock_value, original.currency),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
])

function Entries({ variantId }: { readonly variantId: string }) {
  const { api, me } = useSession()
  const placeTitle = usePlaceTitle()
  return (
    <Panel
      title="By place and batch"
      scope="read:stock"
      query={entriesQuery(api, variantId)}
      isEmpty={({ data }) => data.length === 0}
      whenEmpty="It was never in stock. Adjust the stock to put in what is there."
    >
      {({ data, next_cursor }) => (
        <>
          <DataTable
            label="By place and batch"
            columns={entryColumns}
            rows={data.map(row => ({ ...row, place: placeTitle(row.storage_place_id), currency: me.currency }))}
            rowId={({ id }) => id}
          />
          {next_cursor !== '' && (
            <Group p="sm">
              <Text size="sm" c="dimmed">
                The newest {data.length} rows of it; older batches are not shown here.
              </Text>
            </Group>
          )}
        </>
      )}
    </Panel>
  )
}
