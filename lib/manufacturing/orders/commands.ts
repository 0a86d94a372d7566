/**
 * What happens to manufacturing orders: they are made, started, completed, blocked, unblocked and deleted
 * (docs/rules/manufacturing.md).
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { changed, command, type Deciding, type Decision, made } from '../../documents/command.ts'
import { free, type Need, numberOf, theRecord } from '../../documents/needs.ts'
import { notFound } from '../../documents/reads.ts'
import { replyOf } from '../../documents/reply.ts'
import { StoragePlace } from '../../places/document.ts'
import { manufacturingPlace } from '../../places/manufacturing-place.ts'
import { SalesOrder } from '../../sales/orders/document.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { type Cause, positionOf } from '../../stock/stock.ts'
import { type PositionNeed, stockOf } from '../../stock/stock-load.ts'
import { Operation } from '../operations/document.ts'
import { products } from '../products.ts'
import { Recipe } from '../recipes/document.ts'
import { newestRecipe } from '../recipes/newest.ts'
import {
  decideCompletion,
  isEmpty,
  outputBatchNumber,
  outputPlaceId,
  refuseCompletionBody,
} from './completion-rules.ts'
import { decideOrder, type StepOperation } from './creation-rules.ts'
import { ManufacturingOrder, type Order } from './document.ts'
import { Blocking, Completion, NewOrder, Start, Unblocking } from './schemas.ts'
import { decideStart, planWriteOffs } from './start-rules.ts'
import { refuseMove, statusAfter } from './status-rules.ts'

const tag = 'Manufacturing orders'
const reply = replyOf(ManufacturingOrder)

/** Usual lines that a recipe gives an order: its materials, and its operations. */
const [MATERIALS, TASKS] = [20, 4]

/** Tells of the stock of its output and materials, then `manufacturing_order.created`. */
export const createOrderEndpoint = command({
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
  reply,
  ids: ({ body }) => 1 + (body.items?.length ?? MATERIALS) + TASKS,
  needs: ({ body }) => ({
    products: products([body.item_variant_id]),
    place:
      body.manufacturing_location_id === undefined
        ? manufacturingPlace
        : theRecord(StoragePlace, body.manufacturing_location_id),
    recipe: body.recipe_id === undefined ? newestRecipe(body.item_variant_id) : theRecord(Recipe, body.recipe_id),
    salesOrder: theRecord(SalesOrder, body.sales_order_id),
    number: numberOf(ManufacturingOrder, body.number),
    refuseTaken: free(ManufacturingOrder, { number: body.number, external_ref: body.external_ref }),
  }),
  more: ({ body }, { place, recipe, number, products: found }) => {
    const materials = body.items ?? recipe?.materials ?? []
    const isTracked = found.get(body.item_variant_id)?.item.batch_tracked ?? false
    const batchNumber = body.output_batch_number ?? number.expected
    return {
      operationOf: operationsOf(recipe?.operations.map(line => line.operation_id) ?? []),
      stock: stockOf({
        positions: [body.item_variant_id, ...materials.map(line => line.item_variant_id)].map(itemVariantId => ({
          itemVariantId,
          storagePlaceId: place?.id ?? null,
          pickable: false,
        })),
        batches: isTracked ? [{ itemVariantId: body.item_variant_id, id: null, number: batchNumber }] : [],
      }),
    }
  },
  decide: ({ body }, facts, deciding) => {
    const { now, tenant, work } = deciding
    const taken = facts.refuseTaken()
    if (taken) return taken
    const item = facts.products.get(body.item_variant_id)?.item ?? null
    const takeId = () => work.newId()
    const head = { id: takeId(), number: facts.number.take(), currency: tenant.currency, created_at: now }
    const order = decideOrder({ ...facts, item, takeId }, { ...head, body })
    if (isRefusal(order)) return order
    const refused = refuseDate(deciding, 'created_date', now)
    return refused ?? made(work, ManufacturingOrder, work.make(ManufacturingOrder, order))
  },
})

/** What tasks take over from these operations; `Later` for one that was not asked for. */
const operationsOf = (ids: readonly string[]): Need<(id: string) => StepOperation> => ({
  ask: (load, tenantId) => {
    for (const id of ids) load.record(Operation, tenantId, id)
  },
  see: work => id => {
    const operation = work.find(Operation, id)
    if (operation === null) throw new Error(`the operation ${id} of a recipe is gone`)
    const unit = operation.unit_id === null ? null : work.find(Unit, operation.unit_id)
    return { title: operation.title, unit_id: operation.unit_id, unit_name: unit?.name ?? null }
  },
})

const theOrder = (params: Readonly<Record<string, string>>) => theRecord(ManufacturingOrder, params['id'])

/** Tells of the stock of its materials, then `manufacturing_order.started`. */
export const startOrderEndpoint = command({
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
  reply,
  ifMatch: ManufacturingOrder,
  ids: () => 0,
  needs: ({ params }) => ({ order: theOrder(params) }),
  more: (_, { order }) => ({ stock: stockOf({ positions: order === null ? [] : materialsOf(order, true) }) }),
  decide: ({ body }, { order, stock }, deciding) => {
    if (order === null) return notFound(ManufacturingOrder)
    const startedAt = body.started_at ?? deciding.now
    const plans = planWriteOffs(order, body.items)
    if (isRefusal(plans)) return plans
    const refused = refuseMove(order, 'start') ?? refuseDate(deciding, 'started_at', startedAt)
    if (refused) return refused
    const cause = causeOf(order, 'MANUFACTURING_WRITE_OFF', startedAt)
    const started = decideStart(stock, order, { plans, cause })
    if (isRefusal(started)) return started
    return moved(deciding, 'started', order, { ...started, notes: body.notes ?? order.notes })
  },
})

/** Tells of the stock of its output, then `manufacturing_order.partially_done` or `manufacturing_order.done`. */
export const completeOrderEndpoint = command({
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
  reply,
  ifMatch: ManufacturingOrder,
  // The output may make a batch.
  ids: () => 1,
  needs: ({ params, body }) => ({ order: theOrder(params), place: theRecord(StoragePlace, body.storage_place_id) }),
  more: ({ body }, { order }) => ({ stock: order === null ? stockOf({ positions: [] }) : outputStock(order, body) }),
  decide: ({ body }, facts, deciding) => {
    const malformed = refuseCompletionBody(body)
    if (malformed) return malformed
    const { order } = facts
    if (order === null) return notFound(ManufacturingOrder)
    const at = body.completed_at ?? deciding.now
    const cause = causeOf(order, 'MANUFACTURING_OUTPUT', at)
    const completed = decideCompletion(facts, order, { body, cause })
    if (isRefusal(completed)) return completed
    const refused = refuseDate(deciding, 'completed_at', at)
    if (refused) return refused
    const kind = completed.status === 'DONE' ? 'done' : 'partially_done'
    return moved(deciding, kind, order, { ...completed, notes: body.notes ?? order.notes })
  },
})

/** Tells `manufacturing_order.blocked`. */
export const blockOrderEndpoint = command({
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
  reply,
  ifMatch: ManufacturingOrder,
  ids: () => 0,
  needs: ({ params }) => ({ order: theOrder(params) }),
  decide: ({ body }, { order }, deciding) => {
    if (order === null) return notFound(ManufacturingOrder)
    const refused = refuseMove(order, 'block')
    if (refused) return refused
    const change = { status_before_block: order.status, block_reason: body.reason }
    return moved(deciding, 'blocked', order, { ...order, ...change, status: statusAfter(order, 'block') })
  },
})

/** Tells `manufacturing_order.unblocked`. */
export const unblockOrderEndpoint = command({
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
  reply,
  ifMatch: ManufacturingOrder,
  ids: () => 0,
  needs: ({ params }) => ({ order: theOrder(params) }),
  decide: (_, { order }, deciding) => {
    if (order === null) return notFound(ManufacturingOrder)
    const refused = refuseMove(order, 'unblock')
    if (refused) return refused
    const change = { status_before_block: null, block_reason: null }
    return moved(deciding, 'unblocked', order, { ...order, ...change, status: statusAfter(order, 'unblock') })
  },
})

/** Tells of the stock, then `manufacturing_order.deleted` with the order as it last was. */
export const deleteOrderEndpoint = command({
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
  ifMatch: ManufacturingOrder,
  ids: () => 0,
  needs: ({ params }) => ({ order: theOrder(params) }),
  more: (_, { order }) => ({
    stock: stockOf({ positions: order === null ? [] : [expectedAt(order), ...materialsOf(order, false)] }),
  }),
  decide: (_, { order, stock }, { work }) => {
    if (order === null) return notFound(ManufacturingOrder)
    const refused = refuseMove(order, 'delete')
    if (refused) return refused
    adjustPlanned(stock, { position: positionOf(stock, expectedAt(order)), expected: -order.quantity })
    for (const [index, where] of materialsOf(order, false).entries())
      adjustPlanned(stock, { position: positionOf(stock, where), reserved: -(order.items[index]?.quantity ?? 0n) })
    const data = work.render(ManufacturingOrder, order)
    work.remove(ManufacturingOrder, order.id)
    return { body: null, events: [{ type: 'manufacturing_order.deleted', data, previous: null }] }
  },
})

/** Where the order's output is expected. */
const expectedAt = (order: Order): PositionNeed => ({
  itemVariantId: order.item_variant_id,
  storagePlaceId: order.manufacturing_location_id,
  pickable: false,
})

/** Where the order's materials are reserved and taken, line by line. */
const materialsOf = (order: Order, pickable: boolean): PositionNeed[] =>
  order.items.map(line => ({
    itemVariantId: line.item_variant_id,
    storagePlaceId: order.manufacturing_location_id,
    pickable,
  }))

/** Where output is expected and goes. Without output all stock of the last one, which is to carry what is left of the cost. */
const outputStock = (order: Order, body: Completion) => {
  const itemVariantId = order.item_variant_id
  return stockOf({
    positions: [
      expectedAt(order),
      { itemVariantId, storagePlaceId: outputPlaceId(order, body), pickable: isEmpty(body) },
    ],
    batches: [
      { itemVariantId, id: null, number: outputBatchNumber(order, body) },
      ...(order.last_output_batch_id === null ? [] : [{ itemVariantId, id: order.last_output_batch_id, number: null }]),
    ],
  })
}

const causeOf = (order: Order, kind: Cause['kind'], documentDate: string): Cause => ({
  kind,
  sourceType: 'MANUFACTURING_ORDER',
  sourceId: order.id,
  documentDate,
})

const refuseDate = ({ tenant, now }: Deciding, field: string, date: string): Refusal | null =>
  refuseDocumentDate({ field, date, now, closedThrough: tenant.closedThrough })

/** Writes the moved order and tells of it. */
function moved({ work, now }: Deciding, kind: string, before: Order, order: Order): Decision {
  const after = work.change(ManufacturingOrder, { ...order, updated_at: now })
  return changed(work, ManufacturingOrder, { before, after, type: `manufacturing_order.${kind}` })
}
