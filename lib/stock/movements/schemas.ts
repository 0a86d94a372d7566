/** The filters and the document of stock movements. */
import { shape } from '../../api/fields.ts'
import { created, fewIds, filtersOf, manyIds, oneText } from '../../api/list-filters.ts'
import { choice, decimal, explained, idText, instant, named, orNull } from '../../api/reply-fields.ts'
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

/** The narrowest first. */
export const movementFilters = filtersOf({
  source_id: fewIds(),
  batch_id: fewIds(),
  item_variant_id: fewIds(),
  storage_place_id: manyIds(),
  source_type: oneText(sourceTypes),
  ...created,
})

export const Movement = named(
  'StockMovement',
  shape({
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
  }),
)
