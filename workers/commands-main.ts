/**
 * The `worker` process of the Procfile: drains the tenants' command queues.
 */
import { type Config, required } from '../lib/store/config.ts'
import { createPool } from '../lib/store/postgres.ts'
import { closeRedis, connectRedis } from '../lib/store/redis.ts'
import { startAdminServer } from '../lib/telemetry/admin.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { runProcess } from '../lib/telemetry/process.ts'
import { createReadiness } from '../lib/telemetry/readiness.ts'
import {
  startCommandWorker,
  WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  WORKER_STATEMENT_TIMEOUT_MS,
} from './command-worker.ts'
import { endedKeys, oldCommands, oldSecurityCounts, startHousekeeping } from './housekeeping.ts'

async function start(config: Config, log: Log) {
  const pool = await createPool(required(config.databaseUrl, 'DATABASE_URL'), {
    // One connection per tenant that is drained at once, and one for readiness and housekeeping.
    size: config.workerConcurrency + 1,
    statementTimeoutMs: WORKER_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  })
  const redis = connectRedis(
    required(config.redisUrl, 'REDIS_URL'),
    'worker',
    `${config.processName} commands`,
    error => log.warn({ err: error }, 'Redis is away'),
  )
  const worker = startCommandWorker({ config, pool, redis, log })
  const housekeeping = startHousekeeping({ pool, redis, log }, [oldCommands, oldSecurityCounts, endedKeys])
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: createReadiness({ pool, redis }),
  })
  return {
    adminUrl: admin.url,
    close: async () => {
      await worker.close()
      await housekeeping.close()
      await admin.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}

await runProcess(start)
