/** The writes that lead to the events of landed costs. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { receiptExample } from '../receipts/examples.ts'

async function landedCost(caller: Caller): Promise<string> {
  const items = [{ title: 'Triggered freight', amount: 12.5 }]
  return (await caller.post('/landed-costs', { purchase_receipt_id: await receiptExample(caller), items })).id
}

export const examples: EventExamples = {
  'landed_cost.created': landedCost,
  'landed_cost.updated': patched('/landed-costs', landedCost, { notes: 'Triggered' }),
  'landed_cost.reversed': acted('/landed-costs', landedCost, 'reverse', { reason: 'Triggered' }),
}
