/**
 * Random orders, changes, receipts and closings, some of them refused, compared with a naive model of lines and expected stock. Then
 * everything is reconciled.
 */
import fc from 'fast-check'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const RUNS = Number(process.env['MODEL_RUNS'] ?? 20)

const amount = fc.constantFrom('1', '2', '3', '7', '0.333333', '0.000001', '2.5').map(text => parseScaled(text, 6))
const index = fc.nat(5)
const order = fc.record({
  kind: fc.constant('order' as const),
  lines: fc.array(fc.tuple(fc.constantFrom('OAK', 'MILK', 'FREIGHT'), amount, fc.constantFrom(1n, 1n, 3n)), {
    minLength: 1,
    maxLength: 4,
  }),
})
const receipt = fc.record({
  kind: fc.constant('receive' as const),
  order: index,
  // Null: all that is outstanding.
  lines: fc.option(fc.array(fc.tuple(fc.nat(3), amount, fc.boolean()), { minLength: 1, maxLength: 2 }), { freq: 2 }),
  place: fc.constantFrom('main', 'main', 'other'),
})
const where = fc.constantFrom<string | undefined>(undefined, undefined, undefined, 'main', 'other', 'none')
const change = fc.record({
  kind: fc.constant('change' as const),
  order: index,
  // At most one entry for each line: a new quantity, the received quantity, or its removal.
  lines: fc.uniqueArray(fc.tuple(fc.nat(3), fc.oneof(amount, fc.constantFrom('received' as const, 'out' as const))), {
    maxLength: 3,
    selector: ([at]) => at,
  }),
  added: fc.array(fc.tuple(fc.constantFrom('OAK', 'MILK', 'FREIGHT'), amount), { maxLength: 1 }),
  place: where,
})
/** Cancels what is outstanding, if possible of an order that is received in part. */
const callOff = fc.record({ kind: fc.constant('call off' as const), order: index })
const closing = fc.record({ kind: fc.constant('close' as const), order: index })
const place = fc.record({ kind: fc.constant('place' as const) })
const step = fc.oneof(
  { weight: 4, arbitrary: order },
  { weight: 8, arbitrary: receipt },
  { weight: 6, arbitrary: change },
  { weight: 3, arbitrary: callOff },
  { weight: 1, arbitrary: closing },
  { weight: 1, arbitrary: place },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/**
 * Cases that random steps seldom reach: the rest of an order that is received in part is cancelled, at another place. Another order is
 * closed, and can be neither received nor changed any more.
 */
const CALLED_OFF: Step[] = [
  {
    kind: 'order',
    lines: [
      ['OAK', 2_000_000n, 1n],
      ['MILK', 1_000_000n, 1n],
    ],
  },
  { kind: 'receive', order: 0, lines: [[0, 1_000_000n, false]], place: 'main' },
  { kind: 'change', order: 0, lines: [], added: [], place: 'none' },
  { kind: 'call off', order: 0 },
  { kind: 'order', lines: [['OAK', 1_000_000n, 1n]] },
  { kind: 'close', order: 1 },
  { kind: 'receive', order: 1, lines: [[0, 1_000_000n, false]], place: 'main' },
  { kind: 'change', order: 1, lines: [[0, 'out']], added: [], place: undefined },
]

/** `rate`: how many stock units a purchase unit has; 1: the line is in stock units. */
type Line = { sku: string; rate: bigint; quantity: bigint; received: bigint }
type Order = { document: Loose; lines: Line[]; done: boolean; expectedAt: string }

const number = (micro: bigint) => Number(formatScaled(micro, 6))
/** This quantity in stock units, or in purchase units. */
const counted = (rate: bigint, units: bigint): Loose =>
  rate === 1n ? { quantity: number(units) } : { purchase_quantity: number(units) }
const open = (line: Line) => line.quantity - line.received

type Change = Extract<Step, { kind: 'change' }>

/**
 * The body of the change, and the lines that it leaves; or the code of its refusal. A line that is to become what is received stays if
 * nothing of it is received.
 */
function amend(order: Order, { lines, added }: Pick<Change, 'lines' | 'added'>) {
  const named = lines.filter(([at]) => at < order.lines.length)
  const after: (Line | null)[] = order.lines.map(line => ({ ...line }))
  let isRefused = false
  const entries = named.flatMap(([at, to]): Loose[] => {
    const line = order.lines[at] as Line
    const { id } = order.document.items[at]
    if (to === 'out') {
      isRefused ||= line.received > 0n
      after[at] = null
      return [{ id, remove: true }]
    }
    const quantity = to === 'received' ? line.received : to * line.rate
    if (quantity === 0n || quantity % line.rate !== 0n) return []
    isRefused ||= quantity < line.received
    after[at] = { ...line, quantity }
    return [{ id, ...counted(line.rate, quantity / line.rate) }]
  })
  const kept = after.filter(line => line !== null)
  const left = [...kept, ...added.map(([sku, quantity]) => ({ sku, rate: 1n, quantity, received: 0n }))]
  const isInvalid = isRefused || left.length === 0
  const refusal = order.done ? 'purchase_order_not_editable' : isInvalid ? 'validation_failed' : undefined
  return { entries, added, left, refusal } as const
}

type Amended = ReturnType<typeof amend>

const isReceivedInPart = ({ done, lines }: Order) => !done && lines.some(line => line.received > 0n)

/** Adds the receipt to the lines. Returns false if this receipt is not allowed. */
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

const wordsOf = (entries: Iterable<[string, bigint]>) =>
  [...entries]
    .filter(([, quantity]) => quantity > 0n)
    .map(([key, quantity]) => `${key} ${formatScaled(quantity, 6)}`)
    .sort()

test('random orders, changes, receipts and closings leave what a naive model says', async t => {
  // The test fails if the runs did too little.
  const seen = { received: 0, refused: 0, closed: 0, changed: 0, unchanged: 0, ended: 0, moved: 0 }
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
      /** `to` undefined: the place stays. */
      const patch = async (
        order: Order,
        { entries, added, left, refusal: wanted }: Amended,
        to: string | undefined,
      ) => {
        const lines = added.map(([sku, quantity]) => ({ item_variant_id: variants[sku], quantity: number(quantity) }))
        const items = [...entries, ...lines]
        if (items.length === 0 && to === undefined) return
        const { body, refusal } = await room.tryChange(order.document, {
          ...(items.length === 0 ? {} : { items }),
          ...(to === undefined ? {} : { storage_place_id: to === 'none' ? null : to }),
        })
        t.is<string | undefined, string | undefined>(refusal?.refusal, wanted)
        seen[wanted === undefined ? 'changed' : 'unchanged']++
        if (wanted !== undefined) return
        Object.assign(order, { document: body, lines: left, done: left.every(line => open(line) === 0n) })
        if (order.done) seen.ended++
        if (to !== undefined && to !== order.expectedAt) seen.moved++
        order.expectedAt = to ?? order.expectedAt
      }
      for (const action of steps) {
        if (action.kind === 'place') {
          const name = places['main'] === undefined ? 'main' : 'other'
          places[name] = await room.place(name)
        } else if (action.kind === 'order') {
          const document = await room.order(
            action.lines.map(([sku, units, rate]) => ({
              item_variant_id: variants[sku],
              ...counted(rate, units),
              ...(rate === 1n ? { price: 1 } : { conversion_rate: Number(rate), purchase_price: 1 }),
              discount_percent: 33.3333,
            })),
          )
          const lines = action.lines.map(([sku, units, rate]) => ({ sku, rate, quantity: units * rate, received: 0n }))
          orders.push({ document, lines, done: false, expectedAt: places['main'] ?? 'none' })
        } else {
          const inPart = action.kind === 'call off' ? orders.find(isReceivedInPart) : undefined
          const order = inPart ?? orders[action.order % Math.max(orders.length, 1)]
          if (order === undefined) continue
          if (action.kind === 'close') {
            const { refusal } = await room.close(order.document)
            t.is<string | undefined, string | undefined>(
              refusal?.refusal,
              order.done ? 'purchase_order_not_editable' : undefined,
            )
            if (refusal === undefined) seen.closed++
            order.done = true
            continue
          }
          if (action.kind === 'change') {
            const moves = action.place !== undefined && (action.place === 'none' || places[action.place] !== undefined)
            await patch(order, amend(order, action), moves ? (places[action.place ?? ''] ?? 'none') : undefined)
            continue
          }
          if (action.kind === 'call off') {
            const lines = order.lines.map(({ received }, at): Change['lines'][number] => [
              at,
              received > 0n ? 'received' : 'out',
            ])
            await patch(order, amend(order, { lines, added: [] }), undefined)
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
          t.is<string | undefined, string | undefined>(
            refusal?.refusal,
            isAllowed ? undefined : 'purchase_receipt_not_allowed',
          )
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
    { numRuns: RUNS, examples: [[true, CALLED_OFF]] },
  )
  t.true(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen))
  t.deepEqual(await bench.faults(), [])
})
