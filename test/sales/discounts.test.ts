/** Discounts of lines and charges of sales orders: amounts, totals, what a PATCH makes of them, and what returns refund. */
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const totals = (order: Loose) => [order.total_amount, order.tax_amount, order.total_amount_with_tax]
const amounts = (order: Loose) =>
  columns(order.items, 'discount_percent', 'line_amount', 'line_tax_amount', 'line_amount_with_tax')
const charged = (order: Loose) => columns(order.charges, 'title', 'amount', 'tax_rate', 'tax_amount', 'amount_with_tax')
const reconciled = ({ tenant }: Salesroom) => bench.faults(tenant.id)

test('a discount is taken off before the one rounding of a line, in euros and in yen', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const line = itemLine(oak, 3, { price: 9.99, tax_rate: 19 })
  const euros = await room.order([line, { ...line, discount_percent: 12.5 }, { ...line, discount_percent: 100 }])
  // 29.97 and 5.6943. 3 * 9.99 * 0.875 = 26.22375, and 19 % of 26.22 = 4.9818. The last line costs nothing.
  t.deepEqual(amounts(euros), [
    [0, 29.97, 5.69, 35.66],
    [12.5, 26.22, 4.98, 31.2],
    [100, 0, 0, 0],
  ])
  t.deepEqual(totals(euros), [56.19, 10.67, 66.86])
  t.deepEqual(await room.read(euros), euros)
  const yen = await room.order([itemLine(oak, 7, { price: 149, tax_rate: 10, discount_percent: 33.3333 })], {
    currency: 'JPY',
  })
  // 7 * 149 * 0.666667 = 695.333681; 10 % of 695 = 69.5.
  t.deepEqual(amounts(yen), [[33.3333, 695, 70, 765]])
  t.deepEqual(totals(yen), [695, 70, 765])
  t.deepEqual(await reconciled(room), [])
})

test('a PATCH changes the discount of a line, adds lines with one, and the same discount again changes nothing', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 10, { price: 2.5, discount_percent: 4 })])
  t.deepEqual(totals(order), [24, 0, 24])
  const changed = await room.change(order, {
    items: [
      { id: order.items[0].id, discount_percent: 7.77 },
      itemLine(oak, 1, { price: 1, discount_percent: 50 }),
      itemLine(oak, 1, { price: 1 }),
    ],
  })
  // 25 * 0.9223 = 23.0575 -> 23.06.
  t.deepEqual(
    amounts(changed).map(([discount, amount]) => [discount, amount]),
    [
      [7.77, 23.06],
      [50, 0.5],
      [0, 1],
    ],
  )
  t.deepEqual(totals(changed), [24.56, 0, 24.56])
  const same = await room.tryChange(changed, { items: [{ id: order.items[0].id, discount_percent: 7.77 }] })
  t.deepEqual(same, { body: changed, events: [] })
  t.deepEqual(await reconciled(room), [])
})

test('a discount outside 0 to 100, of more than four decimals or null is refused', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const refused = (discount_percent: unknown) => room.refusedOrder([itemLine(oak, 1, { discount_percent })])
  t.is(await refused(-1), 'validation_failed items[0].discount_percent: must be 0 or more')
  t.is(await refused(100.0001), 'validation_failed items[0].discount_percent: must be 100 or less')
  t.is(await refused(0.00001), 'validation_failed items[0].discount_percent: must have at most 4 decimals')
  t.is(await refused(null), 'validation_failed items[0].discount_percent: must not be null')
})

test('a return refunds the discounted price unless it says another', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 9, { unit_cost: 2 })])
  const order = await room.order([
    itemLine(oak, 3, { price: 9.99, discount_percent: 12.5 }),
    itemLine(oak, 2, { price: 0.333333, discount_percent: 50 }),
    itemLine(oak, 1, { price: 5, discount_percent: 10 }),
  ])
  await room.ship(order)
  const line = (at: number, extra = {}) => ({ sales_order_item_id: order.items[at].id, quantity: 1, ...extra })
  const back = await room.giveBack(order, [line(0, { quantity: 3 }), line(1), line(2, { unit_price: 3.99 })])
  // 9.99 * 0.875 = 8.74125, three of them 26.22375 -> 26.22; 0.1666665 -> 0.166667, half of 0.33 -> 0.17; 3.99.
  t.deepEqual(columns(back.items, 'unit_price'), [[8.74125], [0.166667], [3.99]])
  t.is(back.sales_return.refund_amount, 30.38)
})

test('charges are rounded to the minor unit, taxed, and count in the totals of an order', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 2, { price: 10, tax_rate: 19 })], {
    charges: [
      { title: 'Shipping', amount: 4.995, tax_rate: 19 },
      { title: 'Gift wrap', amount: 1.004999 },
      { title: ' Insurance ', amount: 0 },
    ],
  })
  // 4.995 -> 5.00, 19 % of it 0.95; 1.004999 -> 1.00.
  t.deepEqual(charged(order), [
    ['Shipping', 5, 19, 0.95, 5.95],
    ['Gift wrap', 1, 0, 0, 1],
    ['Insurance', 0, 0, 0, 0],
  ])
  t.deepEqual(totals(order), [26, 4.75, 30.75])
  t.is(new Set(order.charges.map(({ id }: Loose) => id)).size, 3)
  t.deepEqual(await room.read(order), order)
  t.deepEqual(await room.orders(), [order])
  const yen = await room.order([itemLine(oak, 1, { price: 100 })], {
    currency: 'JPY',
    charges: [{ title: 'Shipping', amount: 499.5, tax_rate: 7.5 }],
  })
  // 499.5 -> 500, 7.5 % of it 37.5 -> 38.
  t.deepEqual(charged(yen), [['Shipping', 500, 7.5, 38, 538]])
  t.deepEqual(totals(yen), [600, 38, 638])
  t.deepEqual((await room.order([itemLine(oak, 1)])).charges, [])
  t.deepEqual(await reconciled(room), [])
})

test('a PATCH with charges replaces all of them, without any it leaves them, and the same ones change nothing', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const charges = [
    { title: 'Shipping', amount: 5, tax_rate: 19 },
    { title: 'Gift wrap', amount: 1 },
  ]
  const order = await room.order([itemLine(oak, 1, { price: 10 })], { charges })
  t.deepEqual(totals(order), [16, 0.95, 16.95])
  t.deepEqual(await room.tryChange(order, { charges }), { body: order, events: [] })
  const noted = await room.change(order, { notes: 'Ring twice', items: [{ id: order.items[0].id, quantity: 2 }] })
  t.deepEqual(noted.charges, order.charges)
  t.deepEqual(totals(noted), [26, 0.95, 26.95])
  room.tenant.now = '2026-11-21T06:00:00.000Z'
  const { body, events } = await room.tryChange(order, { charges: [{ title: 'Express', amount: 12.345, tax_rate: 7 }] })
  // 12.345 -> 12.35, 7 % of it 0.8645 -> 0.86.
  t.deepEqual(charged(body), [['Express', 12.35, 7, 0.86, 13.21]])
  t.deepEqual([...totals(body), body.updated_at], [32.35, 0.86, 33.21, room.tenant.now])
  t.deepEqual(
    events.map(({ type, data, previous }) => [type, data, Object.keys(previous ?? {}).sort()]),
    [['sales_order.updated', body, ['charges', 'tax_amount', 'total_amount', 'total_amount_with_tax', 'updated_at']]],
  )
  t.deepEqual(await room.read(order), body)
  const bare = await room.change(order, { charges: [], items: [{ id: order.items[0].id, price: 11 }] })
  t.deepEqual([bare.charges, ...totals(bare)], [[], 22, 0, 22])
  t.deepEqual(await room.read(order), bare)
  t.deepEqual(await reconciled(room), [])
})

test('51 charges, one without title or amount and a null list are refused', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const refused = (charges: unknown) => room.refusedOrder([itemLine(oak, 1)], { charges })
  const charge = { title: 'Shipping', amount: 1 }
  t.is(await refused(Array(51).fill(charge)), 'validation_failed charges: must have at most 50 entries')
  t.is(await refused([{ amount: 1 }]), 'validation_failed charges[0].title: is required')
  t.is(await refused([{ title: 'Shipping' }]), 'validation_failed charges[0].amount: is required')
  t.is(await refused([{ ...charge, tax_rate: 101 }]), 'validation_failed charges[0].tax_rate: must be 100 or less')
  t.is(await refused([{ ...charge, id: '1' }]), 'validation_failed charges[0].id: is not a known field')
  t.regex(await refused(null), /^validation_failed charges: /)
  const order = await room.order([itemLine(oak, 1)], { charges: Array(50).fill(charge) })
  t.is(order.total_amount, 50)
  t.is(
    await room.refusedChange(order, { charges: Array(51).fill(charge) }),
    'validation_failed charges: must have at most 50 entries',
  )
})
