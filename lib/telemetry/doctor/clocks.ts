/**
 * Compares the clocks of Postgres and Redis with this machine's. Half of the time that a question takes is not known.
 */
import { timeOfDatabase } from '../../postgres/clock.ts'
import type { Pool } from '../../postgres/postgres.ts'
import type { Redis } from '../../redis/redis.ts'
import { serversOf } from '../../redis/redis.ts'
import { type Finding, judgeSkew } from './finding.ts'
import { unlessFull } from './redis.ts'

/** The quickest of three questions knows best. */
const QUESTIONS = 3

export async function checkPostgresClock(pool: Pool): Promise<Finding> {
  return compare('clock of postgres', () => timeOfDatabase(pool))
}

export async function checkRedisClocks(redis: Redis): Promise<Finding[]> {
  await redis.ping().catch(unlessFull)
  return Promise.all(
    serversOf(redis).map(server =>
      compare('clock of redis', async () => {
        const [seconds, microseconds] = await server.time()
        return Number(seconds) * 1000 + Number(microseconds) / 1000
      }),
    ),
  )
}

async function compare(check: string, ask: () => Promise<number>): Promise<Finding> {
  let best = { skew: 0, uncertainty: Number.POSITIVE_INFINITY }
  for (let question = 0; question < QUESTIONS; question++) {
    const before = Date.now()
    const theirs = await ask()
    const after = Date.now()
    const uncertainty = (after - before) / 2
    if (uncertainty < best.uncertainty) best = { skew: theirs - (before + uncertainty), uncertainty }
  }
  return judgeSkew(check, best.skew, best.uncertainty)
}
