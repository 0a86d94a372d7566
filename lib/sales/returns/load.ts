/**
 * What the commands of sales returns read before they decide: one query each. It must not write or decide. It runs under the
 * tenant's row lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import { Taken, takenLookup } from '../../accounting/taken.ts'
import type { CommandContext } from '../../api/endpoint.ts'
import { parseCost, parseMicro } from '../../decimal.ts'
import { rows, sql } from '../../store/postgres.ts'
import { readFromRows } from '../../store/read-from-rows.ts'
import type { ExpectedItem, ReturnSurroundings } from './rules.ts'
import { type NewReturn, type ReturnStatus, returnStatuses } from './schemas.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)

const LoadedSurroundings = v.object({
  taken: Taken,
  main_place_id: TextOrNull,
  place_ids: v.array(Text),
  batches: v.array(v.object({ id: Text, item_variant_id: Text })),
  order: v.nullable(
    v.object({
      id: Text,
      customer_id: Text,
      currency: Text,
      lines: v.array(
        v.object({
          id: Text,
          item_variant_id: Text,
          sku: TextOrNull,
          title: Text,
          storage_place_id: TextOrNull,
          price: Text,
          shipped: Text,
          held: Text,
          last_batch_id: TextOrNull,
        }),
      ),
    }),
  ),
})

/** What a new return meets, and whether its number and external_ref are taken. */
export async function loadReturnSurroundings(
  context: CommandContext,
  { body, number }: { readonly body: NewReturn; readonly number: string },
): Promise<{ readonly surroundings: ReturnSurroundings; readonly taken: Taken }> {
  const tenantId = context.tenant.id
  const given = (ids: readonly (string | null | undefined)[]) =>
    sql.array([...new Set(ids.filter(id => id !== null && id !== undefined))], 'int8')
  const lineIds = given(body.items.map(item => item.sales_order_item_id))
  const placeIds = given([body.storage_place_id, ...body.items.map(item => item.storage_place_id)])
  const batchIds = given(body.items.map(item => item.batch_id))
  const { found } = await context.connection.one(rows(v.object({ found: v.string() }))`
    select json_build_object(
      'taken', ${takenLookup({ table: 'sales_returns', tenantId, number, externalRef: body.external_ref })},
      'main_place_id', (select id::text from storage_places where tenant_id = ${tenantId}::bigint and is_main),
      'place_ids', coalesce((
        select json_agg(place.id::text)
        from unnest(${placeIds}) as asked (id)
        cross join lateral (
          select id from storage_places where tenant_id = ${tenantId}::bigint and id = asked.id limit 1
        ) place
      ), '[]'),
      'batches', coalesce((
        select json_agg(json_build_object('id', batch.id::text, 'item_variant_id', batch.item_variant_id::text))
        from unnest(${batchIds}) as asked (id)
        cross join lateral (
          select id, item_variant_id from batches where tenant_id = ${tenantId}::bigint and id = asked.id limit 1
        ) batch
      ), '[]'),
      'order', (
        select json_build_object(
          'id', o.id::text, 'customer_id', o.customer_id::text, 'currency', o.currency,
          'lines', coalesce((
            select json_agg(json_build_object(
              'id', l.id::text, 'item_variant_id', l.item_variant_id::text, 'sku', l.sku, 'title', l.title,
              'storage_place_id', l.storage_place_id::text, 'price', l.price::text, 'shipped', l.shipped_quantity::text,
              'held', coalesce((
                select sum(i.quantity) from sales_return_items i
                cross join lateral (
                  select status from sales_returns r
                  where r.tenant_id = i.tenant_id and r.id = i.sales_return_id and ${readFromRows('r')} limit 1
                ) r
                where i.tenant_id = l.tenant_id and i.sales_order_item_id = l.id and r.status <> 'CANCELLED'
              ), 0)::text,
              'last_batch_id', (
                select s.batch_id::text from sales_shipment_items s
                where s.tenant_id = l.tenant_id and s.sales_order_item_id = l.id
                order by s.id desc limit 1
              )
            ))
            from unnest(${lineIds}) as asked (id)
            cross join lateral (
              select * from sales_order_items
              where tenant_id = o.tenant_id and sales_order_id = o.id and id = asked.id limit 1
            ) l
          ), '[]')
        )
        from sales_orders o
        where o.tenant_id = ${tenantId}::bigint and o.id = ${body.sales_order_id}::bigint
      )
    )::text as found
  `)
  const { taken, ...loaded } = v.parse(LoadedSurroundings, JSON.parse(found))
  return { taken, surroundings: surroundingsOf(loaded) }
}

function surroundingsOf(loaded: Omit<v.InferOutput<typeof LoadedSurroundings>, 'taken'>): ReturnSurroundings {
  const { order } = loaded
  return {
    mainPlaceId: loaded.main_place_id,
    placeIds: new Set(loaded.place_ids),
    batchVariants: new Map(loaded.batches.map(batch => [batch.id, batch.item_variant_id])),
    order: order && {
      id: order.id,
      customerId: order.customer_id,
      currency: order.currency,
      lines: new Map(
        order.lines.map(line => [
          line.id,
          {
            id: line.id,
            itemVariantId: line.item_variant_id,
            sku: line.sku,
            title: line.title,
            storagePlaceId: line.storage_place_id,
            price: parseMicro(line.price),
            shipped: parseMicro(line.shipped),
            held: parseMicro(line.held),
            lastBatchId: line.last_batch_id,
          },
        ]),
      ),
    },
  }
}

const LoadedReturn = v.object({
  number: Text,
  status: v.picklist(returnStatuses),
  items: v.array(
    v.object({
      id: Text,
      item_variant_id: Text,
      storage_place_id: TextOrNull,
      batch_id: TextOrNull,
      quantity: Text,
      quarantine: v.boolean(),
      holds_stock: v.boolean(),
      shipped: Text,
      shipped_value: Text,
    }),
  ),
})

export type StoredReturn = {
  readonly number: string
  readonly status: ReturnStatus
  readonly items: readonly ExpectedItem[]
}

/** The return as it is, with what left for its order lines; null when the tenant has no such return. */
export async function loadReturn(context: CommandContext, id: string): Promise<StoredReturn | null> {
  const row = await context.connection.maybeOne(rows(v.object({ found: v.string() }))`
    select json_build_object(
      'number', r.number, 'status', r.status,
      'items', (
        select json_agg(json_build_object(
          'id', i.id::text, 'item_variant_id', i.item_variant_id::text, 'storage_place_id', i.storage_place_id::text,
          'batch_id', i.batch_id::text, 'quantity', i.quantity::text, 'quarantine', i.quarantine,
          'holds_stock', l.holds_stock, 'shipped', l.shipped_quantity::text, 'shipped_value', l.shipped_value::text
        ) order by i.id)
        from sales_return_items i
        cross join lateral (
          select * from sales_order_items
          where tenant_id = i.tenant_id and sales_order_id = i.sales_order_id and id = i.sales_order_item_id limit 1
        ) l
        where i.tenant_id = r.tenant_id and i.sales_return_id = r.id
      )
    )::text as found
    from sales_returns r
    where r.tenant_id = ${context.tenant.id}::bigint and r.id = ${id}::bigint
  `)
  if (row === null) return null
  const { number, status, items } = v.parse(LoadedReturn, JSON.parse(row.found))
  return {
    number,
    status,
    items: items.map(item => ({
      id: item.id,
      itemVariantId: item.item_variant_id,
      storagePlaceId: item.storage_place_id,
      batchId: item.batch_id,
      quantity: parseMicro(item.quantity),
      quarantine: item.quarantine,
      holdsStock: item.holds_stock,
      shipped: parseMicro(item.shipped),
      shippedValue: parseCost(item.shipped_value),
    })),
  }
}
