/**
 * The one place where a receipt becomes JSON: the list, the command's answer and the event all render it by this fragment. It
 * must not choose which receipts.
 */
import { type Fragment, object, objects, sql } from '../../store/postgres.ts'

/** JSON of the receipt `r`. `items` is a relation with the columns of `purchase_receipt_items`. */
export function receiptDocument(items: Fragment = sql.fragment`purchase_receipt_items`): Fragment {
  return object(sql.fragment`select
  r.id::text as id,
  r.number,
  r.purchase_order_id::text as purchase_order_id,
  r.storage_place_id::text as storage_place_id,
  iso(r.received_date) as received_date,
  iso(r.created_at) as created_at,
  r.notes,
  r.external_ref,
  trim_scale(r.total_amount) as total_amount,
  ${objects(sql.fragment`
    select
      i.id::text as id,
      i.purchase_order_item_id::text as purchase_order_item_id,
      i.item_id::text as item_id,
      i.item_variant_id::text as item_variant_id,
      i.sku,
      i.title,
      trim_scale(i.quantity) as quantity,
      i.batch_id::text as batch_id,
      i.batch_number,
      i.manufacture_date::text as manufacture_date,
      i.expiry_date::text as expiry_date,
      trim_scale(i.price) as price,
      trim_scale(i.line_amount) as line_amount,
      i.quarantine
    from ${items} i
    where i.tenant_id = r.tenant_id and i.purchase_receipt_id = r.id
    order by i.id`)} as items
`)
}
