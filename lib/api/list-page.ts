/**
 * SQL that lists share: pages by id of which a filter by time leaves little. It must not know any resource's fields.
 */
import { type Fragment, sql } from '../store/postgres.ts'

/** Up to so many changed rows are sorted by id; beyond, rows are read in id order. Reading 10,000 index entries takes about 2 ms. */
const SORTED_MAX = 10_000

/** Where a page begins when there is no cursor: below every id. */
export const pageStart = (after: string | null): string => after ?? '0'
/** The same for a list of the newest first: above every id. */
export const pageStartDescending = (after: string | null): string => after ?? '9223372036854775807'

/**
 * A subquery of the ids of a tenant's rows with `updated_at >= updatedAfter`, after a position, in id order, at most `limit`
 * of them; `and` filters the row `r` further. The table has `(tenant_id, updated_at, id)` indexed.
 */
export function changedIds(options: {
  readonly table: string
  readonly tenantId: string
  readonly updatedAfter: string
  readonly after: string | null
  readonly limit: number
  readonly and?: Fragment
}): Fragment {
  return idsWithin({ ...options, time: sql.fragment`updated_at >= ${options.updatedAfter}::timestamptz` })
}

/**
 * As `changedIds`, for any condition `time` on an indexed column that is not ordered like the ids (without alias: `date >= x`).
 *
 * Two ways, since neither serves all: "what changed since yesterday" leaves a few rows of a million, which reading in id
 * order would only find by reading the million, and "everything since 2000" leaves all, which sorting would read for every
 * page. The planner cannot tell them apart in a prepared statement, so the first branch counts.
 */
export function idsWithin(options: {
  readonly table: string
  readonly tenantId: string
  readonly time: Fragment
  readonly after: string | null
  readonly limit: number
  readonly and?: Fragment
}): Fragment {
  const { tenantId, time, limit, and = sql.fragment`` } = options
  const table = sql.identifier([options.table])
  const after = pageStart(options.after)
  return sql.fragment`(
    with recent as materialized (
      select id from ${table}
      where tenant_id = ${tenantId}::bigint and ${time}
      limit ${SORTED_MAX + 1}
    ), few as materialized (
      select count(*) <= ${SORTED_MAX} as few from recent
    )
    select id from (
      (
        select r.id from ${table} r
        where (select few from few)
          and r.tenant_id = ${tenantId}::bigint
          and r.id = any (array(select id from recent where id > ${after}::bigint))
          ${and}
        order by r.id limit ${limit}
      ) union all (
        select r.id from ${table} r
        where not (select few from few)
          and r.tenant_id = ${tenantId}::bigint and r.id > ${after}::bigint and ${time}
          ${and}
        order by r.id limit ${limit}
      )
    ) found
  )`
}
