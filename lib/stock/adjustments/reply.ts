/**
 * What a stock adjustment's document holds (contract 2, "Stock adjustment"), for OpenAPI and for tests of real answers. The
 * SQL that renders it is in `queries.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import { choice, decimal, explained, idText, instant, orNull, plainText } from '../../api/reply-fields.ts'
import { adjustmentReasons } from './schemas.ts'

const AdjustmentItem = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  batch_id: orNull(idText()),
  batch_number: orNull(plainText()),
  quantity: explained(decimal(), 'signed; 0 for a count equal to the stock'),
  quantity_before: explained(decimal(), 'of the stock row that the line touches'),
  quantity_after: explained(decimal(), 'of the stock row that the line touches'),
  unit_cost: explained(
    decimal(),
    'the given cost of an inflow, else the average cost before the line; at an empty place the purchase price, else 0',
  ),
  amount: explained(decimal(4), 'what the line added to the stock value, signed'),
})

export const Adjustment = shape({
  id: idText(),
  number: plainText(),
  storage_place_id: orNull(idText()),
  date: instant(),
  reason: choice(adjustmentReasons),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  created_at: instant(),
  total_amount: explained(decimal(4), 'sum of the amounts'),
  items: explained(v.array(AdjustmentItem), 'one per stock row touched, in the order sent'),
})
