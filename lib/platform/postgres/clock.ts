/** Compares PostgreSQL's clock with the clock of this process. While they differ nothing is written or removed by time. */
import * as v from 'valibot'
import { type Pool, rows } from './postgres.ts'

/** With a greater difference one of the clocks is wrong; it is unknown which. */
export const CLOCKS_APART_S_MAX = 60

/** PostgreSQL's time, in milliseconds since 1970. */
export async function timeOfDatabase(pool: Pool): Promise<number> {
  const { ms } = await pool.one(rows(v.object({ ms: v.number() }))`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
  return ms
}

/**
 * How many seconds another clock is ahead of this process's clock, at least; below 0: it is behind. When the other clock was read during
 * the question is unknown, so the smallest possible difference is taken.
 */
export const secondsAhead = (theirs_ms: number, asked_ms: number, answered_ms = Date.now()): number =>
  (theirs_ms - Math.min(Math.max(theirs_ms, asked_ms), answered_ms)) / 1_000

export const areApart = (ahead: number): boolean => Math.abs(ahead) > CLOCKS_APART_S_MAX
