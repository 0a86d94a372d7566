/**
 * Refunds: all pieces of a line together refund exactly what the line cost, however they are divided among returns, and no refund is more
 * than what is left.
 */
import fc from 'fast-check'
import {
  type Charged,
  type Held,
  holding,
  leftOf,
  NOTHING_HELD,
  pricedRefund,
  type Refund,
  refundOf,
  usualRefund,
} from '../../lib/domain/accounting/refund-rules.ts'
import { formatCost, parseCost, parseMicro } from '../../lib/platform/decimal.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const charged = (quantity: string, amount: string, tax: string): Charged => ({
  quantity: parseMicro(quantity),
  amount: parseCost(amount),
  taxAmount: parseCost(tax),
})
const net = { currency: 'EUR', pricesIncludeTax: false }
const gross = { currency: 'EUR', pricesIncludeTax: true }
const words = ({ amount, taxAmount }: Refund) => `${formatCost(amount)} + ${formatCost(taxAmount)}`

/** The refunds of several returns of one line, one after another, each of this many pieces. */
function oneByOne(of: Charged, quantities: readonly string[], rule = net): string[] {
  let held = NOTHING_HELD
  return quantities.map(text => {
    const quantity = parseMicro(text)
    const refund = usualRefund(of, held, quantity, rule)
    held = holding(held, { ...refund, quantity, usual: refund })
    return words(refund)
  })
}

test('three at 3.335 refund 10.01 together, with the tax', t => {
  t.deepEqual(oneByOne(charged('3', '10.01', '1.9'), ['1', '1', '1']), ['3.34 + 0.63', '3.33 + 0.64', '3.34 + 0.63'])
  t.deepEqual(oneByOne(charged('3', '10.01', '1.9'), ['1', '1', '1'], gross), [
    '3.34 + 0.63',
    '3.33 + 0.64',
    '3.34 + 0.63',
  ])
})

test('money for a piece that stays comes off what the piece refunds later', t => {
  const of = charged('1', '20', '3.8')
  const paid = refundOf(of, NOTHING_HELD, parseCost('5'), net)
  t.false('most' in paid)
  if ('most' in paid) return
  t.is(words(paid), '5 + 0.95')
  const held = holding(NOTHING_HELD, { ...paid, quantity: 0n, usual: { amount: 0n, taxAmount: 0n } })
  t.is(words(usualRefund(of, held, parseMicro('1'), net)), '15 + 2.85')
})

test('more than is left is refused by what is left, and all of it takes the rest of the tax', t => {
  const of = charged('3', '10.01', '1.9')
  t.deepEqual(refundOf(of, NOTHING_HELD, parseCost('10.02'), net), { most: parseCost('10.01') })
  t.deepEqual(refundOf(of, NOTHING_HELD, parseCost('11.92'), gross), { most: parseCost('11.91') })
  t.is(
    words(refundOf(of, { amount: parseCost('5'), taxAmount: parseCost('1') }, parseCost('5.01'), net) as Refund),
    '5.01 + 0.9',
  )
  t.is(pricedRefund(parseMicro('3.335'), parseMicro('3'), 'EUR'), parseCost('10.01'))
})

test('a voucher goes back as the mirror of a charge', t => {
  const voucher = { amount: parseCost('-5'), taxAmount: parseCost('-0.95') }
  t.is(words(refundOf(voucher, { amount: 0n, taxAmount: 0n }, parseCost('-2'), net) as Refund), '-2 + -0.38')
  t.deepEqual(refundOf(voucher, { amount: 0n, taxAmount: 0n }, parseCost('-5.01'), net), { most: parseCost('-5') })
})

/** A return: of pieces at their usual refund or at a given price, or of money alone. Or an earlier return is cancelled. */
const step = fc.record({
  what: fc.constantFrom('usual' as const, 'priced' as const, 'money' as const, 'cancel' as const),
  share: fc.integer({ min: 1, max: 100 }),
})

test('random returns and cancellations never refund more than is left, and the last piece takes the rest', t => {
  const line = fc.record({
    quantity: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    amount: fc.bigInt({ min: 0n, max: 10n ** 7n }),
    taxAmount: fc.bigInt({ min: 0n, max: 10n ** 6n }),
  })
  fc.assert(
    fc.property(line, fc.array(step, { maxLength: 12 }), fc.boolean(), (of, steps, pricesIncludeTax) => {
      const rule = { currency: 'EUR', pricesIncludeTax }
      const all = { quantity: of.quantity, amount: of.amount * 100n, taxAmount: of.taxAmount * 100n }
      let returns: (Refund & { quantity: bigint; usual: Refund })[] = []
      const heldBy = () => returns.reduce<Held>((held, each) => holding(held, each), NOTHING_HELD)
      let wasPriced = false
      for (const { what, share } of steps) {
        const held = heldBy()
        const left = leftOf(all, held)
        const quantity = ((all.quantity - held.quantity) * BigInt(share)) / 100n
        if (what === 'cancel') returns = returns.filter((_each, at) => at !== share % Math.max(1, returns.length))
        else if (what === 'usual') {
          if (quantity === 0n) continue
          const usual = usualRefund(all, held, quantity, rule)
          returns.push({ ...usual, quantity, usual })
        } else {
          const most = pricesIncludeTax ? left.amount + left.taxAmount : left.amount
          const asked = (((most / 100n) * BigInt(share)) / 100n) * 100n
          const refund = refundOf(all, held, asked, rule)
          if ('most' in refund) return false
          const pieces = what === 'money' ? 0n : quantity
          const nothing = { amount: 0n, taxAmount: 0n }
          const usual = pieces === 0n ? nothing : usualRefund(all, held, pieces, rule)
          returns.push({ ...refund, quantity: pieces, usual })
          wasPriced = true
        }
        const now = leftOf(all, heldBy())
        if (now.amount < 0n || now.taxAmount < 0n) return false
        if (returns.some(each => each.amount < 0n || each.taxAmount < 0n)) return false
      }
      if (wasPriced) return true
      const held = heldBy()
      if (held.quantity === all.quantity) return leftOf(all, held).amount === 0n && leftOf(all, held).taxAmount === 0n
      const last = usualRefund(all, held, all.quantity - held.quantity, rule)
      return last.amount === leftOf(all, held).amount && last.taxAmount === leftOf(all, held).taxAmount
    }),
    { numRuns: 1000 },
  )
  t.pass()
})
