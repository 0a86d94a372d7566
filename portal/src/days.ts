/** The days of the tenant, in its time zone, as the API counts them. A day (`2026-11-21`) stays as it is; a moment falls on a day there. */
import type { Decimal } from './exact.ts'
import type { Me } from './records.ts'

const DAY_MS = 86_400_000

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The time zone of the signed-in tenant. It is set before any screen is drawn. */
let zone = { name: 'UTC', format: formatOf('UTC') }

export function setDaysOf({ time_zone: name }: Pick<Me, 'time_zone'>): void {
  if (name !== zone.name) zone = { name, format: formatOf(name) }
}

/** The name of the time zone, for the note in the shell. */
export const timeZone = (): string => zone.name

const isDay = (text: string): boolean => text.length === 10

/** A day for inputs and comparisons: `2026-11-21`; empty for null. */
export function dayOf(timestamp: string | null | undefined): string {
  if (timestamp == null) return ''
  return isDay(timestamp) ? timestamp : dayAt(Date.parse(timestamp))
}

function dayAt(ms: number): string {
  const parts = Object.fromEntries(zone.format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return `${String(parts['year']).padStart(4, '0')}-${parts['month']}-${parts['day']}`
}

/** Today, or the day `later` days after it. */
export const today = (later = 0): string => utcDay(Date.parse(dayAt(Date.now())) + later * DAY_MS)

/** The day `days` days later. */
export const dayAfter = (day: string, days: Decimal): string => utcDay(Date.parse(day) + Number(days) * DAY_MS)

/** The day in UTC. Quotas of keys are counted by it. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The moment at which the day begins. Filters of lists need it, because the API reads a bare day as one in UTC. */
export function startOf(day: string): string {
  let [before, from] = [Date.parse(day) - DAY_MS, Date.parse(day) + DAY_MS]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dayAt(middle) < day) before = middle
    else from = middle
  }
  return new Date(from).toISOString()
}

/** The filters, with the moments at which their days begin. Batches expire on days, so filters by expiry stay as they are. */
export const inMoments = <Filters extends object>(filters: Filters): Filters =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) =>
      /_(?:before|after)$/.test(name) && name !== 'expires_before' && typeof value === 'string' && isDay(value)
        ? [name, startOf(value)]
        : [name, value],
    ),
  ) as Filters
