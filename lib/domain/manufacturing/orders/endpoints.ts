/** The endpoints of manufacturing orders and of their tasks. */

import { defineList } from '../../../kit/api/endpoint.ts'
import { OwnFilters } from '../../../kit/api/list-filters.ts'
import { named } from '../../../kit/api/reply-fields.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeManufacturingOrder } from './change-command.ts'
import { blockOrder, completeOrder, deleteOrder, startOrder, unblockOrder } from './commands.ts'
import { createManufacturingOrder } from './creation-command.ts'
import { examples } from './examples.ts'
import { moveMaterials } from './materials-command.ts'
import { ManufacturingOrder, ProductionTask } from './noun.ts'
import { listTasks } from './queries.ts'
import { listAllTasks, TaskFilters } from './task-queries.ts'

export const [listManufacturingOrders, getManufacturingOrder] = readsOf(ManufacturingOrder)

const Task = named('ProductionTask', replyOf(ProductionTask))

export const listProductionTasks = defineList({
  tag: ManufacturingOrder.tag,
  scope: ManufacturingOrder.scopes.read,
  id: 'listProductionTasks',
  path: '/manufacturing-orders/{id}/tasks',
  summary: 'List the production tasks of an order',
  description:
    "In technology order: by `position`, then as in the recipe. A task's status and times follow from the order's.",
  filters: OwnFilters,
  refusals: [],
  reply: Task,
  page: async ({ pool, tenantId }, { params, ...page }) =>
    (await listTasks(pool, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(ManufacturingOrder),
})

export const listAllProductionTasks = defineList({
  tag: ['Production tasks', 'The steps of work of all manufacturing orders.'],
  scope: ManufacturingOrder.scopes.read,
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

export const manufacturingOrders = resource(
  [ManufacturingOrder],
  [
    listManufacturingOrders,
    getManufacturingOrder,
    listProductionTasks,
    createManufacturingOrder,
    changeManufacturingOrder,
    startOrder,
    moveMaterials,
    completeOrder,
    blockOrder,
    unblockOrder,
    deleteOrder,
    listAllProductionTasks,
  ],
  { examples },
)
