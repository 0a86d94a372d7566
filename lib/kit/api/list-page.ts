/**
 * SQL that lists share: which rows stand on a page.
 *
 * Every statement is planned once for all tenants, and so for the average one: where most have a few rows, Postgres takes
 * reading all of a tenant for as good as reading the right rows, and one tenant has a million. So nothing here is left to
 * its estimates: each page has one way in, and no other index can serve the rest of its conditions. All filters of a list
 * stand in its text as soon as one is given: each connection keeps every text that it has prepared, and with a text for every
 * choice of filters there would be more of them than all else together.
 */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { readFromRows } from '../../platform/postgres/read-from-rows.ts'
import { createdBetween, idsOfCreation, within } from './created-range.ts'
import { idsByWeek, narrower } from './dated-page.ts'
import { type Beginning, type ByChange, behind, direction, rowBehind, rowOrder } from './page-order.ts'
import type { Same } from './same.ts'
import type { TimeRange } from './time-range.ts'

export { sameAnyText, sameFew, sameFewText, sameKey, sameMany, sameManyText } from './same.ts'

/**
 * So many rows are looked at in the order of the list before another way is taken: 0.1 ms. Where one filter leads, which may leave a
 * hundredth of them, the other way is worse, and more are looked at.
 */
const [NEAR_ROWS, NEAR_ROWS_OF_ONE] = [200, 900]
/** Up to so many rows that a filter leaves are sorted; beyond, rows are read in order. Reading 10,000 index entries takes about 2 ms. */
export const SORTED_MAX = 10_000

/** A filter that may leave few rows or most of them. */
export type Found = {
  readonly isGiven: boolean
  /** Selects the `id`s of the rows that it leaves, in no order; null where no index serves. */
  readonly ids: Fragment | null
  /** The same of the row `r`, without an index; true where the filter is not given. */
  readonly conditionIfGiven: Fragment
}

/** A filter by a column that is true or false; `(tenant_id, id)` may be indexed where it is the rarer of the two. */
export type Flag = { readonly column: string; readonly value: boolean | undefined }

/** What filters ask of a page; those that are not given are told too, since texts hold them. */
export type Asked = {
  /** The narrowest first. */
  readonly same?: readonly Same[]
  readonly flags?: readonly Flag[]
  readonly found?: Found
  /** Selects the `id`s of the few rows to choose from. */
  readonly among?: Fragment
  /** Of the creation, which ids follow. */
  readonly created?: Omit<TimeRange, 'column'>
  /** Of times that ids don't follow, and rows may lack; `(tenant_id, week_of(column), id)` is indexed where it is not null. */
  readonly dates?: readonly TimeRange[]
} & ByChange

export type PageQuestion = Asked &
  Beginning & {
    readonly table: string
    readonly tenantId: string
    readonly limit: number
    /** A condition on the row `r` that every page has. */
    readonly and?: Fragment
  }

/** The rows of a page under this alias, for `from`; to be ordered by `rowOrder`. Each is looked up by its id. */
export function pageRows(question: PageQuestion, alias: string): Fragment {
  return sql.fragment`${pageIds(question)} page cross join lateral (
    select * from ${sql.identifier([question.table])}
    where tenant_id = ${question.tenantId}::bigint and id = page.id
    limit 1
  ) ${sql.identifier([alias])}`
}

/** A subquery of the ids of a page. */
function pageIds(question: PageQuestion): Fragment {
  const { table, tenantId, among, created, updatedAfter } = question
  const given = givenOf(question)
  if (among) return idsAmong(question, sql.fragment`(${among})`)
  const lead = given.find(({ leaves }) => leaves === 'one') ?? given.find(({ leaves }) => leaves === 'few')
  if (lead) return idsBy(question, lead)
  const ids = idsOfMany(question)
  if (!isBounded(created) || updatedAfter !== undefined) return ids
  const range = idsOfCreation({ table, tenantId, ...created })
  return sql.fragment`(with created as materialized (${range}) select id from ${ids} found)`
}

/** Ids of the rows that filters leave which may leave few or most of them. */
function idsOfMany(question: PageQuestion): Fragment {
  const { found, dates = [], updatedAfter } = question
  const [one] = givenOf(question)
  const nearMax = one ? NEAR_ROWS_OF_ONE : NEAR_ROWS
  if (found?.isGiven && found.ids) return idsNearOr(question, NEAR_ROWS, idsIfFew(question, found.ids))
  if (updatedAfter !== undefined && one) return idsNearOr(question, nearMax, idsOfOneIfFew(question, one))
  const bounded = dates.filter(isBounded)
  if (updatedAfter !== undefined || found?.isGiven || bounded.length === 0) return idsInOrder(question)
  const date = bounded.reduce(narrower)
  const [rows, bounds] = [rowsOf(question), createdBounds(question)]
  return idsNearOr(question, nearMax, idsByWeek({ ...question, date, rows, bounds, conditions: conditions(question) }))
}

const givenOf = ({ same = [] }: Asked): readonly Same[] => same.filter(({ isGiven }) => isGiven)

const isBounded = <T extends Omit<TimeRange, 'column'>>(range: T | undefined): range is T =>
  range?.from !== undefined || range?.until !== undefined

const isFiltered = ({ flags = [], found, created, dates = [], ...question }: Asked): boolean =>
  givenOf(question).length > 0 ||
  flags.some(({ value }) => value !== undefined) ||
  found?.isGiven === true ||
  [created, ...dates].some(isBounded)

/** All that filters ask of the row `r`, given or not. */
function filtered({ same = [], flags = [], found, created, dates = [] }: Asked): Fragment {
  const conditions = [
    ...same.map(({ conditionIfGiven }) => conditionIfGiven),
    ...flags.map(({ column, value = null }) => {
      const wanted = sql.fragment`${value}::boolean`
      return sql.fragment`case when ${wanted} is null then true else ${sql.identifier(['r', column])} = ${wanted} end`
    }),
    ...(found ? [found.conditionIfGiven] : []),
    ...(created ? [within('r', { column: 'created_at', ...created })] : []),
    ...dates.map(date => within('r', date)),
  ]
  return conditions.reduce((all, condition) => sql.fragment`${all} and ${condition}`, sql.fragment``)
}

const conditions = (question: PageQuestion): Fragment =>
  sql.fragment`${question.and ?? sql.fragment``} ${filtered(question)}`

/** The bounds of the creation, those of ids in `created`; with the order of ids alone. */
const createdBounds = ({ created, updatedAfter }: PageQuestion): Fragment =>
  isBounded(created) && updatedAfter === undefined ? createdBetween('r', created) : sql.fragment``

const rowsOf = ({ table, tenantId }: PageQuestion): Fragment =>
  sql.fragment`${sql.identifier([table])} r where r.tenant_id = ${tenantId}::bigint`

/** Ids of the few rows that one filter leaves. `offset 0` fences them: no other condition may choose the index. */
function idsBy(question: PageQuestion, lead: Same): Fragment {
  const { limit, order, updatedAfter } = question
  const isInOrder = lead.leaves === 'few' && updatedAfter === undefined
  const begin = sql.fragment`and ${behind(sql.fragment`r.id`, question)} order by r.id ${direction(order)}`
  return sql.fragment`(
    select r.id from (
      select * from ${rowsOf(question)} and ${lead.condition} ${isInOrder ? begin : sql.fragment``} offset 0
    ) r
    where ${rowBehind('r', question)} ${conditions(question)}
    order by ${rowOrder('r', question)} limit ${limit}
  )`
}

/** Ids of the few rows of a relation with the column `id`, each looked up by it. */
function idsAmong(question: PageQuestion, relation: Fragment): Fragment {
  const { order, updatedAfter } = question
  const isById = updatedAfter === undefined
  const begin = sql.fragment`where ${behind(sql.fragment`id`, question)} order by id ${direction(order)}`
  return sql.fragment`(
    select found.id
    from (select id from ${relation} among ${isById ? begin : sql.fragment``} offset 0) found
    cross join lateral (
      select r.* from ${rowsOf(question)} and r.id = found.id and ${readFromRows('r')}
        ${isById ? sql.fragment`` : sql.fragment`and ${rowBehind('r', question)}`} ${conditions(question)}
      limit 1
    ) r
    order by ${isById ? sql.fragment`found.id ${direction(order)}` : rowOrder('r', question)} limit ${question.limit}
  )`
}

/**
 * Ids by an index that has the order of the list. One filter may have such an index too, which is read for each of its values.
 * The others stand outside of the fence: by how few rows all together seem to leave, Postgres would rather sort the tenant.
 */
function idsInOrder(question: PageQuestion, fence = sql.fragment`offset 0`): Fragment {
  const { limit, flags = [], and = sql.fragment``, updatedAfter } = question
  const order = rowOrder('r', question)
  // Flags are written out rather than bound, so that a partial index serves.
  const written = flags.reduce((all, { column, value }) => {
    const flag = sql.identifier(['r', column])
    return value === undefined ? all : sql.fragment`${all} and ${value ? flag : sql.fragment`not ${flag}`}`
  }, and)
  const rest = isFiltered(question) ? filtered({ ...question, flags: [] }) : sql.fragment``
  const fenced = (more: Fragment) => sql.fragment`
    select r.id from (
      select * from ${rowsOf(question)} and ${rowBehind('r', question)} ${written} ${more} order by ${order} ${fence}
    ) r
    where true ${rest}
    order by ${order} limit ${limit}`
  const bounds = createdBounds(question)
  if (updatedAfter !== undefined) return sql.fragment`(${fenced(bounds)})`
  const [one] = givenOf(question)
  if (one === undefined) return sql.fragment`(${fenced(bounds)})`
  return sql.fragment`(
    select r.id from unnest(${one.values}) wanted (value) cross join lateral (
      ${fenced(sql.fragment`and ${sql.identifier(['r', one.column])} = wanted.value ${bounds}`)}
    ) r
    order by ${order} limit ${limit}
  )`
}

/**
 * Ids in order, where the next rows hold a page of them or are the last ones; else as `otherwise` selects them.
 *
 * No way serves all: "what is dated since yesterday" leaves a few rows of a million, which reading in order would only find by
 * reading the million, and "everything since 2000" leaves all, which sorting would read for every page. The planner cannot
 * tell them apart in a prepared statement, so the statement tries.
 */
function idsNearOr(question: PageQuestion, rowsMax: number, otherwise: Fragment): Fragment {
  const { limit, updatedAfter } = question
  const [one] = givenOf(question)
  const more = (ofOne: Fragment) => sql.fragment`
    select true from ${rowsOf(question)} and ${rowBehind('r', question)} ${ofOne} ${createdBounds(question)}
    order by ${rowOrder('r', question)} limit 1 offset ${rowsMax}`
  const isMore =
    one && updatedAfter === undefined
      ? sql.fragment`
          select true from unnest(${one.values}) wanted (value)
          cross join lateral (${more(sql.fragment`and ${sql.identifier(['r', one.column])} = wanted.value`)}) more limit 1`
      : more(sql.fragment``)
  return sql.fragment`(
    with near as materialized (
      select id from ${idsInOrder(question, sql.fragment`limit ${rowsMax}`)} near
    ), enough as materialized (
      select count(*) = ${limit} or (${isMore}) is null as enough from near
    )
    select id from near where (select enough from enough)
    union all
    select id from ${otherwise} far where not (select enough from enough)
  )`
}

/** Ids of the rows that a filter leaves, where these are few; else ids in order. */
function idsIfFew(question: PageQuestion, ids: Fragment): Fragment {
  return eitherIfFew(
    sql.fragment`select id from (${ids}) ids limit ${SORTED_MAX + 1}`,
    SORTED_MAX,
    idsAmong(question, sql.fragment`(select id from recent where (select few from few))`),
    idsInOrder(question),
  )
}

/** The same of a filter by equality. */
function idsOfOneIfFew(question: PageQuestion, { column, values }: Same): Fragment {
  const ofOne = sql.fragment`and ${sql.identifier(['r', column])} = wanted.value`
  const rowsOfOne = (selected: Fragment, last: Fragment) => sql.fragment`
    unnest(${values}) wanted (value) cross join lateral (select ${selected} from ${rowsOf(question)} ${ofOne} ${last}) r`
  return eitherIfFew(
    sql.fragment`select r.id from ${rowsOfOne(sql.fragment`r.id`, sql.fragment`limit ${SORTED_MAX + 1}`)} limit ${SORTED_MAX + 1}`,
    SORTED_MAX,
    sql.fragment`(
      select r.id from ${rowsOfOne(sql.fragment`*`, sql.fragment`offset 0`)}
      where (select few from few) and ${rowBehind('r', question)} ${conditions(question)}
      order by ${rowOrder('r', question)} limit ${question.limit}
    )`,
    idsInOrder(question),
  )
}

/** @param recent selects rows until there are more than few. */
const eitherIfFew = (recent: Fragment, fewMax: number, few: Fragment, many: Fragment): Fragment => sql.fragment`(
  with recent as materialized (${recent}), few as materialized (select count(*) <= ${fewMax} as few from recent)
  select id from ${few} few_ids where (select few from few)
  union all
  select id from ${many} many_ids where not (select few from few)
)`
