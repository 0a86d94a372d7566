/** The commands that make, receive and cancel sales returns (docs/rules/sales.md). */

import { isRefusal } from '../../../kit/api/errors.ts'
import { acts, amend, amendable, changes } from '../../../kit/documents/acts.ts'
import { changed, made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { moreIds } from '../../../kit/documents/more-ids.ts'
import { answerOf, theRecord, theRecords } from '../../../kit/documents/needs.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { instant, text } from '../../../kit/fields/kinds.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { causeOf } from '../../stock/cause.ts'
import type { BatchNeed } from '../../stock/level-load.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { type Order, SalesOrder } from '../orders/noun.ts'
import { notEditable, type Return, type ReturnLine, SalesReturn } from './noun.ts'
import { refundedOfOrder } from './refunded.ts'
import { forgetReturnable, type Parts, returnable, returnableParts } from './returnable.ts'
import { decideReturn, placeOf, placesOf, receiveItems, refuseBody, refuseMove } from './rules.ts'

/** Refuses `validation_failed` for a closed date and a taken number, and as `decideReturn` does. */
export const createReturn = creates(SalesReturn, {
  description:
    'Announces what goes back of a sales order: goods, money or both; stock moves when the return is received. Of each order line at most ' +
    'what is shipped less what other returns hold that are not cancelled. All pieces of a line without `unit_price` refund exactly what the ' +
    'line cost, however they come back. Quantity 0 with `amount` refunds money for goods that stay; `restock: false` pays pieces back that do ' +
    'not come back. `charges` refund all that is left of them, or their `amount`. All returns refund at most what the order came to. A line without `batch_id` goes back into the batches that left for its order line, the last one first, each at ' +
    'most what left of it less what returns hold of it; the answer has a line for each. ' +
    "A batch that is named takes at most that; one that did not leave for the order line is 400. `storage_place_id` defaults to the return's " +
    "own where that is given (null is stock without a place), else to the place where the goods left last. The return's own is shown as the " +
    'main place where it is not given.',
  example: {
    sales_order_id: '1042',
    external_return_ref: 'RMA-2026-17',
    items: [{ sales_order_item_id: '1043', quantity: 1, reason: 'damaged', quarantine: true }],
  },
  counts: true,
  refusals: ['unprocessable'],
  form: refuseBody,
  ids: body => body.items.length + body.charges.length + 1,
  needs: body => ({
    order: theRecord(SalesOrder, body.sales_order_id),
    mainPlace,
    places: theRecords(
      StoragePlace,
      [body, ...body.items].flatMap(({ storage_place_id: id }) => (id == null ? [] : [id])),
    ),
    refunded: answerOf(refundedOfOrder, { id: body.sales_order_id }),
    returnable: returnable(body.items.map(item => item.sales_order_item_id)),
    stock: stockOf({
      positions: [],
      batches: body.items.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }])),
    }),
  }),
  // An entry may become several lines, one for each batch that left.
  more: (body, { order, returnable: of }) => ({
    returnableParts: returnableParts(kitsIn(order, body.items)),
    ids: moreIds(body.items.reduce((sum, { sales_order_item_id: id }) => sum + furtherParts(of.get(id)), 0)),
  }),
  decide: (body, facts, { now, tenant, work }) => {
    const refused = refuseDocumentDate({ field: 'created_date', date: now, now, tenant }) ?? facts.refuseTaken()
    if (refused) return refused
    const id = work.newId()
    const plan = decideReturn(facts, body)
    if (isRefusal(plan)) return plan
    const { order, ...decided } = plan
    forget(work, { order_id: order.id, items: decided.items })
    const record = work.make(SalesReturn, {
      ...body,
      ...decided,
      id,
      number: facts.number.take(),
      status: 'NOT_RETURNED',
      source_type: 'SALES_ORDER',
      sales_order_id: order.id,
      customer_id: order.customer_id,
      cancellation_reason: null,
      created_date: now,
      return_date: null,
      updated_at: now,
    })
    return made(work, SalesReturn, record)
  },
})

/** The return changes what is left of the order, so the next unit of work loads it again. */
function forget(
  work: Work,
  { order_id: id, items }: { readonly order_id: string; readonly items: readonly ReturnLine[] },
): void {
  work.dropAnswer(refundedOfOrder, { id })
  for (const line of items) forgetReturnable(work, line.sales_order_item_id)
}

/** The lines of kits that the entries name, each once. */
function kitsIn(order: Order | null, items: readonly { readonly sales_order_item_id: string }[]): string[] {
  const named = new Set(items.map(item => item.sales_order_item_id))
  return (order?.items ?? []).flatMap(({ id, components }) => (components.length > 0 && named.has(id) ? [id] : []))
}

const furtherParts = (parts: Parts | undefined): number => Math.max(0, (parts?.length ?? 0) - 1)

export const changeReturn = changes(SalesReturn, {
  description: amendable(SalesReturn),
  example: { notes: 'The parcel is on its way', metadata: { ticket: '5120' } },
  more: ({ record }) => orderOf(record),
  decide: amend(SalesReturn),
})

/** The order of a return. The return shows its number, and goods come back at the cost of its lines. */
const orderOf = (stored: Return) => ({ order: theRecord(SalesOrder, stored.sales_order_id) })

/** Refuses as `refuseMove` and `receiveItems` do, and a closed date. */
export const receiveReturn = acts(SalesReturn, 'receive', {
  scope: 'write:sales.return.update',
  summary: 'Receive a sales return',
  description:
    'Takes the goods back into stock at the cost at which they left, on average over all that left for the order line. Lines ' +
    'with `quarantine` go to `quarantine_quantity`. Services, and lines with `restock: false` or quantity 0, come back without movements. A place that was archived meanwhile is 409 ' +
    '`conflict`.',
  body: { return_date: instant().words('when the goods came back; now unless given').decided() },
  example: {},
  refusals: ['conflict', notEditable, 'unprocessable'],
  // Each line may make a batch.
  ids: () => 8,
  more: ({ record }) => ({
    ...orderOf(record),
    places: theRecords(StoragePlace, [...new Set(record.items.flatMap(({ storage_place_id: id }) => id ?? []))]),
    stock: stockOf(positionsOf(record)),
  }),
  decide: ({ record: before, body }, { order, places, stock }, { now, tenant, work }) => {
    const date = body.return_date ?? now
    const refused = refuseMove(before, 'RETURNED') ?? refuseDocumentDate({ field: 'return_date', date, now, tenant })
    if (refused) return refused
    const cause = causeOf(SalesReturn, 'SALES_RETURN', { id: before.id, date })
    const items = receiveItems(stock, { cause, stored: before, order: order as Order, places })
    if (isRefusal(items)) return items
    const after = work.change(SalesReturn, { ...before, status: 'RETURNED', return_date: date, items })
    return changed(work, SalesReturn, { before, after, event: 'returned' })
  },
})

/** Goods that come back without a batch may go into a batch with the number of the return. */
const positionsOf = ({ items, number }: Return) => ({
  positions: items.flatMap(placesOf),
  batches: items.flatMap((item): readonly BatchNeed[] => {
    const where = placeOf(item)
    if (where === null) return []
    if (item.components.length > 0)
      return item.components.map(({ batch_id: id, item_variant_id: itemVariantId }) =>
        id === null ? { itemVariantId, number } : { id },
      )
    return item.batch_id === null ? [{ itemVariantId: where.itemVariantId, number }] : [{ id: item.batch_id }]
  }),
})

/** Refuses as `refuseMove` does. */
export const cancelReturn = acts(SalesReturn, 'cancel', {
  scope: 'write:sales.return.update',
  summary: 'Cancel a sales return',
  description: 'Ends a return that has not come. What it held may be returned and refunded otherwise.',
  body: { reason: text().orNull() },
  example: { reason: 'the customer keeps the goods' },
  refusals: [notEditable],
  more: ({ record }) => orderOf(record),
  decide: ({ record: before, body }, _facts, { work }) => {
    const refused = refuseMove(before, 'CANCELLED')
    if (refused) return refused
    forget(work, { order_id: before.sales_order_id, items: before.items })
    const after = work.change(SalesReturn, { ...before, status: 'CANCELLED', cancellation_reason: body.reason })
    return changed(work, SalesReturn, { before, after, event: 'cancelled' })
  },
})
