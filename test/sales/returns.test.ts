/** Sales returns: what may be returned, at which cost, into which batch, and the status changes of a return. */
import fc from 'fast-check'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import { untouched } from '../stock/stockroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const back = (order: Loose, at: number, quantity: number, extra = {}) => ({
  sales_order_item_id: order.items[at].id,
  quantity,
  ...extra,
})
const types = (events: Loose[]) => events.map(event => event.type)

/** An order of 4 OAK at 9.995, of which 2 are shipped, worth 6.6667. */
async function sold(options: { closedThrough?: string } = {}) {
  const room = await salesroom(bench, options)
  const main = await room.place('Main')
  const oak = await room.variant('OAK', { price: 9.995 })
  await room.adjust([itemLine(oak, 3, { unit_cost: 3.333333 })])
  const order = await room.order([itemLine(oak, 4, { tax_rate: 19 })])
  await room.ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity: 2 }] })
  return { ...room, main, oak, sold: order }
}

test('a return takes its defaults from the order line, and refunds its share of the line, or quantity * unit_price', async t => {
  const { tryGiveBack, readReturn, returns, main, oak, sold: order } = await sold()
  const { body, events } = await tryGiveBack(
    order,
    [
      back(order, 0, 1, { reason_id: 7, reason: 'damaged', reason_note: 'scratched' }),
      back(order, 0, 0.5, { unit_price: 1.01 }),
    ],
    { external_return_ref: 'RMA-1', tracking_info: 'DHL 1', notes: 'n', external_ref: 'ret-1' },
  )
  const { sales_return: head, items } = body
  // A quarter of 39.98 and of 7.60 of tax is 10.00 and 1.90. 0.505 is 0.51, of which 0.10 are tax.
  t.deepEqual(head, {
    id: head.id,
    number: 'SR-00001',
    status: 'NOT_RETURNED',
    source_type: 'SALES_ORDER',
    sales_order_id: order.id,
    sales_order_number: 'SO-00001',
    customer_id: order.customer.id,
    storage_place_id: main,
    external_return_ref: 'RMA-1',
    external_ref: 'ret-1',
    tracking_info: 'DHL 1',
    notes: 'n',
    ...untouched,
    cancellation_reason: null,
    created_date: '2026-11-21T05:00:00.000Z',
    updated_at: '2026-11-21T05:00:00.000Z',
    return_date: null,
    refund_amount: 10.51,
    refund_tax_amount: 2,
    refund_amount_with_tax: 12.51,
  })
  t.deepEqual(items, [
    {
      components: [],
      id: items[0].id,
      sales_order_item_id: order.items[0].id,
      item_variant_id: oak,
      batch_id: null,
      storage_place_id: main,
      sku: 'OAK',
      title: 'Item OAK',
      reason: 'damaged',
      reason_note: 'scratched',
      reason_id: 7,
      quantity: 1,
      unit_price: 9.995,
      refund_amount: 10,
      refund_tax_amount: 1.9,
      refund_amount_with_tax: 11.9,
      taxes: [],
      restock: true,
      quarantine: false,
    },
    {
      ...items[0],
      id: items[1].id,
      reason: null,
      reason_note: null,
      reason_id: null,
      quantity: 0.5,
      unit_price: 1.01,
      refund_amount: 0.51,
      refund_tax_amount: 0.1,
      refund_amount_with_tax: 0.61,
    },
  ])
  t.deepEqual(types(events), ['sales_return.created'])
  t.deepEqual([events[0]?.data, events[0]?.previous], [body, null])
  t.deepEqual(await readReturn(body), body)
  t.deepEqual(await returns(), [body])
})

test('goods come back at the average value of all that left for the line', async t => {
  const { adjust, giveBack, ship, tryReceive, movements, stock, tenant, oak, sold: order } = await sold()
  // 2 of 3 worth 10 left: 6.6667. The rest, 3.3333, and 1 of 14.3333 / 2 = 7.1667 leave, too.
  await adjust([itemLine(oak, 1, { unit_cost: 11 })])
  await ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }] })
  tenant.now = '2026-11-25T00:00:00.000Z'
  const made = await giveBack(order, [back(order, 0, 2)])
  const { body, events } = await tryReceive(made, { return_date: '2026-11-24' })
  t.deepEqual([body.sales_return.status, body.sales_return.return_date], ['RETURNED', '2026-11-24T00:00:00.000Z'])
  t.deepEqual(types(events), ['stock.changed', 'sales_return.returned'])
  t.deepEqual(events[1]?.previous, { sales_return: { status: 'NOT_RETURNED', return_date: null } })
  // 2 * (6.6667 + 7.1667) / 3 = 9.22226...
  const found = await movements({ source_id: body.sales_return.id })
  t.deepEqual(columns(found, 'kind', 'source_type', 'quantity', 'value', 'document_date'), [
    ['SALES_RETURN', 'SALES_RETURN', 2, 9.2223, '2026-11-24T00:00:00.000Z'],
  ])
  // 1 worth 7.1666 was left.
  t.deepEqual(columns(await stock(), 'quantity', 'stock_value', 'reserved_quantity'), [[3, 16.3889, 1]])
})

test('at most what is shipped less what other returns hold comes back', async t => {
  const { giveBack, refusedGiveBack, cancel, receive, sold: order } = await sold()
  const first = await giveBack(order, [back(order, 0, 1.5)])
  const short = (left: string) =>
    `validation_failed items[0].quantity: at most ${left} of OAK are shipped and not returned`
  t.is(await refusedGiveBack(order, [back(order, 0, 0.500001)]), short('0.5'))
  t.is(
    await refusedGiveBack(order, [back(order, 0, 0.3), back(order, 0, 0.3)]),
    'validation_failed items[1].quantity: at most 0.2 of OAK are shipped and not returned',
  )
  await cancel(first, { reason: 'kept' })
  const second = await giveBack(order, [back(order, 0, 2)])
  t.is(await refusedGiveBack(order, [back(order, 0, 0.1)]), short('0'))
  await receive(second)
  t.is(await refusedGiveBack(order, [back(order, 0, 0.1)]), short('0'))
})

test('a return is received or cancelled once', async t => {
  const { giveBack, tryCancel, receive, refusedCancel, refusedReceive, sold: order } = await sold()
  const kept = await giveBack(order, [back(order, 0, 1)])
  const { body, events } = await tryCancel(kept, { reason: 'kept after all' })
  t.deepEqual([body.sales_return.status, body.sales_return.cancellation_reason], ['CANCELLED', 'kept after all'])
  t.deepEqual(types(events), ['sales_return.cancelled'])
  t.deepEqual(events[0]?.previous, { sales_return: { status: 'NOT_RETURNED', cancellation_reason: null } })
  const come = await giveBack(order, [back(order, 0, 1)])
  await receive(come)
  for (const done of [kept, come]) {
    t.regex(await refusedReceive(done), /^sales_return_not_editable /)
    t.regex(await refusedCancel(done), /^sales_return_not_editable /)
  }
  t.is(await refusedReceive({ id: '1' }), 'not_found no such sales return')
  t.is(await refusedCancel({ id: '1' }), 'not_found no such sales return')
})

test("a line comes back to the place that it names, else to the order line's, into quarantine when asked", async t => {
  const { giveBack, receive, place, stock, main, sold: order } = await sold()
  const workshop = await place('Workshop')
  const made = await giveBack(
    order,
    [
      back(order, 0, 0.5),
      back(order, 0, 1, { storage_place_id: workshop, quarantine: true }),
      back(order, 0, 0.5, { storage_place_id: null }),
    ],
    {},
  )
  t.is(made.sales_return.storage_place_id, main)
  t.deepEqual(columns(made.items, 'storage_place_id'), [[main], [workshop], [null]])
  await receive(made)
  // 6.6667 left for 2: 1.6667 for a half, 3.3334 (3.33335) for one.
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity', 'quarantine_quantity', 'stock_value'), [
    [main, 1.5, 0, 5],
    [workshop, 1, 1, 3.3334],
    [null, 0.5, 0, 1.6667],
  ])
})

test("a line that names no place comes back to that of its return, also where that is none, else to the order line's", async t => {
  const { cancel, giveBack, place, main, sold: order } = await sold()
  const workshop = await place('Workshop')
  const given = [workshop, null, undefined] as const
  for (const storage_place_id of given) {
    const lines = [back(order, 0, 1), back(order, 0, 1, { storage_place_id: main })]
    const made = await giveBack(order, lines, storage_place_id === undefined ? {} : { storage_place_id })
    const expected = storage_place_id === undefined ? main : storage_place_id
    t.is(made.sales_return.storage_place_id, expected)
    t.deepEqual(columns(made.items, 'storage_place_id'), [[expected], [main]])
    await cancel(made, { reason: 'the next one' })
  }
})

/** An order of 4 MILK, in a batch of 2 A and one of 2 B, and of OAK. Nothing is shipped. */
async function milk(options: { price?: number } = {}) {
  const room = await salesroom(bench)
  const [main, side] = [await room.place('Main'), await room.place('Side')]
  const id = await room.variant('MILK', { batch_tracked: true, ...options })
  const { items } = await room.adjust([
    itemLine(id, 2, { batch_number: 'A', expiry_date: '2026-12-01' }),
    itemLine(id, 2, { batch_number: 'B', expiry_date: '2026-12-02' }),
    itemLine(id, 2, { batch_number: 'C', expiry_date: '2026-12-03' }),
  ])
  const [a, b, c] = items.map((item: Loose) => item.batch_id as string)
  const order = await room.order([itemLine(id, 5)])
  const ship = (batch_id: string, quantity: number) =>
    room.ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity, batch_id }] })
  const batches = async () => columns(await room.stock({ item_variant_id: id }), 'batch_number', 'quantity')
  return { ...room, main, side, milk: id, a, b, c, sold: order, shipBatch: ship, batches }
}

test('what names no batch comes back into those that left, the last first, each at most what left of it', async t => {
  const { a, b, c, sold, shipBatch, giveBack, cancel, receive, refusedGiveBack, batches, ...room } = await milk()
  await shipBatch(a, 1)
  await shipBatch(b, 1)
  const line = (quantity: number, extra = {}) => [back(sold, 0, quantity, { reason: 'sour', reason_id: 3, ...extra })]
  const kept = await giveBack(sold, line(1))
  t.deepEqual(columns(kept.items, 'batch_id', 'quantity'), [[b, 1]])
  t.is(
    await refusedGiveBack(sold, line(1, { batch_id: b })),
    'validation_failed items[0].quantity: at most 0 of MILK (batch B) are shipped and not returned',
  )
  await cancel(kept)
  t.is(
    await refusedGiveBack(sold, line(1, { batch_id: c })),
    'validation_failed items[0].batch_id: the batch C of MILK did not leave for this line',
  )
  t.is(
    await refusedGiveBack(sold, line(1.5, { batch_id: a })),
    'validation_failed items[0].quantity: at most 1 of MILK (batch A) are shipped and not returned',
  )
  const both = await giveBack(sold, line(2, { quarantine: true }))
  const shown = columns(both.items, 'batch_id', 'quantity', 'reason', 'reason_id', 'quarantine')
  t.deepEqual(shown, [
    [b, 1, 'sour', 3, true],
    [a, 1, 'sour', 3, true],
  ])
  t.deepEqual(await room.readReturn(both), both)
  await receive(both)
  t.deepEqual(await batches(), [
    ['A', 2],
    ['B', 2],
    ['C', 2],
    [null, 0],
  ])
  t.is(
    await refusedGiveBack(sold, line(1)),
    'validation_failed items[0].quantity: at most 0 of MILK are shipped and not returned',
  )
  // A batch that is shipped again is the last one.
  await shipBatch(a, 1)
  t.deepEqual(columns((await giveBack(sold, line(1))).items, 'batch_id'), [[a]])
})

test('the lines of one that was split refund together what it would refund alone', async t => {
  const { a, b, sold, shipBatch, giveBack } = await milk({ price: 0.333333 })
  await shipBatch(a, 1)
  await shipBatch(b, 1)
  // 0.666666 is 0.67. Two times 0.333333, each rounded, would be 0.66.
  const { sales_return, items } = await giveBack(sold, [back(sold, 0, 2)])
  t.is(sales_return.refund_amount, 0.67)
  t.deepEqual(columns(items, 'quantity', 'unit_price'), [
    [1, 0.333333],
    [1, 0.333333],
  ])
})

test('what names no place comes back to where it left last', async t => {
  const { a, b, sold, main, side, milk: id, shipBatch, giveBack, change, receive, transfer, ...room } = await milk()
  const moving = { from_storage_place_id: main, to_storage_place_id: side }
  await transfer({ ...moving, items: [itemLine(id, 1, { batch_id: a })] })
  await shipBatch(a, 1)
  await shipBatch(b, 1)
  await change(sold, { items: [{ id: sold.items[0].id, storage_place_id: side }] })
  await shipBatch(a, 1)
  const made = await giveBack(sold, [back(sold, 0, 3)])
  t.deepEqual(columns(made.items, 'batch_id', 'quantity', 'storage_place_id'), [
    [a, 2, side],
    [b, 1, main],
  ])
  await receive(made)
  const entries = await room.stock({ item_variant_id: id, storage_place_id: side })
  t.deepEqual(
    columns(entries, 'batch_number', 'quantity').filter(([batch]) => batch !== null),
    [['A', 2]],
  )
})

test('all pieces come back exactly where they left, and none more', async t => {
  const at = fc.nat(9)
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('ship' as const),
        batch: fc.nat(2),
        pieces: fc.integer({ min: 1, max: 3 }),
        side: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('giveBack' as const),
        pieces: fc.integer({ min: 1, max: 5 }),
        named: fc.option(fc.nat(2)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constantFrom('receive' as const, 'cancel' as const, 'reverse' as const), at }),
    },
  )
  let [split, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async steps => {
      const room = await salesroom(bench)
      const places = [await room.place('Main'), await room.place('Side')] as const
      const id = await room.variant('MILK', { batch_tracked: true })
      const [first, ...others] = await Promise.all(
        places.map(storage_place_id =>
          room.adjust(
            ['A', 'B', 'C'].map(batch_number => itemLine(id, 60, { batch_number })),
            { storage_place_id },
          ),
        ),
      )
      t.is(others.length, 1)
      const batches = first?.items.map((item: Loose) => item.batch_id as string) as string[]
      const order = await room.order([itemLine(id, 100)])
      const line = order.items[0].id
      let lineAt = places[0]
      const shipped: { id: string; batch: string; pieces: number; place: string; reversed: boolean }[] = []
      const returned: { made: Loose; status: string; lines: [string, number, string][] }[] = []
      /** What was shipped of each batch and not returned: the last shipped first, with the place of its last shipment. */
      const rests = () => {
        const left = shipped.filter(({ reversed }) => !reversed)
        const held = returned.filter(({ status }) => status !== 'CANCELLED').flatMap(({ lines }) => lines)
        const sum = (all: readonly number[]) => all.reduce((total, pieces) => total + pieces, 0)
        return [...new Set(left.toReversed().map(({ batch }) => batch))].map(batch => ({
          batch,
          place: left.findLast(each => each.batch === batch)?.place ?? '',
          pieces:
            sum(left.filter(each => each.batch === batch).map(({ pieces }) => pieces)) -
            sum(held.filter(([of]) => of === batch).map(([, pieces]) => pieces)),
        }))
      }
      const giveBack = async (pieces: number, batch: string | null) => {
        const from = rests().filter(each => batch === null || each.batch === batch)
        const { body, refusal } = await room.tryGiveBack(order, [
          { sales_order_item_id: line, quantity: pieces, ...(batch === null ? {} : { batch_id: batch }) },
        ])
        if (pieces > from.reduce((total, each) => total + each.pieces, 0)) {
          refused += 1
          t.regex(refusal?.message ?? '', from.length === 0 && batch !== null ? /did not leave/ : /at most/)
          return
        }
        let wanted = pieces
        const lines = from.flatMap((each): [string, number, string][] => {
          const taken = Math.min(wanted, each.pieces)
          wanted -= taken
          return taken === 0 ? [] : [[each.batch, taken, each.place]]
        })
        t.deepEqual(columns(body.items, 'batch_id', 'quantity', 'storage_place_id'), lines)
        if (lines.length > 1) split += 1
        returned.push({ made: body, status: 'NOT_RETURNED', lines })
      }
      const receive = async (one: (typeof returned)[number]) => {
        await room.receive(one.made)
        one.status = 'RETURNED'
      }
      for (const step of steps) {
        if (step.does === 'ship') {
          const place = places[step.side ? 1 : 0]
          if (place !== lineAt) await room.change(order, { items: [{ id: line, storage_place_id: place }] })
          lineAt = place
          const batch = batches[step.batch] ?? ''
          const made = await room.ship(order, {
            items: [{ sales_order_item_id: line, quantity: step.pieces, batch_id: batch }],
          })
          shipped.push({ id: made.id, batch, pieces: step.pieces, place, reversed: false })
        } else if (step.does === 'giveBack') {
          await giveBack(step.pieces, step.named === null ? null : (batches[step.named] ?? null))
        } else if (step.does === 'reverse') {
          const one = shipped[step.at % Math.max(shipped.length, 1)]
          if (!one || one.reversed) continue
          const isHeld = returned.some(({ status }) => status !== 'CANCELLED')
          const outcome = await room.tenant.refusal(reverseShipment, { reason: 'wrong' }, { id: one.id })
          t.is(outcome.startsWith('conflict'), isHeld, outcome)
          one.reversed = !isHeld
        } else {
          const one = returned[step.at % Math.max(returned.length, 1)]
          if (one?.status !== 'NOT_RETURNED') continue
          if (step.does === 'receive') await receive(one)
          else {
            await room.cancel(one.made)
            one.status = 'CANCELLED'
          }
        }
      }
      const rest = rests().reduce((total, { pieces }) => total + pieces, 0)
      if (rest > 0) await giveBack(rest, null)
      await giveBack(1, null)
      for (const one of returned) if (one.status === 'NOT_RETURNED') await receive(one)

      const expected = places.flatMap(place =>
        batches.map(batch => {
          const out = shipped.filter(each => !each.reversed && each.batch === batch && each.place === place)
          const back = returned
            .filter(({ status }) => status === 'RETURNED')
            .flatMap(({ lines }) => lines)
            .filter(([of, , to]) => of === batch && to === place)
          return [
            batch,
            place,
            60 - out.reduce((sum, { pieces }) => sum + pieces, 0) + back.reduce((sum, [, pieces]) => sum + pieces, 0),
          ]
        }),
      )
      const entries = columns(await room.stock(), 'batch_id', 'storage_place_id', 'quantity')
      const found = new Map(entries.map(([batch, place, quantity]) => [`${batch}@${place}`, quantity]))
      for (const [batch, place, quantity] of expected) t.is(found.get(`${batch}@${place}`), quantity)
      for (const batch of batches) {
        const all = entries.filter(([of]) => of === batch)
        t.is(
          all.reduce((sum, [, , quantity]) => sum + Number(quantity), 0),
          120,
          'all of the batch is back',
        )
      }
    }),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 8) },
  )
  t.true(split > 0 && refused > 0)
  t.deepEqual(await bench.faults(), [])
})

test('a batch-tracked line comes back into the batch shipped last, or the named one', async t => {
  const { adjust, giveBack, order, place, receive, refusedGiveBack, ship, stock, variant } = await salesroom(bench)
  await place('Main')
  const milk = await variant('MILK', { batch_tracked: true })
  const oak = await variant('OAK')
  const { items } = await adjust([
    itemLine(milk, 2, { batch_number: 'A', expiry_date: '2026-12-01' }),
    itemLine(milk, 2, { batch_number: 'B', expiry_date: '2026-12-02' }),
    itemLine(oak, 2),
  ])
  const [a, b] = items.map((item: Loose) => item.batch_id)
  const sold = await order([itemLine(milk, 4), itemLine(oak, 2)])
  await ship(sold)
  const made = await giveBack(sold, [back(sold, 0, 1), back(sold, 0, 2, { batch_id: a }), back(sold, 1, 1)])
  t.deepEqual(columns(made.items, 'batch_id'), [[b], [a], [null]])
  await receive(made)
  t.deepEqual(columns(await stock(), 'sku', 'batch_number', 'quantity'), [
    ['MILK', 'A', 2],
    ['MILK', 'B', 1],
    ['OAK', null, 1],
    ['MILK', null, 0],
  ])
  t.is(
    await refusedGiveBack(sold, [back(sold, 1, 1, { batch_id: a })]),
    'validation_failed items[0].batch_id: no such batch of OAK',
  )
})

test('what left before its product was batch-tracked comes back into a batch of the number of the return', async t => {
  const { adjust, giveBack, order, receive, ship, stock, tenant, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 2, { unit_cost: 5 })])
  const sold = await order([itemLine(oak, 2)])
  await ship(sold)
  await tenant.done(changeProduct, { batch_tracked: true }, { id: sold.items[0].item_id })
  const first = await giveBack(sold, [back(sold, 0, 0.5), back(sold, 0, 1)])
  const received = await receive(first)
  t.deepEqual(columns(await stock(), 'batch_number', 'quantity', 'stock_value'), [
    [null, 0, 0],
    ['SR-00001', 1.5, 7.5],
  ])
  t.is(received.items[0].batch_id, received.items[1].batch_id)
  t.truthy(received.items[0].batch_id)
})

test('services come back without movements', async t => {
  const { giveBack, order, ship, tryReceive, movements, variant } = await salesroom(bench)
  const sold = await order([{ item_variant_id: await variant('SERVICE', { type: 'SERVICE', price: 5 }), quantity: 2 }])
  await ship(sold)
  const made = await giveBack(sold, [back(sold, 0, 2)])
  t.is(made.sales_return.refund_amount, 10)
  const { body, events } = await tryReceive(made)
  t.is(body.sales_return.status, 'RETURNED')
  t.deepEqual(types(events), ['sales_return.returned'])
  t.deepEqual(await movements(), [])
})

test('what is strange, not shipped or not there is refused by name', async t => {
  const { giveBack, order, refusedGiveBack, oak, sold: sale } = await sold()
  const open = await order([itemLine(oak, 4)])
  t.regex(await refusedGiveBack(open, [back(open, 0, 1)]), /at most 0 of OAK/)
  t.is(await refusedGiveBack({ id: '1' }, [back(sale, 0, 1)]), 'validation_failed sales_order_id: no such sales order')
  t.regex(await refusedGiveBack(sale, [back(open, 0, 1)]), /items\[0\].sales_order_item_id: no such line/)
  t.regex(
    await refusedGiveBack(sale, [back(sale, 0, 1)], { storage_place_id: '1' }),
    /failed storage_place_id: no such/,
  )
  t.regex(
    await refusedGiveBack(sale, [back(sale, 0, 1, { storage_place_id: '1' })]),
    /items\[0\].storage_place_id: no such/,
  )
  const first = await giveBack(sale, [back(sale, 0, 1)], { number: 'X', external_ref: 'x' })
  const by = `is taken by ${first.sales_return.id}`
  t.is(await refusedGiveBack(sale, [back(sale, 0, 1)], { number: 'X' }), `validation_failed number: ${by}`)
  t.is(await refusedGiveBack(sale, [back(sale, 0, 1)], { external_ref: 'x' }), `validation_failed external_ref: ${by}`)
})

test('a return is made now and received on its date: closed periods and the future refuse', async t => {
  const room = await salesroom(bench, { closedThrough: '2026-11-21' })
  const { giveBack, order, refusedCancel, refusedGiveBack, refusedReceive, ship, tenant, variant } = room
  const service = await variant('SERVICE', { type: 'SERVICE' })
  tenant.now = '2026-11-25T00:00:00.000Z'
  const sold = await order([itemLine(service, 2)])
  await ship(sold)
  const made = await giveBack(sold, [back(sold, 0, 1)])
  t.regex(await refusedReceive(made, { return_date: '2026-11-21' }), /^unprocessable return_date: the accounting/)
  t.regex(
    await refusedReceive(made, { return_date: '2026-11-26' }),
    /^unprocessable return_date: must not be in the future/,
  )
  tenant.now = '2026-11-21T12:00:00.000Z'
  t.regex(await refusedGiveBack(sold, [back(sold, 0, 1)]), /^unprocessable /)
  t.regex(await refusedReceive(made), /^unprocessable /)
  t.is(await refusedCancel(made), 'done')
})

test('lists filter by status, order, customer, references, number and creation', async t => {
  const { giveBack, cancel, returns, sold: order } = await sold()
  const first = await giveBack(order, [back(order, 0, 1)], { external_return_ref: 'RMA', external_ref: 'ref' })
  const second = await giveBack(order, [back(order, 0, 1)], { external_return_ref: 'RMA' })
  await cancel(second)
  const numbers = async (filters: Record<string, string>) =>
    (await returns({ filters })).map((row: Loose) => row.sales_return.number)
  const [one, two] = [first.sales_return.number, second.sales_return.number]
  t.deepEqual(await numbers({ status: 'NOT_RETURNED' }), [one])
  t.deepEqual(await numbers({ sales_order_id: order.id, customer_id: order.customer.id }), [one, two])
  t.deepEqual(await numbers({ sales_order_id: '1' }), [])
  t.deepEqual(await numbers({ external_return_ref: 'RMA' }), [one, two])
  t.deepEqual(await numbers({ external_ref: 'ref' }), [one])
  t.deepEqual(await numbers({ number: two }), [two])
  t.deepEqual(await numbers({ created_after: '2026-11-22' }), [])
})
