/** SQL for lists: the conditions of a page. This file chooses no index. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { createdBetween, within } from './created-range.ts'
import type { Beginning, ByChange } from './page-order.ts'
import type { Same } from './same.ts'
import type { TimeRange } from './time-range.ts'

/** A filter that may leave few rows or most of them. */
export type Found = {
  readonly isGiven: boolean
  /** Selects the `id`s of the matching rows, in any order; null if no index serves. */
  readonly ids: Fragment | null
  /** The same condition on the row `r`, without an index. True where the filter is not given. */
  readonly conditionIfGiven: Fragment
}

/** A filter by a boolean column. `(tenant_id, id)` may be indexed for the rarer value. */
export type Flag = { readonly column: string; readonly value: boolean | undefined }

/** The conditions of filters on a page. Filters without a value are among them, because the statement's text contains them. */
export type Asked = {
  /** The filters that find the fewest rows come first. */
  readonly same?: readonly Same[]
  readonly flags?: readonly Flag[]
  readonly found?: Found
  /** Selects the `id`s of the few rows to choose from. */
  readonly among?: Fragment
  /** The time of creation. Ids rise with it. */
  readonly created?: Omit<TimeRange, 'column'>
  /** Times that ids do not follow, and that rows may lack. `(tenant_id, week_of(column), id)` is indexed where it is not null. */
  readonly dates?: readonly TimeRange[]
} & ByChange

export type PageQuestion = Asked &
  Beginning & {
    readonly table: string
    readonly tenantId: string
    readonly limit: number
    /** A condition on the row `r` for every page. */
    readonly and?: Fragment
  }

export const givenOf = ({ same = [] }: Asked): readonly Same[] => same.filter(({ isGiven }) => isGiven)

export const isBounded = <T extends Omit<TimeRange, 'column'>>(range: T | undefined): range is T =>
  range?.from !== undefined || range?.until !== undefined

export const isFiltered = ({ flags = [], found, created, dates = [], ...question }: Asked): boolean =>
  givenOf(question).length > 0 ||
  flags.some(({ value }) => value !== undefined) ||
  found?.isGiven === true ||
  [created, ...dates].some(isBounded)

/** All conditions of filters on the row `r`, given or not. */
export function filtered({ same = [], flags = [], found, created, dates = [] }: Asked): Fragment {
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

export const conditions = (question: PageQuestion): Fragment =>
  sql.fragment`${question.and ?? sql.fragment``} ${filtered(question)}`

/** The bounds of creation, with the bounds of ids in `created`. Only where the list is ordered by id. */
export const createdBounds = (question: PageQuestion): Fragment =>
  question.created && goesByCreation(question) ? createdBetween('r', question.created) : sql.fragment``

/**
 * The text of a page with a search always contains the bounds, whether they are given or not: otherwise there would be twice as many texts.
 */
export const goesByCreation = ({ created, updatedAfter, found }: PageQuestion): boolean =>
  updatedAfter === undefined && created !== undefined && (isBounded(created) || found?.isGiven === true)

export const rowsOf = ({ table, tenantId }: PageQuestion): Fragment =>
  sql.fragment`${sql.identifier([table])} r where r.tenant_id = ${tenantId}::bigint`
