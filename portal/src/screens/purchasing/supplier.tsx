/** A supplier: what it sells, and what is ordered of it and has not all arrived. */
import { Text } from '@mantine/core'
import type { Supplier as Partner, PurchaseOrder } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact, ExactApi } from '../../exact.ts'
import { addressOf } from '../../patterns/addresses.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { inGroups } from '../../patterns/groups.ts'
import { PathLink, What } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useSession } from '../../session.tsx'
import { SupplierSteps } from '../partners/steps.tsx'
import { AddSupplierItem } from './supplier-item-steps.tsx'
import { ITEMS_MAX, inOrder, supplierItemColumns } from './supplier-items.tsx'

const route = getRouteApi('/suppliers/$id')
const ORDERS_MAX = 100
/** The most products that the variants of one question can have. */
const PRODUCTS_MAX = 100

const itemColumns = supplierItemColumns('What')

const orderColumns: Columns<Exact<PurchaseOrder>> = [
  numberColumn('PURCHASE_ORDER'),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Expected', ({ expected_date }) => expected_date),
  column.day('Ordered', ({ date }) => date, 'sm'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency]),
]

export const Supplier = () => (
  <RecordOf route={route} kind="Supplier" name="suppliers" of={api => api.suppliers}>
    {supplier => <Shown supplier={supplier} />}
  </RecordOf>
)

function Shown({ supplier }: { readonly supplier: Exact<Partner> }) {
  const { api, can } = useSession()
  const { id } = supplier
  const items = queryOptions({
    queryKey: ['supplier-items', 'of-supplier', id] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const { data, next_cursor } = await api.supplierItems.list({ supplier_id: id, limit: ITEMS_MAX }, { signal })
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
  const orders = queryOptions({
    queryKey: ['purchase-orders', 'open-of', id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await api.purchaseOrders.list({ supplier_id: id, status: 'OPEN', order: 'desc', limit: ORDERS_MAX }, { signal }))
        .data,
  })
  return (
    <RecordPage
      title={supplier.title}
      of={supplier}
      status={<Archived of={supplier} />}
      steps={<SupplierSteps supplier={supplier} />}
      facts={[
        ['Country', supplier.country_code],
        ['E-mail', supplier.email],
        ['Phone', supplier.phone],
        ['Tax number', supplier.tax_number],
        ['Currency', supplier.currency],
        ['Address', addressOf(supplier.address)],
        ['Reference', supplier.external_ref],
      ]}
    >
      <Panel
        title="What it sells"
        scope="read:purchase"
        query={items}
        isEmpty={({ rows }) => rows.length === 0}
        aside={<AddSupplierItem supplierId={id} />}
        whenEmpty="Nothing is known of what it sells. Add an item, and orders know its unit and price."
      >
        {({ rows, isMore }) => (
          <>
            <DataTable label="What it sells" columns={itemColumns} rows={rows} />
            {isMore && (
              <Text size="sm" c="dimmed" p="sm">
                The first {rows.length} items; those that came later stand on the pages of their variants.
              </Text>
            )}
          </>
        )}
      </Panel>
      <Panel
        title="Open purchase orders"
        scope="read:purchase"
        query={orders}
        aside={
          <PathLink to="/purchase-orders" search={{ supplier_id: id }}>
            All of its orders
          </PathLink>
        }
        whenEmpty="Nothing is on its way."
      >
        {rows => <DataTable label="Open purchase orders" columns={orderColumns} rows={rows} leads />}
      </Panel>
    </RecordPage>
  )
}

/** Variants by their ids, as rows name them. */
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
