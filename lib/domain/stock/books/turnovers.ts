/** Notes of what accounts moved. They spare readers the sum over all movements. Only this file writes them. */
import * as v from 'valibot'
import { type Fragment, fixedFragment, type Pool, rows, sql } from '../../../platform/postgres/postgres.ts'
import { linesOf, type Split, splits } from './lines.ts'

/** Fewer new movements than this are not noted: a reader adds them up in a few milliseconds. */
const MOVEMENTS_MIN = 5_000
/** The most movements in one note. */
const MOVEMENTS_MAX = 10_000
/** The most tenants in one statement. */
const TENANTS_MAX = 2_000

const splitNames = Object.keys(splits) as Split[]

type Noted = { readonly seen: number; readonly last: string | null }

/**
 * Notes the next entries of the next tenants that have enough new movements. Entries of a tenant commit one after another with rising ids,
 * so no entry below the last id is missing. Two processes at the same time make one note: the key of book_notes decides. @returns how many
 * tenants got a note, and the last tenant that was read; null: there are no more
 */
export async function noteTurnovers(pool: Pool, after = '0', movementsMin = MOVEMENTS_MIN): Promise<Noted> {
  const tenants = await pool.any(rows(v.object({ tenant_id: v.string(), since: v.string(), is_due: v.boolean() }))`
    select s.tenant_id::text as tenant_id, coalesce(note.entry_id, 0)::text as since, due.id is not null as is_due
    from (select tenant_id from tenant_streams where tenant_id > ${after}::bigint order by tenant_id limit ${TENANTS_MAX}) s
    left join lateral (
      select entry_id from book_notes where tenant_id = s.tenant_id order by after_entry_id desc limit 1
    ) note on true
    left join lateral (
      select id from stock_movements
      where tenant_id = s.tenant_id and id > coalesce(note.entry_id, 0) and entry_id > coalesce(note.entry_id, 0)
      order by id limit 1 offset ${movementsMin - 1}
    ) due on true
    order by s.tenant_id`)
  const due = tenants.filter(({ is_due: isDue }) => isDue)
  for (const { tenant_id: tenantId, since } of due) await noteTenant(pool, { tenantId, since })
  return { seen: due.length, last: tenants.length < TENANTS_MAX ? null : (tenants.at(-1)?.tenant_id ?? null) }
}

async function noteTenant(
  pool: Pool,
  { tenantId, since }: { readonly tenantId: string; readonly since: string },
): Promise<void> {
  const next = sql.fragment`
    select id, created_at from stock_movements
    where tenant_id = ${tenantId}::bigint and id > ${since}::bigint and entry_id > ${since}::bigint
    order by id limit ${MOVEMENTS_MAX}`
  // All commands of a unit of work have one time. A note ends with a whole unit, so it is either before a moment or after it.
  await pool.query(rows(v.unknown())`
    with next as materialized (${next}),
    until as materialized (
      select coalesce(
        (select max(created_at) from next where created_at < (select max(created_at) from next) and (select count(*) from next) = ${MOVEMENTS_MAX}),
        (select max(created_at) from next)
      ) as created_at
    ), bound as materialized (
      select until.created_at, coalesce((select min(id) from next where created_at > until.created_at), 9223372036854775807) as id from until
    ), reached as materialized (
      select bound.created_at, greatest(
        (select r.entry_id from stock_movements r where ${ofRange(tenantId, since)} order by r.id desc limit 1),
        (select max(r.entry_id) from book_lines r where ${ofRange(tenantId, since)})
      ) as entry_id
      from bound
    ), lines as materialized (
      ${linesOf({ movements: ofRange(tenantId, since), lines: ofRange(tenantId, since) })}
    ), noted as (
      insert into book_notes (tenant_id, after_entry_id, entry_id, created_at)
      select tenant_id, ${since}::bigint, entry_id, created_at from reached
      cross join (select tenant_id from tenant_streams where tenant_id = ${tenantId}::bigint) living
      where entry_id is not null
      on conflict do nothing
      returning entry_id
    )
    insert into book_turnovers (tenant_id, split, is_month, day, entry_id, account, part, place_key, debit, credit)
    select ${tenantId}::bigint, t.split, t.is_month, t.day, noted.entry_id, t.account, t.part, t.place, t.debit, t.credit
    from noted
    cross join (${sql.join(splitNames.flatMap(turnoversBy), sql.fragment` union all `)}) t`)
}

const ofRange = (tenantId: string, since: string): Fragment => sql.fragment`
  r.tenant_id = ${tenantId}::bigint and r.id > ${since}::bigint and r.entry_id > ${since}::bigint
    and r.id < (select id from bound) and r.created_at <= (select created_at from bound)`

const turnoversBy = (split: Split): Fragment[] =>
  [
    { isMonth: false, day: 'day' },
    { isMonth: true, day: `date_trunc('month', day)::date` },
  ].map(({ isMonth, day }) =>
    fixedFragment(`
  select '${split}' as split, ${isMonth} as is_month, ${day} as day, account, ${splits[split].part} as part, ${splits[split].place} as place,
    sum(greatest(amount, 0)) as debit, sum(greatest(-amount, 0)) as credit
  from lines group by 3, 4, 5, 6`),
  )
