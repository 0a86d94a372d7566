/**
 * What a line or charge gives back, counted as Millrace counts (docs/rules/sales.md): so that a refund of the shop is said in the
 * one way that comes to the shop's own money.
 */
import type { PlacedLine } from './bodies.ts'
import { costs, divided, type Micro, micro, perPiece } from './decimal.ts'

/** `amount` without tax. */
export type Part = { readonly amount: Micro; readonly tax: Micro }

/** Of a line or charge: what was charged, and what its returns hold. */
export type Placed = { readonly charged: Part; readonly held: Part; readonly heldPieces: Micro }

export type Mode = { readonly unit: Micro; readonly includesTax: boolean }

/** What so many pieces refund without a price of their own: all pieces together refund exactly what was charged. */
export function usualPart({ charged, held, heldPieces }: Placed, line: PlacedLine, quantity: Micro, mode: Mode): Part {
  const all = micro(line.quantity, 'quantity')
  const shareOf = (of: Micro): Micro =>
    share(of, { part: heldPieces + quantity, whole: all }, mode) - share(of, { part: heldPieces, whole: all }, mode)
  const tax = shareOf(charged.tax)
  const amount = mode.includesTax ? shareOf(charged.amount + charged.tax) - tax : shareOf(charged.amount)
  return {
    amount: within(amount, { most: charged.amount - held.amount }),
    tax: within(tax, { most: charged.tax - held.tax }),
  }
}

/** What `price` of the shop's own choice, in the order's price mode, refunds; `{ most }` where less is left. */
export function pricedPart({ charged, held }: Placed, price: Micro, mode: Mode): Part | { readonly most: Micro } {
  // A charge below 0 follows the same rules, mirrored.
  if (charged.amount + charged.tax < 0n) {
    const part = pricedPart({ charged: negated(charged), held: negated(held), heldPieces: 0n }, -price, mode)
    return 'most' in part ? { most: -part.most } : negated(part)
  }
  const { includesTax } = mode
  const left = { amount: charged.amount - held.amount, tax: charged.tax - held.tax }
  const most = includesTax ? left.amount + left.tax : left.amount
  if (price < 0n || price > most) return { most }
  const whole = includesTax ? charged.amount + charged.tax : charged.amount
  const tax = price === most ? left.tax : within(share(charged.tax, { part: price, whole }, mode), { most: left.tax })
  if (!includesTax) return { amount: price, tax }
  const taxWithin = within(tax, { least: price - left.amount, most: left.tax })
  return { amount: price - taxWithin, tax: taxWithin }
}

/** A price that comes to `price`, and is not the line's own: naming that one counts as naming none. */
export function unitPriceFor(price: Micro, quantity: Micro, line: PlacedLine, { unit }: Mode): Micro | undefined {
  const near = perPiece(price, quantity)
  const own = ownPrice(line)
  return [near, near + 1n, near - 1n].find(one => one >= 0n && one !== own && costs(quantity, one, unit) === price)
}

const HUNDRED = 100_000_000n

/** What one piece cost with all discounts, rounded to 6 decimals. */
function ownPrice(line: PlacedLine): Micro {
  const [quantity, price] = [micro(line.quantity, 'quantity'), micro(line.price, 'price')]
  const percent = HUNDRED - micro(line.discount_percent, 'discount_percent')
  const discount = micro(line.discount_amount, 'discount_amount')
  const exact = quantity * price * percent - discount * 1_000_000n * HUNDRED
  return exact <= 0n ? 0n : divided(exact, quantity * HUNDRED)
}

function share(of: Micro, { part, whole }: { readonly part: Micro; readonly whole: Micro }, { unit }: Mode): Micro {
  return whole === 0n ? 0n : divided(of * part, whole * unit) * unit
}

const negated = ({ amount, tax }: Part): Part => ({ amount: -amount, tax: -tax })

function within(value: Micro, { least = 0n, most }: { readonly least?: Micro; readonly most: Micro }): Micro {
  if (value > most) return most
  return value < least ? least : value
}
