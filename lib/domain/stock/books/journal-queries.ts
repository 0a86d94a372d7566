/** The SQL of the journal: pages of entries. An entry begins with its first movement, or with its first line where it has no movement. */
import * as v from 'valibot'
import { createdBetween, idsOfCreation } from '../../../kit/api/created-range.ts'
import { idsByWeek } from '../../../kit/api/dated-page.ts'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Beginning, behind, direction } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach } from '../../../kit/api/same.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { bitOf } from '../../accounting/accounts.ts'
import type { JournalFilters } from './journal-schemas.ts'
import { sourceOf } from './lines.ts'

type JournalPage = Beginning & {
  readonly tenantId: string
  readonly filters: JournalFilters
  readonly limit: number
}

const source = fixedFragment(sourceOf('e'))

export async function listJournal(
  connection: Connection,
  document: Fragment,
  page: JournalPage,
): Promise<readonly Row[]> {
  const order = direction(page.order)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select e.id::text as id, ${document} as document
    from (
      select * from (
        select * from (${begun(page, 'stock_movements')}) moved
        union all
        select * from (${begun(page, 'book_lines')}) booked
      ) both_kinds
      order by id ${order} limit ${page.limit}
    ) e
    left join lateral ${source} source on true
    cross join lateral (select currency from tenants where tenant_id = e.tenant_id limit 1) t
    left join lateral (select accounts, categories from account_codes where tenant_id = e.tenant_id limit 1) c on true
    order by e.id ${order}
  `)
}

/** The entries that begin in this table. */
function begun(page: JournalPage, table: 'stock_movements' | 'book_lines'): Fragment {
  const { tenantId, filters, limit, order } = page
  const size = table === 'stock_movements' ? sql.fragment`r.entry_movements` : sql.fragment`0`
  const columns = sql.fragment`
    r.id, r.tenant_id, r.day, r.document_date, r.created_at, r.source_type, r.source_id, ${size} as entry_movements`
  const account = filters.account && fixedFragment(`and r.entry_accounts & ${bitOf(filters.account)} <> 0`)
  const ofTenant = sql.fragment`${sql.identifier([table])} r
    where r.tenant_id = ${tenantId}::bigint and r.entry_accounts is not null ${account ?? sql.fragment``}`
  const { created_after: from, created_before: until, source_type: type, source_id: ids } = filters
  const isCreated = from !== undefined || until !== undefined
  const created = isCreated
    ? sql.fragment`with created as materialized (${idsOfCreation({ table, tenantId, from, until })})`
    : sql.fragment``
  const bounds = isCreated ? createdBetween('r', { from, until }) : sql.fragment``
  const ofType = type === undefined ? sql.fragment`` : sql.fragment`and r.source_type = ${type}`
  const { day_from: first, day_to: last } = filters
  const days = sql.fragment`
    ${first === undefined ? sql.fragment`` : sql.fragment`and r.day >= ${first}::date`}
    ${last === undefined ? sql.fragment`` : sql.fragment`and r.day <= ${last}::date`}`
  const end = sql.fragment`order by r.id ${direction(order)} limit ${limit}`
  if (ids)
    return sql.fragment`${created}
      select r.* from ${ofEach(
        arrayOf(ids, 'int8'),
        sql.fragment`
          select ${columns} from (
            select * from ${ofTenant} and r.source_id = wanted.value and ${behind(sql.fragment`r.id`, page)} order by r.id ${direction(order)} offset 0
          ) r
          where true ${ofType} ${days} ${bounds} ${end}`,
      )}
      order by r.id ${direction(order)} limit ${limit}`
  if (first === undefined && last === undefined)
    return sql.fragment`${created}
      select ${columns} from ${ofTenant} and ${behind(sql.fragment`r.id`, page)} ${ofType} ${bounds} ${end}`
  const date = { column: 'day', from: first, until: last }
  return sql.fragment`${created}
    select ${columns} from ${idsByWeek({ ...page, date, rows: ofTenant, bounds: sql.fragment``, conditions: sql.fragment`${ofType} ${days} ${bounds}` })} ids
    cross join lateral (
      select * from ${sql.identifier([table])} where tenant_id = ${tenantId}::bigint and id = ids.id limit 1
    ) r
    ${end}`
}
