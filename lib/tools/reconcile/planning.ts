/**
 * Checks planning: GET /shortages lists everything that reserves stock and everything that is expected. As for the shown stock values, the
 * list itself is the source. The checks of the stock prove without the list that reservations equal the open documents.
 */

import { demand, supply } from '../../domain/planning/shortages/open-documents.ts'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

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

/** With these `GET /shortages?below=minimum` finds shortages (sql/000005_stock.sql). */
const minimumChecks: readonly Check[] = [
  {
    name: 'minimum of an entry without a batch = that of its variant',
    faultRows: sql.fragment`
      select l.tenant_id, format('level %s', l.id) as subject, v.minimum_stock as expected, l.minimum_stock as found
      from stock_levels l join item_variants v on v.tenant_id = l.tenant_id and v.id = l.item_variant_id
      where l.batch_id is null and coalesce(l.minimum_stock, 0) <> coalesce(v.minimum_stock, 0)`,
  },
  {
    name: 'variants with a minimum tell whether they have an entry at the main place',
    faultRows: sql.fragment`
      select tenant_id, format('variant %s', id) as subject, has_entry::text as expected, has_main_entry::text as found
      from (
        select v.tenant_id, v.id, v.has_main_entry, exists (
          select from stock_levels l
          where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.batch_id is null and l.place_key = coalesce(
            (select p.id from storage_places p where p.tenant_id = v.tenant_id and p.is_main), 0
          )
        ) as has_entry
        from item_variants v where v.minimum_stock > 0
      ) v
      where has_entry <> has_main_entry`,
  },
]

export const planningChecks: readonly Check[] = [
  listedEqualsLevels('listed demand = reserved quantity', 'reserved_quantity', demand),
  listedEqualsLevels('listed supply = expected quantity', 'expected_quantity', supply),
  ...minimumChecks,
]
