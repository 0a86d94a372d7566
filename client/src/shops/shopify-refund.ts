/** A Shopify refund as the body of `POST /sales-returns` (docs/guides/shops.md). */
import type { PlacedOrder, RefundOptions, ReturnBody } from './bodies.ts'
import { amount, type Micro, micro, ShopFieldError, sum } from './decimal.ts'
import { Refund, type ShopPieces } from './refund.ts'
import type { ShopifyRefund } from './shopify.ts'
import { notes } from './texts.ts'

const piecesOf: ReadonlyMap<string, Omit<ShopPieces, 'quantity'>> = new Map([
  ['return', { restock: true, isSent: true }],
  ['legacy_restock', { restock: true, isSent: undefined }],
  ['no_restock', { restock: false, isSent: undefined }],
  ['cancel', { restock: true, isSent: false }],
])

/**
 * The body of `POST /sales-returns`.
 * @param order the order that `shopifyOrder` led to, as `GET /sales-orders/{id}` shows it now.
 * @throws ShopFieldError where the shop's money cannot be said exactly, also where it belongs to no line or charge.
 */
export function shopifyRefund(refund: ShopifyRefund, order: PlacedOrder, options: RefundOptions = {}): ReturnBody {
  const counted = new Refund(order, options)
  const { unit } = counted.mode
  for (const [at, item] of (refund.refund_line_items ?? []).entries()) {
    const field = `refund_line_items[${at}]`
    const pieces = piecesOf.get(item.restock_type ?? 'no_restock')
    if (pieces === undefined) throw new ShopFieldError(`${field}.restock_type`, `${item.restock_type} is unknown`)
    const money = {
      // The plain fields are binary floating point; the sets are texts.
      price: amount(item.subtotal_set?.shop_money?.amount ?? item.subtotal, `${field}.subtotal`, unit),
      tax: amount(item.total_tax_set?.shop_money?.amount ?? item.total_tax, `${field}.total_tax`, unit),
    }
    const tip = counted.findCharge(`tip:${item.line_item_id}`)
    if (tip) counted.charge(tip, money, field)
    else
      counted.line(
        String(item.line_item_id),
        { ...money, ...pieces, quantity: micro(item.quantity, `${field}.quantity`) },
        field,
      )
  }
  refundShipping(refund, counted)
  for (const [at, duty] of (refund.duties ?? []).entries()) {
    const field = `duties[${at}]`
    const price = amount(duty.amount_set?.shop_money?.amount, `${field}.amount_set`, unit)
    counted.charge(counted.chargeOf(`duty:${duty.duty_id}`, field), { price, tax: undefined }, field)
  }
  const of = { external_ref: String(refund.id), notes: notes(refund.note) }
  return counted.body(of, paidBy(refund, counted), 'transactions')
}

/** What went back to the customer, in the currency of the order. */
function paidBy(refund: ShopifyRefund, { order, mode, withTax }: Refund): Micro {
  const { unit } = mode
  const paid = (refund.transactions ?? []).filter(
    ({ kind, status }) => kind === 'refund' && (status === 'success' || status === 'pending'),
  )
  if (paid.every(({ currency }) => currency == null || currency === order.currency))
    return sum(paid.map((one, at) => amount(one.amount, `transactions[${at}].amount`, unit)))
  // In the customer's own currency: what the shop calculated, less what it did not pay.
  const unpaid = (refund.order_adjustments ?? []).filter(({ kind }) => kind === 'refund_discrepancy')
  return withTax - sum(unpaid.map((one, at) => amount(one.amount, `order_adjustments[${at}].amount`, unit)))
}

function refundShipping(refund: ShopifyRefund, counted: Refund): void {
  const { unit, includesTax } = counted.mode
  const lines = refund.refund_shipping_lines ?? []
  for (const [at, line] of lines.entries()) {
    const field = `refund_shipping_lines[${at}]`
    const price = amount(line.subtotal_amount_set?.shop_money?.amount, `${field}.subtotal_amount_set`, unit)
    counted.charge(counted.chargeOf(`shipping:${line.shipping_line_id}`, field), { price, tax: undefined }, field)
  }
  // API versions before 2024-10 have an adjustment instead. Some have both.
  if (lines.length > 0) return
  for (const [at, one] of (refund.order_adjustments ?? []).entries()) {
    if (one.kind !== 'shipping_refund') continue
    const field = `order_adjustments[${at}]`
    const charges = counted.order.charges.filter(({ external_ref }) => external_ref?.startsWith('shipping:'))
    const [charge] = charges
    if (charge === undefined || charges.length > 1)
      throw new ShopFieldError(field, `does not say which of ${charges.length} shipping charges is refunded`)
    const tax = -amount(one.tax_amount, `${field}.tax_amount`, unit)
    const price = -amount(one.amount, `${field}.amount`, unit)
    counted.charge(charge, { price: includesTax ? price + tax : price, tax }, field)
  }
}
