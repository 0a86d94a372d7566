/** The endpoint of the stock's value at a time. `queries.ts` has its SQL. */

import { defineList, type ReadContext } from '../../../kit/api/endpoint.ts'
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { stockTag } from '../tag.ts'
import { Valuation, ValuationTotals } from './document.ts'
import { lastCommandAt, listValuation, valuationTotals } from './queries.ts'
import { ValuationFilters } from './schemas.ts'

export const listValuationEndpoint = defineList({
  id: 'listStockValuation',
  path: '/stock-valuation',
  tag: stockTag,
  scope: 'read:stock',
  summary: 'List what the stock was worth at a time',
  description:
    'One row per variant and storage place (or none), over all batches, as they stood when all commands up to `as_of` had run: ' +
    'movements count by when they were posted (`created_at`, inclusive), whatever the date of their document. Ascending by ' +
    'variant, then by place, stock without a place first. Rows stand for what had moved by then; a quantity of 0 is shown. For a ' +
    'time after the last movement it agrees with `GET /stock` in every digit. `as_of` is a date (the start of that day, UTC) or ' +
    'a timestamp, not in the future; `through` shows instead what documents dated up to a day came to, whenever they were posted, and what ' +
    'was dated out of order may be below 0; a command that runs while you ask may yet be posted within the last moments before.',
  filters: ValuationFilters,
  exampleQuery: { as_of: '2026-10-31T23:59:59.999Z' },
  refusals: [],
  reply: Valuation.reply,
  page: async (context, page) =>
    (await refuseTime(context, page.filters)) ?? listValuation(context.pool, { tenantId: context.tenantId, ...page }),
  totals: {
    reply: ValuationTotals,
    read: async (context, { filters }) =>
      (await refuseTime(context, filters)) ?? valuationTotals(context.pool, { tenantId: context.tenantId, filters }),
  },
})

/** Refuses a query with both times, with none, and with a moment in the future. */
async function refuseTime(
  { pool, tenantId, now }: ReadContext,
  { as_of: moment, through }: ValuationFilters,
): Promise<Refusal | null> {
  if ((moment === undefined) === (through === undefined)) return invalid('as_of', 'name it, or through, and not both')
  // The database's clock, which dates commands, may be ahead of this server's clock. A time up to the last command is allowed.
  if (moment !== undefined && moment > now && moment > ((await lastCommandAt(pool, tenantId)) ?? now))
    return invalid('as_of', 'must not be in the future')
  return null
}

export const valuation = resource([], [listValuationEndpoint])
