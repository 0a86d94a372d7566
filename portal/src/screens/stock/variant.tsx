/** A variant: where it lies, what moved, what is open, what it is made of, and the steps that change its stock. */
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { sum } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { entriesQuery } from '../../patterns/batches.tsx'
import { ChosenRows, chooseColumn } from '../../patterns/chosen.tsx'
import { Cost, column, levelColumns } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { BatchLink, ButtonLink, PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { StockMarks, withLevels } from '../../patterns/stock-marks.tsx'
import { StockRowSteps } from '../../patterns/stock-rows.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { withUnit } from '../../patterns/units.tsx'
import type { Availability, StockEntry } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { NewHold } from '../holds/new-hold.tsx'
import { VariantSteps } from '../products/steps.tsx'
import { Batches } from './batches.tsx'
import { Kit } from './kit.tsx'
import { Movements } from './movements.tsx'
import { OpenOrders } from './open-orders.tsx'
import { Projection } from './projection.tsx'
import { availabilityQuery } from './queries.ts'
import { RecipeSection } from './recipe.tsx'
import type { ShownVariant } from './shown.ts'
import { StockSteps } from './steps.tsx'
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
        [
          'Product',
          <PathLink key="product" to={`/stock/${product.id}`}>
            {product.title}
          </PathLink>,
        ],
        ['SKU', variant.sku],
        ['Barcodes', variant.barcodes.join(', ')],
        ['Price', variant.price && <Cost of={variant.price} />],
        ['Purchase price', variant.purchase_price && <Cost of={variant.purchase_price} />],
        ['Minimum stock', variant.minimum_stock && withUnit(variant.minimum_stock, product.unit_name)],
        ['Lead time', variant.lead_time_days && `${quantityText(variant.lead_time_days)} days`],
        [
          'Minimum order',
          variant.minimum_order_quantity && withUnit(variant.minimum_order_quantity, product.unit_name),
        ],
        ['Ordered in multiples of', variant.order_multiple && withUnit(variant.order_multiple, product.unit_name)],
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

type Entry = StockEntry & { readonly levels: StockEntry }

const columns: ColumnsOf<Entry> = [
  chooseColumn,
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.shown('Batch', entry => (
    <>
      <BatchLink id={entry.batch_id} number={entry.batch_number} />
      {entry.expiry_date !== null && (
        <Text span size="xs" c="dimmed" display="block">
          to {dayText(entry.expiry_date)}
        </Text>
      )}
      <StockMarks of={entry} />
    </>
  )),
  ...levelColumns,
  column.cost('Average cost', ({ average_cost }) => average_cost, 'md'),
  column.amount('Value', ({ stock_value }) => stock_value, 'md'),
]

function Entries({ variantId }: { readonly variantId: string }) {
  const api = useApi()
  return (
    <ChosenRows<Entry>>
      {(chosen, clear) => (
        <Panel
          title="By place and batch"
          scope="read:stock"
          query={entriesQuery(api, variantId)}
          isEmpty={({ data }) => data.length === 0}
          aside={
            <Group gap="xs">
              <StockRowSteps rows={chosen} onDone={clear} />
            </Group>
          }
          whenEmpty="It was never in stock. Adjust the stock to put in what is there."
        >
          {({ data, next_cursor }) => (
            <>
              <DataTable label="By place and batch" columns={columns} rows={data.map(withLevels)} />
              {next_cursor !== '' && (
                <Text size="sm" c="dimmed" p="sm">
                  The newest {data.length} rows of it; older batches are not shown here.
                </Text>
              )}
            </>
          )}
        </Panel>
      )}
    </ChosenRows>
  )
}

const pairsText = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
