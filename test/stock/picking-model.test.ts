/** Commands pick from random stock what a plain list, sorted by expiry, would give. The model uses nothing of the service. */

import fc from 'fast-check'
import { levelsMax } from '../../lib/domain/stock/level-load.ts'
import { LEVELS_MAX } from '../../lib/domain/stock/picking-rules.ts'
import { parsed } from '../documents/comparable.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'
import { usualLevels } from './usual-levels.ts'

const test = testsOf(import.meta)

/** `npm run torture` runs more. */
const RUNS = Number(process.env['PICK_RUNS'] ?? 12)

const bench = await benchOfFile()
const units = await unitsOfFile()
test.afterEach.always(usualLevels)
type Lot = { readonly number: string; readonly expiry: string | null; free: number; held: number }

const DAY = '2020-02-01'
const lots = fc.array(
  fc.record({
    expiry: fc.constantFrom('2020-01-30', '2020-01-31', DAY, '2020-02-02', '2097-01-01', null),
    free: fc.integer({ min: 0, max: 3 }),
    held: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 3, maxLength: 16 },
)
const kind = fc.constantFrom('ship', 'transfer', 'release', 'adjust')
const command = fc.record({
  kind,
  quantities: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
})
type Command = { readonly kind: 'ship' | 'transfer' | 'release' | 'adjust'; readonly quantities: readonly number[] }

/**
 * What the lines take, as `number quantity`; null: there is not enough, and nothing changes. `lots`: how many lots the lines take from, as
 * far as there is enough.
 */
function take(stock: Lot[], { kind: what, quantities }: Command) {
  const of = what === 'release' ? 'held' : 'free'
  const left = stock
    .filter(({ expiry }) => what !== 'ship' || expiry === null || expiry >= DAY)
    .sort((a, b) => ((a.expiry ?? '9') < (b.expiry ?? '9') ? -1 : (a.expiry ?? '9') > (b.expiry ?? '9') ? 1 : 0))
  const before = structuredClone(stock)
  const taken: string[] = []
  for (const wanted of quantities) {
    let missing = wanted
    const lots = new Set(taken.map(each => each.split(' ')[0])).size
    for (const lot of left) {
      const part = Math.min(lot[of], missing)
      if (part > 0) taken.push(`${lot.number} ${part}`)
      lot[of] -= part
      missing -= part
    }
    if (missing === 0) continue
    stock.splice(0, stock.length, ...before)
    return { taken: null, lots }
  }
  return { taken, lots: new Set(taken.map(each => each.split(' ')[0])).size }
}

async function filled(given: readonly Omit<Lot, 'number'>[]) {
  const room = await salesroom(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const milk = await room.variant('MILK', { batch_tracked: true })
  const stock = given.map((lot, n): Lot => ({ ...lot, number: `L${n}` })).filter(({ free, held }) => free + held > 0)
  const lines = stock.map(({ number, expiry, free, held }) => ({
    item_variant_id: milk,
    quantity: free + held,
    batch_number: number,
    expiry_date: expiry,
  }))
  if (lines.length === 0) return { room, stock, north, south, milk, sold: [], numberOf: new Map() }
  const { items } = await room.adjust(lines, { storage_place_id: north })
  const idOf = new Map<string, string>(items.map((each: Loose) => [each.batch_number, each.batch_id]))
  const heldLots = stock.filter(({ held }) => held > 0)
  if (heldLots.length > 0)
    await room.transfer({
      from_storage_place_id: north,
      to_storage_place_id: north,
      items: heldLots.map(({ number, held }) => ({
        item_variant_id: milk,
        quantity: held,
        batch_id: idOf.get(number),
        to_quarantine: true,
      })),
    })
  return { room, stock, north, south, milk, numberOf: new Map([...idOf].map(([number, id]) => [id, number])) }
}

test('commands pick of random stock what a plain sorted list gives, and are refused where it has too little', async t => {
  const heavyBefore = units.heavy
  const seen = { taken: 0, short: 0, tooMany: 0 }
  await fc.assert(
    fc.asyncProperty(
      lots,
      fc.array(command, { minLength: 4, maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 4, max: 7 }),
      async (given, commands, together, alone) => {
        Object.assign(levelsMax, { alone: LEVELS_MAX, together: 400 })
        const { room, stock, north, south, milk, numberOf } = await filled(given)
        const lines = (quantities: readonly number[], more: Loose = {}) =>
          quantities.map(quantity => ({ item_variant_id: milk, quantity, ...more }))
        const stepOf = async ({ kind: what, quantities }: Command): Promise<Step> => {
          if (what === 'adjust')
            return ['createStockAdjustment', { storage_place_id: north, items: lines(quantities.map(each => -each)) }]
          if (what === 'ship') {
            const order = await room.order(lines(quantities, { storage_place_id: north }))
            return ['createShipment', { date: DAY }, order.id]
          }
          const items = lines(quantities, { from_quarantine: what === 'release' })
          return ['createStockTransfer', { from_storage_place_id: north, to_storage_place_id: south, items }]
        }
        for (const each of commands) {
          const step = await stepOf(each)
          Object.assign(levelsMax, { alone, together })
          const batch = { tenantId: room.tenant.id, commands: [commandOf(room.tenant.id, step)] }
          const answer = parsed((await units.outcomesOf([batch]))[0]?.[0]) as Loose
          const before = structuredClone(stock)
          const expected = take(stock, each)
          if (expected.lots > alone) {
            seen.tooMany++
            t.is(answer.error, 'unprocessable', JSON.stringify(answer))
            stock.splice(0, stock.length, ...before)
          } else if (expected.taken === null) {
            seen.short++
            t.true(['insufficient_stock', 'validation_failed'].includes(answer.error), JSON.stringify(answer))
          } else {
            seen.taken++
            t.deepEqual(
              answer.body?.items.map((item: Loose) => `${numberOf.get(item.batch_id)} ${Math.abs(item.quantity)}`),
              expected.taken,
            )
          }
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  )
  const heavy = units.heavy - heavyBefore
  t.log({ ...seen, heavy })
  t.true(seen.taken > 0 && seen.short > 0 && heavy > 0)
})
