/** What a purchase order is, and its lines. */
import { document, lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import {
  choice,
  day,
  exchangeRate,
  explained,
  flag,
  hidden,
  instant,
  key,
  money,
  nullable,
  percent,
  price,
  quantity,
  reference,
  sumOf,
  text,
} from '../../../kit/documents/field.ts'
import { partnerFields, Supplier } from '../../partners/document.ts'
import { StoragePlace } from '../../places/document.ts'

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
    sku: nullable(text()),
    title: text(),
    batch_number: nullable(text()),
    expiry_date: nullable(day()),
    /** False for a service: it is counted without stock. */
    holds_stock: hidden(flag()),
    /** False once the order was closed without the rest, which nobody expects any more. */
    is_open: hidden(flag()),
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
    exchange_rate: explained(exchangeRate(), "the tenant's currency per unit of the order's"),
    date: instant(),
    expected_date: nullable(instant()),
    completed_at: nullable(instant()),
    notes: nullable(text()),
    external_ref: nullable(text()),
    close_reason: nullable(explained(text(), 'why the order was closed short')),
    /** Where its open quantities stand as expected stock; null: without a place. */
    expected_place_id: hidden(nullable(reference(StoragePlace))),
    created_at: instant(),
    updated_at: instant(),
    supplier: shown('supplier_id', Supplier, partnerFields),
    total_amount: explained(money(), 'sum of the line amounts'),
    tax_amount: explained(money(), 'sum of the line tax amounts'),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    items: lines(PurchaseOrderItem, 'in the order sent; sku and title as of the order'),
  },
  unique: ['number', 'external_ref'],
})

export type Order = RecordOf<typeof PurchaseOrder>
export type Line = RecordOf<typeof PurchaseOrderItem>
export type DeliveryStatus = Order['delivery_status']
