/**
 * The writing command of stock adjustments: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { Answer, CommandContext } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import type { BookWishes } from '../load-book.ts'
import { openStockDocument } from '../open-document.ts'
import { adjustmentWrite } from './queries.ts'
import { decideAdjustment, refuseBody } from './rules.ts'
import type { NewAdjustment } from './schemas.ts'

/**
 * Adjusts stock, all lines or none. Two round trips for any number of lines. Emits `stock.changed` per variant whose
 * quantities changed, then `stock_adjustment.created`.
 * Refusals: `validation_failed`, `unprocessable` (date), `stock_changed`; see `decideAdjustment`.
 */
export async function createAdjustment(
  context: CommandContext,
  { body }: { readonly body: NewAdjustment },
): Promise<Answer | Refusal> {
  const date = body.date ?? context.now
  const { closedThrough } = context.tenant
  const refused = refuseBody(body) ?? refuseDocumentDate({ field: 'date', date, now: context.now, closedThrough })
  if (refused !== null) return refused
  const opened = await openStockDocument(context, {
    kind: 'stock_adjustment',
    number: body.number,
    externalRef: body.external_ref,
    wishes: number => wishesOf(body, number),
  })
  if (isRefusal(opened)) return opened
  const { id, number, ledger } = opened
  const { book } = ledger
  const storagePlaceId = body.storage_place_id === undefined ? book.mainPlaceId : body.storage_place_id
  const cause = { kind: 'ADJUSTMENT', sourceType: 'STOCK_ADJUSTMENT', sourceId: id, documentDate: date } as const
  const lines = decideAdjustment(book, { cause, storagePlaceId, number, items: body.items })
  if (isRefusal(lines)) return lines
  const document = await ledger.store(adjustmentWrite(context, { id, number, storagePlaceId, date, body, lines }))
  context.emit({ type: 'stock_adjustment.created', data: document, previous: null })
  return { body: document }
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
