/** The guarantees of purchase units: quantities and prices in boxes, defaults of the supplier item, and the stock of receipts. */
import fc from 'fast-check'
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { PurchaseOrder } from '../../lib/domain/purchasing/orders/noun.ts'
import { createSupplierItem } from '../../lib/domain/purchasing/supplier-items/commands.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import {
  divideRounded,
  formatMicro,
  parseCost,
  parseExchangeRate,
  parseMicro,
  powerOfTen,
} from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const reverse = endpointOf('reversePurchaseReceipt')
const item = (room: Buying, body: Loose): Promise<Loose> =>
  room.tenant.done(createSupplierItem, { supplier_id: room.supplier, ...body })
const shown = (order: Loose, ...names: string[]) => columns(order.items, ...names)
const UNITS = ['quantity', 'purchase_quantity', 'purchase_unit_name', 'conversion_rate', 'price', 'purchase_price']

test('60 pieces in boxes of 12 at 10.00, received 7 and 53, cost 5.8333 and 44.1667', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const cup = await room.variant('CUP', { purchase_price: 0.9 })
  await item(room, {
    item_variant_id: cup,
    supplier_sku: 'C-12',
    purchase_unit_name: 'box',
    conversion_rate: 12,
    price: 10,
  })
  const order = await room.order([{ item_variant_id: cup, purchase_quantity: 5, tax_rate: 19 }])
  t.is(v.safeParse(replyOf(PurchaseOrder), order).issues, undefined)
  t.deepEqual(shown(order, ...UNITS, 'supplier_sku'), [[60, 5, 'box', 12, 0.833333, 10, 'C-12']])
  // 5 * 10 = 50, and 19 % of it are 9.50. 60 * 0.833333 would be 50.00 too, but with 600,000 pieces the result would differ.
  t.like(order, { total_amount: 50, tax_amount: 9.5 })
  t.deepEqual(await room.shelf(), ['CUP: 0 (0) +60 = 0'])
  const [line] = order.items
  const first = await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: line.id, quantity: 7 }],
  })
  // 7 / 12 * 10 = 5.8333...: 5.83 and 5.8333. 7 / 12 has no exact number of 6 decimals.
  t.deepEqual(shown(first, ...UNITS, 'line_amount'), [[7, null, 'box', 12, 0.833333, 10, 5.83]])
  t.deepEqual(await room.shelf(), ['CUP: 7 (0) +53 = 5.8333'])
  const second = await room.receive(order, { storage_place_id: main })
  t.deepEqual(shown(second, ...UNITS, 'line_amount'), [[53, null, 'box', 12, 0.833333, 10, 44.17]])
  t.deepEqual(await room.shelf(), ['CUP: 60 (0) +0 = 50'])
  t.like(await room.read(order), { status: 'DONE', items: [{ received_quantity: 60, purchase_quantity: 5 }] })
  await room.tenant.done(reverse, { reason: 'Broken' }, { id: second.id })
  t.deepEqual(await room.shelf(), ['CUP: 7 (0) +53 = 5.8333'])
  t.like(await room.read(order), { status: 'OPEN', items: [{ received_quantity: 7, purchase_quantity: 5 }] })
})

test('amounts and costs come from the purchase price, never from the rounded price', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const screw = await room.variant('SCREW')
  const line = {
    item_variant_id: screw,
    purchase_quantity: 1000,
    conversion_rate: 7000,
    purchase_price: 1,
    tax_rate: 10,
  }
  const order = await room.order([{ ...line, discount_percent: 7.5 }], { currency: 'USD', exchange_rate: 0.9137 })
  // 1 / 7000 = 0.000142857...: 7,000,000 * 0.000143 would be 1001.
  t.deepEqual(shown(order, ...UNITS, 'line_amount', 'line_tax_amount'), [
    [7_000_000, 1000, null, 7000, 0.000143, 1, 925, 92.5],
  ])
  // 1,234,567 / 7000 * 1 * 0.925 * 0.9137 = 149.06029... euros.
  await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 1_234_567 }],
  })
  t.deepEqual(await room.shelf(), ['SCREW: 1234567 (0) +5765433 = 149.0603'])
  const rest = await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: order.items[0].id, purchase_quantity: 823.633 }],
  })
  t.deepEqual(shown(rest, 'quantity', 'purchase_quantity'), [[5_765_431, 823.633]])
})

test('rate, unit name and prices default to the supplier item, then to the variant', async t => {
  const room = await buying(bench)
  await room.place('Main')
  const oak = await room.variant('OAK', { purchase_price: 0.333333 })
  const ash = await room.variant('ASH')
  const elm = await room.variant('ELM', { purchase_price: 2 })
  await item(room, { item_variant_id: oak, purchase_unit_name: 'box', conversion_rate: 12, price: 10 })
  await item(room, { item_variant_id: elm, conversion_rate: 6, price: 9, currency: 'USD' })
  const other = (await room.tenant.done(supplierEndpoints.create, { title: 'Other' })).id
  await room.tenant.done(createSupplierItem, { supplier_id: other, item_variant_id: ash, price: 77 })
  const boxes = (item_variant_id: string, more: Loose = {}) => ({ item_variant_id, purchase_quantity: 2, ...more })
  const order = await room.order([
    boxes(oak),
    // The price is not divided by the rate of the item: it is the variant's price times the rate, 0.333333 * 2.5 = 0.8333325.
    boxes(oak, { conversion_rate: 2.5 }),
    boxes(oak, { conversion_rate: 12, purchase_unit_name: 'crate' }),
    boxes(oak, { purchase_unit_name: null, purchase_price: 0 }),
    boxes(ash),
    // For an order in euros the price in dollars does not count.
    boxes(elm),
  ])
  t.deepEqual(shown(order, ...UNITS), [
    [24, 2, 'box', 12, 0.833333, 10],
    [5, 2, 'box', 2.5, 0.333333, 0.833333],
    [24, 2, 'crate', 12, 0.833333, 10],
    [24, 2, null, 12, 0, 0],
    [2, 2, null, 1, 0, 0],
    [12, 2, null, 6, 2, 12],
  ])
  const dollars = await room.order([boxes(oak), boxes(elm)], { currency: 'USD', exchange_rate: 0.9 })
  t.deepEqual(shown(dollars, 'price', 'purchase_price'), [
    [0.833333, 10],
    [1.5, 9],
  ])
  const pieces = (item_variant_id: string, more: Loose = {}) => ({ item_variant_id, quantity: 3, ...more })
  const single = await room.order([pieces(oak), pieces(oak, { price: 0 }), pieces(ash), pieces(elm)])
  t.deepEqual(shown(single, ...UNITS), [
    [3, null, null, 1, 0.833333, null],
    [3, null, null, 1, 0, null],
    [3, null, null, 1, 0, null],
    [3, null, null, 1, 2, null],
  ])
  const fromOther = await room.order([pieces(oak), pieces(ash)], { supplier_id: other })
  t.deepEqual(shown(fromOther, 'price'), [[0.333333], [77]])
})

test('an archived supplier item counts no more, and a supplier that an order brings along has its items', async t => {
  const room = await buying(bench)
  await room.place('Main')
  const oak = await room.variant('OAK', { purchase_price: 5 })
  await room.tenant.done(supplierEndpoints.update, { external_ref: 'nordic' }, { id: room.supplier })
  const kept = await item(room, { item_variant_id: oak, supplier_sku: 'N-1', conversion_rate: 4, price: 10 })
  const boxes = [{ item_variant_id: oak, purchase_quantity: 1 }]
  const found = await room.order(boxes, { supplier: { title: 'Whoever', external_ref: 'nordic' } })
  t.deepEqual(shown(found, 'quantity', 'purchase_price', 'supplier_sku'), [[4, 10, 'N-1']])
  const made = await room.order(boxes, { supplier: { title: 'New', external_ref: 'new' } })
  t.deepEqual(shown(made, 'quantity', 'purchase_price', 'supplier_sku'), [[1, 5, null]])
  await room.tenant.done(endpointOf('updateSupplierItem'), { archived: true }, { id: kept.id })
  t.deepEqual(shown(await room.order(boxes), 'quantity', 'purchase_price', 'supplier_sku'), [[1, 5, null]])
})

test('a line is in stock units or in purchase units, and what is no quantity is refused with line and product', async t => {
  const room = await buying(bench)
  await room.place('Main')
  const oak = await room.variant('OAK')
  await item(room, { item_variant_id: oak, conversion_rate: 0.3, price: 1 })
  const good = itemLine(oak, 1)
  const refused = (line: Loose) => room.refusedOrder([good, { item_variant_id: oak, ...line }])
  const both = 'a line is in stock units or in purchase units'
  for (const [name, value] of Object.entries({
    purchase_quantity: 1,
    purchase_price: 1,
    conversion_rate: 1,
    purchase_unit_name: null,
  }))
    t.is(
      await refused({ quantity: 1, [name]: value }),
      `validation_failed items[1].${name}: must not stand beside quantity: ${both}`,
    )
  t.is(
    await refused({ purchase_quantity: 1, price: 1 }),
    `validation_failed items[1].purchase_quantity: must not stand beside price: ${both}`,
  )
  t.is(await refused({}), 'validation_failed items[1].quantity: is required, or purchase_quantity')
  t.is(
    await refused({ conversion_rate: 2 }),
    'validation_failed items[1].purchase_quantity: is required beside conversion_rate',
  )
  t.is(
    await refused({ purchase_quantity: 0.000001 }),
    'validation_failed items[1].purchase_quantity: 0.000001 * 0.3 of OAK comes to 0',
  )
  t.is(
    await refused({ purchase_quantity: 0.000499, conversion_rate: 0.001 }),
    'validation_failed items[1].purchase_quantity: 0.000499 * 0.001 of OAK comes to 0',
  )
  t.is(
    await refused({ purchase_quantity: 100_000_000, conversion_rate: 10 }),
    'validation_failed items[1].purchase_quantity: 100000000 * 10 of OAK must be less than 1000000000',
  )
  t.is(
    await refused({ purchase_quantity: 1, conversion_rate: 0.000001, purchase_price: 1_000_000 }),
    'validation_failed items[1].purchase_price: the price of OAK must be less than 1000000000000',
  )
  for (const [name, value] of [
    ['purchase_quantity', 0],
    ['purchase_quantity', -1],
    ['purchase_quantity', null],
    ['purchase_quantity', 0.1234567],
    ['conversion_rate', 0],
    ['conversion_rate', null],
    ['conversion_rate', 1.0000000001],
    ['purchase_price', -0.01],
    ['purchase_price', null],
    ['purchase_price', 0.1234567],
    ['purchase_unit_name', ''],
    ['supplier_sku', 'X'],
  ] as const)
    t.regex(
      await refused({ purchase_quantity: 1, [name]: value }),
      new RegExp(`^validation_failed items\\[1\\].${name}: `),
    )
})

test('receipts of a line in purchase units take either quantity, and of other lines only the one', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const { variants } = await room.tenant.done(createProduct, { title: 'Carriage', type: 'SERVICE', sku: 'CARRY' })
  const order = await room.order([
    { item_variant_id: oak, purchase_quantity: 5, conversion_rate: 12, purchase_price: 10 },
    itemLine(oak, 5, { price: 1 }),
    { item_variant_id: variants[0].id, purchase_quantity: 2, conversion_rate: 2.5, purchase_price: 30 },
  ])
  const [boxed, single, service] = order.items.map(({ id }: Loose) => id)
  const refused = (line: Loose) => room.refusedReceipt(order, { storage_place_id: main, items: [line] })
  t.is(
    await refused({ purchase_order_item_id: single, purchase_quantity: 1 }),
    'validation_failed items[0].purchase_quantity: OAK is ordered in stock units: give quantity',
  )
  t.is(
    await refused({ purchase_order_item_id: boxed, purchase_quantity: 1, quantity: 12 }),
    'validation_failed items[0].purchase_quantity: must not stand beside quantity',
  )
  t.is(
    await refused({ purchase_order_item_id: boxed }),
    'validation_failed items[0].quantity: is required, or purchase_quantity',
  )
  t.is(
    await refused({ purchase_order_item_id: boxed, purchase_quantity: 5.000001 }),
    'purchase_receipt_not_allowed items[0].purchase_quantity: 60.000012 of OAK are more than the 60 outstanding',
  )
  t.is(
    await refused({ purchase_order_item_id: boxed, purchase_quantity: 5.5 }),
    'purchase_receipt_not_allowed items[0].purchase_quantity: 66 of OAK are more than the 60 outstanding',
  )
  const receipt = await room.receive(order, {
    storage_place_id: main,
    items: [
      { purchase_order_item_id: boxed, purchase_quantity: 1.5 },
      { purchase_order_item_id: boxed, quantity: 6 },
      { purchase_order_item_id: single, quantity: 5 },
      { purchase_order_item_id: service, purchase_quantity: 1 },
    ],
  })
  t.deepEqual(shown(receipt, 'quantity', 'purchase_quantity', 'conversion_rate', 'purchase_price', 'line_amount'), [
    [18, 1.5, 12, 10, 15],
    [6, 0.5, 12, 10, 5],
    [5, null, 1, null, 5],
    [2.5, 1, 2.5, 30, 30],
  ])
  t.deepEqual(await room.shelf(), ['OAK: 29 (0) +36 = 25'])
})

test('a rate of 9 decimals: receipts take the rounded sum of their purchase units, and the last one all that is left', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const third = { item_variant_id: oak, purchase_quantity: 3, conversion_rate: 0.333333333, purchase_price: 10 }
  const order = await room.order([third, { ...third, purchase_quantity: 100_000, tax_rate: 19 }])
  // 3 * 0.333333333 = 0.999999999 and 100000 * 0.333333333 = 33333.3333, at 10 a unit.
  t.deepEqual(shown(order, 'quantity', 'purchase_quantity', 'conversion_rate', 'price', 'line_amount'), [
    [1, 3, 0.333333333, 30, 30],
    [33_333.3333, 100_000, 0.333333333, 30, 1_000_000],
  ])
  const [few, many] = order.items.map(({ id }: Loose) => id)
  const receive = async (line: Loose, more: Loose = {}) =>
    room.receive(order, { storage_place_id: main, items: [line], ...more })
  const one = { purchase_order_item_id: few, purchase_quantity: 1 }
  const quantities = (receipt: Loose) => shown(receipt, 'quantity', 'purchase_quantity', 'line_amount')
  t.deepEqual(quantities(await receive(one)), [[0.333333, 1, 10]])
  // 0.666666666 less 0.333333.
  t.deepEqual(quantities(await receive(one)), [[0.333334, 1, 10]])
  // 0.3 stock units are 0.9000000009 purchase units: 9.00 at 10. The rest is that of both quantities: 0.0999999991 units.
  t.deepEqual(quantities(await receive({ purchase_order_item_id: few, quantity: 0.3 })), [[0.3, null, 9]])
  t.deepEqual(quantities(await receive({ purchase_order_item_id: few, quantity: 0.033333 })), [[0.033333, null, 1]])
  t.deepEqual(shown(await room.read(order), 'received_quantity'), [[1], [0]])
  const [row] = (await room.stock()).filter((one: Loose) => one.quantity > 0)
  t.deepEqual([row?.quantity, row?.stock_value], [1, 30])
  // The second line of a receipt continues from the first.
  const both = await receive({ purchase_order_item_id: many, purchase_quantity: 0.000001 * 500_000 }, {})
  t.deepEqual(quantities(both), [[0.166667, 0.5, 5]])
  t.like(both, { currency: 'EUR', exchange_rate: 1, total_amount: 5, tax_amount: 0.95, total_amount_with_tax: 5.95 })
  t.is(
    await room.refusedReceipt(order, {
      storage_place_id: main,
      items: [{ purchase_order_item_id: many, purchase_quantity: 0.000001 }],
    }),
    'validation_failed items[0].purchase_quantity: comes to 0 of OAK',
  )
  // After its reversal all is as before the receipt.
  await room.tenant.done(reverse, { reason: 'Again' }, { id: both.id })
  t.deepEqual(quantities(await receive({ purchase_order_item_id: many, purchase_quantity: 2 })), [[0.666667, 2, 20]])
  const rest = await room.receive(order, { storage_place_id: main })
  t.deepEqual(quantities(rest), [[33_332.666633, 99_998, 999_980]])
  t.is((await room.read(order)).delivery_status, 'RECEIVED')
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('a receipt comes in at its own exchange rate, by default at that of the order', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const line = itemLine(oak, 10, { price: 3, tax_rate: 7 })
  const order = await room.order([line], { currency: 'USD', exchange_rate: 0.9 })
  const items = (quantity: number) => [{ purchase_order_item_id: order.items[0].id, quantity }]
  const usual = await room.receive(order, { storage_place_id: main, items: items(4) })
  const shows = { currency: 'USD', total_amount: 12, tax_amount: 0.84, total_amount_with_tax: 12.84 }
  t.like(usual, { ...shows, exchange_rate: 0.9 })
  const dear = await room.receive(order, { storage_place_id: main, items: items(4), exchange_rate: 0.95 })
  t.like(dear, { ...shows, exchange_rate: 0.95 })
  // 12 * 0.9 + 12 * 0.95
  t.deepEqual(await room.shelf(), ['OAK: 8 (0) +2 = 22.2'])
  t.is((await room.read(order)).exchange_rate, 0.9)
  const own = await room.order([line])
  const refused = (exchange_rate: number) => room.refusedReceipt(own, { storage_place_id: main, exchange_rate })
  t.is(await refused(1.1), "validation_failed exchange_rate: must be 1 in the tenant's own currency, EUR")
  t.regex(await refused(0), /^validation_failed exchange_rate: /)
  t.like(await room.receive(own, { storage_place_id: main, exchange_rate: 1 }), { currency: 'EUR', exchange_rate: 1 })
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('a PATCH changes a line in the units that it has; rate and unit name stay', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK', { purchase_price: 3 })
  const order = await room.order([
    { item_variant_id: oak, purchase_quantity: 5, conversion_rate: 12, purchase_price: 10, purchase_unit_name: 'box' },
    itemLine(oak, 5, { price: 1 }),
  ])
  const [boxed, single] = order.items.map(({ id }: Loose) => id)
  const refused = (line: Loose) => room.refusedChange(order, { items: [line] })
  const inPurchaseUnits = 'the line is in purchase units: purchase_quantity and purchase_price change it'
  const inStockUnits = 'the line is in stock units: quantity and price change it'
  t.is(await refused({ id: boxed, quantity: 60 }), `validation_failed items[0].quantity: ${inPurchaseUnits}`)
  t.is(
    await refused({ id: boxed, price: 1, purchase_price: 12 }),
    `validation_failed items[0].price: ${inPurchaseUnits}`,
  )
  t.is(
    await refused({ id: single, purchase_quantity: 1 }),
    `validation_failed items[0].purchase_quantity: ${inStockUnits}`,
  )
  t.is(await refused({ id: single, purchase_price: 1 }), `validation_failed items[0].purchase_price: ${inStockUnits}`)
  for (const name of ['conversion_rate', 'purchase_unit_name'])
    t.is(
      await refused({ id: boxed, [name]: name === 'conversion_rate' ? 12 : 'box' }),
      `validation_failed items[0].${name}: cannot change: remove the line and add another`,
    )
  t.regex(await refused({ id: boxed, purchase_quantity: null }), /^validation_failed items\[0\].purchase_quantity: /)
  t.deepEqual(
    (await room.tryChange(order, { items: [{ id: boxed, purchase_quantity: 5, purchase_price: 10 }] })).events,
    [],
  )
  await room.receive(order, {
    storage_place_id: main,
    items: [{ purchase_order_item_id: boxed, purchase_quantity: 2 }],
  })
  t.is(
    await refused({ id: boxed, purchase_quantity: 1.999999 }),
    'validation_failed items[0].purchase_quantity: must be 24 in stock units or more: so much is received',
  )
  const changed = await room.change(order, {
    items: [
      { id: boxed, purchase_quantity: 2.5, purchase_price: 11, discount_percent: 50 },
      { id: single, quantity: 7, price: 2 },
      { item_variant_id: oak, purchase_quantity: 1, conversion_rate: 6 },
    ],
  })
  // 2.5 * 11 / 2 = 13.75; 1 * 3 * 6 = 18.
  t.deepEqual(shown(changed, ...UNITS, 'line_amount'), [
    [30, 2.5, 'box', 12, 0.916667, 11, 13.75],
    [7, null, null, 1, 2, null, 14],
    [6, 1, null, 6, 3, 18, 18],
  ])
  // The received goods keep their cost of 20. The rest of the boxes is received at 6 / 12 * 11 / 2 = 2.75.
  await room.receive(order, { storage_place_id: main, items: [{ purchase_order_item_id: boxed, quantity: 6 }] })
  t.deepEqual(await room.shelf(), ['OAK: 30 (0) +13 = 22.75'])
  t.deepEqual(
    shown(await room.change(order, { items: [{ item_variant_id: oak, purchase_quantity: 1 }] }), 'quantity').length,
    4,
  )
})

test('another supplier changes supplier_sku of all lines and no price; added lines take units and price of the new one', async t => {
  const room = await buying(bench)
  await room.place('Main')
  const oak = await room.variant('OAK')
  const ash = await room.variant('ASH')
  const other = (await room.tenant.done(supplierEndpoints.create, { title: 'Other' })).id
  await item(room, { item_variant_id: oak, supplier_sku: 'N-OAK', conversion_rate: 12, price: 10 })
  await item(room, { item_variant_id: ash, supplier_sku: 'N-ASH' })
  const theirs = { supplier_id: other, supplier_sku: 'O-OAK', conversion_rate: 6, price: 99 }
  await item(room, { item_variant_id: oak, ...theirs })
  const order = await room.order([{ item_variant_id: oak, purchase_quantity: 1 }, itemLine(ash, 1)])
  const { body: moved, events } = await room.tryChange(order, {
    supplier_id: other,
    items: [{ item_variant_id: oak, purchase_quantity: 1 }],
  })
  t.deepEqual(shown(moved, 'quantity', 'purchase_price', 'supplier_sku'), [
    [12, 10, 'O-OAK'],
    [1, null, null],
    [6, 99, 'O-OAK'],
  ])
  const [event] = events.filter(({ type }: Loose) => type === 'purchase_order.updated')
  t.deepEqual(shown((event as Loose).previous, 'supplier_sku'), [['N-OAK'], ['N-ASH']])
  const back = await room.change(order, { supplier_id: room.supplier })
  t.deepEqual(shown(back, 'quantity', 'purchase_price', 'supplier_sku'), [
    [12, 10, 'N-OAK'],
    [1, null, 'N-ASH'],
    [6, 99, 'N-OAK'],
  ])
})

const RUNS = Number(process.env['UNITS_RUNS'] ?? 15)

test('parts add up to the whole within one rounding a part, and reversing all of them in any order leaves nothing', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  let at = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        boxes: fc.integer({ min: 1, max: 40 }),
        rate: fc.constantFrom('12', '0.7', '7000', '0.000003', '144.5', '0.333333333', '2.20462262'),
        price: fc.constantFrom('10', '0.01', '999.999999', '0.000001', '3333.33'),
        exchangeRate: fc.constantFrom('1', '0.9137', '0.0000525'),
        cuts: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 4 }),
        shuffled: fc.infiniteStream(fc.nat()),
      }),
      async ({ boxes, rate, price, exchangeRate, cuts, shuffled }) => {
        const variant = await room.variant(`PART-${at++}`)
        const line = {
          item_variant_id: variant,
          purchase_quantity: boxes,
          conversion_rate: Number(rate),
          purchase_price: Number(price),
        }
        const money = exchangeRate === '1' ? {} : { currency: 'USD', exchange_rate: Number(exchangeRate) }
        const order = await room.order([line], money)
        const total = parseMicro(String(order.items[0].quantity))
        // The parts end at these shares of the whole.
        const ends = [...new Set(cuts.toSorted((a, b) => a - b).map(cut => (total * BigInt(cut)) / 100n)), total]
        const parts = ends.map((end, n) => end - (ends[n - 1] ?? 0n)).filter(part => part > 0n)
        const receipts: Loose[] = []
        for (const part of parts)
          receipts.push(
            await room.receive(order, {
              storage_place_id: main,
              items: [{ purchase_order_item_id: order.items[0].id, quantity: Number(formatMicro(part)) }],
            }),
          )
        const held = async () => {
          const [row] = (await room.stock()).filter(({ item_variant_id }: Loose) => item_variant_id === variant)
          return { quantity: parseMicro(String(row?.quantity)), value: parseCost(row?.stock_value.toFixed(4)) }
        }
        // boxes * price * rate in 10^-16 of the currency, against ten-thousandths.
        const whole = divideRounded(BigInt(boxes) * parseMicro(price) * parseExchangeRate(exchangeRate), powerOfTen(12))
        const { quantity, value } = await held()
        t.is(quantity, total)
        const distance = value > whole ? value - whole : whole - value
        t.true(distance <= BigInt(parts.length), `${value} in ${parts.length} parts, ${whole} at once`)
        while (receipts.length > 0) {
          const [receipt] = receipts.splice((shuffled.next().value ?? 0) % receipts.length, 1)
          await room.tenant.done(reverse, { reason: 'Again' }, { id: receipt?.id })
          const left = await held()
          t.true(left.value >= 0n)
          if (left.quantity === 0n) t.is(left.value, 0n)
        }
        t.is((await held()).quantity, 0n)
      },
    ),
    { numRuns: RUNS },
  )
  t.deepEqual(await bench.faults(room.tenant.id), [])
})
