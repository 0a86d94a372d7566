/**
 * A reader of each tenant's events that continues through every attack: it asks again with the last id whenever its stream ends, and must
 * get every event once and in order.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openStream, StreamRefused } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import type { Rig } from './rig.ts'
import type { Tenant } from './tenants.ts'

const PAUSE_MS = 100

export type Follower = {
  readonly figures: { events: number; streams: number }
  /** Ends it after it has got everything up to the last event of each tenant. The journal has the faults. */
  stop(): Promise<void>
  /** Ends it without waiting for events. */
  giveUp(): void
}

/** Follows every tenant of the rig from its next event on. */
export async function startFollower({ tenants, journal }: Pick<Rig, 'tenants' | 'journal'>): Promise<Follower> {
  const figures = { events: 0, streams: 0 }
  let isStopped = false
  const follow = async ({ client }: Tenant, last: { id: number }) => {
    const stream = await openStream(client, '/events/stream', { 'last-event-id': String(last.id) })
    figures.streams++
    let taken = 0
    const take = () => {
      for (const { id } of stream.received.slice(taken)) {
        if (id !== last.id + 1)
          journal.fault('other', `stream of tenant ${client.tenantId}`, `event ${id} came behind ${last.id}`)
        last.id = id
        figures.events++
      }
      taken = stream.received.length
    }
    for (; !stream.isClosed && !isStopped; await delay(PAUSE_MS)) take()
    take()
    stream.close()
  }
  const readers = await Promise.all(tenants.map(async tenant => ({ tenant, last: { id: await lastSequence(tenant) } })))
  const following = readers.map(async ({ tenant, last }) => {
    for (; !isStopped; await delay(PAUSE_MS))
      await follow(tenant, last).catch((error: unknown) => {
        // After a process is killed, its streams still count against the limits for a while.
        if (error instanceof StreamRefused && ![429, 503].includes(error.status))
          journal.fault('other', `stream of tenant ${tenant.client.tenantId}`, error.message)
      })
  })
  return {
    figures,
    stop: async () => {
      for (const { tenant, last } of readers) {
        const end = await lastSequence(tenant)
        await eventually(() => last.id >= end, { what: `event ${end} of ${tenant.name}` }).catch(error =>
          journal.fault(
            'other',
            `stream of tenant ${tenant.client.tenantId}`,
            `${error.message}; the last was ${last.id}`,
          ),
        )
      }
      isStopped = true
      await Promise.all(following)
    },
    giveUp: () => {
      isStopped = true
    },
  }
}

/** The sequence of a tenant's last event. */
export const lastSequence = ({ client, customerId }: Tenant): Promise<number> =>
  eventually(async () => {
    const { status, headers } = await client.get(`/customers/${customerId}`)
    return status === 200 && Number(headers.get('event-sequence'))
  })
