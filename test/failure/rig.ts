/**
 * What an attack runs against: a PostgreSQL and a Redis of its own, real web, worker and webhook processes, and many tenants with a
 * receiver of their webhooks. `load.ts` has its load, and `proof.ts` the proof afterwards.
 */

import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { redisCluster, type TestCluster } from '../support/redis-cluster.ts'
import { type PrivateServer, privatePostgres, privateRedis } from '../support/servers.ts'
import { within } from '../support/within.ts'
import { type Receiver, receiver } from '../webhooks/receiver.ts'
import { Journal } from './journal.ts'
import { makeTenant, type Tenant } from './tenants.ts'

/** Commands of fewer tenants would rarely share a unit of work. */
const TENANTS = 20

export type Kind = 'web' | 'worker' | 'webhook'

export type Rig = {
  readonly postgres: PrivateServer
  /** On a cluster it can only be closed. */
  readonly redis: PrivateServer
  /** undefined: the rig has one Redis and no cluster. */
  readonly cluster: TestCluster | undefined
  readonly pool: Pool
  readonly processes: Readonly<Record<Kind, TestProcess[]>>
  /** Starts one more process of a kind. */
  start(kind: Kind): Promise<TestProcess>
  readonly tenants: readonly Tenant[]
  /** Receives the webhooks of all tenants. */
  readonly hook: Receiver
  readonly journal: Journal
  /** The error lines in the logs of all its processes, including those that were killed. */
  errors(): readonly string[]
  close(): Promise<void>
}

export type RigOptions = {
  readonly tenants?: number
  readonly webs?: number
  readonly workers?: number
  readonly webhooks?: number
  readonly durableRedis?: boolean
  /** Three masters instead of one Redis. */
  readonly onCluster?: boolean
  /** Used instead of a server of its own. */
  readonly postgres?: PrivateServer
}

/** By default two web processes on one port, two workers and a webhook process. */
export async function openRig({
  tenants = TENANTS,
  webs = 2,
  workers = 2,
  webhooks = 1,
  durableRedis = true,
  onCluster = false,
  postgres: given,
}: RigOptions = {}): Promise<Rig> {
  const cluster = onCluster ? await redisCluster() : undefined
  const [postgres, redis, port, hook] = await Promise.all([
    given ?? privatePostgres(),
    cluster ? asServer(cluster) : privateRedis({ durable: durableRedis }),
    freePort(),
    receiver(),
  ])
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    COMMAND_DEADLINE_MS: '5000',
    WEBHOOK_ALLOWED_NETWORKS: 'loopback',
  }
  const started: TestProcess[] = []
  const processes: Record<Kind, TestProcess[]> = { web: [], worker: [], webhook: [] }
  const start = async (kind: Kind) => {
    const process = await startProcess(kind, env)
    processes[kind].push(process)
    started.push(process)
    return process
  }
  const pool = await createPool(postgres.url, { size: 4, ...within(10_000) })
  const close = async () => {
    await Promise.all(started.map(process => process.end('SIGKILL')))
    await hook.close()
    await pool.end()
    await redis.close()
    await postgres.close()
  }
  try {
    await migrate(postgres.url)
    const wanted = { web: webs, worker: workers, webhook: webhooks }
    const starts = await Promise.allSettled(
      (Object.keys(wanted) as Kind[]).flatMap(kind => Array.from({ length: wanted[kind] }, () => start(kind))),
    )
    for (const outcome of starts) if (outcome.status === 'rejected') throw outcome.reason
    const url = `http://127.0.0.1:${port}`
    const made = await Promise.all(
      Array.from({ length: tenants }, (_, at) => makeTenant(pool, { url, name: `T${at}`, webhookUrl: hook.url })),
    )
    const errors = () => started.flatMap(process => process.errors)
    return {
      postgres,
      redis,
      cluster,
      pool,
      processes,
      start,
      tenants: made,
      hook,
      journal: new Journal(),
      errors,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function asServer({ url, close }: TestCluster): PrivateServer {
  const never = async () => {
    throw new Error('a cluster is struck by its masters')
  }
  return { url, pid: 0, kill: never, signal: never, start: never, close }
}

/** Waits until this many more writes are acknowledged, at least one of every tenant among them. Returns the time in ms. */
export async function moreAcknowledged(
  { journal: { figures, acknowledgedOf }, tenants }: Pick<Rig, 'journal' | 'tenants'>,
  count: number,
  what: string,
): Promise<number> {
  const began = performance.now()
  const of = (tenant: Tenant) => acknowledgedOf.get(tenant) ?? 0
  const before = new Map(tenants.map(tenant => [tenant, of(tenant)]))
  const wanted = figures.acknowledged + count
  const isSo = () => figures.acknowledged >= wanted && tenants.every(tenant => of(tenant) > (before.get(tenant) ?? 0))
  await eventually(isSo, { what })
  return performance.now() - began
}
