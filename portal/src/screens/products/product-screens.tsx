/** Products: their list, archived ones too, and a page for each with its variants. The list of stock shows unarchived ones by variant. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sum } from '../../exact.ts'
import { quantityText, words } from '../../format.tsx'
import { Archived, titleColumn } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, TableSection } from '../../patterns/data-table.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { failureText } from '../../patterns/failure.tsx'
import { type KitVariant, kitQuery } from '../../patterns/kits.tsx'
import { ButtonLink, VariantLink } from '../../patterns/links.tsx'
import { linesText } from '../../patterns/titles.ts'
import { Quantity } from '../../patterns/units.tsx'
import type { Product } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { Suppliers } from '../stock/suppliers.tsx'
import { NewProduct } from './new-product.tsx'
import { products } from './nouns.ts'
import { AddVariant, ProductSteps } from './steps.tsx'

const SKUS_SHOWN = 3

export const { List, Page } = documentScreens(products, {
  columns: [
    titleColumn(products),
    column.shown('SKU', skusOf, 'sm'),
    column.shown('Kind', ({ type }) => words(type)),
    column.shown('Category', ({ category }) => category, 'md'),
    column.shown('Unit', ({ unit_name }) => unit_name, 'md'),
  ],
  actions: (
    <>
      <ButtonLink to="/import">Import</ButtonLink>
      <NewProduct />
    </>
  ),
  whenEmpty: 'There are no products yet. Make one here, or import a file of them.',
  whenNoMatch: 'Nothing has this in its name, SKU or barcode.',
  steps: product => <ProductSteps product={product} />,
  facts: product => [
    ['Kind', words(product.type)],
    ['Category', product.category],
    ['Unit', product.unit_name],
    ['Is', usesOf(product).join(', ')],
    ['Batches', product.type === 'KIT' ? null : product.batch_tracked ? 'tracked' : 'not tracked'],
    ['Shelf life', product.shelf_life_days && `${quantityText(product.shelf_life_days)} days`],
    ['Reference', product.external_ref],
    ['Description', product.description],
  ],
  related: product => (
    <>
      <TableSection
        title="Variants"
        aside={<AddVariant product={product} />}
        columns={product.type === 'KIT' ? kitColumns : variantColumns}
        rows={product.variants}
        leads
      />
      {product.is_purchasable && <Suppliers variants={product.variants} />}
    </>
  ),
})

const usesOf = ({ is_sellable, is_producible, is_purchasable }: Product) =>
  [is_sellable && 'sold', is_producible && 'made', is_purchasable && 'bought'].filter(use => use !== false)

/** The first skus of a product with many variants. */
function skusOf({ variants }: Product): string {
  const skus = variants.flatMap(({ sku }) => sku ?? [])
  return skus.length > SKUS_SHOWN
    ? `${skus.slice(0, SKUS_SHOWN).join(', ')} and ${skus.length - SKUS_SHOWN} more`
    : skus.join(', ')
}

const namedColumns: Columns<Product['variants'][number]> = [
  column.shown('Variant', variant => (
    <>
      <VariantLink of={{ ...variant, item_variant_id: variant.id }} className="row-link wraps" />{' '}
      <Archived of={variant} />
    </>
  )),
  column.sku('SKU', ({ sku }) => sku, 'sm'),
  column.shown('Barcode', ({ barcode }) => barcode, 'md'),
  column.cost('Price', ({ price }) => price, 'sm'),
]

const variantColumns: Columns<Product['variants'][number]> = [
  ...namedColumns,
  column.cost('Purchase price', ({ purchase_price }) => purchase_price, 'md'),
  column.figure('On hand', ({ id }) => <Total id={id} of="quantity" />),
  column.figure('Expired', ({ id }) => <Total id={id} of="expired_quantity" />, 'lg'),
  column.figure('Available', ({ id }) => <Total id={id} of="available_quantity" />),
]

const kitColumns: Columns<Product['variants'][number]> = [
  ...namedColumns,
  column.shown('Made of', ({ components }) => linesText(components), 'sm'),
  column.figure('Could be sold', kit => <Sold kit={kit} of="count" />),
  column.shown('Scarcest component', kit => <Sold kit={kit} of="scarcest" />),
]

/** Of a kit in all places; each row reads its own, and only once it is drawn. */
function Sold({ kit, of }: { readonly kit: KitVariant; readonly of: 'count' | 'scarcest' }) {
  const { api, can } = useSession()
  const read = useQuery({ ...kitQuery(api, kit), enabled: can('read:stock') })
  if (read.error || read.data === undefined) return <NotYet {...read} />
  const counts = read.data.flatMap(({ available_quantity }) => available_quantity ?? [])
  if (of === 'count')
    return counts.length === 0 ? '–' : <Quantity of={sum(counts)} goods={{ item_variant_id: kit.id }} />
  return [...new Set(read.data.map(({ scarcest }) => scarcest))].filter(Boolean).join('; ')
}

type TotalProps = { readonly id: string; readonly of: 'quantity' | 'expired_quantity' | 'available_quantity' }

/** Over all places; each row reads its own, and only once it is drawn. */
function Total({ id, of }: TotalProps) {
  const { api, can } = useSession()
  const read = useQuery({
    queryKey: ['products', 'levels', id],
    queryFn: ({ signal }) =>
      api.availability.list({ item_variant_id: id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
    enabled: can('read:stock'),
  })
  if (read.error || read.data === undefined) return <NotYet {...read} />
  return <Quantity of={sum(read.data.map(level => level[of] ?? '0'))} goods={{ item_variant_id: id }} />
}

const NotYet = ({ error, refetch }: { readonly error: Error | null; readonly refetch: () => unknown }) =>
  error ? (
    <Button variant="subtle" size="compact-xs" title={failureText(error)} onClick={() => refetch()}>
      Try again
    </Button>
  ) : (
    '…'
  )
