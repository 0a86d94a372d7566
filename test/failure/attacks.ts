/** The attacks. Each runs once against a running rig and returns when what it broke works again. They prove nothing themselves. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { shardTag } from '../../lib/pipeline/redis-keys.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, nodeOf } from '../../lib/platform/redis/redis.ts'
import { WEBHOOK_TAG } from '../../lib/webhooks/tenant-signals.ts'
import { eventually } from '../support/eventually.ts'
import type { TestProcess } from '../support/processes.ts'
import type { PrivateServer } from '../support/servers.ts'
import { sendHardBodies } from './hard-bodies.ts'
import type { LoadOptions } from './load.ts'
import { type Kind, moreAcknowledged, type Rig, type RigOptions } from './rig.ts'
import type { Tenant } from './tenants.ts'

export type Attack = {
  readonly name: string
  /** What holds in spite of the attack, in addition to what the proof shows for all attacks (proof.ts). */
  readonly shows: string
  /** The options of the rig, if they are unusual. */
  readonly rig?: RigOptions
  /** The options of the load, if they are unusual. */
  readonly load?: LoadOptions
  readonly strike: (rig: Rig) => Promise<void>
}

async function killAndStart({ processes, start }: Rig, kind: Kind): Promise<void> {
  await processes[kind].shift()?.end('SIGKILL')
  await start(kind)
}

/** @returns its exit code */
async function stopAndStart({ processes, start }: Rig, kind: Kind): Promise<number | null> {
  const code = (await processes[kind].shift()?.end('SIGTERM')) ?? null
  await start(kind)
  return code
}

async function restart(server: PrivateServer, signal?: NodeJS.Signals): Promise<void> {
  await server.kill(signal)
  await server.start()
}

/** A frozen process keeps its connections and answers nothing. */
async function freeze({ signal }: PrivateServer | TestProcess, forMs: number): Promise<void> {
  await signal('SIGSTOP')
  await delay(forMs)
  await signal('SIGCONT')
}

async function withRedis<T>({ redis }: Rig, use: (connection: Redis) => Promise<T>): Promise<T> {
  const connection = new Redis(redis.url)
  try {
    return await use(connection)
  } finally {
    connection.disconnect()
  }
}

async function empty(rig: Rig): Promise<void> {
  await withRedis(rig, redis => redis.flushall())
}

/**
 * If a worker still has a tenant's writes, the tenant's next write makes the tenant ready again. A second drain of the tenant then runs
 * beside the first.
 */
async function emptyAgainAndAgain(rig: Rig, { times, pauseMs }: { times: number; pauseMs: number }): Promise<void> {
  for (let time = 0; time < times; time++) {
    await empty(rig)
    await delay(pauseMs)
  }
}

/**
 * Forces the same case. The connection of a unit of work is stopped, so the writes that workers take wait for the next unit. Then Redis is
 * emptied, and the writes that workers take after that wait for the same unit.
 */
function emptyWhileUnitWaits(rig: Rig, times: number): Promise<void> {
  return withRedis(rig, async redis => {
    const queues = new CommandQueues(redis, 1)
    const untilHalfIsDrained = () =>
      eventually(async () => (await queues.readyQueue(shardTag(0)).getActiveCount()) >= rig.tenants.length / 2, {
        what: 'a drain of half of the tenants',
      })
    for (let time = 0; time < times; time++) {
      const backends = await stoppedUnits(rig)
      try {
        await untilHalfIsDrained()
        await redis.flushall()
        await untilHalfIsDrained()
      } finally {
        for (const pid of backends) process.kill(pid, 'SIGCONT')
      }
      await moreAcknowledged(rig, rig.tenants.length, 'work after the unit')
    }
  })
}

/** Stops the PostgreSQL backends of the units of work that run now, where they begin: at a lock. */
function stoppedUnits({ pool }: Rig): Promise<number[]> {
  return pool.transaction(async transaction => {
    await transaction.query(statement`lock table tenant_streams in exclusive mode`)
    const waiting = await eventually(async () => {
      const found = await transaction.any(rows(v.object({ pid: v.string() }))`
        select pid::text from pg_locks where relation = 'tenant_streams'::regclass and not granted`)
      return found.length > 0 && found
    })
    const pids = waiting.map(({ pid }) => Number(pid))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    return pids
  })
}

const CUTS_MS = 20_000
const PROGRESS_MS = 5_000

/** Cuts all connections to Redis again and again: calls that Redis has done are sent again. Work must continue meanwhile. */
function cutRedis(rig: Rig, everyMs: number): Promise<void> {
  const { journal } = rig
  return withRedis(rig, async redis => {
    let done = journal.figures.acknowledged
    let looked = performance.now()
    for (const ends = looked + CUTS_MS; performance.now() < ends; ) {
      await delay(everyMs)
      for (const type of ['normal', 'pubsub'] as const)
        await redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
      if (performance.now() - looked < PROGRESS_MS) continue
      looked = performance.now()
      if (journal.figures.acknowledged === done) journal.fault('other', 'the service', `no write in ${PROGRESS_MS} ms`)
      done = journal.figures.acknowledged
    }
  })
}

/** Does what a failover to a replica does that is a second behind: Redis starts again from a copy that is a second old. */
async function loseLastSecond(rig: Rig): Promise<void> {
  const [, folder = ''] = await withRedis(rig, async redis => {
    await redis.save()
    return (await redis.config('GET', 'dir')) as string[]
  })
  await delay(1_000)
  await restart(rig.redis)
  await rm(join(folder, 'dump.rdb'))
}

/** @throws if there is none. */
export function attackNamed(name: string): Attack {
  const found = attacks.find(attack => attack.name === name)
  if (!found) throw new Error(`no attack is named ${name}`)
  return found
}

/** Every unit of work waits this long, so that each tenant counts as slow: longer than a statement may take. */
const TABLE_LOCK_MS = 4_250
/** After this time no effect of the stall is left. */
const OVER_MS = 35_000
const COUNTED_MS = 10_000

/** Locks a table of all tenants again and again. @throws if tenants are still served more slowly than before after `OVER_MS`. */
async function lockTable(rig: Rig, times: number): Promise<void> {
  const before = await acknowledgedIn(rig, COUNTED_MS)
  for (let time = 0; time < times; time++) {
    await rig.pool.transaction(async transaction => {
      await transaction.query(statement`lock table tenant_streams in exclusive mode`)
      await delay(TABLE_LOCK_MS)
    })
    await moreAcknowledged(rig, 1, 'work between two locks')
  }
  await delay(OVER_MS)
  const after = await acknowledgedIn(rig, COUNTED_MS)
  const slow = await withRedis(rig, redis => redis.keys('*:slow'))
  const figures = `${before} writes before, ${after} afterwards, ${slow.length} slow tenants`
  if (after < before / 2 || slow.length > 0) throw new Error(`not as before: ${figures}`)
}

/** The default of the processes. */
const CLUSTER_SHARDS = 16
/**
 * The silent master also has the webhooks. It is silent for longer than connections to it are kept, and for longer than the cluster waits
 * for it.
 */
const SILENT_MASTER_MS = 30_000
/**
 * A round of answers may take this many times as long as before, and this much more, since the machine also runs the repeated requests of
 * the other tenants.
 */
const SLOWER_MAX = { times: 3, ms: 1_000 }

/** @throws if tenants whose keys are on other masters are answered more slowly than before. */
async function freezeMaster(rig: Rig): Promise<void> {
  const { cluster } = rig
  if (cluster === undefined) throw new Error('the rig has no cluster')
  const redis = connectRedis(cluster.url, 'worker', 'attack')
  const queues = new CommandQueues(redis, CLUSTER_SHARDS)
  try {
    await redis.ping()
    const nodeOfTenant = ({ client }: Tenant) => nodeOf(redis, queues.tagOf(client.tenantId))
    const elsewhere = rig.tenants.filter(tenant => nodeOfTenant(tenant) !== nodeOf(redis, WEBHOOK_TAG))
    /** Waits until each of these tenants has a new answer. */
    const round = () => moreAcknowledged({ ...rig, tenants: elsewhere }, 1, 'answers of tenants elsewhere')
    let beforeMs = 0
    for (let rounds = 0; rounds < 3; rounds++) beforeMs = Math.max(beforeMs, await round())
    const maxMs = SLOWER_MAX.times * beforeMs + SLOWER_MAX.ms
    cluster.signal(WEBHOOK_TAG, 'SIGSTOP')
    try {
      for (const until = Date.now() + SILENT_MASTER_MS; Date.now() < until; ) {
        const ms = Math.round(await round())
        if (ms > maxMs)
          throw new Error(`${ms} ms until each tenant elsewhere had an answer, ${Math.round(beforeMs)} before`)
      }
    } finally {
      cluster.signal(WEBHOOK_TAG, 'SIGCONT')
    }
  } finally {
    await closeRedis(redis)
  }
}

/** How many writes are acknowledged in this time. @throws if a tenant has none. */
async function acknowledgedIn({ journal: { figures, acknowledgedOf }, tenants }: Rig, ms: number): Promise<number> {
  const of = (tenant: Tenant) => acknowledgedOf.get(tenant) ?? 0
  const [all, each] = [figures.acknowledged, new Map(tenants.map(tenant => [tenant, of(tenant)]))]
  await delay(ms)
  const without = tenants.filter(tenant => of(tenant) === each.get(tenant))
  if (without.length > 0) throw new Error(`${without.length} tenants had no answer in ${ms} ms`)
  return figures.acknowledged - all
}

export const attacks: readonly Attack[] = [
  {
    name: 'a worker killed',
    shows: 'the other worker does what was taken',
    strike: rig => killAndStart(rig, 'worker'),
  },
  {
    name: 'the only worker killed',
    shows: 'writes wait for the next worker',
    rig: { workers: 1 },
    strike: rig => killAndStart(rig, 'worker'),
  },
  {
    name: 'a web process killed',
    shows: 'its clients are answered by the other one',
    strike: rig => killAndStart(rig, 'web'),
  },
  { name: 'a webhook process killed', shows: 'every webhook arrives', strike: rig => killAndStart(rig, 'webhook') },
  {
    name: 'a process of each kind killed at once',
    shows: 'new processes go on where those ended',
    strike: async rig => {
      await Promise.all((['web', 'worker', 'webhook'] as const).map(kind => killAndStart(rig, kind)))
    },
  },
  {
    name: 'a process of each kind stopped at once',
    shows: 'each finishes what runs and ends with 0',
    strike: async rig => {
      const codes = await Promise.all((['web', 'worker', 'webhook'] as const).map(kind => stopAndStart(rig, kind)))
      if (codes.some(code => code !== 0)) throw new Error(`processes ended with ${codes}`)
    },
  },
  {
    name: 'a worker frozen past its lease of 4 s',
    shows: 'what others did meanwhile it does not do again',
    strike: async ({ processes: { worker } }) => {
      if (worker[0]) await freeze(worker[0], 5_000)
    },
  },
  {
    // Other workers refused or did the commands that the frozen worker holds, and Redis has no record of them any more.
    name: 'a worker frozen for six minutes, and Redis emptied',
    shows: 'what was refused or done meanwhile it does not do',
    load: { pauseMs: 2_000 },
    strike: async rig => {
      const [worker] = rig.processes.worker
      if (!worker) return
      const frozen = freeze(worker, 6 * 60_000)
      await empty(rig)
      await frozen
    },
  },
  {
    name: 'bodies that are hard to read',
    shows: 'nobody else waits for them',
    strike: async ({ tenants: [tenant] }) => {
      if (tenant) await sendHardBodies(tenant, 30)
    },
  },
  { name: 'Redis emptied', shows: 'writes on their way happen once', strike: empty },
  {
    name: 'Redis emptied 24 times, 1.2 s apart',
    shows: 'two drains of one tenant harm nothing',
    rig: { tenants: 30, webs: 1, workers: 1 },
    load: { clients: 4 },
    strike: rig => emptyAgainAndAgain(rig, { times: 24, pauseMs: 1_200 }),
  },
  {
    name: 'Redis emptied while a unit of work stands still',
    shows: 'two drains of one tenant in one worker harm nothing',
    rig: { webs: 1, workers: 1 },
    load: { clients: 3, pauseMs: 300 },
    strike: rig => emptyWhileUnitWaits(rig, 2),
  },
  {
    name: 'Redis killed, with its append-only file',
    shows: 'what it kept is used again',
    strike: ({ redis }) => restart(redis),
  },
  {
    name: 'Redis killed, everything forgotten',
    shows: 'what it knew is found in PostgreSQL',
    rig: { durableRedis: false },
    strike: ({ redis }) => restart(redis),
  },
  {
    name: 'Redis killed, its last second forgotten',
    shows: 'a failover to a replica that is behind harms nothing',
    rig: { durableRedis: false },
    strike: loseLastSecond,
  },
  {
    name: 'one of three Redis masters frozen',
    shows: 'tenants whose keys lie elsewhere are served as before',
    rig: { onCluster: true },
    strike: freezeMaster,
  },
  {
    name: 'Redis frozen',
    shows: 'connections that answer nothing are survived',
    strike: ({ redis }) => freeze(redis, 3_000),
  },
  ...[400, 2_000, 5_000].map(everyMs => ({
    name: `connections to Redis cut every ${everyMs / 1_000} s`,
    shows: 'calls that are sent again are done once, and work goes on',
    strike: (rig: Rig) => cutRedis(rig, everyMs),
  })),
  {
    name: 'a table locked for 4.25 s, twelve times',
    shows: 'tenants are as fast as before, long after',
    rig: { tenants: 40 },
    strike: rig => lockTable(rig, 12),
  },
  {
    name: 'Postgres killed',
    shows: 'what was committed stays, what was not is done once',
    strike: ({ postgres }) => restart(postgres),
  },
  {
    name: 'Postgres restarted',
    shows: 'a restart for an upgrade costs a pause',
    strike: ({ postgres }) => restart(postgres, 'SIGINT'),
  },
  {
    name: 'Postgres frozen',
    shows: 'connections that answer nothing are survived',
    strike: ({ postgres }) => freeze(postgres, 5_000),
  },
  {
    name: 'all connections to Postgres lost',
    shows: 'all processes connect again',
    strike: async ({ pool }) => {
      await pool.query(statement`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
    },
  },
]
