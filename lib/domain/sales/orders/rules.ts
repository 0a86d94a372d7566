/**
 * Decides on new sales orders (docs/rules/sales.md). Pure.
 */
import { isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { newCharges } from './charge-rules.ts'
import { refuseComponentCount } from './component-rules.ts'
import { type LineFacts, newLines } from './line-rules.ts'
import type { NewOrder, Order, OrderChange } from './noun.ts'
import { refuseBackorder, reserve } from './reservation-rules.ts'
import { refuseTotal, withTotals } from './total-rules.ts'

/** Refuses `unprocessable` for an `ordered_at` more than five minutes after `now`. */
export const refuseOrderedAhead = (
  { ordered_at: date }: Pick<OrderChange, 'ordered_at'>,
  now: string,
): Refusal | null => (date == null ? null : refuseDocumentDate({ field: 'ordered_at', date, now, tenant: null }))

/**
 * The new order. Its quantities are reserved in the stock. Refuses `validation_failed` as `newLine` and `newCharges` do, `total_mismatch`
 * as `refuseTotal` does and, without backorder, `insufficient_stock`.
 */
export function decideOrder(
  facts: LineFacts,
  order: Pick<
    Order,
    | 'id'
    | 'number'
    | 'currency'
    | 'exchange_rate'
    | 'customer_id'
    | 'shipping_address'
    | 'billing_address'
    | 'created_date'
  > & { readonly body: NewOrder },
): Order | Refusal {
  const { body, ...head } = order
  const { prices_include_tax, tax_rounding, tax_rounding_mode } = body
  const terms = { currency: head.currency, prices_include_tax, tax_rounding, tax_rounding_mode }
  const items = newLines(facts, { items: body.items, terms })
  if (isRefusal(items)) return items
  const refused = refuseComponentCount(items)
  if (refused !== null) return refused
  const charges = newCharges(body.charges, { terms, takeId: () => facts.stock.takeId() })
  if (isRefusal(charges)) return charges
  const after: Order = {
    ...head,
    updated_at: head.created_date,
    ...terms,
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
    ...withTotals(terms, { items, charges }),
  }
  const change = { before: null, after }
  return (
    refuseTotal(after, body.expected_total_amount_with_tax) ??
    refuseBackorder(facts.stock, change) ??
    reserve(facts.stock, change) ??
    after
  )
}
