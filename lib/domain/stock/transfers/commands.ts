/** The commands that make and reverse stock transfers (docs/rules/stock.md). */
import { isRefusal, noSuch } from '../../../kit/api/errors.ts'
import { amend, amendable, changes } from '../../../kit/documents/acts.ts'
import { made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { quarantinedStock, unquarantinedStock } from '../pick-order.ts'
import { notReversed } from '../reversals/fields.ts'
import { reverses } from '../reversals/reverse.ts'
import { stockOf } from '../stock-load.ts'
import { StockTransfer } from './noun.ts'
import { decideTransfer, refuseBody } from './rules.ts'

/** Refuses as `refuseBody` and `decideTransfer` do, and `validation_failed` for a place, a closed date and a taken number. */
export const createTransfer = creates(StockTransfer, {
  summary: 'Transfer stock',
  description:
    'Moves quantity, batch and value together, all lines or none. Both places are required; null is stock without a place. ' +
    'Within one place `from_quarantine` and `to_quarantine` must differ: so stock enters and leaves quarantine. ' +
    '`from_quarantine` takes only quarantined stock, else only stock that is not. Without `batch_id` batches are taken ' +
    'first-expired-first-out, expired ones included. A shortage is 409 `insufficient_stock`, and nothing moves.',
  example: {
    from_storage_place_id: '1007',
    to_storage_place_id: '1008',
    items: [{ item_variant_id: '1042', quantity: 2 }],
  },
  counts: true,
  refusals: ['insufficient_stock', 'unprocessable'],
  form: refuseBody,
  ids: body => 1 + body.items.length,
  needs: body => ({
    from: theRecord(StoragePlace, body.from_storage_place_id),
    to: theRecord(StoragePlace, body.to_storage_place_id),
  }),
  // Stock is picked at the source. At the target only the levels of the same batches are needed.
  more: body => ({
    stock: stockOf({
      positions: body.items.flatMap(item => [
        {
          itemVariantId: item.item_variant_id,
          storagePlaceId: body.from_storage_place_id,
          take: {
            quantity: item.quantity,
            order: item.batch_id !== null ? null : item.from_quarantine ? quarantinedStock : unquarantinedStock,
          },
        },
        { itemVariantId: item.item_variant_id, storagePlaceId: body.to_storage_place_id },
      ]),
      batches: body.items.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }])),
    }),
  }),
  decide: (body, facts, { now, tenant, work }) => {
    const date = body.date ?? now
    const { from_storage_place_id: from, to_storage_place_id: to } = body
    const refused = refuseDocumentDate({ field: 'date', date, now, tenant }) ?? facts.refuseTaken()
    if (refused) return refused
    if (from !== null && facts.from === null) return noSuch('from_storage_place_id', 'storage place')
    const refusedPlace = to === null ? null : refusePlace('to_storage_place_id', facts.to)
    if (refusedPlace) return refusedPlace
    const id = work.newId()
    const items = decideTransfer(facts.stock, { id, date, places: { from, to }, items: body.items })
    if (isRefusal(items)) return items
    const transfer = work.make(StockTransfer, {
      id,
      number: facts.number.take(),
      from_storage_place_id: from,
      to_storage_place_id: to,
      date,
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      created_at: now,
      ...notReversed(now),
      items,
    })
    return made(work, StockTransfer, transfer)
  },
})

export const changeTransfer = changes(StockTransfer, {
  description: amendable(StockTransfer),
  example: { notes: 'Carried by the night shift', metadata: { trip: '17' } },
  decide: amend(StockTransfer),
})

export const reverseTransfer = reverses(StockTransfer, {
  scope: 'write:inventory.transfer.reverse',
  description: 'The source gets back exactly the value that the target gives up.',
  example: { reason: 'Moved to the wrong place' },
  dateOf: transfer => transfer.date,
  inPairs: true,
})
