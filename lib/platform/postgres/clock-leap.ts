/**
 * Finds out whether PostgreSQL's clock jumped ahead of the last known time. It also finds clocks that are all wrong by the same time, which
 * a comparison of clocks cannot. A service that was off for weeks looks the same. So a clock that jumped is believed after processes have
 * watched it run for a day (docs/operations.md, "All clocks are ahead").
 */
import * as v from 'valibot'
import { areApart, secondsAhead } from './clock.ts'
import { type Connection, type Pool, rows, statement } from './postgres.ts'

const DAY_S = 86_400
/** Running processes check every ten seconds. If two checks are further apart than this, the clock was not watched in between. */
const STEP_S_MAX = 900
/** How often the known time is noted, in seconds. */
const NOTED_EVERY_S = 60

/** The known time, in seconds since 1970. `looked_at`: the last check of a clock that jumped. */
export type KnownTime = { readonly known_at: number; readonly looked_at: number | null; readonly watched_s: number }

/** The known time after a check of the clock, and by how many seconds the clock jumped (0: it may be believed). Pure. */
export function afterLook(known: KnownTime, now: number): KnownTime & { readonly leap_s: number } {
  const believed = { known_at: now, looked_at: null, watched_s: 0, leap_s: 0 }
  const leap_s = leapOf(known, now)
  if (leap_s === 0) return believed
  const step = now - (known.looked_at ?? now)
  // Another jump begins the day again.
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

/** How many seconds PostgreSQL's clock is ahead of this process's clock (below 0: it is behind), and how many it jumped (0: none). */
export type Looked = { readonly ahead_s: number; readonly leap_s: number }

/** Checks the clock and notes the known time. A clock that differs from this process's clock is not noted. */
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

/**
 * As `lookAtClock`, without a note: how far the clock jumped, and how long it has been watched since. Undefined if no process has seen the
 * jump.
 */
export async function readLeap(
  pool: Pool,
): Promise<{ readonly leap_s: number; readonly watched_s: number | undefined }> {
  const { now, ...known } = await read(pool)
  return { leap_s: leapOf(known, now), watched_s: known.looked_at === null ? undefined : known.watched_s }
}

/** How long a clock that jumped must still be watched, in seconds. */
export const watchedFor = (watched_s: number): number => DAY_S - watched_s
