/** What a stock movement shows. */

import { shows, view } from '../../../kit/documents/view.ts'
import { choice, cost, instant, key, quantity } from '../../../kit/fields/kinds.ts'
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

export const sourceTypes = {
  STOCK_ADJUSTMENT: 'a stock adjustment',
  PURCHASE_RECEIPT: 'a receipt of a purchase order',
  MANUFACTURING_ORDER: 'a manufacturing order',
  SALES_SHIPMENT: 'a shipment of a sales order',
  SALES_RETURN: 'a sales return',
  STOCK_TRANSFER: 'a stock transfer',
} as const satisfies Readonly<Record<SourceType, string>>

/** Of the movement `m`. */
export const Movement = view('StockMovement', {
  id: shows(key(), 'm.id'),
  item_variant_id: shows(key(), 'm.item_variant_id'),
  storage_place_id: shows(key().orNull(), 'm.storage_place_id'),
  batch_id: shows(key().orNull(), 'm.batch_id'),
  kind: shows(choice(kinds), 'm.kind'),
  quantity: shows(quantity().words('signed; 0 where only the value changed'), 'm.quantity'),
  value: shows(cost().words("signed, in the tenant's currency"), 'm.value'),
  quantity_after: shows(quantity().words('of the stock entry'), 'm.quantity_after'),
  source_type: shows(choice(sourceTypes), 'm.source_type'),
  source_id: shows(key(), 'm.source_id'),
  document_date: shows(instant(), 'm.document_date'),
  created_at: shows(instant(), 'm.created_at'),
})
