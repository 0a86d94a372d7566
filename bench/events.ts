/**
 * Events of the bench, for streams and webhooks: tenants without commands, and events committed as a worker commits them, at a
 * steady rate. It tells nobody of them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createTenant } from '../lib/access/tenants.ts'
import { type Pool, statement } from '../lib/platform/postgres/postgres.ts'
import { eventBody, newEventId } from '../lib/work/events.ts'

export const EVENTS_PER_SECOND = 100
/** About the size of a stock.changed event. */
const DATA = JSON.stringify({ id: '1042', title: 'Oak table', note: 'x'.repeat(300) })

export const newTenant = (pool: Pool): Promise<string> =>
  createTenant(pool, { name: 'Bench', ownerEmail: 'bench@example.com', plan: 'pro', currency: 'EUR' })

/** Commits so many events of a tenant, from this sequence on, in one transaction; resolves with their ids. */
export async function commitEvents(pool: Pool, tenantId: string, from: number, count: number): Promise<string[]> {
  const timestamp = new Date().toISOString()
  const entries = Array.from({ length: count }, (_, n) => {
    const [id, sequence] = [newEventId(), BigInt(from + n)]
    const { body } = eventBody(
      { type: 'stock.changed', data: DATA, previous: null },
      { id, timestamp, sequence, actor: null },
    )
    return { sequence: String(sequence), id, body }
  })
  await pool.query(statement`
    with stream as (
      update tenant_streams set event_sequence = ${String(from + count - 1)} where tenant_id = ${tenantId}
    )
    insert into events (tenant_id, sequence, type, body, created_at)
    select ${tenantId}::bigint, sequence, 'stock.changed', body, ${timestamp}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(sequence bigint, body text)`)
  return entries.map(({ id }) => id)
}

/** Calls `work` at the rate of the bench, on so many lanes in turn: a slow call holds up only the later ones of its lane. */
export async function steadily(count: number, lanes: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const last: Promise<unknown>[] = []
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, began + (n * 1_000) / EVENTS_PER_SECOND - performance.now()))
    last[n % lanes] = Promise.resolve(last[n % lanes]).then(() => work(n))
  }
  await Promise.all(last)
}
