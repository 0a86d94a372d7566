/** The guarantees of receipts: what is received at which cost and in which batch, the order's status afterwards, and what is refused. */
import * as v from 'valibot'
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { listReceipts } from '../../lib/domain/purchasing/receipts/endpoints.ts'
import { PurchaseReceipt } from '../../lib/domain/purchasing/receipts/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { unreversed, untouched } from '../stock/stockroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const types = (events: { type: string }[]) => events.map(({ type }) => type)

test('a receipt in part fills its lines, moves expected stock into stock, and leaves the order open', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const other = await room.place('Other')
  const oak = await room.variant('OAK')
  const ash = await room.variant('ASH')
  const order = await room.order([itemLine(oak, 10, { price: 2.5, tax_rate: 19 }), itemLine(ash, 4, { price: 1 })])
  room.tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await room.tryReceive(order, {
    storage_place_id: other,
    received_date: '2026-11-22',
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 3.333 }],
    notes: 'Pallet 1',
    external_ref: 'r-1',
  })
  t.is(v.safeParse(replyOf(PurchaseReceipt), body).issues, undefined)
  // 3.333 * 2.5 = 8.3325: the document shows cents, and the stock keeps four decimals.
  t.deepEqual(body, {
    id: body.id,
    number: 'PR-00001',
    purchase_order_id: order.id,
    storage_place_id: other,
    received_date: '2026-11-22T00:00:00.000Z',
    created_at: room.tenant.now,
    ...unreversed(room.tenant.now),
    notes: 'Pallet 1',
    external_ref: 'r-1',
    ...untouched,
    currency: 'EUR',
    exchange_rate: 1,
    stock_amount: 8.3325,
    total_amount: 8.33,
    tax_amount: 1.58,
    total_amount_with_tax: 9.91,
    items: [
      {
        id: body.items[0].id,
        purchase_order_item_id: order.items[0].id,
        item_id: order.items[0].item_id,
        item_variant_id: oak,
        sku: 'OAK',
        title: 'Item OAK',
        quantity: 3.333,
        purchase_quantity: null,
        purchase_unit_name: null,
        conversion_rate: 1,
        purchase_price: null,
        batch_id: null,
        batch_number: null,
        manufacture_date: null,
        expiry_date: null,
        price: 2.5,
        discount_percent: 0,
        line_amount: 8.33,
        quarantine: false,
      },
    ],
  })
  const after = await room.read(order)
  t.like(after, { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED', completed_at: null, total_amount: 29 })
  t.deepEqual(columns(after.items, 'quantity', 'received_quantity'), [
    [10, 3.333],
    [4, 0],
  ])
  t.deepEqual(types(events), ['stock.changed', 'stock.changed', 'purchase_receipt.created', 'purchase_order.updated'])
  const [there, here, receipt, updated] = events
  t.like(there?.data, { storage_place_id: other, quantity: 3.333, expected_quantity: 0, average_cost: 2.5 })
  t.like(here?.data, { storage_place_id: main, quantity: 0, expected_quantity: 6.667 })
  t.deepEqual(here?.previous, { expected_quantity: 10 })
  t.deepEqual([receipt?.data, receipt?.previous], [body, null])
  t.deepEqual(updated?.data, after)
  t.deepEqual(updated?.previous, { delivery_status: 'NOT_RECEIVED', updated_at: order.updated_at, items: order.items })
  t.deepEqual(await room.shelf(), ['OAK: 0 (0) +6.667 = 0', 'ASH: 0 (0) +4 = 0', 'OAK: 3.333 (0) +0 = 8.3325'])
  t.deepEqual(
    columns(await room.movements(), 'kind', 'quantity', 'value', 'source_type', 'source_id', 'document_date'),
    [['PURCHASE_RECEIPT', 3.333, 8.3325, 'PURCHASE_RECEIPT', body.id, '2026-11-22T00:00:00.000Z']],
  )
})

test('without items all that is outstanding comes in, which ends the order', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 10, { price: 2 }), itemLine(oak, 5, { price: 3 })])
  await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 10 }],
  })
  t.like(await room.read(order), { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED' })
  room.tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await room.tryReceive(order, { storage_place_id: main })
  t.deepEqual(columns(body.items, 'purchase_order_item_id', 'quantity', 'line_amount'), [[order.items[1].id, 5, 15]])
  const done = await room.read(order)
  t.like(done, {
    status: 'DONE',
    delivery_status: 'RECEIVED',
    completed_at: room.tenant.now,
    updated_at: room.tenant.now,
  })
  t.deepEqual(types(events), ['stock.changed', 'purchase_receipt.created', 'purchase_order.done'])
  t.deepEqual(events[2]?.data, done)
  t.like(events[2]?.previous, { status: 'OPEN', completed_at: null })
  t.deepEqual(await room.shelf(), ['OAK: 15 (0) +0 = 35'])
  t.is(
    await room.refusedReceipt(order, { storage_place_id: main }),
    'purchase_receipt_not_allowed the purchase order PO-00001 is done',
  )
})

test('the average cost moves by quantity * price * rate, without tax', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 10, { unit_cost: 2 })])
  const order = await room.order([itemLine(oak, 3, { price: 1.999999, tax_rate: 19 })], {
    currency: 'USD',
    exchange_rate: 0.9123456789,
  })
  t.like(order, { total_amount: 6, tax_amount: 1.14 })
  const receipt = await room.receive(order, { storage_place_id: main })
  t.is(receipt.total_amount, 6)
  // 3 * 1.999999 * 0.9123456789 = 5.4740713363... -> 5.4741; (20 + 5.4741) / 13 = 1.959546... -> 1.9595
  t.deepEqual(columns(await room.stock(), 'quantity', 'stock_value', 'average_cost'), [[13, 25.4741, 1.9595]])
})

test('more than is outstanding on a line is refused, also over several lines of one receipt', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 10), itemLine(oak, 10)])
  const [first, second] = order.items
  const refused = (...quantities: [Loose, number][]) =>
    room.refusedReceipt(order, {
      storage_place_id: main,
      items: quantities.map(([line, quantity]) => ({ purchase_order_item_id: line.id, quantity })),
    })
  const before = await room.stock()
  t.is(
    await refused([first, 10.000001]),
    'purchase_receipt_not_allowed items[0].quantity: 10.000001 of OAK are more than the 10 outstanding',
  )
  t.is(
    await refused([second, 1], [first, 6], [first, 5]),
    'purchase_receipt_not_allowed items[2].quantity: 11 of OAK are more than the 10 outstanding',
  )
  await room.receive(order, { storage_place_id: main, items: [{ purchase_order_item_id: first.id, quantity: 8 }] })
  t.is(
    await refused([first, 3]),
    'purchase_receipt_not_allowed items[0].quantity: 3 of OAK are more than the 2 outstanding',
  )
  t.is((await room.receipts(order)).length, 1)
  t.is(before.length, 1)
  t.deepEqual(await room.shelf(), ['OAK: 8 (0) +12 = 0'])
})

test("batches take the receipt's number, else the order line's, else the receipt's own", async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true, shelf_life_days: 10 })
  const order = await room.order([
    itemLine(milk, 9, { price: 1, batch_number: 'LINE', expiry_date: '2026-12-24' }),
    itemLine(milk, 3, { price: 1 }),
  ])
  const [named, nameless] = order.items
  const receipt = await room.receive(order, {
    storage_place_id: main,
    number: 'DELIVERY-7',
    items: [
      { purchase_order_item_id: named.id, quantity: 2 },
      { purchase_order_item_id: named.id, quantity: 3, batch_number: 'OTHER', manufacture_date: '2026-11-20' },
      { purchase_order_item_id: nameless.id, quantity: 1 },
      { purchase_order_item_id: nameless.id, quantity: 2, batch_number: 'LINE' },
    ],
  })
  t.deepEqual(columns(receipt.items, 'batch_number', 'manufacture_date', 'expiry_date', 'quantity'), [
    ['LINE', null, '2026-12-24', 2],
    // The line's expiry belongs to its own batch. The expiry of this batch follows from its shelf life.
    ['OTHER', '2026-11-20', '2026-11-30', 3],
    ['DELIVERY-7', null, null, 1],
    ['LINE', null, '2026-12-24', 2],
  ])
  t.is(receipt.items[0].batch_id, receipt.items[3].batch_id)
  t.deepEqual((await room.shelf()).slice(1), [
    'MILK LINE until 2026-12-24: 4 (0) +0 = 4',
    'MILK OTHER until 2026-11-30: 3 (0) +0 = 3',
    'MILK DELIVERY-7: 1 (0) +0 = 1',
  ])
  await room.receive(order, { storage_place_id: main })
  t.is((await room.shelf())[1], 'MILK LINE until 2026-12-24: 8 (0) +0 = 8')
})

test("an order line's expiry holds for a batch that only the receipt names", async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const order = await room.order([itemLine(milk, 2, { expiry_date: '2027-03-01' })])
  const [line] = order.items
  const lines = [
    { purchase_order_item_id: line.id, quantity: 1, batch_number: 'A' },
    { purchase_order_item_id: line.id, quantity: 1, batch_number: 'B', expiry_date: '2027-04-01' },
  ]
  const receipt = await room.receive(order, { storage_place_id: main, items: lines })
  t.deepEqual(columns(receipt.items, 'batch_number', 'expiry_date'), [
    ['A', '2027-03-01'],
    ['B', '2027-04-01'],
  ])
})

test('a known batch keeps its dates, and what is not batch-tracked has none', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(milk, 1, { batch_number: 'A', expiry_date: '2027-01-01' })])
  const order = await room.order([itemLine(milk, 2), itemLine(oak, 2)])
  const refused = (index: number, line: object) =>
    room.refusedReceipt(order, {
      storage_place_id: main,
      items: [{ purchase_order_item_id: order.items[index].id, quantity: 1, ...line }],
    })
  t.is(
    await refused(0, { batch_number: 'A', expiry_date: '2027-01-02' }),
    'validation_failed items[0].expiry_date: the batch A has 2027-01-01',
  )
  t.is(
    await refused(0, { batch_number: 'A', manufacture_date: '2026-01-02' }),
    'validation_failed items[0].manufacture_date: the batch A has none',
  )
  t.is(await refused(1, { batch_number: 'A' }), 'validation_failed items[0].batch_number: OAK is not batch-tracked')
  t.is(await refused(1, { expiry_date: '2027-01-01' }), 'validation_failed items[0].expiry_date: is only for a batch')
  t.is(await refused(0, { batch_number: 'A', expiry_date: '2027-01-01' }), 'done')
})

test('quarantined goods are physical stock that is not available', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 10, { price: 2 })])
  const [line] = order.items
  const receipt = await room.receive(order, {
    storage_place_id: main,
    items: [
      { purchase_order_item_id: line.id, quantity: 4, quarantine: true },
      { purchase_order_item_id: line.id, quantity: 6 },
    ],
  })
  t.deepEqual(columns(receipt.items, 'quantity', 'quarantine'), [
    [4, true],
    [6, false],
  ])
  t.deepEqual(columns(await room.stock(), 'quantity', 'quarantine_quantity', 'available_quantity', 'stock_value'), [
    [10, 4, 6, 20],
  ])
})

test('services are counted without stock and end an order like goods', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const freight = await room.variant('FREIGHT', { type: 'SERVICE' })
  const order = await room.order([itemLine(oak, 1, { price: 5 }), itemLine(freight, 1, { price: 80 })])
  t.is(order.total_amount, 85)
  const receiveFreight = (extra: object) => ({
    storage_place_id: main,
    items: [{ purchase_order_item_id: order.items[1].id, quantity: 1, ...extra }],
  })
  t.regex(await room.refusedReceipt(order, receiveFreight({ quarantine: true })), /FREIGHT is a service/)
  const { body, events } = await room.tryReceive(order, receiveFreight({}))
  t.like(body, { total_amount: 80 })
  t.deepEqual(types(events), ['purchase_receipt.created', 'purchase_order.updated'])
  t.like(await room.read(order), { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED' })
  await room.receive(order, { storage_place_id: main })
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'RECEIVED' })
  t.deepEqual(await room.shelf(), ['OAK: 1 (0) +0 = 5'])
  t.is((await room.movements()).length, 1)
})

test('a variant that was archived or renamed after the order still comes in, as it was ordered', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const product = await room.tenant.done(createProduct, { title: 'Oak', sku: 'OAK' })
  const order = await room.order([itemLine(product.variants[0].id, 1)])
  const change = { title: 'Elm', archived: true, is_purchasable: false }
  await room.tenant.done(changeProduct, change, { id: product.id })
  const receipt = await room.receive(order, { storage_place_id: main })
  t.deepEqual(columns(receipt.items, 'sku', 'title'), [['OAK', 'Oak']])
})

test('the place must exist and allow purchases, the line be of the order, the date be open', async t => {
  const [room, stranger] = [await buying(bench, { closedThrough: '2026-10-31' }), await buying(bench)]
  const main = await room.place('Main')
  const foreign = await stranger.place('Main')
  const shop = (await room.tenant.done(createStoragePlace, { title: 'Shop', purchase_allowed: false })).id
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 1)])
  const other = await room.order([itemLine(oak, 1)])
  const cases: [object, string][] = [
    [{}, 'validation_failed storage_place_id: is required'],
    [{ storage_place_id: null }, 'validation_failed storage_place_id: must not be null'],
    [{ storage_place_id: '1' }, 'validation_failed storage_place_id: no such storage place'],
    [{ storage_place_id: foreign }, 'validation_failed storage_place_id: no such storage place'],
    [{ storage_place_id: shop }, 'validation_failed storage_place_id: the storage place does not allow purchases'],
    [{ storage_place_id: main, items: [] }, 'validation_failed items: must have at least 1 entry'],
    [
      { storage_place_id: main, items: [{ purchase_order_item_id: other.items[0].id, quantity: 1 }] },
      'validation_failed items[0].purchase_order_item_id: no such line of this purchase order',
    ],
    [
      { storage_place_id: main, items: [{ purchase_order_item_id: order.items[0].id, quantity: 0 }] },
      'validation_failed items[0].quantity: must be greater than 0',
    ],
    [
      { storage_place_id: main, received_date: '2026-10-31T23:59:59Z' },
      'unprocessable received_date: the accounting period is closed through 2026-10-31',
    ],
    [{ storage_place_id: main, received_date: '2026-11-22' }, 'unprocessable received_date: must not be in the future'],
  ]
  for (const [body, message] of cases) t.is(await room.refusedReceipt(order, { ...body }), message)
  t.deepEqual(await room.receipts(order), [])
  t.deepEqual(await room.movements(), [])
})

test('receipts are listed newest first; their numbers and references are unique over all orders', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const [one, two] = [await room.order([itemLine(oak, 9)]), await room.order([itemLine(oak, 9)])]
  const part = (order: Loose, extra: object = {}) =>
    [
      order,
      { storage_place_id: main, items: [{ purchase_order_item_id: order.items[0].id, quantity: 1 }], ...extra },
    ] as const
  const first = await room.receive(...part(one, { number: 'PR-00002', external_ref: 'r' }))
  const second = await room.receive(...part(one))
  const third = await room.receive(...part(two))
  const fourth = await room.receive(...part(one))
  t.deepEqual([second.number, third.number, fourth.number], ['PR-00001', 'PR-00003', 'PR-00004'])
  t.deepEqual(await room.receipts(one), [fourth, second, first])
  const page = await room.tenant.page(listReceipts, { params: { id: one.id }, after: fourth.id, limit: 1 })
  t.deepEqual(page, [second])
  t.is(
    await room.refusedReceipt(...part(two, { number: 'PR-00004' })),
    `validation_failed number: is taken by ${fourth.id}`,
  )
  t.is(
    await room.refusedReceipt(...part(two, { external_ref: 'r' })),
    `validation_failed external_ref: is taken by ${first.id}`,
  )
})

test('closing ends an order short: what was outstanding is expected no longer, what came in stays', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const freight = await room.variant('FREIGHT', { type: 'SERVICE' })
  const order = await room.order([
    itemLine(oak, 10, { price: 2 }),
    itemLine(oak, 5, { price: 2 }),
    itemLine(freight, 1),
  ])
  await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 4 }],
  })
  const before = await room.read(order)
  room.tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await room.close(order, { reason: ' Sold out ' })
  t.deepEqual(body, {
    ...before,
    status: 'DONE',
    close_reason: 'Sold out',
    completed_at: room.tenant.now,
    updated_at: room.tenant.now,
  })
  t.is(body.delivery_status, 'PARTIALLY_RECEIVED')
  t.deepEqual(await room.read(order), body)
  t.deepEqual(types(events), ['stock.changed', 'purchase_order.done'])
  t.deepEqual(events[0]?.previous, { expected_quantity: 11 })
  t.deepEqual(events[1], {
    type: 'purchase_order.done',
    data: body,
    previous: { status: 'OPEN', close_reason: null, completed_at: null, updated_at: before.updated_at },
  })
  t.deepEqual(await room.shelf(), ['OAK: 4 (0) +0 = 8'])
  t.like(await room.close(order), {
    refusal: { refusal: 'purchase_order_not_editable', message: 'the purchase order PO-00001 is done' },
  })
  t.regex(await room.refusedReceipt(order, { storage_place_id: main }), /^purchase_receipt_not_allowed/)
})
