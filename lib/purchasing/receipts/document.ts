/**
 * The one place where a receipt becomes JSON: the list, the command's answer and the event all render it by this fragment. It
 * must not choose which receipts.
 */
import { type Fragment, sql } from '../../store/postgres.ts'

/** JSON of the receipt `r`. `items` is a relation with the columns of `purchase_receipt_items`. */
export function receiptDocument(items: Fragment = sql.fragment`purchase_receipt_items`): Fragment {
  return sql.fragment`json_build_object(
  'id', r.id::text,
  'number', r.number,
  'purchase_order_id', r.purchase_order_id::text,
  'storage_place_id', r.storage_place_id::text,
  'received_date', iso(r.received_date),
  'created_at', iso(r.created_at),
  'notes', r.notes,
  'external_ref', r.external_ref,
  'total_amount', trim_scale(r.total_amount),
  'items', (
    select json_agg(json_build_object(
      'id', i.id::text,
      'purchase_order_item_id', i.purchase_order_item_id::text,
      'item_id', i.item_id::text,
      'item_variant_id', i.item_variant_id::text,
      'sku', i.sku,
      'title', i.title,
      'quantity', trim_scale(i.quantity),
      'batch_id', i.batch_id::text,
      'batch_number', i.batch_number,
      'manufacture_date', i.manufacture_date::text,
      'expiry_date', i.expiry_date::text,
      'price', trim_scale(i.price),
      'line_amount', trim_scale(i.line_amount),
      'quarantine', i.quarantine
    ) order by i.id)
    from ${items} i
    where i.tenant_id = r.tenant_id and i.purchase_receipt_id = r.id
  )
)`
}
