/**
 * The needs of recipes that are written for several pieces, with scrap: in orders, in their changes and in their costs. test/planning tests
 * plans.
 */
import fc from 'fast-check'
import { changeRecipe, createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { needOf, perUnit } from '../../lib/domain/manufacturing/recipes/need-rules.ts'
import { getPromiseEndpoint } from '../../lib/domain/planning/promise/endpoints.ts'
import { getReplenishmentEndpoint } from '../../lib/domain/planning/replenishment/endpoints.ts'
import { getRequirementsEndpoint } from '../../lib/domain/planning/requirements/endpoints.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('a need is the exact fraction, rounded once, half up', t => {
  const micro = fc.bigInt({ min: 1n, max: 999_999_999_999_999n })
  const share = fc.record({ quantity: micro, scrap: fc.bigInt({ min: 0n, max: 10_000_000n }), output: micro })
  fc.assert(
    fc.property(share, micro, (given, units) => {
      // quantity/1e6 * (100 + scrap/1e4) * units/1e6 / (100 * output/1e6), in millionths.
      const numerator = given.quantity * (1_000_000n + given.scrap) * units
      const denominator = 1_000_000n * given.output
      const need = needOf(given, units)
      // The result is at most half a millionth from the exact value. If both neighbours are equally near, it is the greater one.
      t.true(2n * need * denominator > 2n * numerator - denominator)
      t.true(2n * need * denominator <= 2n * numerator + denominator)
    }),
    { numRuns: 2_000 },
  )
})

test('3 of a recipe "5 for 3" need 5, and halves are rounded up', t => {
  const share = (quantity: bigint, scrap: bigint, output: bigint) => ({ quantity, scrap, output })
  t.is(needOf(share(5_000_000n, 0n, 3_000_000n), 3_000_000n), 5_000_000n)
  t.is(perUnit(share(5_000_000n, 0n, 3_000_000n)), 1_666_667n)
  // 0.000001 * 1.5 = 0.0000015; 0.000001 / 2 = 0.0000005; 0.000001 / 2.1 is less.
  t.is(needOf(share(1n, 500_000n, 1_000_000n), 1_000_000n), 2n)
  t.is(needOf(share(1n, 0n, 2_000_000n), 1_000_000n), 1n)
  t.is(needOf(share(1n, 0n, 2_100_000n), 1_000_000n), 0n)
})

/** Dough: 5 FLOUR (10 % scrap) and 0.000001 SALT for 3 BREAD, baked in 2 hours at 10 an hour. */
async function bakery() {
  const shop = await workshop(bench)
  const place = await shop.place('Home')
  const bread = await shop.variant('BREAD', { lead_time_days: 1 })
  const flour = await shop.variant('FLOUR', { purchase_price: 2, lead_time_days: 3 })
  const salt = await shop.variant('SALT', { lead_time_days: 9 })
  const recipe = await shop.tenant.done(createRecipe, {
    item_variant_id: bread,
    output_quantity: 3,
    materials: [itemLine(flour, 5, { scrap_percent: 10 }), itemLine(salt, 0.000001)],
    operations: [{ operation_id: await shop.operation('Baking', 10), duration: 2 }],
  })
  return { shop, place, bread, flour, salt, recipe }
}

const lines = ({ items }: Loose) => columns(items, 'sku', 'quantity', 'quantity_per_unit')
const plan = async (shop: Workshop, order: Loose) =>
  columns(await shop.tasks(order), 'planned_duration', 'planned_cost')

test('an order plans for its quantity what the recipe says for many, with scrap', async t => {
  const { shop, bread, recipe, flour } = await bakery()
  t.is(recipe.output_quantity, 3)
  t.deepEqual(columns(recipe.materials, 'sku', 'quantity', 'scrap_percent'), [
    ['FLOUR', 5, 10],
    ['SALT', 0.000001, 0],
  ])
  const order = await shop.order(bread, 3)
  // 5 * 1.1 = 5.5, for one 1.8333...
  t.deepEqual(lines(order), [
    ['FLOUR', 5.5, 1.833333],
    ['SALT', 0.000001, 0],
  ])
  t.deepEqual(await plan(shop, order), [[2, 20]])
  // 5 * 1.1 * 7 / 3 = 12.8333..., of hours 4.6666..., which cost 46.66667; not 7 * 1.833333 = 12.833331.
  const seven = await shop.change(order, { quantity: 7 })
  t.deepEqual(lines(seven), [
    ['FLOUR', 12.833333, 1.833333],
    ['SALT', 0.000002, 0],
  ])
  t.deepEqual(await plan(shop, order), [[4.666667, 46.6667]])
  // The recipe as it was then, whatever it is now; salt for one rounds to 0 and is no line until it is needed again.
  const changed = { output_quantity: 1, materials: [itemLine(flour, 100)] }
  t.like(await shop.tenant.done(changeRecipe, changed, { id: recipe.id }), { output_quantity: 1 })
  t.deepEqual(lines(await shop.change(order, { quantity: 1 })), [['FLOUR', 1.833333, 1.833333]])
  t.deepEqual(await shop.shelf(), [
    'BREAD: 0 (0 reserved, 1 expected) = 0',
    'FLOUR: 0 (1.833333 reserved, 0 expected) = 0',
    'SALT: 0 = 0',
  ])
  const again = await shop.change(order, { quantity: 3 })
  t.deepEqual(lines(again), [
    ['FLOUR', 5.5, 1.833333],
    ['SALT', 0.000001, 0],
  ])
  t.deepEqual(await shop.read(order), again)
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('what a caller gave or took out stays so when the quantity changes', async t => {
  const { shop, bread, flour } = await bakery()
  const order = await shop.order(bread, 1)
  const given = await shop.change(order, { items: [{ id: order.items[0].id, quantity: 2 }] })
  t.deepEqual(lines(given), [['FLOUR', 2, null]])
  t.deepEqual(lines(await shop.change(order, { quantity: 3 })), [
    ['FLOUR', 2, null],
    ['SALT', 0.000001, 0],
  ])
  const salt = (await shop.read(order)).items[1].id
  await shop.change(order, { items: [{ id: salt, remove: true }] })
  t.deepEqual(lines(await shop.change(order, { quantity: 30 })), [['FLOUR', 2, null]])
  const own = await shop.order(bread, 1, { items: [itemLine(flour, 4)] })
  t.deepEqual(lines(await shop.change(own, { quantity: 300 })), [['FLOUR', 4, null]])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('requirements, replenishment and promises go the same way', async t => {
  const { shop, bread, flour } = await bakery()
  await shop.adjust([itemLine(flour, 2, { unit_cost: 2 })])
  const needs = await shop.tenant.read(getRequirementsEndpoint, {}, itemLine(bread, '7'))
  t.deepEqual(columns(needs.rows, 'sku', 'gross_quantity', 'net_quantity', 'cost'), [
    ['FLOUR', 12.833333, 10.833333, 21.6667],
    ['SALT', 0.000002, 0.000002, null],
  ])
  // SALT for one BREAD rounds to 0, so its lead time does not count.
  const promise = async (quantity: string) =>
    (await shop.tenant.read(getPromiseEndpoint, {}, itemLine(bread, quantity))).promise_date
  const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
  t.is(days(await promise('1'), await promise('7')), 9)
  await shop.tenant.done(sell, { customer: { title: 'C' }, items: [itemLine(bread, 7)] })
  const { rows } = await shop.tenant.read(getReplenishmentEndpoint, {}, {})
  t.deepEqual(columns(rows, 'sku', 'dependent_quantity', 'order_quantity'), [
    ['BREAD', 0, 7],
    ['FLOUR', 12.833333, 10.833333],
    ['SALT', 0.000002, 0.000002],
  ])
})

test('an output quantity of 0, and scrap below 0, above 1000 or with 5 decimals are refused', async t => {
  const { shop, bread, flour } = await bakery()
  const refused = (body: object, material: object = {}) =>
    shop.tenant.refusal(createRecipe, {
      item_variant_id: bread,
      materials: [{ item_variant_id: flour, quantity: 1, ...material }],
      ...body,
    })
  t.regex(await refused({ output_quantity: 0 }), /^validation_failed output_quantity: must be greater than 0/)
  for (const scrap_percent of [-1, 1000.0001, 0.00001])
    t.regex(await refused({}, { scrap_percent }), /^validation_failed materials\[0\]\.scrap_percent: /)
  t.is(await refused({}, { scrap_percent: 1000 }), 'done')
})
