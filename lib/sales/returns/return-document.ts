/**
 * The one place where a sales return becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which returns.
 */
import { type Fragment, object, objects, sql } from '../../store/postgres.ts'

/**
 * JSON of the return `r`, for a query that has it in scope. `items` is a relation with the columns of
 * `sales_return_items`: the table, or in a statement that writes, the rows as they will be.
 */
export function returnDocument(items: Fragment = sql.fragment`sales_return_items`): Fragment {
  return object(sql.fragment`select
    ${object(sql.fragment`select
      r.id::text as id,
      r.number,
      r.status,
      r.source_type,
      r.sales_order_id::text as sales_order_id,
      (select o.number from sales_orders o where o.tenant_id = r.tenant_id and o.id = r.sales_order_id) as sales_order_number,
      r.customer_id::text as customer_id,
      r.storage_place_id::text as storage_place_id,
      r.external_return_ref,
      r.external_ref,
      r.tracking_info,
      r.notes,
      r.cancellation_reason,
      iso(r.created_at) as created_date,
      iso(r.return_date) as return_date,
      trim_scale(r.refund_amount) as refund_amount
    `)} as sales_return,
    ${objects(sql.fragment`
      select
        l.id::text as id,
        l.sales_order_item_id::text as sales_order_item_id,
        l.item_variant_id::text as item_variant_id,
        l.batch_id::text as batch_id,
        l.storage_place_id::text as storage_place_id,
        l.sku,
        l.title,
        l.reason,
        l.reason_note,
        l.reason_id,
        trim_scale(l.quantity) as quantity,
        trim_scale(l.unit_price) as unit_price,
        l.quarantine
      from ${items} l
      where l.tenant_id = r.tenant_id and l.sales_return_id = r.id
      order by l.id`)} as items
  `)
}
