/** What a stock adjustment is: it keeps what it answered, whatever is renamed later. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { choice, cost, instant, key, price, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { StoragePlace } from '../../places/noun.ts'

export const adjustmentReasons = {
  CORRECTION: 'the books were wrong',
  COUNT: 'a count',
  DAMAGE: 'broken goods',
  LOSS: 'lost or stolen goods',
  EXPIRED: 'goods beyond their date',
  INITIAL: 'the first stock',
  OTHER: 'anything else',
} as const

/** One stock row that the adjustment touches. */
const StockAdjustmentItem = lineOf({
  table: 'stock_adjustment_items',
  parent: 'stock_adjustment_id',
  fields: {
    id: key(),
    item_id: reference(),
    item_variant_id: reference(),
    sku: text().orNull(),
    title: text(),
    batch_id: reference().orNull(),
    batch_number: text().orNull(),
    quantity: quantity().words('signed; 0 for a count equal to the stock'),
    quantity_before: quantity().words('of the stock row that the line touches'),
    quantity_after: quantity().words('of the stock row that the line touches'),
    unit_cost: price().words(
      'the given cost of an inflow, else the average cost before the line; at an empty place the purchase price, else 0',
    ),
    amount: cost().words('what the line added to the stock value, signed'),
  },
})

export const StockAdjustment = document({
  kind: 'stock_adjustment',
  noun: 'stock adjustment',
  table: 'stock_adjustments',
  prefix: 'SA',
  fields: {
    id: key(),
    number: text(),
    storage_place_id: reference(StoragePlace).orNull(),
    date: instant(),
    reason: choice(adjustmentReasons),
    notes: text().orNull(),
    external_ref: text().orNull(),
    created_at: instant(),
    total_amount: cost().words('sum of the amounts'),
    items: lines(StockAdjustmentItem, 'one per stock row touched, in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type AdjustmentLine = RecordOf<typeof StockAdjustmentItem>
