/** The commands that make and reverse stock adjustments (docs/rules/stock.md). */

import { isRefusal } from '../../../kit/api/errors.ts'
import { amend, amendable, changes } from '../../../kit/documents/acts.ts'
import { made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { causeOf } from '../cause.ts'
import { quarantinedStock, unquarantinedStock } from '../pick-order.ts'
import type { Take } from '../position-load.ts'
import { notReversed } from '../reversals/fields.ts'
import { reverses } from '../reversals/reverse.ts'
import { stockOf } from '../stock-load.ts'
import { type NewAdjustmentItem, StockAdjustment } from './noun.ts'
import { decideAdjustment, refuseBody } from './rules.ts'

/** Refuses as `refuseBody` and `decideAdjustment` do, and `validation_failed` for a place, a closed date and a taken number. */
export const createAdjustment = creates(StockAdjustment, {
  summary: 'Adjust stock',
  description:
    'All lines or none, posted in their order; a later line sees what an earlier one did. A line gives exactly one of ' +
    '`quantity` (signed, not 0), `counted_quantity` and `value_change`: a write-down, which moves no goods, where there is stock, to not below 0. `expected_quantity` compares and sets: where the stock differs, the ' +
    'adjustment is 409 `stock_changed`. Both speak of all physical stock of the variant at the place, or of the named batch. ' +
    '`unit_cost` is for inflows only (0 counts); without it an inflow comes in at the average cost as it is, at an empty place ' +
    'at the purchase price, else at 0. An inflow of a batch-tracked variant without a batch takes the number of the document as its ' +
    "batch; a new batch's `expiry_date` defaults to its `manufacture_date` plus the shelf life. An outflow without a batch is " +
    'taken first-expired-first-out, expired stock included, quarantined stock never, and answers one line per stock entry. ' +
    'Without `storage_place_id` the main place is adjusted; null adjusts stock without a place.',
  example: {
    reason: 'INITIAL',
    notes: 'Opening stock',
    items: [{ item_variant_id: '1042', quantity: 12, unit_cost: 12.5 }],
  },
  replay: 200,
  counts: true,
  refusals: ['stock_changed', 'unprocessable'],
  form: refuseBody,
  // Each line may make a batch.
  ids: body => 1 + 2 * body.items.length,
  needs: body => ({ place: theRecord(StoragePlace, body.storage_place_id), mainPlace }),
  more: (body, { mainPlace: main, number }) => ({
    stock: stockOf({
      positions: body.items.flatMap(item => {
        const storagePlaceId = body.storage_place_id === undefined ? (main?.id ?? null) : body.storage_place_id
        return takesOf(item).map(take => ({ itemVariantId: item.item_variant_id, storagePlaceId, take }))
      }),
      // A line without a batch may use the batch number of the document.
      batches: body.items.map(item =>
        item.batch_id === null
          ? { itemVariantId: item.item_variant_id, number: item.batch_number ?? number.expected }
          : { id: item.batch_id },
      ),
    }),
  }),
  decide: (body, facts, { now, tenant, work }) => {
    const date = body.date ?? now
    const refused = refuseDocumentDate({ field: 'date', date, now, tenant }) ?? facts.refuseTaken()
    if (refused) return refused
    const storagePlaceId = body.storage_place_id === undefined ? (facts.mainPlace?.id ?? null) : body.storage_place_id
    const refusedPlace = body.storage_place_id == null ? null : refusePlace('storage_place_id', facts.place)
    if (refusedPlace) return refusedPlace
    const id = work.newId()
    const number = facts.number.take()
    const cause = causeOf(StockAdjustment, 'ADJUSTMENT', { id, date })
    const items = decideAdjustment(facts.stock, { cause, storagePlaceId, number, items: body.items })
    if (isRefusal(items)) return items
    const adjustment = work.make(StockAdjustment, {
      id,
      number,
      storage_place_id: storagePlaceId,
      date,
      reason: body.reason,
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      stock_count_id: null,
      created_at: now,
      ...notReversed(now),
      total_amount: items.reduce((sum, line) => sum + line.amount, 0n),
      items,
    })
    return made(work, StockAdjustment, adjustment)
  },
})

export const changeAdjustment = changes(StockAdjustment, {
  description: amendable(StockAdjustment),
  example: { notes: 'Counted by two people', metadata: { count_sheet: '2026-11/4' } },
  decide: amend(StockAdjustment),
})

export const reverseAdjustment = reverses(StockAdjustment, {
  scope: 'write:inventory.adjustment.reverse',
  example: { reason: 'Booked twice' },
  dateOf: adjustment => adjustment.date,
})

/** What a line takes: an outflow takes its quantity, a count may take any quantity, a change of value needs any stock. */
function takesOf(item: NewAdjustmentItem): readonly (Take | undefined)[] {
  const { quantity, value_change: value, batch_id: id, batch_number: number } = item
  if (value !== null) return [unquarantinedStock, quarantinedStock].map(order => ({ quantity: 1n, order }))
  if (quantity !== null && quantity >= 0n) return [undefined]
  const order = id === null && number === null ? unquarantinedStock : null
  return [{ quantity: quantity === null ? null : -quantity, order }]
}
