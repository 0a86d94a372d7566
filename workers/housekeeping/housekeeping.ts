/**
 * Chores in the background, most of them retention: in small batches so that nothing waits for them. One process of the fleet
 * does each chore at a time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { inCell } from '../../lib/cells/cells.ts'
import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Redis } from '../../lib/redis/redis.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Chore } from './deletion.ts'

const EVERY_MS = 600_000
/** The first run comes at a random time in this: soon, for a fleet that is restarted often, and not all processes at once. */
const FIRST_WITHIN_MS = 60_000
const BATCH_ROWS = 2_000
/** A run ends after this time; the next one goes on. At 2,000 rows in 10 ms that is more than a fleet writes in between. */
const RUN_MS_MAX = 120_000
/** Between two batches, so that a long run leaves room for others. */
const PAUSE_MS = 5

/** Does a chore until a batch is not full, or it is to stop; returns the rows that it removed or did. */
export async function runChore(pool: Pool, chore: Chore, isToStop = () => false): Promise<number> {
  const ends = performance.now() + RUN_MS_MAX
  let done = 0
  for (;;) {
    const count = await chore.doBatch(pool, BATCH_ROWS)
    done += count
    if (count < BATCH_ROWS || performance.now() > ends || isToStop()) return done
    await delay(PAUSE_MS)
  }
}

/** Starts the schedule for a cell; `close` waits for a running batch. */
export function startHousekeeping(
  { cell, pool, redis, log }: { readonly cell?: string; readonly pool: Pool; readonly redis: Redis; readonly log: Log },
  chores: readonly Chore[],
): Repeating {
  const run = async (isClosing: () => boolean) => {
    for (const chore of chores) {
      if (isClosing()) return
      try {
        const turn = inCell(cell, `chore:${chore.name}`)
        if ((await redis.set(turn, process.pid, 'PX', EVERY_MS / 2, 'NX')) !== 'OK') continue
        const done = await runChore(pool, chore, isClosing)
        if (done > 0) log.info({ chore: chore.name, rows: done }, 'housekeeping')
      } catch (error) {
        log.warn({ err: error, chore: chore.name }, 'housekeeping failed')
      }
    }
  }
  return repeat(run, { firstMs: Math.random() * FIRST_WITHIN_MS, pauseMs: () => EVERY_MS })
}
