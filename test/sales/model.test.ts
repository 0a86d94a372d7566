/**
 * Random orders, holds, changes, shipments, packings, returns and adjustments, some of them refused, compared with a naive model. Then
 * everything is reconciled.
 */
import fc from 'fast-check'
import { createReservation, releaseReservation } from '../../lib/domain/sales/reservations/commands.ts'
import { divideRounded, formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose, Outcome } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const RUNS = Number(process.env['MODEL_RUNS'] ?? 10)

const micro = (text: string) => parseScaled(text, 6)
const cost = (value: number | string) => parseScaled(String(value), 4)
const number = (quantity: bigint) => Number(formatScaled(quantity, 6))

const amount = fc.constantFrom('1', '2', '3', '5', '0.333333', '0.000001', '2.5').map(micro)
const sku = fc.constantFrom('OAK', 'MILK', 'SERVICE')
const place = fc.constantFrom('main', 'other')
const index = fc.nat(5)
const steps = {
  order: fc.record({
    lines: fc.array(fc.tuple(sku, place, amount), { minLength: 1, maxLength: 4 }),
    backorder: fc.boolean(),
    // A hold by its position; beyond the last: none.
    taking: fc.nat(7),
  }),
  hold: fc.record({ lines: fc.array(fc.tuple(sku, place, amount), { minLength: 1, maxLength: 3 }) }),
  endHold: fc.record({ at: index, how: fc.constantFrom('RELEASED', 'EXPIRED') }),
  // For each entry: a line by its position (beyond the last: a new one), its quantity (null: removed) and its place.
  change: fc.record({
    order: index,
    entries: fc.uniqueArray(fc.tuple(fc.nat(4), fc.option(amount, { freq: 4 }), place), {
      minLength: 1,
      maxLength: 3,
      selector: ([at]) => at,
    }),
  }),
  end: fc.record({ order: index, how: fc.constantFrom('DONE', 'CANCELLED', 'SHIPPED') }),
  ship: fc.record({ order: index, line: fc.nat(3), quantity: amount }),
  pack: fc.record({ order: index, line: fc.nat(3), quantity: amount }),
  giveBack: fc.record({ order: index, line: fc.nat(3), quantity: amount, quarantine: fc.boolean() }),
  settle: fc.record({ at: index, cancelled: fc.boolean() }),
  adjust: fc.record({ sku: fc.constantFrom('OAK', 'MILK'), place, quantity: amount, out: fc.boolean() }),
}
type Steps = { [K in keyof typeof steps]: (typeof steps)[K] extends fc.Arbitrary<infer T> ? { kind: K } & T : never }
type Step = Steps[keyof Steps]
const weights = {
  order: 5,
  hold: 5,
  endHold: 3,
  change: 6,
  end: 2,
  ship: 8,
  pack: 2,
  giveBack: 4,
  settle: 4,
  adjust: 3,
}
const step = fc.oneof(
  ...Object.entries(steps).map(([kind, arbitrary]) => ({
    weight: weights[kind as keyof typeof weights],
    arbitrary: (arbitrary as fc.Arbitrary<object>).map(value => ({ kind, ...value }) as Step),
  })),
)

type Line = {
  id: string
  sku: string
  place: string
  /** The place of the last shipment. A change may name another place for the rest. */
  from: string
  quantity: bigint
  shipped: bigint
  value: bigint
  held: bigint
}
type Order = { document: Loose; status: string; backorder: boolean; lines: Line[] }
type Hold = { document: Loose; status: string; lines: Line[] }
type Return = { document: Loose; line: Line; place: string; quantity: bigint; quarantine: boolean; open: boolean }
type Shelf = { quantity: bigint; quarantine: bigint; value: bigint }

const open = (line: Line) => line.quantity - line.shipped
const holds = (line: { sku: string }) => line.sku !== 'SERVICE'

/** Stock and orders by a naive implementation of the rules. It has no batches, since averages and sums do not need them. */
class Model {
  readonly shelves = new Map<string, Shelf>()
  readonly orders: Order[] = []
  readonly returns: Return[] = []
  readonly held: Hold[] = []

  shelf(key: string): Shelf {
    const found = this.shelves.get(key) ?? { quantity: 0n, quarantine: 0n, value: 0n }
    this.shelves.set(key, found)
    return found
  }

  reserved(key: string, except?: Order, taken?: Hold): bigint {
    const orders = this.orders.filter(order => order.status === 'OPEN' && order !== except)
    const held = this.held.filter(hold => hold.status === 'HELD' && hold !== taken)
    return [...orders, ...held]
      .flatMap(({ lines }) => lines)
      .filter(line => holds(line) && `${line.sku}@${line.place}` === key)
      .reduce((sum, line) => sum + open(line), 0n)
  }

  needs(lines: readonly Line[]): Map<string, bigint> {
    const needs = new Map<string, bigint>()
    for (const line of lines.filter(holds)) {
      const key = `${line.sku}@${line.place}`
      needs.set(key, (needs.get(key) ?? 0n) + open(line))
    }
    return needs
  }

  /** Whether an order without backorder may need these lines. */
  allows(order: Order | undefined, backorder: boolean, lines: readonly Line[], taken?: Hold): boolean {
    if (backorder || lines.every(line => open(line) === 0n)) return true
    const before = this.needs(order?.lines ?? [])
    return [...this.needs(lines)].every(([key, need]) => {
      const { quantity, quarantine } = this.shelf(key)
      return need <= (before.get(key) ?? 0n) || need <= quantity - quarantine - this.reserved(key, order, taken)
    })
  }

  canShip(batches: readonly (readonly [Line, bigint])[]): boolean {
    const wanted = new Map<string, bigint>()
    for (const [line, quantity] of batches.filter(([line]) => holds(line))) {
      const key = `${line.sku}@${line.place}`
      wanted.set(key, (wanted.get(key) ?? 0n) + quantity)
    }
    return [...wanted].every(([key, quantity]) => quantity <= this.shelf(key).quantity - this.shelf(key).quarantine)
  }

  /** The value of each movement is taken from the service. The test proves that the values add up. */
  ship(order: Order, batches: readonly (readonly [Line, bigint])[], values: ReadonlyMap<Line, bigint>): void {
    for (const [line, quantity] of batches) {
      line.shipped += quantity
      line.from = line.place
      if (!holds(line)) continue
      const shelf = this.shelf(`${line.sku}@${line.place}`)
      const value = values.get(line) ?? 0n
      line.value += value
      shelf.quantity -= quantity
      shelf.value -= value
    }
    this.finish(order)
  }

  finish(order: Order): void {
    if (order.lines.every(line => open(line) === 0n)) order.status = 'DONE'
  }
}

test('random sales leave what a naive model says, reserve what is open and conserve value', async t => {
  // The test fails if the runs did too little.
  const seen = { done: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async all => {
      const room = await salesroom(bench)
      const places: Record<string, string> = { main: await room.place('Main'), other: await room.place('Other') }
      const variants: Record<string, string> = {
        OAK: await room.variant('OAK', { price: 3.335 }),
        MILK: await room.variant('MILK', { batch_tracked: true, price: 1 }),
        SERVICE: await room.variant('SERVICE', { type: 'SERVICE', price: 9 }),
      }
      const model = new Model()
      for (const [at, key] of ['OAK@main', 'OAK@other', 'MILK@main', 'MILK@other'].entries()) {
        const [name = '', spot = ''] = key.split('@')
        const items = [4, 3].map(quantity => ({
          item_variant_id: variants[name],
          quantity,
          unit_cost: 1.333333 + at,
          ...(name === 'MILK' ? { batch_number: `${name}-${quantity}` } : {}),
        }))
        const { total_amount } = await room.adjust(items, { storage_place_id: places[spot] })
        Object.assign(model.shelf(key), { quantity: micro('7'), value: cost(total_amount) })
      }

      /** The values that left with each line, from the movements of a shipment in the order of its batches. */
      const leftValues = async (made: Loose, batches: readonly (readonly [Line, bigint])[]) => {
        const found = await room.movements({ source_id: made.id })
        const values = new Map<Line, bigint>()
        for (const [line, quantity] of batches) {
          let left = holds(line) ? quantity : 0n
          while (left > 0n) {
            const movement = found.shift()
            if (movement === undefined) throw new Error('a shipment without its movements')
            left += parseScaled(fixed(movement.quantity, 6), 6)
            values.set(line, (values.get(line) ?? 0n) - parseScaled(fixed(movement.value, 4), 4))
          }
        }
        return values
      }

      const run: { [K in keyof Steps]: (step: Steps[K]) => Promise<boolean | undefined> } = {
        order: async ({ lines, backorder, taking }) => {
          const taken = model.held[taking]
          const wanted = lines.map(([name, spot, quantity]) => ({
            id: '',
            sku: name,
            place: spot,
            from: spot,
            quantity,
            shipped: 0n,
            value: 0n,
            held: 0n,
          }))
          const allowed =
            (taken === undefined || taken.status === 'HELD') && model.allows(undefined, backorder, wanted, taken)
          const items = wanted.map(line => ({
            item_variant_id: variants[line.sku],
            quantity: number(line.quantity),
            discount_percent: 12.3456,
            storage_place_id: places[line.place],
          }))
          const charges = [{ title: 'Shipping', amount: 4.995, tax_rate: 19 }]
          const outcome = await room.tryOrder(items, {
            allow_backorder: backorder,
            charges,
            reservation_id: taken?.document.id ?? null,
          })
          expect(outcome, allowed, 'order')
          if (!allowed) return false
          if (taken) taken.status = 'CONSUMED'
          const made = wanted.map((line, at) => ({ ...line, id: outcome.body.items[at].id }))
          model.orders.push({ document: outcome.body, status: 'OPEN', backorder, lines: made })
          return true
        },
        hold: async ({ lines }) => {
          const wanted = lines.map(([name, spot, quantity]) => ({
            ...{ id: '', sku: name, place: spot, from: spot, quantity },
            ...{ shipped: 0n, value: 0n, held: 0n },
          }))
          const legal = wanted.every(holds) && model.allows(undefined, false, wanted)
          const outcome = await room.tenant.run(createReservation, {
            expires_at: '2026-12-01',
            items: wanted.map(line => ({
              item_variant_id: variants[line.sku],
              quantity: number(line.quantity),
              storage_place_id: places[line.place],
            })),
          })
          expect(outcome, legal, 'hold')
          if (legal) model.held.push({ document: outcome.body, status: 'HELD', lines: wanted })
          return legal
        },
        endHold: async ({ at, how }) => {
          const hold = chosen(model.held, at)
          if (hold === undefined) return undefined
          const legal = hold.status === 'HELD' && how === 'RELEASED'
          // The command that finds the expired hold ends it, and is refused.
          if (how === 'EXPIRED')
            await bench.pool.query(statement`
              update reservations set expires_at = ${room.tenant.now}::timestamptz
              where tenant_id = ${room.tenant.id}::bigint and id = ${hold.document.id}::bigint`)
          const outcome = await room.tenant.run(releaseReservation, {}, { id: hold.document.id })
          expect(outcome, legal, how)
          if (hold.status === 'HELD') hold.status = how
          return legal
        },
        change: async ({ order: at, entries }) => {
          const order = chosen(model.orders, at)
          if (order === undefined) return undefined
          let lines = order.lines.map(line => ({ ...line }))
          let legal = order.status === 'OPEN'
          const items = entries.map(([position, quantity, spot]) => {
            const line = position < order.lines.length ? lines[position] : undefined
            if (line === undefined) {
              const added = { id: '', sku: 'OAK', place: spot, from: spot, quantity: quantity ?? micro('1') }
              lines = [...lines, { ...added, shipped: 0n, value: 0n, held: 0n }]
              const item = { item_variant_id: variants['OAK'], storage_place_id: places[spot] }
              return { ...item, quantity: number(added.quantity) }
            }
            if (quantity === null) {
              if (line.shipped > 0n) legal = false
              line.quantity = -1n
              return { id: line.id, remove: true }
            }
            if (quantity < line.shipped) legal = false
            Object.assign(line, { quantity, place: spot })
            return { id: line.id, quantity: number(quantity), storage_place_id: places[spot] }
          })
          lines = lines.filter(line => line.quantity >= 0n)
          legal &&= lines.length > 0 && model.allows(order, order.backorder, lines)
          const outcome = await room.tryChange(order.document, { items })
          expect(outcome, legal, 'change')
          if (!legal) return false
          // The model's returns keep a reference to their lines.
          order.lines = lines.map((line, n) => {
            const kept = order.lines.find(({ id }) => id === line.id && id !== '')
            return kept ? Object.assign(kept, line) : { ...line, id: outcome.body.items[n].id }
          })
          model.finish(order)
          return true
        },
        end: async ({ order: at, how }) => {
          const order = chosen(model.orders, at)
          if (order === undefined) return undefined
          const batches = order.lines.map(line => [line, open(line)] as const).filter(([, left]) => left > 0n)
          const legal =
            order.status === 'OPEN' &&
            (how === 'DONE' ||
              (how === 'CANCELLED' ? order.lines.every(line => line.shipped === 0n) : model.canShip(batches)))
          const outcome = await room.tryChange(
            order.document,
            how === 'SHIPPED' ? { delivery_status: how } : { status: how },
          )
          expect(outcome, legal, how)
          if (!legal) return false
          if (how !== 'SHIPPED') order.status = how
          else model.ship(order, batches, await leftValues((await room.shipments(order.document)).at(-1), batches))
          return true
        },
        ship: async ({ order: at, line: position, quantity }) => {
          const order = chosen(model.orders, at)
          const line = chosen(order?.lines ?? [], position)
          if (order === undefined || line === undefined) return undefined
          const batches = [[line, quantity] as const]
          const legal = order.status === 'OPEN' && quantity <= open(line) && model.canShip(batches)
          const items = [{ sales_order_item_id: line.id, quantity: number(quantity) }]
          const outcome = await room.tryShip(order.document, { items })
          expect(outcome, legal, 'ship')
          if (legal) model.ship(order, batches, await leftValues(outcome.body, batches))
          return legal
        },
        pack: async ({ order: at, line: position, quantity }) => {
          const order = chosen(model.orders, at)
          const line = chosen(order?.lines ?? [], position)
          if (order === undefined || line === undefined) return undefined
          const items = [{ sales_order_item_id: line.id, quantity: number(quantity) }]
          await room.tryPack(order.document, { items })
          return undefined
        },
        giveBack: async ({ order: at, line: position, quantity, quarantine }) => {
          const order = chosen(model.orders, at)
          const line = chosen(order?.lines ?? [], position)
          if (order === undefined || line === undefined) return undefined
          const legal = quantity <= line.shipped - line.held
          const items = [{ sales_order_item_id: line.id, quantity: number(quantity), quarantine }]
          const outcome = await room.tryGiveBack(order.document, items)
          expect(outcome, legal, 'return')
          if (!legal) return false
          line.held += quantity
          model.returns.push({ document: outcome.body, line, place: line.from, quantity, quarantine, open: true })
          return true
        },
        settle: async ({ at, cancelled }) => {
          const made = chosen(model.returns, at)
          if (made === undefined) return undefined
          const outcome = cancelled ? await room.tryCancel(made.document) : await room.tryReceive(made.document)
          expect(outcome, made.open, 'settle')
          if (!made.open) return false
          made.open = false
          const { line, quantity } = made
          if (cancelled) line.held -= quantity
          else if (holds(line)) {
            const shelf = model.shelf(`${line.sku}@${made.place}`)
            shelf.quantity += quantity
            if (made.quarantine) shelf.quarantine += quantity
            shelf.value += divideRounded(quantity * line.value, line.shipped)
          }
          return true
        },
        adjust: async ({ sku: name, place: spot, quantity, out }) => {
          const shelf = model.shelf(`${name}@${spot}`)
          const legal = !out || quantity <= shelf.quantity - shelf.quarantine
          const item = { item_variant_id: variants[name], quantity: number(out ? -quantity : quantity) }
          const inflow = out ? {} : { unit_cost: 2.5, ...(name === 'MILK' ? { batch_number: 'MILK-4' } : {}) }
          const outcome = await room.tryAdjust([{ ...item, ...inflow }], { storage_place_id: places[spot] })
          expect(outcome, legal, 'adjust')
          if (!legal) return false
          shelf.quantity += out ? -quantity : quantity
          shelf.value += parseScaled(fixed(outcome.body.total_amount, 4), 4)
          return true
        },
      }
      for (const next of all) {
        const done = await (run[next.kind] as (step: Step) => Promise<boolean | undefined>)(next)
        if (done !== undefined) seen[done ? 'done' : 'refused']++
      }

      const stock = await room.stock()
      for (const [key, shelf] of model.shelves) {
        const [name = '', spot = ''] = key.split('@')
        const rows = stock.filter(row => row.sku === name && row.storage_place_id === places[spot])
        const sum = (field: string, places: number) =>
          rows.reduce((total, row) => total + parseScaled(fixed(row[field], places), places), 0n)
        const found = [
          sum('quantity', 6),
          sum('quarantine_quantity', 6),
          sum('stock_value', 4),
          sum('reserved_quantity', 6),
        ]
        t.deepEqual(found, [shelf.quantity, shelf.quarantine, shelf.value, model.reserved(key)], key)
      }
      for (const { document, status, lines } of model.orders) {
        const order = await room.read(document)
        t.is(order.status, status)
        t.deepEqual(
          order.items.map((item: Loose) => [item.id, fixed(item.quantity, 6), fixed(item.shipped_quantity, 6)]),
          lines.map(line => [line.id, number(line.quantity).toFixed(6), number(line.shipped).toFixed(6)]),
        )
      }
    }),
    { numRuns: RUNS },
  )
  t.deepEqual(await bench.faults(), [])
  t.log(seen)
  t.true(seen.done > 2 * RUNS && seen.refused > RUNS)
})

const chosen = <T>(of: readonly T[], at: number): T | undefined => of[at % Math.max(of.length, 1)]

/** @throws Error with the refusal if the service decides otherwise than the model. */
function expect({ refusal }: Outcome, legal: boolean, what: string): void {
  if ((refusal === undefined) !== legal) throw new Error(`${what}: ${refusal?.message ?? 'should be refused'}`)
}

/** A JSON number of few digits as plain decimal text. */
function fixed(value: number, places: number): string {
  return value.toFixed(places)
}
