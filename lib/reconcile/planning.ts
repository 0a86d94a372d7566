/**
 * What `reconcile` proves about planning: GET /shortages lists all that reserves stock and all that is expected. Like the shown
 * stock values, this takes what it checks from the list itself; that reservations equal the open documents, whatever is listed,
 * the checks of the stock prove without it.
 */

import { demand, supply } from '../planning/shortages/open-documents.ts'
import { type Fragment, sql } from '../postgres/postgres.ts'
import type { Check } from './stock.ts'

const listedEqualsLevels = (name: string, column: string, listed: Fragment): Check => ({
  name,
  faultRows: sql.fragment`
    select tenant_id, format('variant %s at place %s', item_variant_id, coalesce(nullif(place_key, 0)::text, 'none')) as subject,
      trim_scale(p.total) as expected, trim_scale(coalesce(e.total, 0)) as found
    from (
      select tenant_id, item_variant_id, place_key, sum(${sql.identifier([column])}) as total from stock_levels group by 1, 2, 3
    ) p
    cross join lateral (select sum(quantity) as total from (${listed}) listed) e
    where p.total <> coalesce(e.total, 0)`,
})

export const planningChecks: readonly Check[] = [
  listedEqualsLevels('listed demand = reserved quantity', 'reserved_quantity', demand),
  listedEqualsLevels('listed supply = expected quantity', 'expected_quantity', supply),
]
