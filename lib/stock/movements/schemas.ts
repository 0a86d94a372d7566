/** The filters and the document of stock movements. */
import { shape } from '../../api/fields.ts'
import { created, fewIds, filtersOf, manyIds, oneText } from '../../api/list-filters.ts'
import { choice, decimal, explained, idText, instant, named, orNull } from '../../api/reply-fields.ts'
import type { MovementKind, SourceType } from '../stock.ts'

const kinds = {
  ADJUSTMENT: 'a correction or a count',
  PURCHASE_RECEIPT: 'goods of a supplier',
  MANUFACTURING_WRITE_OFF: 'materials of an order',
  MANUFACTURING_OUTPUT: 'output of an order',
  SALES_SHIPMENT: 'goods to a customer',
  SALES_RETURN: 'goods back from a customer',
  TRANSFER_OUT: 'to another place, or into or out of quarantine',
  TRANSFER_IN: 'from another place, or into or out of quarantine',
} as const satisfies Readonly<Record<MovementKind, string>>

const sourceTypes = {
  STOCK_ADJUSTMENT: 'a stock adjustment',
  PURCHASE_RECEIPT: 'a receipt of a purchase order',
  MANUFACTURING_ORDER: 'a manufacturing order',
  SALES_SHIPMENT: 'a shipment of a sales order',
  SALES_RETURN: 'a sales return',
  STOCK_TRANSFER: 'a stock transfer',
} as const satisfies Readonly<Record<SourceType, string>>

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
