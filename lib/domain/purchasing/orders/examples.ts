/** The writes that lead to the events of purchase orders. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { variantExample } from '../../catalogue/examples.ts'
import { partnerExample } from '../../partners/examples.ts'

export async function orderExample(caller: Caller): Promise<string> {
  const items = [{ item_variant_id: await variantExample(caller), quantity: 2 }]
  return (await caller.post('/purchase-orders', { supplier: partnerExample, items })).id
}

export const examples: EventExamples = {
  'purchase_order.created': orderExample,
  'purchase_order.updated': patched('/purchase-orders', orderExample, { notes: 'Triggered' }),
  'purchase_order.done': acted('/purchase-orders', orderExample, 'close', { reason: 'Triggered' }),
}
