/** The proposed purchases and orders that leave nothing short. */
import fc from 'fast-check'
import { needOf } from '../../lib/domain/manufacturing/recipes/need-rules.ts'
import { getReplenishmentEndpoint } from '../../lib/domain/planning/replenishment/endpoints.ts'
import {
  proposalsOf,
  type Replenished,
  reachedFromShort,
} from '../../lib/domain/planning/replenishment/replenishment-rules.ts'
import { createOrder as purchase } from '../../lib/domain/purchasing/orders/commands.ts'
import { changeSupplierItem, createSupplierItem } from '../../lib/domain/purchasing/supplier-items/commands.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { parseMicro } from '../../lib/platform/decimal.ts'
import { type Workshop, workshop } from '../manufacturing/workshop.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const ask = (room: Workshop, query: Record<string, string> = {}): Promise<Loose> =>
  room.tenant.read(getReplenishmentEndpoint, {}, query)

/** `level sku: minimum + dependent - projected = net, ACTION order at cost`. */
const told = ({ rows }: Loose): string[] =>
  rows.map(
    (row: Loose) =>
      `${row.level} ${row.sku}: ${row.minimum_stock ?? 0} + ${row.dependent_quantity} - ${row.projected_quantity} = ` +
      `${row.net_quantity}, ${row.action} ${row.order_quantity}${row.cost === null ? '' : ` at ${row.unit_cost} = ${row.cost}`}`,
  )

/**
 * A table (made in multiples of 5) takes 4 legs and a top. A leg (at least 30 at a time) takes 0.5 of wood, a top 2. 12 tables are sold, of
 * which 3 are in stock, and 10 legs.
 */
async function tables() {
  const room = await workshop(bench)
  const [main, second] = [await room.place('Main'), await room.place('Second')]
  const table = await room.variant('TABLE', { order_multiple: 5 })
  const leg = await room.variant('LEG', { minimum_order_quantity: 30, minimum_stock: 8 })
  const top = await room.variant('TOP', { lead_time_days: 4 })
  const wood = await room.variant('WOOD', { purchase_price: 3.25, minimum_stock: 1, lead_time_days: 7 })
  await room.recipe(table, [
    [leg, 4],
    [top, 1],
  ])
  await room.recipe(leg, [[wood, 0.5]])
  await room.recipe(top, [[wood, 2]])
  await room.adjust([itemLine(table, 3), itemLine(top, 4), itemLine(wood, 2, { unit_cost: 3 })])
  await room.tenant.done(sell, { customer: { title: 'C' }, items: [itemLine(table, 12), itemLine(leg, 10)] })
  return { room, main, second, table, leg, top, wood }
}

const ALL = [
  // 9 tables, in multiples of five.
  '0 TABLE: 0 + 0 - -9 = 9, MAKE 10',
  // 10 tables of 4 legs, and 10 legs are sold.
  '1 LEG: 8 + 40 - -10 = 58, MAKE 58',
  '1 TOP: 0 + 10 - 4 = 6, MAKE 6',
  // 58 legs of 0.5, 6 tops of 2.
  '2 WOOD: 1 + 41 - 2 = 40, BUY 40 at 3 = 120',
]

test('what is short is netted together by level, raised to its minimum order and multiple, and passes on what is ordered', async t => {
  const { room, main, top, wood } = await tables()
  const answer = await ask(room)
  t.is(answer.storage_place_id, main)
  t.deepEqual(told(answer), ALL)
  t.like(answer.rows[2], { item_variant_id: top, lead_time_days: 4, unit_cost: null, supplier_id: null })
  t.like(answer.rows[3], { item_variant_id: wood, lead_time_days: 7, supplier_item_id: null })
})

test('what is on its way counts, and a row that covers itself goes', async t => {
  const { room, leg, wood } = await tables()
  await room.order(leg, 60)
  const items = [itemLine(wood, 10)]
  await room.tenant.done(purchase, { supplier: { title: 'S' }, items })
  t.deepEqual(told(await ask(room)), [
    ALL[0],
    // The order brings 60 legs, and takes 30 of wood.
    '1 TOP: 0 + 10 - 4 = 6, MAKE 6',
    '2 WOOD: 1 + 12 - -18 = 31, BUY 31 at 3 = 93',
  ])
})

test('a minimum order raises what is missing, and unit costs fall back to the purchase price', async t => {
  const room = await workshop(bench)
  const bolt = await room.variant('BOLT', { minimum_order_quantity: 30, order_multiple: 8, purchase_price: 0.333333 })
  await room.tenant.done(sell, { customer: { title: 'C' }, items: [itemLine(bolt, 2.5)] })
  const answer = await ask(room)
  t.is(answer.storage_place_id, null)
  t.deepEqual(told(answer), ['0 BOLT: 0 + 0 - -2.5 = 2.5, BUY 32 at 0.333333 = 10.6667'])
})

test('what is bought is ordered as its preferred supplier sells it, and each of its figures falls back to the variant', async t => {
  const room = await workshop(bench)
  const bolt = await room.variant('BOLT', { order_multiple: 7, lead_time_days: 9, purchase_price: 2, minimum_stock: 1 })
  const { id: supplier_id } = await room.tenant.done(endpointOf('createSupplier'), { title: 'Bolts and more' })
  const item = await room.tenant.done(createSupplierItem, {
    ...{ supplier_id, item_variant_id: bolt, conversion_rate: 12, minimum_quantity: 2, price: 10, lead_time_days: 5 },
    is_preferred: true,
  })
  const of = { supplier_id, supplier_item_id: item.id }
  // At least two boxes of 12, then up to the multiple of the variant.
  const [row] = (await ask(room)).rows
  t.like(row, { ...of, net_quantity: 1, order_quantity: 28, lead_time_days: 5, unit_cost: 0.833333, cost: 23.3333 })
  const change = async (body: object) => {
    await room.tenant.done(changeSupplierItem, body, { id: item.id })
    return (await ask(room)).rows[0]
  }
  const boxes = await change({ multiple_of: 3, lead_time_days: null })
  t.like(boxes, { order_quantity: 36, lead_time_days: 9, unit_cost: 0.833333, cost: 30 })
  t.like(await change({ currency: 'USD' }), { ...of, order_quantity: 36, unit_cost: 2, cost: 72 })
  t.like(await change({ archived: true }), { supplier_id: null, supplier_item_id: null, order_quantity: 7, cost: 14 })
})

test('it can begin with some variants, and stays at one place', async t => {
  const { room, second, leg, wood } = await tables()
  t.deepEqual(told(await ask(room, { item_variant_id: leg })), [
    '0 LEG: 8 + 0 - -10 = 18, MAKE 30',
    '1 WOOD: 1 + 15 - 2 = 14, BUY 14 at 3 = 42',
  ])
  // The wood itself is not short.
  t.deepEqual(told(await ask(room, { item_variant_id: wood })), [])
  t.deepEqual(told(await ask(room, { storage_place_id: second })), [])
})

test('stock that has expired is missing', async t => {
  const room = await workshop(bench)
  const milk = await room.variant('MILK', { batch_tracked: true, minimum_stock: 4 })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const batch = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...{ item_variant_id: milk, batch_number, quantity, expiry_date, unit_cost: 2 },
  })
  await room.adjust([batch('OLD', 5, day(-1)), batch('NEW', 3, day(1))])
  t.deepEqual(told(await ask(room)), ['0 MILK: 4 + 0 - 3 = 1, BUY 1 at 2 = 2'])
  await room.adjust([batch('NEW', 1, day(1))])
  t.deepEqual(told(await ask(room)), [])
})

test('unknown places and variants are refused', async t => {
  const { room, leg } = await tables()
  const refused = async (query: Record<string, string>) => {
    const { refusal, message } = await ask(room, query)
    return `${refusal} ${message}`
  }
  t.is(await refused({ storage_place_id: '1' }), 'validation_failed storage_place_id: no such storage place')
  t.is(await refused({ item_variant_id: `${leg},7` }), 'validation_failed item_variant_id: no such variant 7')
})

const quantity = fc.integer({ min: 0, max: 20_000_000 }).map(BigInt)
const parts = fc.array(
  fc.record({
    projected: fc.integer({ min: -9_000_000, max: 9_000_000 }).map(BigInt),
    bound: fc.oneof(fc.constant(0n), quantity),
    minimum: fc.option(quantity),
    multiple: fc.option(fc.integer({ min: 1, max: 5_000_000 }).map(BigInt)),
    /** The materials of a part have higher numbers than the part. */
    materials: fc.array(fc.record({ behind: fc.integer({ min: 1, max: 4 }), quantity }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 9 },
)

const plainShare = (quantity: bigint) => ({ quantity, scrap: 0n, output: 1_000_000n })

test('with all proposals carried out nothing falls below its bound, and nothing is proposed that is not needed', t => {
  fc.assert(
    fc.property(parts, given => {
      const components = given.map(({ projected, bound, minimum, multiple, materials }, at): Replenished => {
        const lines = new Map(
          materials.flatMap(({ behind, quantity }) =>
            at + behind < given.length ? [[`${at + behind}`, quantity]] : [],
          ),
        )
        return {
          ...{ id: `${at}`, name: `P${at}`, projected, bound, ordering: { minimum, multiple } },
          materials:
            lines.size === 0
              ? null
              : [...lines].map(([id, quantity]) => ({ id, share: { ...plainShare(quantity), output: 3_000_000n } })),
        }
      })
      const reached = reachedFromShort(components, null)
      const proposals = proposalsOf(reached)
      if ('refusal' in proposals) throw new Error(proposals.message)
      const orders = new Map(proposals.map(({ component, order }) => [component.id, order]))
      for (const { id, projected, bound, ordering } of components) {
        let taken = 0n
        for (const parent of components)
          for (const line of parent.materials ?? [])
            if (line.id === id) taken += needOf(line.share, orders.get(parent.id) ?? 0n)
        const order = orders.get(id) ?? 0n
        t.true(projected + order - taken >= bound, `${id} is short`)
        const { minimum, multiple } = ordering
        t.true(order === 0n || multiple === null || order % multiple === 0n)
        t.true(order === 0n || order >= (minimum ?? 0n))
        // A smaller order would be too little, unless it is raised to its minimum or multiple.
        const spare = projected + order - taken - bound
        const isRaised = multiple === null ? order === minimum : spare < multiple || order - multiple < (minimum ?? 0n)
        t.true(order === 0n || spare === 0n || isRaised)
      }
    }),
    { numRuns: 300 },
  )
})

test('a circle of recipes and a need beyond all bounds are refused', t => {
  const part = (id: string, materials: [string, string][] | null, projected = '-1'): Replenished => ({
    ...{ id, name: `P${id}`, projected: parseMicro(projected), bound: 0n, ordering: { minimum: null, multiple: null } },
    materials: materials?.map(([of, each]) => ({ id: of, share: plainShare(parseMicro(each)) })) ?? null,
  })
  t.like(proposalsOf([part('1', [['2', '1']]), part('2', [['1', '1']])]), { refusal: 'unprocessable' })
  t.like(proposalsOf([part('1', [['2', '999999999']], '-2'), part('2', null)]), {
    refusal: 'unprocessable',
    message: '1000000000 of P2 or more would be needed',
  })
})
