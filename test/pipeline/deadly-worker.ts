/** A command worker in a process of its own. Its `addNote` ends the process if the note says so. Whoever starts it must start it again. */
import { loadConfig, required } from '../../lib/platform/config.ts'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { startCommandWorker } from '../../workers/commands/command-worker.ts'
import { noteEndpointThat } from '../support/pipeline.ts'

const deadly = noteEndpointThat({
  asks: text => {
    if (text === 'deadly') process.kill(process.pid, 'SIGKILL')
    return {}
  },
})

const config = loadConfig()
const log = createLog({ level: 'info', processName: 'deadly' })
const pool = await createPool(required(config.databaseUrl, 'DATABASE_URL'), {
  size: 3,
  statementTimeoutMs: 3_500,
  idleInTransactionTimeoutMs: 3_000,
})
const redis = connectRedis(required(config.redisUrl, 'REDIS_URL'), 'worker', 'deadly')
startCommandWorker({
  config,
  cells: [{ name: 'main', databaseUrl: config.databaseUrl ?? '', pool }],
  redis,
  log,
  endpoints: [deadly],
})
process.on('SIGUSR2', async () =>
  console.log(await registry.getSingleMetricAsString('millrace_commands_given_up_total')),
)
