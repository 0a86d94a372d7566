/**
 * What the server process holds while it runs: connections, queues and caches, opened and closed here and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import { type AccessServices, createAccess } from '../lib/access/services.ts'
import { StreamPlaces } from '../lib/access/stream-places.ts'
import type { Endpoint } from '../lib/api/endpoint.ts'
import { cellsOf, MAIN, UnknownCell } from '../lib/cells/cells.ts'
import { placeOfTenant } from '../lib/cells/directory.ts'
import { type CellSetting, type Config, required } from '../lib/config.ts'
import { endpoints } from '../lib/endpoints.ts'
import { Claims } from '../lib/pipeline/idempotency.ts'
import { primaryOnly, type ReadRouter, ReplicaRouter } from '../lib/pipeline/replica.ts'
import { type ReplyOptions, ReplyReader } from '../lib/pipeline/replies.ts'
import { CommandQueues } from '../lib/pipeline/tenant-queues.ts'
import { createPool, type Pool, type PoolOptions } from '../lib/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/redis/redis.ts'
import { configuredSecretBox } from '../lib/secret-box.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { httpMetrics } from '../lib/telemetry/metrics.ts'
import { createReadiness, type Readiness } from '../lib/telemetry/readiness.ts'
import { type CountsOf, countsByPlace, SecurityCounts } from '../lib/telemetry/security/counts.ts'
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

/** What there is once for each cell (docs/decisions/0010): the connections, and what is asked or counted over them. */
type CellServices = {
  readonly cell: string
  /** The primary: command log and keys, on connections of their own. Reads of the API go elsewhere. */
  readonly pool: Pool
  /** The primary for reads. */
  readonly readPool: ReadPool
  /** Where reads go: the replica where there is one and it is far enough, else the primary. */
  readonly reads: ReadRouter<ReadPool>
  readonly quotaCounts: QuotaCounts
  readonly quotaMails: QuotaMails
  /** How many connections a tenant's reads may take of this process. */
  readonly readShares: ReadShares
  readonly securityCounts: SecurityCounts
  /** Streams of events. */
  readonly streams: EventStreams
}

type SharedServices = {
  readonly config: Config
  readonly log: Log
  /** THE list, but for tests of the pipeline itself. */
  readonly endpoints: readonly Endpoint[]
  /** Names this process in reply streams; new at every start. */
  readonly serverId: string
  /** A connection that fails fast. */
  readonly redis: Redis
  readonly access: AccessServices
  readonly queues: CommandQueues
  readonly claims: Claims
  readonly replies: ReplyReader
  readonly replyOptions: ReplyOptions
  /** How much a tenant's writes may take of this process beside calmer tenants. */
  readonly fairShare: FairShare
  readonly readiness: Readiness
  /** Who may have one more stream. */
  readonly streamPlaces: StreamPlaces
  /** As they are in each cell, the main one first. */
  readonly cells: readonly Services[]
  /** As they are in a cell of one of the keys; `Services` themselves are those of the main cell. */
  readonly in: (cell: string) => Services
  readonly close: () => Promise<void>
}

/** What the server process works with, as one cell sees it. */
export type Services = SharedServices & CellServices

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
  const streamPlaces = new StreamPlaces(redis)
  const countsOf = countsByPlace(
    tenantId => placeOfTenant(inCell(MAIN).pool, tenantId),
    cell => inCell(cell).securityCounts,
  )
  const opened = await Promise.all(
    cellsOf(config).map(cell =>
      openCell(cell, {
        countsOf: countsOf(cell.name),
        config,
        log,
        redis,
        subscriber,
        tagOf,
        places: streamPlaces,
        poolOptions,
      }),
    ),
  )
  const [main, ...others] = opened.map(({ cell: name, pool }) => ({ name, pool }))
  if (main === undefined) throw new Error('there is always a main cell')
  const claims = new Claims(redis, tagOf)
  // Asked for with the keys of those who call, so that it is never older than a request's key is.
  const onGeneration = (generation: number, cell: string) => {
    if (generation > 1) log.info({ cell, generation }, 'generation of the database')
    claims.begin(generation, cell)
    opened.find(of => of.cell === cell)?.reads.begin(generation)
  }
  const shared = {
    config,
    log,
    endpoints: options.endpoints ?? endpoints,
    serverId,
    redis,
    access: createAccess({ cells: [main, ...others], redis, subscriber, trustProxy: config.trustProxy, onGeneration }),
    queues,
    claims,
    replies,
    replyOptions,
    fairShare: new FairShare(),
    readiness: createReadiness({ cells: [main, ...others], redis }),
    streamPlaces,
    close: async () => {
      await Promise.all(opened.map(({ securityCounts }) => securityCounts.close()))
      await Promise.all(opened.map(({ reads }) => reads.close()))
      await replies.close()
      await closeRedis(redis)
      await closeRedis(replyRedis)
      await closeRedis(subscriber)
      await Promise.all(opened.map(cell => cell.end()))
    },
  }
  const byCell = new Map<string, Services>()
  const inCell = (cell: string): Services => {
    const services = byCell.get(cell)
    if (services === undefined) throw new UnknownCell(cell)
    return services
  }
  const cells = opened.map(({ end: _, ...cell }): Services => ({ ...shared, ...cell, cells: [], in: inCell }))
  for (const services of cells) byCell.set(services.cell, Object.assign(services, { cells }))
  return inCell(MAIN)
}

type CellOptions = {
  readonly countsOf: CountsOf
  readonly config: Config
  readonly log: Log
  readonly redis: Redis
  readonly subscriber: Redis
  readonly tagOf: (tenantId: string) => string
  readonly places: StreamPlaces
  readonly poolOptions: Omit<PoolOptions, 'size' | 'checkRows'> & { readonly checkRows: boolean }
}

/** The connections of one cell. Each has as many as the settings say, so that no cell takes another's. */
async function openCell(
  { name, databaseUrl, databaseReadUrl }: CellSetting,
  { countsOf, config, log, redis, subscriber, tagOf, places, poolOptions }: CellOptions,
): Promise<CellServices & { readonly end: () => Promise<void> }> {
  const ownSize = Math.max(1, Math.min(OWN_CONNECTIONS_MAX, Math.floor(config.databasePoolSize / 3)))
  const readSize = config.databasePoolSize - ownSize
  const pool = await createPool(databaseUrl, { ...poolOptions, size: ownSize })
  const readShares = new ReadShares(readSize)
  const readOptions = { ...poolOptions, size: readSize, shares: readShares }
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
    cell: name,
    pool,
    readPool,
    reads,
    quotaCounts: new QuotaCounts(pool),
    quotaMails: new QuotaMails({ pool, log }),
    readShares,
    securityCounts: new SecurityCounts({ pool, log, countsOf }),
    streams: openStreams({ cell: name, log, pool, subscriber, places, reads, readPool }),
    end: async () => {
      await pool.end()
      await readPool.end()
      await replica?.end()
    },
  }
}
