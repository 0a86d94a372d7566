/** The writes that lead to the events of stock counts. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { stockExample } from '../adjustments/examples.ts'

async function count(caller: Caller): Promise<string> {
  const { item_variant_id, storage_place_id } = await stockExample(caller)
  const items = [{ item_variant_id, counted_quantity: 9 }]
  return (await caller.post('/stock-counts', { storage_place_id, items })).id
}

export const examples: EventExamples = {
  'stock_count.created': count,
  'stock_count.updated': patched('/stock-counts', count, { notes: 'Triggered' }),
  'stock_count.completed': acted('/stock-counts', count, 'complete'),
  'stock_count.cancelled': acted('/stock-counts', count, 'cancel'),
}
