/** The writes that lead to the events of kits. */
import type { EventExamples } from '../../../kit/documents/examples.ts'
import { stockExample } from '../adjustments/examples.ts'

export const examples: EventExamples = {
  'kit.changed': async caller => {
    const { item_variant_id, storage_place_id } = await stockExample(caller)
    const components = [{ item_variant_id, quantity: 2 }]
    await caller.post('/products', { title: 'Triggered set', type: 'KIT', price: 20, components })
    const items = [{ item_variant_id, quantity: 4, unit_cost: 4.2 }]
    await caller.post('/stock-adjustments', { storage_place_id, items })
  },
}
