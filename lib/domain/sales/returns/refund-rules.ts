/** The refunds of the lines and charges of a return. Pure (docs/rules/sales.md, "Refunds"). */
import { invalid, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { isGiven, type Tax } from '../../../kit/fields/taxes.ts'
import { each, formatCost, type Micro, parseCost } from '../../../platform/decimal.ts'
import { pricePerUnit, rounded, spread } from '../../accounting/amounts-rules.ts'
import { type Amount, asPrice, parsePercent } from '../../accounting/money.ts'
import { holding, leftOf, pricedRefund, type Refund, refundOf, usualRefund } from '../../accounting/refund-rules.ts'
import { nameOf } from '../../stock/line-rules.ts'
import type { Line, Order } from '../orders/noun.ts'
import type { NewReturnCharge, NewReturnItem, ReturnCharge, ReturnLine } from './noun.ts'
import type { Returned } from './piece-rules.ts'
import { chargedAs, chargedFor, type Refunded, refundRule } from './refunded.ts'

/** The refund of a line, and its refund if it had no price of its own. */
type RefundedLine = Refund & { readonly usual: Refund }

const NOTHING: Refund = { amount: 0n, taxAmount: 0n }

/** The ordered price of one unit, after discounts. */
export const usualPrice = (line: Line): Micro =>
  pricePerUnit({
    quantity: line.quantity,
    ...each(line.price),
    discount: line.discount_percent,
    discountAmount: line.discount_amount,
  })

/** Splits the tax of a refund over the taxes of a line or charge: by the shop's tax amounts, else by the rates. */
export function refundedTaxes(taxes: readonly Tax[], taxAmount: Amount, currency: string): readonly Tax[] {
  if (taxes.length === 0) return []
  const size = (amount: Amount) => (amount < 0n ? -amount : amount)
  const weights = taxes.some(isGiven)
    ? taxes.map(({ amount }) => size(parseCost(amount ?? '0')))
    : taxes.map(({ rate }) => parsePercent(rate))
  const shares = spread(taxAmount, weights, currency)
  return taxes.map(({ title, rate }, at) => ({ title, rate, amount: formatCost(shares[at] ?? 0n), given: false }))
}

type Entry = { readonly order: Order; readonly at: string; readonly item: NewReturnItem }

/**
 * The refund of each of the entry's pieces, in their order. They are added to `returned`. Refuses `validation_failed` for a price or an
 * amount above what is left of the line.
 */
export function refundPieces(
  returned: Returned,
  { order, at, item }: Entry,
  quantities: readonly Micro[],
): readonly RefundedLine[] | Refusal {
  const { line } = returned
  const [charged, rule] = [chargedFor(line), refundRule(order)]
  const left = leftOf(charged, returned.held)
  const most = order.prices_include_tax ? left.amount + left.taxAmount : left.amount
  const refunds: RefundedLine[] = []
  for (const quantity of quantities) {
    const usual = quantity === 0n ? NOTHING : usualRefund(charged, returned.held, quantity, rule)
    const asked = askedFor(quantity)
    const refund = asked === null ? usual : refundOf(charged, returned.held, asked, rule)
    if ('most' in refund) {
      const field = item.amount === null ? 'unit_price' : 'amount'
      return invalid(`${at}.${field}`, `at most ${formatCost(most)} of ${nameOf(line)} is left to refund`)
    }
    returned.held = holding(returned.held, { ...refund, quantity, usual })
    refunds.push({ ...refund, usual })
  }
  return refunds

  /** The amount that the entry asks for, in the price mode; null: the usual refund. */
  function askedFor(quantity: Micro): Amount | null {
    const { amount, unit_price: price } = item
    if (amount !== null) return rounded(amount, order.currency)
    return price === undefined || price === usualPrice(line) ? null : pricedRefund(price, quantity, order.currency)
  }
}

/** The refund fields of a line. */
export const refundFields = (line: Line, { amount, taxAmount, usual }: RefundedLine, currency: string) => ({
  refund_amount: amount,
  refund_tax_amount: taxAmount,
  taxes: refundedTaxes(line.taxes, taxAmount, currency),
  usual_amount: usual.amount,
  usual_tax_amount: usual.taxAmount,
})

/**
 * The refund of a charge, by default of all that is left. Refuses `validation_failed` for a charge of another order, a charge that an
 * earlier entry refunds, and more than is left.
 */
export function refundCharge(
  { order, refunded, earlier }: { readonly order: Order; readonly refunded: Refunded; readonly earlier: Set<string> },
  at: string,
  asked: NewReturnCharge & { readonly id: string },
): ReturnCharge | Refusal {
  const { sales_order_charge_id: chargeId } = asked
  const charge = order.charges.find(({ id }) => id === chargeId)
  if (charge === undefined) return noSuch(`${at}.sales_order_charge_id`, 'charge of this order')
  if (earlier.has(chargeId)) return invalid(`${at}.sales_order_charge_id`, 'is named twice')
  earlier.add(chargeId)
  const charged = chargedAs(charge)
  const held = refunded.charges.get(chargeId) ?? NOTHING
  const { currency } = order
  const refund =
    asked.amount === undefined
      ? leftOf(charged, held)
      : refundOf(charged, held, rounded(asked.amount, currency), refundRule(order))
  if ('most' in refund) {
    const most = `${charge.amount < 0n ? 'at least' : 'at most'} ${formatCost(refund.most)}`
    return invalid(`${at}.amount`, `${most} of the charge ${charge.title} is left to refund`)
  }
  return {
    id: asked.id,
    sales_order_charge_id: chargeId,
    title: charge.title,
    amount: asPrice(refund.amount),
    tax_amount: asPrice(refund.taxAmount),
    taxes: refundedTaxes(charge.taxes, refund.taxAmount, currency),
  }
}

/**
 * The refund of all lines and charges. Refuses `validation_failed` for a refund below 0, and for more than the order's total less other
 * refunds. The message names `charges` if the order has some below 0, else the last line.
 */
export function refundTotals(
  { order, refunded }: { readonly order: Order; readonly refunded: Refunded },
  parts: {
    readonly items: readonly Pick<ReturnLine, 'refund_amount' | 'refund_tax_amount'>[]
    readonly charges: readonly ReturnCharge[]
    /** The number of entries in the body's `items`. */
    readonly entries: number
  },
): { readonly refund_amount: Amount; readonly refund_tax_amount: Amount } | Refusal {
  const lines = parts.items.map(line => ({ amount: line.refund_amount, taxAmount: line.refund_tax_amount }))
  const all = [...lines, ...parts.charges.map(chargedAs)]
  const amount = all.reduce((sum, each) => sum + each.amount, 0n)
  const taxAmount = all.reduce((sum, each) => sum + each.taxAmount, 0n)
  const hasVoucher = order.charges.some(charge => charge.amount < 0n)
  const field = hasVoucher || parts.entries === 0 ? 'charges' : `items[${parts.entries - 1}]`
  if (amount + taxAmount < 0n)
    return invalid(field, `the return would refund ${formatCost(amount + taxAmount)} with tax`)
  const left = order.total_amount + order.tax_amount - refunded.total
  if (amount + taxAmount > left) {
    const most = formatCost(left > 0n ? left : 0n)
    const why = hasVoucher ? ': refund its charges below 0 with it' : ''
    return invalid(field, `at most ${most} of the order ${order.number} is left to refund with tax${why}`)
  }
  return { refund_amount: amount, refund_tax_amount: taxAmount }
}
