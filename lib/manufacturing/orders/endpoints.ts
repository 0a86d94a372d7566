/**
 * The endpoints of manufacturing orders. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../../api/endpoint.ts'
import {
  blockOrder,
  completeOrder,
  createOrder,
  deleteOrder,
  noSuchOrder,
  startOrder,
  unblockOrder,
} from './commands.ts'
import { findOrder, listOrders, listTasks } from './queries.ts'
import { ManufacturingOrder, ProductionTask } from './reply.ts'
import { Blocking, Completion, NewOrder, OrderFilters, Start, Unblocking } from './schemas.ts'

const tag = 'Manufacturing orders'

export const listOrdersEndpoint = defineList({
  id: 'listManufacturingOrders',
  path: '/manufacturing-orders',
  tag,
  scope: 'read:manufacturing',
  summary: 'List manufacturing orders',
  description: '`created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.',
  filters: OrderFilters,
  refusals: [],
  reply: ManufacturingOrder,
  page: ({ pool, tenantId }, { filters, after, limit }) => listOrders(pool, { tenantId, filters, after, limit }),
})

export const getOrderEndpoint = defineRead({
  id: 'getManufacturingOrder',
  path: '/manufacturing-orders/{id}',
  tag,
  scope: 'read:manufacturing',
  summary: 'Read a manufacturing order',
  refusals: [],
  reply: ManufacturingOrder,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findOrder(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchOrder(),
})

export const listTasksEndpoint = defineList({
  id: 'listProductionTasks',
  path: '/manufacturing-orders/{id}/tasks',
  tag,
  scope: 'read:manufacturing',
  summary: 'List the production tasks of an order',
  description:
    "In technology order: by `position`, then as in the recipe. A task's status and times follow from the order's.",
  refusals: [],
  reply: ProductionTask,
  page: async ({ pool, tenantId }, { params, after, limit }) =>
    (await listTasks(pool, { tenantId, id: params['id'] ?? '', after, limit })) ?? noSuchOrder(),
})

export const createOrderEndpoint = defineCommand({
  id: 'createManufacturingOrder',
  method: 'POST',
  path: '/manufacturing-orders',
  tag,
  scope: 'write:manufacturing.order.create',
  summary: 'Create a manufacturing order',
  description:
    "Takes the variant's newest recipe, else its item's; `recipe_id` names another. `items` (total need, may be empty) replace " +
    "the recipe's materials, not its operations; without a recipe and without `items` the order has no materials. Needs and " +
    'durations are those of the recipe times `quantity`, rounded half up to 6 decimals. Materials are reserved and the output ' +
    'is expected at `manufacturing_location_id`: by default the main place if it allows manufacturing, else the one with the ' +
    'lowest id that does. `type` defaults to MAKE_TO_ORDER with a `sales_order_id`, else to MAKE_TO_STOCK; it chooses the ' +
    "recipe's operations. An archived, non-producible or SERVICE variant, a finished sales order, or a tenant without a place " +
    'that allows manufacturing is 422 `manufacturing_order_transition_not_allowed`.',
  body: NewOrder,
  example: {
    item_variant_id: '1042',
    quantity: 8,
    priority: 5,
    planned_start_date: '2026-11-23T07:00:00Z',
    notes: 'For the winter fair',
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['manufacturing_order_transition_not_allowed', 'unprocessable'],
  reply: ManufacturingOrder,
  execute: createOrder,
})

export const startOrderEndpoint = defineCommand({
  id: 'startManufacturingOrder',
  method: 'POST',
  path: '/manufacturing-orders/{id}/start',
  tag,
  scope: 'write:manufacturing.order.start',
  summary: 'Start a manufacturing order',
  description:
    'Writes all materials off, or none: first-expired-first-out, never expired (by `started_at`) or quarantined stock. Too ' +
    'little is 422 `unprocessable`, and the message names each short sku with the needed and the on-hand quantity. `items` ' +
    'says what is written off for a line instead of its need; it may be more, or 0 (not used). All reservations are released. ' +
    "Materials at moving average and operations by planned duration enter work in progress. `notes` replace the order's.",
  body: Start,
  example: { notes: 'Shift 2' },
  success: 200,
  countsAsDocument: true,
  refusals: ['manufacturing_order_invalid_status', 'unprocessable'],
  reply: ManufacturingOrder,
  execute: startOrder,
})

export const completeOrderEndpoint = defineCommand({
  id: 'completeManufacturingOrder',
  method: 'POST',
  path: '/manufacturing-orders/{id}/complete',
  tag,
  scope: 'write:manufacturing.order.complete',
  summary: 'Complete a manufacturing order, in part or to the end',
  description:
    'Receives `quantity` (default: all that remains) into stock. Less than the rest without `is_final` makes the order ' +
    'PARTIALLY_DONE and posts `round(wip * quantity / remaining, 4)`; the rest or more, or `is_final`, makes it DONE and posts ' +
    'all cost left. `quantity` 0 is for `is_final` after some output: the cost left raises the value of the stock at the place ' +
    'of the last output (or at `storage_place_id`), or is expensed when none is left there. `tasks` report the whole actual ' +
    'duration of a task so far, which replaces the planned one in the cost; a total below what is posted is 400. Output of a ' +
    "batch-tracked variant goes into `output_batch_number`, else the order's, else a batch with the order's number; its expiry " +
    'defaults to the manufacture date plus the shelf life, and the order then shows the batch. Output in `quarantine` counts ' +
    "as released, not as actual. `notes` replace the order's.",
  body: Completion,
  example: { quantity: 3 },
  success: 200,
  countsAsDocument: true,
  refusals: ['manufacturing_order_invalid_status', 'unprocessable'],
  reply: ManufacturingOrder,
  execute: completeOrder,
})

export const blockOrderEndpoint = defineCommand({
  id: 'blockManufacturingOrder',
  method: 'POST',
  path: '/manufacturing-orders/{id}/block',
  tag,
  scope: 'write:manufacturing.order.update',
  summary: 'Block a manufacturing order',
  description: 'Moves no stock; reservations and expected output stay.',
  body: Blocking,
  example: { reason: 'The bench is being repaired' },
  success: 200,
  countsAsDocument: false,
  refusals: ['manufacturing_order_invalid_status'],
  reply: ManufacturingOrder,
  execute: blockOrder,
})

export const unblockOrderEndpoint = defineCommand({
  id: 'unblockManufacturingOrder',
  method: 'POST',
  path: '/manufacturing-orders/{id}/unblock',
  tag,
  scope: 'write:manufacturing.order.update',
  summary: 'Unblock a manufacturing order',
  description: 'The order gets the status from before it was blocked; `block_reason` becomes null.',
  body: Unblocking,
  example: {},
  success: 200,
  countsAsDocument: false,
  refusals: ['manufacturing_order_invalid_status'],
  reply: ManufacturingOrder,
  execute: unblockOrder,
})

export const deleteOrderEndpoint = defineCommand({
  id: 'deleteManufacturingOrder',
  method: 'DELETE',
  path: '/manufacturing-orders/{id}',
  tag,
  scope: 'write:manufacturing.order.update',
  summary: 'Delete a manufacturing order that is not started',
  description: 'Releases its reservations. Its number is free again, though counting goes on.',
  success: 204,
  countsAsDocument: false,
  refusals: ['manufacturing_order_invalid_status'],
  execute: deleteOrder,
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
]
