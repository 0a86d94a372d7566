/**
 * The ids of the list of requests. Each contains its time, so that ids rise as requests are decided, and bounds of time are bounds of ids.
 */

/**
 * How many ids a millisecond has. A unit of work has fewer commands of a tenant, and two units of a tenant never run in the same
 * millisecond.
 */
const IDS_OF_MS = 4096n

/** The id of the request at this position of its unit of work, which runs at `now` (`2026-11-21T05:00:00.000Z`). */
export const requestIdAt = (now: string, place: number): string => String(firstAt(Date.parse(now)) + BigInt(place))

/** The lowest id of a millisecond (since 1970). */
const firstAt = (ms: number): bigint => BigInt(ms) * IDS_OF_MS

/** The lowest id of requests that were decided at or after this time. */
export const lowestSince = (time: string): bigint => firstAt(Math.ceil(Date.parse(time)))

/** When the request of this id was decided. */
export const timeOf = (id: string): string => new Date(Number(BigInt(id) / IDS_OF_MS)).toISOString()
