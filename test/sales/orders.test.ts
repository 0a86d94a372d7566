/** Making and listing sales orders: defaults, amounts, reservations, the check without backorder, refusals. */
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { changeOrder, createOrder } from '../../lib/domain/sales/orders/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { customer, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const types = (events: Loose[]) => events.map(event => event.type)

test('an order takes the main place, the price of its variants and the currency of the tenant, and reserves its lines', async t => {
  const { tryOrder, place, read, stock, variant } = await salesroom(bench)
  const main = await place('Main')
  await place('Other')
  const oak = await variant('OAK', { price: 12.345 })
  const unpriced = await variant('UNPRICED')
  const { body, events } = await tryOrder([itemLine(oak, 3, { tax_rate: 19 }), itemLine(unpriced, 0.5)])
  // 37.035 is 37.04; 19 % of 37.04 is 7.0376.
  t.deepEqual(
    columns(body.items, 'storage_place_id', 'price', 'line_amount', 'line_tax_amount', 'line_amount_with_tax'),
    [
      [main, 12.345, 37.04, 7.04, 44.08],
      [main, 0, 0, 0, 0],
    ],
  )
  t.deepEqual([body.total_amount, body.tax_amount, body.total_amount_with_tax], [37.04, 7.04, 44.08])
  t.deepEqual(
    [body.number, body.status, body.delivery_status, body.currency],
    ['SO-00001', 'OPEN', 'NOT_SHIPPED', 'EUR'],
  )
  t.deepEqual([body.priority, body.allow_backorder, body.shipped_at], [0, true, null])
  t.deepEqual(await read(body), body)
  t.deepEqual(columns(await stock(), 'sku', 'quantity', 'reserved_quantity', 'available_quantity'), [
    ['OAK', 0, 3, -3],
    ['UNPRICED', 0, 0.5, -0.5],
  ])
  t.deepEqual(types(events), ['stock.changed', 'stock.changed', 'customer.created', 'sales_order.created'])
  t.deepEqual([events.at(-1)?.data, events.at(-1)?.previous], [body, null])
})

test('amounts round half up per line to the minor unit, and totals are the sums of the lines', async t => {
  const { order, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const lines = [1, 2, 3].map(() => itemLine(oak, 1, { price: 0.335, tax_rate: 7.5 }))
  const amounts = ['line_amount', 'line_tax_amount', 'line_amount_with_tax']
  const totals = (made: Loose) => [made.total_amount, made.tax_amount, made.total_amount_with_tax]
  // 0.335 is 0.34, its tax 0.0255 is 0.03; three lines are 1.02, not the 1.01 of 1.005.
  const euros = await order(lines)
  t.deepEqual(columns(euros.items, ...amounts)[0], [0.34, 0.03, 0.37])
  t.deepEqual(totals(euros), [1.02, 0.09, 1.11])
  const yen = await order(
    lines.map(line => ({ ...line, price: 1333.5 })),
    { currency: 'JPY' },
  )
  t.deepEqual(columns(yen.items, ...amounts)[0], [1334, 100, 1434])
  const dinars = await order(lines, { currency: 'KWD' })
  t.deepEqual(columns(dinars.items, ...amounts)[0], [0.335, 0.025, 0.36])
})

test('without places an order reserves stock without a place, and a first place takes nothing of it', async t => {
  const { change, order, place, stock, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const early = await order([itemLine(oak, 2)])
  t.is(early.items[0].storage_place_id, null)
  const main = await place('Main')
  await order([itemLine(oak, 1)])
  await order([itemLine(oak, 4, { storage_place_id: null })])
  t.deepEqual(columns(await stock(), 'storage_place_id', 'reserved_quantity'), [
    [null, 6],
    [main, 1],
  ])
  await change(early, { status: 'CANCELLED' })
  t.deepEqual(columns(await stock(), 'storage_place_id', 'reserved_quantity'), [
    [null, 4],
    [main, 1],
  ])
})

test('services stand on orders and reserve nothing', async t => {
  const { tryOrder, stock, variant } = await salesroom(bench)
  const service = await variant('SERVICE', { type: 'SERVICE', price: 80 })
  const { body, events } = await tryOrder([itemLine(service, 2)], { allow_backorder: false })
  t.is(body.total_amount, 160)
  t.deepEqual(types(events), ['customer.created', 'sales_order.created'])
  t.deepEqual(await stock(), [])
})

test('without backorder lines that together exceed what is available are refused, and nothing is made', async t => {
  const { adjust, order, orders, place, refusedOrder, stock, transfer, variant } = await salesroom(bench)
  const [main, other] = [await place('Main'), await place('Other')]
  const oak = await variant('OAK')
  const ash = await variant('ASH')
  await adjust([itemLine(oak, 10)])
  await transfer({
    from_storage_place_id: main,
    to_storage_place_id: main,
    items: [itemLine(oak, 2, { to_quarantine: true })],
  })
  await order([itemLine(oak, 3)])
  // 10 - 2 in quarantine - 3 reserved = 5.
  const strict = { allow_backorder: false }
  const line = (quantity: number, extra = {}) => ({ item_variant_id: oak, quantity, ...extra })
  t.is(
    await refusedOrder([line(3), line(2.000001)], strict),
    'insufficient_stock items[0].quantity: not enough OAK at Main: 5.000001 needed, 10 on hand, of which 5 can be taken',
  )
  t.is(
    await refusedOrder([line(6), itemLine(ash, 1), line(1, { storage_place_id: other })], strict),
    'insufficient_stock items[0].quantity: not enough OAK at Main: 6 needed, 10 on hand, of which 5 can be taken; ' +
      'items[1].quantity: not enough ASH at Main: 1 needed, 0 on hand; items[2].quantity: not enough OAK at Other: 1 needed, 0 on hand',
  )
  t.is((await orders()).length, 1)
  t.deepEqual(columns(await stock({ item_variant_id: oak }), 'reserved_quantity'), [[3]])
  await order([line(3), line(2)], strict)
  t.deepEqual(columns(await stock({ item_variant_id: oak }), 'available_quantity'), [[0]])
  await order([line(100)])
  t.regex(await refusedOrder([line(1)], strict), /OAK at Main: 1 needed, 10 on hand, of which 0 can be taken$/)
})

test('a customer comes by id, by external_ref, or is made', async t => {
  const { order, refusedOrder, variant } = await salesroom(bench)
  const items = [itemLine(await variant('OAK'), 1)]
  const first = await order(items, { customer: { ...customer, external_ref: 'shop-1' } })
  const second = await order(items, { customer: { title: 'Renamed', external_ref: 'shop-1' } })
  t.deepEqual(second.customer, first.customer)
  const third = await order(items, { customer_id: first.customer.id })
  t.deepEqual(third.customer, { id: first.customer.id, title: 'Harbour Furniture', country_code: 'DE' })
  t.not((await order(items, { customer })).customer.id, first.customer.id)
  t.is(await refusedOrder(items, { customer_id: '1' }), 'validation_failed customer_id: no such customer')
  t.regex(await refusedOrder(items, { customer_id: first.customer.id, customer }), /customer: must not stand beside/)
  t.regex(await refusedOrder(items, { customer: null }), /customer_id: is required/)
})

test('what cannot be sold is refused by name', async t => {
  const { place, refusedOrder, tenant, variant } = await salesroom(bench)
  await place('Main')
  const closed = await tenant.done(createStoragePlace, { title: 'Workshop', sales_allowed: false })
  const oak = await variant('OAK')
  const glue = await variant('GLUE', { is_sellable: false })
  const old = await variant('OLD')
  const product = await tenant.done(createOrder, { customer, items: [itemLine(old, 1)] })
  await tenant.done(changeProduct, { archived: true }, { id: product.items[0].item_id })
  const at = (item: Loose) => refusedOrder([itemLine(oak, 1), { quantity: 1, ...item }])
  t.is(await at({ item_variant_id: '1' }), 'validation_failed items[1].item_variant_id: no such variant')
  t.is(await at({ item_variant_id: glue }), 'validation_failed items[1].item_variant_id: GLUE is not sellable')
  t.is(await at({ item_variant_id: old }), 'validation_failed items[1].item_variant_id: OLD is archived')
  t.is(
    await at({ item_variant_id: oak, storage_place_id: closed.id }),
    'validation_failed items[1].storage_place_id: the storage place does not allow sales',
  )
  t.is(
    await at({ item_variant_id: oak, storage_place_id: '1' }),
    'validation_failed items[1].storage_place_id: no such storage place',
  )
  t.regex(await at({ item_variant_id: oak, price: null }), /items\[1\].price: must not be null/)
  t.regex(await refusedOrder([itemLine(oak, 1)], { currency: 'XXX' }), /currency: XXX is not/)
})

test('a main place that sells nothing is refused as the default too', async t => {
  const { refusedOrder, tenant, variant } = await salesroom(bench)
  await tenant.done(createStoragePlace, { title: 'Workshop', sales_allowed: false })
  t.regex(await refusedOrder([itemLine(await variant('OAK'), 1)]), /items\[0\].storage_place_id: the storage/)
})

test('an order dates from now: a period closed through today refuses it', async t => {
  const { refusedOrder, tenant, variant } = await salesroom(bench, { closedThrough: '2026-11-21' })
  const items = [itemLine(await variant('OAK'), 1)]
  t.regex(await refusedOrder(items), /^unprocessable .*closed through 2026-11-21/)
  tenant.now = '2026-11-22T00:00:00.000Z'
  t.is(await refusedOrder(items), 'done')
})

test('numbers and references are unique per tenant, and counting skips taken numbers', async t => {
  const { order, refusedOrder, variant } = await salesroom(bench)
  const items = [itemLine(await variant('OAK'), 1)]
  const { id } = await order(items, { number: 'SO-00002', external_ref: 'shop-9' })
  const numbers = [(await order(items)).number, (await order(items)).number]
  t.deepEqual(numbers, ['SO-00001', 'SO-00003'])
  t.is(await refusedOrder(items, { number: 'SO-00002' }), `validation_failed number: is taken by ${id}`)
  t.is(await refusedOrder(items, { external_ref: 'shop-9' }), `validation_failed external_ref: is taken by ${id}`)
})

test('lists filter by status, delivery status, customer, reference, number and creation', async t => {
  const { change, order, orders, tenant, variant } = await salesroom(bench)
  const items = [itemLine(await variant('OAK'), 1)]
  tenant.now = '2026-11-20T10:00:00.000Z'
  const old = await order(items, { external_ref: 'old' })
  tenant.now = '2026-11-21T10:00:00.000Z'
  const [packed, cancelled] = [await order(items), await order(items)]
  await change(packed, { delivery_status: 'PACKED' })
  await change(cancelled, { status: 'CANCELLED' })
  const ids = async (filters: Record<string, string>) => columns(await orders({ filters }), 'id').flat()
  t.deepEqual(await ids({}), [old.id, packed.id, cancelled.id])
  t.deepEqual(await ids({ status: 'OPEN' }), [old.id, packed.id])
  t.deepEqual(await ids({ delivery_status: 'PACKED' }), [packed.id])
  t.deepEqual(await ids({ customer_id: old.customer.id }), [old.id])
  t.deepEqual(await ids({ customer_id: '1' }), [])
  t.deepEqual(await ids({ external_ref: 'old' }), [old.id])
  t.deepEqual(await ids({ number: 'SO-00002' }), [packed.id])
  t.deepEqual(await ids({ created_after: '2026-11-21' }), [packed.id, cancelled.id])
  t.deepEqual(await ids({ created_before: '2026-11-21T10:00:00Z' }), [old.id])
  t.deepEqual(columns(await orders({ after: old.id, limit: 1 }), 'id').flat(), [packed.id])
})

test('an order says when the customer ordered: at any time that is not ahead of the clock, in closed periods too', async t => {
  const { tenant, variant } = await salesroom(bench, { closedThrough: '2026-10-31' })
  const items = [itemLine(await variant('OAK'), 1)]
  const body = { customer: { title: 'Café' }, items }
  const order = await tenant.done(createOrder, { ...body, ordered_at: '2026-10-05T09:30:00+02:00' })
  t.is(order.ordered_at, '2026-10-05T07:30:00.000Z')
  t.is((await tenant.done(createOrder, body)).ordered_at, null)
  const changed = await tenant.run(changeOrder, { ordered_at: '2026-10-06' }, { id: order.id })
  t.like(changed.events, [
    { data: { ordered_at: '2026-10-06T00:00:00.000Z' }, previous: { ordered_at: order.ordered_at } },
  ])
  t.is((await tenant.done(changeOrder, { ordered_at: null }, { id: order.id })).ordered_at, null)
  const ahead = { ordered_at: new Date(Date.parse(tenant.now) + 6 * 60_000).toISOString() }
  const refusal = 'unprocessable ordered_at: must not be in the future'
  t.is(await tenant.refusal(createOrder, { ...body, ...ahead }), refusal)
  t.is(await tenant.refusal(changeOrder, ahead, { id: order.id }), refusal)
})
