/**
 * Makes shipments and packings of sales orders (docs/rules/sales.md).
 */

import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { isRefusal } from '../../../kit/api/errors.ts'
import { command } from '../../../kit/documents/command.ts'
import { free, numberOf, theRecord, theTime } from '../../../kit/documents/needs.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { parseMicro } from '../../../platform/decimal.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { BatchNeed } from '../../stock/level-load.ts'
import { sellableStock } from '../../stock/pick-order.ts'
import type { PositionNeed } from '../../stock/position-load.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { changedOrder } from '../orders/commands.ts'
import { type Order, SalesOrder } from '../orders/noun.ts'
import { whereOf } from '../orders/quantity-rules.ts'
import { refuseFinished } from '../orders/status-rules.ts'
import { documents } from './document.ts'
import { makeHandling } from './make-handling.ts'
import { decideHandling, type HandlingKind } from './rules.ts'
import { NewHandling } from './schemas.ts'

/** Usual entries of a shipment without `items`. */
const ENTRIES = 8

/**
 * Ships or packs what the body asks for, by default all that is left. Tells of the stock, then of the order; the shipment or
 * packing itself has no event.
 */
export const createHandling = (
  kind: HandlingKind,
  words: {
    readonly name: string
    readonly path: string
    readonly description: string
    readonly countsAsDocument: boolean
  },
): Endpoint =>
  command({
    id: `create${words.name}`,
    method: 'POST',
    path: words.path,
    tag: 'Sales orders',
    scope: 'write:sales.order.update',
    summary: `${kind === 'sales_shipment' ? 'Ship' : 'Pack'} a sales order`,
    description: words.description,
    body: NewHandling,
    example: { items: [{ sales_order_item_id: '1043', quantity: 1 }] },
    success: 201,
    countsAsDocument: words.countsAsDocument,
    refusals: [
      ...(kind === 'sales_shipment' ? (['insufficient_stock'] as const) : []),
      'sales_order_not_editable',
      'unprocessable',
    ],
    reply: replyOf(documents[kind]),
    ifMatch: SalesOrder,
    ids: ({ body }) => 1 + (body.items?.length ?? ENTRIES),
    needs: ({ params, body }) => ({
      order: theRecord(SalesOrder, params['id']),
      number: numberOf(documents[kind], body.number),
      refuseTaken: free(documents[kind], { number: body.number, external_ref: body.external_ref }),
      now: theTime,
    }),
    more: ({ body }, { order, now }) => ({
      stock: stockOf(positionsOf(kind, order, { items: body.items, date: body.date ?? now })),
    }),
    decide: ({ body }, { order: before, number, refuseTaken, stock }, { now, tenant, work }) => {
      if (before === null) return notFound(SalesOrder)
      const date = body.date ?? now
      const refused =
        refuseFinished(before) ??
        refuseDocumentDate({ field: 'date', date, now, closedThrough: tenant.closedThrough }) ??
        refuseTaken()
      if (refused) return refused
      const document = { kind, id: work.newId(), date }
      const handled = decideHandling(stock, document, { order: before, items: body.items })
      if (isRefusal(handled)) return handled
      const { order: after, rows } = handled
      const externalRef = body.external_ref
      const made = makeHandling(work, { ...document, number: number.take(), orderId: before.id, externalRef, rows })
      const { events } = changedOrder({ work }, { before, after })
      return { body: work.render(documents[kind], made as never), events }
    },
  })

/** A shipment opens the positions of its lines; a packing moves no stock and asks only whether its batches exist. */
function positionsOf(
  kind: HandlingKind,
  order: Order | null,
  { items, date }: { readonly items: NewHandling['items']; readonly date: string },
): { readonly positions: PositionNeed[]; readonly batches: BatchNeed[] } {
  const lines = new Map(order?.items.map(line => [line.id, line]))
  const asked =
    items === undefined
      ? [...lines.values()].map(line => ({ line, batchId: null, quantity: line.quantity }))
      : items.flatMap(({ sales_order_item_id: id, batch_id: batchId, quantity }) => {
          const line = lines.get(id)
          return line === undefined ? [] : [{ line, batchId, quantity: parseMicro(quantity) }]
        })
  return {
    positions:
      kind === 'sales_packing'
        ? []
        : asked.map(({ line, batchId, quantity }) => ({
            ...whereOf(line),
            take: { quantity, order: batchId === null ? sellableStock(date) : null },
          })),
    batches: asked.flatMap(({ batchId }) => (batchId === null ? [] : [{ id: batchId }])),
  }
}
