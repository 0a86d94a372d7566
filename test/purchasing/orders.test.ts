/** The guarantees of purchase orders: their amounts, their supplier, what they expect and where, and what they refuse. */
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { listOrders } from '../../lib/domain/purchasing/orders/endpoints.ts'
import { PurchaseOrder } from '../../lib/domain/purchasing/orders/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('an order answers its document, expects its goods at the main place, and emits one event each', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  await room.place('Other')
  const oak = await room.variant('OAK', { purchase_price: 3.335 })
  const ash = await room.variant('ASH')
  const items = [itemLine(oak, 3, { tax_rate: 19 }), itemLine(ash, 2.5, { price: 0.1 }), itemLine(oak, 1, { price: 0 })]
  const { body, events } = await room.tryOrder(items, {
    notes: 'Gate 2',
    external_ref: 'po-1',
    expected_date: '2026-12-01',
  })
  t.is(v.safeParse(replyOf(PurchaseOrder), body).issues, undefined)
  // 3 * 3.335 = 10.005 -> 10.01; 19 % of 10.01 = 1.9019 -> 1.90.
  t.deepEqual(
    columns(
      body.items,
      'sku',
      'quantity',
      'received_quantity',
      'price',
      'line_amount',
      'line_tax_amount',
      'line_amount_with_tax',
    ),
    [
      ['OAK', 3, 0, 3.335, 10.01, 1.9, 11.91],
      ['ASH', 2.5, 0, 0.1, 0.25, 0, 0.25],
      ['OAK', 1, 0, 0, 0, 0, 0],
    ],
  )
  t.like(body, {
    number: 'PO-00001',
    status: 'OPEN',
    delivery_status: 'NOT_RECEIVED',
    currency: 'EUR',
    exchange_rate: 1,
    date: room.tenant.now,
    expected_date: '2026-12-01T00:00:00.000Z',
    completed_at: null,
    notes: 'Gate 2',
    external_ref: 'po-1',
    supplier: { id: room.supplier, title: 'Nordic Timber', country_code: 'NO' },
    total_amount: 10.26,
    tax_amount: 1.9,
    total_amount_with_tax: 12.16,
  })
  t.deepEqual(columns(body.items, 'id'), [...columns(body.items, 'id')].sort())
  t.deepEqual(columns(events, 'type', 'previous'), [
    ['stock.changed', { expected_quantity: 0 }],
    ['stock.changed', { expected_quantity: 0 }],
    ['purchase_order.created', null],
  ])
  t.deepEqual(events[2]?.data, body)
  t.like(events[0]?.data, { item_variant_id: oak, storage_place_id: main, quantity: 0, expected_quantity: 4 })
  t.deepEqual(await room.read(body), body)
  t.deepEqual(await room.shelf(), ['OAK: 0 (0) +4 = 0', 'ASH: 0 (0) +2.5 = 0'])
})

test('amounts are rounded to the minor unit of the order, whatever the tenant counts in', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const order = (currency: string, exchange_rate: number) =>
    room.order([itemLine(oak, 3, { price: 33.3335, tax_rate: 10 })], { currency, exchange_rate })
  t.like(await order('JPY', 0.0061), {
    total_amount: 100,
    tax_amount: 10,
    total_amount_with_tax: 110,
    exchange_rate: 0.0061,
  })
  t.like(await order('KWD', 3.0123456789), { total_amount: 100.001, tax_amount: 10, exchange_rate: 3.0123456789 })
  t.like(await order('EUR', 1), { total_amount: 100, tax_amount: 10 })
})

test('the supplier is one by id, one found by external_ref and left as it is, or a new one', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const line = [itemLine(oak, 1)]
  const brought = { title: 'Lakeside Saw', country_code: 'FI', external_ref: 'v-17' }
  const made = (await room.order(line, { supplier: brought })).supplier
  t.deepEqual({ ...made, id: '' }, { id: '', title: 'Lakeside Saw', country_code: 'FI' })
  const found = (await room.order(line, { supplier: { ...brought, title: 'Renamed', country_code: 'SE' } })).supplier
  t.deepEqual(found, made)
  const nameless = { title: 'Lakeside Saw' }
  const [one, two] = [await room.order(line, { supplier: nameless }), await room.order(line, { supplier: nameless })]
  t.not(one.supplier.id, two.supplier.id, 'without a reference nothing can be found')
  t.is((await room.tenant.page(supplierEndpoints.list)).length, 4)
  t.is((await room.tenant.read(supplierEndpoints.read, { id: made.id })).external_ref, 'v-17')
  await room.tenant.done(supplierEndpoints.update, { title: 'Lakeside Oy' }, { id: made.id })
  t.is((await room.orders())[0]?.supplier.title, 'Lakeside Oy')
})

test('a supplier that is missing, named twice, unknown, foreign or archived is refused, and none is made', async t => {
  const [room, stranger] = [await buying(bench), await buying(bench)]
  const oak = await room.variant('OAK')
  const archived = await room.tenant.done(supplierEndpoints.create, { title: 'Gone', external_ref: 'gone' })
  await room.tenant.done(supplierEndpoints.update, { archived: true }, { id: archived.id })
  const refused = (extra: object) => room.refusedOrder([itemLine(oak, 1)], { supplier: null, ...extra })
  t.is(await refused({}), 'validation_failed supplier_id: is required, unless supplier is given')
  t.is(
    await refused({ supplier_id: room.supplier, supplier: { title: 'x' } }),
    'validation_failed supplier: must not stand beside supplier_id',
  )
  t.is(await refused({ supplier_id: '1' }), 'validation_failed supplier_id: no such supplier')
  t.is(await refused({ supplier_id: stranger.supplier }), 'validation_failed supplier_id: no such supplier')
  t.is(await refused({ supplier_id: archived.id }), 'validation_failed supplier_id: the supplier is archived')
  t.is(
    await refused({ supplier: { title: 'Gone', external_ref: 'gone' } }),
    'validation_failed supplier.external_ref: the supplier is archived',
  )
  t.is(await refused({ supplier: { external_ref: 'x' } }), 'validation_failed supplier.title: is required')
  // A refusal for another reason does not leave a supplier behind either.
  t.regex(await refused({ supplier: { title: 'New' }, items: [itemLine('1', 1)] }), /no such variant/)
  t.is((await room.tenant.page(supplierEndpoints.list)).length, 2)
})

test('lines of absent, foreign, archived and non-purchasable variants are refused, and nothing is expected', async t => {
  const [room, stranger] = [await buying(bench), await buying(bench)]
  const { tenant } = room
  const oak = await room.variant('OAK')
  const foreign = await stranger.variant('OAK')
  const own = await room.variant('OWN', { is_purchasable: false })
  const batched = await room.variant('MILK', { batch_tracked: true })
  const service = await room.variant('FREIGHT', { type: 'SERVICE', batch_tracked: true })
  await room.adjust([itemLine(batched, 1, { batch_number: 'A', expiry_date: '2027-01-01' })])
  const before = await room.stock()
  const refused = (line: object) => room.refusedOrder([itemLine(oak, 1), { quantity: 1, ...line }])
  const cases: [object, string][] = [
    [{ item_variant_id: '1' }, 'item_variant_id: no such variant'],
    [{ item_variant_id: foreign }, 'item_variant_id: no such variant'],
    [{ item_variant_id: own }, 'item_variant_id: OWN is not purchasable'],
    [itemLine(oak, 0), 'quantity: must be greater than 0'],
    [itemLine(oak, 1e9), 'quantity: must be less than 1000000000'],
    [{ item_variant_id: oak, price: -1 }, 'price: must be 0 or more'],
    [{ item_variant_id: oak, price: null }, 'price: must not be null'],
    [{ item_variant_id: oak, tax_rate: 100.1 }, 'tax_rate: must be 100 or less'],
    [{ item_variant_id: oak, batch_number: 'A' }, 'batch_number: OAK is not batch-tracked'],
    [{ item_variant_id: oak, expiry_date: '2027-01-01' }, 'expiry_date: is only for a batch'],
    [{ item_variant_id: service, batch_number: 'A' }, 'batch_number: FREIGHT is not batch-tracked'],
    [
      { item_variant_id: batched, batch_number: 'A', expiry_date: '2027-01-02' },
      'expiry_date: the batch A has 2027-01-01',
    ],
  ]
  for (const [line, message] of cases) t.is(await refused(line), `validation_failed items[1].${message}`)
  const product = await tenant.done(createProduct, { title: 'Old', sku: 'OLD' })
  const { changeProduct } = await import('../../lib/domain/catalogue/commands.ts')
  await tenant.done(changeProduct, { archived: true }, { id: product.id })
  t.is(
    await refused({ item_variant_id: product.variants[0].id }),
    'validation_failed items[1].item_variant_id: OLD is archived',
  )
  t.is(await room.refusedOrder([]), 'validation_failed items: must have at least 1 entry')
  t.deepEqual(await room.stock(), before)
  t.deepEqual(await room.orders(), [])
})

test('currency and rate must fit each other', async t => {
  const room = await buying(bench)
  const line = [itemLine(await room.variant('OAK'), 1)]
  const cases: [object, string][] = [
    [{ currency: 'USD' }, "exchange_rate: is required, since the tenant's currency is EUR"],
    [{ currency: 'ABC', exchange_rate: 1 }, 'currency: ABC is not a currency in circulation (ISO 4217)'],
    [{ currency: 'usd', exchange_rate: 1 }, 'currency: must be an ISO 4217 currency code in upper case: USD'],
    [{ exchange_rate: 1.1 }, "exchange_rate: must be 1 in the tenant's own currency, EUR"],
    [{ currency: 'EUR', exchange_rate: 0.5 }, "exchange_rate: must be 1 in the tenant's own currency, EUR"],
    [{ currency: 'USD', exchange_rate: 0 }, 'exchange_rate: must be greater than 0'],
    [{ currency: 'USD', exchange_rate: 0.12345678901 }, 'exchange_rate: must have at most 10 decimals'],
  ]
  for (const [extra, message] of cases)
    t.is(await room.refusedOrder(line, { ...extra }), `validation_failed ${message}`)
})

test('a date in a closed period or in the future is refused', async t => {
  const room = await buying(bench, { closedThrough: '2026-10-31' })
  const line = [itemLine(await room.variant('OAK'), 1)]
  t.regex(await room.refusedOrder(line, { date: '2026-10-31' }), /^unprocessable date: the accounting period is closed/)
  t.regex(
    await room.refusedOrder(line, { date: '2026-11-21T05:05:01Z' }),
    /^unprocessable date: must not be in the future/,
  )
  t.is((await room.order(line, { date: '2026-11-01' })).date, '2026-11-01T00:00:00.000Z')
})

test('numbers are counted past those that callers took, and are unique like references', async t => {
  const room = await buying(bench)
  const line = [itemLine(await room.variant('OAK'), 1)]
  const first = await room.order(line, { number: 'PO-00001', external_ref: 'a' })
  const second = await room.order(line)
  t.is(second.number, 'PO-00002')
  t.is(await room.refusedOrder(line, { number: 'PO-00002' }), `validation_failed number: is taken by ${second.id}`)
  t.is(await room.refusedOrder(line, { external_ref: 'a' }), `validation_failed external_ref: is taken by ${first.id}`)
})

test('what is expected stays where it was put when the first place comes later', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const early = await room.order([itemLine(oak, 5)])
  const main = await room.place('Main')
  const late = await room.order([itemLine(oak, 7)])
  const expected = async () => columns(await room.stock(), 'storage_place_id', 'expected_quantity', 'quantity')
  t.deepEqual(await expected(), [
    [null, 5, 0],
    [main, 7, 0],
  ])
  await room.receive(early, { storage_place_id: main })
  t.deepEqual(await expected(), [
    [null, 0, 0],
    [main, 7, 5],
  ])
  await room.close(late)
  t.deepEqual(await expected(), [
    [null, 0, 0],
    [main, 0, 5],
  ])
})

test('an order is expected at the place that it names, at none with an explicit null, and received anywhere', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const line = [itemLine(oak, 5)]
  t.is((await room.order(line)).storage_place_id, null, 'without places there is none')
  const [main, side] = [await room.place('Main'), await room.place('Side')]
  const named = await room.order(line, { storage_place_id: side })
  t.deepEqual(
    [named.storage_place_id, (await room.order(line)).storage_place_id, (await room.read(named)).storage_place_id],
    [side, main, side],
  )
  t.is((await room.order(line, { storage_place_id: null })).storage_place_id, null)
  const expected = async () => columns(await room.stock(), 'storage_place_id', 'expected_quantity', 'quantity')
  t.deepEqual(await expected(), [
    [null, 10, 0],
    [side, 5, 0],
    [main, 5, 0],
  ])
  await room.receive(named, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: named.items[0].id, quantity: 2 }],
  })
  t.deepEqual(await expected(), [
    [null, 10, 0],
    [side, 3, 0],
    [main, 5, 2],
  ])
  await room.close(named)
  t.deepEqual((await expected())[1], [side, 0, 0])
})

test('a place that is absent, foreign, archived or not for purchases is refused where an order names it', async t => {
  const [room, stranger] = [await buying(bench), await buying(bench)]
  const main = await room.place('Main')
  const change = (id: string, body: object) => room.tenant.done(endpointOf('updateStoragePlace'), body, { id })
  const [shop, old] = [await room.place('Shop'), await room.place('Old')]
  await change(shop, { purchase_allowed: false })
  await change(old, { archived: true })
  const foreign = await stranger.place('Main')
  const line = [itemLine(await room.variant('OAK'), 5)]
  const refused = (id: string) => room.refusedOrder(line, { storage_place_id: id })
  t.is(await refused('1'), 'validation_failed storage_place_id: no such storage place')
  t.is(await refused(foreign), 'validation_failed storage_place_id: no such storage place')
  t.is(await refused(old), 'validation_failed storage_place_id: the storage place is archived')
  t.is(await refused(shop), 'validation_failed storage_place_id: the storage place does not allow purchases')
  t.deepEqual(await room.stock(), [])
  // An order without a place gets the main one as before, whatever that place allows.
  await change(main, { purchase_allowed: false })
  t.is((await room.order(line)).storage_place_id, main)
})

test('a line has a date of its own, and none where it gives none', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 1, { expected_date: '2026-12-01' }), itemLine(oak, 1)], {
    expected_date: '2026-12-24',
  })
  t.deepEqual(columns(order.items, 'expected_date'), [['2026-12-01T00:00:00.000Z'], [null]])
  t.deepEqual(await room.read(order), order)
})

test('lists filter by every field and page by id, and dates are those of the order', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const line = [itemLine(await room.variant('OAK'), 2)]
  const other = await room.tenant.done(supplierEndpoints.create, { title: 'Other' })
  const a = await room.order(line, { date: '2026-03-01', number: 'A' })
  const b = await room.order(line, { date: '2026-01-01', external_ref: 'bee', supplier_id: other.id })
  const c = await room.order(line, { date: '2026-02-01' })
  await room.receive(b, { storage_place_id: main })
  await room.receive(c, { storage_place_id: main, items: [{ purchase_order_item_id: c.items[0].id, quantity: 1 }] })
  const ids = async (filters: Record<string, string>) => (await room.orders(filters)).map(({ id }) => id)
  t.deepEqual(await ids({}), [a.id, b.id, c.id])
  t.deepEqual(await ids({ status: 'OPEN' }), [a.id, c.id])
  t.deepEqual(await ids({ status: 'DONE' }), [b.id])
  t.deepEqual(await ids({ delivery_status: 'NOT_RECEIVED' }), [a.id])
  t.deepEqual(await ids({ delivery_status: 'PARTIALLY_RECEIVED' }), [c.id])
  t.deepEqual(await ids({ supplier_id: other.id }), [b.id])
  t.deepEqual(await ids({ supplier_id: '1' }), [])
  t.deepEqual(await ids({ created_after: '2026-02-01' }), [a.id, c.id])
  t.deepEqual(await ids({ created_before: '2026-02-01' }), [b.id])
  t.deepEqual(await ids({ created_after: '2026-01-15', created_before: '2026-02-15' }), [c.id])
  t.deepEqual(await ids({ created_after: '2026-01-15', status: 'OPEN', delivery_status: 'NOT_RECEIVED' }), [a.id])
  t.deepEqual(await ids({ number: 'A', created_before: '2026-02-01' }), [])
  t.deepEqual(await ids({ external_ref: 'bee' }), [b.id])
  const page = await room.tenant.page(listOrders, { after: a.id, limit: 1 })
  t.deepEqual(page, [await room.read(b)])
})

test('an order of another tenant is not there', async t => {
  const [room, stranger] = [await buying(bench), await buying(bench)]
  const order = await room.order([itemLine(await room.variant('OAK'), 1)])
  t.like(await stranger.read(order), { refusal: 'not_found' })
  t.like(await stranger.close(order), { refusal: { refusal: 'not_found' } })
  t.is(await stranger.refusedReceipt(order, { storage_place_id: '1' }), 'not_found no such purchase order')
  t.like(await stranger.receipts(order), { refusal: 'not_found' })
  t.deepEqual(await stranger.orders(), [])
})
