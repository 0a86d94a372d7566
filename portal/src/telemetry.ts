/** Security telemetry of a day and of the seven before: the service tells 24 hours at a time. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from './exact.ts'

export const TELEMETRY_SCOPE = 'read:security-telemetry'

const DAY_MS = 86_400_000
const DAYS = 8

/** @param day a day of the world's clock (`2026-11-21`); without one the 24 hours until now. */
export const telemetryQuery = (api: ExactApi, day?: string) =>
  queryOptions({
    queryKey: ['security', 'week', day ?? 'now'],
    staleTime: 60_000,
    queryFn: ({ signal }) => {
      const last = day === undefined ? Date.now() : Date.parse(day) + DAY_MS
      const ends = Array.from({ length: DAYS }, (_, index) => last - (DAYS - 1 - index) * DAY_MS)
      return Promise.all(
        ends.map(end =>
          api.security.telemetry(
            { windowStart: new Date(end - DAY_MS).toISOString(), windowEnd: new Date(end).toISOString() },
            { signal },
          ),
        ),
      )
    },
  })
