/** The commands of stock counts before completion: make, count lines, cancel. */
import { isRefusal } from '../../../kit/api/errors.ts'
import { acts, changes } from '../../../kit/documents/acts.ts'
import { changed, type Deciding, isSame, made, namedUser } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import type { BatchNeed } from '../level-load.ts'
import { stockOf } from '../stock-load.ts'
import { addLine, linesOf } from './lines.ts'
import {
  type Count,
  type CountEntry,
  type CountLine,
  type NewCount,
  notEditable,
  StockCount,
  StockCountItem,
} from './noun.ts'
import { type Counted, decideEntries, refuseChange, refuseEnded, refuseEntries, refuseTooMany } from './rules.ts'

const entriesOf = ({ items }: NewCount): readonly CountEntry[] => items.map(item => ({ ...item, remove: false }))

/** The stock that the entries of a body name. */
const stockAt = (storagePlaceId: string | null, entries: readonly CountEntry[]) =>
  stockOf({
    positions: entries.map(({ item_variant_id: itemVariantId }) => ({ itemVariantId, storagePlaceId })),
    batches: entries.flatMap(({ item_variant_id: itemVariantId, batch_id: id, batch_number: number }): BatchNeed[] => {
      if (id !== null) return [{ id }]
      return number === null ? [] : [{ itemVariantId, number }]
    }),
  })

const stampOf = (deciding: Deciding) => ({
  counted_at: deciding.now,
  counted_by_user_name: namedUser(deciding),
})

/** Refuses `validation_failed` for a place, a batch, a variant that the body has twice, a taken number, and a closed date. */
export const createCount = creates(StockCount, {
  description:
    'A count of what is physically at a place, which may take hours while goods move. A line keeps `expected_quantity`, what was ' +
    'there when the line was counted. A batch-tracked variant needs its batch: `batch_id`, or `batch_number`, where a new number ' +
    'makes a batch. Without `storage_place_id` the main place is counted; null counts stock without a place. Nothing is booked ' +
    'until the count is completed.',
  example: {
    title: 'Shelves A to F',
    items: [{ item_variant_id: '1042', counted_quantity: 11 }],
  },
  refusals: ['unprocessable'],
  form: body => refuseEntries(entriesOf(body)),
  // Each line may make a batch.
  ids: body => 1 + 2 * body.items.length,
  needs: body => ({ place: theRecord(StoragePlace, body.storage_place_id), mainPlace }),
  more: (body, { mainPlace: main }) => ({
    stock: stockAt(body.storage_place_id === undefined ? (main?.id ?? null) : body.storage_place_id, entriesOf(body)),
  }),
  decide: (body, facts, deciding) => {
    const { now, tenant, work } = deciding
    const refused = refuseDocumentDate({ field: 'date', date: now, now, tenant }) ?? facts.refuseTaken()
    if (refused) return refused
    const refusedPlace = body.storage_place_id == null ? null : refusePlace('storage_place_id', facts.place)
    if (refusedPlace) return refusedPlace
    const count: Count = {
      id: work.newId(),
      number: facts.number.take(),
      title: body.title,
      storage_place_id: body.storage_place_id === undefined ? (facts.mainPlace?.id ?? null) : body.storage_place_id,
      status: 'OPEN',
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      line_count: 0,
      difference_count: 0,
      adjustment_id: null,
      created_at: now,
      updated_at: now,
      completed_at: null,
    }
    const counting = { stock: facts.stock, count, find: () => null, stamp: stampOf(deciding) }
    const counted = decideEntries(counting, entriesOf(body))
    return isRefusal(counted) ? counted : made(work, StockCount, work.make(StockCount, withLines(work, count, counted)))
  },
})

/** Refuses as `refuseChange` and `decideEntries` do, and for too many lines and a taken external_ref. */
export const changeCount = changes(StockCount, {
  description:
    'An entry of `items` counts a variant and batch: the line that it has is counted anew, with what is there now as ' +
    '`expected_quantity`; else a line is added. With `remove: true` the line goes. Lines that are not named stay; a count has at ' +
    'most 2,000. Of a count that is not OPEN only `notes`, `external_ref` and `metadata` change, else 409 ' +
    '`stock_count_not_editable`.',
  example: { items: [{ item_variant_id: '1042', counted_quantity: 12 }] },
  refusals: [notEditable],
  form: body => refuseEntries(body.items ?? []),
  ids: body => 2 * (body.items ?? []).length,
  needs: (body, _actor, { id = '' }) => ({ lines: linesOf(id, body.items ?? []) }),
  more: ({ record, body }) => ({ stock: stockAt(record.storage_place_id, body.items ?? []) }),
  decide: ({ record: before, body }, facts, deciding) => {
    const { work } = deciding
    const refused = refuseChange(before, body) ?? facts.refuseTaken(before.id)
    if (refused) return refused
    const next = merged(StockCount, before, body)
    if (body.items === undefined && isSame(before, next)) return { body: work.render(StockCount, before), events: [] }
    const counting = { stock: facts.stock, count: before, find: facts.lines, stamp: stampOf(deciding) }
    const counted = decideEntries(counting, body.items ?? [])
    if (isRefusal(counted)) return counted
    const after = withLines(work, next, counted)
    const tooMany = refuseTooMany(after.line_count)
    if (tooMany) return tooMany
    return changed(work, StockCount, { before, after: work.change(StockCount, after), event: 'updated' })
  },
})

/** Refuses as `refuseEnded` does. */
export const cancelCount = acts(StockCount, 'cancel', {
  scope: 'write:inventory.adjustment.create',
  summary: 'Cancel a stock count',
  description: 'Ends a count that books nothing. Its lines stay to be read.',
  body: {},
  example: {},
  refusals: [notEditable],
  decide: ({ record: before }, _facts, { work }) =>
    refuseEnded(before) ??
    changed(work, StockCount, {
      before,
      after: work.change(StockCount, { ...before, status: 'CANCELLED' }),
      event: 'cancelled',
    }),
})

const hasDifference = (line: Pick<CountLine, 'difference'> | null): number => (line && line.difference !== 0n ? 1 : 0)

/** Writes the lines. Returns the count with its new numbers of lines. */
function withLines(work: Work, count: Count, counted: readonly Counted[]): Count {
  let { line_count, difference_count } = count
  for (const each of counted) {
    const after = each.does === 'count' ? each.line : null
    difference_count += hasDifference(after) - hasDifference(each.before)
    line_count += (after ? 1 : 0) - (each.before ? 1 : 0)
    if (each.does === 'remove') work.remove(StockCountItem, each.before.id)
    else if (each.before === null) addLine(work, { id: work.newId(), ...each.line })
    else work.change(StockCountItem, { id: each.before.id, ...each.line })
  }
  return { ...count, line_count, difference_count }
}
