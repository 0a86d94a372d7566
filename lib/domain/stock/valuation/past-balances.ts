/**
 * Notes of the stock of variants at their places. They give the stock's value at a past time without the sum of its history. Only this file
 * writes them.
 */
import * as v from 'valibot'
import { fixedFragment, type Pool, rows } from '../../../platform/postgres/postgres.ts'

/**
 * How many movements of a variant are read before its notes are checked, as their ids are scattered. A check after each movement cost 9 us
 * of processor time per movement, this costs 2 us.
 */
const MOVEMENTS_PER_LOOK = 16
/** The fewest movements of a variant between two notes, unless it has more places than that. This keeps notes fewer than movements. */
const MOVEMENTS_PER_NOTE = 64

/** The most tenants in one statement. Each costs a look-up of its next movement. */
const TENANTS_MAX = 20_000
/** The limit is part of the text: for a bound parameter, PostgreSQL would plan for a tenth of the table. */
const nextTenants = fixedFragment(`order by tenant_id limit ${TENANTS_MAX}`)

/** How many movements were read, and the last tenant; null if no tenant comes after it. */
type Noted = { readonly seen: number; readonly last: string | null }

/**
 * Reads up to `movementsMax` movements that were not read yet, of the next tenants after the given one. Notes the balances of their
 * variants that moved enough since the last note.
 *
 * A tenant's commands commit one after another with rising ids, so no movement below the last id is missing. A note is the previous note
 * plus the movements since. Two processes at the same time make the same note.
 */
export async function notePastBalances(pool: Pool, movementsMax: number, after = '0'): Promise<Noted> {
  return pool.one(rows(v.object({ seen: v.number(), last: v.nullable(v.string()) }))`
    with page as materialized (
      select tenant_id from tenant_streams where tenant_id > ${after}::bigint ${nextTenants}
    ), behind as materialized (
      select s.tenant_id, m.id, m.item_variant_id
      from page s
      left join lateral (
        select movement_id from past_stock_balances_progress where tenant_id = s.tenant_id limit 1
      ) p on true
      cross join lateral (
        select id, item_variant_id from stock_movements
        where tenant_id = s.tenant_id and id > coalesce(p.movement_id, 0)
        order by id
        limit ${movementsMax}
      ) m
      limit ${movementsMax}
    ), reached as materialized (
      select tenant_id, max(id) as movement_id from behind group by tenant_id
    ), due as materialized (
      select moved.tenant_id, moved.item_variant_id, note.movement_id as since, reached.movement_id as until
      from (
        select distinct tenant_id, item_variant_id from behind where mod(hashint8(id), ${MOVEMENTS_PER_LOOK}::int) = 0
      ) moved
      join reached on reached.tenant_id = moved.tenant_id
      left join lateral (
        select movement_id from past_stock_balances
        where tenant_id = moved.tenant_id and item_variant_id = moved.item_variant_id
        order by movement_id desc
        limit 1
      ) note on true
      cross join lateral (
        select count(*) as movements from stock_movements
        where tenant_id = moved.tenant_id and item_variant_id = moved.item_variant_id
          and id > coalesce(note.movement_id, 0) and id <= reached.movement_id
      ) since
      where since.movements >= ${MOVEMENTS_PER_NOTE}::bigint and since.movements >= (
        select count(*) from stock_balances
        where tenant_id = moved.tenant_id and item_variant_id = moved.item_variant_id
      )
    ), noted as (
      insert into past_stock_balances (tenant_id, item_variant_id, movement_id, place_key, quantity, value)
      select due.tenant_id, due.item_variant_id, due.until, part.place_key, sum(part.quantity), sum(part.value)
      from due
      cross join lateral (
        select place_key, quantity, value from past_stock_balances
        where tenant_id = due.tenant_id and item_variant_id = due.item_variant_id and movement_id = due.since
        union all
        select coalesce(storage_place_id, 0), quantity, value from stock_movements
        where tenant_id = due.tenant_id and item_variant_id = due.item_variant_id
          and id > coalesce(due.since, 0) and id <= due.until
      ) part
      group by due.tenant_id, due.item_variant_id, due.until, part.place_key
      on conflict do nothing
    ), progress as (
      insert into past_stock_balances_progress as known (tenant_id, movement_id)
      select tenant_id, movement_id from reached
      on conflict (tenant_id) do update set movement_id = greatest(known.movement_id, excluded.movement_id)
    )
    select (select count(*) from behind)::int as seen,
      (select case when count(*) = ${TENANTS_MAX} then max(tenant_id)::text end from page) as last
  `)
}
