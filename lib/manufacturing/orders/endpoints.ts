/**
 * The endpoints of manufacturing orders. What writes is declared in `commands.ts`.
 */
import { defineList, type Endpoint } from '../../api/endpoint.ts'
import { sameFew, sameKey, sameManyText } from '../../api/list-page.ts'
import { listOf, notFound, readOf } from '../../documents/reads.ts'
import { replyOf } from '../../documents/reply.ts'
import {
  blockOrderEndpoint,
  completeOrderEndpoint,
  createOrderEndpoint,
  deleteOrderEndpoint,
  startOrderEndpoint,
  unblockOrderEndpoint,
} from './commands.ts'
import { ManufacturingOrder, ProductionTask } from './document.ts'
import { listTasks } from './queries.ts'
import { OrderFilters } from './schemas.ts'

const words = { tag: 'Manufacturing orders', scope: 'read:manufacturing' }

export const listOrdersEndpoint = listOf(ManufacturingOrder, {
  ...words,
  id: 'listManufacturingOrders',
  path: '/manufacturing-orders',
  summary: 'List manufacturing orders',
  description: '`created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.',
  filters: OrderFilters,
  where: filters => ({
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameFew('sales_order_id', filters.sales_order_id),
      ...sameFew('item_variant_id', filters.item_variant_id),
      ...sameManyText('status', filters.status),
      ...sameManyText('type', filters.type),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  }),
})

export const getOrderEndpoint = readOf(ManufacturingOrder, {
  ...words,
  id: 'getManufacturingOrder',
  path: '/manufacturing-orders/{id}',
  summary: 'Read a manufacturing order',
})

export const listTasksEndpoint = defineList({
  ...words,
  id: 'listProductionTasks',
  path: '/manufacturing-orders/{id}/tasks',
  summary: 'List the production tasks of an order',
  description:
    "In technology order: by `position`, then as in the recipe. A task's status and times follow from the order's.",
  refusals: [],
  reply: replyOf(ProductionTask),
  page: async ({ pool, tenantId }, { params, after, limit }) =>
    (await listTasks(pool, { tenantId, orderId: params['id'] ?? '', after, limit })) ?? notFound(ManufacturingOrder),
})

export {
  blockOrderEndpoint,
  completeOrderEndpoint,
  createOrderEndpoint,
  deleteOrderEndpoint,
  startOrderEndpoint,
  unblockOrderEndpoint,
}

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  listTasksEndpoint,
  createOrderEndpoint,
  startOrderEndpoint,
  completeOrderEndpoint,
  blockOrderEndpoint,
  unblockOrderEndpoint,
  deleteOrderEndpoint,
]
