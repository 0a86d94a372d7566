/**
 * Decides on completions of a manufacturing order: output comes into stock with its share of the cost. Pure: no I/O and no
 * clock (docs/rules/manufacturing.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refuseArchived, refusePlace } from '../../places/rules.ts'
import { dateFault, openBatch } from '../../stock/batch-rules.ts'
import { overflow } from '../../stock/line-rules.ts'
import { firstInStock } from '../../stock/picking-rules.ts'
import { adjustPlanned, receive, revalue } from '../../stock/posting-rules.ts'
import {
  type Batch,
  type Cause,
  levelOf,
  type Position,
  positionOf,
  type Stock,
  type Variant,
} from '../../stock/stock.ts'
import { bookCosts, operationsCost, postingCost, reportedTasks } from './cost-rules.ts'
import { refuseBatchFields } from './creation-rules.ts'
import { type Completion, type Order, remaining } from './noun.ts'
import { refuseMove, statusAfter } from './status-rules.ts'

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseCompletionBody(body: Completion): Refusal | null {
  if (!isEmpty(body)) return null
  if (!body.is_final) return invalid('quantity', 'must be greater than 0, unless is_final is true')
  for (const field of ['output_batch_number', 'output_manufacture_date', 'output_expiry_date'] as const) {
    if (body[field] !== null) return invalid(field, 'is only for output, and the quantity is 0')
  }
  return null
}

/** Whether the completion has no output: it only ends the order. */
export const isEmpty = (body: Completion): boolean => body.quantity === 0n

/** The place of the output; without output, the place of the last one. */
export const outputPlaceId = (order: Order, body: Completion): string =>
  body.storage_place_id ?? (isEmpty(body) ? order.last_output_place_id : null) ?? order.manufacturing_location_id

/** The number of the batch that output goes into, where the variant is tracked: the body's, else the order's, else its number. */
export const outputBatchNumber = (order: Order, body: Completion): string =>
  body.output_batch_number ?? order.output_batch_number ?? order.number

/**
 * The order after the completion. Posts the output, or the rest of the cost, and releases what is no longer expected. Refuses
 * `validation_failed` (references, batches, durations, a stock beyond the limit), `manufacturing_order_invalid_status`, and `conflict`
 * where the output would go to the order's own place and that place is archived.
 * @param place the place that the body names; `location` is the order's own
 */
export function decideCompletion(
  { stock, place, location }: { readonly stock: Stock; readonly place: Place | null; readonly location: Place | null },
  order: Order,
  { body, cause }: { readonly body: Completion; readonly cause: Cause },
): Order | Refusal {
  const refusedPlace = body.storage_place_id === undefined ? null : refusePlace('storage_place_id', place)
  if (refusedPlace !== null) return refusedPlace
  const tasks = reportedTasks(order, body.tasks)
  if (isRefusal(tasks)) return tasks
  const variant = variantOf(stock, order)
  const refused =
    (variant.batchTracked ? null : refuseBatchFields(body, variant)) ??
    refuseMove(order, 'complete') ??
    (body.storage_place_id === undefined && !isEmpty(body) ? refuseArchived(location, 'goods') : null)
  if (refused !== null) return refused

  const left = remaining(order)
  const quantity = body.quantity ?? left
  const isLast = body.is_final || quantity >= left
  const operations = operationsCost(tasks)
  const posting = postingCost(order, { operationsCost: operations, quantity, remaining: left, isLast })
  if (isRefusal(posting)) return posting

  const at = (storagePlaceId: string) => positionOf(stock, { itemVariantId: variant.id, storagePlaceId })
  adjustPlanned(stock, { position: at(order.manufacturing_location_id), expected: isLast ? -left : -quantity })
  const position = at(outputPlaceId(order, body))
  const posted = isEmpty(body)
    ? addToStock(stock, cause, { order, position, value: posting })
    : bringIn(stock, cause, { order, body, variant, position, quantity, value: posting })
  if (isRefusal(posted)) return posted
  const costs = { operations_cost: operations, expensed_cost: order.expensed_cost + posted.expensed }
  bookCosts(stock, cause, { before: order, after: costs })
  return {
    ...order,
    ...costs,
    ...(isEmpty(body) ? {} : outputOf(position, posted.batch)),
    status: statusAfter(order, isLast ? 'complete' : 'complete_part'),
    completed_at: isLast ? cause.documentDate : null,
    released_quantity: order.released_quantity + quantity,
    actual_quantity: order.actual_quantity + (body.quarantine ? 0n : quantity),
    posted_cost: order.posted_cost + posting,
    tasks,
  }
}

/** The fields of the order that show its last output and its batch. */
const outputOf = ({ storagePlaceId }: Position, batch: Batch | null) => ({
  last_output_place_id: storagePlaceId,
  last_output_batch_id: batch?.id ?? null,
  ...(batch && {
    output_batch_number: batch.number,
    output_manufacture_date: batch.manufactureDate,
    output_expiry_date: batch.expiryDate,
  }),
})

function variantOf(stock: Stock, order: Order): Variant {
  const variant = stock.variants.get(order.item_variant_id)
  if (variant === undefined) throw new Error(`the variant of ${order.number} is gone`)
  return variant
}

/** The batch that took the cost, and the part of the cost that no stock took. */
type Posted = { readonly batch: Batch | null; readonly expensed: Cost }

function bringIn(
  stock: Stock,
  cause: Cause,
  inflow: {
    readonly order: Order
    readonly body: Completion
    readonly variant: Variant
    readonly position: Position
    readonly quantity: Micro
    readonly value: Cost
  },
): Posted | Refusal {
  const { order, body, variant, position, quantity, value } = inflow
  const batch = variant.batchTracked ? outputBatch(stock, { order, body, variant }) : null
  if (isRefusal(batch)) return batch
  const received = receive(stock, cause, { position, batch, quantity, value, quarantine: body.quarantine })
  return 'fault' in received ? overflow('quantity') : { batch, expensed: 0n }
}

/**
 * A body without a batch continues the batch of the last output, also if the batch has another number or dates now. Without a last output
 * see `outputBatchNumber`: the order's fields fill what the body leaves out. The order's dates belong to the order's own batch only.
 */
function outputBatch(
  stock: Stock,
  { order, body, variant }: { readonly order: Order; readonly body: Completion; readonly variant: Variant },
): Batch | Refusal {
  const last = order.last_output_batch_id === null ? undefined : stock.batches.get(order.last_output_batch_id)
  if (last !== undefined && body.output_batch_number === null) {
    const fault = dateFault(last, {
      manufactureDate: body.output_manufacture_date,
      expiryDate: body.output_expiry_date,
    })
    return fault === null ? last : invalid(`output_${fault.field}`, fault.reason)
  }
  const number = outputBatchNumber(order, body)
  const isOther = order.output_batch_number !== null && number !== order.output_batch_number
  const dates = {
    manufactureDate: body.output_manufacture_date ?? (isOther ? null : order.output_manufacture_date),
    expiryDate: body.output_expiry_date ?? (isOther ? null : order.output_expiry_date),
  }
  const batch = openBatch(stock, variant, { number, dates })
  return 'reason' in batch ? invalid(`output_${batch.field}`, batch.reason) : batch
}

/**
 * Adds the rest of the cost to the value of the stock at its place. The rest is expensed if there is no stock, or if the order had no
 * output.
 */
function addToStock(
  stock: Stock,
  cause: Cause,
  { order, position, value }: { readonly order: Order; readonly position: Position; readonly value: Cost },
): Posted | Refusal {
  if (order.released_quantity === 0n) return { batch: null, expensed: value }
  const last = order.last_output_batch_id === null ? null : (stock.batches.get(order.last_output_batch_id) ?? null)
  const output = levelOf(position, last)
  const level = output !== undefined && output.quantity > 0n ? output : firstInStock(position)
  const carried = revalue(stock, cause, { position, batch: level?.batch ?? null, value })
  if (carried !== true && carried !== false) return overflow('quantity')
  return { batch: null, expensed: carried ? 0n : value }
}
