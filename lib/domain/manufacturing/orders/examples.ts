/** The writes that lead to the events of manufacturing orders. */
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { variantExample } from '../../catalogue/examples.ts'
import { placeExample } from '../../places/examples.ts'

const PATH = '/manufacturing-orders'

async function order(caller: Caller): Promise<string> {
  await placeExample(caller)
  return (await caller.post(PATH, { item_variant_id: await variantExample(caller), quantity: 2 })).id
}

const start = acted(PATH, order, 'start')
const block = acted(PATH, order, 'block', { reason: 'Triggered' })
const started = async (caller: Caller): Promise<string> => (await start(caller)).id
const blocked = async (caller: Caller): Promise<string> => (await block(caller)).id

export const examples: EventExamples = {
  'manufacturing_order.created': order,
  'manufacturing_order.updated': patched(PATH, order, { notes: 'Triggered' }),
  'manufacturing_order.started': start,
  'manufacturing_order.partially_done': acted(PATH, started, 'complete', { quantity: 1 }),
  'manufacturing_order.done': acted(PATH, started, 'complete'),
  'manufacturing_order.blocked': block,
  'manufacturing_order.unblocked': acted(PATH, blocked, 'unblock'),
  'manufacturing_order.deleted': async caller => caller.remove(`${PATH}/${await order(caller)}`),
}
