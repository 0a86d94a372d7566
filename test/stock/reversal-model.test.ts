/**
 * Random receipts, shipments, adjustments, transfers and reversals of them. A naive model gives the movements of a reversal, or says that
 * goods are short. The stock is the sum of the movements, V is never below 0, and is 0 where Q is 0.
 */
import fc from 'fast-check'
import { reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { createOrder as createSale } from '../../lib/domain/sales/orders/commands.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import { createAdjustment, reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createTransfer, reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { parseScaled } from '../../lib/platform/decimal.ts'
import { type Buying, buying } from '../purchasing/buying.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12)

const quantity = fc.integer({ min: 1, max: 7 })
const cost = fc.constantFrom(0, 0.333333, 1.000049, 3.333333, 10)
const sku = fc.constantFrom('OAK', 'OAK', 'MILK')
const batch = fc.constantFrom('A', 'B')
const step = fc.oneof(
  fc.record({ does: fc.constant('receive' as const), sku, quantity, cost, batch, quarantine: fc.boolean() }),
  fc.record({ does: fc.constant('ship' as const), sku, quantity }),
  fc.record({ does: fc.constant('adjust' as const), sku, quantity, cost, batch, out: quantity }),
  fc.record({ does: fc.constant('transfer' as const), sku, quantity, back: fc.boolean(), quarantine: fc.boolean() }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('reverse' as const), which: fc.nat(40) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The first stock to sell and to move. */
const beginning = (['OAK', 'MILK'] as const).map(
  (of): Step => ({ ...{ does: 'receive', sku: of, quantity: 5, cost: 3.333333, batch: 'A', quarantine: false } }),
)

type Move = { readonly row: string; readonly place: string; readonly quantity: bigint; readonly value: bigint }
type Done = {
  readonly id: string
  readonly reverse: typeof reverseTransfer
  readonly moves: readonly Move[]
  isReversed: boolean
}

/** The stock: quantities by row (variant, place, batch, quarantine), quantity and value by variant and place. */
class Shelf {
  readonly rows = new Map<string, bigint>()
  readonly places = new Map<string, { quantity: bigint; value: bigint }>()

  at(place: string) {
    return this.places.get(place) ?? { quantity: 0n, value: 0n }
  }
  add({ row, place, quantity, value }: Move): void {
    const before = this.at(place)
    this.rows.set(row, (this.rows.get(row) ?? 0n) + quantity)
    this.places.set(place, { quantity: before.quantity + quantity, value: before.value + value })
  }
}

/** The movements of a reversal, applied to the shelf; null: goods are missing, and the shelf is unchanged. */
function answersOf(shelf: Shelf, moves: readonly Move[], isTransfer: boolean): readonly Move[] | null {
  const answers: Move[] = []
  const takeBack = () => {
    for (const { row, place, quantity, value } of answers) shelf.add({ row, place, quantity: -quantity, value: -value })
    return null
  }
  for (const move of moves.toReversed()) {
    const { quantity, value } = shelf.at(move.place)
    let left = -move.value
    if (move.quantity > 0n) {
      if ((shelf.rows.get(move.row) ?? 0n) < move.quantity) return takeBack()
      left = move.quantity === quantity || move.value > value ? -value : -move.value
    } else if (isTransfer) left = -(answers.at(-1)?.value ?? 0n)
    const answer = { ...move, quantity: -move.quantity, value: left }
    shelf.add(answer)
    answers.push(answer)
  }
  return answers
}

async function opened() {
  const room = await buying(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const variants: Record<string, string> = {
    OAK: await room.variant('OAK'),
    MILK: await room.variant('MILK', { batch_tracked: true }),
  }
  return { room, north, south, variant: (of: string) => variants[of] ?? '' }
}

/** The document that a step makes; null: the step is refused. */
async function made(
  { room, north, south, variant }: Awaited<ReturnType<typeof opened>>,
  each: Exclude<Step, { does: 'reverse' }>,
) {
  const { tenant } = room
  const item = itemLine(variant(each.sku), each.quantity)
  const named = 'batch' in each && each.sku === 'MILK' ? { batch_number: each.batch } : {}
  if (each.does === 'receive') {
    const order = await room.order([{ ...item, price: each.cost }])
    const items = [
      { purchase_order_item_id: order.items[0].id, quantity: each.quantity, quarantine: each.quarantine, ...named },
    ]
    return { body: await room.receive(order, { storage_place_id: north, items }), reverse: reverseReceipt }
  }
  if (each.does === 'ship') {
    const sale = await tenant.done(createSale, { customer: { title: 'Shop' }, items: [item] })
    return { body: (await tenant.run(createShipment, {}, { id: sale.id })).body, reverse: reverseShipment }
  }
  if (each.does === 'adjust') {
    const items = [
      { ...item, unit_cost: each.cost, ...named },
      { ...item, quantity: -each.out },
    ]
    return { body: (await tenant.run(createAdjustment, { items })).body, reverse: reverseAdjustment }
  }
  const [from, to] = each.back ? [south, north] : [north, south]
  const ways = { from_storage_place_id: from, to_storage_place_id: to }
  const { body } = await tenant.run(createTransfer, { ...ways, items: [{ ...item, to_quarantine: each.quarantine }] })
  return { body, reverse: reverseTransfer }
}

/** The movements of the document, or of its reversal. No list shows quarantine, so the step says which are quarantined. */
async function movesOf(room: Buying, id: string, kind: 'own' | 'REVERSAL', isQuarantined: (move: Loose) => boolean) {
  const found = await room.movements({ source_id: id })
  return found
    .filter(move => (move.kind === 'REVERSAL') === (kind === 'REVERSAL'))
    .map((move): Move => {
      const place = `${move.item_variant_id}@${move.storage_place_id}`
      return {
        row: `${place} ${move.batch_id} ${isQuarantined(move)}`,
        place,
        quantity: parseScaled(String(move.quantity), 6),
        value: parseScaled(String(move.value), 4),
      }
    })
}

test('any sequence of documents and reversals moves what a naive model says', async t => {
  const seen = { done: 0, reversed: 0, short: 0, twice: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }), async steps => {
      const world = await opened()
      const { room } = world
      const { tenant } = room
      const shelf = new Shelf()
      const documents: Done[] = []
      for (const each of [...beginning, ...steps]) {
        if (each.does === 'reverse') {
          const open = documents.filter(({ isReversed }) => !isReversed || each.which % 5 === 0)
          const document = open[each.which % Math.max(open.length, 1)]
          if (document === undefined) continue
          const said = await tenant.refusal(document.reverse, { reason: 'test' }, { id: document.id })
          if (document.isReversed) {
            t.regex(said, /^already_reversed/)
            seen.twice++
            continue
          }
          const answers = answersOf(shelf, document.moves, document.reverse === reverseTransfer)
          if (answers === null) t.regex(said, /^insufficient_stock/)
          else {
            t.is(said, 'done')
            const booked = await movesOf(room, document.id, 'REVERSAL', () => false)
            const bare = ({ place, quantity, value }: Move) => ({ place, quantity, value })
            t.deepEqual(booked.map(bare), answers.map(bare))
            document.isReversed = true
          }
          seen[answers === null ? 'short' : 'reversed']++
          continue
        }
        const { body, reverse } = await made(world, each)
        if (body === undefined) continue
        const isQuarantined = ({ quantity }: Loose) => 'quarantine' in each && each.quarantine && quantity > 0
        const moves = await movesOf(room, body.id, 'own', isQuarantined)
        for (const move of moves) shelf.add(move)
        documents.push({ id: body.id, reverse, moves, isReversed: false })
        seen.done++
      }
      for (const { quantity, value } of shelf.places.values())
        t.true(value >= 0n && quantity >= 0n && (quantity > 0n || value === 0n))
      const shown = new Map<string, { quantity: bigint; value: bigint }>()
      for (const row of await room.stock()) {
        const place = `${row.item_variant_id}@${row.storage_place_id}`
        const before = shown.get(place) ?? { quantity: 0n, value: 0n }
        shown.set(place, {
          quantity: before.quantity + parseScaled(String(row.quantity), 6),
          value: before.value + parseScaled(String(row.stock_value), 4),
        })
      }
      for (const [place, held] of shown) t.deepEqual(held, shelf.at(place))
      t.deepEqual(await bench.faults(tenant.id), [])
    }),
    { numRuns: RUNS },
  )
  t.log(seen)
  t.true(seen.reversed > 0 && seen.short > 0)
})
