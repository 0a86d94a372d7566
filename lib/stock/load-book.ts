/**
 * Loads the book of a command in one query: the asked variants, places, batches, levels and values. It must not write, and
 * it need not lock: the tenant's row lock already keeps every other writer of this stock away.
 */
import * as v from 'valibot'
import { type Connection, jsonParameter, rows, sql } from '../store/postgres.ts'
import type { Book } from './book.ts'
import type { BatchWish, BookWishes, PositionWish } from './book-wishes.ts'
import { bookFrom, LoadedBook } from './loaded-book.ts'

/**
 * The book, and the JSON value of `also` (null without). One round trip, for any number of positions.
 * Rows are looked up one by one, by their whole keys (`lateral`, `limit 1`), and not joined: the plan is made for the average
 * tenant, and for many small ones a join would read all of a huge tenant's stock (measured: 38 ms of 100,000 levels for two).
 */
export async function loadBook(
  connection: Connection,
  { tenantId, wishes }: { readonly tenantId: string; readonly wishes: BookWishes },
): Promise<{ readonly book: Book; readonly also: unknown }> {
  const { lookup } = wishes
  const none = sql.fragment``
  const { found } = await connection.one(rows(v.object({ found: v.string() }))`
    with ${lookup === undefined ? none : sql.fragment`${lookup.relations},`}
    main as (
      select id from storage_places where tenant_id = ${tenantId}::bigint and is_main
    ), asked as materialized (
      select wish.item_variant_id, wish.storage_place_id, bool_or(wish.pickable) as pickable, min(wish.position) as position
      from (
        select
          item_variant_id, case when at_main then (select id from main) else storage_place_id end as storage_place_id,
          pickable, position
        from jsonb_to_recordset(${positionRows(wishes.positions)}::jsonb)
          as wish (item_variant_id bigint, storage_place_id bigint, at_main boolean, pickable boolean, position integer)
        ${lookup === undefined ? none : sql.fragment`union all (${lookup.positions})`}
      ) wish
      group by 1, 2
    ), known_variants as materialized (
      select
        v.id, v.item_id, i.type, v.sku, v.title, v.price, v.purchase_price, i.is_sellable, i.is_producible, i.is_purchasable,
        not v.active as archived, i.batch_tracked, i.shelf_life_days
      from (select distinct item_variant_id from asked) a
      cross join lateral (
        select * from item_variants where tenant_id = ${tenantId}::bigint and id = a.item_variant_id limit 1
      ) v
      cross join lateral (
        select * from items where tenant_id = ${tenantId}::bigint and id = v.item_id limit 1
      ) i
    ), wished_batches as materialized (
      select item_variant_id, id, number
      from jsonb_to_recordset(${jsonParameter(wishes.batches.map(batchRow))}::jsonb)
        as wish (item_variant_id bigint, id bigint, number text)
      ${lookup === undefined ? none : sql.fragment`union all (${lookup.batches})`}
    ), in_stock as (
      -- Also decides which levels of other positions are read: a transfer may bring each of these batches there.
      select l.batch_id
      from asked a
      cross join lateral (
        select batch_id from stock_levels
        where tenant_id = ${tenantId}::bigint and item_variant_id = a.item_variant_id
          and place_key = coalesce(a.storage_place_id, 0) and quantity > 0 and batch_id is not null
        offset 0
      ) l
      where a.pickable
    ), known_batches as materialized (
      select b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date
      from (
        select batch_id as id from in_stock
        union
        select id from wished_batches where id is not null
        union
        select b.id
        from wished_batches w
        cross join lateral (
          select id from batches
          where tenant_id = ${tenantId}::bigint and item_variant_id = w.item_variant_id and number = w.number
          limit 1
        ) b
      ) chosen
      cross join lateral (
        select * from batches where tenant_id = ${tenantId}::bigint and id = chosen.id limit 1
      ) b
    ), known_levels as materialized (
      select l.*
      from (
        select item_variant_id, coalesce(storage_place_id, 0) as place_key, 0 as batch_key from asked
        union all
        select a.item_variant_id, coalesce(a.storage_place_id, 0), b.id
        from asked a join known_batches b on b.item_variant_id = a.item_variant_id
      ) chosen
      cross join lateral (
        select * from stock_levels
        where tenant_id = ${tenantId}::bigint and item_variant_id = chosen.item_variant_id
          and place_key = chosen.place_key and batch_key = chosen.batch_key
        limit 1
      ) l
    )
    select json_build_object(
      'main_place_id', (select id::text from main),
      'place_ids', coalesce((
        select json_agg(p.id::text)
        from (select distinct storage_place_id as id from asked where storage_place_id is not null) a
        cross join lateral (
          select id from storage_places where tenant_id = ${tenantId}::bigint and id = a.id limit 1
        ) p
      ), '[]'),
      'variants', coalesce((
        select json_agg(json_build_object(
          'id', id::text, 'item_id', item_id::text, 'item_type', type, 'sku', sku, 'title', title,
          'price', price::text, 'purchase_price', purchase_price::text, 'is_sellable', is_sellable,
          'is_producible', is_producible, 'is_purchasable', is_purchasable, 'archived', archived,
          'batch_tracked', batch_tracked, 'shelf_life_days', shelf_life_days
        )) from known_variants
      ), '[]'),
      'batches', coalesce((
        select json_agg(json_build_object(
          'id', id::text, 'item_variant_id', item_variant_id::text, 'number', number,
          'manufacture_date', manufacture_date::text, 'expiry_date', expiry_date::text
        )) from known_batches
      ), '[]'),
      'positions', coalesce((
        select json_agg(json_build_object(
          'item_variant_id', a.item_variant_id::text, 'storage_place_id', a.storage_place_id::text,
          'pickable', a.pickable, 'quantity', coalesce(b.quantity, 0)::text,
          'quarantine_quantity', coalesce(b.quarantine_quantity, 0)::text, 'value', coalesce(b.value, 0)::text
        ) order by a.position)
        from asked a
        left join lateral (
          select quantity, quarantine_quantity, value from stock_balances
          where tenant_id = ${tenantId}::bigint and item_variant_id = a.item_variant_id
            and place_key = coalesce(a.storage_place_id, 0)
          limit 1
        ) b on true
      ), '[]'),
      'levels', coalesce((
        select json_agg(json_build_object(
          'id', id::text, 'item_variant_id', item_variant_id::text, 'storage_place_id', storage_place_id::text,
          'batch_id', batch_id::text, 'quantity', quantity::text, 'quarantine_quantity', quarantine_quantity::text,
          'reserved_quantity', reserved_quantity::text, 'expected_quantity', expected_quantity::text
        )) from known_levels
      ), '[]'),
      'fresh_ids', (
        select coalesce(json_agg(nextval('ids')::text), '[]') from generate_series(1, ${wishes.freshIds}::integer)
      ),
      'also', ${wishes.also ?? sql.fragment`null::json`}
    )::text as found
  `)
  const loaded = v.parse(LoadedBook, JSON.parse(found))
  return { book: bookFrom(loaded), also: loaded.also }
}

/** Equal wishes are asked for once. */
function positionRows(wishes: readonly PositionWish[]) {
  const distinct = new Map<string, object>()
  for (const { itemVariantId, storagePlaceId, pickable } of wishes) {
    const key = `${itemVariantId} ${storagePlaceId} ${pickable}`
    const atMain = storagePlaceId === 'main'
    if (distinct.has(key)) continue
    distinct.set(key, {
      item_variant_id: itemVariantId,
      storage_place_id: atMain ? null : storagePlaceId,
      at_main: atMain,
      pickable,
      position: distinct.size,
    })
  }
  return jsonParameter([...distinct.values()])
}

const batchRow = ({ itemVariantId, id, number }: BatchWish) => ({ item_variant_id: itemVariantId, id, number })
