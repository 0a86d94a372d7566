/**
 * Makes shipments and packings of sales orders: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import { openSalesDocument, type SalesWishes } from '../open-document.ts'
import { noSuchOrder } from '../orders/change.ts'
import { loadOrder } from '../orders/load.ts'
import type { Order } from '../orders/order.ts'
import { refuseFinished } from '../orders/status-rules.ts'
import { storeChange } from '../orders/store-change.ts'
import { decideHandling, type HandlingKind } from './rules.ts'
import type { NewHandling } from './schemas.ts'

/**
 * Ships or packs what the body asks for, by default all that is left. Three round trips for any number of lines. Emits
 * `stock.changed` per variant and place, then one event of the order; the shipment or packing itself has none.
 * Refusals: `not_found`, `sales_order_not_editable`, `validation_failed`, `unprocessable` (date), `insufficient_stock`; see
 * `decideHandling`.
 */
export async function createHandling(
  kind: HandlingKind,
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: NewHandling },
): Promise<Answer | Refusal> {
  const { now, tenant } = context
  const orderId = params['id'] ?? ''
  const date = body.date ?? now
  const stored = await loadOrder(context, { id: orderId })
  if (stored === null) return noSuchOrder()
  const { order: before, customerId } = stored
  const refused =
    refuseFinished(before) ?? refuseDocumentDate({ field: 'date', date, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  const externalRef = body.external_ref
  const opened = await openSalesDocument(context, {
    kind,
    number: body.number,
    externalRef,
    wishes: () => wishesOf(kind, before, body),
  })
  if (isRefusal(opened)) return opened
  const { ledger, id, number } = opened
  const document = { kind, id, number, date }
  const handled = decideHandling(ledger.book, document, { order: before, items: body.items })
  if (isRefusal(handled)) return handled
  const { order: after, rows } = handled
  const { made } = await storeChange(context, ledger, {
    change: { before, after, customerId },
    handling: { ...document, orderId, externalRef, rows },
  })
  return { body: made }
}

/** A shipment opens the positions of its lines; a packing moves no stock and asks only whether its batches exist. */
function wishesOf(kind: HandlingKind, order: Order, { items }: NewHandling): SalesWishes {
  const lines = new Map(order.lines.map(line => [line.id, line]))
  const asked =
    items === undefined
      ? order.lines.map(line => ({ line, batchId: null }))
      : items.flatMap(({ sales_order_item_id: id, batch_id: batchId }) => {
          const line = lines.get(id)
          return line === undefined ? [] : [{ line, batchId }]
        })
  return {
    positions:
      kind === 'sales_packing'
        ? []
        : asked.map(({ line: { itemVariantId, storagePlaceId }, batchId }) => ({
            itemVariantId,
            storagePlaceId,
            pickable: batchId === null,
          })),
    batches: asked.flatMap(({ line, batchId }) =>
      batchId === null ? [] : [{ itemVariantId: line.itemVariantId, id: batchId, number: null }],
    ),
    freshIds: 0,
  }
}
