/** The writes that lead to the events of stock adjustments, and of stock. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { variantExample } from '../../catalogue/examples.ts'
import { placeExample } from '../../places/examples.ts'

/** A new variant with stock at a place, and the adjustment that booked the stock. */
export async function stockExample(caller: Caller) {
  const item_variant_id = await variantExample(caller)
  const storage_place_id = await placeExample(caller)
  const items = [{ item_variant_id, quantity: 10, unit_cost: 4.2 }]
  const { id } = await caller.post('/stock-adjustments', { storage_place_id, reason: 'INITIAL', items })
  return { item_variant_id, storage_place_id, adjustmentId: id as string }
}

const adjustment = async (caller: Caller) => (await stockExample(caller)).adjustmentId

export const examples: EventExamples = {
  'stock.changed': stockExample,
  'stock_adjustment.created': stockExample,
  'stock_adjustment.updated': patched('/stock-adjustments', adjustment, { notes: 'Triggered' }),
  'stock_adjustment.reversed': acted('/stock-adjustments', adjustment, 'reverse', { reason: 'Triggered' }),
}
