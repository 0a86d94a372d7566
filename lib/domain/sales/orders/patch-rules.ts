/**
 * Decides on a PATCH of a sales order as a whole: fields and lines, then shipping or packing, then an end by the caller, and the
 * reservations that follow. Pure: no I/O and no clock (docs/rules/sales.md).
 */
import { isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { everything, type HandledRow, type HandlingDocument, handle } from '../shipments/rules.ts'
import { decideChange } from './change-rules.ts'
import type { LineFacts } from './line-rules.ts'
import { notEditable, type Order, type OrderChange } from './noun.ts'
import { leftToShip } from './quantity-rules.ts'
import { refuseBackorder, reserve } from './reservation-rules.ts'

/** The order after the PATCH, and the lines that the PATCH ships or packs. */
type Patched = { readonly order: Order; readonly rows: readonly HandledRow[] }

/**
 * The order after the PATCH. Everything is posted in the stock. `document` is the shipment or packing that `delivery_status` asks for; it
 * is made only if it has rows. Refuses `validation_failed` and `total_mismatch` as `decideChange` does, `insufficient_stock` as
 * `refuseBackorder` and `handle` do, and `sales_order_not_editable` for a cancellation after shipping.
 */
export function decidePatch(
  facts: LineFacts,
  before: Order,
  patch: {
    readonly body: OrderChange
    readonly now: string
    readonly tenantCurrency: string
    readonly document: HandlingDocument | null
  },
): Patched | Refusal {
  const { stock } = facts
  const { body, now, document } = patch
  const changed = decideChange(facts, before, patch)
  if (isRefusal(changed)) return changed
  // An order that ends without shipping needs no stock.
  const takesStock = body.status === undefined || body.delivery_status === 'SHIPPED'
  const backordered = takesStock ? refuseBackorder(stock, { before, after: changed }) : null
  if (backordered !== null) return backordered
  const handled = handleAll(facts, changed, document)
  if (isRefusal(handled)) return handled
  const after = body.status === undefined ? handled.order : ended(handled.order, body.status, now)
  if (isRefusal(after)) return after
  return reserve(stock, { before, after }) ?? { order: after, rows: handled.rows }
}

function handleAll({ stock }: LineFacts, order: Order, document: HandlingDocument | null): Patched | Refusal {
  if (document === null) return { order, rows: [] }
  const entries = everything(document.kind, order)
  return entries.length === 0 ? { order, rows: [] } : handle(stock, document, { order, entries })
}

/**
 * The order after a caller ended it. DONE releases what is still reserved. CANCELLED is refused with `sales_order_not_editable` if anything
 * was shipped.
 */
function ended(order: Order, status: 'DONE' | 'CANCELLED', now: string): Order | Refusal {
  const items = order.items.map(line => (leftToShip(line) > 0n ? { ...line, is_open: false } : line))
  if (status === 'DONE') return { ...order, status, items }
  if (order.items.some(line => line.shipped_quantity > 0n))
    return refuse(notEditable, `The sales order ${order.number} is shipped in part: it cannot be cancelled`)
  return { ...order, status, items, cancelled_at: now }
}
