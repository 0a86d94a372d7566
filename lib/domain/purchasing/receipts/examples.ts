/** The writes that lead to the events of purchase receipts. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { placeExample } from '../../places/examples.ts'
import { orderExample } from '../orders/examples.ts'

export async function receiptExample(caller: Caller): Promise<string> {
  const path = `/purchase-orders/${await orderExample(caller)}/receipts`
  return (await caller.post(path, { storage_place_id: await placeExample(caller) })).id
}

export const examples: EventExamples = {
  'purchase_receipt.created': receiptExample,
  'purchase_receipt.updated': patched('/purchase-receipts', receiptExample, { notes: 'Triggered' }),
  'purchase_receipt.reversed': acted('/purchase-receipts', receiptExample, 'reverse', { reason: 'Triggered' }),
}
