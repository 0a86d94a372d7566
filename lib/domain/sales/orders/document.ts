/** What a sales order is, and its lines. */
import { document, lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import {
  choice,
  cost,
  explained,
  flag,
  hidden,
  inColumn,
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
  whole,
} from '../../../kit/documents/field.ts'
import { Customer, partnerFields } from '../../partners/document.ts'
import { User } from '../users.ts'

export const orderStatuses = {
  OPEN: 'may change, be packed and be shipped',
  DONE: 'all is shipped, or it was ended by hand: nothing changes any more',
  CANCELLED: 'called off before anything was shipped: nothing changes any more',
} as const
export const deliveryStatuses = {
  NOT_SHIPPED: 'nothing is packed or shipped',
  PACKED: 'all is packed, nothing shipped',
  PARTIALLY_PACKED: 'some is packed, nothing shipped',
  PARTIALLY_SHIPPED: 'some is shipped',
  SHIPPED: 'all is shipped',
} as const

const SalesOrderItem = lineOf({
  table: 'sales_order_items',
  parent: 'sales_order_id',
  fields: {
    id: key(),
    item_id: reference(),
    item_variant_id: reference(),
    sku: nullable(text()),
    title: text(),
    /** False for a service: it is counted without stock. */
    holds_stock: hidden(flag()),
    /** False once the order has ended without shipping the rest, which nobody needs any more. */
    is_open: hidden(flag()),
    storage_place_id: nullable(
      explained(reference(), 'where the line reserves and ships; null is stock without a place'),
    ),
    quantity: quantity(),
    price: price(),
    tax_rate: explained(percent(), 'percent'),
    line_amount: explained(money(), "quantity * price, rounded half up to the currency's minor unit"),
    line_tax_amount: explained(money(), 'from the rounded line_amount'),
    line_amount_with_tax: sumOf(['line_amount', 'line_tax_amount']),
    packed_quantity: quantity(),
    shipped_quantity: quantity(),
    /** Stock value of all that left for this line; returns come back at its average. */
    shipped_value: hidden(cost()),
  },
})

export const SalesOrder = document({
  kind: 'sales_order',
  noun: 'sales order',
  table: 'sales_orders',
  prefix: 'SO',
  fields: {
    id: key(),
    number: text(),
    status: choice(orderStatuses),
    delivery_status: choice(deliveryStatuses),
    currency: text(),
    priority: whole(),
    notes: nullable(text()),
    external_ref: nullable(text()),
    allow_backorder: flag(),
    created_date: inColumn('created_at', instant()),
    updated_at: explained(instant(), 'moves with any change to the order or to its lines'),
    delivery_date: nullable(instant()),
    shipped_at: nullable(explained(instant(), 'the date of the shipment that left nothing unshipped')),
    cancelled_at: nullable(instant()),
    cancelled_by_user_id: nullable(reference(User)),
    cancelled_by_user_name: nullable(explained(text(), 'the user whom the API key names')),
    cancel_reason: nullable(text()),
    customer: shown('customer_id', Customer, partnerFields),
    total_amount: explained(money(), 'sum of the line amounts, as are the other totals'),
    tax_amount: money(),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    items: lines(SalesOrderItem, 'in the order sent, added ones last'),
  },
  unique: ['number', 'external_ref'],
})

export type Order = RecordOf<typeof SalesOrder>
export type Line = RecordOf<typeof SalesOrderItem>
export type OrderStatus = Order['status']
export type DeliveryStatus = Order['delivery_status']
