/**
 * The SQL of when a stock entry last changed as it is shown: by itself, or by what it shares with the other batches of its
 * variant and place.
 */
import { type PageQuestion, pageIds } from '../../api/list-page.ts'
import { type Fragment, sql } from '../../postgres/postgres.ts'

/** Of the level `l` with its balance `b`. An emptied entry shows the average, but no share of the value. */
export const shownUpdatedAt = sql.fragment`greatest(l.updated_at, b.averaged_at, case when l.quantity > 0 then b.valued_at end)`

/** Up to so many changed entries are sorted by id; beyond, entries are read in id order, as lib/api/list-page.ts says. */
const SORTED_MAX = 10_000

/** The page's ids, as `pageIds`, of the entries whose shown updated_at is at or after `since`. */
export function changedIds(question: PageQuestion, since: string): Fragment {
  const and = sql.fragment`${question.and ?? sql.fragment``} and ${hasChanged(since)}`
  if (question.same?.some(({ isGiven, leaves }) => isGiven && leaves !== 'many')) return pageIds({ ...question, and })
  const few = sql.fragment`(select few from few)`
  return sql.fragment`(
    with recent as materialized (
      select id from (${recent(question.tenantId, since)}) recent limit ${SORTED_MAX + 1}
    ), few as materialized (
      select count(*) <= ${SORTED_MAX} as few from recent
    )
    select id from ${pageIds({ ...question, among: sql.fragment`select id from recent where ${few}` })} among_few
    union all
    select id from ${pageIds({ ...question, and: sql.fragment`${and} and not ${few}` })} in_order
  )`
}

/** Of the level `r`. The interval keeps it off the index by time. */
const hasChanged = (since: string): Fragment => sql.fragment`(
  r.updated_at + interval '0' >= ${since}::timestamptz or (
    select greatest(averaged_at, case when r.quantity > 0 then valued_at end) from stock_balances
    where tenant_id = r.tenant_id and item_variant_id = r.item_variant_id and place_key = r.place_key limit 1
  ) >= ${since}::timestamptz
)`

/** Selects the ids of the changed levels, each once, and not many more than are sorted. */
function recent(tenantId: string, since: string): Fragment {
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
