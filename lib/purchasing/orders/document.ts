/**
 * The one place where a purchase order becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which orders.
 */
import { partnerSummary } from '../../partners/queries.ts'
import { type Fragment, sql } from '../../store/postgres.ts'

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
  return sql.fragment`json_build_object(
  'id', o.id::text,
  'number', o.number,
  'status', o.status,
  'delivery_status', o.delivery_status,
  'currency', o.currency,
  'exchange_rate', trim_scale(o.exchange_rate),
  'date', iso(o.date),
  'expected_date', iso(o.expected_date),
  'completed_at', iso(o.completed_at),
  'notes', o.notes,
  'external_ref', o.external_ref,
  'close_reason', o.close_reason,
  'created_at', iso(o.created_at),
  'updated_at', iso(o.updated_at),
  'supplier', ${supplier},
  'total_amount', trim_scale(o.total_amount),
  'tax_amount', trim_scale(o.tax_amount),
  'total_amount_with_tax', trim_scale(o.total_amount + o.tax_amount),
  'items', (
    select json_agg(json_build_object(
      'id', l.id::text,
      'item_id', l.item_id::text,
      'item_variant_id', l.item_variant_id::text,
      'sku', l.sku,
      'title', l.title,
      'batch_number', l.batch_number,
      'expiry_date', l.expiry_date::text,
      'quantity', trim_scale(l.quantity),
      'received_quantity', trim_scale(l.received_quantity),
      'price', trim_scale(l.price),
      'tax_rate', trim_scale(l.tax_rate),
      'line_amount', trim_scale(l.line_amount),
      'line_tax_amount', trim_scale(l.line_tax_amount),
      'line_amount_with_tax', trim_scale(l.line_amount + l.line_tax_amount)
    ) order by l.id)
    from ${items} l
    where l.tenant_id = o.tenant_id and l.purchase_order_id = o.id
  )
)`
}
