/**
 * What every worker process does: it opens connections, starts its work, the chores and the admin port, and closes them in an order that
 * lets running work finish.
 */

import { createReadiness } from '../lib/access/readiness.ts'
import { joinSettings } from '../lib/access/shared-settings.ts'
import { shardTags } from '../lib/pipeline/redis-keys.ts'
import { cellsOf, inCell } from '../lib/platform/cells.ts'
import { type CellSetting, type Config, required } from '../lib/platform/config.ts'
import { createPool, type Pool, type PoolOptions } from '../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/platform/redis/redis.ts'
import { refuseWrongRedis } from '../lib/platform/redis/start-check.ts'
import { configuredSecretBox } from '../lib/platform/secret-box.ts'
import { startAdminServer } from '../lib/platform/telemetry/admin.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import type { ProcessKind } from '../lib/platform/telemetry/metrics.ts'
import { type Running, runProcess } from '../lib/platform/telemetry/process.ts'
import { connectionName } from '../lib/platform/version.ts'
import { joinService } from '../lib/webhooks/service-key.ts'
import { startClockWatch } from './clock-watch.ts'
import type { Chore } from './housekeeping/deletion.ts'
import { startHousekeeping, watchChores } from './housekeeping/housekeeping.ts'

/** `redis` waits while Redis cannot be reached (`maxRetriesPerRequest: null`). */
type Services = { readonly config: Config; readonly cells: Cells; readonly redis: Redis; readonly log: Log }
/** The main cell comes first. */
export type Cells = readonly [Cell, ...Cell[]]
export type Cell = { readonly name: string; readonly databaseUrl: string; readonly pool: Pool }
type Work = { readonly close: () => Promise<void> }

type WorkerProcess = {
  readonly kind: ProcessKind
  /** The name of its connection to Redis, after the process. */
  readonly connectionName: string
  readonly poolOptions: PoolOptions & { readonly name: string }
  /** `close` waits for running work. */
  readonly startWork: (services: Services) => Work | Promise<Work>
  readonly chores: readonly Chore[]
}

/** Runs the process until it is stopped; see `runProcess`. */
export const runWorkerProcess = (worker: WorkerProcess): Promise<void> =>
  runProcess(worker.kind, (config, log) => start(worker, config, log))

async function start(worker: WorkerProcess, config: Config, log: Log): Promise<Running> {
  const settings = cellsOf(config)
  const redisUrl = required(config.redisUrl, 'REDIS_URL')
  await refuseWrongRedis(redisUrl)
  const secrets = configuredSecretBox(config)
  const open = async ({ name, databaseUrl }: CellSetting): Promise<Cell> => ({
    name,
    databaseUrl,
    pool: await createPool(databaseUrl, {
      ...worker.poolOptions,
      name: connectionName(inCell(name, config.processName), worker.poolOptions.name),
    }),
  })
  const cells = (await Promise.all(settings.map(open))) as [Cell, ...Cell[]]
  await joinSettings(cells[0].pool, config, error => log.warn({ err: error }, 'the shared settings were not compared'))
  await joinService(cells[0].pool, secrets, error => log.warn({ err: error }, 'WEBHOOK_SECRET_KEY was not compared'))
  const redis = connectRedis(redisUrl, 'worker', `${config.processName} ${worker.connectionName}`, error =>
    log.warn({ err: error }, 'Redis is away'),
  )
  const work = await worker.startWork({ config, cells, redis, log })
  const housekeeping = cells.map(({ pool }) => startHousekeeping({ pool, log, redis }, worker.chores))
  watchChores(cells)
  const clocks = startClockWatch({ cells, redis, log })
  const readiness = createReadiness({ cells, redis, tags: shardTags(config.queueShards) })
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness,
  })
  return {
    adminUrl: admin.url,
    readiness,
    close: async () => {
      await work.close()
      await Promise.all([...housekeeping, clocks].map(each => each.close()))
      await admin.close()
      await closeRedis(redis)
      await Promise.all(cells.map(({ pool }) => pool.end()))
    },
  }
}
