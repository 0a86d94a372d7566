/** Sales returns: what may come back, at which cost, into which batch, and the moves of a return. */
import test from 'ava'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { columns, untouched } from '../stock/stockroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { salesroom } from './salesroom.ts'

const bench = await benchOfFile()

const back = (order: Loose, at: number, quantity: number, extra = {}) => ({
  sales_order_item_id: order.items[at].id,
  quantity,
  ...extra,
})
const types = (events: Loose[]) => events.map(event => event.type)

/** An order of 4 OAK at 9.995, of which 2 have left, worth 6.6667. */
async function sold(options: { closedThrough?: string } = {}) {
  const room = await salesroom(bench, options)
  const main = await room.place('Main')
  const oak = await room.variant('OAK', { price: 9.995 })
  await room.adjust([{ item_variant_id: oak, quantity: 3, unit_cost: 3.333333 }])
  const order = await room.order([{ item_variant_id: oak, quantity: 4, tax_rate: 19 }])
  await room.ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity: 2 }] })
  return { ...room, main, oak, sold: order }
}

test('a return takes its defaults from the order line, and refunds quantity * unit_price, rounded per line', async t => {
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
  // 9.995 is 10.00, 0.505 is 0.51.
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
  })
  t.deepEqual(items, [
    {
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
      quarantine: false,
    },
    { ...items[0], id: items[1].id, reason: null, reason_note: null, reason_id: null, quantity: 0.5, unit_price: 1.01 },
  ])
  t.deepEqual(types(events), ['sales_return.created'])
  t.deepEqual([events[0]?.data, events[0]?.previous], [body, null])
  t.deepEqual(await readReturn(body), body)
  t.deepEqual(await returns(), [body])
})

test('goods come back at the average value of all that left for the line', async t => {
  const { adjust, giveBack, ship, tryReceive, movements, stock, tenant, oak, sold: order } = await sold()
  // 2 of 3 worth 10 left: 6.6667. The rest, 3.3333, and 1 of 14.3333 / 2 = 7.1667 leave, too.
  await adjust([{ item_variant_id: oak, quantity: 1, unit_cost: 11 }])
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

test('a batch-tracked line comes back into the batch shipped last, or the named one', async t => {
  const { adjust, giveBack, order, place, receive, refusedGiveBack, ship, stock, variant } = await salesroom(bench)
  await place('Main')
  const milk = await variant('MILK', { batch_tracked: true })
  const oak = await variant('OAK')
  const { items } = await adjust([
    { item_variant_id: milk, quantity: 2, batch_number: 'A', expiry_date: '2026-12-01' },
    { item_variant_id: milk, quantity: 2, batch_number: 'B', expiry_date: '2026-12-02' },
    { item_variant_id: oak, quantity: 2 },
  ])
  const [a, b] = items.map((item: Loose) => item.batch_id)
  const sold = await order([
    { item_variant_id: milk, quantity: 4 },
    { item_variant_id: oak, quantity: 2 },
  ])
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
  await adjust([{ item_variant_id: oak, quantity: 2, unit_cost: 5 }])
  const sold = await order([{ item_variant_id: oak, quantity: 2 }])
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
  const open = await order([{ item_variant_id: oak, quantity: 4 }])
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
  const sold = await order([{ item_variant_id: service, quantity: 2 }])
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
