/**
 * The endpoints of purchase orders. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, defineTask, type Endpoint } from '../../api/endpoint.ts'
import { closeOrder, createOrder, noSuchOrder } from './commands.ts'
import { findOrder, listOrders } from './queries.ts'
import { PurchaseOrder } from './reply.ts'
import { NewOrder, OrderClosing, OrderFilters } from './schemas.ts'

const tag = 'Purchase orders'

export const listOrdersEndpoint = defineList({
  id: 'listPurchaseOrders',
  path: '/purchase-orders',
  tag,
  scope: 'read:purchase',
  summary: 'List purchase orders',
  description: "`created_after` (inclusive) and `created_before` (exclusive) speak of the order's `date`.",
  filters: OrderFilters,
  refusals: [],
  reply: PurchaseOrder,
  page: ({ pool, tenantId }, { filters, after, limit }) => listOrders(pool, { tenantId, filters, after, limit }),
})

export const getOrderEndpoint = defineRead({
  id: 'getPurchaseOrder',
  path: '/purchase-orders/{id}',
  tag,
  scope: 'read:purchase',
  summary: 'Read a purchase order',
  refusals: [],
  reply: PurchaseOrder,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findOrder(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchOrder(),
})

export const createOrderEndpoint = defineTask({
  id: 'createPurchaseOrder',
  method: 'POST',
  path: '/purchase-orders',
  tag,
  scope: 'write:purchase.order.create',
  summary: 'Create a purchase order',
  description:
    'Names its supplier by `supplier_id`, or brings it along as `supplier`: found by its `external_ref` (and then left as it ' +
    "is), else made. An archived supplier is 400. `price` is in the order's currency and defaults to the variant's " +
    '`purchase_price` as it stands, else to 0. `line_amount` is rounded half up to the minor unit of the currency, the tax is ' +
    "of the rounded amount, and totals are sums of lines. `exchange_rate` is the tenant's currency per unit of `currency`, at " +
    "most 10 decimals; it is required with another currency than the tenant's. What is open stands as `expected_quantity` " +
    "at the main place as of the order's creation, or without a place where the tenant had none. `batch_number` and `expiry_date` are what the " +
    'receipt gives the goods unless it names others.',
  body: NewOrder,
  example: {
    supplier: { title: 'Nordic Packaging AS', country_code: 'NO', external_ref: 'vendor-17' },
    items: [
      { item_variant_id: '1042', quantity: 4000, price: 0.115, tax_rate: 19 },
      { item_variant_id: '1043', quantity: 1500 },
    ],
    notes: 'Deliver to gate 2',
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['unprocessable'],
  reply: PurchaseOrder,
  begin: createOrder,
})

export const closeOrderEndpoint = defineCommand({
  id: 'closePurchaseOrder',
  method: 'POST',
  path: '/purchase-orders/{id}/close',
  tag,
  scope: 'write:purchase.order.update',
  summary: 'Close a purchase order short',
  description:
    'The order is DONE, what is outstanding is expected no longer, and `delivery_status` stays what the lines say. Later ' +
    'receipts are 409 `purchase_receipt_not_allowed`.',
  body: OrderClosing,
  example: { reason: 'The rest is sold out' },
  success: 200,
  countsAsDocument: false,
  refusals: ['purchase_order_not_editable'],
  reply: PurchaseOrder,
  execute: closeOrder,
})

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  closeOrderEndpoint,
]
