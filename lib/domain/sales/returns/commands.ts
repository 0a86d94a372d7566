/**
 * What happens to sales returns: they are made, received and cancelled (docs/rules/sales.md).
 */

import { isRefusal } from '../../../kit/api/errors.ts'
import { changed, command, made } from '../../../kit/documents/command.ts'
import { free, numberOf, theRecord, theRecords } from '../../../kit/documents/needs.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { type Order, SalesOrder } from '../orders/noun.ts'
import { type Return, SalesReturn } from './document.ts'
import { returnable, returnableMark } from './returnable.ts'
import { decideReturn, receiveItems, refuseMove, whereOf } from './rules.ts'
import { Cancelling, NewReturn, Receiving } from './schemas.ts'

const tag = 'Sales returns'

export const createReturnEndpoint = command({
  id: 'createSalesReturn',
  method: 'POST',
  path: '/sales-returns',
  tag,
  scope: 'write:sales.return.create',
  summary: 'Create a sales return',
  description:
    'Announces goods of a sales order that come back; stock moves when the return is received. Of each order line at most ' +
    "what is shipped less what other returns hold that are not cancelled. `unit_price` of a line defaults to the order line's, " +
    "`batch_id` to the batch shipped last, `storage_place_id` to the return's own where that is given (null is stock without a " +
    "place), else to the order line's. The return's own is shown as the main place where it is not given.",
  body: NewReturn,
  example: {
    sales_order_id: '1042',
    external_return_ref: 'RMA-2026-17',
    items: [{ sales_order_item_id: '1043', quantity: 1, reason: 'damaged', quarantine: true }],
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['unprocessable'],
  reply: replyOf(SalesReturn),
  ids: ({ body }) => body.items.length + 1,
  needs: ({ body }) => ({
    order: theRecord(SalesOrder, body.sales_order_id),
    mainPlace,
    places: theRecords(
      StoragePlace,
      [body, ...body.items].flatMap(({ storage_place_id: id }) => (id == null ? [] : [id])),
    ),
    returnable: returnable(
      body.sales_order_id,
      body.items.map(item => item.sales_order_item_id),
    ),
    number: numberOf(SalesReturn, body.number),
    refuseTaken: free(SalesReturn, { number: body.number, external_ref: body.external_ref }),
    stock: stockOf({
      positions: [],
      batches: body.items.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }])),
    }),
  }),
  decide: ({ body }, facts, { now, tenant, work }) => {
    const refused =
      refuseDocumentDate({ field: 'created_date', date: now, now, closedThrough: tenant.closedThrough }) ??
      facts.refuseTaken()
    if (refused) return refused
    const id = work.newId()
    const plan = decideReturn(facts, body)
    if (isRefusal(plan)) return plan
    const { order, ...decided } = plan
    work.mark(returnableMark(order.id))
    const made_ = work.make(SalesReturn, {
      ...decided,
      id,
      number: facts.number.take(),
      status: 'NOT_RETURNED',
      source_type: 'SALES_ORDER',
      sales_order_id: order.id,
      customer_id: order.customer_id,
      external_return_ref: body.external_return_ref,
      external_ref: body.external_ref,
      tracking_info: body.tracking_info,
      notes: body.notes,
      cancellation_reason: null,
      created_date: now,
      return_date: null,
      updated_at: now,
    })
    return made(work, SalesReturn, made_)
  },
})

/** The order of a return, whose number it shows and whose lines tell at which cost goods come back. */
const orderOf = (stored: Return | null) => ({ order: theRecord(SalesOrder, stored?.sales_order_id) })

export const receiveReturnEndpoint = command({
  id: 'receiveSalesReturn',
  method: 'POST',
  path: '/sales-returns/{id}/receive',
  tag,
  scope: 'write:sales.return.update',
  summary: 'Receive a sales return',
  description:
    'Takes the goods back into stock at the cost at which they left, on average over all that left for the order line. Lines ' +
    'with `quarantine` go to `quarantine_quantity`. Services come back without movements.',
  body: Receiving,
  example: {},
  success: 200,
  countsAsDocument: false,
  refusals: ['sales_return_not_editable', 'unprocessable'],
  reply: replyOf(SalesReturn),
  ifMatch: SalesReturn,
  // A line may make a batch.
  ids: () => 8,
  needs: ({ params }) => ({ stored: theRecord(SalesReturn, params['id']) }),
  more: (_request, { stored }) => ({ ...orderOf(stored), stock: stockOf(positionsOf(stored)) }),
  decide: ({ body }, { stored: before, order, stock }, { now, tenant, work }) => {
    if (before === null) return notFound(SalesReturn)
    const date = body.return_date ?? now
    const refused =
      refuseMove(before, 'RETURNED') ??
      refuseDocumentDate({ field: 'return_date', date, now, closedThrough: tenant.closedThrough })
    if (refused) return refused
    const source = { kind: 'SALES_RETURN', sourceType: 'SALES_RETURN', sourceId: before.id } as const
    const cause = { ...source, documentDate: date }
    const items = receiveItems(stock, { cause, stored: before, order: order as Order })
    if (isRefusal(items)) return items
    const after = work.change(SalesReturn, { ...before, status: 'RETURNED', return_date: date, items })
    return changed(work, SalesReturn, { before, after, type: 'sales_return.returned' })
  },
})

/** What comes back without a batch may go into one of the return's number. */
const positionsOf = (stored: Return | null) => ({
  positions: (stored?.items ?? []).map(whereOf),
  batches: (stored?.items ?? []).map(item =>
    item.batch_id === null
      ? { itemVariantId: item.item_variant_id, number: stored?.number ?? '' }
      : { id: item.batch_id },
  ),
})

export const cancelReturnEndpoint = command({
  id: 'cancelSalesReturn',
  method: 'POST',
  path: '/sales-returns/{id}/cancel',
  tag,
  scope: 'write:sales.return.update',
  summary: 'Cancel a sales return',
  description: 'Ends a return that has not come. What it held may be returned otherwise.',
  body: Cancelling,
  example: { reason: 'the customer keeps the goods' },
  success: 200,
  countsAsDocument: false,
  refusals: ['sales_return_not_editable'],
  reply: replyOf(SalesReturn),
  ifMatch: SalesReturn,
  ids: () => 0,
  needs: ({ params }) => ({ stored: theRecord(SalesReturn, params['id']) }),
  more: (_request, { stored }) => orderOf(stored),
  decide: ({ body }, { stored: before }, { work }) => {
    if (before === null) return notFound(SalesReturn)
    const refused = refuseMove(before, 'CANCELLED')
    if (refused) return refused
    work.mark(returnableMark(before.sales_order_id))
    const after = work.change(SalesReturn, { ...before, status: 'CANCELLED', cancellation_reason: body.reason })
    return changed(work, SalesReturn, { before, after, type: 'sales_return.cancelled' })
  },
})
