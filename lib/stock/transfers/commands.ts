/**
 * The writing command of stock transfers: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { Answer, CommandContext } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import type { BookWishes } from '../load-book.ts'
import { openStockDocument } from '../open-document.ts'
import { transferWrite } from './queries.ts'
import { decideTransfer, refuseBody } from './rules.ts'
import type { NewTransfer } from './schemas.ts'

/**
 * Moves stock between places, or into and out of quarantine, all lines or none. Two round trips for any number of lines.
 * Emits `stock.changed` per variant and place whose quantities changed, then `stock_transfer.created`.
 * Refusals: `validation_failed`, `unprocessable` (date), `insufficient_stock`; see `decideTransfer`.
 */
export async function createTransfer(
  context: CommandContext,
  { body }: { readonly body: NewTransfer },
): Promise<Answer | Refusal> {
  const date = body.date ?? context.now
  const { closedThrough } = context.tenant
  const refused = refuseBody(body) ?? refuseDocumentDate({ field: 'date', date, now: context.now, closedThrough })
  if (refused !== null) return refused
  const opened = await openStockDocument(context, {
    kind: 'stock_transfer',
    number: body.number,
    externalRef: body.external_ref,
    wishes: () => wishesOf(body),
  })
  if (isRefusal(opened)) return opened
  const { id, number, ledger } = opened
  const places = { from: body.from_storage_place_id, to: body.to_storage_place_id }
  const lines = decideTransfer(ledger.book, { id, date, places, items: body.items })
  if (isRefusal(lines)) return lines
  const document = await ledger.store(transferWrite(context, { id, number, date, body, lines }))
  context.emit({ type: 'stock_transfer.created', data: document, previous: null })
  return { body: document }
}

/** Stock is picked where it comes from; where it goes only the rows of the same batches matter. */
function wishesOf(body: NewTransfer): Pick<BookWishes, 'positions' | 'batches' | 'freshIds'> {
  const { from_storage_place_id: from, to_storage_place_id: to } = body
  return {
    positions: body.items.flatMap(item => [
      { itemVariantId: item.item_variant_id, storagePlaceId: from, pickable: item.batch_id === null },
      { itemVariantId: item.item_variant_id, storagePlaceId: to, pickable: false },
    ]),
    batches: body.items
      .filter(item => item.batch_id !== null)
      .map(item => ({ itemVariantId: item.item_variant_id, id: item.batch_id, number: null })),
    freshIds: 0,
  }
}
