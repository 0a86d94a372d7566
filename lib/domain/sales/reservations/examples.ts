/** The writes that lead to the events of holds. */
import { setTimeout as delay } from 'node:timers/promises'
import { acted, type Caller, type EventExamples, patched } from '../../../kit/documents/examples.ts'
import { partnerExample } from '../../partners/examples.ts'
import { stockExample } from '../../stock/adjustments/examples.ts'

const HOLD_MS = { long: 3_600_000, short: 3_000, patience: 20_000 }

async function held(caller: Caller, ms = HOLD_MS.long) {
  const { item_variant_id, storage_place_id } = await stockExample(caller)
  const items = [{ item_variant_id, storage_place_id, quantity: 2 }]
  const { id } = await caller.post('/reservations', { expires_at: new Date(Date.now() + ms).toISOString(), items })
  return { id: id as string, items }
}

const reservation = async (caller: Caller) => (await held(caller)).id

/** The hold ends by itself soon after its time. */
async function expired(caller: Caller): Promise<void> {
  const { id } = await held(caller, HOLD_MS.short)
  const until = Date.now() + HOLD_MS.patience
  while ((await caller.get(`/reservations/${id}`)).status === 'HELD' && Date.now() < until) await delay(500)
}

async function consumed(caller: Caller): Promise<void> {
  const { id, items } = await held(caller)
  await caller.post('/sales-orders', { customer: partnerExample, reservation_id: id, items })
}

export const examples: EventExamples = {
  'reservation.created': reservation,
  'reservation.updated': patched('/reservations', reservation, { notes: 'Triggered' }),
  'reservation.released': acted('/reservations', reservation, 'release'),
  'reservation.expired': expired,
  'reservation.consumed': consumed,
}
