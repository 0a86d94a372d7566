/**
 * Owns what an attack is run against: a Postgres and a Redis of its own, real web and worker processes, a tenant with stock;
 * and the proof afterwards. The load on it is in `load.ts`.
 */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import { scopes } from '../../lib/access/scopes.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { freePort } from '../../lib/embedded/free-port.ts'
import { migrate } from '../../lib/postgres/migrate.ts'
import { createPool, type Pool, rows } from '../../lib/postgres/postgres.ts'
import { reconcile } from '../../lib/reconcile/reconcile.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { type PrivateServer, privatePostgres, privateRedis } from '../support/servers.ts'
import { type Load, send } from './load.ts'

/** Every attack must be over for the callers within this time. */
export const BACK_WITHIN_MS = 10_000
/** Before it, a busy machine may take its time. */
export const BEFORE_MS_MAX = 60_000

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

export type Tenant = {
  readonly id: string
  readonly token: string
  readonly placeId: string
  readonly otherPlaceId: string
  readonly variantId: string
  readonly supplierId: string
  readonly customerId: string
}

export type RigOptions = {
  readonly webs?: number
  readonly workers?: number
  readonly durableRedis?: boolean
  /** Another one than its own. */
  readonly postgres?: PrivateServer
}

/** Two web processes on one port and two workers, unless said otherwise. */
export async function openRig({
  webs = 2,
  workers = 2,
  durableRedis = true,
  postgres: given,
}: RigOptions = {}): Promise<Rig> {
  const [postgres, redis, port] = await Promise.all([
    given ?? privatePostgres(),
    privateRedis({ durable: durableRedis }),
    freePort(),
  ])
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
  const pool = await createPool(postgres.url, {
    size: 4,
    statementTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
  })
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    await Promise.all([...running.web, ...running.worker].map(process => process.end('SIGKILL')))
    await pool.end()
    await redis.close()
    await postgres.close()
  }
  const on = { postgres, redis, pool, url, webs: running.web, workers: running.worker, start, close }
  try {
    await migrate(postgres.url)
    const starts = await Promise.allSettled([
      ...Array.from({ length: webs }, () => start('web')),
      ...Array.from({ length: workers }, () => start('worker')),
    ])
    for (const outcome of starts) if (outcome.status === 'rejected') throw outcome.reason
    return { ...on, tenant: await makeTenant(pool, url) }
  } catch (error) {
    await close()
    throw error
  }
}

async function makeTenant(pool: Pool, url: string): Promise<Tenant> {
  const id = await createTenant(pool, { name: 'Rig', ownerEmail: 'owner@test.example', plan: 'pro', currency: 'EUR' })
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
    supplierId: String((await make('/suppliers', { title: 'Supplier' }))['id']),
    customerId: String((await make('/customers', { title: 'Customer' }))['id']),
  }
}

/** Waits until so many more writes are acknowledged; tells how long it took in ms. */
export async function moreAcknowledged(
  load: Load,
  count: number,
  what: string,
  timeoutMs = BACK_WITHIN_MS,
): Promise<number> {
  const from = load.acknowledged.size
  const began = performance.now()
  await eventually(() => load.acknowledged.size >= from + count, { timeoutMs, what })
  return performance.now() - began
}

/** What is not as it must be after the load: documents lost, doubled or unknown, and all that reconcile finds. */
export async function proofOf(rig: Rig, load: Load): Promise<string[]> {
  const documents = await rig.pool.any(rows(v.object({ id: v.string() }))`
    select effect as id from (
      select tenant_id, id::text as effect from stock_adjustments
      union all select tenant_id, id::text from stock_transfers
      union all select tenant_id, id::text from purchase_orders
      union all select tenant_id, id::text from purchase_receipts
      union all select tenant_id, id::text from sales_orders
      union all select tenant_id, id::text from sales_shipments
      union all select tenant_id, id::text from manufacturing_orders
      union all select tenant_id, id || '/start' from manufacturing_orders where started_at is not null
      union all select tenant_id, id || '/complete' from manufacturing_orders where status = 'DONE'
    ) effects
    where tenant_id = ${rig.tenant.id}`)
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
