/**
 * Owns readers that follow a tenant's events through every attack: each comes again with the last id whenever its stream ends,
 * and knows what it was told.
 */
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { rows } from '../../lib/postgres/postgres.ts'
import { openStream, StreamRefused } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import type { Rig } from './rig.ts'

const PAUSE_MS = 50
/** Over all server processes, so that whichever is killed has one. */
const READERS = 4

export type Follower = {
  /** What was wrong: gaps, repeats, refusals that no outage excuses. */
  readonly faults: readonly string[]
  readonly figures: { events: number; streams: number }
  /** Ends it once each was told of everything up to the last event of the tenant. */
  stop(): Promise<void>
  /** Ends it whatever it has not been told. */
  giveUp(): void
}

/** Follows the rig's tenant from its next event on, by several readers. */
export async function startFollower(rig: Rig): Promise<Follower> {
  const target = { url: rig.url, token: rig.tenant.token }
  const faults: string[] = []
  const figures = { events: 0, streams: 0 }
  const begin = await lastSequence(rig)
  const lasts = Array.from({ length: READERS }, () => begin)
  let isStopped = false
  const follow = async (reader: number) => {
    let last = lasts[reader] ?? 0
    const stream = await openStream(target, '/events/stream', { 'last-event-id': String(last) })
    figures.streams++
    let taken = 0
    const take = () => {
      for (const { id } of stream.received.slice(taken)) {
        if (id !== last + 1) faults.push(`event ${id} came behind ${last}`)
        last = id
        lasts[reader] = id
        figures.events++
      }
      taken = stream.received.length
    }
    for (; !stream.isClosed && !isStopped; await delay(PAUSE_MS)) take()
    take()
    stream.close()
  }
  const following = lasts.map(async (_, reader) => {
    for (; !isStopped; await delay(PAUSE_MS))
      await follow(reader).catch((error: unknown) => {
        // Whoever was killed leaves its places taken for a while; what is away is away.
        if (error instanceof StreamRefused && ![429, 503].includes(error.status)) faults.push(error.message)
      })
  })
  return {
    faults,
    figures,
    stop: async () => {
      const end = await lastSequence(rig)
      await eventually(() => lasts.every(last => last >= end), { timeoutMs: 60_000, what: `event ${end}` }).catch(
        error => faults.push(`${error.message}; the last were ${lasts}`),
      )
      isStopped = true
      await Promise.all(following)
    },
    giveUp: () => {
      isStopped = true
    },
  }
}

async function lastSequence({ pool, tenant }: Rig): Promise<number> {
  const { last } = await pool.one(rows(v.object({ last: v.string() }))`
    select event_sequence::text as last from tenant_streams where tenant_id = ${tenant.id}::bigint`)
  return Number(last)
}
