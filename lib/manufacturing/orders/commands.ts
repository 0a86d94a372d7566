/**
 * The writing commands of manufacturing orders: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { loadNumbered } from '../../accounting/numbered-load.ts'
import { refuseTaken } from '../../accounting/taken.ts'
import type { Answer, CommandContext, Json, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import { type Cause, positionOf, takeFreshId } from '../../stock/book.ts'
import { claim } from '../../stock/posting-rules.ts'
import { decideCompletion, isEmpty, refuseCompletionBody } from './completion-rules.ts'
import { openNewOrder } from './creation-load.ts'
import { decideOrder } from './creation-rules.ts'
import { newOrderWrite } from './creation-store.ts'
import { loadOrder, openOrder } from './load.ts'
import type { Order } from './order.ts'
import type { Blocking, Completion, NewOrder, Start } from './schemas.ts'
import { decideStart, planWriteOffs } from './start-rules.ts'
import { refuseMove, statusAfter } from './status-rules.ts'
import { completionWrite, deletionWrite, readChanged, type Stamp, startWrite, writeBlock } from './store.ts'

export const noSuchOrder = (): Refusal => refuse('not_found', 'no such manufacturing order')

type OnOrder<Body> = { readonly params: Params; readonly body: Body }

/**
 * Makes a manufacturing order: its materials are reserved and its output expected at its location. Two round trips for any
 * number of materials, and two more where callers took the next counted numbers. Emits `stock.changed` per variant, then
 * `manufacturing_order.created`.
 * Refusals: `validation_failed`, `manufacturing_order_transition_not_allowed` (see `decideOrder`), `unprocessable` (date).
 */
export async function createOrder(
  context: CommandContext,
  { body }: { readonly body: NewOrder },
): Promise<Answer | Refusal> {
  const { tenant, now } = context
  const { number, loaded } = await loadNumbered(context, {
    kind: 'manufacturing_order',
    given: body.number,
    load: wanted => openNewOrder(context, { body, number: wanted }),
    isTaken: ({ taken }) => taken.number_taken_by !== null,
  })
  const { ledger, taken, found } = loaded
  const takenRefusal = refuseTaken(taken)
  if (takenRefusal !== null) return takenRefusal
  const plan = decideOrder(ledger.book, { body, number }, found)
  if (isRefusal(plan)) return plan
  const refused = refuseDate(context, 'created_date', now)
  if (refused !== null) return refused
  const order = { id: takeFreshId(ledger.book), number, itemTitle: found.itemTitle, body, plan }
  const write = newOrderWrite({ tenantId: tenant.id, now, currency: tenant.currency }, order)
  const document = await ledger.store(write)
  context.emit({ type: 'manufacturing_order.created', data: document, previous: null })
  return { body: document }
}

/**
 * Starts an order: materials leave stock, all or nothing. Two round trips for any number of materials. Emits `stock.changed`
 * per variant, then `manufacturing_order.started`.
 * Refusals: `not_found`, `validation_failed` (see `planWriteOffs`), `manufacturing_order_invalid_status`, `unprocessable`
 * (date, not enough materials).
 */
export async function startOrder(context: CommandContext, { params, body }: OnOrder<Start>): Promise<Answer | Refusal> {
  const opened = await openOrder(context, { id: params['id'] ?? '', materials: 'pickable' })
  if (opened === null) return noSuchOrder()
  const { order, ledger } = opened
  const startedAt = body.started_at ?? context.now
  const plans = planWriteOffs(order, body.items)
  if (isRefusal(plans)) return plans
  const refused = refuseMove(order, 'start') ?? refuseDate(context, 'started_at', startedAt)
  if (refused !== null) return refused
  const cause = causeOf(order, 'MANUFACTURING_WRITE_OFF', startedAt)
  const started = decideStart(ledger.book, order, { plans, cause })
  if (isRefusal(started)) return started
  const status = statusAfter(order, 'start')
  const write = startWrite(stampOf(context, order), { started, status, startedAt, notes: body.notes })
  return tell(context, 'started', await ledger.store(write))
}

/**
 * Completes an order in part or to the end: output comes into stock with its share of the cost. Two round trips. Emits
 * `stock.changed`, then `manufacturing_order.partially_done` or `manufacturing_order.done`.
 * Refusals: `not_found`, `validation_failed`, `manufacturing_order_invalid_status` (see `decideCompletion`), `unprocessable`
 * (date).
 */
export async function completeOrder(
  context: CommandContext,
  { params, body }: OnOrder<Completion>,
): Promise<Answer | Refusal> {
  const refusedBody = refuseCompletionBody(body)
  if (refusedBody !== null) return refusedBody
  const output = {
    placeId: body.storage_place_id ?? null,
    batchNumber: body.output_batch_number,
    isEmpty: isEmpty(body),
  }
  const opened = await openOrder(context, { id: params['id'] ?? '', materials: 'none', output })
  if (opened === null) return noSuchOrder()
  const { order, ledger } = opened
  const at = body.completed_at ?? context.now
  const cause = causeOf(order, 'MANUFACTURING_OUTPUT', at)
  const completed = decideCompletion(ledger.book, order, { body, cause })
  if (isRefusal(completed)) return completed
  const refused = refuseDate(context, 'completed_at', at)
  if (refused !== null) return refused
  const status = statusAfter(order, completed.trigger)
  const completedAt = status === 'DONE' ? at : null
  const write = completionWrite(stampOf(context, order), { completed, status, completedAt, notes: body.notes })
  return tell(context, status === 'DONE' ? 'done' : 'partially_done', await ledger.store(write))
}

/**
 * Blocks an order; its reservations stay. Two round trips. Emits `manufacturing_order.blocked`.
 * Refusals: `not_found`, `manufacturing_order_invalid_status`.
 */
export async function blockOrder(
  context: CommandContext,
  { params, body }: OnOrder<Blocking>,
): Promise<Answer | Refusal> {
  const order = await loadOrder(context, params['id'] ?? '')
  if (order === null) return noSuchOrder()
  const refused = refuseMove(order, 'block')
  if (refused !== null) return refused
  const change = { status: statusAfter(order, 'block'), statusBeforeBlock: order.status, reason: body.reason }
  return tell(context, 'blocked', await writeBlock(context, stampOf(context, order), change))
}

/** Gives a blocked order the status from before. As `blockOrder`; emits `manufacturing_order.unblocked`. */
export async function unblockOrder(
  context: CommandContext,
  { params }: { readonly params: Params },
): Promise<Answer | Refusal> {
  const order = await loadOrder(context, params['id'] ?? '')
  if (order === null) return noSuchOrder()
  const refused = refuseMove(order, 'unblock')
  if (refused !== null) return refused
  const change = { status: statusAfter(order, 'unblock'), statusBeforeBlock: null, reason: null }
  return tell(context, 'unblocked', await writeBlock(context, stampOf(context, order), change))
}

/**
 * Deletes an order that never started: nothing is reserved or expected any more. Two round trips. Emits `stock.changed` per
 * variant, then `manufacturing_order.deleted` with the order as it last was.
 * Refusals: `not_found`, `manufacturing_order_invalid_status`.
 */
export async function deleteOrder(
  context: CommandContext,
  { params }: { readonly params: Params },
): Promise<Answer | Refusal> {
  const opened = await openOrder(context, { id: params['id'] ?? '', materials: 'claims' })
  if (opened === null) return noSuchOrder()
  const { order, ledger } = opened
  const refused = refuseMove(order, 'delete')
  if (refused !== null) return refused
  const at = (itemVariantId: string) => positionOf(ledger.book, { itemVariantId, storagePlaceId: order.locationId })
  for (const item of order.items) claim(ledger.book, { position: at(item.itemVariantId), reserved: -item.quantity })
  claim(ledger.book, { position: at(order.itemVariantId), expected: -order.quantity })
  const document = await ledger.store(deletionWrite(stampOf(context, order)))
  context.emit({ type: 'manufacturing_order.deleted', data: document, previous: null })
  return { body: null }
}

const stampOf = ({ tenant, now }: CommandContext, { id }: Order): Stamp => ({ tenantId: tenant.id, now, id })

const causeOf = (order: Order, kind: Cause['kind'], documentDate: string): Cause => ({
  kind,
  sourceType: 'MANUFACTURING_ORDER',
  sourceId: order.id,
  documentDate,
})

const refuseDate = ({ tenant, now }: CommandContext, field: string, date: string): Refusal | null =>
  refuseDocumentDate({ field, date, now, closedThrough: tenant.closedThrough })

/** Emits the order's event and answers its document. */
function tell(context: CommandContext, kind: string, rendered: Json): Answer {
  const { order, previous } = readChanged(rendered)
  context.emit({ type: `manufacturing_order.${kind}`, data: order, previous })
  return { body: order }
}
