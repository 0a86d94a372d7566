/** The clients that keep every tenant of a rig busy. Each repeats a write with its key until it has an answer. */
import { setTimeout as delay } from 'node:timers/promises'
import { randomSource } from '../../bench/grow/plan.ts'
import type { Reply } from '../support/client.ts'
import type { Heard, Sent } from './journal.ts'
import type { Rig } from './rig.ts'
import type { Tenant } from './tenants.ts'
import type { Walk } from './walk.ts'
import { walks } from './walks.ts'
import type { Bulk, Write } from './writes.ts'

/** A client aborts a request that takes this long, and sends it again. The service promises an answer within 15 s. */
const PATIENCE_MS = 20_000
const REPEAT_AFTER_MS = 100

type Name = keyof typeof walks
const everyWalk = Object.keys(walks) as Name[]

export type LoadOptions = {
  /** Clients for each tenant. */
  readonly clients?: number
  /** The average pause between two walks of a client. */
  readonly pauseMs?: number
  /** Decides the order of the walks. */
  readonly seed?: number
}

export type Load = {
  /** Identical requests that were sent beside an open one, and requests that the client aborted. */
  readonly figures: { duplicates: number; hangUps: number }
  /** Ends it after every walk has ended. */
  stop(): Promise<void>
  /** Ends it without waiting for open requests. */
  giveUp(): void
}

/** What is sent until it is answered. */
type Sending = { readonly send: (signal: AbortSignal) => Promise<Reply>; readonly hear: (reply: Reply | null) => Heard }
/** One request of a client: a write, or a bulk of writes. */
type Request = Sending & { readonly answer: () => Sent['answer'] }

const DRY = { 'dry-run': 'true' }

export function startLoad(
  rig: Pick<Rig, 'journal' | 'tenants'>,
  { clients = 2, pauseMs = 0, seed = 1 }: LoadOptions = {},
): Load {
  const { journal } = rig
  const figures = { duplicates: 0, hangUps: 0 }
  const state = { isStopped: false, isGivenUp: false }

  const requestOf = (tenant: Tenant, next: Write | Bulk): Request => {
    const { client } = tenant
    if (!('entries' in next)) {
      const sent = journal.note(tenant, next)
      const { method, path, body, key } = next
      return {
        send: signal => client.request(method, path, { body, key, signal }),
        hear: reply => journal.hear(sent, reply),
        answer: () => sent.answer,
      }
    }
    const entries = next.entries.map(write => journal.note(tenant, write))
    const requests = next.entries.map(({ method, path, body, key }) => ({ method, path, idempotency_key: key, body }))
    return {
      send: signal => client.request('POST', '/bulk', { body: { mode: next.mode, requests }, key: null, signal }),
      hear: reply => journal.hearBulk(next, entries, reply),
      answer: () => entries.map(({ answer }) => answer),
    }
  }

  /**
   * The same request as a dry run. undefined: it is a bulk that allows none. It has the key of the write, which later finds no record of
   * the dry run.
   */
  const dryRunOf = (tenant: Tenant, next: Write | Bulk): Sending | undefined => {
    const { client } = tenant
    if (!('entries' in next)) {
      const { method, path, body, key } = next
      return {
        send: signal => client.request(method, path, { body, key, signal, headers: DRY }),
        hear: reply => journal.hearDry({ tenant, write: next }, reply),
      }
    }
    if (next.mode === 'each') return undefined
    const requests = next.entries.map(({ method, path, body, key }) => ({ method, path, idempotency_key: key, body }))
    const entries = next.entries.map(write => ({ tenant, write }))
    return {
      send: signal => client.request('POST', '/bulk', { body: { mode: 'all', requests }, signal, headers: DRY }),
      hear: reply => journal.hearDryBulk(entries, reply),
    }
  }

  const attempt = async ({ send, hear }: Sending, patienceMs = PATIENCE_MS): Promise<Heard> =>
    hear(await send(AbortSignal.timeout(patienceMs)).catch(() => null))

  const untilAnswered = async (request: Sending): Promise<Heard> => {
    for (;;) {
      const heard = await attempt(request)
      if (heard === 'done' || heard === 'wrong' || state.isGivenUp) return heard
      await delay(REPEAT_AFTER_MS)
    }
  }

  /**
   * Of ten walks, one sends each request twice, one aborts and repeats each request, one runs each request dry before it sends it, and one
   * runs its first request dry and never sends it.
   */
  const take = async (tenant: Tenant, walk: Walk, number: number): Promise<void> => {
    for (let next = walk.next(); !next.done; ) {
      const isDry = number % 10 === 2 || number % 10 === 7
      const dryRun = isDry ? dryRunOf(tenant, next.value) : undefined
      if (dryRun && (await untilAnswered(dryRun)) !== 'done') return
      if (dryRun && number % 10 === 7) return
      const request = requestOf(tenant, next.value)
      const beside = number % 10 === 4 ? [untilAnswered(request)] : []
      figures.duplicates += beside.length
      if (number % 10 === 9) {
        figures.hangUps++
        await attempt(request, 1 + (number % 7))
      }
      const heard = await Promise.all([untilAnswered(request), ...beside])
      if (heard.some(each => each !== 'done')) return
      next = walk.next(request.answer())
    }
  }

  const run = async (tenant: Tenant, random: () => number): Promise<void> => {
    while (!state.isStopped) {
      const number = ++tenant.walks
      const name = everyWalk[Math.floor(random() * everyWalk.length)] ?? 'adjust'
      const quantity = (whole: number) => Number((whole + number / 1e6).toFixed(6))
      await take(tenant, walks[name]({ tenant, mark: `${tenant.name}-${number}-${name}`, quantity }), number)
      if (pauseMs > 0) await delay(2 * pauseMs * random())
    }
  }
  const running = rig.tenants.flatMap((tenant, at) =>
    Array.from({ length: clients }, (_, client) => run(tenant, randomSource(seed + 1_000 * at + client))),
  )
  return {
    figures,
    stop: async () => {
      state.isStopped = true
      await Promise.all(running)
    },
    giveUp: () => {
      state.isStopped = true
      state.isGivenUp = true
    },
  }
}
