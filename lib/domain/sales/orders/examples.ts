/** The writes that lead to the events of sales orders. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { partnerExample } from '../../partners/examples.ts'
import { stockExample } from '../../stock/adjustments/examples.ts'

const PATH = '/sales-orders'

export async function orderExample(caller: Caller): Promise<string> {
  const { item_variant_id, storage_place_id } = await stockExample(caller)
  const items = [{ item_variant_id, storage_place_id, quantity: 2 }]
  return (await caller.post(PATH, { customer: partnerExample, items })).id
}

export const examples: EventExamples = {
  'sales_order.created': orderExample,
  'sales_order.updated': patched(PATH, orderExample, { notes: 'Triggered' }),
  'sales_order.shipped': acted(PATH, orderExample, 'shipments'),
  'sales_order.done': patched(PATH, orderExample, { status: 'DONE' }),
  'sales_order.cancelled': patched(PATH, orderExample, { status: 'CANCELLED', cancel_reason: 'Triggered' }),
}
