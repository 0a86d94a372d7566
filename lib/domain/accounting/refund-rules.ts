/**
 * What a return refunds of a line or charge of a sales order. All returns together refund exactly what was charged, in however many parts
 * the goods come back (docs/rules/sales.md). Pure: no I/O and no clock.
 */
import { MICRO_PLACES, type Micro, powerOfTen } from '../../platform/decimal.ts'
import { toMinorUnit } from './amounts-rules.ts'
import { AMOUNT_PLACES, type Amount } from './money.ts'

/** `amount` is without tax. */
export type Refund = { readonly amount: Amount; readonly taxAmount: Amount }

export type Charged = Refund & { readonly quantity: Micro }

/**
 * What returns that are not cancelled have refunded of a line or charge. `usual` is what they would refund if they had no price of their
 * own.
 */
export type Held = Refund & { readonly quantity: Micro; readonly usual: Refund }

export const NOTHING_HELD: Held = { quantity: 0n, amount: 0n, taxAmount: 0n, usual: { amount: 0n, taxAmount: 0n } }

type RefundRule = { readonly currency: string; readonly pricesIncludeTax: boolean }

/** The refund of `quantity` pieces without a price of their own. */
export function usualRefund(charged: Charged, held: Held, quantity: Micro, rule: RefundRule): Refund {
  const until = held.quantity + quantity
  const shareOf = (amount: Amount) =>
    toMinorUnit({ numerator: amount * until, denominator: charged.quantity * powerOfTen(AMOUNT_PLACES) }, rule.currency)
  const { usual } = held
  const left = leftOf(charged, held)
  const tax = shareOf(charged.taxAmount) - usual.taxAmount
  const taxAmount = within(tax, { most: left.taxAmount })
  const amount = rule.pricesIncludeTax
    ? shareOf(charged.amount + charged.taxAmount) - usual.amount - usual.taxAmount - tax
    : shareOf(charged.amount) - usual.amount
  return { amount: within(amount, { most: left.amount }), taxAmount }
}

/**
 * The refund of an `asked` amount (in the price mode, in the minor unit): a price of the return's own, money without goods, or a part of a
 * charge. `{ most }`: the amount is more than is left.
 */
export function refundOf(
  charged: Refund,
  held: Refund,
  asked: Amount,
  { currency, pricesIncludeTax }: RefundRule,
): Refund | { readonly most: Amount } {
  if (charged.amount + charged.taxAmount < 0n) {
    const mirrored = refundOf(negated(charged), negated(held), -asked, { currency, pricesIncludeTax })
    return 'most' in mirrored ? { most: -mirrored.most } : negated(mirrored)
  }
  const left = leftOf(charged, held)
  const most = pricesIncludeTax ? left.amount + left.taxAmount : left.amount
  if (asked > most || asked < 0n) return { most }
  const whole = pricesIncludeTax ? charged.amount + charged.taxAmount : charged.amount
  const tax = asked === most ? left.taxAmount : within(taxIn(asked, whole), { most: left.taxAmount })
  if (!pricesIncludeTax) return { amount: asked, taxAmount: tax }
  const taxAmount = within(tax, { least: asked - left.amount, most: left.taxAmount })
  return { amount: asked - taxAmount, taxAmount }

  function taxIn(part: Amount, of: Amount): Amount {
    return toMinorUnit({ numerator: part * charged.taxAmount, denominator: of * powerOfTen(AMOUNT_PLACES) }, currency)
  }
}

/** What is left to refund of a line or charge. It is never below 0, or never above 0 for a charge below 0. */
export const leftOf = (charged: Refund, held: Refund): Refund => ({
  amount: remaining(charged.amount, held.amount),
  taxAmount: remaining(charged.taxAmount, held.taxAmount),
})

/** The tax may be less than what was refunded of it, because an order rounds its taxes again after a change. Then nothing is left. */
function remaining(charged: Amount, held: Amount): Amount {
  const left = charged - held
  const isBeyond = charged < 0n ? left > 0n : left < 0n
  return isBeyond ? 0n : left
}

/** What is refunded after one more return. `usual` is what its pieces would refund without a price of their own. */
export const holding = (held: Held, more: Refund & { readonly quantity: Micro; readonly usual: Refund }): Held => ({
  quantity: held.quantity + more.quantity,
  amount: held.amount + more.amount,
  taxAmount: held.taxAmount + more.taxAmount,
  usual: {
    amount: held.usual.amount + more.usual.amount,
    taxAmount: held.usual.taxAmount + more.usual.taxAmount,
  },
})

/** The refund of pieces with a price of their own, in the price mode: `round(price * quantity)`. */
export const pricedRefund = (price: Micro, quantity: Micro, currency: string): Amount =>
  toMinorUnit({ numerator: price * quantity, denominator: powerOfTen(2 * MICRO_PLACES) }, currency)

const negated = ({ amount, taxAmount }: Refund): Refund => ({ amount: -amount, taxAmount: -taxAmount })

function within(value: Amount, { least = 0n, most }: { readonly least?: Amount; readonly most: Amount }): Amount {
  if (value > most) return most
  return value < least ? least : value
}
