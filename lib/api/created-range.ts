/**
 * SQL that lists share: filtering by the time of creation. It must not know any resource's fields.
 */
import { type Fragment, sql } from '../store/postgres.ts'

/** Within a tenant ids rise with time, but for the difference between the clocks of two workers: less than this. */
const CLOCK_DIFFERENCE = sql.fragment`interval '1 minute'`

/**
 * Conditions `created_at >= after` and `created_at < before` on the rows of `alias`, each with a bound on the id that
 * follows from it. The table has `(tenant_id, created_at, id)` indexed.
 *
 * Pages go by id, and reading in id order to the first row of yesterday would read a million older ones first; sorting all
 * that is younger would read all of it for every page. The id bound lets the primary key begin (or end) at the right place;
 * `id + 0` keeps its own look-up off the primary key, which would be that same long way. Of 2.9 million movements a page of
 * 200 took 300 ms without and 5 ms with it.
 */
export function createdBetween(options: {
  readonly table: string
  readonly alias: string
  readonly tenantId: string
  readonly after: string | undefined
  readonly before: string | undefined
}): Fragment {
  const { tenantId, after, before } = options
  const table = sql.identifier([options.table])
  const row = sql.identifier([options.alias])
  const since =
    after === undefined
      ? sql.fragment``
      : sql.fragment`
        and ${row}.created_at >= ${after}::timestamptz
        and ${row}.id >= coalesce((
          select min(id + 0) from ${table}
          where tenant_id = ${tenantId}::bigint and created_at >= ${after}::timestamptz and created_at <= ${CLOCK_DIFFERENCE} + (
            select created_at from ${table}
            where tenant_id = ${tenantId}::bigint and created_at >= ${after}::timestamptz
            order by created_at limit 1
          )
        ), 9223372036854775807)`
  const until =
    before === undefined
      ? sql.fragment``
      : sql.fragment`
        and ${row}.created_at < ${before}::timestamptz
        and ${row}.id <= coalesce((
          select max(id + 0) from ${table}
          where tenant_id = ${tenantId}::bigint and created_at < ${before}::timestamptz and created_at >= (
            select created_at from ${table}
            where tenant_id = ${tenantId}::bigint and created_at < ${before}::timestamptz
            order by created_at desc limit 1
          ) - ${CLOCK_DIFFERENCE}
        ), 0)`
  return sql.fragment`${since} ${until}`
}
