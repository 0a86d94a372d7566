/** Decides which order lines a receipt fills, without the stock. Pure (docs/rules/purchasing.md). */
import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { formatMicro, type Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { type Line, type Order, receiptNotAllowed } from '../orders/noun.ts'
import { type Exact, exactly, exactOf, exactUnits, inStockUnits } from '../unit-rules.ts'
import type { NewReceipt, NewReceiptItem } from './noun.ts'

export type PlannedLine = {
  /** The name of a field in messages: `items[2].batch_number`, or `items` where the caller sent none. */
  readonly field: (name: string) => string
  readonly orderLine: Line
  readonly quantity: Micro
  /** The quantity before it was rounded. */
  readonly exact: Exact
  /** The field in which the caller sent the quantity. */
  readonly sent: 'quantity' | 'purchase_quantity'
  readonly item: Omit<NewReceiptItem, 'purchase_order_item_id' | 'quantity' | 'purchase_quantity'>
}

export type ReceiptPlan = {
  readonly lines: readonly PlannedLine[]
  /** What each order line has received after the receipt. */
  readonly received: ReadonlyMap<string, Received>
}

/** The received quantity of an order line, rounded and before it was rounded. */
export type Received = { readonly quantity: Micro; readonly exact: Exact }

export const receivedOf = ({ received_quantity: quantity, received_rest: rest }: Line): Received => ({
  quantity,
  exact: exactly(quantity) + rest,
})

/** A line of the body with its order line. `amount` is in the units of the order line. */
type Named = Pick<PlannedLine, 'field' | 'orderLine' | 'sent' | 'item'> & { readonly amount: Micro }

const notAllowed = (reason: string) => refuse(receiptNotAllowed, reason)

/**
 * The lines of the receipt: those of the body, else all that is left to receive. An order line may come several times, because one delivery
 * can hold several batches of it. Refuses `purchase_receipt_not_allowed` for a done order and for more than is left of a line;
 * `validation_failed` for a line of another order and a quantity that rounds to 0, and as `namedAmount` does.
 */
export function planReceipt(order: Order, items: NewReceipt['items']): ReceiptPlan | Refusal {
  if (order.status === 'DONE') return notAllowed(`the purchase order ${order.number} is done`)
  const named = items === undefined ? outstandingLines(order) : sentLines(order, items)
  if (isRefusal(named)) return named
  const received = new Map<string, Received>()
  const lines: PlannedLine[] = []
  for (const { amount, ...line } of named) {
    const before = received.get(line.orderLine.id) ?? receivedOf(line.orderLine)
    const taken = takenOf({ ...line, amount }, before)
    if (isRefusal(taken)) return taken
    lines.push({ ...line, ...taken })
    received.set(line.orderLine.id, {
      quantity: before.quantity + taken.quantity,
      exact: before.exact + taken.exact,
    })
  }
  return { lines, received }
}

/**
 * The quantity that a line takes after `before` was received. It comes from the running total, so all receipts together take the rounded
 * sum of their purchase units. A line that takes all that is left takes the exact rest in both units.
 */
function takenOf({ field, orderLine, sent, amount }: Named, before: Received): Received | Refusal {
  const left = { quantity: orderLine.quantity - before.quantity, exact: exactOf(orderLine) - before.exact }
  const isInUnits = sent === 'purchase_quantity'
  const asked = isInUnits ? exactUnits(amount, orderLine.conversion_rate) : exactly(amount)
  if (isInUnits ? asked > left.exact : amount > left.quantity) {
    const sum = before.quantity - orderLine.received_quantity + inStockUnits(asked)
    const outstanding = orderLine.quantity - orderLine.received_quantity
    return notAllowed(
      `${field(sent)}: ${formatMicro(sum)} of ${nameOf(orderLine)} are more than the ${formatMicro(outstanding)} outstanding`,
    )
  }
  const isRest = isInUnits ? asked === left.exact : amount === left.quantity
  // After a reversal, the stock units that are left may belong to fewer purchase units.
  const exact = isRest || asked > left.exact ? left.exact : asked
  const quantity = isRest ? left.quantity : inStockUnits(before.exact + exact) - before.quantity
  return quantity > 0n ? { quantity, exact } : invalid(field(sent), `comes to 0 of ${nameOf(orderLine)}`)
}

const nothingSaid = { batch_number: null, manufacture_date: null, expiry_date: null, quarantine: false }

function outstandingLines(order: Order): Named[] {
  return order.items.flatMap(orderLine => {
    const amount = orderLine.quantity - orderLine.received_quantity
    return amount > 0n ? [{ field: () => 'items', orderLine, amount, sent: 'quantity', item: nothingSaid }] : []
  })
}

function sentLines(order: Order, items: readonly NewReceiptItem[]): readonly Named[] | Refusal {
  const orderLines = new Map(order.items.map(line => [line.id, line]))
  return decideEach(
    items,
    ({ purchase_order_item_id: id, quantity: given, purchase_quantity: units, ...item }, index) => {
      const field = (name: string) => `items[${index}].${name}`
      const orderLine = orderLines.get(id)
      if (orderLine === undefined) return noSuch(field('purchase_order_item_id'), 'line of this purchase order')
      const amount = namedAmount(orderLine, { given, units, field })
      if (isRefusal(amount)) return amount
      return { field, orderLine, amount, sent: units == null ? 'quantity' : 'purchase_quantity', item }
    },
  )
}

type Given = {
  readonly given: Micro | undefined
  readonly units: Micro | null | undefined
  readonly field: PlannedLine['field']
}

/**
 * The quantity that arrived. Refuses `validation_failed` unless the line has exactly one of the two quantities, and for purchase units of a
 * line in stock units.
 */
function namedAmount(orderLine: Line, { given, units, field }: Given): Micro | Refusal {
  if (units == null) return given ?? invalid(field('quantity'), 'is required, or purchase_quantity')
  if (given !== undefined) return invalid(field('purchase_quantity'), 'must not stand beside quantity')
  if (orderLine.purchase_quantity === null)
    return invalid(field('purchase_quantity'), `${nameOf(orderLine)} is ordered in stock units: give quantity`)
  return units
}
