/** What a stock count is: people count at a place while goods move, and each line keeps the stock of that moment (docs/rules/stock.md). */

import { errorCode } from '../../../kit/api/errors.ts'
import {
  changes,
  created,
  filtersOf,
  manyIds,
  someTexts,
  uniqueCode,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { document, type RecordOf, sentLines } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { ChangeOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  day,
  flag,
  identifier,
  instant,
  key,
  longText,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { StockAdjustment } from '../adjustments/noun.ts'
import { Batch } from '../batches/noun.ts'

export const notEditable = errorCode(import.meta, 'stock_count_not_editable', {
  status: 409,
  meaning: 'The stock count is done or cancelled.',
})

const countStatuses = {
  OPEN: 'people count',
  DONE: 'the differences are booked',
  CANCELLED: 'nothing was booked, and nothing will be',
} as const

/** The most entries of one body. */
const ENTRIES_MAX = 500
export const COUNT_LINES_MAX = 2_000

const countedBatch = {
  batch_id: reference(Batch).orNull().writable('create'),
  batch_number: identifier()
    .words('the number of the batch; a number that is new makes a batch')
    .orNull()
    .writable('create'),
  manufacture_date: day().orNull().writable('create'),
  expiry_date: day().orNull().writable('create'),
}
const counted = () => quantity({ min: '0' }).words('what is physically there, quarantined stock included')

/** The entries in the body of a new count. */
const newItems = sentLines(
  { item_variant_id: variant().writable('create'), ...countedBatch, counted_quantity: counted().writable('create') },
  'what is counted so far',
)

/** The entries in the body of a change. */
const changedItems = sentLines(
  {
    item_variant_id: variant().writable('create'),
    ...countedBatch,
    counted_quantity: counted()
      .words('what is physically there; required unless the line goes')
      .decided()
      .writable('create'),
    remove: flag().words('whether the line of this variant and batch goes').default(false).writable('create'),
  },
  'what is counted: the line of a variant and batch that has one is counted anew, else a line is added',
)

export const StockCount = noun({
  name: 'stock count',
  table: 'stock_counts',
  path: '/stock-counts',
  tag: ['Stock counts', 'Counts of a place, which may take hours while goods move.'],
  events: {
    created: 'A stock count began.',
    updated: 'Something was counted, or what is noted of a stock count changed.',
    completed: 'The differences of a stock count were booked.',
    cancelled: 'A stock count was cancelled.',
  },
  scopes: {
    read: 'read:stock',
    create: 'write:inventory.adjustment.create',
    update: 'write:inventory.adjustment.create',
  },
  fields: {
    id: key(),
    number: code().counted('SC').writable('create'),
    title: text().orNull().writable(),
    storage_place_id: reference(StoragePlace)
      .words('the place, the main one unless given; null is stock without a place')
      .orNull()
      .decided()
      .writable('create'),
    status: choice(countStatuses).words('where the count stands'),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    line_count: whole().words('how many lines were counted; the list of items has them'),
    difference_count: whole().words('how many of them differ from what was there'),
    adjustment_id: reference(StockAdjustment)
      .words('the stock adjustment that booked the differences; null: not done, or there was none')
      .orNull(),
    created_at: instant(),
    updated_at: instant(),
    completed_at: instant().words('when it was completed').orNull(),
  },
  create: { items: newItems.writable({ min: 0, max: ENTRIES_MAX, absent: 'filled' }) },
  change: { items: changedItems.writable({ max: ENTRIES_MAX, absent: 'decided', by: 'whole' }) },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    status: someTexts(countStatuses),
    storage_place_id: manyIds(),
    ...created,
    ...changes,
  }),
  listed: 'Their lines are in the list of items of each. `created_after` is inclusive, `created_before` exclusive.',
  read: 'The count without its lines, of which it may have 2,000: these are in its list of items.',
})

/** A line: the stock and the counted quantity at the time of the command that counted it. */
export const StockCountItem = document({
  kind: 'stock_count_item',
  noun: 'line of a stock count',
  table: 'stock_count_items',
  fields: {
    id: key(),
    stock_count_id: reference(StockCount).hidden(),
    item_id: reference(Item),
    item_variant_id: reference(Variant),
    sku: text().orNull(),
    title: text(),
    batch_id: reference(Batch).orNull(),
    batch_number: text().orNull(),
    expected_quantity: quantity().words('what was physically there when it was counted, quarantined stock included'),
    counted_quantity: quantity().words('what was counted'),
    difference: quantity().words('`counted_quantity` less `expected_quantity`: what the completion books'),
    counted_at: instant().words('when it was counted'),
    counted_by_user_name: text()
      .words('the user named by the key that counted it; null for a key issued without a name')
      .orNull(),
  },
})

export type Count = RecordOf<typeof StockCount>
export type CountLine = RecordOf<typeof StockCountItem>

export type NewCount = CreateOf<typeof StockCount>
export type CountChange = ChangeOf<typeof StockCount>
export type CountEntry = NonNullable<CountChange['items']>[number]
