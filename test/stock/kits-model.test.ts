/**
 * Random writes of kits and of their parts, several in a unit of work, against a small reference: each `kit.changed` is what the events before
 * it make of the kit, none is missing, and the list says the same.
 */
import * as v from 'valibot'
import { listAvailabilityEndpoint } from '../../lib/domain/stock/availability/endpoints.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Event, Loose } from '../support/command-context.ts'
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

const micro = (quantity: number | string) => parseScaled(String(quantity), 6)
const least = (a: bigint, b: bigint): bigint => {
  if (b < a) return b
  return a
}
const floor = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((-a + b - 1n) / b))

/** What a follower of the events knows. */
class Mirror {
  readonly #available = new Map<string, bigint>()
  readonly #parts = new Map<string, readonly (readonly [id: string, each: bigint])[]>()
  readonly #archived = new Set<string>()
  readonly rows = new Map<string, number | null>()
  readonly #mainPlaceId: string

  constructor(mainPlaceId: string) {
    this.#mainPlaceId = mainPlaceId
  }

  /** @returns what is wrong with the event */
  follow({ type, data, previous }: Event): string | null {
    if (type === 'stock.changed')
      this.#available.set(`${data.item_variant_id} ${data.storage_place_id}`, micro(data.available_quantity))
    if (type === 'product.created' || type === 'product.updated') this.#learn(data)
    if (type !== 'kit.changed') return null
    const key = `${data.item_variant_id} ${data.storage_place_id}`
    const [before, now] = [this.rows.get(key), this.of(data.item_variant_id, data.storage_place_id)]
    // A row that is gone is told as none.
    if (now === undefined) this.rows.delete(key)
    else this.rows.set(key, data.available_quantity)
    if (now === undefined && data.available_quantity === 0) return null
    if (now !== data.available_quantity) return `${key}: ${data.available_quantity}, not ${now}`
    if (previous !== null && before !== undefined && previous.available_quantity !== before)
      return `${key}: ${previous.available_quantity} before, not ${before}`
    return previous === null && data.storage_place_id === this.#mainPlaceId ? `${key}: no previous` : null
  }

  #learn(product: Loose): void {
    if (product.type !== 'KIT') return
    for (const { id, archived, components } of product.variants) {
      const was = this.#archived.has(id)
      const is = product.archived || archived
      if (is) this.#archived.add(id)
      else this.#archived.delete(id)
      const isNew = !this.#parts.has(id)
      this.#parts.set(
        id,
        components.map((part: Loose) => [part.item_variant_id, micro(part.quantity)] as const),
      )
      // Making and unarchiving tell nothing: who follows looks once.
      if (isNew || was || is) for (const place of this.places()) this.#look(id, place)
      // A row of none that a kit loses is not told.
      for (const place of this.places())
        if (this.of(id, place) === undefined && this.rows.get(`${id} ${place}`) === 0)
          this.rows.delete(`${id} ${place}`)
    }
  }

  #look(id: string, place: string): void {
    const now = this.of(id, place)
    if (now === undefined) this.rows.delete(`${id} ${place}`)
    else this.rows.set(`${id} ${place}`, now)
  }

  places = (): readonly string[] => [
    ...new Set([this.#mainPlaceId, ...[...this.#available.keys()].map(key => key.split(' ')[1] ?? '')]),
  ]

  /** How many of the kit there are; undefined where it has no row. */
  of(id: string, place: string): number | undefined {
    const parts = this.#parts.get(id) ?? []
    const levels = parts.map(([part, each]) => [this.#available.get(`${part} ${place}`), each] as const)
    if (this.#archived.has(id)) return undefined
    if (place !== this.#mainPlaceId && levels.every(([available]) => available === undefined)) return undefined
    return Number(levels.map(([available = 0n, each]) => floor(available, each)).reduce(least))
  }

  /** The rows of kits as they should be. */
  expected(): Map<string, number> {
    const all = [...this.#parts.keys()].flatMap(id =>
      this.places().map(place => [`${id} ${place}`, this.of(id, place)] as const),
    )
    return new Map(all.flatMap(([key, now]) => (now === undefined ? [] : [[key, now] as const])))
  }
}

async function walk(seed: number, t: Loose): Promise<void> {
  const next = numbers(seed)
  const one = <T>(...of: readonly T[]): T => of[next(of.length)] as T
  const { tenant, variant, place } = await salesroom(bench)
  const places = [await place('Main'), await place('Shop')]
  const parts = [await variant('CUP'), await variant('TEA'), await variant('LID')]
  const mirror = new Mirror(places[0] ?? '')
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
