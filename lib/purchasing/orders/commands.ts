/**
 * The writing commands of purchase orders: load, decide, store, tell. It must not hold SQL or rules.
 */
import * as v from 'valibot'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { totalsOf } from '../../accounting/money.ts'
import { loadNumbered } from '../../accounting/numbered-load.ts'
import { refuseTaken, Taken, takenLookup } from '../../accounting/taken.ts'
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import {
  choosePartner,
  FoundPartner,
  type PartnerWish,
  partnerLookup,
  refusePartnerWish,
} from '../../partners/inline.ts'
import { supplierKind } from '../../partners/kinds.ts'
import { takeFreshId } from '../../stock/book.ts'
import { type Ledger, openLedger } from '../../stock/ledger.ts'
import { sql } from '../../store/postgres.ts'
import { releaseExpected } from '../expected-rules.ts'
import { loadOrder } from './load.ts'
import { decideLines, decideMoney } from './rules.ts'
import type { NewOrder, OrderClosing } from './schemas.ts'
import { closeWrite, newOrderWrite } from './store.ts'

export const noSuchOrder = (): Refusal => refuse('not_found', 'no such purchase order')

const Also = v.object({ taken: Taken, supplier: FoundPartner })

/**
 * Makes a purchase order, and its supplier where that is new. Two round trips for any number of lines, and one more past each
 * counted number that a caller took. Emits `stock.changed` per variant that is expected, then `purchase_order.created`.
 * Refusals: `validation_failed` (see `decideLines`, `decideMoney`, `choosePartner`), `unprocessable` (date).
 */
export async function createOrder(
  context: CommandContext,
  { body }: { readonly body: NewOrder },
): Promise<Answer | Refusal> {
  const { tenant, now } = context
  const date = body.date ?? now
  const wish: PartnerWish = { id: body.supplier_id, inline: body.supplier }
  const money = decideMoney(body, tenant.currency)
  if (isRefusal(money)) return money
  const refused =
    refusePartnerWish(supplierKind, wish) ??
    refuseDocumentDate({ field: 'date', date, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  const { number, loaded } = await loadNumbered(context, {
    kind: 'purchase_order',
    given: body.number,
    load: wanted => openNewOrder(context, { body, wish, number: wanted }),
    isTaken: ({ taken }) => taken.number_taken,
  })
  const { ledger, taken, supplier: found } = loaded
  const supplier = choosePartner(supplierKind, wish, found)
  if (isRefusal(supplier)) return supplier
  const takenRefusal = refuseTaken(taken)
  if (takenRefusal !== null) return takenRefusal
  const expectedPlaceId = ledger.book.mainPlaceId
  const lines = decideLines(ledger.book, { currency: money.currency, expectedPlaceId, items: body.items })
  if (isRefusal(lines)) return lines
  const id = takeFreshId(ledger.book)
  const totals = totalsOf(lines.map(line => line.amounts))
  const order = { id, number, supplier, money, date, expectedPlaceId, body, lines, totals }
  const document = await ledger.store(newOrderWrite({ tenantId: tenant.id, now }, order))
  context.emit({ type: 'purchase_order.created', data: document, previous: null })
  return { body: document }
}

async function openNewOrder(
  context: CommandContext,
  { body, wish, number }: { readonly body: NewOrder; readonly wish: PartnerWish; readonly number: string },
): Promise<{ readonly ledger: Ledger } & v.InferOutput<typeof Also>> {
  const tenantId = context.tenant.id
  const taken = takenLookup({ table: 'purchase_orders', tenantId, number, externalRef: body.external_ref })
  const ledger = await openLedger(context, {
    positions: body.items.map(item => ({
      itemVariantId: item.item_variant_id,
      storagePlaceId: 'main',
      pickable: false,
    })),
    batches: body.items
      .filter(item => item.batch_number !== null)
      .map(item => ({ itemVariantId: item.item_variant_id, id: null, number: item.batch_number })),
    freshIds: 1,
    also: sql.fragment`json_build_object(
      'taken', ${taken}, 'supplier', ${partnerLookup(supplierKind, tenantId, wish)}
    )`,
  })
  return { ledger, ...v.parse(Also, ledger.also) }
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
