/**
 * The writing commands of sales returns: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { loadNumbered } from '../../accounting/numbered-load.ts'
import { refuseTaken } from '../../accounting/taken.ts'
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import type { BookWishes } from '../../stock/book-wishes.ts'
import { openLedger } from '../../stock/ledger.ts'
import { loadReturn, loadReturnSurroundings, type StoredReturn } from './load.ts'
import { decideReturn, receiveItems, refuseMove } from './rules.ts'
import type { Cancelling, NewReturn, Receiving } from './schemas.ts'
import { insertReturn, storeCancelled, storeReceived } from './store.ts'

export const noSuchReturn = (): Refusal => refuse('not_found', 'no such sales return')

/**
 * Makes a return; stock moves when it is received. Two round trips for any number of lines. Emits `sales_return.created`.
 * Refusals: `unprocessable` (closed period), `validation_failed`; see `decideReturn`.
 */
export async function createReturn(
  context: CommandContext,
  { body }: { readonly body: NewReturn },
): Promise<Answer | Refusal> {
  const { now, tenant } = context
  const closed = refuseDocumentDate({ field: 'created_date', date: now, now, closedThrough: tenant.closedThrough })
  if (closed !== null) return closed
  const { number, loaded } = await loadNumbered(context, {
    kind: 'sales_return',
    given: body.number,
    load: wanted => loadReturnSurroundings(context, { body, number: wanted }),
    isTaken: ({ taken }) => taken.number_taken_by !== null,
  })
  const plan = refuseTaken(loaded.taken) ?? decideReturn(loaded.surroundings, body)
  if (isRefusal(plan)) return plan
  const document = await insertReturn(context, { number, body, plan })
  context.emit({ type: 'sales_return.created', data: document, previous: null })
  return { body: document }
}

/**
 * Takes the goods of a return back into stock. Three round trips for any number of lines. Emits `stock.changed` per variant
 * and place, then `sales_return.returned`.
 * Refusals: `not_found`, `sales_return_not_editable`, `unprocessable` (date), `validation_failed`; see `receiveItems`.
 */
export async function receiveReturn(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: Receiving },
): Promise<Answer | Refusal> {
  const { now, tenant } = context
  const id = params['id'] ?? ''
  const date = body.return_date ?? now
  const stored = await loadReturn(context, id)
  if (stored === null) return noSuchReturn()
  const refused =
    refuseMove(stored, 'RETURNED') ??
    refuseDocumentDate({ field: 'return_date', date, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  const ledger = await openLedger(context, wishesOf(stored))
  const source = { kind: 'SALES_RETURN', sourceType: 'SALES_RETURN', sourceId: id } as const
  const items = receiveItems(ledger.book, { ...stored, cause: { ...source, documentDate: date } })
  if (isRefusal(items)) return items
  const { document, previous } = await storeReceived(context, ledger, { id, date, items })
  context.emit({ type: 'sales_return.returned', data: document, previous })
  return { body: document }
}

/** What comes back without a batch may go into one of the return's number. */
function wishesOf({ number, items }: StoredReturn): BookWishes {
  const goods = items.filter(item => item.holdsStock)
  return {
    positions: goods.map(({ itemVariantId, storagePlaceId }) => ({ itemVariantId, storagePlaceId, pickable: false })),
    batches: goods.map(({ itemVariantId, batchId }) => ({
      itemVariantId,
      id: batchId,
      number: batchId === null ? number : null,
    })),
    freshIds: goods.filter(({ batchId }) => batchId === null).length,
  }
}

/**
 * Ends a return that has not come; what it held may be returned otherwise. Two round trips. Emits `sales_return.cancelled`.
 * Refusals: `not_found`, `sales_return_not_editable`.
 */
export async function cancelReturn(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: Cancelling },
): Promise<Answer | Refusal> {
  const id = params['id'] ?? ''
  const stored = await loadReturn(context, id)
  if (stored === null) return noSuchReturn()
  const refused = refuseMove(stored, 'CANCELLED')
  if (refused !== null) return refused
  const { document, previous } = await storeCancelled(context, { id, reason: body.reason })
  context.emit({ type: 'sales_return.cancelled', data: document, previous })
  return { body: document }
}
