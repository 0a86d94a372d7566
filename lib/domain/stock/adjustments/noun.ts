/** What a stock adjustment is. Its texts stay as they were, whatever is renamed later. */

import { created, filtersOf, manyIds, uniqueCode, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf, sentLines } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  cost,
  day,
  identifier,
  instant,
  key,
  longText,
  price,
  quantity,
  reference,
  signedCost,
  text,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../batches/noun.ts'
import { REVERSAL, reversalFields, reversalFilters } from '../reversals/fields.ts'

const adjustmentReasons = {
  CORRECTION: 'the books were wrong',
  COUNT: 'a count',
  DAMAGE: 'broken goods',
  LOSS: 'lost or stolen goods',
  EXPIRED: 'goods beyond their date',
  INITIAL: 'the first stock',
  OTHER: 'anything else',
  REVALUATION: 'the goods are worth less, or more again: lines with `value_change`',
} as const

/** One stock entry that the adjustment changes. */
const StockAdjustmentItem = lineOf({
  table: 'stock_adjustment_items',
  parent: 'stock_adjustment_id',
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: reference(Variant),
    sku: text().orNull(),
    title: text(),
    batch_id: reference(Batch).orNull(),
    batch_number: text().orNull(),
    quantity: quantity().words('signed; 0 for a count equal to the stock, and where the value alone changed'),
    quantity_before: quantity().words('of the stock row that the line touches'),
    quantity_after: quantity().words('of the stock row that the line touches'),
    unit_cost: price().words(
      'the given cost of an inflow, else the average cost before the line; at an empty place the purchase price, else 0',
    ),
    amount: cost().words('what the line added to the stock value, signed'),
  },
})

/** A line of a body. It becomes a line for each stock entry that it changes. */
const sentItems = sentLines({
  item_variant_id: variant().writable('create'),
  quantity: quantity().words('signed, not 0; or say what was counted').orNull().writable('create'),
  counted_quantity: quantity({ min: '0' })
    .words('what was counted: the difference to the stock is posted; instead of `quantity`')
    .orNull()
    .writable('create'),
  expected_quantity: quantity({ min: '0' })
    .words('the stock that you know: is it another now, the answer is 409 `stock_changed`')
    .orNull()
    .writable('create'),
  value_change: signedCost()
    .words(
      "instead of a quantity: what the stock of the variant at the place becomes worth more (or, negative, less), in the tenant's currency; with `reason` REVALUATION",
    )
    .orNull()
    .writable('create'),
  unit_cost: price()
    .words(
      "what a unit of an inflow cost, in the tenant's currency; by default the average cost, at an empty place the purchase price",
    )
    .decided()
    .writable('create'),
  batch_id: reference(Batch).orNull().writable('create'),
  batch_number: identifier().orNull().writable('create'),
  manufacture_date: day().orNull().writable('create'),
  expiry_date: day().orNull().writable('create'),
})

export const LINES_MAX = 500

export const StockAdjustment = noun({
  name: 'stock adjustment',
  table: 'stock_adjustments',
  path: '/stock-adjustments',
  tag: ['Stock adjustments', 'Corrections and counts of stock, all or nothing.'],
  events: {
    created: 'Stock was adjusted.',
    updated: 'What is noted of a stock adjustment changed.',
    reversed: 'A stock adjustment was reversed.',
  },
  posts: { as: 'a stock adjustment', kinds: { ADJUSTMENT: 'a correction or a count', ...REVERSAL } },
  scopes: {
    read: 'read:stock',
    create: 'write:inventory.adjustment.create',
    update: 'write:inventory.adjustment.create',
  },
  fields: {
    id: key(),
    number: code().counted('SA').writable('create'),
    // Undefined adjusts the main place, null the stock without a place.
    storage_place_id: reference(StoragePlace)
      .words('the place, the main one unless given; null is stock without a place')
      .orNull()
      .decided()
      .writable('create'),
    date: instant().decided().writable('create'),
    reason: choice(adjustmentReasons).words('why the stock is corrected').default('CORRECTION').writable('create'),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    /**
     * No foreign key: counts refer to adjustments, and foreign keys must not form a circle. lib/tools/reconcile/counts.ts checks this
     * reference.
     */
    stock_count_id: reference()
      .words('the stock count whose differences it books; null: it books no stock count')
      .orNull(),
    created_at: instant(),
    ...reversalFields,
    total_amount: cost().words('sum of the amounts'),
    items: lines(StockAdjustmentItem, 'one per stock row touched, in the order sent'),
  },
  create: { items: sentItems.writable({ max: LINES_MAX }) },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    storage_place_id: manyIds(),
    ...created,
    ...reversalFilters,
  }),
  listed: '`created_after` is inclusive, `created_before` exclusive.',
  read: 'As it was posted: a later change of a sku or title does not show. A reversed adjustment stays as it was, and says so.',
})

export type Adjustment = RecordOf<typeof StockAdjustment>
export type AdjustmentLine = RecordOf<typeof StockAdjustmentItem>

export type NewAdjustment = CreateOf<typeof StockAdjustment>
export type NewAdjustmentItem = NewAdjustment['items'][number]
