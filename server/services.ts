/**
 * What the server process holds while it runs: connections, queues and caches, opened and closed here and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import { type AccessServices, createAccess } from '../lib/access/services.ts'
import { StreamPlaces } from '../lib/access/stream-places.ts'
import type { Endpoint } from '../lib/api/endpoint.ts'
import { type Config, required } from '../lib/config.ts'
import { endpoints } from '../lib/endpoints.ts'
import { Claims } from '../lib/pipeline/idempotency.ts'
import { primaryOnly, type ReadRouter, ReplicaRouter } from '../lib/pipeline/replica.ts'
import { type ReplyOptions, ReplyReader } from '../lib/pipeline/replies.ts'
import { CommandQueues } from '../lib/pipeline/tenant-queues.ts'
import { createPool, type Pool } from '../lib/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/redis/redis.ts'
import { configuredSecretBox } from '../lib/secret-box.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { httpMetrics } from '../lib/telemetry/metrics.ts'
import { createReadiness, type Readiness } from '../lib/telemetry/readiness.ts'
import { SecurityCounts } from '../lib/telemetry/security/counts.ts'
import { FairShare } from './fair-share.ts'
import { QuotaCounts } from './quota-counts.ts'
import { QuotaMails } from './quota-mails.ts'
import { ReadPool, ReadShares } from './read-pool.ts'
import type { EventStreams } from './streams/event-streams.ts'
import { openStreams } from './streams/open-streams.ts'

/** A read must not take longer; what does is a bug in a query. */
const READ_STATEMENT_TIMEOUT_MS = 5_000
/** Of DATABASE_POOL_SIZE, for what authentication and writes need: look-ups of keys take two at most, those of the log are quick. */
const OWN_CONNECTIONS_MAX = 3

export type Services = {
  readonly config: Config
  readonly log: Log
  /** THE list, but for tests of the pipeline itself. */
  readonly endpoints: readonly Endpoint[]
  /** Names this process in reply streams; new at every start. */
  readonly serverId: string
  /** The primary: command log and keys, on connections of their own. Reads of the API go elsewhere. */
  readonly pool: Pool
  /** The primary for reads. */
  readonly readPool: ReadPool
  /** Where reads go: the replica of DATABASE_READ_URL where it is far enough, else the primary. */
  readonly reads: ReadRouter<ReadPool>
  /** A connection that fails fast. */
  readonly redis: Redis
  readonly access: AccessServices
  readonly queues: CommandQueues
  readonly claims: Claims
  readonly replies: ReplyReader
  readonly replyOptions: ReplyOptions
  readonly quotaCounts: QuotaCounts
  readonly quotaMails: QuotaMails
  /** How much a tenant's writes may take of this process beside calmer tenants. */
  readonly fairShare: FairShare
  /** How many connections a tenant's reads may take of this process. */
  readonly readShares: ReadShares
  readonly readiness: Readiness
  readonly securityCounts: SecurityCounts
  /** Streams of events, and who may have one more. */
  readonly streams: EventStreams
  readonly streamPlaces: StreamPlaces
  readonly close: () => Promise<void>
}

export type ServiceOptions = { readonly checkRows?: boolean; readonly endpoints?: readonly Endpoint[] }

/** Opens everything; `checkRows` validates every row against its schema (tests, development). */
export async function openServices(config: Config, log: Log, options: ServiceOptions = {}): Promise<Services> {
  const serverId = randomBytes(8).toString('hex')
  const redisUrl = required(config.redisUrl, 'REDIS_URL')
  const poolOptions = {
    statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
    checkRows: options.checkRows ?? false,
  }
  const databaseUrl = required(config.databaseUrl, 'DATABASE_URL')
  const ownSize = Math.max(1, Math.min(OWN_CONNECTIONS_MAX, Math.floor(config.databasePoolSize / 3)))
  const readSize = config.databasePoolSize - ownSize
  const pool = await createPool(databaseUrl, { ...poolOptions, size: ownSize })
  const readShares = new ReadShares(readSize)
  const readOptions = { ...poolOptions, size: readSize, shares: readShares }
  const readPool = new ReadPool(databaseUrl, readOptions)
  const replica = config.databaseReadUrl ? new ReadPool(config.databaseReadUrl, readOptions) : null
  const onOutage = (error: Error) => log.warn({ err: error }, 'Redis is away')
  const redis = connectRedis(redisUrl, 'producer', `${config.processName} commands`, onOutage)
  const replyRedis = connectRedis(redisUrl, 'worker', `${config.processName} replies`, onOutage)
  const subscriber = connectRedis(redisUrl, 'subscriber', `${config.processName} key-changes`, onOutage)
  const queues = new CommandQueues(redis, config.queueShards)
  const replyOptions: ReplyOptions = {
    secrets: configuredSecretBox(config),
    onFault: (error, requestId) => log.error({ err: error, request_id: requestId }, 'a sealed answer'),
  }
  const replies = new ReplyReader(replyRedis, serverId, replyOptions)
  replies.start()
  const tagOf = (tenantId: string) => queues.tagOf(tenantId)
  const reads = replica
    ? new ReplicaRouter({
        primary: readPool,
        positions: pool,
        replica,
        redis,
        tagOf,
        onChoice: httpMetrics.read,
        onTrouble: error => log.warn({ err: error }, 'the replica is away: reading from the primary'),
      })
    : primaryOnly(readPool)
  const securityCounts = new SecurityCounts({ pool, log })
  const streamPlaces = new StreamPlaces(redis)
  const streams = openStreams({ config, log, pool, subscriber, places: streamPlaces, reads, readPool })
  return {
    config,
    log,
    endpoints: options.endpoints ?? endpoints,
    serverId,
    pool,
    readPool,
    reads,
    redis,
    access: createAccess({ pool, redis, subscriber, trustProxy: config.trustProxy }),
    queues,
    claims: new Claims(redis, tagOf),
    replies,
    replyOptions,
    quotaCounts: new QuotaCounts(pool),
    quotaMails: new QuotaMails({ pool, log }),
    fairShare: new FairShare(),
    readShares,
    readiness: createReadiness({ pool, redis }),
    securityCounts,
    streams,
    streamPlaces,
    close: async () => {
      await securityCounts.close()
      await reads.close()
      await replies.close()
      await closeRedis(redis)
      await closeRedis(replyRedis)
      await closeRedis(subscriber)
      await pool.end()
      await readPool.end()
      await replica?.end()
    },
  }
}
