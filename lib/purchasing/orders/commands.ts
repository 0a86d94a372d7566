/**
 * The writing commands of purchase orders: load, decide, store, tell. It must not hold SQL or rules.
 */
import * as v from 'valibot'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { Answer, CommandContext, Params, Task } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import {
  choosePartner,
  FoundPartner,
  type PartnerWish,
  partnerClaims,
  partnerQuestion,
  refusePartnerWish,
} from '../../partners/inline.ts'
import { supplierKind } from '../../partners/kinds.ts'
import type { BookWishes } from '../../stock/book-wishes.ts'
import { documentTask } from '../../stock/document-task.ts'
import { openLedger } from '../../stock/ledger.ts'
import { releaseExpected } from '../expected-rules.ts'
import { loadOrder } from './load.ts'
import { decideLines, decideMoney } from './rules.ts'
import type { NewOrder, OrderClosing } from './schemas.ts'
import { closeWrite, orderSource } from './store.ts'

export const noSuchOrder = (): Refusal => refuse('not_found', 'no such purchase order')

const Found = v.object({ supplier: FoundPartner })

/**
 * Makes a purchase order, and its supplier where that is new. Emits `stock.changed` per variant that is expected, then
 * `purchase_order.created`.
 * Refusals: `validation_failed` (see `decideLines`, `decideMoney`, `choosePartner`), `unprocessable` (date).
 */
export function createOrder({ tenant, now }: CommandContext, { body }: { readonly body: NewOrder }): Task | Refusal {
  const date = body.date ?? now
  const wish: PartnerWish = { id: body.supplier_id, inline: body.supplier }
  const money = decideMoney(body, tenant.currency)
  if (isRefusal(money)) return money
  const refused =
    refusePartnerWish(supplierKind, wish) ??
    refuseDocumentDate({ field: 'date', date, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  return documentTask({
    source: orderSource,
    number: body.number,
    externalRef: body.external_ref,
    question: partnerQuestion(wish),
    claims: partnerClaims(supplierKind, wish),
    wishes: () => wishesOf(body),
    decide: ({ book, id, number, found }) => {
      const supplier = choosePartner(supplierKind, { wish, found: v.parse(Found, found).supplier, book })
      if (isRefusal(supplier)) return supplier
      const expectedPlaceId = book.mainPlaceId
      const lines = decideLines(book, { currency: money.currency, expectedPlaceId, items: body.items })
      if (isRefusal(lines)) return lines
      return { id, number, supplier, money, date, expectedPlaceId, body, lines }
    },
    tell: document => [{ type: 'purchase_order.created', data: document, previous: null }],
  })
}

/** What is ordered is expected at the main place; a named batch must keep its dates. A new supplier takes an id. */
function wishesOf({ items, supplier }: NewOrder): Pick<BookWishes, 'positions' | 'batches' | 'freshIds'> {
  return {
    positions: items.map(item => ({ itemVariantId: item.item_variant_id, storagePlaceId: 'main', pickable: false })),
    batches: items
      .filter(item => item.batch_number !== null)
      .map(item => ({ itemVariantId: item.item_variant_id, id: null, number: item.batch_number })),
    freshIds: supplier === null ? 0 : 1,
  }
}

const Closed = v.object({ order: v.string(), previous: v.string() })

/**
 * Ends an order short: what is still outstanding is expected no longer. Three round trips. Emits `stock.changed` per variant
 * that was expected, then `purchase_order.done`.
 * Refusals: `not_found`, `purchase_order_not_editable` for a finished order.
 */
export async function closeOrder(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: OrderClosing },
): Promise<Answer | Refusal> {
  const tenantId = context.tenant.id
  const loaded = await loadOrder(context.connection, { tenantId, id: params['id'] ?? '' })
  if (loaded === null) return noSuchOrder()
  const { order } = loaded
  if (order.status === 'DONE')
    return refuse('purchase_order_not_editable', `the purchase order ${order.number} is done`)
  const open = order.lines.filter(line => line.holdsStock && line.received < line.quantity)
  const ledger = await openLedger(context, {
    positions: open.map(({ itemVariantId }) => ({
      itemVariantId,
      storagePlaceId: order.expectedPlaceId,
      pickable: false,
    })),
    batches: [],
    freshIds: 0,
  })
  for (const line of open) releaseExpected(ledger.book, { order, line, quantity: line.quantity - line.received })
  const rendered = await ledger.store(closeWrite({ tenantId, now: context.now }, { id: order.id, reason: body.reason }))
  const { order: document, previous } = v.parse(Closed, JSON.parse(rendered))
  context.emit({ type: 'purchase_order.done', data: document, previous })
  return { body: document }
}
