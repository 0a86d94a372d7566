/**
 * Decides on new sales orders. Pure: no I/O and no clock (contract 2, "Sales order").
 */
import { isRefusal, type Refusal } from '../../api/errors.ts'
import { newLines, type Surroundings } from './line-rules.ts'
import type { Order } from './order.ts'
import { refuseBackorder, reserve } from './reservation-rules.ts'
import type { NewOrder } from './schemas.ts'

/**
 * The new order, its stock reserved in the book.
 * Refuses `validation_failed` (see `newLine`) and, without backorder, `insufficient_stock`.
 */
export function decideOrder(
  surroundings: Surroundings,
  order: { readonly id: string; readonly number: string; readonly currency: string; readonly body: NewOrder },
): Order | Refusal {
  const { id, number, currency, body } = order
  const lines = newLines(surroundings, { items: body.items, currency })
  if (isRefusal(lines)) return lines
  const after: Order = {
    id,
    number,
    status: 'OPEN',
    deliveryStatus: 'NOT_SHIPPED',
    currency,
    priority: body.priority,
    notes: body.notes,
    externalRef: body.external_ref,
    allowBackorder: body.allow_backorder,
    deliveryDate: body.delivery_date,
    shippedAt: null,
    cancelledAt: null,
    cancelReason: null,
    lines,
  }
  const change = { before: null, after }
  return refuseBackorder(surroundings.book, change) ?? reserve(surroundings.book, change) ?? after
}
