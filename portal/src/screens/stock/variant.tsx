/** A variant: where it lies, what moved, what is open, what it is made of, and the steps that change its stock. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Decimal, sum } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { Cost } from '../../patterns/columns.tsx'
import { Columns, DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { ButtonLink, linkTo } from '../../patterns/links.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { withUnit } from '../../patterns/units.tsx'
import type { Availability } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { NewHold } from '../holds/new-hold.tsx'
import { VariantSteps } from '../products/steps.tsx'
import { Batches, Entries } from './entries.tsx'
import { Kit, RecipeSection } from './made-of.tsx'
import { availabilityQuery, Movements } from './movements.tsx'
import { OpenOrders, Projection } from './open.tsx'
import { type ShownVariant, StockSteps } from './steps.tsx'
import { Suppliers } from './suppliers.tsx'

const route = getRouteApi('/stock/$id/$variantId')

export function Variant() {
  const api = useApi()
  const { id: productId, variantId } = route.useParams()
  return (
    <DetailPage
      kind="Variant"
      name={['products', 'variant', productId, variantId]}
      read={async options => {
        const product = await api.products.get(productId, options)
        const variant = product.variants.find(({ id }) => id === variantId)
        if (!variant) throw new Error(`${product.title} has no variant ${variantId}.`)
        return { product, variant }
      }}
    >
      {shown => <Shown key={variantId} {...shown} />}
    </DetailPage>
  )
}

function Shown({ product, variant }: ShownVariant) {
  const { api, can } = useSession()
  const levels = useQuery({ ...availabilityQuery(api, variant.id), enabled: can('read:stock') })
  const title = variantTitle({ item_title: product.title, title: variant.title })
  const inUnit = (quantity: Decimal | null) => quantity && withUnit(quantity, product.unit_name)
  const isArchived = product.archived || variant.archived
  return (
    <RecordPage
      title={title}
      status={<Archived of={{ archived: isArchived }} />}
      steps={
        <>
          {product.type !== 'SERVICE' && (
            <>
              {product.is_sellable && !isArchived && (
                <NewHold variant={{ id: variant.id, label: title, hint: variant.sku, isKit: product.type === 'KIT' }} />
              )}
              {product.type !== 'KIT' && <StockSteps product={product} variant={variant} />}
              <ButtonLink to={`/print/shelf-labels/${product.id}/${variant.id}`}>Shelf labels</ButtonLink>
            </>
          )}
          <VariantSteps product={product} variant={variant} />
        </>
      }
      facts={[
        ...(levels.data && product.type !== 'KIT' ? totalsOf(levels.data, product.unit_name) : []),
        ['Product', linkTo('PRODUCT', product.id, product.title)],
        ['SKU', variant.sku],
        ['Barcodes', variant.barcodes.join(', ')],
        ['Price', variant.price && <Cost of={variant.price} />],
        ['Purchase price', variant.purchase_price && <Cost of={variant.purchase_price} />],
        ['Minimum stock', inUnit(variant.minimum_stock)],
        ['Lead time', variant.lead_time_days && `${quantityText(variant.lead_time_days)} days`],
        ['Minimum order', inUnit(variant.minimum_order_quantity)],
        ['Ordered in multiples of', inUnit(variant.order_multiple)],
        ['Attributes', pairsText(variant.attributes)],
        ['Reference', variant.external_ref],
        ['Metadata', pairsText(variant.metadata)],
      ]}
    >
      {levels.error && (
        <Failure error={levels.error} title="Its stock could not be read" onRetry={() => levels.refetch()} />
      )}
      {product.type === 'KIT' ? (
        <Kit variant={variant} />
      ) : product.type === 'SERVICE' ? (
        <>
          <Text size="sm">A service: it holds no stock.</Text>
          {product.is_purchasable && <Suppliers variants={[variant]} />}
        </>
      ) : (
        <>
          <Entries variantId={variant.id} />
          {product.is_purchasable && <Suppliers variants={[variant]} />}
          <Columns
            wide={
              <>
                <Projection variantId={variant.id} />
                <Movements variantId={variant.id} />
              </>
            }
            narrow={
              <>
                <OpenOrders variantId={variant.id} />
                <RecipeSection product={product} variant={{ id: variant.id, label: title, hint: variant.sku }} />
                {product.batch_tracked && <Batches variantId={variant.id} />}
              </>
            }
          />
        </>
      )}
    </RecordPage>
  )
}

const totals = {
  quantity: 'On hand, all places',
  quarantine_quantity: 'Of it in quarantine',
  expired_quantity: 'Expired',
  reserved_quantity: 'Reserved',
  expected_quantity: 'Expected',
  available_quantity: 'Available',
} as const

const totalsOf = (levels: readonly Availability[], unit: string): readonly (readonly [string, string])[] =>
  (Object.keys(totals) as (keyof typeof totals)[]).map(name => [
    totals[name],
    withUnit(sum(levels.map(level => level[name] ?? '0')), unit),
  ])

const pairsText = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
