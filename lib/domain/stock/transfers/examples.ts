/** The writes that lead to the events of stock transfers. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { stockExample } from '../adjustments/examples.ts'

/** A transfer into quarantine needs only one place. */
async function quarantined(caller: Caller): Promise<string> {
  const { item_variant_id, storage_place_id } = await stockExample(caller)
  const { id } = await caller.post('/stock-transfers', {
    from_storage_place_id: storage_place_id,
    to_storage_place_id: storage_place_id,
    items: [{ item_variant_id, quantity: 1, to_quarantine: true }],
  })
  return id
}

export const examples: EventExamples = {
  'stock_transfer.created': quarantined,
  'stock_transfer.updated': patched('/stock-transfers', quarantined, { notes: 'Triggered' }),
  'stock_transfer.reversed': acted('/stock-transfers', quarantined, 'reverse', { reason: 'Triggered' }),
}
