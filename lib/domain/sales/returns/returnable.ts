/** What of an order's lines left in which batches, less what other returns bring back: asked for by a new return. */
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import { textOrNullIn } from '../../stock/row.ts'

/** What left for an order line in one batch, or without one (null). */
export type Part = {
  readonly batchId: string | null
  /** Where it left last; null is stock without a place, and a service. */
  readonly storagePlaceId: string | null
  /** What left less what returns bring back that are not cancelled. */
  readonly rest: Micro
}

/** The part that left last comes first. */
export type Parts = readonly Part[]

/**
 * Where the line of a shipment left: a shipment books one movement for each of its lines that hold stock, in their order.
 * `s`: the line of the shipment.
 */
const placeLeft = `
  select m.storage_place_id
  from (
    select storage_place_id, row_number() over (order by id) as at
    from (select * from stock_movements where tenant_id = s.tenant_id and source_id = s.sales_shipment_id offset 0) booked
  ) m
  where s.value is not null and m.at = (
    select count(*) from sales_shipment_items
    where tenant_id = s.tenant_id and sales_shipment_id = s.sales_shipment_id and id <= s.id and value is not null
  )
  limit 1`

/** Of an order line. Shipments, their reversals, returns and the end of a return forget the answers of their lines. */
export const returnableLine = question({
  name: 'returnable lines',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, p.batch_id, p.shipped, p.held, p.last_id, m.storage_place_id
    from ${asked}
    cross join lateral (
      select batch_id, sum(shipped) as shipped, sum(held) as held, max(shipped_id) as last_id
      from (
        select s.batch_id, s.quantity as shipped, 0 as held, s.id as shipped_id
        from sales_shipment_items s
        cross join lateral (
          select reversed from sales_shipments where tenant_id = s.tenant_id and id = s.sales_shipment_id limit 1
        ) h
        where s.tenant_id = q.tenant_id and s.sales_order_item_id = q.id and not h.reversed
        union all
        select i.batch_id, 0, i.quantity, null
        from sales_return_items i
        cross join lateral (
          select status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
        ) r
        where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED' and i.restock
      ) pieces
      group by batch_id
    ) p
    left join lateral (
      select * from sales_shipment_items
      where tenant_id = q.tenant_id and sales_order_item_id = q.id and id = p.last_id limit 1
    ) s on true
    left join lateral (${placeLeft}) m on true
    order by p.last_id desc`,
  read: (rows): Parts => {
    const pieces = rows.map(row => ({
      batchId: textOrNullIn(row, 'batch_id'),
      storagePlaceId: textOrNullIn(row, 'storage_place_id'),
      hasLeft: row['last_id'] !== null,
      shipped: parseMicro(row['shipped'] ?? '0'),
      held: parseMicro(row['held'] ?? '0'),
    }))
    const heldOf = (some: typeof pieces) => some.reduce((sum, { held }) => sum + held, 0n)
    // What left without a batch is held in the batch into which it was received.
    const strayed = heldOf(pieces.filter(({ hasLeft }) => !hasLeft))
    const restOf = ({ batchId, shipped, held }: (typeof pieces)[number]) => {
      const rest = shipped - held - (batchId === null ? strayed : 0n)
      return rest > 0n ? rest : 0n
    }
    const left = pieces.filter(({ hasLeft }) => hasLeft)
    return left.map(piece => ({ batchId: piece.batchId, storagePlaceId: piece.storagePlaceId, rest: restOf(piece) }))
  },
})

/** The number of a return of the order line that is not cancelled; null where there is none. */
export const returnOfLine = question({
  name: 'returns of lines',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, r.number
    from ${asked}
    cross join lateral (
      select r.number from sales_return_items i
      cross join lateral (
        select number, status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
      ) r
      where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED'
      order by i.id limit 1
    ) r`,
  read: ([row]) => row?.['number'] ?? null,
  reads: ['sales_returns'],
})

/** By order line. */
export const returnable = (lineIds: readonly string[]): Need<ReadonlyMap<string, Parts>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) returnableLine.ask(load, tenantId, { id })
  },
  see: work => new Map(lineIds.map(id => [id, work.answer(returnableLine, { id })])),
})
