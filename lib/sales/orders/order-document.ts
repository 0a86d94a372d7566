/**
 * The one place where a sales order becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which orders.
 */
import { partnerSummary } from '../../partners/queries.ts'
import { type Fragment, sql } from '../../store/postgres.ts'

const lineDocument = sql.fragment`json_build_object(
  'id', l.id::text,
  'item_id', l.item_id::text,
  'item_variant_id', l.item_variant_id::text,
  'sku', l.sku,
  'title', l.title,
  'storage_place_id', l.storage_place_id::text,
  'quantity', trim_scale(l.quantity),
  'price', trim_scale(l.price),
  'tax_rate', trim_scale(l.tax_rate),
  'line_amount', trim_scale(l.line_amount),
  'line_tax_amount', trim_scale(l.line_tax_amount),
  'line_amount_with_tax', trim_scale(l.line_amount + l.line_tax_amount),
  'packed_quantity', trim_scale(l.packed_quantity),
  'shipped_quantity', trim_scale(l.shipped_quantity)
)`

/**
 * A subquery rather than a join: without fresh statistics the planner takes a tenant's few customers for a good way into its
 * 100,000 orders (measured: 53 ms for a page of 200, and 16 ms like this).
 */
const customerOf = sql.fragment`(
  select ${partnerSummary} from customers p where p.tenant_id = o.tenant_id and p.id = o.customer_id
)`

/**
 * JSON of the order `o`, for a query that has it in scope. `lines` is a relation with the columns of `sales_order_items` and
 * `customer` a scalar: in a statement that writes rows, as they will be, since it does not see its own writes.
 */
export function orderDocument({
  lines = sql.fragment`sales_order_items`,
  customer = customerOf,
}: {
  readonly lines?: Fragment
  readonly customer?: Fragment
} = {}): Fragment {
  return sql.fragment`json_build_object(
    'id', o.id::text,
    'number', o.number,
    'status', o.status,
    'delivery_status', o.delivery_status,
    'currency', o.currency,
    'priority', o.priority,
    'notes', o.notes,
    'external_ref', o.external_ref,
    'allow_backorder', o.allow_backorder,
    'created_date', iso(o.created_at),
    'delivery_date', iso(o.delivery_date),
    'shipped_at', iso(o.shipped_at),
    'cancelled_at', iso(o.cancelled_at),
    'cancelled_by_user_id', o.cancelled_by_user_id::text,
    'cancelled_by_user_name', o.cancelled_by_user_name,
    'cancel_reason', o.cancel_reason,
    'customer', ${customer},
    'total_amount', trim_scale(o.total_amount),
    'tax_amount', trim_scale(o.tax_amount),
    'total_amount_with_tax', trim_scale(o.total_amount + o.tax_amount),
    'items', (
      select json_agg(${lineDocument} order by l.id)
      from ${lines} l
      where l.tenant_id = o.tenant_id and l.sales_order_id = o.id
    )
  )`
}
