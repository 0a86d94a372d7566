/**
 * SQL that lists share: which rows stand on a page.
 *
 * Every statement is planned once for all tenants, and so for the average one: where most have a few rows, Postgres takes
 * reading all of a tenant for as good as reading the right rows, and one tenant has a million. So nothing here is left to
 * its estimates: each page has one way in, and no other index can serve the rest of its conditions. Of the filters
 * that are no way in all stand in the text as soon as one is given: each connection keeps every text that it has prepared, and
 * with a text for every choice of filters there would be more of them than all else together.
 */
import { type Fragment, sql } from '../postgres/postgres.ts'
import { readFromRows } from '../postgres/read-from-rows.ts'
import { createdBetween, within } from './created-range.ts'

/** Up to so many changed rows are sorted by id; beyond, rows are read in id order. Reading 10,000 index entries takes about 2 ms. */
const SORTED_MAX = 10_000

/** Where a page begins when there is no cursor: below every id. */
export const pageStart = (after: string | null): string => after ?? '0'
/** The same for a list of the newest first: above every id. */
export const pageStartDescending = (after: string | null): string => after ?? '9223372036854775807'

/** A filter by equality, and how many of a tenant's rows it leaves at most. */
export type Same = {
  readonly leaves: 'one' | 'few' | 'many'
  readonly isGiven: boolean
  /** Of a filter that is given. */
  readonly condition: Fragment
  /** The same, and true where the filter is not given. */
  readonly conditionIfGiven: Fragment
}

const same =
  (leaves: Same['leaves'], type: 'text' | 'bigint') =>
  (column: string, value: string | undefined): readonly Same[] => {
    const wanted = sql.fragment`${value ?? null}::${type === 'text' ? sql.fragment`text` : sql.fragment`bigint`}`
    const condition = sql.fragment`${sql.identifier(['r', column])} = ${wanted}`
    const conditionIfGiven = sql.fragment`case when ${wanted} is null then true else ${condition} end`
    return [{ leaves, isGiven: value !== undefined, condition, conditionIfGiven }]
  }

/** By a text that is unique in the tenant; `(tenant_id, column)` is indexed. */
export const sameKey = same('one', 'text')
/** By what few rows share; `(tenant_id, column, id)` is indexed. */
export const sameFew = same('few', 'bigint')
export const sameFewText = same('few', 'text')
/** By what any share of the rows may have in common. */
export const sameMany = same('many', 'bigint')
export const sameManyText = same('many', 'text')

/** A bound on a time, from and until (exclusive). */
export type TimeRange = {
  readonly column: string
  readonly from: string | undefined
  readonly until: string | undefined
}

export type PageQuestion = {
  readonly table: string
  readonly tenantId: string
  readonly after: string | null
  readonly limit: number
  /** The narrowest first. */
  readonly same?: readonly Same[]
  /** Selects the `id`s of the few rows to choose from. */
  readonly among?: Fragment
  /** Further conditions on the row `r`. */
  readonly and?: Fragment
  /** Of the creation, which ids follow. */
  readonly created?: Omit<TimeRange, 'column'>
  /** Of a time that ids don't follow; `(tenant_id, column, id)` is indexed. */
  readonly time?: TimeRange
}

/** The rows of a page under this alias, for `from`; to be ordered by id. Each is looked up by its id. */
export function pageRows(question: PageQuestion, alias: string): Fragment {
  return sql.fragment`${pageIds(question)} page cross join lateral (
    select * from ${sql.identifier([question.table])}
    where tenant_id = ${question.tenantId}::bigint and id = page.id
    limit 1
  ) ${sql.identifier([alias])}`
}

/** A subquery of the ids of a page. */
export function pageIds(question: PageQuestion): Fragment {
  const { same: filters = [], created, time } = question
  const given = filters.filter(({ isGiven }) => isGiven)
  const key = given.find(({ leaves }) => leaves === 'one')
  const lead = key ?? (question.among ? undefined : given.find(({ leaves }) => leaves === 'few'))
  const flags = question.and ?? sql.fragment``
  const but = (one: Same | undefined): Fragment =>
    given.every(filter => filter === one)
      ? sql.fragment``
      : filters
          .filter(filter => filter !== one)
          .reduce((all, { conditionIfGiven }) => sql.fragment`${all} and ${conditionIfGiven}`, sql.fragment``)
  const and = sql.fragment`${flags} ${but(lead)}`
  if (lead !== undefined) return idsBy(question, lead, and)
  if (question.among)
    return idsAmong(question, sql.fragment`(${question.among})`, sql.fragment`${and} ${timesWithin(question)}`)
  if (isBounded(time)) return idsWithin(question, time, and)
  const table = sql.identifier([question.table])
  const { tenantId, after, limit } = question
  // One filter may have an index in id order. The others stand outside of the fence: by how few rows all together seem to
  // leave, Postgres would rather sort the tenant.
  const [one] = given
  return sql.fragment`(
    select r.id from (
      select * from ${table} r
      where r.tenant_id = ${tenantId}::bigint and r.id > ${pageStart(after)}::bigint ${flags}
        ${one === undefined ? sql.fragment`` : sql.fragment`and ${one.condition}`}
        ${isBounded(created) ? createdBetween({ table: question.table, alias: 'r', tenantId, ...created }) : sql.fragment``}
      order by r.id offset 0
    ) r
    where true ${but(one)}
    order by r.id limit ${limit}
  )`
}

const isBounded = <T extends Omit<TimeRange, 'column'>>(range: T | undefined): range is T =>
  range?.from !== undefined || range?.until !== undefined

/** Ids of the few rows that one filter leaves. `offset 0` fences them: no other condition may choose the index. */
function idsBy(question: PageQuestion, lead: Same, and: Fragment): Fragment {
  const { tenantId, after, limit, among } = question
  const table = sql.identifier([question.table])
  const begin = sql.fragment`r.id > ${pageStart(after)}::bigint`
  const ordered = lead.leaves === 'few' ? sql.fragment`and ${begin} order by r.id` : sql.fragment``
  return sql.fragment`(
    select r.id from (
      select * from ${table} r where r.tenant_id = ${tenantId}::bigint and ${lead.condition} ${ordered} offset 0
    ) r
    where ${begin} ${and} ${timesWithin(question)}
      ${among === undefined ? sql.fragment`` : sql.fragment`and r.id in (${among})`}
    order by r.id limit ${limit}
  )`
}

const timesWithin = ({ created, time }: PageQuestion): Fragment => sql.fragment`
  ${isBounded(created) ? within('r', { column: 'created_at', ...created }) : sql.fragment``}
  ${isBounded(time) ? within('r', time) : sql.fragment``}`

/** Ids of the few rows of a relation with the column `id`, each looked up by it. */
function idsAmong({ table, tenantId, after, limit }: PageQuestion, relation: Fragment, and: Fragment): Fragment {
  return sql.fragment`(
    select found.id
    from (select id from ${relation} among where id > ${pageStart(after)}::bigint order by id offset 0) found
    cross join lateral (
      select from ${sql.identifier([table])} r
      where r.tenant_id = ${tenantId}::bigint and r.id = found.id and ${readFromRows('r')} ${and}
      limit 1
    ) r
    order by found.id limit ${limit}
  )`
}

/**
 * Ids of the rows within a range of time.
 *
 * Two ways, since neither serves all: "what changed since yesterday" leaves a few rows of a million, which reading in id
 * order would only find by reading the million, and "everything since 2000" leaves all, which sorting would read for every
 * page. The planner cannot tell them apart in a prepared statement, so the first branch counts.
 */
function idsWithin(question: PageQuestion, time: TimeRange, and: Fragment): Fragment {
  const { tenantId, limit } = question
  const table = sql.identifier([question.table])
  const column = sql.identifier([time.column])
  return sql.fragment`(
    with recent as materialized (
      select id from ${table}
      where tenant_id = ${tenantId}::bigint
        ${time.from === undefined ? sql.fragment`` : sql.fragment`and ${column} >= ${time.from}::timestamptz`}
        ${time.until === undefined ? sql.fragment`` : sql.fragment`and ${column} < ${time.until}::timestamptz`}
      limit ${SORTED_MAX + 1}
    ), few as materialized (
      select count(*) <= ${SORTED_MAX} as few from recent
    )
    select id from (
      ${idsAmong(question, sql.fragment`(select id from recent where (select few from few))`, and)}
      union all (
        select r.id from ${table} r
        where not (select few from few)
          and r.tenant_id = ${tenantId}::bigint and r.id > ${pageStart(question.after)}::bigint
          and ${readFromRows('r')} ${within('r', time)} ${and}
        order by r.id limit ${limit}
      )
    ) found
  )`
}
