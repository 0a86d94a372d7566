/**
 * The endpoints of sales orders. It declares; what runs is in `commands.ts`, `change.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, defineTask, type Endpoint } from '../../api/endpoint.ts'
import { changeOrder, noSuchOrder } from './change.ts'
import { createOrder } from './commands.ts'
import { findOrder, listOrders } from './queries.ts'
import { SalesOrder } from './reply.ts'
import { NewOrder, OrderChange, OrderFilters } from './schemas.ts'

const tag = 'Sales orders'

export const listOrdersEndpoint = defineList({
  id: 'listSalesOrders',
  path: '/sales-orders',
  tag,
  scope: 'read:sales',
  summary: 'List sales orders',
  description: '`created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.',
  filters: OrderFilters,
  refusals: [],
  reply: SalesOrder,
  page: ({ pool, tenantId }, { filters, after, limit }) => listOrders(pool, { tenantId, filters, after, limit }),
})

export const getOrderEndpoint = defineRead({
  id: 'getSalesOrder',
  path: '/sales-orders/{id}',
  tag,
  scope: 'read:sales',
  summary: 'Read a sales order',
  refusals: [],
  reply: SalesOrder,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findOrder(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchOrder(),
})

export const createOrderEndpoint = defineTask({
  id: 'createSalesOrder',
  method: 'POST',
  path: '/sales-orders',
  tag,
  scope: 'write:sales.order.create',
  summary: 'Create a sales order',
  description:
    'Give `customer_id`, or `customer`, which is found by its `external_ref` or else made. A line defaults to the price of its ' +
    'variant (0 without one) and to the main place (null where the tenant has none; an explicit null is stock without a ' +
    'place), and reserves its quantity there. Reservations inform; physical stock decides when goods are shipped. With ' +
    '`allow_backorder: false` lines that together exceed the available quantity of a variant at a place are 409 ' +
    "`insufficient_stock`, and nothing is made. `currency` defaults to the tenant's. Services reserve nothing.",
  body: NewOrder,
  example: {
    customer: { title: 'Harbour Coffee Bar', country_code: 'DE', external_ref: 'shop-customer-17' },
    allow_backorder: false,
    items: [{ item_variant_id: '1042', quantity: 2, price: 24.5, tax_rate: 19 }],
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['insufficient_stock', 'unprocessable'],
  reply: SalesOrder,
  begin: createOrder,
})

export const changeOrderEndpoint = defineCommand({
  id: 'updateSalesOrder',
  method: 'PATCH',
  path: '/sales-orders/{id}',
  tag,
  scope: 'write:sales.order.update',
  summary: 'Update a sales order',
  description:
    'Entries of `items` with `id` change that line or, with `remove: true`, take it out; entries without add one. Lines that are ' +
    'not named stay. A quantity may fall to what is shipped, and when that leaves nothing unshipped the order is SHIPPED and ' +
    'DONE; a shipped line cannot be removed. What is packed beyond a new quantity counts as unpacked. ' +
    '`delivery_status: SHIPPED` ships all that is left (a shipment of now), `PACKED` packs it. `status: DONE` without shipping ' +
    'releases the reservations; `CANCELLED` is allowed while nothing is shipped. An order made with `allow_backorder: false` ' +
    'is checked again where it comes to need more of a variant at a place. A finished order is 409 `sales_order_not_editable`.',
  body: OrderChange,
  example: { notes: 'Deliver to the back door', priority: 5 },
  success: 200,
  countsAsDocument: false,
  refusals: ['insufficient_stock', 'sales_order_not_editable', 'unprocessable'],
  reply: SalesOrder,
  execute: changeOrder,
})

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  changeOrderEndpoint,
]
