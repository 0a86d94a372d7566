/**
 * The SQL of one level of a trace, in one statement: rows of the orders that lead to this level, of the batches that those add, and the
 * documents and partners of each row.
 */
import * as v from 'valibot'
import type { Json } from '../../../kit/api/endpoint.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import type { Direction } from './schemas.ts'
import { traceRow } from './trace-document.ts'

/** The sources only change the schema, not the SQL. */
const ShownRow = traceRow({})

type TraceRow = {
  readonly document: Json
  readonly batchId: string | null
  /** The order whose batches are on the next level. */
  readonly leadsTo: string | null
}

export type Level = {
  readonly tenantId: string
  readonly direction: Direction
  readonly level: number
  /** The batch of level 0; null on other levels. */
  readonly first: string | null
  /** The orders whose batches are on this level, in the order in which they were found. */
  readonly orders: readonly string[]
  /** Batches of earlier levels, which are not followed again. */
  readonly known: readonly string[]
  readonly limit: number
}

type Kinds = {
  /** The kind of the rows of such an order, and the kinds of its movements. */
  readonly ofOrder: { readonly kind: string; readonly movements: readonly string[] }
  /** The rows of a followed batch, each with its movements. */
  readonly ofBatch: Fragment
  /** Movements of adjustments are shown only if they add up to this. */
  readonly adjusted: Fragment
  readonly inStock: boolean
  /** The kind of the rows whose orders lead to the next level. */
  readonly leading: string
}

const kinds: Readonly<Record<Direction, Kinds>> = {
  forward: {
    ofOrder: { kind: 'PRODUCED', movements: ['MANUFACTURING_OUTPUT'] },
    ofBatch: sql.fragment`values
      ('SALES_SHIPMENT', 'SHIPPED'), ('MANUFACTURING_WRITE_OFF', 'CONSUMED'), ('MANUFACTURING_RETURN', 'CONSUMED'),
      ('ADJUSTMENT', 'ADJUSTED_OUT'), ('SALES_RETURN', 'RETURNED')`,
    adjusted: sql.fragment`sum(m.quantity) < 0`,
    inStock: true,
    leading: 'CONSUMED',
  },
  backward: {
    ofOrder: { kind: 'CONSUMED', movements: ['MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN'] },
    ofBatch: sql.fragment`values
      ('PURCHASE_RECEIPT', 'RECEIVED'), ('MANUFACTURING_OUTPUT', 'PRODUCED'), ('ADJUSTMENT', 'ADJUSTED_IN'),
      ('SALES_RETURN', 'RETURNED')`,
    adjusted: sql.fragment`sum(m.quantity) > 0`,
    inStock: false,
    leading: 'PRODUCED',
  },
}

/**
 * The kind of the movement `m` for the sum of a row. A movement of kind REVERSAL counts with the movements that it reverses: together they
 * are 0 and make no row. Receipts and shipments have one kind of movement each.
 */
const tracedKind = sql.fragment`
  case when m.kind <> 'REVERSAL' then m.kind when m.source_type = 'STOCK_ADJUSTMENT' then 'ADJUSTMENT' else m.source_type end`

/** The columns of a row without its names: of movements `m`, and their grouping. */
const sums = sql.fragment`
  m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id, abs(sum(m.quantity)) as quantity,
  min(m.id) as first_movement_id, min(m.document_date) as document_date`
const groups = sql.fragment`m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id`

/** The rows of a level, at most `limit`, in the order of their first movement. The stock on hand comes last. */
export async function readLevel(connection: Connection, asked: Level): Promise<readonly TraceRow[]> {
  const { tenantId, level, limit } = asked
  const { ofOrder, ofBatch, adjusted, inStock, leading } = kinds[asked.direction]
  const tenant = sql.fragment`tenant_id = ${tenantId}::bigint`
  const source = (table: string, type: string, columns: Fragment) => sql.fragment`
    select ${columns} from ${sql.identifier([table])}
    where ${tenant} and id = r.source_id and r.source_type = ${type} limit 1`
  const Found = v.object({ document: v.string(), batch_id: v.nullable(v.string()), leads_to: v.nullable(v.string()) })
  const found = await connection.any(rows(Found)`
    with of_orders as materialized (
      select ${ofOrder.kind}::text as kind, ${sums}
      from unnest(${sql.array([...asked.orders], 'int8')}) o (id)
      cross join lateral (
        select * from stock_movements where ${tenant} and source_id = o.id and kind = any (${sql.array([...ofOrder.movements], 'text')}) offset 0
      ) m
      group by ${groups}
      having sum(m.quantity) <> 0
      order by first_movement_id
      limit ${limit}
    ), followed as materialized (
      select distinct batch_id as id from of_orders
      where batch_id is not null and batch_id <> all (${sql.array([...asked.known], 'int8')})
      union all
      select first.id from (select ${asked.first}::bigint as id) first where first.id is not null
    ), of_batches as materialized (
      select k.kind, ${sums}
      from followed
      cross join lateral (select * from stock_movements where ${tenant} and batch_id = followed.id offset 0) m
      join (${ofBatch}) k (movement_kind, kind) on k.movement_kind = ${tracedKind}
      group by k.kind, ${groups}
      having sum(m.quantity) <> 0 and (m.source_type <> 'STOCK_ADJUSTMENT' or ${adjusted})
    ), in_stock as materialized (
      select l.* from followed
      cross join lateral (select * from stock_levels where ${tenant} and batch_id = followed.id and quantity > 0 offset 0) l
      where ${inStock}
    ), r as materialized (
      select * from of_orders
      union all
      select * from of_batches
      union all
      select 'IN_STOCK', batch_id, item_variant_id, storage_place_id, null, null, quantity, null, null from in_stock
      order by first_movement_id, batch_id, storage_place_id
      limit ${limit}
    )
    select ${ShownRow.json} as document, r.batch_id::text as batch_id,
      case when r.kind = ${leading} then r.source_id end::text as leads_to
    from r
    cross join (select ${level}::integer as level) at
    cross join lateral (select sku, title from item_variants where ${tenant} and id = r.item_variant_id limit 1) v
    left join lateral (select number from batches where ${tenant} and id = r.batch_id limit 1) t on true
    left join lateral (${source('stock_adjustments', 'STOCK_ADJUSTMENT', sql.fragment`number`)}) adjusted on true
    left join lateral (${source('purchase_receipts', 'PURCHASE_RECEIPT', sql.fragment`number, purchase_order_id`)}) received on true
    left join lateral (${source('manufacturing_orders', 'MANUFACTURING_ORDER', sql.fragment`number`)}) made on true
    left join lateral (${source('sales_shipments', 'SALES_SHIPMENT', sql.fragment`number, sales_order_id`)}) shipped on true
    left join lateral (${source('sales_returns', 'SALES_RETURN', sql.fragment`number, customer_id`)}) returned on true
    left join lateral (
      select supplier_id from purchase_orders where ${tenant} and id = received.purchase_order_id limit 1
    ) bought on true
    left join lateral (select customer_id from sales_orders where ${tenant} and id = shipped.sales_order_id limit 1) sold on true
    left join lateral (
      (select id, title, country_code from suppliers where ${tenant} and id = bought.supplier_id limit 1)
      union all (
        select id, title, country_code from customers
        where ${tenant} and id = coalesce(sold.customer_id, returned.customer_id) limit 1
      )
    ) partner on true
    order by r.first_movement_id, r.batch_id, r.storage_place_id
  `)
  return found.map(row => ({ document: row.document, batchId: row.batch_id, leadsTo: row.leads_to }))
}
