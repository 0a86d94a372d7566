/**
 * The writing command of receipts: load, decide, store, tell. It must not hold SQL or rules.
 */
import * as v from 'valibot'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { loadNumbered } from '../../accounting/numbered-load.ts'
import { refuseTaken, Taken, takenLookup } from '../../accounting/taken.ts'
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import { takeFreshId } from '../../stock/book.ts'
import { type Ledger, openLedger } from '../../stock/ledger.ts'
import { noSuchOrder } from '../orders/commands.ts'
import { loadOrder } from '../orders/load.ts'
import type { StoredOrder } from '../orders/rules.ts'
import { planReceipt, type ReceiptPlan } from './plan-rules.ts'
import { placeFrom, placeLookup } from './queries.ts'
import { batchNumberOf, decideReceipt, refusePlace } from './rules.ts'
import type { NewReceipt } from './schemas.ts'
import { receiptWrite } from './store.ts'

const Rendered = v.object({ receipt: v.string(), order: v.string(), previous: v.string() })

/**
 * Receives goods of an order, all lines or none. Three round trips for any number of lines: the order, the stock of what it
 * names, the writing. Emits `stock.changed` per variant and place, `purchase_receipt.created`, and `purchase_order.updated`
 * or, when every line is in, `purchase_order.done`.
 * Refusals: `not_found`, `purchase_receipt_not_allowed` (see `planReceipt`), `validation_failed` (see `decideReceipt`),
 * `unprocessable` (date).
 */
export async function createReceipt(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: NewReceipt },
): Promise<Answer | Refusal> {
  const { tenant, now } = context
  const tenantId = tenant.id
  const also = placeLookup(tenantId, body.storage_place_id)
  const found = await loadOrder(context.connection, { tenantId, id: params['id'] ?? '', also })
  if (found === null) return noSuchOrder()
  const { order } = found
  const receivedDate = body.received_date ?? now
  const refused =
    refusePlace(placeFrom(found.also)) ??
    refuseDocumentDate({ field: 'received_date', date: receivedDate, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  const plan = planReceipt(order, body.items)
  if (isRefusal(plan)) return plan
  const { number, loaded } = await loadNumbered(context, {
    kind: 'purchase_receipt',
    given: body.number,
    load: wanted => openReceipt(context, { order, plan, body, number: wanted }),
    isTaken: ({ taken }) => taken.number_taken_by !== null,
  })
  const { ledger, taken } = loaded
  const takenRefusal = refuseTaken(taken)
  if (takenRefusal !== null) return takenRefusal
  const id = takeFreshId(ledger.book)
  const cause = {
    kind: 'PURCHASE_RECEIPT',
    sourceType: 'PURCHASE_RECEIPT',
    sourceId: id,
    documentDate: receivedDate,
  } as const
  const storagePlaceId = body.storage_place_id
  const lines = decideReceipt(ledger.book, { order, plan, number, storagePlaceId, cause })
  if (isRefusal(lines)) return lines
  const write = receiptWrite({ tenantId, now }, { id, number, orderId: order.id, receivedDate, body, plan, lines })
  const rendered = v.parse(Rendered, JSON.parse(await ledger.store(write)))
  context.emit({ type: 'purchase_receipt.created', data: rendered.receipt, previous: null })
  context.emit({
    type: plan.deliveryStatus === 'RECEIVED' ? 'purchase_order.done' : 'purchase_order.updated',
    data: rendered.order,
    previous: rendered.previous,
  })
  return { body: rendered.receipt }
}

/** Each variant at the place where it comes in, and where it is expected. */
async function openReceipt(
  context: CommandContext,
  receipt: {
    readonly order: StoredOrder
    readonly plan: ReceiptPlan
    readonly body: NewReceipt
    readonly number: string
  },
): Promise<{ readonly ledger: Ledger; readonly taken: Taken }> {
  const { order, plan, body, number } = receipt
  const ledger = await openLedger(context, {
    positions: plan.lines.flatMap(({ orderLine: { itemVariantId } }) =>
      [body.storage_place_id, order.expectedPlaceId].map(storagePlaceId => ({
        itemVariantId,
        storagePlaceId,
        pickable: false,
      })),
    ),
    batches: plan.lines.map(line => ({
      itemVariantId: line.orderLine.itemVariantId,
      id: null,
      number: batchNumberOf(line, number),
    })),
    freshIds: plan.lines.length + 1,
    also: takenLookup({
      table: 'purchase_receipts',
      tenantId: context.tenant.id,
      number,
      externalRef: body.external_ref,
    }),
  })
  return { ledger, taken: v.parse(Taken, ledger.also) }
}
