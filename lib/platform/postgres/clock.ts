/** How PostgreSQL's clock compares with the clock of this process. Nothing is written or removed by a time on which they differ. */
import * as v from 'valibot'
import { type Pool, rows } from './postgres.ts'

/** Beyond it one of the clocks is wrong, and neither side can tell which. */
export const CLOCKS_APART_S_MAX = 60

/** PostgreSQL's time, in milliseconds since 1970. */
export async function timeOfDatabase(pool: Pool): Promise<number> {
  const { ms } = await pool.one(rows(v.object({ ms: v.number() }))`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
  return ms
}

/** By how many seconds PostgreSQL's clock is surely ahead; less than 0: behind. The time that the question takes is not known. */
export async function secondsAhead(pool: Pool): Promise<number> {
  const asked = Date.now()
  const ms = await timeOfDatabase(pool)
  return (ms - Math.min(Math.max(ms, asked), Date.now())) / 1_000
}

export const areApart = (ahead: number): boolean => Math.abs(ahead) > CLOCKS_APART_S_MAX
