/** What of an order's lines other returns hold, and which batch was shipped last: asked for by a new return. */
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'

export type Returnable = {
  /** By returns that are not cancelled. */
  readonly held: Micro
  readonly lastBatchId: string | null
}

/** Of an order line. Shipments, returns and the end of a return forget the answers of their lines. */
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
        where s.tenant_id = q.tenant_id and s.sales_order_item_id = q.id
        order by s.id desc limit 1
      ) as last_batch_id
    from ${asked}`,
  read: ([row]): Returnable => ({
    held: parseMicro(row?.['held'] ?? '0'),
    lastBatchId: row?.['last_batch_id'] ?? null,
  }),
})

/** By order line. */
export const returnable = (lineIds: readonly string[]): Need<ReadonlyMap<string, Returnable>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) returnableLine.ask(load, tenantId, { id })
  },
  see: work => new Map(lineIds.map(id => [id, work.answer(returnableLine, { id })])),
})
