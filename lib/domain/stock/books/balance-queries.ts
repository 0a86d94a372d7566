/** The SQL of balances: notes of what accounts moved, and the entries since the last note. */
import * as v from 'valibot'
import { firstIdSince } from '../../../kit/api/created-range.ts'
import { parseCost } from '../../../platform/decimal.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import type { Account } from '../../accounting/accounts.ts'
import type { Moved } from './balance-rules.ts'
import { linesOf, type Split, splits } from './lines.ts'

type Asked = {
  readonly tenantId: string
  readonly split: Split
  readonly from: string | undefined
  /** A day, or a moment. */
  readonly until: { readonly day: string } | { readonly moment: string }
}

const MovedRow = v.object({
  account: v.string(),
  part: v.string(),
  opening: v.string(),
  debit: v.string(),
  credit: v.string(),
})

/** What each account, or each part of it, moved. */
export async function turnoversOf(
  connection: Connection,
  { tenantId, split, from, until }: Asked,
): Promise<readonly Moved[]> {
  const isBefore = from === undefined ? sql.fragment`false` : sql.fragment`day < ${from}::date`
  const [byDay, byMoment] =
    'day' in until
      ? [sql.fragment`and day <= ${until.day}::date`, null]
      : [sql.fragment``, new Date(Date.parse(until.moment) + 1).toISOString()]
  // Of a moment the notes that are wholly before it count.
  const isNoted = byMoment === null ? sql.fragment`` : sql.fragment`and created_at < ${byMoment}::timestamptz`
  const since = (table: string): Fragment => {
    const upTo =
      byMoment === null
        ? sql.fragment``
        : sql.fragment`and r.id < ${firstIdSince({ table, tenantId }, byMoment)} and r.created_at < ${byMoment}::timestamptz`
    return sql.fragment`
      r.tenant_id = ${tenantId}::bigint and r.id > (select entry_id from noted)
        and coalesce(r.entry_id, r.id) > (select entry_id from noted) ${upTo}`
  }
  const found = await connection.any(rows(MovedRow)`
    with noted as materialized (
      select coalesce((
        select entry_id from book_notes where tenant_id = ${tenantId}::bigint ${isNoted} order by after_entry_id desc limit 1
      ), 0) as entry_id
    )
    select account, part,
      coalesce(sum(debit - credit) filter (where ${isBefore}), 0)::text as opening,
      coalesce(sum(debit) filter (where not ${isBefore}), 0)::text as debit,
      coalesce(sum(credit) filter (where not ${isBefore}), 0)::text as credit
    from (
      select day, account, part, debit, credit from book_turnovers
      where tenant_id = ${tenantId}::bigint and split = ${split} and entry_id <= (select entry_id from noted) ${byDay}
      union all
      select day, account, ${fixedFragment(splits[split])} as part, greatest(amount, 0), greatest(-amount, 0)
      from (${linesOf({ movements: since('stock_movements'), lines: since('book_lines') })}) lines
      where true ${byDay}
    ) turnovers
    group by account, part
    having sum(debit) <> 0 or sum(credit) <> 0`)
  return found.map(({ account, part, opening, debit, credit }) => ({
    ...{ account: account as Account, part },
    ...{ opening: parseCost(opening), debit: parseCost(debit), credit: parseCost(credit) },
  }))
}

/** The currency of the tenant. */
export async function currencyOf(connection: Connection, tenantId: string): Promise<string> {
  const { currency } = await connection.one(rows(v.object({ currency: v.string() }))`
    select currency from tenants where tenant_id = ${tenantId}::bigint`)
  return currency
}
