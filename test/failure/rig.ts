/**
 * Owns what an attack is run against: a Postgres and a Redis of its own, real web and worker processes, a tenant with stock,
 * clients that repeat every request with the same key until it is acknowledged, and the proof afterwards.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import { scopes } from '../../lib/access/scopes.ts'
import { freePort } from '../../lib/embedded/free-port.ts'
import { reconcile } from '../../lib/stock/reconcile.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { createPool, type Pool, rows } from '../../lib/store/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { type PrivateServer, privatePostgres, privateRedis } from '../support/servers.ts'

const API = '/api/external/v1'
/** Every attack must be over for the callers within this time. */
export const BACK_WITHIN_MS = 10_000

export type Rig = {
  readonly postgres: PrivateServer
  readonly redis: PrivateServer
  readonly pool: Pool
  readonly url: string
  readonly webs: TestProcess[]
  readonly workers: TestProcess[]
  /** Starts one more process of a kind. */
  start(kind: 'web' | 'worker'): Promise<TestProcess>
  readonly tenant: Tenant
  close(): Promise<void>
}

type Tenant = {
  readonly id: string
  readonly token: string
  readonly placeId: string
  readonly otherPlaceId: string
  readonly variantId: string
}

/** Two web processes on one port and two workers, unless said otherwise. */
export async function openRig({ webs = 2, workers = 2, durableRedis = true } = {}): Promise<Rig> {
  const [postgres, redis, port] = await Promise.all([
    privatePostgres(),
    privateRedis({ durable: durableRedis }),
    freePort(),
  ])
  await migrate(postgres.url)
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    LOG_LEVEL: 'info',
    COMMAND_DEADLINE_MS: '5000',
  }
  const running = { web: [] as TestProcess[], worker: [] as TestProcess[] }
  const start = async (kind: 'web' | 'worker') => {
    const process = await startProcess(kind, env)
    running[kind].push(process)
    return process
  }
  await Promise.all([
    ...Array.from({ length: webs }, () => start('web')),
    ...Array.from({ length: workers }, () => start('worker')),
  ])
  const pool = await createPool(postgres.url, {
    size: 4,
    statementTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
  })
  const url = `http://127.0.0.1:${port}`
  return {
    postgres,
    redis,
    pool,
    url,
    webs: running.web,
    workers: running.worker,
    start,
    tenant: await makeTenant(pool, url),
    close: async () => {
      await Promise.all([...running.web, ...running.worker].map(process => process.end('SIGKILL')))
      await pool.end()
      await redis.close()
      await postgres.close()
    },
  }
}

async function makeTenant(pool: Pool, url: string): Promise<Tenant> {
  const { tenant_id: id } = await pool.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (insert into tenants (name, owner_email, plan) values ('Rig', 'owner@test.example', 'pro') returning tenant_id)
    insert into tenant_streams (tenant_id) select tenant_id from made returning tenant_id`)
  const key = await issueKey(pool, {
    tenantId: id,
    name: 'rig',
    scopes: [...scopes],
    ...defaultLimits,
    ratePerMinute: 10_000_000,
    burst: 1_000_000,
    dailyDocuments: 10_000_000,
  })
  if (!key) throw new Error('no key')
  const make = async (path: string, body: unknown) => {
    const reply = await send({ url, token: key.token, path, body, key: randomUUID() })
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const place = await make('/storage-places', { title: 'First' })
  const other = await make('/storage-places', { title: 'Second' })
  const product = await make('/products', { title: 'Screw', sku: 'SCREW', purchase_price: 0.333333 })
  const variants = product['variants'] as { id: string }[]
  return {
    id,
    token: key.token,
    placeId: String(place['id']),
    otherPlaceId: String(other['id']),
    variantId: variants[0]?.id ?? '',
  }
}

type Sent = { readonly status: number; readonly body: Record<string, unknown>; readonly replayed: boolean }

async function send(request: {
  url: string
  token: string
  path: string
  body: unknown
  key: string
  signal?: AbortSignal
}): Promise<Sent> {
  const response = await fetch(request.url + API + request.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${request.token}`,
      'content-type': 'application/json',
      'idempotency-key': request.key,
    },
    body: JSON.stringify(request.body),
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  }
}

export type Load = {
  /** Document id by idempotency key, of every acknowledged write. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Identical requests sent on purpose beside an open one, and requests that the caller hung up on. */
  readonly figures: { duplicates: number; hangUps: number; retries: number }
  /** What was wrong with an answer. */
  readonly faults: readonly string[]
  stop(): Promise<void>
}

/** Keeps lanes busy with adjustments and transfers; every tenth request is doubled, every tenth is hung up on and repeated. */
export function startLoad(rig: Rig, lanes = 8): Load {
  const acknowledged = new Map<string, string>()
  const figures = { duplicates: 0, hangUps: 0, retries: 0 }
  const faults: string[] = []
  let stopped = false
  const { tenant, url } = rig
  const bodyOf = (n: number) =>
    n % 4 === 3
      ? {
          path: '/stock-transfers',
          body: {
            from_storage_place_id: tenant.placeId,
            to_storage_place_id: tenant.otherPlaceId,
            items: [{ item_variant_id: tenant.variantId, quantity: 1 }],
          },
        }
      : {
          path: '/stock-adjustments',
          body: { storage_place_id: tenant.placeId, items: [{ item_variant_id: tenant.variantId, quantity: 3 }] },
        }

  const attempt = async (n: number, key: string, signal?: AbortSignal): Promise<boolean> => {
    const reply = await send({ url, token: tenant.token, ...bodyOf(n), key, ...(signal ? { signal } : {}) }).catch(
      () => null,
    )
    if (reply === null) return false
    // A transfer may come before the stock that it moves: it is refused, and has no effect.
    if (reply.status === 409 && reply.body['error'] === 'insufficient_stock') return false
    if (reply.status === 503 || reply.status === 500) {
      if (reply.status === 500) faults.push(`500 ${JSON.stringify(reply.body)}`)
      return false
    }
    if (reply.status !== 201 && reply.status !== 200) {
      faults.push(`${reply.status} ${JSON.stringify(reply.body)}`)
      return false
    }
    const id = String(reply.body['id'])
    const known = acknowledged.get(key)
    if (known !== undefined && known !== id) faults.push(`one key, two documents: ${known} and ${id}`)
    acknowledged.set(key, id)
    return true
  }

  const loop = async (lane: number) => {
    for (let n = 0; !stopped; n++) {
      const key = `${lane}-${n}-${randomUUID().slice(0, 8)}`
      const tries: Promise<boolean>[] = []
      if (n % 10 === 4) {
        figures.duplicates++
        tries.push(attempt(n, key))
      }
      if (n % 10 === 9) {
        figures.hangUps++
        await attempt(n, key, AbortSignal.timeout(1 + (n % 7)))
      }
      while (!(await attempt(n, key))) {
        figures.retries++
        await delay(25)
      }
      await Promise.all(tries)
    }
  }
  const running = Array.from({ length: lanes }, (_, lane) => loop(lane))
  return {
    acknowledged,
    figures,
    faults,
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
  }
}

/** Waits until so many more writes are acknowledged; tells how long it took in ms. */
export async function moreAcknowledged(load: Load, count: number, what: string): Promise<number> {
  const from = load.acknowledged.size
  const began = performance.now()
  await eventually(() => load.acknowledged.size >= from + count, { timeoutMs: BACK_WITHIN_MS, what })
  return performance.now() - began
}

/** What is not as it must be after the load: documents lost, doubled or unknown, and all that reconcile finds. */
export async function proofOf(rig: Rig, load: Load): Promise<string[]> {
  const documents = await rig.pool.any(rows(v.object({ id: v.string() }))`
    select id::text as id from stock_adjustments where tenant_id = ${rig.tenant.id}
    union all
    select id::text from stock_transfers where tenant_id = ${rig.tenant.id}`)
  const there = new Set(documents.map(document => document.id))
  const acknowledged = new Set(load.acknowledged.values())
  const lost = [...acknowledged].filter(id => !there.has(id))
  const unknown = [...there].filter(id => !acknowledged.has(id))
  const report = await reconcile(rig.postgres.url, rig.tenant.id)
  return [
    ...load.faults,
    ...(acknowledged.size === load.acknowledged.size ? [] : ['two keys share a document']),
    ...lost.map(id => `acknowledged but lost: ${id}`),
    ...unknown.map(id => `done but never acknowledged: ${id}`),
    ...report.faults.map(fault => `reconcile: ${JSON.stringify(fault)}`),
  ]
}
