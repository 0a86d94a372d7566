/**
 * The endpoints of purchase orders. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../api/endpoint.ts'
import { sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import { listOf, readOf } from '../../documents/reads.ts'
import { closeOrderEndpoint, createOrderEndpoint } from './commands.ts'
import { PurchaseOrder } from './document.ts'
import { OrderFilters } from './schemas.ts'

const words = { tag: 'Purchase orders', scope: 'read:purchase' }

export const listOrdersEndpoint = listOf(PurchaseOrder, {
  ...words,
  id: 'listPurchaseOrders',
  path: '/purchase-orders',
  summary: 'List purchase orders',
  description: "`created_after` (inclusive) and `created_before` (exclusive) speak of the order's `date`.",
  filters: OrderFilters,
  where: filters => ({
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('supplier_id', filters.supplier_id),
      ...sameManyText('status', filters.status),
      ...sameManyText('delivery_status', filters.delivery_status),
    ],
    // Of the order's date, which ids don't follow.
    time: { column: 'date', from: filters.created_after, until: filters.created_before },
  }),
})

export const getOrderEndpoint = readOf(PurchaseOrder, {
  ...words,
  id: 'getPurchaseOrder',
  path: '/purchase-orders/{id}',
  summary: 'Read a purchase order',
})

export { closeOrderEndpoint, createOrderEndpoint }

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  closeOrderEndpoint,
]
