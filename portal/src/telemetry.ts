/** Security telemetry of a day and the seven days before. The service returns 24 hours at a time. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from './exact.ts'
import type { SecurityTelemetry, SecurityTelemetryMetric } from './records.ts'

export const TELEMETRY_SCOPE = 'read:security-telemetry'

const DAY_MS = 86_400_000
const DAYS = 8

/** A week is a good comparison once it has this many days with requests. Fewer events than COUNT_MIN say nothing. */
const [DAYS_MIN, COUNT_MIN] = [3, 20]

/** The level of a metric on the last of these days. An unusual metric without enough days to compare is not judged. */
export function levelOf(days: readonly SecurityTelemetry[], { name, level }: SecurityTelemetryMetric) {
  const countOf = (day: SecurityTelemetry | undefined, of: string) =>
    Number(day?.metrics.find(metric => metric.name === of)?.count ?? 0)
  const daysBefore = days.slice(0, -1).filter(day => countOf(day, 'requests') > 0).length
  const isTooLittle = daysBefore < DAYS_MIN || countOf(days.at(-1), name) < COUNT_MIN
  return level !== 'NORMAL' && isTooLittle ? 'TOO_FEW_TO_JUDGE' : level
}

/** @param day a UTC day (`2026-11-21`); undefined: the 24 hours up to now. */
export const telemetryQuery = (api: ExactApi, day?: string) =>
  queryOptions({
    queryKey: ['security', 'week', day ?? 'now'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      // Browsers send few requests at once, so the other data of the screen is requested first.
      await new Promise(resolve => setTimeout(resolve))
      const last = day === undefined ? Date.now() : Date.parse(day) + DAY_MS
      const ends = Array.from({ length: DAYS }, (_, index) => last - (DAYS - 1 - index) * DAY_MS)
      const iso = (ms: number) => new Date(ms).toISOString()
      return Promise.all(
        ends.map(end => api.security.telemetry({ windowStart: iso(end - DAY_MS), windowEnd: iso(end) }, { signal })),
      )
    },
  })
