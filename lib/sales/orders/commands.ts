/**
 * Makes sales orders: load, decide, store, tell. It must not hold SQL or rules.
 */

import * as v from 'valibot'
import { refuseCurrency } from '../../accounting/currencies.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import type { CommandContext, Task } from '../../api/endpoint.ts'
import { isRefusal, type Refusal } from '../../api/errors.ts'
import {
  choosePartner,
  FoundPartner,
  partnerClaims,
  partnerQuestion,
  refusePartnerWish,
} from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import { documentTask } from '../../stock/document-task.ts'
import type { SalesWishes } from '../open-document.ts'
import { decideOrder } from './rules.ts'
import type { NewOrder } from './schemas.ts'
import { orderSource } from './store.ts'

const Found = v.object({ customer: FoundPartner, closed_place_ids: v.array(v.string()) })

/**
 * Makes a sales order and reserves its stock. Emits `stock.changed` per variant and place, then `sales_order.created`.
 * Refusals: `validation_failed`, `unprocessable` (closed period), `insufficient_stock` (without backorder); see `decideOrder`.
 */
export function createOrder({ now, tenant }: CommandContext, { body }: { readonly body: NewOrder }): Task | Refusal {
  const wish = { id: body.customer_id, inline: body.customer }
  const refused =
    refusePartnerWish(customerKind, wish) ??
    refuseCurrency(body.currency) ??
    refuseDocumentDate({ field: 'created_date', date: now, now, closedThrough: tenant.closedThrough })
  if (refused !== null) return refused
  return documentTask({
    source: orderSource,
    number: body.number,
    externalRef: body.external_ref,
    question: partnerQuestion(wish),
    claims: partnerClaims(customerKind, wish),
    wishes: () => wishesOf(body),
    decide: ({ book, id, number, found }) => {
      const { customer: known, closed_place_ids: closed } = v.parse(Found, found)
      const customer = choosePartner(customerKind, { wish, found: known, book })
      if (isRefusal(customer)) return customer
      const currency = body.currency ?? tenant.currency
      const order = decideOrder({ book, closedPlaceIds: new Set(closed) }, { id, number, currency, body })
      return isRefusal(order) ? order : { order, customer }
    },
    tell: document => [{ type: 'sales_order.created', data: document, previous: null }],
  })
}

/** Reservations stand on the level without a batch, so no batches are asked for; each line and a new customer take an id. */
function wishesOf({ items, customer }: NewOrder): SalesWishes {
  return {
    positions: items.map(item => ({
      itemVariantId: item.item_variant_id,
      storagePlaceId: item.storage_place_id === undefined ? 'main' : item.storage_place_id,
      pickable: false,
    })),
    batches: [],
    freshIds: items.length + (customer === null ? 0 : 1),
  }
}
