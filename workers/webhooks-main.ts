/**
 * The `webhook` process of the Procfile: owns the outbox after the commit. It delivers events to subscriptions, sends the
 * mails to tenants' owners, and keeps both to their time.
 */
import { type Config, required } from '../lib/store/config.ts'
import { createPool } from '../lib/store/postgres.ts'
import { closeRedis, connectRedis } from '../lib/store/redis.ts'
import { startAdminServer } from '../lib/telemetry/admin.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { runProcess } from '../lib/telemetry/process.ts'
import { createReadiness } from '../lib/telemetry/readiness.ts'
import { oldEvents, startHousekeeping } from './housekeeping.ts'
import { webhookChores } from './webhook-housekeeping.ts'
import { startWebhooks } from './webhooks.ts'

/** Lanes share these; each holds one only while it reads or stores. */
const POOL_SIZE = 10
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
  const webhooks = await startWebhooks({ config, pool, redis, log })
  const housekeeping = startHousekeeping({ pool, redis, log }, [oldEvents, ...webhookChores])
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: createReadiness({ pool, redis }),
  })
  return {
    adminUrl: admin.url,
    close: async () => {
      await webhooks.close()
      await housekeeping.close()
      await admin.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}

await runProcess(start)
