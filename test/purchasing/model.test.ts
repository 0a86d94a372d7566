/**
 * Random orders, receipts and closings, refusals among them, against a naive reference model of lines and expected stock;
 * then everything is reconciled.
 */
import test from 'ava'
import fc from 'fast-check'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { buying } from './buying.ts'

const bench = await benchOfFile()

const RUNS = Number(process.env['MODEL_RUNS'] ?? 20)

const amount = fc.constantFrom('1', '2', '3', '7', '0.333333', '0.000001', '2.5').map(text => parseScaled(text, 6))
const index = fc.nat(5)
const order = fc.record({
  kind: fc.constant('order' as const),
  lines: fc.array(fc.tuple(fc.constantFrom('OAK', 'MILK', 'FREIGHT'), amount), { minLength: 1, maxLength: 4 }),
})
const receipt = fc.record({
  kind: fc.constant('receive' as const),
  order: index,
  // Null: all that is outstanding.
  lines: fc.option(fc.array(fc.tuple(fc.nat(3), amount, fc.boolean()), { minLength: 1, maxLength: 2 }), { freq: 2 }),
  place: fc.constantFrom('main', 'main', 'other'),
})
const closing = fc.record({ kind: fc.constant('close' as const), order: index })
const place = fc.record({ kind: fc.constant('place' as const) })
const step = fc.oneof(
  { weight: 4, arbitrary: order },
  { weight: 8, arbitrary: receipt },
  { weight: 1, arbitrary: closing },
  { weight: 1, arbitrary: place },
)

type Line = { sku: string; quantity: bigint; received: bigint }
type Order = { document: Loose; lines: Line[]; done: boolean; expectedAt: string }

const open = (line: Line) => line.quantity - line.received

/** Fills the lines, or tells that a receipt of this is not allowed. */
function fill(order: Order, wanted: readonly (readonly [number, bigint])[]): boolean {
  if (order.done) return false
  const after = order.lines.map(line => ({ ...line }))
  for (const [at, quantity] of wanted) {
    const line = after[at]
    if (line === undefined || open(line) < quantity) return false
    line.received += quantity
  }
  order.lines = after
  order.done = after.every(line => open(line) === 0n)
  return true
}

function deliveryStatus(lines: readonly Line[]): string {
  if (lines.every(line => open(line) === 0n)) return 'RECEIVED'
  return lines.some(line => line.received > 0n) ? 'PARTIALLY_RECEIVED' : 'NOT_RECEIVED'
}

const number = (micro: bigint) => Number(formatScaled(micro, 6))
const wordsOf = (entries: Iterable<[string, bigint]>) =>
  [...entries]
    .filter(([, quantity]) => quantity > 0n)
    .map(([key, quantity]) => `${key} ${formatScaled(quantity, 6)}`)
    .sort()

test('random orders, receipts and closings leave what a naive model says', async t => {
  // So that nobody is fooled by runs in which nothing happens.
  const seen = { received: 0, refused: 0, closed: 0 }
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 20 }), async (startsWithPlace, steps) => {
      const room = await buying(bench)
      const variants: Record<string, string> = {
        OAK: await room.variant('OAK'),
        MILK: await room.variant('MILK', { batch_tracked: true }),
        FREIGHT: await room.variant('FREIGHT', { type: 'SERVICE' }),
      }
      const places: Record<string, string> = startsWithPlace ? { main: await room.place('main') } : {}
      const orders: Order[] = []
      const physical = new Map<string, bigint>()
      for (const action of steps) {
        if (action.kind === 'place') {
          const name = places['main'] === undefined ? 'main' : 'other'
          places[name] = await room.place(name)
        } else if (action.kind === 'order') {
          const document = await room.order(
            action.lines.map(([sku, quantity]) => ({
              item_variant_id: variants[sku],
              quantity: number(quantity),
              price: 1,
            })),
          )
          const lines = action.lines.map(([sku, quantity]) => ({ sku, quantity, received: 0n }))
          orders.push({ document, lines, done: false, expectedAt: places['main'] ?? 'none' })
        } else {
          const order = orders[action.order % Math.max(orders.length, 1)]
          if (order === undefined) continue
          if (action.kind === 'close') {
            const { refusal } = await room.close(order.document)
            t.is(refusal?.refusal, order.done ? 'purchase_order_not_editable' : undefined)
            if (refusal === undefined) seen.closed++
            order.done = true
            continue
          }
          const placeId = places[action.place]
          if (placeId === undefined) continue
          const wanted =
            action.lines === null
              ? order.lines.map((line, at) => [at, open(line), false] as const).filter(([, quantity]) => quantity > 0n)
              : action.lines.filter(([at]) => at < order.lines.length)
          if (wanted.length === 0 && !order.done) continue
          const items = wanted.map(([at, quantity, isQuarantined]) => ({
            purchase_order_item_id: order.document.items[at].id,
            quantity: number(quantity),
            quarantine: isQuarantined && order.lines[at]?.sku !== 'FREIGHT',
          }))
          const body = action.lines === null || items.length === 0 ? {} : { items }
          const { refusal } = await room.tryReceive(order.document, { storage_place_id: placeId, ...body })
          const isAllowed = fill(
            order,
            wanted.map(([at, quantity]) => [at, quantity]),
          )
          t.is(refusal?.refusal, isAllowed ? undefined : 'purchase_receipt_not_allowed')
          seen[isAllowed ? 'received' : 'refused']++
          if (!isAllowed) continue
          for (const [at, quantity] of wanted) {
            const sku = order.lines[at]?.sku ?? ''
            if (sku === 'FREIGHT') continue
            const key = `${sku}@${placeId}`
            physical.set(key, (physical.get(key) ?? 0n) + quantity)
          }
        }
      }
      const expected = new Map<string, bigint>()
      for (const order of orders) {
        const shown = await room.read(order.document)
        t.deepEqual(
          [shown.status, shown.delivery_status, shown.items.map((item: Loose) => item.received_quantity)],
          [order.done ? 'DONE' : 'OPEN', deliveryStatus(order.lines), order.lines.map(line => number(line.received))],
        )
        if (order.done) continue
        for (const line of order.lines) {
          if (line.sku === 'FREIGHT') continue
          const key = `${line.sku}@${order.expectedAt}`
          expected.set(key, (expected.get(key) ?? 0n) + open(line))
        }
      }
      const stock = await room.stock()
      const shownOf = (name: string) => {
        const sums = new Map<string, bigint>()
        for (const row of stock) {
          const key = `${row.sku}@${row.storage_place_id ?? 'none'}`
          sums.set(key, (sums.get(key) ?? 0n) + BigInt(Math.round(row[name] * 1e6)))
        }
        return wordsOf(sums)
      }
      t.deepEqual(shownOf('quantity'), wordsOf(physical))
      t.deepEqual(shownOf('expected_quantity'), wordsOf(expected))
    }),
    { numRuns: RUNS },
  )
  t.true(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen))
  t.deepEqual((await reconcile(bench.databaseUrl)).faults, [])
})
