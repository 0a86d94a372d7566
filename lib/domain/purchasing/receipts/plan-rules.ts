/**
 * Decides which order lines a receipt fills, before any stock is looked at. Pure (docs/rules/purchasing.md).
 */
import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { formatMicro, type Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { type Line, type Order, receiptNotAllowed } from '../orders/noun.ts'
import { stockQuantity } from '../unit-rules.ts'
import type { NewReceipt, NewReceiptItem } from './noun.ts'

/** One line of a receipt: what of which order line. */
export type PlannedLine = {
  /** How messages call a field of it: `items[2].batch_number`; `items` where the caller sent none. */
  readonly field: (name: string) => string
  readonly orderLine: Line
  readonly quantity: Micro
  /** In which field the caller sent the quantity. */
  readonly sent: 'quantity' | 'purchase_quantity'
  readonly item: Omit<NewReceiptItem, 'purchase_order_item_id' | 'quantity' | 'purchase_quantity'>
}

export type ReceiptPlan = {
  readonly lines: readonly PlannedLine[]
  /** Received now, by order line. */
  readonly received: ReadonlyMap<string, Micro>
}

const notAllowed = (reason: string) => refuse(receiptNotAllowed, reason)

/**
 * The lines of the receipt: those sent, else all that is outstanding. An order line may come several times, so that one
 * delivery can hold several batches of it.
 * Refuses `purchase_receipt_not_allowed` on a finished order and for more than is outstanding on a line, `validation_failed`
 * for a line that is not the order's, and as `receivedQuantity` does.
 */
export function planReceipt(order: Order, items: NewReceipt['items']): ReceiptPlan | Refusal {
  if (order.status === 'DONE') return notAllowed(`the purchase order ${order.number} is done`)
  const lines = items === undefined ? outstandingLines(order) : sentLines(order, items)
  if (isRefusal(lines)) return lines
  const received = new Map<string, Micro>()
  for (const { field, orderLine, quantity, sent } of lines) {
    const sum = (received.get(orderLine.id) ?? 0n) + quantity
    const outstanding = orderLine.quantity - orderLine.received_quantity
    if (sum > outstanding) {
      const name = orderLine.sku ?? orderLine.title
      return notAllowed(
        `${field(sent)}: ${formatMicro(sum)} of ${name} are more than the ${formatMicro(outstanding)} outstanding`,
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
    return quantity > 0n ? [{ field: () => 'items', orderLine, quantity, sent: 'quantity', item: nothingSaid }] : []
  })
}

function sentLines(order: Order, items: readonly NewReceiptItem[]): readonly PlannedLine[] | Refusal {
  const orderLines = new Map(order.items.map(line => [line.id, line]))
  return decideEach(
    items,
    ({ purchase_order_item_id: id, quantity: given, purchase_quantity: units, ...item }, index) => {
      const field = (name: string) => `items[${index}].${name}`
      const orderLine = orderLines.get(id)
      if (orderLine === undefined) return noSuch(field('purchase_order_item_id'), 'line of this purchase order')
      const quantity = receivedQuantity(orderLine, { given, units, field })
      if (isRefusal(quantity)) return quantity
      return { field, orderLine, quantity, sent: units == null ? 'quantity' : 'purchase_quantity', item }
    },
  )
}

type Given = {
  readonly given: Micro | undefined
  readonly units: Micro | null | undefined
  readonly field: PlannedLine['field']
}

/**
 * What arrived, in stock units. Refuses `validation_failed` unless exactly one of the two quantities is given, for purchase units of a line in
 * stock units, and for those that are no quantity (`stockQuantity`).
 */
function receivedQuantity(orderLine: Line, { given, units, field }: Given): Micro | Refusal {
  if (units == null) return given ?? invalid(field('quantity'), 'is required, or purchase_quantity')
  if (given !== undefined) return invalid(field('purchase_quantity'), 'must not stand beside quantity')
  if (orderLine.purchase_quantity === null)
    return invalid(field('purchase_quantity'), `${nameOf(orderLine)} is ordered in stock units: give quantity`)
  return stockQuantity(units, {
    rate: orderLine.conversion_rate,
    field: field('purchase_quantity'),
    name: nameOf(orderLine),
  })
}
