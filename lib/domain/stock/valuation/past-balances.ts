/**
 * Notes of what variants held at their places, so that the value of the stock at a past time is found without adding up its history. It
 * is their only writer; balances and movements are not its business.
 */
import * as v from 'valibot'
import { fixedFragment, type Pool, rows } from '../../../platform/postgres/postgres.ts'

/**
 * A variant is looked at once in so many of its movements, as their ids are scattered: looking after each one whether there are enough
 * cost 9 us of processor time a movement, this costs 2.
 */
const MOVEMENTS_PER_LOOK = 16
/** So many movements of a variant at least lie between two notes, and as many as it has places, so that notes stay fewer than movements. */
const MOVEMENTS_PER_NOTE = 64

/** Tenants that are looked at together: each costs a look for its next movement. */
const TENANTS_MAX = 20_000
/** Written out: by a limit that it does not know, Postgres would plan for a tenth of the table. */
const nextTenants = fixedFragment(`order by tenant_id limit ${TENANTS_MAX}`)

/** How many movements were looked at, and the last of the tenants looked at; null where there are none behind it. */
type Noted = { readonly seen: number; readonly last: string | null }

/**
 * Looks at up to `movementsMax` movements that were not looked at yet, of the next tenants after the given one, and notes the
 * balances of their variants where enough has moved since the note before.
 *
 * It sees all movements of a tenant up to some id, since a tenant's commands commit one after another with rising ids. A note is
 * made of the note before it and the movements since, so that it is right whatever was looked at; who does the same at the
 * same time makes the same note.
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
