/**
 * Random receipts, orders, shipments, returns, transfers and adjustments, traced in both directions and compared with a naive reference.
 */
import fc from 'fast-check'
import { listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const RUNS = 8

const sku = fc.nat(3)
const place = fc.nat(1)
const batch = fc.constantFrom('A', 'B', 'C')
const amount = fc.constantFrom(1, 2, 0.333333)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('buy' as const), sku, place, batch, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('adjust' as const), sku, place, batch, amount, out: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('make' as const),
      sku,
      place,
      materials: fc.uniqueArray(sku, { minLength: 1, maxLength: 2 }),
      // Several outputs, and one that only raises the value.
      outputs: fc.array(fc.tuple(fc.option(batch), amount), { minLength: 1, maxLength: 2 }),
      isEnded: fc.boolean(),
      // Of the 0.5 of the first material. If all of it is returned, no order consumed the batch.
      back: fc.constantFrom(0, 0, 0.2, 0.5),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sell' as const), sku, place, amount, back: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('transfer' as const), sku, place, amount }) },
)

type Kind = { readonly name: string; readonly sign: 1 | -1 | 0 }
const ahead: Readonly<Record<string, Kind>> = {
  SALES_SHIPMENT: { name: 'SHIPPED', sign: 0 },
  MANUFACTURING_WRITE_OFF: { name: 'CONSUMED', sign: 0 },
  SALES_RETURN: { name: 'RETURNED', sign: 0 },
  ADJUSTMENT: { name: 'ADJUSTED_OUT', sign: -1 },
}
const back: Readonly<Record<string, Kind>> = {
  PURCHASE_RECEIPT: { name: 'RECEIVED', sign: 0 },
  MANUFACTURING_OUTPUT: { name: 'PRODUCED', sign: 0 },
  SALES_RETURN: { name: 'RETURNED', sign: 0 },
  ADJUSTMENT: { name: 'ADJUSTED_IN', sign: 1 },
}

/**
 * The expected rows of a trace, as arrays. A level is the length of the shortest path through the orders, computed by repeated passes until
 * nothing changes. The rows are all sums of movements whose batch, or whose order, has a level. Returned material is subtracted from what
 * was taken.
 */
function reference(all: readonly Loose[], stock: readonly Loose[], start: string, direction: 'forward' | 'backward') {
  const movements = all.map(m => (m.kind === 'MANUFACTURING_RETURN' ? { ...m, kind: 'MANUFACTURING_WRITE_OFF' } : m))
  const [from, to] = ['MANUFACTURING_WRITE_OFF', 'MANUFACTURING_OUTPUT']
  const [near, far] = direction === 'forward' ? [from, to] : [to, from]
  const sumOf = (group: readonly Loose[]) => group.reduce((total, m) => total + parseScaled(String(m.quantity), 6), 0n)
  const groups = Map.groupBy(movements, m => [m.kind, m.source_id, m.batch_id, m.storage_place_id].join())
  const moved = new Set([...groups.values()].filter(group => sumOf(group) !== 0n).flat())
  const isMoved = (kind: string | undefined) => (m: Loose) => m.kind === kind && moved.has(m)
  const level = new Map<string, number>([[start, 0]])
  const orderLevel = new Map<string, number>()
  const lower = (map: Map<string, number>, id: string, value: number) => {
    if (value >= (map.get(id) ?? Number.POSITIVE_INFINITY)) return false
    map.set(id, value)
    return true
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const m of movements.filter(isMoved(near)))
      if (level.has(m.batch_id)) changed = lower(orderLevel, m.source_id, level.get(m.batch_id) ?? 0) || changed
    for (const m of movements.filter(isMoved(far))) {
      const of = orderLevel.get(m.source_id)
      if (of !== undefined && m.batch_id !== null) changed = lower(level, m.batch_id, of + 1) || changed
    }
  }
  const rows: { at: number; first: bigint; row: unknown[] }[] = []
  for (const group of groups.values()) {
    const [first] = group
    const sum = sumOf(group)
    if (sum === 0n) continue
    const quantity = Number(formatScaled(sum < 0n ? -sum : sum, 6))
    const { id, batch_id, item_variant_id, storage_place_id, source_type, source_id, kind } = first
    const told = (at: number | undefined, name: string) => {
      if (at === undefined) return
      const row = [at, name, batch_id, item_variant_id, quantity, storage_place_id, source_type, source_id]
      rows.push({ at, first: BigInt(id), row })
    }
    const own = (direction === 'forward' ? ahead : back)[kind]
    if (own && (own.sign === 0 || own.sign === (sum > 0n ? 1 : -1))) told(level.get(batch_id), own.name)
    const by = orderLevel.get(source_id)
    if (kind === far && by !== undefined) told(by + 1, direction === 'forward' ? 'PRODUCED' : 'CONSUMED')
  }
  if (direction === 'forward')
    for (const l of stock.filter(l => l.quantity > 0 && level.has(l.batch_id))) {
      const at = level.get(l.batch_id) ?? 0
      const row = [at, 'IN_STOCK', l.batch_id, l.item_variant_id, l.quantity, l.storage_place_id, null, null]
      // These rows come after all movements, by batch and place.
      rows.push({ at, first: 2n ** 63n * BigInt(l.batch_id) + BigInt(l.storage_place_id), row })
    }
  return rows.sort((a, b) => a.at - b.at || (a.first < b.first ? -1 : 1)).map(({ row }) => row)
}

test('traces equal the reference, whatever was bought, made, sold, returned and moved', async t => {
  let rows = 0
  let deepest = 0
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async steps => {
    const shop = await trade(bench)
    const places = [await shop.place('North'), await shop.place('South')]
    const variants = await Promise.all([0, 1, 2, 3].map(n => shop.variant(`V-${n}`, { batch_tracked: n < 3 })))
    const opening = variants.map((id, n) => ({
      item_variant_id: id,
      quantity: 1,
      ...(n < 3 ? { batch_number: 'A' } : {}),
    }))
    for (const at of places) await shop.adjust(opening, { storage_place_id: at })
    for (const one of steps) {
      const [variant = '', at = ''] = [variants[one.sku], places[one.place]]
      const isTracked = one.sku < 3
      // Refused if there is too little: then nothing changes.
      const tried = async (run: () => Promise<unknown>) =>
        run().catch((error: Error) => t.regex(error.message, /^refused: /))
      if (one.kind === 'buy' && isTracked) await shop.bought(variant, one.batch, at, [one.amount, one.amount])
      if (one.kind === 'adjust') {
        const given = isTracked && !one.out ? { batch_number: one.batch } : {}
        const quantity = one.out ? -one.amount : 2 * one.amount
        await tried(() => shop.adjust([{ item_variant_id: variant, quantity, ...given }], { storage_place_id: at }))
      }
      if (one.kind === 'make')
        await tried(async () => {
          const items = one.materials.map(sku => itemLine(variants[sku], 0.5))
          const made = await shop.order(variant, 5, { items, manufacturing_location_id: at })
          await shop.start(made)
          if (one.back > 0) await shop.materials(made, { items: [itemLine(items[0]?.item_variant_id, -one.back)] })
          for (const [number, quantity] of one.outputs)
            await shop.complete(made, {
              quantity,
              ...(number === null || !isTracked ? {} : { output_batch_number: number }),
            })
          if (one.isEnded) await shop.complete(made, { quantity: 0, is_final: true })
        })
      if (one.kind === 'sell')
        await tried(async () => {
          const order = await shop.sold('Cafe', [itemLine(variant, one.amount, { storage_place_id: at })])
          await shop.ship(order)
          if (one.back) await shop.returned(order, one.amount / 2 < 0.2 ? 0.1 : one.amount / 2)
        })
      if (one.kind === 'transfer')
        await tried(() =>
          shop.transfer({
            from_storage_place_id: at,
            to_storage_place_id: places[1 - one.place],
            items: [itemLine(variant, one.amount)],
          }),
        )
    }
    const [movements, stock] = [await shop.movements(), await shop.stock()]
    for (const { id } of await shop.tenant.page(listBatches, { limit: 200 }))
      for (const direction of ['forward', 'backward'] as const) {
        const trace = await shop.trace(id, direction)
        const found = trace.rows.map((row: Loose) => [
          row.level,
          row.kind,
          row.batch_id,
          row.item_variant_id,
          row.quantity,
          row.storage_place_id,
          row.source_type,
          row.source_id,
        ])
        t.deepEqual(found, reference(movements, stock, id, direction), `${direction} of ${id}`)
        rows += found.length
        deepest = Math.max(deepest, found.at(-1)?.[0] ?? 0)
      }
  })
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  t.true(rows > RUNS * 20 && deepest >= 2, `${rows} rows down to level ${deepest}`)
})
