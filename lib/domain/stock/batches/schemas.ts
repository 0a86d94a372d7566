/** The filters of batches, and which way a trace goes. */
import { code, oneOf, shape, timestamp } from '../../../kit/api/fields.ts'
import { fewIds, fewTexts, filtersOf } from '../../../kit/api/list-filters.ts'

const DAY_MS = 86_400_000

/** The first day that begins at the time or after it: a day begins at midnight UTC. */
const firstDayFrom = (time: string): string =>
  new Date(Math.ceil(Date.parse(time) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)

export const batchFilters = filtersOf({
  number: fewTexts(code()),
  item_variant_id: fewIds(),
  expires_before: {
    schema: timestamp(),
    ask: ({ expires_before: before }) => ({
      dates: [
        { column: 'expiry_date', from: undefined, until: before === undefined ? undefined : firstDayFrom(before) },
      ],
    }),
  },
})

export const directions = { forward: 'where it went', backward: 'where it came from' } as const
export type Direction = keyof typeof directions

export const TraceQuery = shape({ direction: oneOf(directions) })
