/**
 * The one place where a purchase order becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which orders.
 */
import { partnerSummary } from '../../partners/queries.ts'
import { type Fragment, object, objects, sql } from '../../store/postgres.ts'

/**
 * A subquery rather than a join: joined, the planner takes a tenant's two suppliers for a good way into its 100,000 orders
 * (measured: 60 ms a page, and 10 ms like this).
 */
const supplierOf = sql.fragment`(
  select ${partnerSummary} from suppliers p where p.tenant_id = o.tenant_id and p.id = o.supplier_id
)`

/**
 * JSON of the purchase order `o`, for a query that has it in scope. `items` is a relation with the columns of
 * `purchase_order_items` and `supplier` a scalar: in a statement that writes rows, as they will be, since it does not see its
 * own writes.
 */
export function orderDocument({
  items = sql.fragment`purchase_order_items`,
  supplier = supplierOf,
}: {
  readonly items?: Fragment
  readonly supplier?: Fragment
} = {}): Fragment {
  return object(sql.fragment`select
  o.id::text as id,
  o.number,
  o.status,
  o.delivery_status,
  o.currency,
  trim_scale(o.exchange_rate) as exchange_rate,
  iso(o.date) as date,
  iso(o.expected_date) as expected_date,
  iso(o.completed_at) as completed_at,
  o.notes,
  o.external_ref,
  o.close_reason,
  iso(o.created_at) as created_at,
  iso(o.updated_at) as updated_at,
  ${supplier} as supplier,
  trim_scale(o.total_amount) as total_amount,
  trim_scale(o.tax_amount) as tax_amount,
  trim_scale(o.total_amount + o.tax_amount) as total_amount_with_tax,
  ${objects(sql.fragment`
    select
      l.id::text as id,
      l.item_id::text as item_id,
      l.item_variant_id::text as item_variant_id,
      l.sku,
      l.title,
      l.batch_number,
      l.expiry_date::text as expiry_date,
      trim_scale(l.quantity) as quantity,
      trim_scale(l.received_quantity) as received_quantity,
      trim_scale(l.price) as price,
      trim_scale(l.tax_rate) as tax_rate,
      trim_scale(l.line_amount) as line_amount,
      trim_scale(l.line_tax_amount) as line_tax_amount,
      trim_scale(l.line_amount + l.line_tax_amount) as line_amount_with_tax
    from ${items} l
    where l.tenant_id = o.tenant_id and l.purchase_order_id = o.id
    order by l.id`)} as items
`)
}
