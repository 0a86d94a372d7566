/** The writes that lead to the events of batches. */
import { type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { placeExample } from '../../places/examples.ts'

async function batch(caller: Caller): Promise<string> {
  const { variants } = await caller.post('/products', { title: 'Triggered beans', batch_tracked: true })
  const items = [{ item_variant_id: variants[0].id, quantity: 10, batch_number: 'TRIGGERED-1' }]
  const storage_place_id = await placeExample(caller)
  const adjustment = await caller.post('/stock-adjustments', { storage_place_id, reason: 'INITIAL', items })
  return adjustment.items[0].batch_id
}

export const examples: EventExamples = {
  'batch.updated': patched('/batches', batch, { expiry_date: '2031-06-30' }),
}
