/** A WooCommerce refund as the body of `POST /sales-returns` (docs/guides/shops.md). */
import type { PlacedOrder, RefundOptions, ReturnBody } from './bodies.ts'
import { amount, micro, nearestMicro, roundedTo, ShopFieldError } from './decimal.ts'
import { Refund, type ShopMoney } from './refund.ts'
import { notes } from './texts.ts'
import type { WooCharge, WooLineItem, WooRefund } from './woo.ts'
import { priceIn } from './woo-order.ts'

export type WooRefundOptions = RefundOptions & {
  /** Whether the pieces come back into stock, which WooCommerce does not say; true by default. */
  readonly restock?: boolean | undefined
}

/**
 * The body of `POST /sales-returns`.
 * @param order the order that `wooOrder` led to, as `GET /sales-orders/{id}` shows it now.
 * @throws ShopFieldError where the shop's money cannot be said exactly, also where it belongs to no line or charge.
 */
export function wooRefund(refund: WooRefund, order: PlacedOrder, options: WooRefundOptions = {}): ReturnBody {
  const counted = new Refund(order, options)
  const { restock = true } = options
  for (const [at, item] of (refund.line_items ?? []).entries()) {
    const field = `line_items[${at}]`
    const quantity = -micro(item.quantity, `${field}.quantity`)
    const pieces = { quantity, restock, isSent: undefined }
    counted.line(refundedId(item, field), { ...moneyOf(item, field, counted), ...pieces }, field)
  }
  const charges = [
    ['shipping', refund.shipping_lines],
    ['fee', refund.fee_lines],
  ] as const
  for (const [kind, lines] of charges)
    for (const [at, one] of (lines ?? []).entries()) {
      const field = `${kind}_lines[${at}]`
      const charge = counted.chargeOf(`${kind}:${refundedId(one, field)}`, field)
      counted.charge(charge, moneyOf(one, field, counted), field)
    }
  const of = { external_ref: String(refund.id), notes: notes(refund.reason) }
  return counted.body(of, amount(refund.amount, 'amount', counted.mode.unit), 'amount')
}

/** The line of the order that a line of the refund is for. */
function refundedId({ meta_data }: Pick<WooCharge, 'meta_data'>, field: string): string {
  const found = meta_data?.find(({ key }) => key === '_refunded_item_id')?.value
  if (found === undefined) throw new ShopFieldError(`${field}.meta_data`, 'has no _refunded_item_id')
  return String(found)
}

function moneyOf(of: WooLineItem | WooCharge, field: string, { mode }: Refund): ShopMoney {
  const tax = roundedTo(nearestMicro(of.total_tax, `${field}.total_tax`), mode.unit)
  return { price: -priceIn(of, tax, field, mode), tax: -tax }
}
