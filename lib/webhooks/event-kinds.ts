/** The closed list of event kinds: what each means, and which endpoint's answer shows the same resource. */

type Kind = {
  readonly description: string
  /** The endpoint (`GET /products/{id}`) whose answer the event's `data` equals. */
  readonly shownBy: string | null
}

const supplier = 'GET /suppliers/{id}'
const customer = 'GET /customers/{id}'
const operation = 'GET /operations/{id}'
const recipe = 'GET /recipes/{id}'
const place = 'GET /storage-places/{id}'
const order = 'GET /manufacturing-orders/{id}'
const purchase = 'GET /purchase-orders/{id}'
const sale = 'GET /sales-orders/{id}'
const salesReturn = 'GET /sales-returns/{id}'

export const eventKinds = {
  'product.created': { description: 'A product was created.', shownBy: 'GET /products/{id}' },
  'product.updated': { description: 'A product or one of its variants was changed.', shownBy: 'GET /products/{id}' },
  'storage_place.created': { description: 'A storage place was created.', shownBy: place },
  'storage_place.updated': { description: 'A storage place was changed.', shownBy: place },
  'supplier.created': { description: 'A supplier was created, also by a purchase order.', shownBy: supplier },
  'supplier.updated': { description: 'A supplier was changed.', shownBy: supplier },
  'customer.created': { description: 'A customer was created, also by a sales order.', shownBy: customer },
  'customer.updated': { description: 'A customer was changed.', shownBy: customer },
  'operation.created': { description: 'An operation was created.', shownBy: operation },
  'operation.updated': { description: 'An operation was changed.', shownBy: operation },
  'recipe.created': { description: 'A recipe was created.', shownBy: recipe },
  'recipe.updated': { description: 'A recipe was changed.', shownBy: recipe },
  'stock_adjustment.created': { description: 'Stock was adjusted.', shownBy: 'GET /stock-adjustments/{id}' },
  'stock_transfer.created': { description: 'Stock was transferred.', shownBy: 'GET /stock-transfers/{id}' },
  'stock.changed': {
    description:
      'Physical, quarantine, reserved or expected quantity of a variant at a place changed: its levels over all batches.',
    shownBy: 'GET /availability',
  },
  'manufacturing_order.created': { description: 'A manufacturing order was created.', shownBy: order },
  'manufacturing_order.started': { description: 'Materials were written off; work began.', shownBy: order },
  'manufacturing_order.partially_done': { description: 'A part of the output came into stock.', shownBy: order },
  'manufacturing_order.done': { description: 'A manufacturing order was completed.', shownBy: order },
  'manufacturing_order.blocked': { description: 'A manufacturing order was blocked.', shownBy: order },
  'manufacturing_order.unblocked': { description: 'A manufacturing order went on.', shownBy: order },
  'manufacturing_order.deleted': {
    description: 'A manufacturing order was deleted; `data` is as it last was.',
    shownBy: order,
  },
  'purchase_order.created': { description: 'A purchase order was created.', shownBy: purchase },
  'purchase_order.updated': { description: 'A receipt left a purchase order open.', shownBy: purchase },
  'purchase_order.done': { description: 'A purchase order was received in full, or closed.', shownBy: purchase },
  'purchase_receipt.created': { description: 'Goods were received.', shownBy: 'GET /purchase-receipts/{id}' },
  'sales_order.created': { description: 'A sales order was created.', shownBy: sale },
  'sales_order.updated': { description: 'Fields, lines, packing, or a part of the shipment changed.', shownBy: sale },
  'sales_order.shipped': { description: 'All of a sales order is shipped.', shownBy: sale },
  'sales_order.done': { description: 'A sales order was set done by hand.', shownBy: sale },
  'sales_order.cancelled': { description: 'A sales order was cancelled.', shownBy: sale },
  'sales_return.created': { description: 'A sales return was announced.', shownBy: salesReturn },
  'sales_return.returned': { description: 'Returned goods came back into stock.', shownBy: salesReturn },
  'sales_return.cancelled': { description: 'A sales return was cancelled.', shownBy: salesReturn },
  'webhook.test': {
    description: 'Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed.',
    shownBy: null,
  },
} as const satisfies Record<string, Kind>

export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

/** What each kind means. */
export const kindWords = Object.fromEntries(
  eventKindNames.map(kind => [kind, eventKinds[kind].description]),
) as Readonly<Record<EventKind, string>>

/** Stands for all kinds, also those that come later. */
export const EVERY_KIND = '*'
export const TEST_KIND: EventKind = 'webhook.test'
