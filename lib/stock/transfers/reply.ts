/**
 * What a stock transfer's document holds (contract 2, "Stock transfer"), for OpenAPI and for tests of real answers. The SQL
 * that renders it is in `queries.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import { decimal, explained, idText, instant, orNull, plainText } from '../../api/reply-fields.ts'

const TransferItem = shape({
  id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  batch_id: orNull(idText()),
  batch_number: orNull(plainText()),
  quantity: decimal(),
  value: explained(decimal(4), 'the stock value that moved with the quantity'),
})

export const Transfer = shape({
  id: idText(),
  number: plainText(),
  from_storage_place_id: orNull(idText()),
  to_storage_place_id: orNull(idText()),
  date: instant(),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  created_at: instant(),
  items: explained(v.array(TransferItem), 'one per stock row taken from, in the order sent'),
})
