/**
 * Runs chores in the background, most of them retention, in small batches that delay nothing. One process at a time runs each chore, and
 * notes the result in PostgreSQL.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { areApart } from '../../lib/platform/postgres/clock.ts'
import { lookAtClock } from '../../lib/platform/postgres/clock-leap.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import { redisSecondsAhead } from '../../lib/platform/redis/clock.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import { choreStates, noteDone, noteFailure, takeTurn } from '../../lib/platform/telemetry/chores.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { gauge } from '../../lib/platform/telemetry/metrics.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Chore } from './deletion.ts'

const EVERY_MS = 600_000
/**
 * The first run starts at a random moment within this time: soon, because processes may restart often, and at different moments in
 * different processes.
 */
const FIRST_WITHIN_MS = 60_000
const BATCH_ROWS = 2_000
/** A run ends after this time; the next run continues. At 2,000 rows in 10 ms that is more than all processes write in between. */
const RUN_MS_MAX = 120_000
/** The pause between two batches of a long run, for other work. */
const PAUSE_MS = 5

type Housekeeping = {
  readonly pool: Pool
  readonly log: Log
  /** Redis's clock is compared too, if Redis answers: it may be the only other right clock. */
  readonly redis?: Redis
}

/**
 * Runs a chore until a batch is not full or the process stops. Returns the number of rows removed or done. PostgreSQL's clock decides which
 * rows are old. Nothing is removed while that clock may be wrong: it differs from another clock, or is a day ahead of all known times.
 */
export async function runChore(
  pool: Pool,
  chore: Chore,
  { isToStop = () => false, redis }: Pick<Housekeeping, 'redis'> & { readonly isToStop?: () => boolean } = {},
): Promise<number> {
  const ends = performance.now() + RUN_MS_MAX
  let done = 0
  for (;;) {
    const { ahead_s, leap_s } = await lookAtClock(pool)
    if (areApart(ahead_s)) return done
    if (redis !== undefined && areApart((await redisSecondsAhead(redis)) ?? 0)) return done
    if (leap_s > 0) {
      await chore.doWithoutRemoval?.(pool)
      return done
    }
    const count = await chore.doBatch(pool, BATCH_ROWS)
    done += count
    if (count < BATCH_ROWS || performance.now() > ends || isToStop()) return done
    await delay(PAUSE_MS)
  }
}

/** Runs a chore when its turn has come. Never throws. */
export async function runInTurn(
  { pool, log, redis }: Housekeeping,
  chore: Chore,
  isClosing: () => boolean,
): Promise<void> {
  const { name } = chore
  try {
    if (!(await takeTurn(pool, name, EVERY_MS / 2))) return
    const done = await runChore(pool, chore, { isToStop: isClosing, ...(redis === undefined ? {} : { redis }) })
    await noteDone(pool, name)
    if (done > 0) log.info({ chore: name, rows: done }, 'housekeeping')
  } catch (error) {
    log.warn({ err: error, chore: name }, 'housekeeping failed')
    // Without PostgreSQL the failure cannot be noted. `doctor` reports that PostgreSQL cannot be reached.
    await noteFailure(pool, name, error).catch(() => {})
  }
}

/** Starts the schedule for a cell. `close` waits for a running batch. */
export function startHousekeeping(services: Housekeeping, chores: readonly Chore[]): Repeating {
  const run = async (isClosing: () => boolean) => {
    for (const chore of chores) {
      if (isClosing()) return
      await runInTurn(services, chore, isClosing)
    }
  }
  return repeat(run, { firstMs: Math.random() * FIRST_WITHIN_MS, pauseMs: () => EVERY_MS })
}

/** Reports how often in a row each chore has failed, in any process. */
export function watchChores(cells: readonly { readonly name: string; readonly pool: Pool }[]): void {
  gauge('millrace_chore_failures', 'Failures of a chore of housekeeping in a row', ['cell', 'chore'], async set => {
    const states = cells.map(async ({ name: cell, pool }) => {
      for (const { name: chore, failures } of await choreStates(pool)) set({ cell, chore }, failures)
    })
    await Promise.all(states)
  })
}
