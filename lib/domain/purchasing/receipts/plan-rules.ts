/**
 * Decides which order lines a receipt fills, before any stock is looked at. Pure (docs/rules/purchasing.md).
 */
import { decideEach, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { formatMicro, type Micro } from '../../../platform/decimal.ts'
import type { Line, Order } from '../orders/noun.ts'
import type { NewReceipt, NewReceiptItem } from './noun.ts'

/** One line of a receipt: what of which order line. */
export type PlannedLine = {
  /** How messages call a field of it: `items[2].batch_number`; `items` where the caller sent none. */
  readonly field: (name: string) => string
  readonly orderLine: Line
  readonly quantity: Micro
  readonly item: Omit<NewReceiptItem, 'purchase_order_item_id' | 'quantity'>
}

export type ReceiptPlan = {
  readonly lines: readonly PlannedLine[]
  /** Received now, by order line. */
  readonly received: ReadonlyMap<string, Micro>
}

const notAllowed = (reason: string) => refuse('purchase_receipt_not_allowed', reason)

/**
 * The lines of the receipt: those sent, else all that is outstanding. An order line may come several times, so that one
 * delivery can hold several batches of it.
 * Refuses `purchase_receipt_not_allowed` on a finished order and for more than is outstanding on a line, `validation_failed`
 * for a line that is not the order's.
 */
export function planReceipt(order: Order, items: NewReceipt['items']): ReceiptPlan | Refusal {
  if (order.status === 'DONE') return notAllowed(`the purchase order ${order.number} is done`)
  const lines = items === undefined ? outstandingLines(order) : sentLines(order, items)
  if (isRefusal(lines)) return lines
  const received = new Map<string, Micro>()
  for (const { field, orderLine, quantity } of lines) {
    const sum = (received.get(orderLine.id) ?? 0n) + quantity
    const outstanding = orderLine.quantity - orderLine.received_quantity
    if (sum > outstanding) {
      const name = orderLine.sku ?? orderLine.title
      return notAllowed(
        `${field('quantity')}: ${formatMicro(sum)} of ${name} are more than the ${formatMicro(outstanding)} outstanding`,
      )
    }
    received.set(orderLine.id, sum)
  }
  return { lines, received }
}

const nothingSaid = { batch_number: null, manufacture_date: null, expiry_date: null, quarantine: false }

function outstandingLines(order: Order): PlannedLine[] {
  return order.items.flatMap(orderLine => {
    const quantity = orderLine.quantity - orderLine.received_quantity
    return quantity > 0n ? [{ field: () => 'items', orderLine, quantity, item: nothingSaid }] : []
  })
}

function sentLines(order: Order, items: readonly NewReceiptItem[]): readonly PlannedLine[] | Refusal {
  const orderLines = new Map(order.items.map(line => [line.id, line]))
  return decideEach(items, ({ purchase_order_item_id: id, quantity, ...item }, index) => {
    const field = (name: string) => `items[${index}].${name}`
    const orderLine = orderLines.get(id)
    if (orderLine === undefined) return noSuch(field('purchase_order_item_id'), 'line of this purchase order')
    return { field, orderLine, quantity, item }
  })
}
