/** The projection of stock day by day, and the quantities that can be promised for a day. */
import fc from 'fast-check'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { getProjectionEndpoint } from '../../lib/domain/planning/projection/endpoints.ts'
import { availableDays, dayAfter, projectedDays } from '../../lib/domain/planning/projection/projection-rules.ts'
import { getPromiseEndpoint } from '../../lib/domain/planning/promise/endpoints.ts'
import { listShortagesEndpoint } from '../../lib/domain/planning/shortages/endpoints.ts'
import { createOrder as purchase } from '../../lib/domain/purchasing/orders/commands.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { type Workshop, workshop } from '../manufacturing/workshop.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

type Query = Record<string, string>
const project = (room: Workshop, query: Query): Promise<Loose> => room.tenant.read(getProjectionEndpoint, {}, query)
const promise = (room: Workshop, query: Query): Promise<Loose> => room.tenant.read(getPromiseEndpoint, {}, query)

const today = new Date().toISOString().slice(0, 10)
/** The date this many days from today. */
const day = (days: number): string => dayAfter(today, days)

const order = (room: Workshop, item_variant_id: string, quantity: number, delivery_date?: string) =>
  room.tenant.done(sell, { customer: { title: 'C' }, items: [{ item_variant_id, quantity }], delivery_date })
const buy = (room: Workshop, items: Loose[], expected_date?: string) =>
  room.tenant.done(purchase, { supplier: { title: 'S' }, items, expected_date })

/** `day: +supply -demand = projected`, in days from today. */
const told = ({ days }: Loose): string[] =>
  days.map((row: Loose) => `${row.date}: +${row.supply_quantity} -${row.demand_quantity} = ${row.projected_quantity}`)
const sources = (rows: Loose[]): string[] => rows.map(row => `${row.number} ${row.quantity} ${row.due_date}`)

/**
 * 10 lamps are in stock. Sold: 3 overdue, 2 without a day, 8 in 5 days. Bought: 4, of which 3 are due in 3 days and one in 9, and 5 without
 * a day.
 */
async function lamps() {
  const room = await workshop(bench)
  const main = await room.place('Main')
  const lamp = await room.variant('LAMP', { minimum_stock: 4 })
  await room.adjust([{ item_variant_id: lamp, quantity: 10 }])
  await order(room, lamp, 3, day(-2))
  await order(room, lamp, 2)
  await order(room, lamp, 8, day(5))
  const line = (quantity: number, expected_date?: string) => ({ item_variant_id: lamp, quantity, expected_date })
  await buy(room, [line(3), line(0.5, day(9)), line(0.5, day(9))], day(3))
  await buy(room, [line(5)])
  return { room, main, lamp }
}

test('a projection counts demand and supply on their days: overdue ones today, undated demand today, undated supply never', async t => {
  const { room, main, lamp } = await lamps()
  const answer = await project(room, { item_variant_id: lamp })
  t.like(answer, { item_variant_id: lamp, storage_place_id: main, quantity: 10, minimum_stock: 4 })
  t.deepEqual(told(answer), [
    `${day(0)}: +0 -5 = 5`,
    `${day(3)}: +3 -0 = 8`,
    `${day(5)}: +0 -8 = 0`,
    `${day(9)}: +1 -0 = 1`,
  ])
  t.deepEqual(sources(answer.days[0].sources), [`SO-00001 -3 ${day(-2)}`, 'SO-00002 -2 null'])
  t.deepEqual(sources(answer.days[3].sources), [`PO-00001 1 ${day(9)}`])
  t.deepEqual(sources(answer.undated_supply), ['PO-00002 5 null'])
  t.deepEqual([answer.first_short_date, answer.first_below_minimum_date], [null, day(5)])
  await order(room, lamp, 0.5, day(6))
  const short = await project(room, { sku: 'LAMP' })
  t.deepEqual([short.first_short_date, short.first_below_minimum_date], [day(6), day(5)])
})

test('the demand and supply of a projection are those of the shortages', async t => {
  const { room, lamp } = await lamps()
  await order(room, lamp, 20, day(1))
  const [row] = await room.tenant.page(listShortagesEndpoint, { filters: { item_variant_id: lamp } })
  const { days, undated_supply } = await project(room, { item_variant_id: lamp })
  const all: Loose[] = [...days.flatMap((of: Loose) => of.sources), ...undated_supply]
  const sums = (rows: Loose[], factor: number) =>
    Object.entries(Object.groupBy(rows, ({ number }) => number))
      .map(([number, of = []]) => `${number} ${of.reduce((sum, { quantity }) => sum + factor * quantity, 0)}`)
      .sort()
  t.deepEqual(
    sums(
      all.filter(({ quantity }) => quantity < 0),
      -1,
    ),
    sums(row?.demand, 1),
  )
  t.deepEqual(
    sums(
      all.filter(({ quantity }) => quantity > 0),
      1,
    ),
    sums(row?.supply, 1),
  )
  t.is(days.at(-1).projected_quantity + 5, row?.projected_quantity)
})

test('quarantined and expired stock is not projected, and a minimum counts at the main place alone', async t => {
  const room = await workshop(bench)
  const [main, second] = [await room.place('Main'), await room.place('Second')]
  const milk = await room.variant('MILK', { batch_tracked: true, minimum_stock: 2 })
  await room.adjust([
    { item_variant_id: milk, quantity: 3, batch_number: 'A', expiry_date: day(-1) },
    { item_variant_id: milk, quantity: 4, batch_number: 'B', expiry_date: day(0) },
  ])
  const [{ batch_id } = {}] = await room.stock({ item_variant_id: milk, batch_number: 'B' })
  await room.transfer({
    from_storage_place_id: main,
    to_storage_place_id: main,
    items: [{ item_variant_id: milk, quantity: 2.5, batch_id, to_quarantine: true }],
  })
  const there = await project(room, { item_variant_id: milk })
  t.deepEqual([there.quantity, told(there)], [1.5, [`${day(0)}: +0 -0 = 1.5`]])
  t.deepEqual([there.first_short_date, there.first_below_minimum_date], [null, day(0)])
  const elsewhere = await project(room, { item_variant_id: milk, storage_place_id: second })
  t.like(elsewhere, { quantity: 0, minimum_stock: 2, first_short_date: null, first_below_minimum_date: null })
})

test('a promise takes nothing from what is promised already', async t => {
  const { room, lamp } = await lamps()
  const ask = async (quantity: string) => {
    const answer = await promise(room, { item_variant_id: lamp, quantity })
    return `${answer.available_now} ${answer.promise_date} ${answer.basis}`
  }
  // After the 8 of day 5 nothing is left before day 9, when one arrives.
  t.is(await ask('0.5'), `0 ${day(9)} SUPPLY`)
  t.is(await ask('1'), `0 ${day(9)} SUPPLY`)
  t.is(await ask('1.000001'), '0 null null')
  await room.adjust([{ item_variant_id: lamp, quantity: 2 }])
  t.is(await ask('2'), `2 ${day(0)} STOCK`)
  t.is(await ask('3'), `2 ${day(9)} SUPPLY`)
  const { days } = await promise(room, { item_variant_id: lamp, quantity: '2' })
  t.deepEqual(
    days.map((row: Loose) => `${row.date} ${row.available_quantity}`),
    [`${day(0)} 2`, `${day(3)} 2`, `${day(5)} 2`, `${day(9)} 3`],
  )
})

test('supply that is due today or overdue can be promised for tomorrow', async t => {
  const room = await workshop(bench)
  const lamp = await room.variant('LAMP', { lead_time_days: 1 })
  await buy(room, [{ item_variant_id: lamp, quantity: 2 }], day(0))
  await buy(room, [{ item_variant_id: lamp, quantity: 1 }], day(-4))
  const answer = await promise(room, { item_variant_id: lamp, quantity: '3' })
  t.like(answer, { storage_place_id: null, available_now: 0, promise_date: day(1), basis: 'SUPPLY' })
  t.like(await promise(room, { item_variant_id: lamp, quantity: '4' }), { promise_date: day(1), basis: 'LEAD_TIME' })
})

/** A bike (own lead time 2) takes 2 wheels (0) and a bell. A wheel takes a rim (6) and spokes (9). */
async function bikes() {
  const room = await workshop(bench)
  await room.place('Main')
  const made = async (sku: string, lead_time_days: number | null) => room.variant(sku, { lead_time_days })
  const [bike, wheel, bell] = [await made('BIKE', 2), await made('WHEEL', null), await made('BELL', 3)]
  const [rim, spoke] = [await made('RIM', 6), await made('SPOKE', 9)]
  await room.recipe(bike, [
    [wheel, 2],
    [bell, 1],
  ])
  await room.recipe(wheel, [
    [rim, 1],
    [spoke, 36],
  ])
  return { room, bike, bell, spoke, rim, wheel }
}

test('the lead time of what is made is its own and the longest of the materials that would be missing', async t => {
  const { room, bike, bell, spoke, rim } = await bikes()
  const ask = async (quantity: string) => {
    const { promise_date, basis } = await promise(room, { item_variant_id: bike, quantity })
    return [promise_date, basis]
  }
  t.deepEqual(await ask('1'), [day(2 + 9), 'LEAD_TIME'])
  await room.adjust([{ item_variant_id: spoke, quantity: 100 }])
  // There are spokes for one bike, but not for two.
  t.deepEqual(await ask('1'), [day(2 + 6), 'LEAD_TIME'])
  t.deepEqual(await ask('2'), [day(2 + 9), 'LEAD_TIME'])
  await room.adjust([{ item_variant_id: rim, quantity: 2 }])
  t.deepEqual(await ask('1'), [day(2 + 3), 'LEAD_TIME'])
  await room.adjust([{ item_variant_id: bell, quantity: 1 }])
  t.deepEqual(await ask('1'), [day(2), 'LEAD_TIME'])
  const [product] = await room.tenant.page(listProducts, { filters: { sku: 'SPOKE' } })
  await room.tenant.done(changeProduct, { lead_time_days: null }, { id: product?.id })
  t.deepEqual(await ask('1'), [day(2), 'LEAD_TIME'])
  t.deepEqual(await ask('2'), [null, null])
})

test('supply that comes by the end of the lead time is the basis', async t => {
  const { room, bike } = await bikes()
  await room.order(bike, 3, { production_date: day(11) })
  t.like(await promise(room, { item_variant_id: bike, quantity: '3' }), { promise_date: day(11), basis: 'SUPPLY' })
  t.like(await promise(room, { item_variant_id: bike, quantity: '4' }), { promise_date: day(11), basis: 'LEAD_TIME' })
})

test('unknown variants and places, and quantities of 0 are refused', async t => {
  const { room, lamp } = await lamps()
  const refusals: [Promise<Loose>, string][] = [
    [project(room, {}), 'validation_failed item_variant_id: is required, or sku'],
    [project(room, { item_variant_id: '1' }), 'validation_failed item_variant_id: no such variant'],
    [project(room, { sku: 'NONE' }), 'validation_failed sku: is the sku of no unarchived variant'],
    [
      promise(room, { item_variant_id: lamp, quantity: '1', storage_place_id: '1' }),
      'validation_failed storage_place_id: no such storage place',
    ],
  ]
  for (const [answer, expected] of refusals) {
    const { refusal, message } = await answer
    t.is(`${refusal} ${message}`, expected)
  }
})

const source = fc.record({ quantity: fc.integer({ min: -9, max: 9 }), due: fc.option(fc.integer({ min: -3, max: 8 })) })

test('projections and promises agree with their definitions on any demand and supply', t => {
  fc.assert(
    fc.property(fc.array(source), fc.integer({ min: -5, max: 20 }), (given, there) => {
      const entries = given
        .filter(({ quantity }) => quantity !== 0)
        .map(({ quantity, due }, at) => ({
          ...{ sourceType: 'X', sourceId: `${at}`, number: `${at}` },
          quantity: BigInt(quantity),
          dueDate: due === null ? null : day(due),
        }))
      for (const isSupplySure of [true, false]) {
        const days = projectedDays(entries, { today, quantity: BigInt(there), isSupplySure })
        /** The stock at the end of the day, computed from all entries. */
        const at = (date: string): bigint =>
          entries.reduce((sum, { quantity, dueDate }) => {
            const due = quantity < 0n ? (dueDate ?? today) : dueDate
            if (due === null) return sum
            const counts = quantity > 0n && !isSupplySure && due <= today ? day(1) : due
            return counts <= date ? sum + quantity : sum
          }, BigInt(there))
        t.deepEqual(
          days.map(({ projected }) => projected),
          days.map(({ date }) => at(date)),
        )
        const promised = availableDays(days)
        for (const { date, available } of promised) {
          // This quantity can be taken on the day so that no later day falls below 0. One unit more cannot.
          const leaves = (taken: bigint) =>
            Array.from({ length: 12 }, (_, n) => day(n)).every(d => d < date || at(d) >= taken)
          t.true(available === 0n || leaves(available))
          t.false(leaves(available + 1n))
        }
      }
    }),
    { numRuns: 200 },
  )
})
