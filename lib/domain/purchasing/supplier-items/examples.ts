/** The writes that lead to the events of supplier items. */
import { type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { variantExample } from '../../catalogue/examples.ts'
import { supplierExample } from '../../partners/examples.ts'

async function supplierItem(caller: Caller): Promise<string> {
  const [supplier_id, item_variant_id] = [await supplierExample(caller), await variantExample(caller)]
  const item = { supplier_id, item_variant_id, conversion_rate: 12, price: 48 }
  return (await caller.post('/supplier-items', item)).id
}

export const examples: EventExamples = {
  'supplier_item.created': supplierItem,
  'supplier_item.updated': patched('/supplier-items', supplierItem, { price: 50 }),
}
