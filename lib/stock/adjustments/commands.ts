/**
 * The writing command of stock adjustments: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { CommandContext, Task } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import type { BookWishes } from '../book-wishes.ts'
import { documentTask } from '../document-task.ts'
import { adjustmentSource } from './queries.ts'
import { decideAdjustment, refuseBody } from './rules.ts'
import type { NewAdjustment } from './schemas.ts'

/**
 * Adjusts stock, all lines or none. Emits `stock.changed` per variant whose quantities changed, then
 * `stock_adjustment.created`.
 * Refusals: `validation_failed`, `unprocessable` (date), `stock_changed`; see `decideAdjustment`.
 */
export function createAdjustment(
  { now, tenant: { closedThrough } }: CommandContext,
  { body }: { readonly body: NewAdjustment },
): Task | Refusal {
  const date = body.date ?? now
  const refused = refuseBody(body) ?? refuseDocumentDate({ field: 'date', date, now, closedThrough })
  if (refused !== null) return refused
  return documentTask({
    source: adjustmentSource,
    number: body.number,
    externalRef: body.external_ref,
    wishes: number => wishesOf(body, number),
    decide: ({ book, id, number }) => {
      const storagePlaceId = body.storage_place_id === undefined ? book.mainPlaceId : body.storage_place_id
      const cause = { kind: 'ADJUSTMENT', sourceType: 'STOCK_ADJUSTMENT', sourceId: id, documentDate: date } as const
      const lines = decideAdjustment(book, { cause, storagePlaceId, number, items: body.items })
      return isRefusal(lines) ? lines : { id, number, storagePlaceId, date, body, lines }
    },
    tell: document => [{ type: 'stock_adjustment.created', data: document, previous: null }],
  })
}

/** A line without a batch may take its batch's name from the document; only an outflow needs all the variant's batches. */
function wishesOf(body: NewAdjustment, number: string): Pick<BookWishes, 'positions' | 'batches' | 'freshIds'> {
  return {
    positions: body.items.map(item => ({
      itemVariantId: item.item_variant_id,
      storagePlaceId: body.storage_place_id === undefined ? 'main' : body.storage_place_id,
      pickable:
        item.batch_id === null &&
        item.batch_number === null &&
        (item.quantity === null || item.quantity.startsWith('-')),
    })),
    batches: body.items.map(item => ({
      itemVariantId: item.item_variant_id,
      id: item.batch_id,
      number: item.batch_id === null ? (item.batch_number ?? number) : null,
    })),
    freshIds: body.items.filter(item => item.batch_id === null).length,
  }
}
