/** Suppliers: their list, and a page each with what it sells, and what is ordered of it and has not all arrived. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from '../../exact.ts'
import { addressOf } from '../../patterns/addresses.tsx'
import { type Columns, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { inGroups } from '../../patterns/groups.ts'
import { PathLink, What } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import { Related } from '../../patterns/related.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import type { PurchaseOrder } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { purchaseOrders } from '../purchasing/nouns.ts'
import { AddSupplierItem, ITEMS_MAX, inOrder, supplierItemColumns } from '../purchasing/supplier-items.tsx'
import { partnerActions, partnerColumns, partnerFacts } from './columns.tsx'
import { suppliers } from './nouns.ts'
import { NewSupplier, SupplierSteps } from './steps.tsx'

/** The most products of the variants in one request. */
const PRODUCTS_MAX = 100

export const { List, Page } = documentScreens(suppliers, {
  columns: partnerColumns(suppliers),
  actions: partnerActions('suppliers', <NewSupplier />),
  whenEmpty:
    'There are no suppliers yet. Make one here, import a file of them, or let a purchase order bring its supplier along.',
  whenNoMatch: 'Nothing has this in its name or e-mail.',
  steps: supplier => <SupplierSteps supplier={supplier} />,
  facts: supplier => [
    ...partnerFacts(supplier),
    ['Address', addressOf(supplier.address)],
    ['Reference', supplier.external_ref],
  ],
  related: ({ id }) => (
    <>
      <Items supplierId={id} />
      <Related
        of={purchaseOrders}
        title="Open purchase orders"
        by={{ supplier_id: id, status: 'OPEN' }}
        columns={orderColumns}
        aside={
          <PathLink to="/purchase-orders" search={{ supplier_id: id }}>
            All of its orders
          </PathLink>
        }
        whenEmpty="Nothing is on its way."
      />
    </>
  ),
})

const orderColumns: Columns<PurchaseOrder> = [
  numberColumn(purchaseOrders),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Expected', ({ expected_date }) => expected_date),
  column.day('Ordered', ({ date }) => date, 'sm'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency]),
]

const itemColumns = supplierItemColumns('What')

function Items({ supplierId }: { readonly supplierId: string }) {
  const { api, can } = useSession()
  const items = queryOptions({
    queryKey: ['supplier-items', 'of-supplier', supplierId] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const asked = { supplier_id: supplierId, limit: ITEMS_MAX }
      const { data, next_cursor } = await api.supplierItems.list(asked, { signal })
      const ids = [...new Set(data.map(({ item_variant_id }) => item_variant_id))]
      const variants = can('read:catalog') ? await variantsOf(api, ids, { signal }) : new Map()
      const rows = inOrder(data).map(item => {
        const variant = variants.get(item.item_variant_id)
        const title: string = variant?.title ?? `variant ${item.item_variant_id}`
        return { ...item, title, name: variant ? <What {...variant} /> : title }
      })
      return { rows, isMore: next_cursor !== '' }
    },
  })
  return (
    <TablePanel
      title="What it sells"
      scope="read:purchase"
      query={items}
      columns={itemColumns}
      rows={({ rows }) => rows}
      aside={<AddSupplierItem supplierId={supplierId} />}
      whenEmpty="Nothing is known of what it sells. Add an item, and orders know its unit and price."
      note={({ rows, isMore }) =>
        isMore && `The first ${rows.length} items; those that came later stand on the pages of their variants.`
      }
    />
  )
}

/** Variants by the ids that rows have. */
async function variantsOf(api: ExactApi, ids: readonly string[], options: { readonly signal: AbortSignal }) {
  const read = (item_variant_id: readonly string[]) =>
    api.products.list({ item_variant_id, limit: PRODUCTS_MAX }, options)
  const pages = await Promise.all(inGroups(ids).map(read))
  return new Map(
    pages
      .flatMap(({ data }) => data)
      .flatMap(({ id: item_id, title: item_title, variants }) =>
        variants.map(({ id, title, sku }) => [
          id,
          { item_id, item_variant_id: id, sku, title: variantTitle({ item_title, title }) },
        ]),
      ),
  )
}
