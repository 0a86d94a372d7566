/** The SQL of the journal: pages of entries. An entry begins with its first movement, or with its first line if it has no movement. */
import * as v from 'valibot'
import { createdBetween, idsOfCreation, within } from '../../../kit/api/created-range.ts'
import { idsByWeek } from '../../../kit/api/dated-page.ts'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Beginning, behind, direction } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach } from '../../../kit/api/same.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { type Account, bitOf, sourcesOf } from '../../accounting/accounts.ts'
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
  const { account } = page.filters
  const isRare = account !== undefined && sourcesOf(account).length === 0 && page.filters.source_id === undefined
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select e.id::text as id, ${document} as document
    from (
      select * from (${isRare ? having(account, page) : sql.fragment`${begunInOrder(page, 'stock_movements')} union all ${begunInOrder(page, 'book_lines')}`}) begun
      order by id ${order} limit ${page.limit}
    ) e
    left join lateral ${source} source on true
    cross join lateral (select currency from tenants where tenant_id = e.tenant_id limit 1) t
    left join lateral (select accounts, categories from account_codes where tenant_id = e.tenant_id limit 1) c on true
    order by e.id ${order}
  `)
}

type Table = 'stock_movements' | 'book_lines'

/** The columns with which an entry begins, from a row `r`. */
const columnsOf = (table: Table): Fragment => sql.fragment`
  r.id, r.tenant_id, r.day, r.document_date, r.created_at, r.source_type, r.source_id,
  ${table === 'stock_movements' ? sql.fragment`r.entry_movements` : sql.fragment`0`} as entry_movements`

const begunInOrder = (page: JournalPage, table: Table): Fragment =>
  sql.fragment`select * from (${begun(page, table)}) rows`

/**
 * Conditions on a row `r`, each beginning with `and`. The text is the same whichever filters are given. The filter of ids is not among
 * them.
 */
const conditionsOf = (filters: JournalFilters) => {
  const {
    account,
    source_type: type,
    day_from: first,
    day_to: last,
    created_after: from,
    created_before: until,
  } = filters
  const bit = account === undefined ? null : bitOf(account)
  return {
    hasAccount: sql.fragment`and r.entry_accounts & coalesce(${bit}::integer, r.entry_accounts) <> 0`,
    ofType: sql.fragment`and r.source_type = coalesce(${type ?? null}, r.source_type)`,
    days: sql.fragment`
      and r.day >= coalesce(${first ?? null}::date, '-infinity') and r.day <= coalesce(${last ?? null}::date, 'infinity')`,
    created: sql.fragment`and ${within('r', { column: 'created_at', from, until })}`,
  }
}

/** The entries that begin in this table: found by their documents, by days, or by sources. */
function begun(page: JournalPage, table: Table): Fragment {
  const { tenantId, filters, limit, order } = page
  const { account, created_after: from, created_before: until, source_type: type, source_id: documents } = filters
  const { day_from: firstDay, day_to: lastDay } = filters
  const columns = columnsOf(table)
  const entries = sql.fragment`${sql.identifier([table])} r
    where r.tenant_id = ${tenantId}::bigint and r.entry_accounts is not null`
  const isCreated = from !== undefined || until !== undefined
  const created = isCreated
    ? sql.fragment`with created as materialized (${idsOfCreation({ table, tenantId, from, until })})`
    : sql.fragment``
  const bounds = isCreated ? createdBetween('r', { from, until }) : sql.fragment``
  const { hasAccount, ofType, days } = conditionsOf(filters)
  const end = sql.fragment`order by r.id ${direction(order)} limit ${limit}`
  const each = (values: Fragment, found: Fragment) =>
    sql.fragment`${created} select r.* from ${ofEach(values, found)} order by r.id ${direction(order)} limit ${limit}`
  if (documents)
    return each(
      arrayOf(documents, 'int8'),
      sql.fragment`
        select ${columns} from (
          select * from ${entries} and r.source_id = wanted.value and ${behind(sql.fragment`r.id`, page)} ${bounds}
          order by r.id ${direction(order)} offset 0
        ) r
        where true ${ofType} ${hasAccount} ${days} ${end}`,
    )
  const sources = arrayOf(
    sourcesOf(account ?? 'INVENTORY').filter(name => type === undefined || name === type),
    'text',
  )
  if (firstDay !== undefined || lastDay !== undefined) {
    const ofSource = {
      date: { column: 'day', from: firstDay, until: lastDay },
      rows: sql.fragment`${entries} and r.source_type = wanted.value`,
      conditions: sql.fragment`${hasAccount} ${days}`,
    }
    return sql.fragment`${created}
      select ${columns} from (
        select r.id from ${ofEach(sources, sql.fragment`select id from ${idsByWeek({ ...page, ...ofSource, bounds })} ids`)} ${end}
      ) ids
      cross join lateral (
        select * from ${sql.identifier([table])} where tenant_id = ${tenantId}::bigint and id = ids.id limit 1
      ) r
      ${end}`
  }
  return each(
    sources,
    sql.fragment`
      select ${columns} from ${entries} and r.source_type = wanted.value and ${behind(sql.fragment`r.id`, page)} ${hasAccount} ${bounds} ${end}`,
  )
}

/**
 * Entries with lines of an account that is rare in every source. The index is read once for each entry, however many lines the entry has. A
 * sort of the lines would read all lines of the tenant.
 */
function having(account: Account, { tenantId, filters, limit, ...beginning }: JournalPage): Fragment {
  const { created_after: from, created_before: until } = filters
  const isCreated = from !== undefined || until !== undefined
  const idsIn = (table: Table) => sql.fragment`(${idsOfCreation({ table, tenantId, from, until })})`
  const created = isCreated
    ? sql.fragment`created as materialized (
        select least(m.low, b.low) as low, greatest(m.high, b.high) as high
        from ${idsIn('stock_movements')} m cross join ${idsIn('book_lines')} b
      ), `
    : sql.fragment``
  const isWithin = isCreated
    ? sql.fragment`and entry_id >= (select low from created) and entry_id < (select high from created)`
    : sql.fragment``
  const next = (isBehind: Fragment) => sql.fragment`(
    select entry_id from book_lines
    where tenant_id = ${tenantId}::bigint and account = ${account} and ${isBehind} ${isWithin}
    order by entry_id ${direction(beginning.order)} limit 1)`
  const way = beginning.order === 'asc' ? sql.fragment`>` : sql.fragment`<`
  const { ofType, days, created: isBetween } = conditionsOf(filters)
  const beginningIn = (table: Table) => sql.fragment`
    select ${columnsOf(table)} from ${sql.identifier([table])} r
    where r.tenant_id = ${tenantId}::bigint and r.id = found.entry_id and r.entry_accounts is not null`
  return sql.fragment`
    with recursive ${created} found (entry_id) as (
      select ${next(behind(sql.fragment`entry_id`, beginning))}
      union all
      select ${next(sql.fragment`entry_id ${way} found.entry_id`)} from found where found.entry_id is not null
    )
    select r.* from found
    cross join lateral (${beginningIn('stock_movements')} union all ${beginningIn('book_lines')} limit 1) r
    where true ${ofType} ${days} ${isBetween}
    limit ${limit}`
}
