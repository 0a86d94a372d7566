/** What a sales order is, and its lines. */
import { document, lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import {
  choice,
  cost,
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
  whole,
} from '../../../kit/fields/kinds.ts'
import { Customer, partnerFields } from '../../partners/noun.ts'
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
    sku: text().orNull(),
    title: text(),
    /** False for a service: it is counted without stock. */
    holds_stock: flag().hidden(),
    /** False once the order has ended without shipping the rest, which nobody needs any more. */
    is_open: flag().hidden(),
    storage_place_id: reference().words('where the line reserves and ships; null is stock without a place').orNull(),
    quantity: quantity(),
    price: price(),
    tax_rate: percent().words('percent'),
    line_amount: money().words("quantity * price, rounded half up to the currency's minor unit"),
    line_tax_amount: money().words('from the rounded line_amount'),
    line_amount_with_tax: sumOf(['line_amount', 'line_tax_amount']),
    packed_quantity: quantity(),
    shipped_quantity: quantity(),
    /** Stock value of all that left for this line; returns come back at its average. */
    shipped_value: cost().hidden(),
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
    notes: text().orNull(),
    external_ref: text().orNull(),
    allow_backorder: flag(),
    created_date: instant().inColumn('created_at'),
    updated_at: instant().words('moves with any change to the order or to its lines'),
    delivery_date: instant().orNull(),
    shipped_at: instant().words('the date of the shipment that left nothing unshipped').orNull(),
    cancelled_at: instant().orNull(),
    cancelled_by_user_id: reference(User).orNull(),
    cancelled_by_user_name: text().words('the user whom the API key names').orNull(),
    cancel_reason: text().orNull(),
    customer: shown('customer_id', Customer, partnerFields),
    total_amount: money().words('sum of the line amounts, as are the other totals'),
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
