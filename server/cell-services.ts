/** The services of each cell in the server process (docs/decisions/0010): connections, and the services that use them. */
import type { StreamSlots } from '../lib/access/stream-slots.ts'
import { primaryOnly, type ReadRouter, ReplicaRouter } from '../lib/pipeline/replica.ts'
import { inCell } from '../lib/platform/cells.ts'
import type { CellSetting, Config } from '../lib/platform/config.ts'
import { openClient } from '../lib/platform/postgres/client.ts'
import { SharedSessions } from '../lib/platform/postgres/pooling.ts'
import { createPool, type Pool } from '../lib/platform/postgres/postgres.ts'
import type { Redis } from '../lib/platform/redis/redis.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'
import { connectionName } from '../lib/platform/version.ts'
import { type CountsOf, SecurityCounts } from '../lib/security/counts.ts'
import { QuotaMails } from './quota-mails.ts'
import { ReadPool, ReadShares } from './read-pool.ts'
import type { EventStreams } from './streams/event-streams.ts'
import { openStreams } from './streams/open-streams.ts'

/** A read that takes longer has a bug in its query. The statement ends before the read's deadline (deadlines.ts). */
const READ_STATEMENT_TIMEOUT_MS = 4_000
/**
 * The connections of DATABASE_POOL_SIZE for authentication and writes: look-ups of keys take at most two, and look-ups in the command log
 * are quick.
 */
const OWN_CONNECTIONS_MAX = 3

export type CellServices = {
  /** The name of the cell. */
  readonly name: string
  /** The primary, for the command log and keys. Reads of the API have other connections. */
  readonly pool: Pool
  /** The primary, for reads. */
  readonly readPool: ReadPool
  /** Selects the database of a read: the replica if there is one and it has replayed enough, else the primary. */
  readonly reads: ReadRouter<ReadPool>
  readonly quotaMails: QuotaMails
  /** How many connections of this process the reads of one tenant may use. */
  readonly readShares: ReadShares
  readonly securityCounts: SecurityCounts
  readonly streams: EventStreams
  /** Closes the connections. Call it when nothing uses them any more. */
  readonly end: () => Promise<void>
}

type CellOptions = {
  readonly config: Config
  readonly log: Log
  readonly redis: Redis
  readonly subscriber: Redis
  readonly tagOf: (tenantId: string) => string
  readonly streamSlots: StreamSlots
  readonly countsOf: (from: string) => CountsOf
  readonly checkRows: boolean
}

/** Refuses a replica that is behind a pooler which shares sessions. Ignores a replica that cannot be reached. @throws SharedSessions */
async function refuseSharedReplica(databaseReadUrl: string): Promise<void> {
  const opened = await openClient(databaseReadUrl).catch(error => {
    if (error instanceof SharedSessions) throw error
  })
  await opened?.end()
}

/** Opens the services of a cell. Each cell has its own pools of the configured size, so that no cell takes another's connections. */
export async function openCell(
  { name, databaseUrl, databaseReadUrl }: CellSetting,
  { config, log, redis, subscriber, tagOf, streamSlots, countsOf, checkRows }: CellOptions,
): Promise<CellServices> {
  const ownSize = Math.max(1, Math.min(OWN_CONNECTIONS_MAX, Math.floor(config.databasePoolSize / 3)))
  const readSize = config.databasePoolSize - ownSize
  const poolOptions = {
    statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
    checkRows,
  }
  const called = (purpose: string) => ({ name: connectionName(inCell(name, config.processName), purpose) })
  const [pool] = await Promise.all([
    createPool(databaseUrl, { ...poolOptions, ...called('keys'), size: ownSize }),
    ...(databaseReadUrl ? [refuseSharedReplica(databaseReadUrl)] : []),
  ])
  const readShares = new ReadShares(readSize)
  const readOptions = { ...poolOptions, ...called('reads'), size: readSize, shares: readShares }
  const readPool = new ReadPool(databaseUrl, readOptions)
  const replica = databaseReadUrl ? new ReadPool(databaseReadUrl, readOptions) : null
  const reads = replica
    ? new ReplicaRouter({
        primary: readPool,
        positions: pool,
        replica,
        redis,
        tagOf,
        cell: name,
        onChoice: httpMetrics.read,
        onTrouble: error => log.warn({ err: error, cell: name }, 'the replica is away: reading from the primary'),
      })
    : primaryOnly(readPool)
  return {
    name,
    pool,
    readPool,
    reads,
    quotaMails: new QuotaMails({ pool, log }),
    readShares,
    securityCounts: new SecurityCounts({ pool, log, countsOf: countsOf(name) }),
    streams: openStreams({ cell: name, log, pool, subscriber, slots: streamSlots, reads, readPool }),
    end: async () => {
      await Promise.all([pool.end(), readPool.end(), replica?.end()])
    },
  }
}
