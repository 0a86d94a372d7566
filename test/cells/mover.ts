/**
 * A process that moves a tenant and sends itself a signal in between, for tests of interrupted moves. Its argument is an `Order`. It prints
 * `a signal is sent` before the signal, and `done` or why the move ended.
 */
import { writeSync } from 'node:fs'
import pg from 'pg'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { moveTenant } from '../../lib/tools/moves/move.ts'
import type { Step } from '../../lib/tools/moves/options.ts'

export type Order = {
  readonly tenantId: string
  readonly to: string
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  /** After this step, within the copy, or before this statement of the move, counted from 1. */
  readonly at: Step | 'in the copy' | number
  readonly cells: Readonly<Record<string, string>>
  readonly redisUrl: string
}

const order = JSON.parse(process.argv[2] ?? '') as Order
const { tenantId, to, signal, at } = order
let isSent = false
const send = () => {
  if (isSent) return
  isSent = true
  writeSync(1, 'a signal is sent\n')
  process.kill(process.pid, signal)
}

const poolOptions = { size: 1, statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
const cells = await Promise.all(
  Object.entries(order.cells).map(async ([name, databaseUrl]) => {
    const pool = await createPool(databaseUrl, poolOptions)
    return { name, databaseUrl, pool: async () => pool }
  }),
)
const redis = connectRedis(order.redisUrl, 'producer', 'test mover')

let statements = 0
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const { fallback_application_name: name } = (
    this as unknown as { connectionParameters: { fallback_application_name: string } }
  ).connectionParameters
  if (name === 'millrace move' && ++statements === at) send()
  return query.apply(this, args)
} as typeof pg.Client.prototype.query

try {
  await moveTenant(
    { tenantId, to },
    {
      // Moves the tenant as if it had millions of rows.
      ...{ cells, redis, queueShards: 1, keptMs: 0, fewRows: 0 },
      onStep: step => {
        if (step === at) send()
      },
      onRows: rows => {
        if (at === 'in the copy' && rows > 10) send()
      },
    },
  )
  console.log('done')
} catch (error) {
  console.log(`ended: ${(error as Error).message}`)
}
await closeRedis(redis)
for (const { pool } of cells) await (await pool()).end()
