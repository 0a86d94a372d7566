/** Moving average cost over adjustments and transfers, with figures computed by hand. */
import fc from 'fast-check'
import { averageCost, defaultInflowValue, outflowValue } from '../../lib/domain/stock/cost-rules.ts'
import { divideRounded } from '../../lib/platform/decimal.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('an outflow takes the average of the moment, and emptying a place takes the whole rest of the value', async t => {
  const { adjust, stock, movements, variant } = await stockroom(bench)
  const screw = await variant('SCREW')
  // 3 * 3.333333 = 9.999999, rounded to 10.0000.
  const first = await adjust([itemLine(screw, 3, { unit_cost: 3.333333 })])
  t.deepEqual(columns(first.items, 'unit_cost', 'amount', 'quantity_before', 'quantity_after'), [[3.333333, 10, 0, 3]])
  t.is(first.total_amount, 10)
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[3, 3.3333, 10]])
  // 10/3 = 3.3333; 6.6667/2 = 3.33335 -> 3.3334; the rest is 3.3333.
  const taken = await adjust([1, 2, 3].map(() => itemLine(screw, -1)))
  t.deepEqual(columns(taken.items, 'quantity', 'unit_cost', 'amount'), [
    [-1, 3.3333, -3.3333],
    [-1, 3.3334, -3.3334],
    [-1, 3.3333, -3.3333],
  ])
  t.is(taken.total_amount, -10)
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[0, null, 0]])
  t.deepEqual(columns(await movements(), 'kind', 'quantity', 'value', 'quantity_after'), [
    ['ADJUSTMENT', 3, 10, 3],
    ['ADJUSTMENT', -1, -3.3333, 2],
    ['ADJUSTMENT', -1, -3.3334, 1],
    ['ADJUSTMENT', -1, -3.3333, 0],
  ])
})

test('an inflow without a cost comes in at the average, unrounded until its own value is rounded', async t => {
  const { adjust, stock, variant } = await stockroom(bench)
  const nut = await variant('NUT', { purchase_price: 99 })
  await adjust([itemLine(nut, 3, { unit_cost: 3.333333 })])
  // The shown average is 3.3333, but 6 at 10/3 are 20, not 19.9998.
  const more = await adjust([itemLine(nut, 6)])
  t.deepEqual(columns(more.items, 'unit_cost', 'amount'), [[3.3333, 20]])
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[9, 3.3333, 30]])
})

test('an inflow without a cost at an empty place comes in at the purchase price, without one at 0', async t => {
  const { adjust, variant } = await stockroom(bench)
  const priced = await variant('PRICED', { purchase_price: 1.234567 })
  const unpriced = await variant('UNPRICED')
  const { items, total_amount } = await adjust([
    itemLine(priced, 10),
    itemLine(unpriced, 10),
    itemLine(priced, -10),
    itemLine(priced, 1),
  ])
  t.deepEqual(columns(items, 'unit_cost', 'amount'), [
    [1.234567, 12.3457],
    [0, 0],
    [1.2346, -12.3457],
    [1.234567, 1.2346],
  ])
  t.is(total_amount, 1.2346)
})

test('an explicit unit cost of 0 counts', async t => {
  const { adjust, stock, variant } = await stockroom(bench)
  const gift = await variant('GIFT', { purchase_price: 8 })
  const { items } = await adjust([itemLine(gift, 1, { unit_cost: 10 }), itemLine(gift, 1, { unit_cost: 0 })])
  t.deepEqual(columns(items, 'unit_cost', 'amount'), [
    [10, 10],
    [0, 0],
  ])
  t.deepEqual(columns(await stock(), 'average_cost', 'stock_value'), [[5, 10]])
})

test('places have averages of their own, and a transfer carries value from one to the other', async t => {
  const { adjust, place, stock, transfer, variant } = await stockroom(bench)
  const [north, south] = [await place('North'), await place('South')]
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 4, { unit_cost: 10 })])
  await adjust([itemLine(oak, 1, { unit_cost: 30 })], { storage_place_id: south })
  const { items } = await transfer({
    from_storage_place_id: north,
    to_storage_place_id: south,
    items: [itemLine(oak, 1)],
  })
  t.deepEqual(columns(items, 'quantity', 'value'), [[1, 10]])
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity', 'average_cost', 'stock_value'), [
    [north, 3, 10, 30],
    [south, 2, 20, 40],
  ])
})

test('batches share the average, and their stock values add up to the value exactly', async t => {
  const { adjust, stock, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([
    itemLine(milk, 1, { unit_cost: 4, batch_number: 'A' }),
    itemLine(milk, 1, { unit_cost: 3, batch_number: 'B' }),
    itemLine(milk, 1, { unit_cost: 3, batch_number: 'C' }),
  ])
  // 10 over three: 3.3333 each, and the row with the highest id takes the residue.
  t.deepEqual(columns(await stock(), 'batch_number', 'average_cost', 'stock_value'), [
    ['A', 3.3333, 3.3333],
    ['B', 3.3333, 3.3333],
    ['C', 3.3333, 3.3334],
  ])
  // The highest row with stock takes it; an emptied row shows the place's average.
  await adjust([itemLine(milk, -1, { batch_number: 'C' })])
  t.deepEqual(columns(await stock(), 'batch_number', 'average_cost', 'stock_value'), [
    ['A', 3.3334, 3.3334],
    ['B', 3.3334, 3.3333],
    ['C', 3.3334, 0],
  ])
})

test('outflows one after another take all the value, never more, and each within half a unit of its share', t => {
  const quantity = fc.bigInt(1n, 10n ** 15n)
  const value = fc.bigInt(0n, 10n ** 20n)
  fc.assert(
    fc.property(fc.array(quantity, { minLength: 1, maxLength: 20 }), value, (parts, total) => {
      const holding = { quantity: parts.reduce((a, b) => a + b), value: total }
      for (const part of parts) {
        const taken = outflowValue(holding, part)
        const error = taken * holding.quantity - part * holding.value
        if (part < holding.quantity) t.true(2n * (error < 0n ? -error : error) <= holding.quantity)
        holding.quantity -= part
        holding.value -= taken
        if (holding.value < 0n) return false
      }
      return holding.quantity === 0n && holding.value === 0n
    }),
  )
})

test('an inflow at the average as it is keeps the average, up to the rounding of its value', t => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.bigInt(0n, 10n ** 20n),
        fc.bigInt(1n, 10n ** 15n),
        (held, value, more) => {
          const added = defaultInflowValue({ quantity: held, value }, more, 7n)
          return added === divideRounded(more * value, held) && averageCost({ quantity: 0n, value: 0n }) === null
        },
      ),
    ),
  )
})
