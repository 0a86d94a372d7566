/**
 * The SQL of the time at which a shown stock entry last changed: the entry itself, or the balance that the batches of its variant and place
 * share.
 */
import { changes, type Filter } from '../../../kit/api/list-filters.ts'
import { SORTED_MAX } from '../../../kit/api/page-ways.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import { type Fragment, sql } from '../../../platform/postgres/postgres.ts'

/** That time for a stock entry with its balance `b`. An entry without stock shows the average cost, but no share of the value. */
export const shownUpdatedAt = (entry: Sql): Sql =>
  `greatest(${entry}.updated_at, b.averaged_at, case when ${entry}.quantity > 0 then b.valued_at end)`

/** The entries whose shown updated_at is at or after a time. */
export const changedAfter: Filter = {
  ...changes.updated_after,
  ask: ({ updated_after: since }, { tenantId }) => ({
    found: {
      isGiven: since !== undefined,
      ids: changedIds(tenantId, since ?? ''),
      conditionIfGiven: hasChanged(since ?? null),
    },
  }),
}

/** A condition on the level `r`. The interval keeps PostgreSQL from using the index by time. */
const hasChanged = (
  since: string | null,
): Fragment => sql.fragment`case when ${since}::timestamptz is null then true else
  r.updated_at + interval '0' >= ${since}::timestamptz or (
    select greatest(averaged_at, case when r.quantity > 0 then valued_at end) from stock_balances
    where tenant_id = r.tenant_id and item_variant_id = r.item_variant_id and place_key = r.place_key limit 1
  ) >= ${since}::timestamptz
end`

/** Selects the ids of the changed levels, each once, and at most a few more than a sort takes. */
function changedIds(tenantId: string, since: string): Fragment {
  const max = SORTED_MAX + 1
  const changed = (column: 'updated_at' | 'valued_at') => sql.fragment`
    tenant_id = ${tenantId}::bigint and ${sql.identifier([column])} >= ${since}::timestamptz`
  const levelsOf = (and: Fragment) => sql.fragment`
    select l.id
    from (select item_variant_id, place_key, averaged_at from stock_balances where ${changed('valued_at')} offset 0) b
    cross join lateral (
      select id from stock_levels
      where tenant_id = ${tenantId}::bigint and item_variant_id = b.item_variant_id and place_key = b.place_key ${and}
      offset 0
    ) l`
  return sql.fragment`
    (select id from stock_levels where ${changed('updated_at')} limit ${max})
    union (${levelsOf(sql.fragment`and quantity > 0`)} limit ${max})
    union (${levelsOf(sql.fragment`and b.averaged_at >= ${since}::timestamptz`)} limit ${max})`
}
