/** The writes that lead to the events of shipments. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { orderExample } from '../orders/examples.ts'

async function shipment(caller: Caller): Promise<string> {
  return (await caller.post(`/sales-orders/${await orderExample(caller)}/shipments`)).id
}

export const examples: EventExamples = {
  'sales_shipment.created': shipment,
  'sales_shipment.updated': patched('/sales-shipments', shipment, { carrier: 'Triggered carrier' }),
  'sales_shipment.reversed': acted('/sales-shipments', shipment, 'reverse', { reason: 'Triggered' }),
}
