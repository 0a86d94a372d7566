/**
 * SQL for lists: the rows of a page.
 *
 * PostgreSQL plans every statement once for all tenants, so for the average one. If most tenants have few rows, it expects a read of all of
 * a tenant's rows to cost as little as a read of the right ones. But one tenant may have a million rows. So nothing here depends on
 * estimates: each page uses one index, and no other index can serve its other conditions. As soon as one filter is given, the text contains
 * all filters of the list. Each connection keeps every prepared text; a text for every choice of filters would make more texts than
 * everything else together.
 */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { idsOfCreation } from './created-range.ts'
import { narrower } from './dated-page.ts'
import { givenOf, goesByCreation, isBounded, type PageQuestion } from './page-question.ts'
import { idsAmong, idsBy, idsIfFew, idsInOrder, idsNearOr, idsOfOneIfFew, idsOfWeeks } from './page-ways.ts'

/**
 * How many rows are read in the order of the list before the other way is used: 0.1 ms. With one filter by equality more rows are read
 * first, because the filter may leave a hundredth of the rows, and then the other way is worse.
 */
const [NEAR_ROWS, NEAR_ROWS_OF_ONE] = [200, 900]

/** The rows of a page under this alias, for `from`. Order them by `rowOrder`. Each row is looked up by its id. */
export function pageRows(question: PageQuestion, alias: string): Fragment {
  return sql.fragment`${pageIds(question)} page cross join lateral (
    select * from ${sql.identifier([question.table])}
    where tenant_id = ${question.tenantId}::bigint and id = page.id
    limit 1
  ) ${sql.identifier([alias])}`
}

/** A subquery of the ids of a page. */
function pageIds(question: PageQuestion): Fragment {
  const { table, tenantId, among, created } = question
  const given = givenOf(question)
  if (among) return idsAmong(question, sql.fragment`(${among})`)
  const lead = given.find(({ leaves }) => leaves === 'one') ?? given.find(({ leaves }) => leaves === 'few')
  if (lead) return idsBy(question, lead)
  const ids = idsOfMany(question)
  if (created === undefined || !goesByCreation(question)) return ids
  const range = idsOfCreation({ table, tenantId, ...created })
  return sql.fragment`(with created as materialized (${range}) select id from ${ids} found)`
}

/**
 * Ids of the rows that match filters which may leave few or most rows. Each filter is tried in turn. If it leaves few rows, these are
 * sorted.
 */
function idsOfMany(question: PageQuestion): Fragment {
  const { found, dates = [], updatedAfter } = question
  const [one] = givenOf(question)
  const bounded = updatedAfter === undefined ? dates.filter(isBounded) : []
  const searched = found?.isGiven ? found.ids : null
  const isSorted = one !== undefined && (updatedAfter !== undefined || bounded.length > 0)
  if (bounded.length === 0 && !searched && !isSorted) return idsInOrder(question)
  const inOrder = bounded.length > 0 ? idsOfWeeks(question, bounded.reduce(narrower)) : idsInOrder(question)
  const byOne = isSorted ? idsOfOneIfFew(question, one, inOrder) : inOrder
  if (searched) return idsNearOr(question, NEAR_ROWS, idsIfFew(question, searched, byOne))
  return idsNearOr(question, one ? NEAR_ROWS_OF_ONE : NEAR_ROWS, byOne)
}
