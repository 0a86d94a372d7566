/** What a sales order is, and its lines. */

import { errorCode } from '../../../kit/api/errors.ts'
import { identifier as identifierLeaf } from '../../../kit/api/fields.ts'
import {
  amongThe,
  changes,
  created,
  dated,
  filtersOf,
  manyIds,
  someTexts,
  uniqueCode,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { explained } from '../../../kit/api/reply-fields.ts'
import { lineOf, lines, type RecordOf, shown } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { ChangedLineOf, ChangeOf, CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  cost,
  currency,
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
  signedPrice,
  sumOf,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { type PartsOf, parts } from '../../../kit/fields/parts.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { taxes } from '../../../kit/fields/taxes.ts'
import { sql } from '../../../platform/postgres/postgres.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { address } from '../../partners/address.ts'
import { addressWords, Customer, customerFields, partnerFields } from '../../partners/noun.ts'
import { searchPartnersOrders } from '../../partners/order-search.ts'
import { StoragePlace } from '../../places/noun.ts'
import { DISCOUNT } from '../../stock/order-line.ts'
import { User } from '../users.ts'

export const notEditable = errorCode(import.meta, 'sales_order_not_editable', {
  status: 409,
  meaning: 'The sales order is finished.',
})

export const totalMismatch = errorCode(import.meta, 'total_mismatch', {
  status: 409,
  meaning: 'The sales order would come to another total than the caller expects; nothing was changed.',
})

const orderStatuses = {
  OPEN: 'may change, be packed and be shipped',
  DONE: 'all is shipped, or it was ended by hand: nothing changes any more',
  CANCELLED: 'called off before anything was shipped: nothing changes any more',
} as const
const deliveryStatuses = {
  NOT_SHIPPED: 'nothing is packed or shipped',
  PACKED: 'all is packed, nothing shipped',
  PARTIALLY_PACKED: 'some is packed, nothing shipped',
  PARTIALLY_SHIPPED: 'some is shipped',
  SHIPPED: 'all is shipped',
} as const

const LINE_AMOUNT =
  "without tax, rounded half up to the currency's minor unit; where prices are without tax, quantity * price * (100 - discount_percent) / 100 - discount_amount"

const taxRoundings = {
  LINE: 'on each line and charge',
  ORDER: 'once for all lines and charges of one tax_rate',
} as const
const taxRoundingModes = { HALF_UP: 'to the nearest, half up', DOWN: 'down', UP: 'up' } as const

/** The tax fields of a line or charge. */
const taxFields = {
  tax_rate: percent()
    .words('percent; the sum of the rates of taxes', 'percent; 0 unless given, or `taxes` instead')
    .decided()
    .writable(),
  taxes: taxes()
    .words(
      'each tax with what it comes to; [] where a tax_rate was given',
      'several taxes, or their amounts as the shop computed them, instead of `tax_rate`; not with tax_rounding ORDER',
    )
    .decided()
    .writable(),
}

/** A component of a line of a kit, as it was when the line was made. */
const componentFields = {
  id: key(),
  item_variant_id: reference(Variant),
  sku: text().orNull(),
  title: text(),
  quantity_per_kit: quantity().words('how many are in one kit'),
  quantity: quantity().words('the quantity of the line * quantity_per_kit, never less than is shipped'),
  shipped_quantity: quantity().words('what of it is shipped'),
  /** False for a service, which is counted without stock. */
  holds_stock: flag().hidden(),
  /** The stock value of all that left. Returns come back at its average. */
  shipped_value: cost().hidden(),
}

export const SalesOrderItem = lineOf({
  table: 'sales_order_items',
  parent: 'sales_order_id',
  fields: {
    id: key(),
    item_id: reference(Item).shownOrNull(),
    item_variant_id: variant()
      .words('the variant; null of a line without one', 'the variant; a line without one has a `title` instead')
      .orNull()
      .decided()
      .writable('create'),
    sku: text().orNull(),
    title: text()
      .words("the variant's when the line was made, or what was said", 'of a line without a variant: what it is for')
      .decided()
      .writable(),
    /** False for a service, which is counted without stock. */
    holds_stock: flag().hidden(),
    /** False once the order has ended without shipping the rest: then the rest is not needed. */
    is_open: flag().hidden(),
    /** A shipment has the line, also if the shipment was reversed. */
    was_shipped: flag().hidden(),
    storage_place_id: reference(StoragePlace)
      .words('where the line reserves and ships; null is stock without a place')
      .orNull()
      .decided()
      .writable(),
    quantity: quantity({ moreThan: '0' }).writable(),
    price: price()
      .words(
        'per unit, in the price mode and currency of the order',
        "per unit, in the price mode and currency of the order; by default the variant's price, else 0",
      )
      .decided()
      .writable(),
    discount_percent: percent().words(DISCOUNT).default(0).writable(),
    discount_amount: price()
      .words('what is taken off the whole line after discount_percent, in the price mode of the order')
      .default(0)
      .writable(),
    ...taxFields,
    line_amount: money().words(LINE_AMOUNT),
    line_tax_amount: money().words('the taxes of the line'),
    line_amount_with_tax: sumOf(['line_amount', 'line_tax_amount']),
    packed_quantity: quantity().words('what of it is packed'),
    shipped_quantity: quantity().words('what of it is shipped'),
    external_ref: identifier().words("your own system's id of the line; need not be unique").orNull().writable(),
    metadata: recordFields.metadata,
    components: parts(
      componentFields,
      'what the kit of the line is made of, as it was when the line was made; [] of other lines',
    ),
    /** The stock value of everything that was shipped for this line. Returns come back at the line's average of it. */
    shipped_value: cost().hidden(),
  },
})

/** A charge of an order, such as shipping. Its amounts have the decimals of a price, because bodies may send that many. */
export const SalesOrderCharge = lineOf({
  table: 'sales_order_charges',
  parent: 'sales_order_id',
  noun: 'charge',
  fields: {
    id: key(),
    title: text().words('what it is for, such as shipping').writable(),
    amount: signedPrice()
      .words(
        "without tax, rounded half up to the currency's minor unit; below 0 for a voucher",
        'without tax; below 0 for a voucher. Only where prices are without tax, and required there',
      )
      .decided()
      .writable(),
    ...taxFields,
    tax_amount: price().words('the taxes of the charge'),
    amount_with_tax: signedPrice()
      .words(
        'amount and tax_amount together',
        'with tax; below 0 for a voucher. Only where prices include tax, and required there',
      )
      .from(row => `${row}.amount + ${row}.tax_amount`)
      .decided()
      .writable(),
    external_ref: identifier().words("your own system's id of the charge; need not be unique").orNull().writable(),
  },
})

/** The most lines of an order. Removed lines do not count. */
export const LINES_MAX = 500
const CHARGES_MAX = 50

const expectedTotal = price()
  .words('what the order must come to with tax: another total is 409 `total_mismatch`. It is not kept')
  .orNull()

const orderAddress = (words: string) =>
  address().words(words, `${words}; by default the customer's, null for none`).orNull().decided().writable()

export const SalesOrder = noun({
  name: 'sales order',
  table: 'sales_orders',
  path: '/sales-orders',
  tag: ['Sales orders', 'What customers order: reservations, packing and shipping.'],
  events: {
    created: 'A sales order was created.',
    updated: 'Fields, lines, charges, packing, or a part of the shipment changed.',
    shipped: 'All of a sales order is shipped.',
    done: 'A sales order was set done by hand.',
    cancelled: 'A sales order was cancelled.',
  },
  scopes: { read: 'read:sales', create: 'write:sales.order.create', update: 'write:sales.order.update' },
  fields: {
    id: key(),
    number: code().counted('SO').writable('create'),
    status: choice(orderStatuses).words('where the order stands'),
    delivery_status: choice(deliveryStatuses).words('how much is packed and shipped'),
    currency: currency().decided().writable('create'),
    exchange_rate: exchangeRate()
      .words("the tenant's currency per unit of `currency`; 1 in the tenant's own. Kept for whoever books the order")
      .orNull()
      .writable(),
    prices_include_tax: flag()
      .words('whether prices, discount amounts and charges have their tax in them')
      .default(false)
      .writable('create'),
    tax_rounding: choice(taxRoundings).words('where taxes are rounded').default('LINE').writable('create'),
    tax_rounding_mode: choice(taxRoundingModes)
      .words('how taxes are rounded, in size')
      .default('HALF_UP')
      .writable('create'),
    priority: whole().words('for your own order of work; the service does nothing with it').default(0).writable(),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    allow_backorder: flag()
      .words('false: refused with 409 where the lines exceed what is available')
      .default(true)
      .writable('create'),
    created_date: instant().inColumn('created_at'),
    updated_at: instant().words('moves with any change to the order or to its lines'),
    ordered_at: instant().words('when the customer ordered; not ahead of the clock').orNull().writable(),
    delivery_date: instant().words('when the customer should have it').orNull().writable(),
    shipped_at: instant().words('the date of the shipment that left nothing unshipped').orNull(),
    cancelled_at: instant().words('when it was cancelled').orNull(),
    cancelled_by_user_id: reference(User).words('who cancelled it').orNull(),
    cancelled_by_user_name: text().words('the user whom the API key names').orNull(),
    cancel_reason: text().words('why it was cancelled').orNull().writable('change'),
    customer: shown('customer_id', Customer, partnerFields),
    shipping_address: orderAddress(addressWords.shipping),
    billing_address: orderAddress(addressWords.billing),
    total_amount: money().words('sum of the amounts of lines and charges, as are the other totals'),
    tax_amount: money().words('sum of the tax amounts of lines and charges'),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    items: lines(SalesOrderItem, 'in the order sent, added ones last').writable({ max: LINES_MAX }),
    charges: lines(
      SalesOrderCharge,
      'in the order sent',
      'what the order costs beside its goods; a change replaces all of them',
    ).writable({ min: 0, max: CHARGES_MAX, absent: 'filled', by: 'whole' }),
  },
  create: {
    expected_total_amount_with_tax: expectedTotal,
    customer_id: reference(Customer).orNull(),
    customer: sentObject(customerFields)
      .words('the customer; in a new order found by `external_ref`, else made')
      .orNull(),
    reservation_id: reference()
      .words(
        'a reservation that the order takes: what it held counts as available to the order, what the order leaves is released',
      )
      .orNull(),
  },
  change: {
    expected_total_amount_with_tax: expectedTotal,
    customer_id: reference(Customer),
    status: choice({
      DONE: 'releases what is reserved and moves no stock',
      CANCELLED: 'the same, while nothing is shipped',
    }).words('ends the order by hand'),
    delivery_status: choice({
      PACKED: 'packs what is left to pack',
      SHIPPED: 'ships what is left, which ends the order',
    }).words('packs or ships all that is left'),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    customer_id: manyIds(),
    status: someTexts(orderStatuses),
    delivery_status: someTexts(deliveryStatuses),
    ...created,
    ...dated('delivery', 'delivery_date'),
    line_external_ref: amongThe(
      explained(identifierLeaf(), 'only orders with a line of this `external_ref`'),
      (ref, { tenantId }) => sql.fragment`
        select distinct sales_order_id as id from sales_order_items
        where tenant_id = ${tenantId}::bigint and external_ref = ${ref}`,
    ),
    q: searchPartnersOrders('sales_orders', 'customers', 'customer_id'),
    ...changes,
  }),
  listed:
    '`q` looks in number, `external_ref` and the title of the customer. `created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.',
})

export type Order = RecordOf<typeof SalesOrder>
export type Line = RecordOf<typeof SalesOrderItem>
export type Component = PartsOf<typeof componentFields>[number]
export type Charge = RecordOf<typeof SalesOrderCharge>
export type OrderStatus = Order['status']
export type OrderEvent = keyof typeof SalesOrder.events
export type DeliveryStatus = Order['delivery_status']

export type NewOrder = CreateOf<typeof SalesOrder>
export type NewOrderItem = CreatedLineOf<typeof SalesOrderItem>
export type NewCharge = CreatedLineOf<typeof SalesOrderCharge>
export type OrderChange = ChangeOf<typeof SalesOrder>
export type OrderItemChange = ChangedLineOf<typeof SalesOrderItem>
