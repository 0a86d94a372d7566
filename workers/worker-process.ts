/**
 * The frame of a process behind the queues: its connections, its work, the housekeeping of what the work leaves, and the
 * admin port, ended in the order that lets running work finish.
 */
import { type Config, required } from '../lib/config.ts'
import { createPool, type Pool, type PoolOptions } from '../lib/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/redis/redis.ts'
import { startAdminServer } from '../lib/telemetry/admin.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { type Running, runProcess } from '../lib/telemetry/process.ts'
import { createReadiness } from '../lib/telemetry/readiness.ts'
import type { Chore } from './housekeeping/deletion.ts'
import { startHousekeeping } from './housekeeping/housekeeping.ts'

/** `redis` is a connection that waits (`maxRetriesPerRequest: null`). */
type Services = { readonly config: Config; readonly pool: Pool; readonly redis: Redis; readonly log: Log }
type Work = { readonly close: () => Promise<void> }

type WorkerProcess = {
  /** How its connection to Redis is called, after the process. */
  readonly connectionName: string
  readonly poolOptions: (config: Config) => PoolOptions
  /** `close` lets what runs end. */
  readonly startWork: (services: Services) => Work | Promise<Work>
  readonly chores: readonly Chore[]
}

/** Runs the process until it is told to stop; see `runProcess`. */
export const runWorkerProcess = (worker: WorkerProcess): Promise<void> =>
  runProcess((config, log) => start(worker, config, log))

async function start(worker: WorkerProcess, config: Config, log: Log): Promise<Running> {
  const pool = await createPool(required(config.databaseUrl, 'DATABASE_URL'), worker.poolOptions(config))
  const redis = connectRedis(
    required(config.redisUrl, 'REDIS_URL'),
    'worker',
    `${config.processName} ${worker.connectionName}`,
    error => log.warn({ err: error }, 'Redis is away'),
  )
  const work = await worker.startWork({ config, pool, redis, log })
  const housekeeping = startHousekeeping({ pool, redis, log }, worker.chores)
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: createReadiness({ pool, redis }),
  })
  return {
    adminUrl: admin.url,
    close: async () => {
      await work.close()
      await housekeeping.close()
      await admin.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}
