/**
 * Makes sales orders: load, decide, store, tell. It must not hold SQL or rules.
 */
import * as v from 'valibot'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { Answer, CommandContext } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import { choosePartner, FoundPartner, partnerLookup, refusePartnerWish } from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import { openSalesDocument, type SalesWishes } from '../open-document.ts'
import { decideOrder, refuseCurrency } from './rules.ts'
import type { NewOrder } from './schemas.ts'
import { orderInsert } from './store.ts'

/**
 * Makes a sales order and reserves its stock. Two round trips for any number of lines. Emits `stock.changed` per variant and
 * place, then `sales_order.created`.
 * Refusals: `validation_failed`, `unprocessable` (closed period), `insufficient_stock` (without backorder); see `decideOrder`.
 */
export async function createOrder(
  context: CommandContext,
  { body }: { readonly body: NewOrder },
): Promise<Answer | Refusal> {
  const { now, tenant } = context
  const wish = { id: body.customer_id, inline: body.customer }
  const refused =
    refusePartnerWish(customerKind, wish) ??
    refuseCurrency(body.currency) ??
    refuseDocumentDate({ field: 'created_date', date: now, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  const opened = await openSalesDocument(context, {
    kind: 'sales_order',
    number: body.number,
    externalRef: body.external_ref,
    wishes: () => ({ ...wishesOf(body), extra: partnerLookup(customerKind, tenant.id, wish) }),
  })
  if (isRefusal(opened)) return opened
  const { ledger, closedPlaceIds, id, number } = opened
  const customer = choosePartner(customerKind, wish, v.parse(FoundPartner, opened.extra))
  if (isRefusal(customer)) return customer
  const currency = body.currency ?? tenant.currency
  const order = decideOrder({ book: ledger.book, closedPlaceIds }, { id, number, currency, body })
  if (isRefusal(order)) return order
  const document = await ledger.store(orderInsert(context, { order, customer }))
  context.emit({ type: 'sales_order.created', data: document, previous: null })
  return { body: document }
}

/** Reservations stand on the level without a batch, so no batches are asked for; each line takes an id. */
function wishesOf({ items }: NewOrder): SalesWishes {
  return {
    positions: items.map(item => ({
      itemVariantId: item.item_variant_id,
      storagePlaceId: item.storage_place_id === undefined ? 'main' : item.storage_place_id,
      pickable: false,
    })),
    batches: [],
    freshIds: items.length,
  }
}
