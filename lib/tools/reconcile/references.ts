/**
 * Proves that what records refer to is there. Tables that grow with the business have no foreign keys in the database
 * (docs/decisions/0006); this list is what they would be, and the tests' databases have them.
 */
import { fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** By table: which columns name a record of which other; a line is named by its document's id and its own. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  batches: {
    item_variant_id: 'item_variants',
  },
  manufacturing_order_items: {
    item_id: 'items',
    item_variant_id: 'item_variants',
    manufacturing_order_id: 'manufacturing_orders',
  },
  manufacturing_order_tasks: {
    unit_id: 'units',
    manufacturing_order_id: 'manufacturing_orders',
    operation_id: 'operations',
  },
  manufacturing_orders: {
    item_id: 'items',
    item_variant_id: 'item_variants',
    last_output_batch_id: 'batches',
    last_output_place_id: 'storage_places',
    manufacturing_location_id: 'storage_places',
    recipe_id: 'recipes',
    sales_order_id: 'sales_orders',
  },
  past_stock_balances: { item_variant_id: 'item_variants', movement_id: 'stock_movements' },
  past_stock_balances_progress: { movement_id: 'stock_movements' },
  purchase_order_items: { item_id: 'items', item_variant_id: 'item_variants', purchase_order_id: 'purchase_orders' },
  purchase_orders: {
    expected_place_id: 'storage_places',
    supplier_id: 'suppliers',
  },
  purchase_receipt_items: {
    item_id: 'items',
    item_variant_id: 'item_variants',
    batch_id: 'batches',
    'purchase_order_id, purchase_order_item_id': 'purchase_order_items',
    purchase_receipt_id: 'purchase_receipts',
  },
  purchase_receipts: {
    purchase_order_id: 'purchase_orders',
    storage_place_id: 'storage_places',
  },
  sales_order_items: {
    item_id: 'items',
    item_variant_id: 'item_variants',
    sales_order_id: 'sales_orders',
    storage_place_id: 'storage_places',
  },
  sales_orders: {
    cancelled_by_user_id: 'users',
    customer_id: 'customers',
  },
  sales_packing_items: {
    batch_id: 'batches',
    item_variant_id: 'item_variants',
    sales_packing_id: 'sales_packings',
  },
  sales_packings: {
    sales_order_id: 'sales_orders',
  },
  sales_return_items: {
    item_variant_id: 'item_variants',
    batch_id: 'batches',
    'sales_order_id, sales_order_item_id': 'sales_order_items',
    sales_return_id: 'sales_returns',
    storage_place_id: 'storage_places',
  },
  sales_returns: { customer_id: 'customers', sales_order_id: 'sales_orders', storage_place_id: 'storage_places' },
  sales_shipment_items: {
    item_variant_id: 'item_variants',
    batch_id: 'batches',
    'sales_order_id, sales_order_item_id': 'sales_order_items',
    sales_shipment_id: 'sales_shipments',
  },
  sales_shipments: {
    sales_order_id: 'sales_orders',
  },
  stock_adjustment_items: {
    item_id: 'items',
    batch_id: 'batches',
    item_variant_id: 'item_variants',
    stock_adjustment_id: 'stock_adjustments',
  },
  stock_adjustments: {
    storage_place_id: 'storage_places',
  },
  stock_balances: {
    item_variant_id: 'item_variants',
    storage_place_id: 'storage_places',
  },
  stock_levels: {
    batch_id: 'batches',
    item_variant_id: 'item_variants',
    storage_place_id: 'storage_places',
  },
  stock_movements: {
    item_variant_id: 'item_variants',
    storage_place_id: 'storage_places',
    batch_id: 'batches',
    stock_level_id: 'stock_levels',
  },
  stock_transfer_items: { batch_id: 'batches', item_variant_id: 'item_variants', stock_transfer_id: 'stock_transfers' },
  stock_transfers: {
    from_storage_place_id: 'storage_places',
    to_storage_place_id: 'storage_places',
  },
}

/** Columns of a table that name a record of the same tenant, where they are not null. */
export type Reference = { readonly table: string; readonly columns: string; readonly of: string; readonly key: string }

export const references: readonly Reference[] = Object.entries(tables).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, of]) => ({
    ...{ table, columns: column, of },
    key: column.includes(',') ? column.replace(/, .*/, ', id') : 'id',
  })),
)

const missing = ({ table, columns, of, key }: Reference): string => `
  select tenant_id, format('${table}: ${columns} %s', concat_ws(', ', ${columns})) as subject, 1 as expected, 0 as found
  from (select distinct tenant_id, ${columns} from ${table}) r
  where num_nulls(${columns}) = 0
    and not exists (select from ${of} o where (o.tenant_id, o.${key.replace(', ', ', o.')}) = (r.tenant_id, r.${columns.replace(', ', ', r.')}))`

export const referenceChecks: readonly Check[] = [
  {
    name: 'what records refer to is there',
    faultRows: sql.fragment`${fixedFragment(references.map(missing).join(' union all '))}`,
  },
]
