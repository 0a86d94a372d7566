/**
 * The days of a tenant (docs/guides/values.md): the calendar day of a moment in its time zone, and the moment at which a day begins there.
 * TypeScript uses the runtime's time zones, SQL those of PostgreSQL. Both ask only for the local day of a moment, which every moment has
 * exactly once.
 */
import { type Fragment, fixedFragment } from '../platform/postgres/postgres.ts'
import type { Sql } from './documents/sql.ts'

/** A day: `2026-11-21`. */
export type Day = string
/** A name of a zone in the IANA database. */
export type TimeZone = string

export const UTC: TimeZone = 'UTC'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Tenants use few zones. A format takes 30 us to make. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>()
const FORMATS_MAX = 1_000

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  if (formats.size >= FORMATS_MAX) formats.clear()
  const numeric = 'numeric'
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', hourCycle: 'h23', era: 'short' },
    ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
  })
  formats.set(timeZone, format)
  return format
}

/** The clock of the zone at this time (ms since 1970), as if it were UTC, in whole seconds. */
function localMs(timeZone: TimeZone, at: number): number {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(name =>
    Number(parts[name]),
  ) as [number, number, number, number, number, number]
  const local = new Date(0)
  local.setUTCFullYear(parts['era'] === 'BC' ? 1 - year : year, month - 1, day)
  return local.setUTCHours(hour, minute, second)
}

const dayText = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

/** The day of the moment (`2026-11-21T05:00:00.000Z`) in the zone. */
export function dayIn(timeZone: TimeZone, moment: string): Day {
  return timeZone === UTC ? moment.slice(0, 10) : dayText(localMs(timeZone, Date.parse(moment)))
}

/**
 * The first moment of a day in the zone. A day without midnight (a change to summer time) begins after the gap. A day with midnight twice
 * begins with the first one. A day that the zone skipped begins with the next day.
 */
export function startOfDay(timeZone: TimeZone, day: Day): string {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (timeZone === UTC) return new Date(midnight).toISOString()
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map(at => localMs(timeZone, at) - at)
  const isFirst = (at: number) => localMs(timeZone, at) >= midnight && localMs(timeZone, at - 1) < midnight
  const starts = offsets.map(offset => midnight - offset).filter(isFirst)
  // Two changes of the clock within two days: look at each quarter of an hour, because all changes are on one.
  for (let at = midnight - 15 * HOUR_MS; starts.length === 0; at += HOUR_MS / 4) if (isFirst(at)) starts.push(at)
  return new Date(Math.min(...starts)).toISOString()
}

/** The day `days` days later; null after the year 9999. */
export function daysAfter(day: Day, days: number): Day | null {
  const text = new Date(Date.parse(day) + days * DAY_MS).toISOString()
  return text.startsWith('+') ? null : text.slice(0, 10)
}

/** The UTC day of a time in ms since 1970, `days` days later. In any zone, a tenant's day is the day before, this day or the next. */
export const utcDay = (ms: number, days = 0): Day => dayText(ms + days * DAY_MS)

/** Whether it is the name of a zone in the IANA database, not an offset. PostgreSQL must know it too. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** SQL of the day of a moment in the zone of a tenant. It looks the zone up. */
export const dayOf = (moment: Sql, tenantId: Sql): Sql =>
  `local_day((select time_zone from tenants where tenant_id = ${tenantId} limit 1), ${moment})`

/** SQL of today in the zone of a tenant. */
export const todayOf = (tenantId: Sql): Sql => dayOf('now()', tenantId)

const utcToday: Sql = `(now() at time zone 'utc')::date`
export const todayInUtc: Fragment = fixedFragment(utcToday)

/** The SQL that says whether a date is before the tenant's today. A date after today in UTC needs no look-up of the zone. */
export const isBeforeToday = (date: Sql, tenantId: Sql): Sql =>
  `coalesce(${date} < ${utcToday} + 1 and ${date} < ${todayOf(tenantId)}, false)`
