/**
 * The writing command of stock transfers: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { CommandContext, Task } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import type { BookWishes } from '../book-wishes.ts'
import { documentTask } from '../document-task.ts'
import { transferSource } from './queries.ts'
import { decideTransfer, refuseBody } from './rules.ts'
import type { NewTransfer } from './schemas.ts'

/**
 * Moves stock between places, or into and out of quarantine, all lines or none. Emits `stock.changed` per variant and place
 * whose quantities changed, then `stock_transfer.created`.
 * Refusals: `validation_failed`, `unprocessable` (date), `insufficient_stock`; see `decideTransfer`.
 */
export function createTransfer(
  { now, tenant: { closedThrough } }: CommandContext,
  { body }: { readonly body: NewTransfer },
): Task | Refusal {
  const date = body.date ?? now
  const refused = refuseBody(body) ?? refuseDocumentDate({ field: 'date', date, now, closedThrough })
  if (refused !== null) return refused
  return documentTask({
    source: transferSource,
    number: body.number,
    externalRef: body.external_ref,
    wishes: () => wishesOf(body),
    decide: ({ book, id, number }) => {
      const places = { from: body.from_storage_place_id, to: body.to_storage_place_id }
      const lines = decideTransfer(book, { id, date, places, items: body.items })
      return isRefusal(lines) ? lines : { id, number, date, body, lines }
    },
    tell: document => [{ type: 'stock_transfer.created', data: document, previous: null }],
  })
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
