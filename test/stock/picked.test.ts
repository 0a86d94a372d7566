/** Picking takes the same stock however few levels are loaded, and loads no more than it needs. */

import fc from 'fast-check'
import { completeOrder, startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder as createMake } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { levelsMax } from '../../lib/domain/stock/level-load.ts'
import type { Outcome } from '../../lib/pipeline/command.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { parsed, plain } from '../documents/comparable.ts'
import { type Salesroom, salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'
import { usualLevels } from './usual-levels.ts'

const test = testsOf(import.meta)

/** `npm run torture` runs more. */
const RUNS = Number(process.env['PICK_RUNS'] ?? 12)

const bench = await benchOfFile()
const units = await unitsOfFile()
test.afterEach.always(usualLevels)
/** The days of shipments and starts are among the expiry dates. */
const days = ['2020-01-30', '2020-02-01', '2020-02-03', undefined]
const expiries = ['2020-01-29', '2020-01-31', '2020-02-01', '2020-02-02', '2097-01-01', '2098-01-01', null]
const BATCHES = 14

type Room = { readonly room: Salesroom; readonly names: Readonly<Record<string, string>> }

/** Milk in many small batches at two places and without a batch, and orders to ship and to make. Each tenant has the same. */
async function filled(): Promise<Room> {
  const room = await salesroom(bench)
  const { tenant } = room
  const names: Record<string, string> = { main: await room.place('Main'), side: await room.place('Side') }
  names['milk'] = await room.variant('MILK')
  names['cheese'] = await room.variant('CHEESE')
  const milk = { item_variant_id: names['milk'] }
  const from = (place: string | undefined) => ({ storage_place_id: place })
  // This stock was there before the item became batch-tracked.
  await room.adjust([{ ...milk, quantity: 3, unit_cost: 2 }], from(names['main']))
  await bench.pool.query(statement`update items set batch_tracked = true where tenant_id = ${tenant.id}::bigint`)
  const batch = (n: number) => ({ batch_number: `B-${n}`, expiry_date: expiries[(n * 5) % expiries.length] })
  const numbers = Array.from({ length: BATCHES }, (_, n) => n)
  const lines = (each: (n: number) => boolean) =>
    numbers.filter(each).map(n => ({ ...milk, ...batch(n), quantity: 1 + (n % 3), unit_cost: 1.000001 + (n % 4) / 8 }))
  const inMain = await room.adjust(
    lines(() => true),
    from(names['main']),
  )
  await room.adjust(
    lines(n => n % 2 === 0),
    from(names['side']),
  )
  for (const [n, item] of inMain.items.entries()) names[`batch${n}`] = item.batch_id
  await room.transfer({
    from_storage_place_id: names['main'],
    to_storage_place_id: names['main'],
    items: numbers
      .filter(n => n % 3 === 0)
      .map(n => ({
        ...milk,
        quantity: n % 2 === 0 ? 1 : 1 + (n % 3),
        batch_id: names[`batch${n}`],
        to_quarantine: true,
      })),
  })
  for (let n = 0; n < 3; n++) {
    const items = ['main', 'side', 'main'].map(place => ({ ...milk, quantity: 12, storage_place_id: names[place] }))
    const order = await room.order(items)
    names[`sold${n}`] = order.id
    for (const [at, item] of order.items.entries()) names[`sold${n}.${at}`] = item.id
    const make = {
      item_variant_id: names['cheese'],
      quantity: 1,
      items: [4, 7].map(quantity => ({ ...milk, quantity })),
    }
    names[`make${n}`] = (await tenant.done(createMake, make)).id
  }
  const output = { ...milk, quantity: 5, items: [{ ...milk, quantity: 0.5 }], output_batch_number: 'B-4' }
  names['output'] = (await tenant.done(createMake, output)).id
  await tenant.done(startOrder, {}, { id: names['output'] as string })
  await tenant.done(completeOrder, { quantity: 1 }, { id: names['output'] as string })
  return { room, names }
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 3) => fc.array(arbitrary, { minLength: 1, maxLength })
const amount = oneOf(0.5, 1, 1, 2, 2, 3, 3, 5, 8, 21)
const batch = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: BATCHES - 1 }) },
)
const place = oneOf('main', 'main', 'side', null)
type MakeStep = (names: Room['names']) => Step
const batchIn = (names: Room['names'], n: number | null) => (n === null ? null : (names[`batch${n}`] ?? null))
const placeIn = (names: Room['names'], name: string | null) => (name === null ? null : names[name])

const adjustment = fc
  .record({ at: place, items: some(fc.record({ amount, batch, isIn: oneOf(true, false, false, false, false) })) })
  .map(
    ({ at, items }): MakeStep =>
      names => [
        'createStockAdjustment',
        {
          storage_place_id: placeIn(names, at),
          items: items.map(({ amount: quantity, batch: n, isIn }) => ({
            item_variant_id: names['milk'],
            quantity: isIn ? quantity : -quantity,
            batch_id: isIn ? (batchIn(names, n) ?? names['batch1']) : batchIn(names, n),
          })),
        },
      ],
  )

const transfer = fc
  .record({ from: place, to: place, items: some(fc.record({ amount, batch, held: oneOf(true, false, false) })) })
  .map(
    ({ from, to, items }): MakeStep =>
      names => [
        'createStockTransfer',
        {
          from_storage_place_id: placeIn(names, from),
          to_storage_place_id: placeIn(names, to),
          items: items.map(({ amount: quantity, batch: n, held }) => ({
            item_variant_id: names['milk'],
            quantity,
            batch_id: batchIn(names, n),
            from_quarantine: held,
            to_quarantine: from === to ? !held : held,
          })),
        },
      ],
  )

const shipment = fc
  .record({
    n: fc.nat({ max: 2 }),
    date: oneOf(...days),
    items: some(fc.record({ at: fc.nat({ max: 2 }), amount, batch })),
  })
  .map(
    ({ n, date, items }): MakeStep =>
      names => [
        'createShipment',
        {
          ...(date === undefined ? {} : { date }),
          items: items.map(({ at, amount: quantity, batch: of }) => ({
            sales_order_item_id: names[`sold${n}.${at}`],
            quantity: Math.min(quantity, 5),
            batch_id: batchIn(names, of),
          })),
        },
        names[`sold${n}`],
      ],
  )

const shipAll = fc.nat({ max: 2 }).map(
  (n): MakeStep =>
    names => ['updateSalesOrder', { delivery_status: 'SHIPPED' }, names[`sold${n}`]],
)

const start = fc.record({ n: fc.nat({ max: 2 }), date: oneOf(...days) }).map(
  ({ n, date }): MakeStep =>
    names => ['startManufacturingOrder', date === undefined ? {} : { started_at: date }, names[`make${n}`]],
)

const end = fc.constant<MakeStep>(names => [
  'completeManufacturingOrder',
  { quantity: 0, is_final: true },
  names['output'],
])

const step = fc.oneof(
  { weight: 4, arbitrary: adjustment },
  { weight: 4, arbitrary: transfer },
  { weight: 4, arbitrary: shipment },
  { weight: 1, arbitrary: shipAll },
  { weight: 3, arbitrary: start },
  { weight: 1, arbitrary: end },
)

const sequence = fc.array(step, { minLength: 8, maxLength: 14, size: 'max' })

/** Runs this many of the steps in each unit. */
async function runIn({ room, names }: Room, steps: readonly MakeStep[], size: number): Promise<Outcome[]> {
  const { id: tenantId } = room.tenant
  const commands = steps.map(make => commandOf(tenantId, make(names)))
  const outcomes: Outcome[] = []
  while (outcomes.length < commands.length) {
    const batch = { tenantId, commands: commands.slice(outcomes.length, outcomes.length + size) }
    outcomes.push(...((await units.outcomesOf([batch]))[0] ?? []))
  }
  return outcomes
}

const look = async ({ room }: Room): Promise<Loose> => ({
  stock: await room.stock(),
  movements: await room.movements(),
})

test.serial('picks are the same however few levels are loaded', async t => {
  const heavyBefore = units.heavy
  const tenantIds: string[] = []
  const seen = { done: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(sequence, oneOf(1, 3, 14), oneOf(1, 3, 8), async (steps, size, few) => {
      const [own, other] = [await filled(), await filled()]
      tenantIds.push(own.room.tenant.id)
      levelsMax.together = 1_000
      const expected = await runIn(other, steps, 1)
      levelsMax.together = few
      const outcomes = await runIn(own, steps, size)
      t.deepEqual(plain(outcomes.map(parsed)), plain(expected.map(parsed)))
      t.deepEqual(plain(await look(own)), plain(await look(other)))
      for (const { kind } of outcomes) seen[kind]++
    }),
    { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  )
  const heavy = units.heavy - heavyBefore
  t.log({ ...seen, heavy })
  t.true(seen.done > RUNS && seen.refused > RUNS && heavy > RUNS)
  for (const id of tenantIds) t.deepEqual(await bench.faults(id), [])
})

test('levels follow the expiry of their batch when it changes', async t => {
  const { room, names } = await filled()
  await bench.pool.query(statement`
    update batches set expiry_date = '2019-12-31' where tenant_id = ${room.tenant.id}::bigint and id = ${names['batch13'] ?? ''}::bigint`)
  const { items } = await room.adjust([itemLine(names['milk'], -0.5)], { storage_place_id: names['main'] })
  t.is(items[0].batch_number, 'B-13')
  t.deepEqual(await bench.faults(room.tenant.id), [])
})
