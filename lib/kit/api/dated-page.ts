/**
 * SQL for lists: the ids of a page of rows within a range of dates, where ids follow the dates only roughly. It knows weeks only; callers
 * pass all other conditions.
 */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, type Beginning, behind, direction } from './page-order.ts'
import type { TimeRange } from './time-range.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000
/** The same week numbers as `week_of` (sql/000001_tenants.sql). */
const weekOf = (time: string): number => Math.floor(Date.parse(time) / WEEK_MS)
const [FIRST_WEEK, LAST_WEEK] = [-1_000_000, 1_000_000]
/** With more weeks than this between the first row and the last, each next week with rows is looked up: 5 us a week instead of 2 us. */
const WEEKS_MAX = 1_000

/** The length of a range of dates. A range without a beginning counts as ten years; without an end it ends now. */
const lengthOf = ({ from, until }: TimeRange): number =>
  (until === undefined ? Date.now() : Date.parse(until)) -
  (from === undefined ? Date.now() - 520 * WEEK_MS : Date.parse(from))

/**
 * The range of dates that probably leaves fewer rows: the shorter one. If neither has a beginning, the second: the first is the date of the
 * document itself, and rows are nearly in its order.
 */
export const narrower = (a: TimeRange, b: TimeRange): TimeRange =>
  (a.from === undefined && b.from === undefined) || lengthOf(b) < lengthOf(a) ? b : a

type DatedPage = Beginning & {
  readonly date: TimeRange
  readonly limit: number
  /** The tenant's rows `r`. */
  readonly rows: Fragment
  /** Conditions that bound their ids, beginning with `and`, or nothing. */
  readonly bounds: Fragment
  /** Other conditions, beginning with `and`. */
  readonly conditions: Fragment
}

/**
 * A subquery of the ids, week by week: an index of weeks has the ids of each week in order. A read in id order up to the first order that
 * is due next month would read the last years. A sort would read all due orders for every page. A week adds its ids before the last id of a
 * page that is already full. The first weeks usually fill the page, and each further week costs 2 us. Days would be too many steps for a
 * year, and a month too many rows for a single day.
 */
export function idsByWeek({ date, limit, rows, bounds, conditions, ...beginning }: DatedPage): Fragment {
  const { order } = beginning
  const [way, back] = [direction(order), direction(order === 'asc' ? 'desc' : 'asc')]
  const first = date.from === undefined ? FIRST_WEEK : weekOf(date.from)
  const last = date.until === undefined ? LAST_WEEK : weekOf(date.until)
  const column = sql.identifier(['r', date.column])
  const dated = sql.fragment`${rows} and ${column} is not null`
  const week = sql.fragment`week_of(${column})`
  const weekWhere = (condition: Fragment, way: Fragment) =>
    sql.fragment`(select ${week} from ${dated} and ${week} ${condition} order by ${week} ${way} limit 1)`
  const [start, step, beyond, before, end] =
    order === 'asc'
      ? [sql.fragment`first - 1`, sql.fragment`+ 1`, sql.fragment`>`, sql.fragment`<`, ABOVE_ALL_IDS]
      : [sql.fragment`last + 1`, sql.fragment`- 1`, sql.fragment`<`, sql.fragment`>`, BELOW_ALL_IDS]
  return sql.fragment`(
    with recursive range as materialized (
      select ${weekWhere(sql.fragment`>= ${first}::integer`, direction('asc'))} as first,
        ${weekWhere(sql.fragment`<= ${last}::integer`, direction('desc'))} as last
    ), weeks (week, ids) as (
      select ${start}, array[]::bigint[] from range
      union all
      select next.week, case when added.ids = '{}' then weeks.ids else array(
        select id from unnest(weeks.ids || added.ids) ids (id) order by id ${way} limit ${limit}
      ) end
      from weeks
      cross join range
      cross join lateral (
        select case when last - first < ${WEEKS_MAX} then weeks.week ${step}
          else ${weekWhere(sql.fragment`${beyond} weeks.week`, way)} end as week
        offset 0
      ) next
      cross join lateral (
        select array(
          select r.id from (
            select * from ${dated} and ${week} = next.week and ${behind(sql.fragment`r.id`, beginning)}
              and r.id ${before} coalesce(weeks.ids[${limit}::integer], ${end}::bigint) ${bounds}
            order by r.id ${way} offset 0
          ) r
          where true ${conditions}
          order by r.id ${way} limit ${limit}
        ) as ids
        offset 0
      ) added
      where next.week between first and last
    )
    select unnest(ids) as id from (select ids from weeks order by week ${back} limit 1) page
  )`
}
