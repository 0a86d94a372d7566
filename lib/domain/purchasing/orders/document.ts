/** What a purchase order is, and its lines. */
import { document, lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import {
  choice,
  day,
  exchangeRate,
  flag,
  instant,
  key,
  money,
  percent,
  price,
  quantity,
  reference,
  sumOf,
  text,
} from '../../../kit/fields/kinds.ts'
import { partnerFields, Supplier } from '../../partners/noun.ts'
import { StoragePlace } from '../../places/noun.ts'

export const orderStatuses = {
  OPEN: 'takes receipts',
  DONE: 'received in full, or closed: takes no more receipts',
} as const
export const deliveryStatuses = {
  NOT_RECEIVED: 'nothing is received',
  PARTIALLY_RECEIVED: 'some is received',
  RECEIVED: 'all is received',
} as const

const PurchaseOrderItem = lineOf({
  table: 'purchase_order_items',
  parent: 'purchase_order_id',
  fields: {
    id: key(),
    item_id: reference(),
    item_variant_id: reference(),
    sku: text().orNull(),
    title: text(),
    batch_number: text().orNull(),
    expiry_date: day().orNull(),
    /** False for a service: it is counted without stock. */
    holds_stock: flag().hidden(),
    /** False once the order was closed without the rest, which nobody expects any more. */
    is_open: flag().hidden(),
    quantity: quantity(),
    received_quantity: quantity(),
    price: price(),
    tax_rate: percent(),
    line_amount: money(),
    line_tax_amount: money(),
    line_amount_with_tax: sumOf(['line_amount', 'line_tax_amount']),
  },
})

export const PurchaseOrder = document({
  kind: 'purchase_order',
  noun: 'purchase order',
  table: 'purchase_orders',
  prefix: 'PO',
  fields: {
    id: key(),
    number: text(),
    status: choice(orderStatuses),
    delivery_status: choice(deliveryStatuses),
    currency: text(),
    exchange_rate: exchangeRate().words("the tenant's currency per unit of the order's"),
    date: instant(),
    expected_date: instant().orNull(),
    completed_at: instant().orNull(),
    notes: text().orNull(),
    external_ref: text().orNull(),
    close_reason: text().words('why the order was closed short').orNull(),
    /** Where its open quantities stand as expected stock; null: without a place. */
    expected_place_id: reference(StoragePlace).orNull().hidden(),
    created_at: instant(),
    updated_at: instant(),
    supplier: shown('supplier_id', Supplier, partnerFields),
    total_amount: money().words('sum of the line amounts'),
    tax_amount: money().words('sum of the line tax amounts'),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    items: lines(PurchaseOrderItem, 'in the order sent; sku and title as of the order'),
  },
  unique: ['number', 'external_ref'],
})

export type Order = RecordOf<typeof PurchaseOrder>
export type Line = RecordOf<typeof PurchaseOrderItem>
export type DeliveryStatus = Order['delivery_status']
