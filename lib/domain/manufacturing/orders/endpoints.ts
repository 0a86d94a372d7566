/**
 * The endpoints of manufacturing orders. What writes is declared in `commands.ts`.
 */
import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import {
  changes,
  created,
  dated,
  fewIds,
  filtersOf,
  oneText,
  someTexts,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { named } from '../../../kit/api/reply-fields.ts'
import { listOf, notFound, readOf } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { orderTypes } from '../recipes/noun.ts'
import {
  blockOrderEndpoint,
  completeOrderEndpoint,
  deleteOrderEndpoint,
  startOrderEndpoint,
  unblockOrderEndpoint,
} from './commands.ts'
import { createOrderEndpoint } from './creation-command.ts'
import { ManufacturingOrder, orderStatuses, ProductionTask } from './document.ts'
import { listTasks } from './queries.ts'
import { TaskFilters } from './schemas.ts'
import { listAllTasks } from './task-queries.ts'

const words = { tag: 'Manufacturing orders', scope: 'read:manufacturing' }

export const listOrdersEndpoint = listOf(ManufacturingOrder, {
  ...words,
  id: 'listManufacturingOrders',
  path: '/manufacturing-orders',
  summary: 'List manufacturing orders',
  description: '`created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.',
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    item_variant_id: fewIds(),
    status: someTexts(orderStatuses),
    type: oneText(orderTypes),
    ...created,
    ...dated('planned_start', 'planned_start_date'),
    ...changes,
  }),
})

export const getOrderEndpoint = readOf(ManufacturingOrder, {
  ...words,
  id: 'getManufacturingOrder',
  path: '/manufacturing-orders/{id}',
  summary: 'Read a manufacturing order',
})

const Task = named('ProductionTask', replyOf(ProductionTask))

export const listTasksEndpoint = defineList({
  ...words,
  id: 'listProductionTasks',
  path: '/manufacturing-orders/{id}/tasks',
  summary: 'List the production tasks of an order',
  description:
    "In technology order: by `position`, then as in the recipe. A task's status and times follow from the order's.",
  refusals: [],
  reply: Task,
  page: async ({ pool, tenantId }, { params, filters: _, ...page }) =>
    (await listTasks(pool, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(ManufacturingOrder),
})

export const listAllTasksEndpoint = defineList({
  tag: 'Production tasks',
  scope: words.scope,
  id: 'listAllProductionTasks',
  path: '/production-tasks',
  summary: 'List the production tasks of all orders',
  description:
    'Order by order, each in technology order; ids ascend so. `status` takes several values, joined by commas: what is to do at ' +
    'an operation is `status=NOT_STARTED,IN_PROGRESS&operation_id=...`.',
  filters: TaskFilters,
  refusals: [],
  reply: Task,
  page: ({ pool, tenantId }, page) => listAllTasks(pool, { tenantId, ...page }),
})

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
  listAllTasksEndpoint,
]
