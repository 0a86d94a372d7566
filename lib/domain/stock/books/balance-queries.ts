/** The SQL of balances: notes of what accounts moved, and the entries after the last note. */
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
  /** The end of the period: a day or a moment. */
  readonly until: { readonly day: string } | { readonly moment: string }
}

const MovedRow = v.object({
  account: v.string(),
  part: v.string(),
  opening: v.string(),
  debit: v.string(),
  credit: v.string(),
})

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** The noted movements: those of whole months, and those of the days of the months in which the period begins and ends. */
function noted({ tenantId, split, from, until }: Asked): Fragment {
  const [part, place] = [sql.fragment`part`, sql.fragment`place_key as place`]
  const rowsOf = (isMonth: boolean, days: Fragment): Fragment => sql.fragment`
    select day, account, ${part}, ${place}, debit, credit from book_turnovers
    where tenant_id = ${tenantId}::bigint and split = ${split} and is_month = ${isMonth} ${days} and entry_id <= (select entry_id from last)`
  if ('moment' in until) return rowsOf(true, sql.fragment``)
  const last = monthOf(until.day)
  const first = from === undefined ? last : monthOf(from)
  const daysOf = (month: string) =>
    rowsOf(
      false,
      sql.fragment`and day >= ${month}::date and day < ${month}::date + interval '1 month' and day <= ${until.day}::date`,
    )
  const months = rowsOf(true, sql.fragment`and day < ${last}::date and day <> ${first}::date`)
  const parts = [months, ...[...new Set([first, last])].map(daysOf)]
  return sql.fragment`${sql.join(parts, sql.fragment` union all `)}`
}

/** The movement of each account, or of each part of it. */
export async function turnoversOf(connection: Connection, asked: Asked): Promise<readonly Moved[]> {
  const { tenantId, split, from, until } = asked
  const isBefore = from === undefined ? sql.fragment`false` : sql.fragment`day < ${from}::date`
  const [byDay, byMoment] =
    'day' in until
      ? [sql.fragment`and day <= ${until.day}::date`, null]
      : [sql.fragment``, new Date(Date.parse(until.moment) + 1).toISOString()]
  // For a moment only notes count that end before it.
  const isNoted = byMoment === null ? sql.fragment`` : sql.fragment`and created_at < ${byMoment}::timestamptz`
  const since = (table: string): Fragment => {
    const upTo =
      byMoment === null
        ? sql.fragment``
        : sql.fragment`and r.id < ${firstIdSince({ table, tenantId }, byMoment)} and r.created_at < ${byMoment}::timestamptz`
    return sql.fragment`
      r.tenant_id = ${tenantId}::bigint and r.id > (select entry_id from last)
        and r.entry_id > (select entry_id from last) ${upTo}`
  }
  const found = await connection.any(rows(MovedRow)`
    with last as materialized (
      select coalesce((
        select entry_id from book_notes where tenant_id = ${tenantId}::bigint ${isNoted} order by after_entry_id desc limit 1
      ), 0) as entry_id
    )
    select account, case when place = 0 then part else place::text end as part,
      coalesce(sum(debit - credit) filter (where ${isBefore}), 0)::text as opening,
      coalesce(sum(debit) filter (where not ${isBefore}), 0)::text as debit,
      coalesce(sum(credit) filter (where not ${isBefore}), 0)::text as credit
    from (
      ${noted(asked)}
      union all
      select day, account, ${fixedFragment(splits[split].part)} as part, ${fixedFragment(splits[split].place)} as place,
        greatest(amount, 0), greatest(-amount, 0)
      from (${linesOf({ movements: since('stock_movements'), lines: since('book_lines') })}) lines
      where true ${byDay}
    ) turnovers
    group by account, part, place
    having sum(debit) <> 0 or sum(credit) <> 0`)
  return found.map(({ account, part, opening, debit, credit }) => ({
    ...{ account: account as Account, part, isPlace: split === 'place' },
    ...{ opening: parseCost(opening), debit: parseCost(debit), credit: parseCost(credit) },
  }))
}

export async function currencyOf(connection: Connection, tenantId: string): Promise<string> {
  const { currency } = await connection.one(rows(v.object({ currency: v.string() }))`
    select currency from tenants where tenant_id = ${tenantId}::bigint`)
  return currency
}
