/** Compares the clocks of PostgreSQL and Redis with this machine's. The uncertainty is half the time of the question. */
import * as v from 'valibot'
import { CLOCKS_APART_S_MAX, timeOfDatabase } from '../../platform/postgres/clock.ts'
import { readLeap, watchedFor } from '../../platform/postgres/clock-leap.ts'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { serversOf } from '../../platform/redis/redis.ts'
import { duration, type Finding, fault, judgeSkew, warning } from './finding.ts'
import { unlessFull } from './redis.ts'

/** The quickest of three questions is the most exact. */
const QUESTIONS = 3

export async function checkPostgresClock(pool: Pool): Promise<Finding> {
  return compare('clock of postgres', () => timeOfDatabase(pool))
}

/** A clock that leapt ahead of all known times, whatever the other clocks say. */
export async function checkClockLeap(pool: Pool): Promise<Finding[]> {
  const { leap_s, watched_s } = await readLeap(pool)
  const check = 'clock of postgres'
  if (leap_s === 0) return []
  if (watched_s === undefined)
    return [
      warning(
        check,
        `no process has looked at it for ${duration(leap_s * 1_000)}`,
        'look whether the clock is right, and let worker and webhook processes run',
      ),
    ]
  return [
    fault(
      check,
      `${duration(leap_s * 1_000)} ahead of the last time that is known`,
      `if the clocks are wrong, set them right: from ${duration(watchedFor(watched_s) * 1_000)} on old records are removed by this clock. If nothing ran for that time, all is well. See docs/operations.md, "All clocks are ahead"`,
    ),
  ]
}

const TENANTS_NAMED_MAX = 5

/** Tenants whose time is ahead, because PostgreSQL's clock was. Their writes continue from that time until the clock reaches it. */
export async function checkTenantTimes(pool: Pool): Promise<Finding[]> {
  const Ahead = v.object({ tenant_id: v.string(), at: v.string(), count: v.number() })
  const ahead = await pool.any(rows(Ahead)`
    select tenant_id, iso(last_command_at) as at, (count(*) over ())::int as count from tenant_streams
    where last_command_at > clock_timestamp() + make_interval(secs => ${CLOCKS_APART_S_MAX})
    order by last_command_at desc, tenant_id limit ${TENANTS_NAMED_MAX}`)
  const [first] = ahead
  if (first === undefined) return []
  const named = ahead.map(({ tenant_id, at }) => `${tenant_id} (${at})`).join(', ')
  const more = first.count > ahead.length ? `, and ${first.count - ahead.length} more` : ''
  return [
    warning(
      'times of tenants',
      `ahead of postgres: ${named}${more}`,
      'the clock of postgres was ahead: read docs/operations.md, "Clocks". Do not change last_command_at by hand',
    ),
  ]
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
