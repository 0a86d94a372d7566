/** The writes that lead to the events of sales returns. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { orderExample } from '../orders/examples.ts'

async function salesReturn(caller: Caller): Promise<string> {
  const order = await caller.get(`/sales-orders/${await orderExample(caller)}`)
  await caller.post(`/sales-orders/${order.id}/shipments`)
  const items = [{ sales_order_item_id: order.items[0].id, quantity: 1, reason: 'Triggered' }]
  return (await caller.post('/sales-returns', { sales_order_id: order.id, items })).sales_return.id
}

export const examples: EventExamples = {
  'sales_return.created': salesReturn,
  'sales_return.updated': patched('/sales-returns', salesReturn, { notes: 'Triggered' }),
  'sales_return.returned': acted('/sales-returns', salesReturn, 'receive'),
  'sales_return.cancelled': acted('/sales-returns', salesReturn, 'cancel', { reason: 'Triggered' }),
}
