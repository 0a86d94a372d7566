/** The cost of completions, as properties: however an order is split, no value is lost or made. */
import fc from 'fast-check'
import { postingCost } from '../../lib/domain/manufacturing/orders/cost-rules.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('any split of the completions posts the whole cost, part by part within a rounding of its share', t => {
  const positive = fc.bigInt({ min: 1n, max: 999_999_999_999_999n })
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1, maxLength: 20 }), positive, positive, (parts, materials, work) => {
        const planned = parts.reduce((sum, part) => sum + part, 0n)
        const total = materials + work
        let [posted, remaining] = [0n, planned]
        for (const [index, quantity] of parts.entries()) {
          const isLast = index === parts.length - 1
          const cost = postingCost(
            { materials_cost: materials, posted_cost: posted },
            { operationsCost: work, quantity, remaining, isLast },
          )
          if (isRefusal(cost)) return false
          // The share of what is left: |cost * remaining - wip * quantity| <= remaining / 2.
          const off = cost * remaining - (total - posted) * quantity
          if (cost < 0n || 2n * (off < 0n ? -off : off) > remaining) return false
          posted += cost
          remaining -= quantity
        }
        return posted === total && remaining === 0n
      }),
      { numRuns: 500 },
    ),
  )
})

test('any split of the completions leaves the same stock, value and cost, and reconciles', async t => {
  const tenants: string[] = []
  const split = async (parts: readonly number[]) => {
    const shop = await workshop(bench)
    tenants.push(shop.tenant.id)
    await shop.place('Home')
    const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
    await shop.recipe(box, [[sheet, 0.7]], [[await shop.operation('Folding', 11.1), 0.333333]])
    await shop.adjust([{ item_variant_id: sheet, quantity: 10, unit_cost: 3.333333 }])
    const order = await shop.order(box, 7)
    await shop.start(order)
    for (const quantity of parts) await shop.complete(order, { quantity })
    const { status, actual_quantity, released_quantity, actual_cost } = await shop.read(order)
    return { status, actual_quantity, released_quantity, actual_cost, shelf: await shop.shelf() }
  }
  const whole = await split([7])
  // 4.9 of 10 worth 33.3333 (10 * 3.333333 = 33.33333): 16.3333; 2.333331 h at 11.1: 25.9.
  t.like(whole.actual_cost, { materials_cost: 16.3333, operations_cost: 25.9, posted_cost: 42.2333, unit_cost: 6.0333 })
  t.deepEqual(whole.shelf, ['BOX: 7 = 42.2333', 'SHEET: 5.1 = 17'])
  const parts = fc.array(fc.integer({ min: 1, max: 6_999_999 }), { minLength: 1, maxLength: 6 })
  for (const cuts of fc.sample(parts, { numRuns: 12, seed: 7 })) {
    const edges = [0, ...new Set(cuts.sort((a, b) => a - b)), 7_000_000]
    const sizes = edges.slice(1).map((edge, n) => (edge - (edges[n] ?? 0)) / 1_000_000)
    t.deepEqual(await split(sizes), whole, sizes.join(' + '))
  }
  for (const tenant of tenants) t.deepEqual(await bench.faults(tenant), [])
})
