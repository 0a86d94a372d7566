/**
 * Finds whether PostgreSQL's clock leapt ahead of the last known time. This shows when the clocks of all processes and stores are wrong
 * alike, where comparing clocks shows nothing. A service that was off for weeks looks the same. So a clock that leapt is believed after
 * processes have watched it run for a day (docs/operations.md, "All clocks are ahead").
 */
import * as v from 'valibot'
import { areApart, secondsAhead } from './clock.ts'
import { type Connection, type Pool, rows, statement } from './postgres.ts'

const DAY_S = 86_400
/** Running processes look every ten seconds. Between two looks further apart nobody watched the clock. */
const STEP_S_MAX = 900
/** How often the known time is noted, in seconds. */
const NOTED_EVERY_S = 60

/** The known time, in seconds since 1970. `looked_at`: the last look at a clock that leapt. */
export type KnownTime = { readonly known_at: number; readonly looked_at: number | null; readonly watched_s: number }

/** The known time after a look at the clock, and by how many seconds the clock leapt (0: it may be believed). Pure. */
export function afterLook(known: KnownTime, now: number): KnownTime & { readonly leap_s: number } {
  const believed = { known_at: now, looked_at: null, watched_s: 0, leap_s: 0 }
  const leap_s = leapOf(known, now)
  if (leap_s === 0) return believed
  const step = now - (known.looked_at ?? now)
  // After another leap the day starts again.
  const before = Math.abs(step) > DAY_S ? 0 : known.watched_s
  const watched_s = before + (step > 0 && step <= STEP_S_MAX ? step : 0)
  return watched_s >= DAY_S ? believed : { ...known, looked_at: now, watched_s, leap_s }
}

const leapOf = ({ known_at }: KnownTime, now: number): number => (now - known_at > DAY_S ? now - known_at : 0)

const Row = v.object({
  known_at: v.number(),
  looked_at: v.nullable(v.number()),
  watched_s: v.number(),
  now: v.number(),
})

/** The known time, and PostgreSQL's clock. */
const read = (connection: Connection) =>
  connection.one(rows(Row)`
    select extract(epoch from known_at)::float8 as known_at, extract(epoch from looked_at)::float8 as looked_at, watched_s,
      extract(epoch from clock_timestamp())::float8 as now
    from known_time`)

/** By how many seconds PostgreSQL's clock is ahead of this process's (less than 0: behind), and by how many it leapt (0: none). */
export type Looked = { readonly ahead_s: number; readonly leap_s: number }

/** Looks at the clock and notes the known time. A clock that differs from this process's is not noted. */
export async function lookAtClock(pool: Pool): Promise<Looked> {
  const look = async (connection: Connection) => {
    const asked = Date.now()
    const { now, ...known } = await read(connection)
    const ahead_s = secondsAhead(1_000 * now, asked)
    const isNoted = known.looked_at === null && now >= known.known_at && now < known.known_at + NOTED_EVERY_S
    return { ahead_s, after: isNoted || areApart(ahead_s) ? undefined : afterLook(known, now) }
  }
  const { ahead_s, after } = await look(pool)
  if (after === undefined) return { ahead_s, leap_s: 0 }
  return pool.transaction(async connection => {
    await connection.query(statement`select from known_time for update`)
    const { ahead_s, after } = await look(connection)
    if (after === undefined) return { ahead_s, leap_s: 0 }
    await connection.query(statement`
      update known_time set known_at = to_timestamp(${after.known_at}::float8), looked_at = to_timestamp(${after.looked_at}::float8),
        watched_s = ${after.watched_s}::float8`)
    return { ahead_s, leap_s: after.leap_s }
  })
}

/** The same without a note: how far the clock leapt, and how long it was watched since. Undefined where no process has seen the leap. */
export async function readLeap(
  pool: Pool,
): Promise<{ readonly leap_s: number; readonly watched_s: number | undefined }> {
  const { now, ...known } = await read(pool)
  return { leap_s: leapOf(known, now), watched_s: known.looked_at === null ? undefined : known.watched_s }
}

/** How long a clock that leapt must still be watched, in seconds. */
export const watchedFor = (watched_s: number): number => DAY_S - watched_s
