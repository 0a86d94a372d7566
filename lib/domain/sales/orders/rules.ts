/**
 * Decides on new sales orders (docs/rules/sales.md). Pure.
 */
import { isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { newCharges, orderTotals } from './charge-rules.ts'
import { type LineFacts, newLines } from './line-rules.ts'
import type { NewOrder, Order, OrderChange } from './noun.ts'
import { refuseBackorder, reserve } from './reservation-rules.ts'

/** Refuses `unprocessable` for an order that is said to have been made more than five minutes ahead of `now`. */
export const refuseOrderedAhead = (
  { ordered_at: date }: Pick<OrderChange, 'ordered_at'>,
  now: string,
): Refusal | null => (date == null ? null : refuseDocumentDate({ field: 'ordered_at', date, now, closedThrough: null }))

/**
 * The new order, its stock reserved in the stock.
 * Refuses `validation_failed` (see `newLine`) and, without backorder, `insufficient_stock`.
 */
export function decideOrder(
  facts: LineFacts,
  order: Pick<
    Order,
    'id' | 'number' | 'currency' | 'customer_id' | 'shipping_address' | 'billing_address' | 'created_date'
  > & { readonly body: NewOrder },
): Order | Refusal {
  const { body, ...head } = order
  const items = newLines(facts, { items: body.items, currency: head.currency })
  if (isRefusal(items)) return items
  const charges = newCharges(body.charges, { currency: head.currency, takeId: () => facts.stock.takeId() })
  const after: Order = {
    ...head,
    updated_at: head.created_date,
    status: 'OPEN',
    delivery_status: 'NOT_SHIPPED',
    priority: body.priority,
    notes: body.notes,
    external_ref: body.external_ref,
    metadata: body.metadata,
    allow_backorder: body.allow_backorder,
    ordered_at: body.ordered_at,
    delivery_date: body.delivery_date,
    shipped_at: null,
    cancelled_at: null,
    cancelled_by_user_id: null,
    cancelled_by_user_name: null,
    cancel_reason: null,
    ...orderTotals({ items, charges }),
    items,
    charges,
  }
  const change = { before: null, after }
  return refuseBackorder(facts.stock, change) ?? reserve(facts.stock, change) ?? after
}
