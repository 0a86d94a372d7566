/**
 * The endpoints of sales orders. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import { changes, created, dated, filtersOf, manyIds, someTexts, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { changeOrderEndpoint, createOrderEndpoint } from './commands.ts'
import { deliveryStatuses, orderStatuses, SalesOrder } from './document.ts'

const words = { tag: 'Sales orders', scope: 'read:sales' }

export const listOrdersEndpoint = listOf(SalesOrder, {
  ...words,
  id: 'listSalesOrders',
  path: '/sales-orders',
  summary: 'List sales orders',
  description: '`created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.',
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    customer_id: manyIds(),
    status: someTexts(orderStatuses),
    delivery_status: someTexts(deliveryStatuses),
    ...created,
    ...dated('delivery', 'delivery_date'),
    ...changes,
  }),
})

export const getOrderEndpoint = readOf(SalesOrder, {
  ...words,
  id: 'getSalesOrder',
  path: '/sales-orders/{id}',
  summary: 'Read a sales order',
})

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  changeOrderEndpoint,
]
