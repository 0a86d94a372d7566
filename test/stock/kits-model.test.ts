/**
 * Random writes of kits and of their parts, several in a unit of work, compared with a small reference: each `kit.changed` is what the
 * events before it make of the kit, none is missing, and the list shows the same.
 */
import * as v from 'valibot'
import { listAvailabilityEndpoint } from '../../lib/domain/stock/availability/endpoints.ts'
import { formatScaled } from '../../lib/platform/decimal.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { floor, KitMirror, micro } from '../support/kit-mirror.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const [RUNS, UNITS] = [Number(process.env['MODEL_RUNS'] ?? 3), 12]

/** Numbers from a seed, from 0 to below `n`. */
function numbers(seed: number): (n: number) => number {
  let state = seed
  return n => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * n)
  }
}

async function walk(seed: number, t: Loose): Promise<void> {
  const next = numbers(seed)
  const one = <T>(...of: readonly T[]): T => of[next(of.length)] as T
  const { tenant, variant, place } = await salesroom(bench)
  const places = [await place('Main'), await place('Shop')]
  const parts = [await variant('CUP'), await variant('TEA'), await variant('LID')]
  const mirror = new KitMirror(places[0] ?? '')
  const kits: { id: string; product: string }[] = []
  const orders: string[] = []
  let last = '0'
  const amount = () => one('1', '2', '7', '0.333333', '2.5')
  const components = () => {
    const some = parts.filter(() => next(3) > 0)
    return (some.length > 0 ? some : parts).map(id => ({ item_variant_id: id, quantity: Number(amount()) }))
  }
  const goods = () => one(...parts, ...kits.map(({ id }) => id))
  const step = (): Step => {
    const kind = next(10)
    const storage_place_id = one(...places)
    const [kit, order] = [one(...kits), one(...orders)]
    if (kind === 0 || kit === undefined)
      return ['createProduct', { title: 'Kit', type: 'KIT', price: 1, components: components() }]
    if (kind === 1) return ['updateProduct', { components: components() }, kit.product]
    if (kind === 2) return ['updateProduct', { archived: next(3) === 0 }, kit.product]
    if (kind === 3 && order !== undefined)
      return ['updateSalesOrder', one({ status: 'CANCELLED' }, { status: 'DONE' }), order]
    if (kind === 4 && order !== undefined) return ['createShipment', {}, order]
    if (kind === 5 && order !== undefined)
      return ['updateSalesOrder', { items: [{ item_variant_id: goods(), quantity: Number(amount()) }] }, order]
    if (kind < 8) {
      const items = [{ item_variant_id: goods(), quantity: Number(amount()), storage_place_id }]
      return ['createSalesOrder', { customer: { title: 'C' }, allow_backorder: next(2) === 0, items }]
    }
    const items = [{ item_variant_id: one(...parts), quantity: Number(one('', '', '-') + amount()) }]
    return ['createStockAdjustment', { storage_place_id, items }]
  }
  for (let unit = 0; unit < UNITS; unit++) {
    let steps = Array.from({ length: 1 + next(5) }, step)
    while (steps.length > 0) {
      const commands = steps.map(each => commandOf(tenant.id, each))
      const [outcomes = []] = await units.outcomesOf([{ tenantId: tenant.id, commands }])
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.kind !== 'done' || outcome.body === null) continue
        const body = JSON.parse(outcome.body)
        if (steps[at]?.[0] === 'createProduct') kits.push({ id: body.variants[0].id, product: body.id })
        if (steps[at]?.[0] === 'createSalesOrder') orders.push(body.id)
      }
      steps = steps.slice(outcomes.length)
    }
    const events = await bench.pool.any(rows(v.object({ sequence: v.string(), body: v.string() }))`
      select sequence::text, body from events where tenant_id = ${tenant.id}::bigint and sequence > ${last}::bigint order by events.sequence`)
    last = events.at(-1)?.sequence ?? last
    for (const { body } of events) t.is(mirror.follow(JSON.parse(body)), null, `seed ${seed}, unit ${unit}`)
    const expected = mirror.expected()
    t.deepEqual([...mirror.rows].sort(), [...expected].sort(), `seed ${seed}, unit ${unit}: an event is missing`)
    const list: Loose[] = await tenant.page(listAvailabilityEndpoint, { filters: { is_kit: 'true' }, limit: 200 })
    const shown = new Map(list.map(row => [`${row.item_variant_id} ${row.storage_place_id}`, row.available_quantity]))
    t.deepEqual([...shown].sort(), [...expected].sort(), `seed ${seed}, unit ${unit}: the list`)
  }
  t.deepEqual(await bench.faults(tenant.id), [])
}

test('each kit.changed is what the events before it make of the kit, none is missing, and the list says the same', async t => {
  for (let seed = 1; seed <= RUNS; seed++) await walk(seed, t)
  t.is(formatScaled(floor(micro(-0.5), micro(2)), 0), '-1')
})
