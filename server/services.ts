/** The services of the server process: opens and closes its connections, queues and caches. cell-services.ts does so for each cell. */
import { randomBytes } from 'node:crypto'
import { type AccessServices, createAccess } from '../lib/access/access-services.ts'
import { placeOfTenant } from '../lib/access/cells/directory.ts'
import { createReadiness } from '../lib/access/readiness.ts'
import { StreamSlots } from '../lib/access/stream-slots.ts'
import type { Endpoint } from '../lib/kit/api/endpoint.ts'
import { endpoints } from '../lib/nouns.ts'
import { Claims } from '../lib/pipeline/claims.ts'
import { shardTags } from '../lib/pipeline/redis-keys.ts'
import { type Reply, type ReplyOptions, ReplyReader, replySender } from '../lib/pipeline/replies.ts'
import { CommandQueues } from '../lib/pipeline/tenant-queues.ts'
import { cellsOf, MAIN, UnknownCell } from '../lib/platform/cells.ts'
import { type Config, required } from '../lib/platform/config.ts'
import { FairShare } from '../lib/platform/limits/fair-share.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/platform/redis/redis.ts'
import { refuseWrongRedis } from '../lib/platform/redis/start-check.ts'
import { configuredSecretBox } from '../lib/platform/secret-box.ts'
import type { Readiness } from '../lib/platform/telemetry/admin.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { countsByPlace } from '../lib/security/counts.ts'
import { type CellServices, openCell } from './cell-services.ts'
import { LongBodies } from './long-bodies.ts'

/** The main cell comes first. */
type Cells = [CellServices, ...CellServices[]]

type SharedServices = {
  readonly config: Config
  readonly log: Log
  /** The full list of endpoints, except in tests of the pipeline. */
  readonly endpoints: readonly Endpoint[]
  /** Names this process in reply streams. It is new at every start. */
  readonly serverId: string
  /** A connection whose commands fail at once if Redis cannot be reached. */
  readonly redis: Redis
  readonly access: AccessServices
  readonly queues: CommandQueues
  readonly claims: Claims
  readonly replies: ReplyReader
  readonly replyOptions: ReplyOptions
  /** Sends answers to requests of other processes that waited for the same command. */
  readonly sendReplies: (replies: readonly Reply[]) => Promise<void>
  /** Limits the commands of a tenant in this process, so that other tenants have room. */
  readonly fairShare: FairShare
  readonly longBodies: LongBodies
  readonly readiness: Readiness
  /** Decides who may open one more stream. */
  readonly streamSlots: StreamSlots
  /** The services of each cell. */
  readonly cells: Readonly<Cells>
  /** The services as the cell of a key sees them. @throws UnknownCell */
  readonly in: (cell: string) => Services
  readonly close: () => Promise<void>
}

/** The services as one cell sees them. `openServices` returns those of the main cell. */
export type Services = SharedServices & CellServices

export type ServiceOptions = { readonly checkRows?: boolean; readonly endpoints?: readonly Endpoint[] }

/** Opens all services. `checkRows` validates every row against its schema (tests, development). */
export async function openServices(config: Config, log: Log, options: ServiceOptions = {}): Promise<Services> {
  const serverId = randomBytes(8).toString('hex')
  const redisUrl = required(config.redisUrl, 'REDIS_URL')
  await refuseWrongRedis(redisUrl)
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
  const tags = shardTags(config.queueShards)
  replies.start(tags)
  const tagOf = (tenantId: string) => queues.tagOf(tenantId)
  const streamSlots = new StreamSlots(redis, tagOf)
  const claims = new Claims(redis, tagOf)

  // Filled at the end, since services of one cell may need those of another.
  const byCell = new Map<string, Services>()
  const inCell = (name: string): Services => {
    const services = byCell.get(name)
    if (services === undefined) throw new UnknownCell(name)
    return services
  }
  const countsOf = countsByPlace(
    tenantId => placeOfTenant(inCell(MAIN).pool, tenantId),
    name => inCell(name).securityCounts,
  )
  const checkRows = options.checkRows ?? false
  const opening = cellsOf(config).map(cell =>
    openCell(cell, { config, log, redis, subscriber, tagOf, streamSlots, countsOf, checkRows }),
  )
  const cells = (await Promise.all(opening)) as Cells
  // Read together with the keys of callers, so that the generation is never older than the key of a request.
  const onGeneration = (generation: number, name: string) => {
    if (generation > 1) log.info({ cell: name, generation }, 'generation of the database')
    claims.begin(generation, name)
    inCell(name).reads.begin(generation)
  }
  const shared: SharedServices = {
    config,
    log,
    endpoints: options.endpoints ?? endpoints,
    serverId,
    redis,
    access: createAccess({ cells, redis, tagOf, subscriber, trustProxy: config.trustProxy, onGeneration }),
    queues,
    claims,
    replies,
    replyOptions,
    sendReplies: replySender(redis, replyOptions),
    fairShare: new FairShare(),
    longBodies: new LongBodies(config),
    readiness: createReadiness({ cells, redis, tags }),
    streamSlots,
    cells,
    in: inCell,
    close: async () => {
      await Promise.all(cells.map(({ securityCounts }) => securityCounts.close()))
      await Promise.all(cells.map(({ reads }) => reads.close()))
      await replies.close()
      for (const connection of [redis, replyRedis, subscriber]) await closeRedis(connection)
      await Promise.all(cells.map(({ end }) => end()))
    },
  }
  for (const cell of cells) byCell.set(cell.name, { ...shared, ...cell })
  return inCell(MAIN)
}
