/** The command that completes a stock count: one adjustment books the differences of its lines (docs/rules/stock.md, "Counts"). */
import { isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { acts } from '../../../kit/documents/acts.ts'
import { changed, made } from '../../../kit/documents/command.ts'
import { moreIds } from '../../../kit/documents/more-ids.ts'
import { numberOf, theRecord } from '../../../kit/documents/needs.ts'
import { instant } from '../../../kit/fields/kinds.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { type NewAdjustmentItem, StockAdjustment } from '../adjustments/noun.ts'
import { decideAdjustment } from '../adjustments/rules.ts'
import { causeOf } from '../cause.ts'
import { nameOf } from '../line-rules.ts'
import { quarantinedStock, unquarantinedStock } from '../pick-order.ts'
import type { PositionNeed } from '../position-load.ts'
import { notReversed } from '../reversals/fields.ts'
import type { Stock } from '../stock.ts'
import { stockOf } from '../stock-load.ts'
import { differences } from './lines.ts'
import { type Count, type CountLine, notEditable, StockCount } from './noun.ts'
import { refuseEnded } from './rules.ts'

/** Refuses as `refuseEnded` and `refuseTracked` do, `insufficient_stock`, and for a closed date. */
export const completeCount = acts(StockCount, 'complete', {
  scope: 'write:inventory.adjustment.create',
  summary: 'Complete a stock count',
  description:
    'Books the `difference` of each line, not the counted quantity, so that what moved since stays moved: one stock adjustment ' +
    '(reason COUNT) of all lines with a difference, at the costs of an adjustment. An outflow takes quarantined stock too, after ' +
    'the other. A stock that would fall below 0 is 409 `insufficient_stock`, and nothing is booked: count that line anew. Without ' +
    'a difference there is no adjustment. 409 `conflict` says that the place is archived, or that a variant is batch-tracked now ' +
    'and was not then.',
  body: { date: instant().decided() },
  example: {},
  refusals: [notEditable, 'insufficient_stock', 'conflict', 'unprocessable'],
  counts: true,
  ids: () => 1,
  needs: (_body, _actor, { id = '' }) => ({
    differences: differences(id),
    number: numberOf(StockAdjustment, null),
  }),
  more: ({ record }, { differences: lines }) => ({
    place: theRecord(StoragePlace, record.storage_place_id),
    stock: stockOf({
      positions: lines.flatMap(line => positionsOf(record, line)),
      batches: lines.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }])),
    }),
    // An outflow may make two movements, of stock and of quarantined stock.
    ids: moreIds(lines.reduce((sum, { difference }) => sum + (difference < 0n ? 2 : 1), 0)),
  }),
  decide: ({ record: before, body }, facts, { now, tenant, work }) => {
    const date = body.date ?? now
    const { differences: lines, place, stock } = facts
    const refused = refuseEnded(before) ?? refuseDocumentDate({ field: 'date', date, now, tenant })
    if (refused) return refused
    const completed = { ...before, status: 'DONE', completed_at: now } as const
    const event = 'completed'
    if (lines.length === 0)
      return changed(work, StockCount, { before, after: work.change(StockCount, completed), event })
    const conflict = place?.archived
      ? refuse('conflict', `the storage place ${place.title} is archived`)
      : refuseTracked(stock, lines)
    if (conflict) return conflict
    const id = work.newId()
    const number = facts.number.take()
    const items = decideAdjustment(stock, {
      cause: causeOf(StockAdjustment, 'ADJUSTMENT', { id, date }),
      storagePlaceId: before.storage_place_id,
      number,
      items: lines.map(itemOf),
      ofCount: { nameOfLine: index => `line ${lines[index]?.id}` },
    })
    if (isRefusal(items)) return items.refusal === 'validation_failed' ? { ...items, refusal: 'conflict' } : items
    const booked = made(
      work,
      StockAdjustment,
      work.make(StockAdjustment, {
        id,
        number,
        storage_place_id: before.storage_place_id,
        date,
        reason: 'COUNT',
        notes: null,
        external_ref: null,
        metadata: {},
        stock_count_id: before.id,
        created_at: now,
        ...notReversed(now),
        total_amount: items.reduce((sum, line) => sum + line.amount, 0n),
        items,
      }),
    )
    const after = work.change(StockCount, { ...completed, adjustment_id: id })
    const told = changed(work, StockCount, { before, after, event })
    return { ...told, events: [...booked.events, ...told.events] }
  },
})

/** Where a line's difference is booked. Without a batch an outflow is picked, quarantined stock last. */
function positionsOf({ storage_place_id: storagePlaceId }: Count, line: CountLine): readonly PositionNeed[] {
  const where = { itemVariantId: line.item_variant_id, storagePlaceId }
  if (line.difference > 0n || line.batch_id !== null) return [where]
  const quantity = -line.difference
  return [unquarantinedStock, quarantinedStock].map(order => ({ ...where, take: { quantity, order } }))
}

/** Refuses `conflict` for a line without a batch whose variant is batch-tracked now: it is unknown which batch differs. */
function refuseTracked(stock: Stock, lines: readonly CountLine[]): Refusal | null {
  for (const { id, item_variant_id, batch_id } of lines) {
    const variant = stock.variants.get(item_variant_id)
    if (variant?.batchTracked && batch_id === null)
      return refuse('conflict', `line ${id}: ${nameOf(variant)} is batch-tracked now; count its batches`)
  }
  return null
}

/** The line as the body of an adjustment has it. */
const itemOf = ({ item_variant_id, batch_id, difference }: CountLine): NewAdjustmentItem => ({
  item_variant_id,
  batch_id,
  quantity: difference,
  counted_quantity: null,
  value_change: null,
  expected_quantity: null,
  batch_number: null,
  manufacture_date: null,
  expiry_date: null,
})
