/** Amounts of lines with their taxes equal the exact fractions rounded once, and equal what shops compute by hand. */
import fc from 'fast-check'
import {
  type AmountRule,
  amountsOf,
  discountAmountMax,
  type GivenTax,
  type Goods,
  orderTaxes,
  priceOf,
  pricePerUnit,
  type RoundingMode,
  spread,
} from '../../lib/domain/accounting/amounts-rules.ts'
import { minorUnitDigits } from '../../lib/domain/accounting/currencies.ts'
import { parsePercent } from '../../lib/domain/accounting/money.ts'
import { COST_PLACES, each, formatCost, formatMicro, parseCost, parseMicro } from '../../lib/platform/decimal.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const rule = (given: Partial<AmountRule> = {}): AmountRule => ({
  currency: 'EUR',
  pricesIncludeTax: false,
  taxRoundingMode: 'HALF_UP',
  ...given,
})
const goods = (quantity: string, price: string, discount = '0', discountAmount = '0'): Goods => ({
  quantity: parseMicro(quantity),
  ...each(parseMicro(price)),
  discount: parsePercent(discount),
  discountAmount: parseMicro(discountAmount),
})
const rates = (...of: readonly string[]): GivenTax[] => of.map(rate => ({ rate: parsePercent(rate), amount: null }))

/** `amount + tax (tax, tax)` of goods. */
function words(of: Goods, taxes: readonly GivenTax[], given: Partial<AmountRule> = {}): string {
  const of_ = rule(given)
  const amounts = amountsOf(priceOf(of, of_.currency), taxes, of_)
  if (amounts === null) return 'more tax than price'
  const each = amounts.taxes.length > 1 ? ` (${amounts.taxes.map(formatCost).join(', ')})` : ''
  return `${formatCost(amounts.amount)} + ${formatCost(amounts.taxAmount)}${each}`
}

test('orders of shops come out to the cent', t => {
  const withTax = { pricesIncludeTax: true }
  t.is(words(goods('1', '9.99'), rates('20'), withTax), '8.32 + 1.67')
  t.is(words(goods('1', '100.95'), rates('20'), withTax), '84.12 + 16.83')
  t.is(words(goods('2', '15'), rates('21'), withTax), '24.79 + 5.21')
  t.is(words(goods('1', '100'), rates('5', '9.975')), '100 + 14.98 (5, 9.98)')
  t.is(words(goods('1', '100'), rates('5', '9.975'), withTax), '86.98 + 13.02 (4.35, 8.67)')
  t.is(words(goods('1', '100', '20'), rates('10')), '80 + 8')
  t.is(words(goods('1', '100', '10', '20'), rates('10')), '70 + 7', 'the amount is taken off after the percent')
  t.is(words(goods('3', '1.2345'), rates('5'), { currency: 'KWD' }), '3.704 + 0.185')
  t.is(words(goods('1', '10'), rates('0', '0'), withTax), '10 + 0 (0, 0)')
  t.is(formatMicro(pricePerUnit(goods('3', '3.335', '0', '1'))), '3.001667')
  t.is(formatCost(discountAmountMax(goods('3', '3.335'), 'EUR')), '10.01')
  t.is(words(goods('1', '9.996', '0', '10'), rates('10')), '0 + 0', 'never below 0')
})

test('taxes that the shop computed are kept as they are', t => {
  const given: GivenTax[] = [
    { rate: parsePercent('5'), amount: parseCost('0.5') },
    { rate: parsePercent('9.975'), amount: parseCost('1.01') },
  ]
  t.is(words(goods('1', '10'), given), '10 + 1.51 (0.5, 1.01)')
  t.is(words(goods('1', '10'), given, { pricesIncludeTax: true }), '8.49 + 1.51 (0.5, 1.01)')
  t.is(words(goods('1', '1.5'), given, { pricesIncludeTax: true }), 'more tax than price')
  t.is(words(goods('1', '1.51'), given, { pricesIncludeTax: true }), '0 + 1.51 (0.5, 1.01)')
})

test('what is below 0 is the mirror of what is above', t => {
  for (const pricesIncludeTax of [true, false])
    for (const taxRoundingMode of ['HALF_UP', 'DOWN', 'UP'] as const) {
      const of = rule({ pricesIncludeTax, taxRoundingMode })
      const [above, below] = [500n, -500n].map(price => amountsOf(price * 101n, rates('7', '12.5'), of))
      t.deepEqual(below, {
        amount: -(above?.amount ?? 0n),
        taxAmount: -(above?.taxAmount ?? 0n),
        taxes: above?.taxes.map(tax => -tax) ?? [],
      })
    }
})

test('taxes of one rate are rounded together where the order says so', t => {
  const yen = rule({ currency: 'JPY', taxRoundingMode: 'DOWN' })
  const entry = (price: string, rate: string) => ({ price: parseCost(price), rate: parsePercent(rate) })
  const three = [entry('105', '8'), entry('105', '8'), entry('105', '8')]
  t.deepEqual(orderTaxes(three, yen).map(formatCost), ['8', '8', '9'], '25.2 in all, line by line 24')
  const mixed = [entry('105', '8'), entry('100', '10'), entry('105', '8'), entry('-105', '8')]
  t.deepEqual(orderTaxes(mixed, yen).map(formatCost), ['8', '10', '8', '-8'])
})

/** The numerator and the denominator, which is above 0. */
type Fraction = readonly [bigint, bigint]
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const less = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d - c * b, b * d]

/**
 * The fraction rounded to `digits` decimals, in units of 10^-4. Compares both neighbours, so that it shares no formula with the code under
 * test.
 */
function nearest([numerator, denominator]: Fraction, digits: number, mode: RoundingMode): bigint {
  const step = 10n ** BigInt(COST_PLACES - digits)
  const scaled = numerator * 10n ** BigInt(digits)
  const floor = (scaled - (((scaled % denominator) + denominator) % denominator)) / denominator
  if (floor * denominator === scaled) return floor * step
  const [lower, upper] = [floor, floor + 1n]
  const [inner, outer] = scaled < 0n ? [upper, lower] : [lower, upper]
  if (mode !== 'HALF_UP') return (mode === 'DOWN' ? inner : outer) * step
  const distance = (to: bigint) => (to * denominator > scaled ? to * denominator - scaled : scaled - to * denominator)
  return (distance(inner) < distance(outer) ? inner : outer) * step
}

const micro = fc.bigInt({ min: 0n, max: 10n ** 11n })
const percent = fc.bigInt({ min: 0n, max: 10n ** 6n })
const mode = fc.constantFrom<RoundingMode>('HALF_UP', 'DOWN', 'UP')
const currency = fc.constantFrom('EUR', 'JPY', 'KWD')

test('the price of a line is that of exact fractions, rounded once', t => {
  fc.assert(
    fc.property(micro, micro, percent, micro, currency, (quantity, price, discount, discountAmount, currency) => {
      const of = { quantity, ...each(price), discount, discountAmount }
      const kept: Fraction = [10n ** 6n - discount, 10n ** 6n]
      const exact = less(times(times([quantity, 10n ** 6n], [price, 10n ** 6n]), kept), [discountAmount, 10n ** 6n])
      const found = nearest(exact, minorUnitDigits(currency), 'HALF_UP')
      return priceOf(of, currency) === (found < 0n ? 0n : found)
    }),
  )
  t.pass()
})

test('taxes are those of exact fractions, and of prices with tax they and the rest are the price', t => {
  const some = fc.array(percent, { minLength: 1, maxLength: 10 })
  const price = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
  fc.assert(
    fc.property(
      price,
      some,
      fc.boolean(),
      mode,
      currency,
      (units, each, pricesIncludeTax, taxRoundingMode, currency) => {
        const digits = minorUnitDigits(currency)
        const price = units * 10n ** BigInt(COST_PLACES - digits)
        const exact: Fraction = [price, 10n ** 4n]
        const all = each.reduce((sum, rate) => sum + rate, 0n)
        const found = amountsOf(
          price,
          each.map(rate => ({ rate, amount: null })),
          { currency, pricesIncludeTax, taxRoundingMode },
        )
        if (found === null) return false
        const together = found.taxes.reduce((sum, tax) => sum + tax, 0n)
        if (together !== found.taxAmount && all > 0n) return false
        if (!pricesIncludeTax)
          return (
            found.amount === price &&
            found.taxes.every(
              (tax, at) => tax === nearest(times(exact, [each[at] ?? 0n, 10n ** 6n]), digits, taxRoundingMode),
            )
          )
        const tax = nearest(times(exact, [all, 10n ** 6n + all]), digits, taxRoundingMode)
        return found.taxAmount === tax && found.amount + found.taxAmount === price
      },
    ),
  )
  t.pass()
})

test('taxes of one rate come to the tax of the sum, rounded once, and a spread tax to the tax', t => {
  const entry = fc.record({
    price: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
    rate: fc.constantFrom(0n, 70_000n, 190_000n),
  })
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 20 }),
      fc.boolean(),
      mode,
      (entries, pricesIncludeTax, taxRoundingMode) => {
        const of = rule({ pricesIncludeTax, taxRoundingMode })
        const cents = entries.map(({ price, rate }) => ({ price: price * 100n, rate }))
        const taxes = orderTaxes(cents, of)
        return [0n, 70_000n, 190_000n].every(rate => {
          const at = cents.flatMap((each, at) => (each.rate === rate ? [at] : []))
          const price = at.reduce((sum, each) => sum + (cents[each]?.price ?? 0n), 0n)
          const tax = at.reduce((sum, each) => sum + (taxes[each] ?? 0n), 0n)
          return tax === (amountsOf(price, [{ rate, amount: null }], of)?.taxAmount ?? null)
        })
      },
    ),
  )
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      fc.array(percent, { minLength: 1 }),
      (cents, each) => {
        const spreads = spread(cents * 100n, each, 'EUR')
        const isNone = each.every(rate => rate === 0n)
        return spreads.reduce((sum, share) => sum + share, 0n) === (isNone ? 0n : cents * 100n)
      },
    ),
  )
  t.pass()
})
