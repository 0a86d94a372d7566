/**
 * A web process, a worker and a webhook process, each with proxies of its own to PostgreSQL and Redis that can be broken. Tenants write,
 * read and get webhooks meanwhile, and a proof follows. The caller decides what is broken.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { scopes } from '../../lib/nouns.ts'
import { createPool, type Pool, rows } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { type Way, wayTo } from '../support/way.ts'
import { type Receiver, receiver } from '../webhooks/receiver.ts'

export const kinds = ['web', 'worker', 'webhook'] as const
export const stores = ['postgres', 'redis'] as const
type Kind = (typeof kinds)[number]
type Store = (typeof stores)[number]

/** The promised times, 5 s for a read, 15 s for a write and 2 s for operators, and the time that a busy machine may add. */
const ANSWER_MS_MAX = { read: 8_000, write: 18_000, operators: 4_000 }
const TENANTS = 3
const PAUSE_MS = 400
/** Operators ask less often than callers. */
const ASK_PAUSE_MS = 500

type Tenant = {
  readonly id: string
  readonly token: string
  readonly hook: Receiver
  /** The id of each acknowledged place, by the title that the caller gave it. */
  readonly acknowledged: Map<string, string>
}

export type BrokenWays = {
  readonly processes: Readonly<Record<Kind, TestProcess>>
  readonly ways: Readonly<Record<Kind, Readonly<Record<Store, Way>>>>
  readonly tenants: readonly Tenant[]
  readonly pool: Pool
  readonly close: () => Promise<void>
}

export async function openBrokenWays(): Promise<BrokenWays> {
  const services = await testServices()
  const waysOf = async () => {
    const [postgres, redis] = await Promise.all([wayTo(services.databaseUrl), wayTo(services.redisUrl)])
    return { postgres, redis }
  }
  const [web, worker, webhook] = await Promise.all([waysOf(), waysOf(), waysOf()])
  const ways = { web, worker, webhook }
  const start = (kind: Kind) =>
    startProcess(kind, {
      DATABASE_URL: ways[kind].postgres.url,
      REDIS_URL: ways[kind].redis.url,
      WEBHOOK_ALLOWED_NETWORKS: 'loopback',
      QUEUE_SHARDS: '2',
    })
  const started = await Promise.all(kinds.map(start))
  const processes = Object.fromEntries(kinds.map((kind, at) => [kind, started[at]])) as BrokenWays['processes']
  const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
  const pool = await createPool(services.databaseUrl, { size: 2, ...timeouts })
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => makeTenant(pool, processes.web.url)))
  return {
    processes,
    ways,
    tenants,
    pool,
    close: async () => {
      await Promise.all(started.map(each => each.end('SIGKILL')))
      await Promise.all(kinds.flatMap(kind => stores.map(store => ways[kind][store].close())))
      await Promise.all(tenants.map(({ hook }) => hook.close()))
      await pool.end()
      await services.close()
    },
  }
}

async function makeTenant(pool: Pool, url: string): Promise<Tenant> {
  const plan = { name: 'Broken', ownerEmail: 'owner@test.example', plan: 'pro', currency: 'EUR' } as const
  const id = await createTenant(pool, plan)
  const limits = { ...defaultLimits, ratePerMinute: 1_000_000, burst: 100_000, dailyDocuments: 1_000_000 }
  const key = await issueKey(pool, { tenantId: id, name: 'broken', scopes: [...scopes], ...limits })
  if (!key) throw new Error('no key')
  const hook = await receiver()
  const tenant = { id, token: key.token, hook, acknowledged: new Map<string, string>() }
  const made = await call(url, tenant, '/webhook-subscriptions', { body: { url: hook.url, events: ['*'] } })
  if (made.status !== 201) throw new Error(`no subscription: ${made.status}`)
  return tenant
}

type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly ms: number }

async function call(
  url: string,
  { token }: Pick<Tenant, 'token'>,
  path: string,
  { body, key = randomUUID() }: { readonly body?: unknown; readonly key?: string } = {},
): Promise<Answer> {
  const began = performance.now()
  const response = await fetch(`${url}/api/external/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer['body']
  return { status: response.status, body: answer, ms: performance.now() - began }
}

export type Load = {
  /** The longest answers in ms. */
  readonly slowest: { read: number; write: number; operators: number }
  /** Answers that took longer than promised. */
  readonly late: readonly string[]
  /** How many reads and writes were answered with 503. */
  readonly refused: { read: number; write: number }
  /** Waits until every tenant has written, read and got a webhook again. */
  back(): Promise<void>
  /**
   * Ends the load after all sent writes are acknowledged. Then looks for everything that was acknowledged, and waits for all webhooks.
   * @returns the faults, unexpected answers, and answers that belong to another write
   */
  prove(): Promise<string[]>
  /** Ends the load without waiting for answers. */
  giveUp(): void
}

/** Each tenant writes and reads, and operators ask every process, again and again. */
export function startLoad({ processes, tenants, pool }: BrokenWays): Load {
  const { url } = processes.web
  const faults: string[] = []
  const slowest = { read: 0, write: 0, operators: 0 }
  const late: string[] = []
  const refused = { read: 0, write: 0 }
  const reads = new Map(tenants.map(({ id }) => [id, 0]))
  let isStopped = false
  let isGivenUp = false

  const timed = (kind: keyof typeof slowest, what: string, ms: number) => {
    slowest[kind] = Math.max(slowest[kind], ms)
    if (ms > ANSWER_MS_MAX[kind]) late.push(`${what} was answered after ${Math.round(ms)} ms`)
  }
  const again = async (work: () => Promise<void>, pauseMs = PAUSE_MS) => {
    for (; !isStopped; await delay(pauseMs))
      await work().catch(error => {
        if (!isGivenUp) faults.push(String(error))
      })
  }

  const write = async (tenant: Tenant): Promise<void> => {
    const ref = randomUUID()
    const title = `place ${ref}`
    while (!isGivenUp) {
      const answer = await call(url, tenant, '/storage-places', { body: { title, external_ref: ref }, key: ref })
      timed('write', 'a write', answer.ms)
      if (answer.status === 201) {
        if (answer.body['title'] !== title) faults.push(`${title} was answered with ${answer.body['title']}`)
        tenant.acknowledged.set(ref, String(answer.body['id']))
        return
      }
      if (answer.status === 503) refused.write++
      else faults.push(`a write: ${answer.status} ${JSON.stringify(answer.body)}`)
      await delay(PAUSE_MS)
    }
  }
  const read = async (tenant: Tenant): Promise<void> => {
    const [ref, id] = [...tenant.acknowledged].at(-1) ?? []
    const answer = await call(url, tenant, id === undefined ? '/storage-places' : `/storage-places/${id}`)
    timed('read', 'a read', answer.ms)
    if (answer.status === 200) {
      if (ref !== undefined && answer.body['external_ref'] !== ref) faults.push(`${id} was not what was written`)
      reads.set(tenant.id, (reads.get(tenant.id) ?? 0) + 1)
    } else if (answer.status === 503) refused.read++
    else faults.push(`a read: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const ask = async (kind: Kind, path: string): Promise<void> => {
    const began = performance.now()
    const response = await fetch(processes[kind].adminUrl + path)
    await response.text()
    timed('operators', `${path} of ${kind}`, performance.now() - began)
  }
  const running = [
    ...tenants.flatMap(tenant => [again(() => write(tenant)), again(() => read(tenant))]),
    ...kinds.flatMap(kind => ['/readyz', '/metrics'].map(path => again(() => ask(kind, path), ASK_PAUSE_MS))),
  ]

  const counts = () =>
    tenants.map(({ id, hook, acknowledged }) => ({ writes: acknowledged.size, reads: reads.get(id) ?? 0, hook }))
  const back = async (): Promise<void> => {
    const before = counts().map(({ hook, ...count }) => ({ ...count, arrivals: hook.arrivals.length }))
    const isBack = () =>
      counts().every(({ writes, reads, hook }, at) => {
        const was = before[at]
        return was && writes > was.writes && reads > was.reads && hook.arrivals.length > was.arrivals
      })
    await eventually(isBack, { what: 'service to every tenant' })
  }
  const prove = async (): Promise<string[]> => {
    isStopped = true
    await Promise.all(running)
    for (const { id, hook, acknowledged: known } of tenants) {
      const there = await pool.any(rows(v.object({ id: v.string(), ref: v.string(), title: v.string() }))`
        select id::text as id, external_ref as ref, title from storage_places
        where tenant_id = ${id}::bigint and external_ref is not null`)
      if (there.length !== known.size) faults.push(`${known.size} acknowledged, ${there.length} there`)
      for (const { id, ref, title } of there)
        if (known.get(ref) !== id || title !== `place ${ref}`) faults.push(`${ref} is not as it was acknowledged`)
      const told = () => new Set(hook.arrivals.map(({ body }) => body.data?.external_ref))
      const isTold = () => [...known.keys()].every(ref => told().has(ref))
      await eventually(isTold, { what: 'all webhooks' }).catch(error => faults.push(error.message))
    }
    return faults
  }
  const giveUp = () => {
    isStopped = true
    isGivenUp = true
  }
  return { slowest, late, refused, back, prove, giveUp }
}

/** How many connections a process has counted as thrown away. */
export async function thrownAway({ processes }: BrokenWays, kind: Kind, store: Store): Promise<number> {
  const text = await (await fetch(`${processes[kind].adminUrl}/metrics`)).text()
  const line = new RegExp(
    `^millrace_connections_thrown_away_total\\{store="${store}",reason="silent".*\\} (\\d+)$`,
    'm',
  )
  return Number(line.exec(text)?.[1] ?? Number.NaN)
}
