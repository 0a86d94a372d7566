/** What of an order's lines other returns hold, and which batch was shipped last: asked for by a new return. */
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'

export type Returnable = {
  /** By returns that are not cancelled. */
  readonly held: Micro
  readonly lastBatchId: string | null
}

/** Of an order line. Shipments, their reversals, returns and the end of a return forget the answers of their lines. */
export const returnableLine = question({
  name: 'returnable lines',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id,
      coalesce((
        select sum(i.quantity) from sales_return_items i
        cross join lateral (
          select status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
        ) r
        where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED'
      ), 0) as held,
      (
        select s.batch_id from sales_shipment_items s
        cross join lateral (
          select reversed from sales_shipments where tenant_id = s.tenant_id and id = s.sales_shipment_id limit 1
        ) h
        where s.tenant_id = q.tenant_id and s.sales_order_item_id = q.id and not h.reversed
        order by s.id desc limit 1
      ) as last_batch_id
    from ${asked}`,
  read: ([row]): Returnable => ({
    held: parseMicro(row?.['held'] ?? '0'),
    lastBatchId: row?.['last_batch_id'] ?? null,
  }),
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
export const returnable = (lineIds: readonly string[]): Need<ReadonlyMap<string, Returnable>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) returnableLine.ask(load, tenantId, { id })
  },
  see: work => new Map(lineIds.map(id => [id, work.answer(returnableLine, { id })])),
})
