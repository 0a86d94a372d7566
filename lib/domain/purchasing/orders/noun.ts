/** What a purchase order is, and its lines. */

import { errorCode } from '../../../kit/api/errors.ts'
import { changes, dated, filtersOf, manyIds, someTexts, uniqueCode, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { ChangedLineOf, ChangeOf, CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  conversionRate,
  currency,
  day,
  exactQuantity,
  exchangeRate,
  flag,
  identifier,
  instant,
  key,
  longText,
  money,
  percent,
  price,
  quantity,
  reference,
  sentObject,
  sumOf,
  text,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item } from '../../catalogue/variant.ts'
import { partnerFields, Supplier, supplierFields } from '../../partners/noun.ts'
import { searchPartnersOrders } from '../../partners/order-search.ts'
import { StoragePlace } from '../../places/noun.ts'
import { DISCOUNT } from '../../stock/order-line.ts'

export const receiptNotAllowed = errorCode(import.meta, 'purchase_receipt_not_allowed', {
  status: 409,
  meaning: 'The purchase order does not allow this receipt.',
})
export const notEditable = errorCode(import.meta, 'purchase_order_not_editable', {
  status: 409,
  meaning: 'The purchase order is finished.',
})

export const orderStatuses = {
  OPEN: 'takes receipts',
  DONE: 'received in full, or closed: takes no more receipts',
} as const
export const deliveryStatuses = {
  NOT_RECEIVED: 'nothing is received',
  PARTIALLY_RECEIVED: 'some is received',
  RECEIVED: 'all is received',
} as const

/** The purchase unit of a line. Name and rate are fixed when the line is made. */
const purchaseUnit = {
  purchase_unit_name: text()
    .words(
      'the purchase unit (`box of 12`)',
      'the purchase unit (`box of 12`); by default that of the supplier item, else null',
    )
    .orNull()
    .decided()
    .writable('create'),
  conversion_rate: conversionRate()
    .words(
      'how many stock units are in one purchase unit; 1 in a line in stock units',
      'how many stock units are in one purchase unit; by default that of the supplier item, else 1',
    )
    .decided()
    .writable('create'),
}

/** The formula of a line's amount. */
const LINE_AMOUNT =
  'quantity * price * (100 - discount_percent) / 100, or purchase_quantity * purchase_price instead, rounded half up to the minor unit of the currency'

export const PurchaseOrderItem = lineOf({
  table: 'purchase_order_items',
  parent: 'purchase_order_id',
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: variant().writable('create'),
    sku: text().orNull(),
    supplier_sku: text().words('what the supplier calls the variant, as of its supplier item').orNull(),
    title: text(),
    batch_number: identifier().orNull().writable(),
    expiry_date: day().orNull().writable(),
    expected_date: instant()
      .words('when the goods of the line should arrive; null: when those of the order should')
      .orNull()
      .writable(),
    /** False for a service, which is counted without stock. */
    holds_stock: flag().hidden(),
    /** False once the order was closed without the rest: then the rest is no longer expected. */
    is_open: flag().hidden(),
    /** A receipt has the line, also if the receipt was reversed. */
    was_received: flag().hidden(),
    quantity: quantity({ moreThan: '0' })
      .words('in the unit of the product', 'in the unit of the product; or `purchase_quantity`')
      .decided()
      .writable(),
    purchase_quantity: quantity({ moreThan: '0' })
      .words('in purchase units; null in a line in stock units', 'in purchase units, instead of `quantity`')
      .shownOrNull()
      .decided()
      .writable(),
    ...purchaseUnit,
    received_quantity: quantity().words('what of it was received'),
    /** The part of received purchase units that rounding left out of `received_quantity`. */
    received_rest: exactQuantity(),
    price: price()
      .words(
        'per unit, without tax, in the currency of the document',
        "per unit, without tax, in the currency of the order; by default the supplier item's by its rate, else the purchase price of " +
          'the variant, else 0',
      )
      .decided()
      .writable(),
    purchase_price: price()
      .words(
        'of one purchase unit, without tax, in the currency of the document; null in a line in stock units',
        "of one purchase unit, without tax, in the currency of the order; by default the supplier item's at its own rate, else the " +
          'purchase price of the variant times the rate, else 0',
      )
      .shownOrNull()
      .decided()
      .writable(),
    discount_percent: percent().words(DISCOUNT).default(0).writable(),
    tax_rate: percent().words('percent').default(0).writable(),
    line_amount: money().words(LINE_AMOUNT),
    line_tax_amount: money().words('from the rounded line_amount'),
    line_amount_with_tax: sumOf(['line_amount', 'line_tax_amount']),
  },
})

/** The most lines of an order, and of a receipt. Removed lines do not count. */
export const LINES_MAX = 500

export const PurchaseOrder = noun({
  name: 'purchase order',
  table: 'purchase_orders',
  path: '/purchase-orders',
  tag: ['Purchase orders', 'What is ordered from suppliers, and its receipts.'],
  events: {
    created: 'A purchase order was created.',
    updated: 'Fields or lines of a purchase order changed, or a receipt left it open.',
    done: 'A purchase order was received in full, closed, or lost what was outstanding.',
  },
  scopes: { read: 'read:purchase', create: 'write:purchase.order.create', update: 'write:purchase.order.update' },
  fields: {
    id: key(),
    number: code().counted('PO').writable('create'),
    status: choice(orderStatuses).words('whether more may be received'),
    delivery_status: choice(deliveryStatuses).words('how much was received'),
    currency: currency().decided().writable('create'),
    exchange_rate: exchangeRate()
      .words(
        "the tenant's currency per unit of the order's",
        "the tenant's currency per unit of the order's; required where these differ",
      )
      .decided()
      .writable('create'),
    date: instant().decided().writable('create'),
    expected_date: instant().words('when the goods should arrive').orNull().writable(),
    storage_place_id: reference(StoragePlace)
      .inColumn('expected_place_id')
      .words(
        'where its open quantities are expected stock; null is stock without a place',
        'where its open quantities are expected stock; by default the main place, null without places; an explicit null is ' +
          'stock without a place',
      )
      .orNull()
      .decided()
      .writable(),
    completed_at: instant().words('when all was received, or the order closed').orNull(),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    close_reason: text().words('why the order was closed short').orNull(),
    created_at: instant(),
    updated_at: instant(),
    supplier: shown('supplier_id', Supplier, partnerFields),
    total_amount: money().words('sum of the line amounts'),
    tax_amount: money().words('sum of the line tax amounts'),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    items: lines(PurchaseOrderItem, 'in the order sent, added ones last; sku and title as of the order').writable({
      max: LINES_MAX,
    }),
  },
  create: {
    supplier_id: reference(Supplier).orNull(),
    supplier: sentObject(supplierFields)
      .words('the supplier; in a new order found by `external_ref`, else made')
      .orNull(),
  },
  change: { supplier_id: reference(Supplier) },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    supplier_id: manyIds(),
    status: someTexts(orderStatuses),
    delivery_status: someTexts(deliveryStatuses),
    // Filters by the order's own date.
    ...dated('created', 'date'),
    ...dated('expected', 'expected_date'),
    q: searchPartnersOrders('purchase_orders', 'suppliers', 'supplier_id'),
    ...changes,
  }),
  listed:
    "`q` looks in number, `external_ref` and the title of the supplier. `created_after` (inclusive) and `created_before` (exclusive) speak of the order's `date`.",
})

export type Order = RecordOf<typeof PurchaseOrder>
export type Line = RecordOf<typeof PurchaseOrderItem>
export type DeliveryStatus = Order['delivery_status']

export type NewOrder = CreateOf<typeof PurchaseOrder>
export type NewOrderItem = CreatedLineOf<typeof PurchaseOrderItem>
export type OrderChange = ChangeOf<typeof PurchaseOrder>
export type OrderItemChange = ChangedLineOf<typeof PurchaseOrderItem>
