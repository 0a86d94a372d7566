/**
 * The statements that load levels of stock. Levels for picking are walked in the order of picking, one index entry after another, until
 * they hold the wanted quantity. A variant may have hundreds of thousands of batches at a place, and a command takes one or two.
 */
import { asked, isAsked } from './position-load.ts'

const levelColumns = 'l.id, l.quantity, l.quarantine_quantity, l.reserved_quantity, l.expected_quantity'

/** The levels without a batch. Reservations need no others. */
export const bareLevels = `
  select q.at, ${levelColumns}
  from ${asked}
  cross join lateral (select * from stock_levels where ${isAsked('q')} and batch_key = 0 limit 1) l`

/** For each kind of stock: which needs are of that kind, the levels of its index, and the quantity of the kind in a level. */
const kinds = [
  {
    isOfKind: 'not p.is_quarantined',
    held: 'batch_id is not null and quantity > quarantine_quantity',
    amount: '(quantity - quarantine_quantity)::numeric',
  },
  {
    isOfKind: 'p.is_quarantined',
    held: 'batch_id is not null and quarantine_quantity > 0',
    amount: 'quarantine_quantity::numeric',
  },
] as const
type Kind = (typeof kinds)[number]

/**
 * Levels of the need `p` in their order, numbered, up to the one with which they hold the wanted quantity. If they do not, a last row
 * without a batch says that there are no more levels.
 */
const walk = ({ isOfKind, held, amount }: Kind): string => `
      select * from (
        with recursive walk as (
          (
            select 1 as n, batch_id, expires_on, ${amount} as total from stock_levels
            where ${isOfKind} and ${isAsked('p')} and ${held} and expires_on >= p.first_day
            order by expires_on, batch_key
            limit 1
          )
          union all
          select w.n + 1, l.batch_id, l.expires_on, w.total + l.amount
          from walk w
          cross join lateral (
            select batch_id, expires_on, ${amount} as amount from stock_levels
            where ${isAsked('p')} and ${held} and (expires_on, batch_key) > (w.expires_on, w.batch_id)
            order by expires_on, batch_key
            limit 1
          ) l
          where w.total < p.wanted
        )
        select n, batch_id, expires_on from walk
        union all
        select held.n + 1, null, null from (select count(*) as n, coalesce(max(total), 0) as total from walk) held
        where ${isOfKind} and held.total < p.wanted
      ) levels`

/** The sum of expired stock. Where not all levels are loaded, only this sum tells how much can be sold. */
const expired = `(
      select coalesce(sum(quantity - quarantine_quantity), 0) from stock_levels
      where ${isAsked('p')} and ${kinds[0].held} and expires_on < p.first_day
    )`

export const allLevels = `
  with asked as materialized (
    select * from ${asked}
  ), named as materialized (
    select * from unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::text[]) as w (tenant_id, id, item_variant_id, number)
  ), picks as materialized (
    select p.*, a.tenant_id, a.item_variant_id, a.storage_place_id
    from unnest($8::bigint[], $9::boolean[], $10::date[], $11::numeric[]) with ordinality
      as p (at, is_quarantined, first_day, wanted, pick)
    join asked a using (at)
  ), walked as materialized (
    select t.tenant_id, l.*
    from (select distinct tenant_id from picks) t
    cross join lateral (
      select p.pick, levels.*
      from picks p
      cross join lateral (${kinds.map(walk).join(`
      union all`)}
      ) levels
      where p.tenant_id = t.tenant_id
      limit $12
    ) l
  ), known as materialized (
    -- Also decides which levels of other positions are read: a transfer may bring each of these batches there.
    select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date
    from (
      select tenant_id, batch_id as id from walked where batch_id is not null
      union
      select tenant_id, id from named where id is not null
      union
      select w.tenant_id, b.id
      from named w
      cross join lateral (
        select id from batches
        where tenant_id = w.tenant_id and item_variant_id = w.item_variant_id and number = w.number
        limit 1
      ) b
    ) chosen
    cross join lateral (
      select * from batches where tenant_id = chosen.tenant_id and id = chosen.id limit 1
    ) b
  )
  select null::bigint as pick, null::boolean as is_end, q.at, ${levelColumns}, q.tenant_id, q.item_variant_id,
    null::bigint as batch_id, null::text as batch_number, null::date as manufacture_date, null::date as expiry_date
  from asked q
  cross join lateral (select * from stock_levels where ${isAsked('q')} and batch_key = 0 limit 1) l
  union all
  select null, null, l.at, ${levelColumns}, k.tenant_id, k.item_variant_id, k.id, k.number, k.manufacture_date, k.expiry_date
  from known k
  left join lateral (
    select a.at, l.*
    -- Chosen before the look-ups, by the offset: each of 400 batches was looked up at 200 positions, which took 600 ms.
    from (select * from asked where tenant_id = k.tenant_id and item_variant_id = k.item_variant_id offset 0) a
    cross join lateral (select * from stock_levels where ${isAsked('a')} and batch_key = k.id limit 1) l
  ) l on true
  union all
  -- How far each pick was loaded. The quantity is what is expired.
  select p.pick, l.n is not null and l.batch_id is null, p.at,
    null, case when $13 and p.first_day > '-infinity' then ${expired} end, null, null, null,
    null, null, l.batch_id, null, null, l.expires_on
  from picks p
  left join (select distinct on (pick) * from walked order by pick, n desc) l using (pick)`
