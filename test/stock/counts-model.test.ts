/** Random counts while stock moves, compared with a naive model of the stock. Then everything is reconciled. */
import fc from 'fast-check'
import { cancelCount, changeCount, createCount } from '../../lib/domain/stock/counts/commands.ts'
import { completeCount } from '../../lib/domain/stock/counts/completion.ts'
import { getCount, listCountItems } from '../../lib/domain/stock/counts/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const RUNS = Number(process.env['MODEL_RUNS'] ?? 6)

/** What can be counted: a variant without batches, and two batches. */
const things = ['OAK', 'A', 'B'] as const
const thing = fc.constantFrom(...things)
const quantity = fc.integer({ min: 0, max: 6 })

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('in' as const), thing, quantity }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('out' as const), thing, quantity }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('hold' as const), thing, quantity }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('count' as const), thing, quantity }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), thing, quantity }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('complete' as const), thing, quantity }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), thing, quantity }) },
)

/** The stock of each of them, and the part in quarantine. */
type There = { quantity: number; held: number }
type Line = { readonly expected: number; readonly counted: number }

test('counts keep what was there, and book their differences on what is there then', async t => {
  let completed = 0
  let short = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async steps => {
      const room = await stockroom(bench)
      const { tenant } = room
      const main = await room.place('Main')
      const oak = await room.variant('OAK')
      const milk = await room.variant('MILK', { batch_tracked: true })
      const named = (name: (typeof things)[number]) =>
        name === 'OAK' ? { item_variant_id: oak } : { item_variant_id: milk, batch_number: name }
      const batches = new Map<string, string>()
      const start = things.map(name => ({ ...named(name), quantity: 3, unit_cost: 1.1 }))
      for (const { batch_id, batch_number } of (await room.adjust(start)).items) batches.set(batch_number, batch_id)
      const there = new Map<string, There>(things.map(name => [name, { quantity: 3, held: 0 }]))
      let lines = new Map<string, Line>()
      let id = (await tenant.done(createCount, {})).id

      const differences = () =>
        [...lines].flatMap(([name, { expected, counted }]) =>
          expected === counted ? [] : [[there.get(name) as There, counted - expected] as const],
        )
      const begin = async () => {
        id = (await tenant.done(createCount, {})).id
        lines = new Map()
      }
      for (const { does, thing: name, quantity: n } of steps) {
        const now = there.get(name) as There
        if (does === 'in' && n > 0) {
          await room.adjust([{ ...named(name), quantity: n }])
          now.quantity += n
        } else if (does === 'out' && n > 0) {
          const isThere = now.quantity - now.held >= n
          const said = await room.refusedAdjust([{ ...named(name), quantity: -n }])
          t.is(said.split(' ')[0], isThere ? 'done' : 'validation_failed')
          if (isThere) now.quantity -= n
        } else if (does === 'hold' && n > 0 && now.quantity - now.held >= n) {
          const { item_variant_id } = named(name)
          const batch_id = batches.get(name) ?? null
          const items = [{ item_variant_id, batch_id, quantity: n, to_quarantine: true }]
          await room.transfer({ from_storage_place_id: main, to_storage_place_id: main, items })
          now.held += n
        } else if (does === 'count') {
          await tenant.done(changeCount, { items: [{ ...named(name), counted_quantity: n }] }, { id })
          lines.set(name, { expected: now.quantity, counted: n })
        } else if (does === 'remove') {
          const said = await tenant.refusal(changeCount, { items: [{ ...named(name), remove: true }] }, { id })
          t.is(said === 'done', lines.delete(name))
        } else if (does === 'complete') {
          const isEnough = differences().every(([{ quantity }, difference]) => quantity + difference >= 0)
          const said = await tenant.refusal(completeCount, {}, { id })
          t.is(said.split(' ')[0], isEnough ? 'done' : 'insufficient_stock')
          if (isEnough) {
            for (const [each, difference] of differences()) {
              each.quantity += difference
              each.held = Math.min(each.held, each.quantity)
            }
            completed++
            await begin()
          } else short++
        } else if (does === 'cancel') {
          await tenant.done(cancelCount, {}, { id })
          await begin()
        }
        const shown = await tenant.page(listCountItems, { params: { id } })
        t.deepEqual(
          shown
            .map((line: Record<string, unknown>) => [
              line['batch_number'] ?? 'OAK',
              { expected: line['expected_quantity'], counted: line['counted_quantity'] },
            ])
            .sort(),
          [...lines].sort(),
        )
        t.like(await tenant.read(getCount, { id }), { line_count: lines.size, difference_count: differences().length })
        const stock = (await room.stock()).filter(row => row.batch_number !== null || row.sku === 'OAK')
        t.deepEqual(
          Object.fromEntries(
            stock.map(row => [row.batch_number ?? 'OAK', { quantity: row.quantity, held: row.quarantine_quantity }]),
          ),
          Object.fromEntries(there),
        )
      }
      t.deepEqual(await bench.faults(tenant.id), [])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  t.log(`${completed} counts completed, ${short} short`)
  t.true(completed > RUNS / 2)
})
