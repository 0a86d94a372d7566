/**
 * The endpoints of sales orders. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../api/endpoint.ts'
import { sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import { listOf, readOf } from '../../documents/reads.ts'
import { changeOrderEndpoint, createOrderEndpoint } from './commands.ts'
import { SalesOrder } from './document.ts'
import { OrderFilters } from './schemas.ts'

const words = { tag: 'Sales orders', scope: 'read:sales' }

export const listOrdersEndpoint = listOf(SalesOrder, {
  ...words,
  id: 'listSalesOrders',
  path: '/sales-orders',
  summary: 'List sales orders',
  description: '`created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.',
  filters: OrderFilters,
  where: filters => ({
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('customer_id', filters.customer_id),
      ...sameManyText('status', filters.status),
      ...sameManyText('delivery_status', filters.delivery_status),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  }),
})

export const getOrderEndpoint = readOf(SalesOrder, {
  ...words,
  id: 'getSalesOrder',
  path: '/sales-orders/{id}',
  summary: 'Read a sales order',
})

export { changeOrderEndpoint, createOrderEndpoint }

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  changeOrderEndpoint,
]
