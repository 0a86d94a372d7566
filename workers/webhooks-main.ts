/**
 * The `webhook` process of the Procfile: owns the outbox after the commit. Today it keeps the event feed to its 30 days;
 * subscriptions and delivery come with their own release.
 */
import { type Config, required } from '../lib/store/config.ts'
import { createPool } from '../lib/store/postgres.ts'
import { closeRedis, connectRedis } from '../lib/store/redis.ts'
import { startAdminServer } from '../lib/telemetry/admin.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { runProcess } from '../lib/telemetry/process.ts'
import { createReadiness } from '../lib/telemetry/readiness.ts'
import { oldEvents, startHousekeeping } from './housekeeping.ts'

const POOL_SIZE = 3
const STATEMENT_TIMEOUT_MS = 30_000

async function start(config: Config, log: Log) {
  const pool = await createPool(required(config.databaseUrl, 'DATABASE_URL'), {
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const redis = connectRedis(
    required(config.redisUrl, 'REDIS_URL'),
    'worker',
    `${config.processName} webhooks`,
    error => log.warn({ err: error }, 'Redis is away'),
  )
  const housekeeping = startHousekeeping({ pool, redis, log }, [oldEvents])
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: createReadiness({ pool, redis }),
  })
  return {
    adminUrl: admin.url,
    close: async () => {
      await housekeeping.close()
      await admin.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}

await runProcess(start)
