/**
 * Decides on completions of a manufacturing order: output comes into stock with its share of the cost. Pure: no I/O and no
 * clock (contract 2, "Manufacturing order").
 */
import { invalid, isRefusal, type Refusal } from '../../api/errors.ts'
import { type Cost, type Micro, parseMicro } from '../../decimal.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import {
  type Batch,
  type Book,
  type Cause,
  isPlace,
  levelOf,
  type Position,
  positionOf,
  type Variant,
} from '../../stock/book.ts'
import { overflow } from '../../stock/line-rules.ts'
import { byExpiry } from '../../stock/picking-rules.ts'
import { claim, receive, revalue } from '../../stock/posting-rules.ts'
import { operationsCost, postingCost, readReports, type TaskReport } from './cost-rules.ts'
import { refuseBatchFields } from './creation-rules.ts'
import { type Order, type OutputBatch, remaining } from './order.ts'
import type { Completion } from './schemas.ts'
import { refuseMove } from './status-rules.ts'

/** What of the body can be judged by itself. Refuses `validation_failed`. */
export function refuseCompletionBody(body: Completion): Refusal | null {
  if (!isEmpty(body)) return null
  if (!body.is_final) return invalid('quantity', 'must be greater than 0, unless is_final is true')
  for (const field of ['output_batch_number', 'output_manufacture_date', 'output_expiry_date'] as const) {
    if (body[field] !== null) return invalid(field, 'is only for output, and the quantity is 0')
  }
  return null
}

/** Whether nothing comes out any more: the order is only ended. */
export const isEmpty = (body: Completion): boolean => body.quantity === '0'

/** Where output goes; without output, the place of the last one. */
export const outputPlaceId = (order: Order, body: Completion): string =>
  body.storage_place_id ?? (isEmpty(body) ? order.lastOutputPlaceId : null) ?? order.locationId

/** What the completion makes of the order. */
export type Completed = {
  readonly trigger: 'complete' | 'complete_part'
  readonly released: Micro
  readonly actual: Micro
  readonly operationsCost: Cost
  readonly postedCost: Cost
  readonly expensedCost: Cost
  readonly reports: readonly TaskReport[]
  /** Where output went, and its batch; null without output. */
  readonly output: { readonly placeId: string; readonly batch: Batch | null } | null
}

/**
 * Posts the output, or what is left of the cost, and releases what is expected no longer.
 * Refuses `validation_failed` (references, batches, durations, a quantity of 0 before any output, a stock beyond all bounds)
 * and `manufacturing_order_invalid_status`.
 */
export function decideCompletion(
  book: Book,
  order: Order,
  { body, cause }: { readonly body: Completion; readonly cause: Cause },
): Completed | Refusal {
  const placeId = outputPlaceId(order, body)
  if (!isPlace(book, placeId)) return invalid('storage_place_id', 'no such storage place')
  const reports = readReports(order, body.tasks)
  if (isRefusal(reports)) return reports
  const variant = variantOf(book, order)
  const refused = (variant.batchTracked ? null : refuseBatchFields(body, variant)) ?? refuseMove(order, 'complete')
  if (refused !== null) return refused
  if (isEmpty(body) && order.released === 0n) return invalid('quantity', 'may be 0 only after some output')

  const left = remaining(order)
  const quantity = body.quantity === undefined ? left : parseMicro(body.quantity)
  const isLast = body.is_final || quantity >= left
  const operations = operationsCost(order.tasks, reports)
  const posting = postingCost(order, { operationsCost: operations, quantity, remaining: left, isLast })
  if (isRefusal(posting)) return posting

  const position = positionOf(book, { itemVariantId: variant.id, storagePlaceId: placeId })
  const posted = isEmpty(body)
    ? addToStock(book, cause, { order, position, value: posting })
    : bringIn(book, cause, { order, body, variant, position, quantity, value: posting })
  if (isRefusal(posted)) return posted
  const expectedAt = positionOf(book, { itemVariantId: variant.id, storagePlaceId: order.locationId })
  claim(book, { position: expectedAt, expected: isLast ? -left : -quantity })
  return {
    trigger: isLast ? 'complete' : 'complete_part',
    released: order.released + quantity,
    actual: order.actual + (body.quarantine ? 0n : quantity),
    operationsCost: operations,
    postedCost: order.postedCost + posting,
    expensedCost: order.expensedCost + posted.expensed,
    reports,
    output: isEmpty(body) ? null : { placeId, batch: posted.batch },
  }
}

function variantOf(book: Book, order: Order): Variant {
  const variant = book.variants.get(order.itemVariantId)
  if (variant === undefined) throw new Error(`the variant of ${order.number} is gone`)
  return variant
}

/** Which batch took the cost, and how much of it no stock took. */
type Posted = { readonly batch: Batch | null; readonly expensed: Cost }

function bringIn(
  book: Book,
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
  const batch = variant.batchTracked ? outputBatch(book, { order, body, variant }) : null
  if (isRefusal(batch)) return batch
  const received = receive(book, cause, { position, batch, quantity, value, quarantine: body.quarantine })
  return 'fault' in received ? overflow('quantity') : { batch, expensed: 0n }
}

/** The batch that the body names, else the order's, else one with the order's number. */
function outputBatch(
  book: Book,
  { order, body, variant }: { readonly order: Order; readonly body: Completion; readonly variant: Variant },
): Batch | Refusal {
  const { number, manufactureDate, expiryDate } = mergedBatch(order.outputBatch, body)
  const batch = openBatch(book, variant, { number: number ?? order.number, dates: { manufactureDate, expiryDate } })
  return 'reason' in batch ? invalid(`output_${batch.field}`, batch.reason) : batch
}

/** What the body leaves out the order says; but its dates are about its own batch, not about another that the body names. */
function mergedBatch(planned: OutputBatch, body: Completion): OutputBatch {
  const isOther =
    body.output_batch_number !== null && planned.number !== null && body.output_batch_number !== planned.number
  return {
    number: body.output_batch_number ?? planned.number,
    manufactureDate: body.output_manufacture_date ?? (isOther ? null : planned.manufactureDate),
    expiryDate: body.output_expiry_date ?? (isOther ? null : planned.expiryDate),
  }
}

/** What is left of the cost raises the value of the stock at its place, or is expensed where none is left. */
function addToStock(
  book: Book,
  cause: Cause,
  { order, position, value }: { readonly order: Order; readonly position: Position; readonly value: Cost },
): Posted | Refusal {
  const last = order.lastOutputBatchId === null ? null : (book.batches.get(order.lastOutputBatchId) ?? null)
  const inStock = [...position.levels.values()].filter(level => level.quantity > 0n).sort(byExpiry)
  const level = inStock.find(({ batch }) => batch === last) ?? inStock[0] ?? levelOf(position, null)
  const carried = revalue(book, cause, { position, batch: level?.batch ?? null, value })
  if (carried !== true && carried !== false) return overflow('quantity')
  return { batch: null, expensed: carried ? 0n : value }
}
