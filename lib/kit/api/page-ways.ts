/** SQL for lists: the ways to find the ids of a page. `list-page.ts` chooses the way. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { readFromRows } from '../../platform/postgres/read-from-rows.ts'
import { idsByWeek } from './dated-page.ts'
import { behind, direction, rowBehind, rowOrder } from './page-order.ts'
import { conditions, createdBounds, filtered, givenOf, isFiltered, type PageQuestion, rowsOf } from './page-question.ts'
import { ofEach, type Same, wantedIn } from './same.ts'
import type { TimeRange } from './time-range.ts'

/** Up to this many matching rows are sorted. If there are more, rows are read in order. Reading 10,000 index entries takes about 2 ms. */
export const SORTED_MAX = 10_000

/** Ids of the few rows of one filter. `offset 0` separates them: no other condition may choose the index. */
export function idsBy(question: PageQuestion, lead: Same): Fragment {
  const { limit, order, updatedAfter } = question
  const isInOrder = lead.leaves === 'few' && updatedAfter === undefined
  const begin = sql.fragment`and ${behind(sql.fragment`r.id`, question)} order by r.id ${direction(order)}`
  const fromRows = lead.leaves === 'one' ? sql.fragment`and ${readFromRows('r')}` : sql.fragment``
  const rowsOfOne = lead.ids
    ? rowsAmong(question, sql.fragment`(${lead.ids})`)
    : sql.fragment`
        select r.* from (
          select * from ${rowsOf(question)} ${wantedIn(lead)} ${fromRows} ${isInOrder ? begin : sql.fragment``} offset 0
        ) r
        where ${rowBehind('r', question)} ${conditions(question)}
        order by ${rowOrder('r', question)} limit ${limit}`
  return sql.fragment`(
    select r.id from ${ofEach(lead.values, rowsOfOne)} order by ${rowOrder('r', question)} limit ${limit}
  )`
}

/** Ids of the few rows of a relation with the column `id`. */
export const idsAmong = (question: PageQuestion, relation: Fragment): Fragment =>
  sql.fragment`(select r.id from (${rowsAmong(question, relation)}) r)`

/** These rows, each looked up by its id. */
function rowsAmong(question: PageQuestion, relation: Fragment): Fragment {
  const { order, updatedAfter } = question
  const isById = updatedAfter === undefined
  const begin = sql.fragment`where ${behind(sql.fragment`id`, question)} order by id ${direction(order)}`
  return sql.fragment`
    select r.*
    from (select id from ${relation} among ${isById ? begin : sql.fragment``} offset 0) found
    cross join lateral (
      select r.* from ${rowsOf(question)} and r.id = found.id and ${readFromRows('r')}
        ${isById ? sql.fragment`` : sql.fragment`and ${rowBehind('r', question)}`} ${conditions(question)}
      limit 1
    ) r
    order by ${isById ? sql.fragment`found.id ${direction(order)}` : rowOrder('r', question)} limit ${question.limit}`
}

/**
 * Ids from an index with the order of the list. One filter may have such an index too, which is read for each of its values. The other
 * filters stay outside of the subquery: otherwise PostgreSQL sorts all rows of the tenant, because it expects all filters together to leave
 * few rows.
 */
export function idsInOrder(question: PageQuestion, fence = sql.fragment`offset 0`): Fragment {
  const { limit, flags = [], and = sql.fragment``, updatedAfter } = question
  const order = rowOrder('r', question)
  // Flags are part of the text, not bound, so that a partial index serves.
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
    select r.id from ${ofEach(one.values, fenced(sql.fragment`${wantedIn(one)} ${bounds}`))}
    order by ${order} limit ${limit}
  )`
}

/**
 * Ids in order, if the next rows contain a full page or are the last ones. Else the ids of `otherwise`.
 *
 * Neither way is always good. "Dated since yesterday" matches few of a million rows: in order, all of them would be read. "Everything since
 * 2000" matches all: a sort would read all for every page. PostgreSQL cannot tell the two apart in a prepared statement, so the statement
 * tries the first way.
 */
export function idsNearOr(question: PageQuestion, rowsMax: number, otherwise: Fragment): Fragment {
  const { limit, order, updatedAfter } = question
  const [one] = updatedAfter === undefined ? givenOf(question) : []
  const eachMax = one ? Math.ceil(rowsMax / one.count) : rowsMax
  const beyond = (ofOne: Fragment) => sql.fragment`
    select r.id from ${rowsOf(question)} and ${rowBehind('r', question)} ${ofOne} ${createdBounds(question)}
    order by ${rowOrder('r', question)} limit 1 offset ${eachMax}`
  // With several values, unread rows of one value may belong before rows on the page of another value.
  const isEnough = one
    ? sql.fragment`near.rows = ${limit} and cardinality(${one.values}) = 1 or (
        select true from ${ofEach(one.values, beyond(wantedIn(one)))}
        where near.rows < ${limit} or r.id ${order === 'asc' ? sql.fragment`<` : sql.fragment`>`} near.last
        limit 1
      ) is null`
    : sql.fragment`near.rows = ${limit} or (${beyond(sql.fragment``)}) is null`
  return sql.fragment`(
    with near as materialized (
      select id from ${idsInOrder(question, sql.fragment`limit ${eachMax}`)} near
    ), enough as materialized (
      select ${isEnough} as enough
      from (select count(*) as rows, ${order === 'asc' ? sql.fragment`max` : sql.fragment`min`}(id) as last from near) near
    )
    select id from near where (select enough from enough)
    union all
    select id from ${otherwise} far where not (select enough from enough)
  )`
}

/** Ids of the rows of a filter, if these are few; else the ids of `otherwise`. */
export function idsIfFew(question: PageQuestion, ids: Fragment, otherwise: Fragment): Fragment {
  return eitherIfFew(
    sql.fragment`select id from (${ids}) ids limit ${SORTED_MAX + 1}`,
    SORTED_MAX,
    idsAmong(question, sql.fragment`(select id from recent where (select few from few))`),
    otherwise,
  )
}

/** As `idsIfFew`, for a filter by equality. */
export function idsOfOneIfFew(question: PageQuestion, one: Same, otherwise: Fragment): Fragment {
  const rowsOfOne = (selected: Fragment, last: Fragment) =>
    ofEach(one.values, sql.fragment`select ${selected} from ${rowsOf(question)} ${wantedIn(one)} ${last}`)
  return eitherIfFew(
    sql.fragment`select r.id from ${rowsOfOne(sql.fragment`r.id`, sql.fragment`limit ${SORTED_MAX + 1}`)} limit ${SORTED_MAX + 1}`,
    SORTED_MAX,
    sql.fragment`(
      select r.id from ${rowsOfOne(sql.fragment`*`, sql.fragment`offset 0`)}
      where (select few from few) and ${rowBehind('r', question)} ${conditions(question)}
      order by ${rowOrder('r', question)} limit ${question.limit}
    )`,
    otherwise,
  )
}

/** @param recent selects rows, but stops when there are too many for `few` */
const eitherIfFew = (recent: Fragment, fewMax: number, few: Fragment, many: Fragment): Fragment => sql.fragment`(
  with recent as materialized (${recent}), few as materialized (select count(*) <= ${fewMax} as few from recent)
  select id from ${few} few_ids where (select few from few)
  union all
  select id from ${many} many_ids where not (select few from few)
)`

/** Ids by a date that ids follow only roughly. */
export function idsOfWeeks(question: PageQuestion, date: TimeRange): Fragment {
  const [rows, bounds] = [rowsOf(question), createdBounds(question)]
  return idsByWeek({ ...question, date, rows, bounds, conditions: conditions(question) })
}
