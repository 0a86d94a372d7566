/** What a stock adjustment is: it keeps what it answered, whatever is renamed later. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  choice,
  cost,
  explained,
  instant,
  key,
  nullable,
  price,
  quantity,
  reference,
  text,
} from '../../../kit/documents/field.ts'
import { StoragePlace } from '../../places/document.ts'

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
    sku: nullable(text()),
    title: text(),
    batch_id: nullable(reference()),
    batch_number: nullable(text()),
    quantity: explained(quantity(), 'signed; 0 for a count equal to the stock'),
    quantity_before: explained(quantity(), 'of the stock row that the line touches'),
    quantity_after: explained(quantity(), 'of the stock row that the line touches'),
    unit_cost: explained(
      price(),
      'the given cost of an inflow, else the average cost before the line; at an empty place the purchase price, else 0',
    ),
    amount: explained(cost(), 'what the line added to the stock value, signed'),
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
    storage_place_id: nullable(reference(StoragePlace)),
    date: instant(),
    reason: choice(adjustmentReasons),
    notes: nullable(text()),
    external_ref: nullable(text()),
    created_at: instant(),
    total_amount: explained(cost(), 'sum of the amounts'),
    items: lines(StockAdjustmentItem, 'one per stock row touched, in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type AdjustmentLine = RecordOf<typeof StockAdjustmentItem>
