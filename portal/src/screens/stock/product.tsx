/** A product and its variants. */
import { Badge, Stack, Text } from '@mantine/core'
import type { Product as Item } from '@millrace/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Decimal, type Exact, sum } from '../../exact.ts'
import { moneyText, quantityText, words } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { DetailHead, DetailPage, Facts, Section } from '../../patterns/detail-page.tsx'
import { messageOf } from '../../patterns/failure.tsx'
import { useSession } from '../../session.tsx'
import { productQuery } from './queries.ts'

const route = getRouteApi('/stock/$productId')

type Row = Exact<Item>['variants'][number] & { readonly currency: string }

const priced = (value: Decimal | null, currency: string) => (value === null ? '–' : moneyText(value, currency))

const column = columnsOf<Row>()
const columns = column.columns([
  column.accessor('title', {
    header: 'Variant',
    cell: ({ row: { original } }) => (
      <>
        <Link
          className="row-link wraps"
          to="/stock/$productId/$variantId"
          params={{ productId: original.item_id, variantId: original.id }}
        >
          {original.title}
        </Link>
        {original.archived && (
          <Text size="xs" c="dimmed">
            Archived
          </Text>
        )}
      </>
    ),
  }),
  column.accessor('sku', { header: 'SKU', cell: ({ getValue }) => getValue() ?? '–', meta: { visibleFrom: 'sm' } }),
  column.accessor('barcode', {
    header: 'Barcode',
    cell: ({ getValue }) => getValue() ?? '–',
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('price', {
    header: 'Price',
    cell: ({ row: { original } }) => priced(original.price, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('purchase_price', {
    header: 'Purchase price',
    cell: ({ row: { original } }) => priced(original.purchase_price, original.currency),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
  ...(['quantity', 'available_quantity'] as const).map(name =>
    column.display({
      id: name,
      header: { quantity: 'On hand', available_quantity: 'Available' }[name],
      cell: ({ row: { original } }) => <Total id={original.id} of={name} />,
      meta: { align: 'right' },
    }),
  ),
])

/** Over all places; each row reads its own, and only once it is drawn. */
function Total({ id, of }: { readonly id: string; readonly of: 'quantity' | 'available_quantity' }) {
  const { api, can } = useSession()
  const { data, error } = useQuery({
    queryKey: ['products', 'levels', id],
    queryFn: ({ signal }) =>
      api.availability.list({ item_variant_id: id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
    enabled: can('read:stock'),
  })
  if (error) return <span title={messageOf(error)}>not read</span>
  return data === undefined ? '…' : quantityText(sum(data.map(row => row[of])))
}

export function Product() {
  const { api } = useSession()
  const { productId } = route.useParams()
  return (
    <DetailPage kind="Product" query={queryOptions(productQuery(api, productId))}>
      {product => <Shown product={product} />}
    </DetailPage>
  )
}

function Shown({ product }: { readonly product: Exact<Item> }) {
  const { me } = useSession()
  const uses = [
    product.is_sellable && 'sold',
    product.is_producible && 'made',
    product.is_purchasable && 'bought',
  ].filter(use => use !== false)
  return (
    <Stack gap="md">
      <DetailHead title={product.title} status={product.archived && <Badge color="gray">Archived</Badge>} />
      <Facts
        facts={[
          ['Kind', words(product.type)],
          ['Category', product.category],
          ['Unit', product.unit_name],
          ['Is', uses.join(', ')],
          ['Batches', product.batch_tracked ? 'tracked' : 'not tracked'],
          ['Shelf life', product.shelf_life_days && `${quantityText(product.shelf_life_days)} days`],
          ['Reference', product.external_ref],
          ['Description', product.description],
        ]}
      />
      <Section title="Variants">
        <DataTable
          label="Variants"
          columns={columns}
          rows={product.variants.map(variant => ({ ...variant, currency: me.currency }))}
          rowId={({ id }) => id}
          leads
        />
      </Section>
    </Stack>
  )
}
