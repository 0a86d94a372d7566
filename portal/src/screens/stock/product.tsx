/** A product and its variants. */
import { Button } from '@mantine/core'
import type { Product as Item } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Exact, minus, sum } from '../../exact.ts'
import { quantityText, words } from '../../format.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import { expiredAt, readExpired } from '../../patterns/expired.ts'
import { failureText } from '../../patterns/failure.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { Quantity } from '../../patterns/units.tsx'
import { useApi, useSession } from '../../session.tsx'
import { AddVariant, ProductSteps } from '../products/steps.tsx'
import { Suppliers } from './suppliers.tsx'

const route = getRouteApi('/stock/$productId')

const columns: Columns<Exact<Item>['variants'][number]> = [
  column.shown('Variant', ({ item_id, id, title, archived }) => (
    <>
      <DocumentLink kind="VARIANT" id={`${item_id}/${id}`} className="row-link wraps">
        {title}
      </DocumentLink>{' '}
      <Archived of={{ archived }} />
    </>
  )),
  column.shown('SKU', ({ sku }) => sku, 'sm'),
  column.shown('Barcode', ({ barcode }) => barcode, 'md'),
  column.cost('Price', ({ price }) => price, 'sm'),
  column.cost('Purchase price', ({ purchase_price }) => purchase_price, 'md'),
  column.figure('On hand', ({ id }) => <Total id={id} of="quantity" />),
  column.figure('Available', ({ id }) => <Total id={id} of="available_quantity" />),
]

/** Over all places; each row reads its own, and only once it is drawn. */
function Total({ id, of }: { readonly id: string; readonly of: 'quantity' | 'available_quantity' }) {
  const { api, can } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['products', 'levels', id],
    queryFn: async ({ signal }) => {
      const [levels, expired] = await Promise.all([
        api.availability.list({ item_variant_id: id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
        readExpired(api, [id], { signal }),
      ])
      return {
        isAll: expired.isAll,
        quantity: sum(levels.map(level => level.quantity)),
        available_quantity: minus(
          sum(levels.map(level => level.available_quantity)),
          expiredAt(expired, { item_variant_id: id }),
        ),
      }
    },
    enabled: can('read:stock'),
  })
  if (error)
    return (
      <Button variant="subtle" size="compact-xs" title={failureText(error)} onClick={() => refetch()}>
        Try again
      </Button>
    )
  if (data === undefined) return '…'
  return (
    <>
      {of === 'available_quantity' && !data.isAll && 'at most '}
      <Quantity of={data[of]} goods={{ item_variant_id: id }} />
    </>
  )
}

export function Product() {
  const api = useApi()
  const { productId } = route.useParams()
  return (
    <DetailPage
      kind="Product"
      name={['products', 'one', productId]}
      read={options => api.products.get(productId, options)}
    >
      {product => <Shown product={product} />}
    </DetailPage>
  )
}

function Shown({ product }: { readonly product: Exact<Item> }) {
  const uses = [
    product.is_sellable && 'sold',
    product.is_producible && 'made',
    product.is_purchasable && 'bought',
  ].filter(use => use !== false)
  return (
    <RecordPage
      title={product.title}
      of={product}
      status={<Archived of={product} />}
      steps={<ProductSteps product={product} />}
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
    >
      <Section title="Variants" aside={<AddVariant product={product} />}>
        <DataTable label="Variants" columns={columns} rows={product.variants} leads />
      </Section>
      {product.is_purchasable && <Suppliers variants={product.variants} />}
    </RecordPage>
  )
}
