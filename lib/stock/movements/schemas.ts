/** The filters and the document of stock movements. */
import type * as v from 'valibot'
import { id, oneOf, optional, shape, timestamp } from '../../api/fields.ts'
import { choice, decimal, explained, idText, instant, orNull } from '../../api/reply-fields.ts'
import type { MovementKind, SourceType } from '../stock.ts'

const kinds = [
  'ADJUSTMENT',
  'PURCHASE_RECEIPT',
  'MANUFACTURING_WRITE_OFF',
  'MANUFACTURING_OUTPUT',
  'SALES_SHIPMENT',
  'SALES_RETURN',
  'TRANSFER_OUT',
  'TRANSFER_IN',
] as const satisfies readonly MovementKind[]

const sourceTypes = [
  'STOCK_ADJUSTMENT',
  'PURCHASE_RECEIPT',
  'MANUFACTURING_ORDER',
  'SALES_SHIPMENT',
  'SALES_RETURN',
  'STOCK_TRANSFER',
] as const satisfies readonly SourceType[]

export const MovementFilters = shape({
  item_variant_id: optional(id()),
  storage_place_id: optional(id()),
  batch_id: optional(id()),
  source_type: optional(oneOf(sourceTypes)),
  source_id: optional(id()),
  created_after: optional(timestamp()),
  created_before: optional(timestamp()),
})
export type MovementFilters = v.InferOutput<typeof MovementFilters>

export const Movement = shape({
  id: idText(),
  item_variant_id: idText(),
  storage_place_id: orNull(idText()),
  batch_id: orNull(idText()),
  kind: choice(kinds),
  quantity: explained(decimal(), 'signed; 0 where only the value changed'),
  value: explained(decimal(4), "signed, in the tenant's currency"),
  quantity_after: explained(decimal(), 'of the stock entry'),
  source_type: choice(sourceTypes),
  source_id: idText(),
  document_date: instant(),
  created_at: instant(),
})
