/** What of an order's lines other returns hold, and which batch was shipped last: asked for by a new return. */

import type { Source, Works } from '../../../kit/documents/load.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import type { PartKind, Work } from '../../../kit/documents/work.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { parseMicro } from '../../../platform/decimal.ts'
import type { Query, TextRow } from '../../../platform/postgres/round-trip.ts'

export type Returnable = {
  /** By returns that are not cancelled. */
  readonly held: Micro
  readonly lastBatchId: string | null
}

/** What a shipment, a return or its end changes of an order. */
export const returnableMark = (orderId: string): string => `what may come back of the sales order ${orderId}`

/** By order line; a line without returns and batches is missing. After a change of it in the same unit of work: Later. */
export const returnable = (orderId: string, lineIds: readonly string[]): Need<ReadonlyMap<string, Returnable>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) load.source('returnable lines', () => new ReturnableLines()).ask(tenantId, id)
  },
  see: work => {
    work.refuseMarked(returnableMark(orderId))
    return work.part(found).lines
  },
})

class FoundLines {
  readonly lines = new Map<string, Returnable>()
}
const found: PartKind<FoundLines> = { make: (_work: Work) => new FoundLines(), write: () => [] }

class ReturnableLines implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, id: string]>()

  ask(tenantId: string, id: string): void {
    this.#asked.set(`${tenantId} ${id}`, [tenantId, id])
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return {
      text: `
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
        from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)`,
      values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const row of rows)
      works
        .get(row['tenant_id'] ?? '')
        ?.part(found)
        .lines.set(row['id'] ?? '', { held: parseMicro(row['held'] ?? '0'), lastBatchId: row['last_batch_id'] ?? null })
  }
}
