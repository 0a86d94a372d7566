/** The guarantees of amounts: rounded half up for each line to the minor unit, and the tax is that of the rounded amount. */
import fc from 'fast-check'
import { lineAmounts, pricePerUnit } from '../../lib/domain/accounting/amounts-rules.ts'
import { isCurrency, minorUnitDigits } from '../../lib/domain/accounting/currencies.ts'
import { parsePercent } from '../../lib/domain/accounting/money.ts'
import {
  COST_PLACES,
  costAbroad,
  each,
  formatCost,
  formatMicro,
  formatScaled,
  parseExchangeRate,
  parseMicro,
  parseScaled,
} from '../../lib/platform/decimal.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const line = (quantity: string, price: string, taxRate = '0', currency = 'EUR', discount = '0') =>
  lineAmounts({
    quantity: parseMicro(quantity),
    ...each(parseMicro(price)),
    discount: parsePercent(discount),
    taxRate: parsePercent(taxRate),
    currency,
  })

const words = ({ amount, taxAmount }: ReturnType<typeof lineAmounts>) =>
  [amount, taxAmount].map(figure => formatScaled(figure, COST_PLACES)).join(' + ')

test('decimals are read and printed exactly, however many digits they have', t => {
  const one = (places: number) => 10n ** BigInt(places)
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.nat({ max: 24 }),
      fc.constantFrom(0, COST_PLACES, 6, 10),
      fc.nat({ max: 8 }),
      (wide, narrowing, places, zeros) => {
        const value = wide / 10n ** BigInt(narrowing)
        const magnitude = value < 0n ? -value : value
        const fraction = (magnitude % one(places)).toString().padStart(places, '0').slice(0, places)
        const text = `${value < 0n ? '-' : ''}${magnitude / one(places)}${places === 0 ? '' : `.${fraction}`}`
        t.is(parseScaled(`${text}${places === 0 ? '' : '0'.repeat(zeros)}`, places), value)
        t.is(formatScaled(value, places), places === 0 ? text : text.replace(/\.?0+$/, ''))
      },
    ),
  )
  t.is(parseScaled('-0', 6), 0n)
  t.is(formatScaled(0n, 6), '0')
  for (const text of ['', '-', '.5', '5.', '1.2.3', '1e5', '+1', ' 1', '0.0000001'])
    t.throws(() => parseScaled(text, 6), { instanceOf: RangeError }, text)
})

test('a line amount is rounded half up to the cent', t => {
  t.is(words(line('1', '0.005')), '0.01 + 0')
  t.is(words(line('1', '0.004999')), '0 + 0')
  t.is(words(line('3', '0.335')), '1.01 + 0')
  // Binary floating point makes 1.005 * 100 a little less than 100.5.
  t.is(words(line('1', '1.005')), '1.01 + 0')
  t.is(words(line('0.333333', '3')), '1 + 0')
})

test('the tax is of the rounded amount, and rounded itself', t => {
  // 0.5 * 0.33 = 0.165 -> 0.17; 50 % of 0.17 = 0.085 -> 0.09 (of 0.165 it would have been 0.08).
  t.is(words(line('0.5', '0.33', '50')), '0.17 + 0.09')
  t.is(words(line('10', '2.5', '19')), '25 + 4.75')
  t.is(words(line('1', '100', '8.1234')), '100 + 8.12')
  t.is(words(line('7', '0.99', '100')), '6.93 + 6.93')
})

test('each currency rounds to its own minor unit', t => {
  t.is(words(line('3', '33.5', '10', 'JPY')), '101 + 10')
  t.is(words(line('1', '0.5', '0', 'JPY')), '1 + 0')
  t.is(words(line('3', '0.3335', '5', 'KWD')), '1.001 + 0.05')
  t.is(words(line('1', '0.0005', '0', 'TND')), '0.001 + 0')
  t.is(words(line('1', '0.0005', '0', 'CHF')), '0 + 0')
})

test('a discount is taken off before the one rounding, in each currency', t => {
  // 3 * 9.99 * 0.875 = 26.22375 -> 26.22; 19 % of 26.22 = 4.9818 -> 4.98.
  t.is(words(line('3', '9.99', '19', 'EUR', '12.5')), '26.22 + 4.98')
  // 1 * 0.01 * 0.5 = 0.005 -> 0.01: half up.
  t.is(words(line('1', '0.01', '0', 'EUR', '50')), '0.01 + 0')
  // 3 * 0.335 * 0.99 = 0.99495 -> 0.99. Rounded before the discount, 1.01 * 0.99 = 0.9999 would be 1.00.
  t.is(words(line('3', '0.335', '0', 'EUR', '1')), '0.99 + 0')
  // 7 * 149 * 0.666667 = 695.333681 -> 695; 10 % of 695 = 69.5 -> 70.
  t.is(words(line('7', '149', '10', 'JPY', '33.3333')), '695 + 70')
  t.is(words(line('10', '24.5', '19', 'EUR', '100')), '0 + 0')
})

test('goods cost quantity, discounted price and exchange rate, rounded once', t => {
  const cost = (quantity: string, price: string, discount: string, rate: string, per = '1') =>
    formatCost(
      costAbroad({
        quantity: parseMicro(quantity),
        price: parseMicro(price),
        per: parseMicro(per),
        discount: parsePercent(discount),
        exchangeRate: parseExchangeRate(rate),
      }),
    )
  // 7 * 1.13 * 0.925 * 0.9137 = 6.685314475 -> 6.6853 (1.13 * 0.925 = 1.04525 per piece)
  t.is(cost('7', '1.13', '7.5', '0.9137'), '6.6853')
  t.is(cost('7', '1.13', '100', '0.9137'), '0')
  t.is(cost('3', '0.333333', '0', '1'), '1')
  // 7 and 53 pieces of boxes of 12 at 10.00: 5.8333 and 44.1667, together 50. At 0.833333 each 53 pieces would be 44.1666.
  t.is(cost('7', '10', '0', '1', '12'), '5.8333')
  t.is(cost('53', '10', '0', '1', '12'), '44.1667')
  // 7 / 12 * 10 * 0.925 * 0.9137 = 4.93017291... -> 4.9302
  t.is(cost('7', '10', '7.5', '0.9137', '12'), '4.9302')
})

test('a discounted price has six decimals', t => {
  const price = (full: string, discount: string) =>
    formatMicro(
      pricePerUnit({
        ...each(parseMicro(full)),
        quantity: parseMicro('1'),
        discount: parsePercent(discount),
        discountAmount: 0n,
      }),
    )
  t.is(price('9.99', '12.5'), '8.74125')
  // 0.333333 * 0.5 = 0.1666665 -> 0.166667
  t.is(price('0.333333', '50'), '0.166667')
  t.is(price('24.5', '0'), '24.5')
  t.is(price('24.5', '100'), '0')
})

test('known currencies have 0, 2 or 3 digits, and codes that are none are not known', t => {
  t.deepEqual(['JPY', 'KRW', 'VND', 'EUR', 'USD', 'HUF', 'BHD', 'JOD'].map(minorUnitDigits), [0, 0, 0, 2, 2, 2, 3, 3])
  for (const code of ['EUR', 'JPY', 'KWD', 'XOF', 'ZWG']) t.true(isCurrency(code), code)
  for (const code of ['ABC', 'XXX', 'XAU', 'DEM', 'eur', '']) t.false(isCurrency(code), code)
})

const micro = (max: bigint) => fc.bigInt({ min: 0n, max })
const anyLine = fc.record({
  quantity: micro(10n ** 15n - 1n),
  price: micro(10n ** 18n - 1n),
  per: fc.oneof(fc.constant(10n ** 6n), fc.bigInt({ min: 1n, max: 10n ** 15n - 1n })),
  discount: fc.bigInt({ min: 0n, max: 1_000_000n }),
  taxRate: fc.bigInt({ min: 0n, max: 1_000_000n }),
  currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
})

test('an amount is the whole number of minor units that is nearest, the higher one of two', t => {
  const nearest = (amount: bigint, exact: bigint, scale: bigint, currency: string) => {
    // In units of 10^-4 / scale: amount <= exact + half a minor unit, and amount > exact - half a minor unit.
    const unit = 10n ** BigInt(4 - minorUnitDigits(currency))
    const distance = 2n * (amount * scale - exact)
    return amount % unit === 0n && distance <= unit * scale && distance > -unit * scale
  }
  fc.assert(
    fc.property(anyLine, given => {
      const { amount, taxAmount } = lineAmounts(given)
      const exact = given.quantity * given.price * (1_000_000n - given.discount)
      t.true(nearest(amount, exact, 10n ** 8n * given.per, given.currency))
      t.true(nearest(taxAmount, amount * given.taxRate, 10n ** 6n, given.currency))
    }),
    { numRuns: 500 },
  )
})
