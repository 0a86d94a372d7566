/** How a cost is divided among lines: the shares add up to the cost exactly, and none is more than one rounding from its exact share. */
import fc from 'fast-check'
import { costAtHome, spread } from '../../lib/domain/purchasing/landed-costs/rules.ts'
import { parseCost, parseExchangeRate, parseMicro } from '../../lib/platform/decimal.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('a cost in another currency is rounded half up to 4 decimals, once', t => {
  const at = (amount: string, rate: string) => costAtHome(parseMicro(amount), parseExchangeRate(rate))
  t.is(at('12.5', '1'), parseCost('12.5'))
  t.is(at('0.00005', '1'), parseCost('0.0001'))
  t.is(at('0.000049', '1'), 0n)
  // 33.333333 * 0.9137215 = 30.457383028…
  t.is(at('33.333333', '0.9137215'), parseCost('30.4574'))
  // (10^12 - 10^-6) * (10^9 - 10^-10) = 10^21 - 100 - 1000 + 10^-16.
  t.is(at('999999999999.999999', '999999999.9999999999'), parseCost('999999999999999998900'))
})

test('shares are those of the running sum: three equal lines of 1.0000 take 0.3333, 0.3334 and 0.3333', t => {
  t.deepEqual(spread(10_000n, [1n, 1n, 1n]), [3_333n, 3_334n, 3_333n])
  t.deepEqual(spread(1n, [1n, 1n]), [1n, 0n])
  t.deepEqual(spread(7n, [0n, 5n, 0n]), [0n, 7n, 0n])
  t.deepEqual(spread(0n, [3n, 4n]), [0n, 0n])
})

const weights = fc
  .array(fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 10n ** 21n })), {
    minLength: 1,
    maxLength: 60,
  })
  .filter(some => some.some(weight => weight > 0n))

test('all shares add up to the cost, are never below 0, and are less than one unit from the exact share', t => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 25n }), weights, (cost, some) => {
      const shares = spread(cost, some)
      const whole = some.reduce((sum, weight) => sum + weight, 0n)
      t.is(
        shares.reduce((sum, share) => sum + share, 0n),
        cost,
      )
      for (const [at, share] of shares.entries()) {
        const weight = some[at] ?? 0n
        const off = share * whole - cost * weight
        t.true(share >= 0n && off <= whole && -off <= whole)
        if (weight === 0n) t.is(share, 0n)
      }
    }),
    { numRuns: 300 },
  )
})
