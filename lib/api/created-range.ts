/** SQL that lists share: filtering by time beside another way in. */
import { type Fragment, sql } from '../postgres/postgres.ts'
import { readFromRows } from '../postgres/read-from-rows.ts'
import type { TimeRange } from './list-page.ts'

/** Conditions on a time that no index can serve: rows come by the way that the rest of the statement chose. */
export function within(alias: string, { column, from, until }: TimeRange): Fragment {
  const time = sql.fragment`${sql.identifier([alias, column])} + interval '0'`
  return sql.fragment`
    ${from === undefined ? sql.fragment`` : sql.fragment`and ${time} >= ${from}::timestamptz`}
    ${until === undefined ? sql.fragment`` : sql.fragment`and ${time} < ${until}::timestamptz`}`
}

/**
 * Conditions `created_at >= from` and `created_at < until` on the rows of `alias`, each with a bound on the id that
 * follows from it. The table has `(tenant_id, created_at, id)` indexed, and within a tenant ids rise with `created_at`: both are
 * given under the tenant's lock, and no batch has an earlier time than the one before (sql/000021_times.sql).
 *
 * Pages go by id, and reading in id order to the first row of yesterday would read a million older ones first; sorting all
 * that is younger would read all of it for every page. The id bound lets the primary key begin (or end) at the right place.
 * Of 2.9 million movements a page of 200 took 300 ms without and 5 ms with it.
 */
export function createdBetween(options: {
  readonly table: string
  readonly alias: string
  readonly tenantId: string
  readonly from: string | undefined
  readonly until: string | undefined
}): Fragment {
  const { from, until } = options
  const row = sql.identifier([options.alias])
  const ofTenant = sql.fragment`
    select id from ${sql.identifier([options.table])} where tenant_id = ${options.tenantId}::bigint`
  const since =
    from === undefined
      ? sql.fragment``
      : sql.fragment`
        and ${row}.id >= coalesce((
          ${ofTenant} and created_at >= ${from}::timestamptz order by created_at, id limit 1
        ), 9223372036854775807)`
  const before =
    until === undefined
      ? sql.fragment``
      : sql.fragment`
        and ${row}.id <= coalesce((
          ${ofTenant} and created_at < ${until}::timestamptz order by created_at desc, id desc limit 1
        ), 0)`
  return sql.fragment`and ${readFromRows(options.alias)} ${within(options.alias, { column: 'created_at', from, until })} ${since} ${before}`
}
