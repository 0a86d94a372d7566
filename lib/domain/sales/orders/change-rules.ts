/**
 * Decides how a PATCH changes the fields and lines of a sales order. Pure: no I/O and no clock. `patch-rules.ts` decides on status,
 * shipment and reservations (docs/rules/sales.md).
 */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { lineChanges, merged } from '../../../kit/documents/merging.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import { changedCharges } from './charge-rules.ts'
import { refuseComponentCount } from './component-rules.ts'
import { changedLine, type LineFacts, newLine, refuseLine } from './line-rules.ts'
import {
  LINES_MAX,
  type Line,
  type NewCharge,
  type NewOrderItem,
  type Order,
  type OrderChange,
  type OrderItemChange,
  SalesOrder,
  SalesOrderItem,
} from './noun.ts'
import { decideRate } from './rate-rules.ts'
import { settled } from './status-rules.ts'
import { refuseTaxes } from './tax-rules.ts'
import { refuseTotal, withTotals } from './total-rules.ts'

/** Checks the body's fields alone. Refuses `validation_failed`. */
export function refuseBody(body: OrderChange): Refusal | null {
  const { status, delivery_status: deliveryStatus, cancel_reason: reason } = body
  if (status === 'CANCELLED' && deliveryStatus !== undefined)
    return invalid('delivery_status', 'must not stand beside status CANCELLED')
  if (status !== 'CANCELLED' && reason !== undefined && reason !== null)
    return invalid('cancel_reason', 'goes with status CANCELLED')
  return refuseLinesAndCharges(body)
}

type Entries = {
  readonly items?: readonly (NewOrderItem | OrderItemChange)[] | undefined
  readonly charges?: readonly NewCharge[] | undefined
}

/** Checks the lines and charges alone, also those of a new order. Refuses `validation_failed`. */
export function refuseLinesAndCharges({ items = [], charges = [] }: Entries): Refusal | null {
  const lines = decideEach(items, (line, index) => {
    const at = `items[${index}]`
    if ('id' in line && line.id !== undefined) return refuseTaxes(at, line)
    return 'remove' in line && line.remove
      ? invalid(`${at}.remove`, 'goes with the id of a line')
      : refuseLine(at, line)
  })
  if (isRefusal(lines)) return lines
  const judged = decideEach(charges, (charge, index) => refuseTaxes(`charges[${index}]`, charge))
  return isRefusal(judged) ? judged : null
}

/**
 * The order with the body's fields, charges and lines. When nothing is left to ship, the order becomes SHIPPED and DONE as of `now`.
 * Refuses `validation_failed` for a line of another order, a removed line that was shipped, no lines and too many lines, and as
 * `changedLine`, `newLine`, `changedCharges`, `decideRate` and `refuseTotal` do.
 */
export function decideChange(
  facts: LineFacts,
  order: Order,
  { body, now, tenantCurrency }: { readonly body: OrderChange; readonly now: string; readonly tenantCurrency: string },
): Order | Refusal {
  const rate =
    body.exchange_rate === undefined ? order.exchange_rate : decideRate(order, body.exchange_rate, tenantCurrency)
  if (isRefusal(rate)) return rate
  const charges = changedCharges(order.charges, body.charges, { terms: order, takeId: () => facts.stock.takeId() })
  if (isRefusal(charges)) return charges
  const items = changedLines(facts, order, body.items)
  if (isRefusal(items)) return items
  const fields = {
    ...merged(SalesOrder, order, body),
    customer_id: body.customer_id ?? order.customer_id,
    exchange_rate: rate,
  }
  const isCounted = body.items !== undefined || charges !== order.charges
  const after = isCounted ? { ...fields, ...withTotals(order, { items, charges }) } : fields
  const refused = refuseTotal(after, body.expected_total_amount_with_tax)
  if (refused !== null) return refused
  return body.items === undefined ? after : settled(after, now)
}

function changedLines(facts: LineFacts, order: Order, entries: OrderChange['items']): readonly Line[] | Refusal {
  if (entries === undefined) return order.items
  const change = { list: 'items', noun: 'line of this order', before: order.items, entries }
  const items = lineChanges(SalesOrderItem, change, {
    added: (item, at) => newLine(facts, { at, item, terms: order }),
    changed: (line, change, at) => changedLine(facts, { at, line, change, terms: order }),
    removed: refuseRemoval,
  })
  return isRefusal(items) ? items : (refuseCount(items) ?? refuseComponentCount(items) ?? items)
}

function refuseRemoval({ shipped_quantity: shipped, was_shipped: wasShipped }: Line, at: string): Refusal | null {
  if (shipped > 0n) return invalid(`${at}.remove`, `${formatMicro(shipped)} of the line are shipped: it must stay`)
  return wasShipped ? invalid(`${at}.remove`, 'a reversed shipment names the line: it must stay') : null
}

function refuseCount({ length }: readonly Line[]): Refusal | null {
  if (length === 0) return invalid('items', 'an order keeps at least one line')
  return length > LINES_MAX ? invalid('items', `an order has at most ${LINES_MAX} lines`) : null
}
