/** What sales orders cost as a shop charged them: prices with and without tax, several taxes, discounts in money, lines without a variant. */
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const amounts = (order: Loose) => columns(order.items, 'line_amount', 'line_tax_amount', 'line_amount_with_tax')
const charged = (order: Loose) => columns(order.charges, 'amount', 'tax_amount', 'amount_with_tax')
const totals = (order: Loose) => [order.total_amount, order.tax_amount, order.total_amount_with_tax]
const reconciled = ({ tenant }: Salesroom) => bench.faults(tenant.id)
const included = { prices_include_tax: true }
const together = { ...included, tax_rounding: 'ORDER' }

/** A read shows the order as it was answered, and the order reconciles. */
async function isKept(t: { deepEqual(one: unknown, other: unknown): void }, room: Salesroom, order: Loose) {
  t.deepEqual(await room.read(order), order)
  t.deepEqual(await reconciled(room), [])
}

test('an order counts without tax and by line unless it says otherwise', async t => {
  const room = await salesroom(bench)
  const order = await room.order([{ title: 'Oak oil', quantity: 1, price: 9.99, tax_rate: 20 }])
  t.like(order, { prices_include_tax: false, tax_rounding: 'LINE', tax_rounding_mode: 'HALF_UP', exchange_rate: 1 })
  t.like(order.items[0], { discount_amount: 0, taxes: [], external_ref: null, metadata: {} })
  t.deepEqual(amounts(order), [[9.99, 2, 11.99]])
  await isKept(t, room, order)
})

test('prices with tax stay what they are, and the tax is taken out of them in the mode of the order', async t => {
  const room = await salesroom(bench)
  const lines = [9.99, 100.95].map(price => ({ title: 'Chair', quantity: 1, price, tax_rate: 20 }))
  // 9.99 * 20 / 120 = 1.665; 100.95 * 20 / 120 = 16.825.
  const halfUp = await room.order(lines, included)
  t.deepEqual(amounts(halfUp), [
    [8.32, 1.67, 9.99],
    [84.12, 16.83, 100.95],
  ])
  t.deepEqual(totals(halfUp), [92.44, 18.5, 110.94])
  const down = await room.order(lines, { ...included, tax_rounding_mode: 'DOWN' })
  t.deepEqual(columns(down.items, 'line_tax_amount'), [[1.66], [16.82]])
  // 9.99 * 19 / 119 = 1.5950...: up is 1.60, half up 1.60, down 1.59.
  const up = await room.order([{ title: 'Chair', quantity: 1, price: 9.96, tax_rate: 19 }], {
    ...included,
    tax_rounding_mode: 'UP',
  })
  // 9.96 * 19 / 119 = 1.59025...
  t.deepEqual(amounts(up), [[8.36, 1.6, 9.96]])
  await isKept(t, room, halfUp)
  await isKept(t, room, down)
  await isKept(t, room, up)
})

test('with tax_rounding ORDER the taxes of one rate are together the tax of the sum', async t => {
  const room = await salesroom(bench)
  const yen = Array(3).fill({ title: 'Rice ball', quantity: 1, price: 105, tax_rate: 8 })
  // 105 * 8 / 108 = 7.78 a line; 315 * 8 / 108 = 23.33.
  const each = await room.order(yen, { ...included, currency: 'JPY' })
  t.deepEqual(totals(each), [291, 24, 315])
  const one = await room.order(yen, { ...together, currency: 'JPY' })
  t.deepEqual(amounts(one), [
    [97, 8, 105],
    [97, 8, 105],
    [98, 7, 105],
  ])
  t.deepEqual(totals(one), [292, 23, 315])
  // 15 * 21 / 121 = 2.6033 and 30 * 21 / 121 = 5.2066. Another rate is rounded separately, and charges come after the lines.
  const mixed = await room.order(
    [
      { title: 'Lamp', quantity: 1, price: 15, tax_rate: 21 },
      { title: 'Book', quantity: 1, price: 10, tax_rate: 9 },
    ],
    { ...together, charges: [{ title: 'Shipping', amount_with_tax: 15, tax_rate: 21 }] },
  )
  t.deepEqual(amounts(mixed), [
    [12.4, 2.6, 15],
    [9.17, 0.83, 10],
  ])
  t.deepEqual(charged(mixed), [[12.39, 2.61, 15]])
  for (const order of [each, one, mixed]) await isKept(t, room, order)
  const [, book] = mixed.items
  const changed = await room.change(mixed, { items: [{ id: mixed.items[0].id, remove: true }] })
  // The charge is now the first one with its rate.
  t.deepEqual(amounts(changed), [[9.17, 0.83, 10]])
  t.is(changed.items[0].id, book.id)
  t.deepEqual(charged(changed), [[12.4, 2.6, 15]])
  t.deepEqual(await room.tryChange(changed, { charges: [{ title: 'Shipping', amount_with_tax: 15, tax_rate: 21 }] }), {
    body: changed,
    events: [],
  })
  await isKept(t, room, changed)
})

test('several taxes are shown each, rounded by themselves or as parts of the tax that is in the price', async t => {
  const room = await salesroom(bench)
  const taxes = [
    { title: 'GST', rate: 5 },
    { title: 'QST', rate: 9.975 },
  ]
  const shown = [
    { title: 'GST', rate: 5, amount: 5 },
    { title: 'QST', rate: 9.975, amount: 9.98 },
  ]
  const order = await room.order([{ title: 'Table "Québec"', quantity: 1, price: 100, taxes }])
  t.deepEqual(amounts(order), [[100, 14.98, 114.98]])
  t.deepEqual(order.items[0].taxes, shown)
  t.is(order.items[0].tax_rate, 14.975)
  const inPrice = await room.order([{ title: 'Table', quantity: 1, price: 114.98, taxes }], included)
  // 114.98 * 14.975 / 114.975 = 14.9756; 14.98 * 5 / 14.975 = 5.0017.
  t.deepEqual(amounts(inPrice), [[100, 14.98, 114.98]])
  t.deepEqual(inPrice.items[0].taxes, shown)
  t.deepEqual(
    await room.tryChange(order, { items: [{ id: order.items[0].id, taxes }] }),
    { body: order, events: [] },
    'the same taxes change nothing',
  )
  await isKept(t, room, order)
  await isKept(t, room, inPrice)
  const rate = await room.change(order, { items: [{ id: order.items[0].id, tax_rate: 5 }] })
  t.like(rate.items[0], { tax_rate: 5, taxes: [], line_tax_amount: 5 })
})

test('tax amounts as the shop computed them are taken as they are, and given anew where the price changes', async t => {
  const room = await salesroom(bench)
  const taxes = [{ title: 'VAT', rate: 19, amount: 1.58 }]
  const line = { title: 'Mug', quantity: 1, price: 9.99, taxes }
  const order = await room.order([line], included)
  t.deepEqual(amounts(order), [[8.41, 1.58, 9.99]])
  await isKept(t, room, order)
  const [{ id }] = order.items
  t.is(
    await room.refusedChange(order, { items: [{ id, quantity: 2 }] }),
    'validation_failed items[0].taxes: must be given anew: the tax amounts of the line are those that were given',
  )
  const noted = await room.change(order, { items: [{ id, external_ref: 'L-1' }] })
  t.like(noted.items[0], { external_ref: 'L-1', line_tax_amount: 1.58 })
  const twice = await room.change(noted, { items: [{ id, quantity: 2, taxes: [{ ...taxes[0], amount: 3.19 }] }] })
  t.deepEqual(amounts(twice), [[16.79, 3.19, 19.98]])
  const refused = (changed: Loose, extra: Loose = included) => room.refusedOrder([{ ...line, ...changed }], extra)
  const taxOf = (amount: unknown) => ({ taxes: [{ title: 'VAT', rate: 19, amount }] })
  t.is(await refused(taxOf(1.585)), 'validation_failed items[0].taxes[0].amount: must have at most 2 decimals in EUR')
  t.is(
    await refused(taxOf(0.1), { ...included, currency: 'JPY' }),
    'validation_failed items[0].taxes[0].amount: must have at most 0 decimals in JPY',
  )
  t.is(await refused(taxOf(-1)), 'validation_failed items[0].taxes[0].amount: must be 0 or more')
  t.is(
    await refused(taxOf(10)),
    'validation_failed items[0].taxes: the amounts must be 9.99 or less together: so much it costs',
  )
  t.is(
    await refused({ taxes: [...taxes, { title: 'City', rate: 1 }] }),
    'validation_failed items[0].taxes[1].amount: is required: amounts are given for all taxes or for none',
  )
  t.is(await refused({ tax_rate: 19 }), 'validation_failed items[0].taxes: must not stand beside tax_rate')
  t.is(
    await refused({ taxes: Array(3).fill({ title: 'VAT', rate: 70 }) }),
    'validation_failed items[0].taxes: the rates must be 200 or less together',
  )
  t.is(await refused({ taxes: [] }), 'validation_failed items[0].taxes: must have at least 1 entry')
  t.is(
    await refused({ taxes: [{ title: 'VAT', rate: 19 }] }, together),
    'validation_failed items[0].taxes: do not go with tax_rounding ORDER: give tax_rate',
  )
})

test('a discount in money comes off the whole line after the one in percent', async t => {
  const room = await salesroom(bench)
  const line = { title: 'Desk', quantity: 2, price: 50, tax_rate: 10 }
  const order = await room.order([
    { ...line, discount_amount: 20 },
    { ...line, discount_amount: 20, discount_percent: 10 },
  ])
  t.deepEqual(amounts(order), [
    [80, 8, 88],
    [70, 7, 77],
  ])
  const [first] = order.items
  const changed = await room.change(order, { items: [{ id: first.id, discount_amount: 100 }] })
  t.deepEqual(amounts(changed)[0], [0, 0, 0])
  t.is(
    await room.refusedChange(order, { items: [{ id: first.id, discount_amount: 100.01 }] }),
    'validation_failed items[0].discount_amount: must be 100 or less: so much the line costs',
  )
  await isKept(t, room, changed)
})

test('amounts have the decimals of their currency', async t => {
  const room = await salesroom(bench)
  const dinar = { currency: 'KWD', ...included }
  // 1.005 * 5 / 105 = 0.04786.
  const order = await room.order([{ title: 'Dates', quantity: 1, price: 1.005, tax_rate: 5 }], dinar)
  t.deepEqual(amounts(order), [[0.957, 0.048, 1.005]])
  t.is(order.exchange_rate, null)
  await isKept(t, room, order)
})

test('a charge below 0 takes off what it says, with its tax, but never more than the order comes to', async t => {
  const room = await salesroom(bench)
  const line = { title: 'Shelf', quantity: 1, price: 20, tax_rate: 20 }
  const voucher = { title: 'Voucher', tax_rate: 20, external_ref: 'V-1' }
  const without = await room.order([line], { charges: [{ ...voucher, amount: -5 }] })
  t.deepEqual(charged(without), [[-5, -1, -6]])
  t.deepEqual(totals(without), [15, 3, 18])
  // 5 * 20 / 120 = 0.8333.
  const inTax = await room.order([line], { ...included, charges: [{ ...voucher, amount_with_tax: -5 }] })
  t.deepEqual(charged(inTax), [[-4.17, -0.83, -5]])
  t.like(inTax.charges[0], { external_ref: 'V-1', taxes: [] })
  const given = await room.order([line], {
    ...included,
    charges: [{ title: 'Voucher', amount_with_tax: -5, taxes: [{ title: 'VAT', rate: 20, amount: -0.84 }] }],
  })
  t.deepEqual(charged(given), [[-4.16, -0.84, -5]])
  for (const order of [without, inTax, given]) await isKept(t, room, order)
  const refused = (charge: Loose, extra: Loose = {}) => room.refusedOrder([line], { charges: [charge], ...extra })
  t.is(
    await refused({ title: 'Voucher', amount: -24.01 }),
    'validation_failed charges: the order would come to -0.01 with tax: it must be 0 or more',
  )
  t.is(
    await room.refusedChange(without, { charges: [{ title: 'Voucher', amount: -25 }] }),
    'validation_failed charges: the order would come to -1 with tax: it must be 0 or more',
  )
  t.is(
    await refused({ title: 'Shipping', amount: 5 }, included),
    'validation_failed charges[0].amount: the prices of the order are with tax: give amount_with_tax',
  )
  t.is(
    await refused({ title: 'Shipping', amount_with_tax: 5 }),
    'validation_failed charges[0].amount_with_tax: the prices of the order are without tax: give amount',
  )
  t.is(await refused({ title: 'Shipping' }, included), 'validation_failed charges[0].amount_with_tax: is required')
  t.is(
    await refused({ title: 'Voucher', amount: -5, taxes: [{ title: 'VAT', rate: 20, amount: 1 }] }),
    'validation_failed charges[0].taxes[0].amount: must be 0 or less',
  )
})

test('a line without a variant is packed and shipped without stock', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const order = await room.order([
    { title: 'Gift wrapping', quantity: 2, price: 1.5, tax_rate: 19, external_ref: 'W-1', metadata: { paper: 'red' } },
    { title: 'Tip', quantity: 1, price: 2 },
  ])
  t.like(order.items[0], {
    item_id: null,
    item_variant_id: null,
    sku: null,
    storage_place_id: null,
    title: 'Gift wrapping',
    external_ref: 'W-1',
    metadata: { paper: 'red' },
  })
  await isKept(t, room, order)
  const [wrapping, tip] = order.items
  const changed = await room.change(order, {
    items: [
      { id: wrapping.id, title: 'Wrapping', metadata: { ribbon: 'blue', paper: null } },
      { title: 'Card', quantity: 1 },
    ],
  })
  t.like(changed.items[0], { title: 'Wrapping', metadata: { ribbon: 'blue' } })
  t.like(changed.items[2], { title: 'Card', price: 0 })
  await room.pack(changed, { items: [{ sales_order_item_id: tip.id, quantity: 1 }] })
  const shipment = await room.ship(changed)
  t.deepEqual(columns(shipment.items, 'item_variant_id', 'quantity', 'batch_id'), [
    [null, 2, null],
    [null, 1, null],
    [null, 1, null],
  ])
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'SHIPPED' })
  t.deepEqual(await reconciled(room), [])
  const refused = (line: Loose) => room.refusedOrder([{ quantity: 1, ...line }])
  t.is(
    await refused({}),
    'validation_failed items[0].item_variant_id: is required, or sku, or the title of a line without a variant',
  )
  const beside =
    'validation_failed items[0].title: is only for a line without a variant: must not stand beside item_variant_id or sku'
  t.is(await refused({ title: 'Oak', item_variant_id: oak }), beside)
  t.is(await refused({ title: 'Oak', sku: 'OAK' }), beside)
  t.is(
    await refused({ title: 'Tip', storage_place_id: '1' }),
    'validation_failed items[0].storage_place_id: must not stand in a line without a variant, which holds no stock',
  )
  const stored = await room.order([itemLine(oak, 1)])
  t.is(
    await room.refusedChange(stored, { items: [{ id: stored.items[0].id, title: 'Oak' }] }),
    'validation_failed items[0].title: is only for a line without a variant',
  )
})

test('an order that comes to another total than its caller expects is refused before stock is asked', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const lines = [itemLine(oak, 3, { price: 9.99, tax_rate: 19 }), { title: 'Tip', quantity: 1, price: 2 }]
  const charges = [{ title: 'Shipping', amount: 4.9, tax_rate: 19 }]
  const strict = { allow_backorder: false, charges }
  const other =
    'total_mismatch expected_total_amount_with_tax: the order comes to 43.49, not to 43.5: items[0] 35.66, items[1] 2, charges[0] 5.83'
  t.is(await room.refusedOrder(lines, { ...strict, expected_total_amount_with_tax: 43.5 }), other)
  t.regex(await room.refusedOrder(lines, { ...strict, expected_total_amount_with_tax: 43.49 }), /^insufficient_stock /)
  const order = await room.order(lines, { charges, expected_total_amount_with_tax: 43.49 })
  t.false('expected_total_amount_with_tax' in order)
  t.is(
    await room.refusedChange(order, { notes: 'Ring twice', expected_total_amount_with_tax: 43.5 }),
    other,
    'also where no line changes',
  )
  const changed = await room.change(order, { charges: [], expected_total_amount_with_tax: 37.66 })
  t.deepEqual(totals(changed), [31.97, 5.69, 37.66])
})

test('an exchange rate is kept for whoever books the order, and is 1 in the currency of the tenant', async t => {
  const room = await salesroom(bench)
  const line = { title: 'Tip', quantity: 1, price: 2 }
  const order = await room.order([line], { currency: 'USD', exchange_rate: 0.92 })
  t.is(order.exchange_rate, 0.92)
  t.is((await room.change(order, { exchange_rate: null })).exchange_rate, null)
  const own = "validation_failed exchange_rate: must be 1 in the tenant's own currency, EUR"
  t.is(await room.refusedOrder([line], { exchange_rate: 0.92 }), own)
  const home = await room.order([line])
  t.is(await room.refusedChange(home, { exchange_rate: 2 }), own)
  t.deepEqual(await room.tryChange(home, { exchange_rate: null }), { body: home, events: [] })
})
