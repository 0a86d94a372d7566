/**
 * The one place where a sales return becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which returns.
 */
import { type Fragment, sql } from '../../store/postgres.ts'

/**
 * JSON of the return `r`, for a query that has it in scope. `items` is a relation with the columns of
 * `sales_return_items`: the table, or in a statement that writes, the rows as they will be.
 */
export function returnDocument(items: Fragment = sql.fragment`sales_return_items`): Fragment {
  return sql.fragment`json_build_object(
    'sales_return', json_build_object(
      'id', r.id::text,
      'number', r.number,
      'status', r.status,
      'source_type', r.source_type,
      'sales_order_id', r.sales_order_id::text,
      'sales_order_number', (select o.number from sales_orders o where o.tenant_id = r.tenant_id and o.id = r.sales_order_id),
      'customer_id', r.customer_id::text,
      'storage_place_id', r.storage_place_id::text,
      'external_return_ref', r.external_return_ref,
      'external_ref', r.external_ref,
      'tracking_info', r.tracking_info,
      'notes', r.notes,
      'cancellation_reason', r.cancellation_reason,
      'created_date', iso(r.created_at),
      'return_date', iso(r.return_date),
      'refund_amount', trim_scale(r.refund_amount)
    ),
    'items', (
      select json_agg(json_build_object(
        'id', l.id::text,
        'sales_order_item_id', l.sales_order_item_id::text,
        'item_variant_id', l.item_variant_id::text,
        'batch_id', l.batch_id::text,
        'storage_place_id', l.storage_place_id::text,
        'sku', l.sku,
        'title', l.title,
        'reason', l.reason,
        'reason_note', l.reason_note,
        'reason_id', l.reason_id,
        'quantity', trim_scale(l.quantity),
        'unit_price', trim_scale(l.unit_price),
        'quarantine', l.quarantine
      ) order by l.id)
      from ${items} l
      where l.tenant_id = r.tenant_id and l.sales_return_id = r.id
    )
  )`
}
