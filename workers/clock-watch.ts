/**
 * Watches the clocks of each cell's PostgreSQL and of Redis, for operators: how far they differ from this process's clock, and whether a
 * clock of PostgreSQL has jumped ahead of all known times.
 */
import { areApart } from '../lib/platform/postgres/clock.ts'
import { lookAtClock } from '../lib/platform/postgres/clock-leap.ts'
import type { Pool } from '../lib/platform/postgres/postgres.ts'
import { redisSecondsAhead } from '../lib/platform/redis/clock.ts'
import type { Redis } from '../lib/platform/redis/redis.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { gauge } from '../lib/platform/telemetry/metrics.ts'
import { type Repeating, repeat } from './repeat.ts'

const EVERY_MS = 10_000
const LEAPT =
  'the clock of PostgreSQL is more than a day ahead of the last time that is known: nothing is removed until it has run for a day'

type Services = {
  readonly cells: readonly { readonly name: string; readonly pool: Pool }[]
  readonly redis: Redis
  readonly log: Pick<Log, 'warn' | 'error'>
}

export function startClockWatch({ cells, redis, log }: Services, { everyMs = EVERY_MS } = {}): Repeating {
  const aheadByCell = new Map<string, number>()
  const leapByCell = new Map<string, number>()
  let redisAhead: number | undefined
  gauge(
    'millrace_database_clock_ahead_seconds',
    'How far the clock of PostgreSQL is ahead of the clock of this process; less than 0: behind',
    ['cell'],
    set => {
      for (const [cell, ahead] of aheadByCell) set({ cell }, ahead)
    },
  )
  gauge(
    'millrace_database_clock_leap_seconds',
    'How far the clock of PostgreSQL is ahead of the last time that is known, while nothing is removed for that; else 0',
    ['cell'],
    set => {
      for (const [cell, leap] of leapByCell) set({ cell }, leap)
    },
  )
  gauge(
    'millrace_redis_clock_ahead_seconds',
    'How far the clock of Redis (of the node that is furthest off) is ahead of the clock of this process; less than 0: behind',
    [],
    set => {
      if (redisAhead !== undefined) set({}, redisAhead)
    },
  )
  const look = async ({ name: cell, pool }: Services['cells'][number]) => {
    const looked = await lookAtClock(pool).catch(() => undefined)
    if (looked === undefined) {
      aheadByCell.delete(cell)
      leapByCell.delete(cell)
      return
    }
    const { ahead_s, leap_s } = looked
    const wereApart = areApart(aheadByCell.get(cell) ?? 0)
    aheadByCell.set(cell, ahead_s)
    if (areApart(ahead_s) !== wereApart) {
      if (wereApart) log.warn({ cell, ahead_s }, 'the clocks of PostgreSQL and this process agree again')
      else
        log.error({ cell, ahead_s }, 'the clocks of PostgreSQL and this process are apart: no writes, no housekeeping')
    }
    const hadLeapt = (leapByCell.get(cell) ?? 0) > 0
    leapByCell.set(cell, leap_s)
    if (leap_s > 0 === hadLeapt) return
    if (hadLeapt) log.warn({ cell }, 'the clock of PostgreSQL is believed again')
    else log.error({ cell, leap_s }, LEAPT)
  }
  const lookAtRedis = async () => {
    const wereApart = areApart(redisAhead ?? 0)
    redisAhead = await redisSecondsAhead(redis)
    if (redisAhead === undefined || areApart(redisAhead) === wereApart) return
    const of = { ahead_s: redisAhead }
    if (wereApart) log.warn(of, 'the clocks of Redis and this process agree again')
    else log.error(of, 'the clocks of Redis and this process are apart: no housekeeping')
  }
  return repeat(async () => void (await Promise.all([...cells.map(look), lookAtRedis()])), { pauseMs: () => everyMs })
}
