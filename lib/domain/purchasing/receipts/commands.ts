/** The commands that receive goods of a purchase order, and reverse a receipt (docs/rules/purchasing.md). */

import { isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { amend, amendable, changes } from '../../../kit/documents/acts.ts'
import { changed, made } from '../../../kit/documents/command.ts'
import { createsBelow } from '../../../kit/documents/creates.ts'
import { answerOf, recordBehind, theRecord } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { Supplier } from '../../partners/noun.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { causeOf } from '../../stock/cause.ts'
import { notReversed } from '../../stock/reversals/fields.ts'
import { reverses } from '../../stock/reversals/reverse.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { expectedAt, moveExpected } from '../expected-rules.ts'
import { landedOnReceipt } from '../landed-costs/on-receipt.ts'
import { type Line, type Order, PurchaseOrder, receiptNotAllowed } from '../orders/noun.ts'
import { decideMoney } from '../orders/rules.ts'
import { reopened, settled } from '../orders/status-rules.ts'
import { exactly } from '../unit-rules.ts'
import { PurchaseReceipt, type Receipt } from './noun.ts'
import { planReceipt, type ReceiptPlan, type Received, receivedOf } from './plan-rules.ts'
import { batchNumberOf, decideReceipt } from './rules.ts'

/** A usual receipt without `items` has this many lines. */
const LINES = 8

/**
 * Receives all lines or none. Its events: the stock, the receipt, then the order: `purchase_order.updated`, or `purchase_order.done` when
 * every line is received.
 */
export const createReceipt = createsBelow(PurchaseOrder, 'receipts', PurchaseReceipt, {
  summary: 'Receive goods of a purchase order',
  description:
    'All lines or none; without `items` all that is outstanding. An order line may come several times, for several batches. ' +
    'Lines in purchase units take `quantity` or `purchase_quantity`, others only `quantity`; what all receipts take together is their purchase ' +
    'units times the rate, rounded once, and the last one takes the rest. Stock comes in at quantity * price * ' +
    '`exchange_rate` (of purchase units theirs), without tax, rounded once, to the 4 decimals of a cost. A batch-tracked ' +
    "variant comes in under the line's `batch_number`, else the order line's, else the receipt's own number; the order line's " +
    '`expiry_date` holds unless the receipt names another batch than the order line. `quarantine` stock is not available until it is ' +
    'transferred out of quarantine. Services are counted without stock. When every line is in, the order is DONE. A finished ' +
    'order, or more than is outstanding on a line, is 409 `purchase_receipt_not_allowed`.',
  example: {
    storage_place_id: '1003',
    items: [{ purchase_order_item_id: '1051', quantity: 1000, quarantine: false }],
    notes: 'First pallet',
  },
  counts: true,
  refusals: [receiptNotAllowed, 'unprocessable'],
  // Each line may make a batch.
  ids: body => 1 + 2 * (body.items?.length ?? LINES),
  needs: body => ({ place: theRecord(StoragePlace, body.storage_place_id) }),
  more: ({ record: order, body }, { number }) => {
    const plan = planReceipt(order, body.items)
    const lines = isRefusal(plan) ? [] : plan.lines
    return {
      // Each variant has two positions: where it comes in, and where it is expected.
      stock: stockOf({
        positions: lines.flatMap(({ orderLine }) => [
          { ...expectedAt(order, orderLine), storagePlaceId: body.storage_place_id },
          expectedAt(order, orderLine),
        ]),
        batches: lines.map(line => ({
          itemVariantId: line.orderLine.item_variant_id,
          number: batchNumberOf(line, number.expected),
        })),
      }),
    }
  },
  decide: ({ record: before, body }, facts, { tenant, now, work }) => {
    const receivedDate = body.received_date ?? now
    const refused =
      refusePlace('storage_place_id', facts.place, 'purchases') ??
      refuseDocumentDate({ field: 'received_date', date: receivedDate, now, tenant })
    if (refused) return refused
    const plan = planReceipt(before, body.items)
    if (isRefusal(plan)) return plan
    const taken = facts.refuseTaken()
    if (taken) return taken
    const { currency } = before
    const money = decideMoney({ currency, exchange_rate: body.exchange_rate ?? before.exchange_rate }, tenant.currency)
    if (isRefusal(money)) return money
    const { exchangeRate } = money
    const id = work.newId()
    const number = facts.number.take()
    const cause = causeOf(PurchaseReceipt, 'PURCHASE_RECEIPT', { id, date: receivedDate })
    const storagePlaceId = body.storage_place_id
    const items = decideReceipt(facts.stock, {
      ...{ order: before, plan, number, storagePlaceId, cause },
      exchangeRate,
    })
    if (isRefusal(items)) return items
    const receipt = work.make(PurchaseReceipt, {
      id,
      number,
      purchase_order_id: before.id,
      storage_place_id: storagePlaceId,
      received_date: receivedDate,
      created_at: now,
      ...notReversed(now),
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      currency,
      exchange_rate: exchangeRate,
      total_amount: items.reduce((sum, line) => sum + line.line_amount, 0n),
      tax_amount: items.reduce((sum, line) => sum + line.line_tax_amount, 0n),
      stock_amount: items.reduce((sum, line) => sum + (line.stock_value ?? 0n), 0n),
      items,
    })
    const after = work.change(PurchaseOrder, receivedOrder(before, plan, now))
    const event = after.status === 'DONE' ? 'done' : 'updated'
    const { body: answer, events } = made(work, PurchaseReceipt, receipt)
    return { body: answer, events: [...events, ...changed(work, PurchaseOrder, { before, after, event }).events] }
  },
})

const receivedFields = ({ quantity, exact }: Received): Pick<Line, 'received_quantity' | 'received_rest'> => ({
  received_quantity: quantity,
  received_rest: exact - exactly(quantity),
})

/** The order after the receipt. */
function receivedOrder(order: Order, { received }: ReceiptPlan, now: string): Order {
  const items = order.items.map(line => {
    const sum = received.get(line.id)
    return sum === undefined ? line : { ...line, ...receivedFields(sum) }
  })
  return settled({ ...order, items }, now)
}

export const changeReceipt = changes(PurchaseReceipt, {
  description: amendable(PurchaseReceipt),
  example: { notes: 'Two cartons are dented', metadata: { delivery_note: 'LS-4711' } },
  decide: amend(PurchaseReceipt),
})

const orderOf = recordBehind(PurchaseReceipt, 'purchase_order_id', PurchaseOrder)

/**
 * Its events: the stock, the receipt, then the order: `purchase_order.updated`. Also refuses `conflict` for a landed cost on the receipt.
 */
export const reverseReceipt = reverses(PurchaseReceipt, {
  scope: 'write:purchase.receipt.reverse',
  description:
    '`received_quantity` and `delivery_status` of the purchase order follow, services included. An order that was not closed by hand is ' +
    'OPEN again and expects the goods again at its own place. A landed cost on the receipt that is not reversed is 409 `conflict`.',
  example: { reason: 'Counted on the wrong order' },
  dateOf: receipt => receipt.received_date,
  needs: id => ({ order: orderOf(id), landed: answerOf(landedOnReceipt, { id }) }),
  more: (_receipt, { order }) => ({ supplier: theRecord(Supplier, order?.supplier_id) }),
  positions: (receipt, { order }) => (order === null ? [] : receipt.items.map(line => expectedAt(order, line))),
  refuse: ({ landed }) => refuseLanded(landed),
  also: (receipt, { order: before, stock }, { work }) => {
    if (before === null) throw new Error(`the purchase order ${receipt.purchase_order_id} is gone`)
    const after = work.change(PurchaseOrder, unreceivedOrder(before, receipt))
    return (
      moveExpected(stock, { field: 'items', before, after }) ??
      changed(work, PurchaseOrder, { before, after, event: 'updated' }).events
    )
  },
})

const refuseLanded = (number: string | null): Refusal | null =>
  number === null ? null : refuse('conflict', `the landed cost ${number} stands on this receipt: reverse it first`)

/** The order after the reversal. The reversed receipt keeps its lines. */
function unreceivedOrder(order: Order, receipt: Receipt): Order {
  const lines = Map.groupBy(receipt.items, line => line.purchase_order_item_id)
  const items = order.items.map(line => {
    const brought = lines.get(line.id)
    if (brought === undefined) return line
    const left = brought.reduce((sum, { quantity, exact_quantity: exact }): Received => {
      return { quantity: sum.quantity - quantity, exact: sum.exact - (exact ?? exactly(quantity)) }
    }, receivedOf(line))
    return { ...line, ...receivedFields(left), was_received: true }
  })
  return reopened(order, items)
}
