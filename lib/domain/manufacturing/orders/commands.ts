/**
 * The steps of a manufacturing order after its creation: start, complete, block, unblock, delete (docs/rules/manufacturing.md).
 * creation-command.ts makes orders, change-command.ts changes them.
 */

import { isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { dayIn } from '../../../kit/days.ts'
import { acts } from '../../../kit/documents/acts.ts'
import { changed, type Deciding, type Decision, type EventOf } from '../../../kit/documents/command.ts'
import { theRecord, theTenant, theTime } from '../../../kit/documents/needs.ts'
import { text } from '../../../kit/fields/kinds.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { causeOf } from '../../stock/cause.ts'
import { quarantinedStock, sellableStock, unquarantinedStock } from '../../stock/pick-order.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { claim, claimedPositions, outputPosition } from './claim-rules.ts'
import {
  decideCompletion,
  isEmpty,
  outputBatchNumber,
  outputPlaceId,
  refuseCompletionBody,
} from './completion-rules.ts'
import {
  type Completion,
  completionFields,
  invalidStatus,
  ManufacturingOrder,
  type Order,
  startFields,
} from './noun.ts'
import { decideStart, planWriteOffs } from './start-rules.ts'
import { refuseMove, statusAfter } from './status-rules.ts'

/** Its events: the stock of the materials, then `manufacturing_order.started`. */
export const startOrder = acts(ManufacturingOrder, 'start', {
  scope: 'write:manufacturing.order.start',
  summary: 'Start a manufacturing order',
  description:
    'Writes all materials off, or none: first-expired-first-out, never expired (by `started_at`) or quarantined stock. Too ' +
    'little is 422 `unprocessable`, and the message names each short sku with the needed and the on-hand quantity. `items` ' +
    'says what is written off for a line instead of its need; it may be more, or 0 (not used). All reservations are released. ' +
    "Materials at moving average and operations by planned duration enter work in progress. `notes` replace the order's.",
  body: startFields,
  example: { notes: 'Shift 2' },
  counts: true,
  refusals: [invalidStatus, 'unprocessable'],
  needs: () => ({ now: theTime, tenant: theTenant }),
  more: ({ record: order, body }, { now, tenant }) => {
    const plans = planWriteOffs(order, body.items)
    const picked = sellableStock(dayIn(tenant.timeZone, body.started_at ?? now))
    const positions = (isRefusal(plans) ? [] : plans).map(({ item, quantity }) => ({
      itemVariantId: item.item_variant_id,
      storagePlaceId: order.manufacturing_location_id,
      take: { quantity, order: picked },
    }))
    return { stock: stockOf({ positions, variants: [order.item_variant_id] }) }
  },
  decide: ({ record: order, body }, { stock }, deciding) => {
    const startedAt = body.started_at ?? deciding.now
    const plans = planWriteOffs(order, body.items)
    if (isRefusal(plans)) return plans
    const refused = refuseMove(order, 'start') ?? refuseDate(deciding, 'started_at', startedAt)
    if (refused) return refused
    const cause = causeOf(ManufacturingOrder, 'MANUFACTURING_WRITE_OFF', { id: order.id, date: startedAt })
    const started = decideStart(stock, order, { plans, cause })
    if (isRefusal(started)) return started
    return moved(deciding, 'started', order, { ...started, notes: body.notes ?? order.notes })
  },
})

/** Its events: the stock of the output, then `manufacturing_order.partially_done` or `manufacturing_order.done`. */
export const completeOrder = acts(ManufacturingOrder, 'complete', {
  scope: 'write:manufacturing.order.complete',
  summary: 'Complete a manufacturing order, in part or to the end',
  description:
    'Receives `quantity` (default: all that remains) into stock. Less than the rest without `is_final` makes the order ' +
    'PARTIALLY_DONE and posts `round(wip * quantity / remaining, 4)`; the rest or more, or `is_final`, makes it DONE and posts ' +
    'all cost left. `quantity` 0 is for `is_final`: the cost left raises the value of the stock at the place of the last output ' +
    '(or at `storage_place_id`), or is expensed when none is left there, or when nothing ever came out. `tasks` report the whole actual ' +
    'duration of a task so far, which replaces the planned one in the cost; a total below what is posted is 400. Output of a ' +
    "batch-tracked variant goes into `output_batch_number`, else the order's, else a batch with the order's number; its expiry " +
    'defaults to the manufacture date plus the shelf life, and the order then shows the batch. Output in `quarantine` counts ' +
    "as released, not as actual. `notes` replace the order's. Where the order's own place was archived meanwhile, a completion with output " +
    'names another one, else it is 409 `conflict`.',
  body: completionFields,
  form: refuseCompletionBody,
  example: { quantity: 3 },
  counts: true,
  refusals: ['conflict', invalidStatus, 'unprocessable'],
  // One id is for a new batch of the output.
  ids: () => 1,
  needs: body => ({ place: theRecord(StoragePlace, body.storage_place_id) }),
  more: ({ record, body }) => ({
    location: theRecord(StoragePlace, record.manufacturing_location_id),
    stock: outputStock(record, body),
  }),
  decide: ({ record: order, body }, facts, deciding) => {
    const at = body.completed_at ?? deciding.now
    const cause = causeOf(ManufacturingOrder, 'MANUFACTURING_OUTPUT', { id: order.id, date: at })
    const completed = decideCompletion(facts, order, { body, cause })
    if (isRefusal(completed)) return completed
    const refused = refuseDate(deciding, 'completed_at', at)
    if (refused) return refused
    const kind = completed.status === 'DONE' ? 'done' : 'partially_done'
    return moved(deciding, kind, order, { ...completed, notes: body.notes ?? order.notes })
  },
})

export const blockOrder = acts(ManufacturingOrder, 'block', {
  scope: 'write:manufacturing.order.update',
  summary: 'Block a manufacturing order',
  description: 'Moves no stock; reservations and expected output stay.',
  body: { reason: text().orNull() },
  example: { reason: 'The bench is being repaired' },
  refusals: [invalidStatus],
  decide: ({ record: order, body }, _, deciding) => {
    const refused = refuseMove(order, 'block')
    if (refused) return refused
    const change = { status_before_block: order.status, block_reason: body.reason }
    return moved(deciding, 'blocked', order, { ...order, ...change, status: statusAfter(order, 'block') })
  },
})

export const unblockOrder = acts(ManufacturingOrder, 'unblock', {
  scope: 'write:manufacturing.order.update',
  summary: 'Unblock a manufacturing order',
  description: 'The order gets the status from before it was blocked; `block_reason` becomes null.',
  body: {},
  example: {},
  refusals: [invalidStatus],
  decide: ({ record: order }, _, deciding) => {
    const refused = refuseMove(order, 'unblock')
    if (refused) return refused
    const change = { status_before_block: null, block_reason: null }
    return moved(deciding, 'unblocked', order, { ...order, ...change, status: statusAfter(order, 'unblock') })
  },
})

/** Its events: the stock, then `manufacturing_order.deleted` with the order's last state. */
export const deleteOrder = acts(ManufacturingOrder, 'delete', {
  method: 'DELETE',
  path: '/manufacturing-orders/{id}',
  scope: 'write:manufacturing.order.update',
  summary: 'Delete a manufacturing order that is not started',
  description: 'Releases its reservations. Its number is free again, though counting goes on.',
  success: 204,
  refusals: [invalidStatus, 'unprocessable'],
  more: ({ record }) => ({ stock: stockOf({ positions: claimedPositions(record) }) }),
  decide: ({ record: order }, { stock }, { work }) => {
    const refused = refuseMove(order, 'delete')
    if (refused) return refused
    claim(stock, { before: order, after: null })
    const data = work.render(ManufacturingOrder, order)
    work.remove(ManufacturingOrder, order.id)
    return { body: null, events: [{ type: 'manufacturing_order.deleted', data, previous: null }] }
  },
})

/** The stock where the output is expected and where it goes. Without output it is stock that can take the rest of the cost. */
const outputStock = (order: Order, body: Completion) => {
  const itemVariantId = order.item_variant_id
  const where = { itemVariantId, storagePlaceId: outputPlaceId(order, body) }
  const carriers = isEmpty(body) ? [unquarantinedStock, quarantinedStock] : []
  return stockOf({
    positions: [
      outputPosition(order),
      where,
      ...carriers.map(each => ({ ...where, take: { quantity: 1n, order: each } })),
    ],
    batches: [
      { itemVariantId, number: outputBatchNumber(order, body) },
      ...(order.last_output_batch_id === null ? [] : [{ id: order.last_output_batch_id }]),
    ],
  })
}

const refuseDate = ({ tenant, now }: Deciding, field: string, date: string): Refusal | null =>
  refuseDocumentDate({ field, date, now, tenant })

/** Writes the order with its new status, and adds the event. */
function moved({ work }: Deciding, event: EventOf<typeof ManufacturingOrder>, before: Order, order: Order): Decision {
  const after = work.change(ManufacturingOrder, order)
  return changed(work, ManufacturingOrder, { before, after, event })
}
