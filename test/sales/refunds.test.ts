/** Refunds: what lines, charges and money for goods that stay refund, to the cent, and that nothing refunds more than it cost. */
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const back = (order: Loose, quantity: number, extra = {}) => ({
  sales_order_item_id: order.items[0].id,
  quantity,
  ...extra,
})
const refundOf = ({ sales_return: { refund_amount, refund_tax_amount, refund_amount_with_tax } }: Loose) => [
  refund_amount,
  refund_tax_amount,
  refund_amount_with_tax,
]

/** An order of 3 OAK at 3.335, which is 10.01 and 1.90 of tax, all shipped. `extra` adds fields to the order. */
async function sold({ line = {}, ...extra }: { line?: object } & Record<string, unknown> = {}) {
  const room = await salesroom(bench)
  await room.place('Main')
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 10, { unit_cost: 1 })])
  const order = await room.order([itemLine(oak, 3, { price: 3.335, tax_rate: 19, ...line })], extra)
  await room.ship(order)
  room.tenant.now = '2026-11-22T05:00:00.000Z'
  return { ...room, oak, sold: order }
}

for (const prices_include_tax of [false, true])
  test(`three pieces refund what they cost, one by one, with cancelled returns between: prices ${prices_include_tax ? 'with' : 'without'} tax`, async t => {
    const { giveBack, cancel, tenant, sold: order } = await sold({ prices_include_tax })
    const { line_amount, line_tax_amount, line_amount_with_tax } = order.items[0]
    t.deepEqual([line_amount, line_tax_amount], prices_include_tax ? [8.41, 1.6] : [10.01, 1.9])
    const first = await giveBack(order, [back(order, 1)])
    const between = await giveBack(order, [back(order, 1)])
    t.deepEqual(refundOf(first), prices_include_tax ? [2.81, 0.53, 3.34] : [3.34, 0.63, 3.97])
    t.deepEqual(refundOf(between), prices_include_tax ? [2.79, 0.54, 3.33] : [3.33, 0.64, 3.97])
    t.is(first.items[0].unit_price, 3.335)
    await cancel(first)
    const others = [
      await giveBack(order, [back(order, 1)]),
      await giveBack(order, [back(order, 1, { unit_price: 3.335 })]),
    ]
    const sum = [between, ...others].map(refundOf).reduce((total, each) => total.map((cents, at) => cents + each[at]))
    t.deepEqual(
      sum.map((amount: number) => Math.round(amount * 100)),
      [line_amount, line_tax_amount, line_amount_with_tax].map(amount => Math.round(amount * 100)),
    )
    t.deepEqual(await bench.faults(tenant.id), [])
  })

test('shipping is refunded alone, once, and the charges of the order stay while it is', async t => {
  const charges = [
    { title: 'Shipping', amount: 4.9, tax_rate: 19 },
    { title: 'Wrapping', amount: 2 },
  ]
  const room = await salesroom(bench)
  const oak = await room.variant('OAK', { price: 10 })
  const order = await room.order([itemLine(oak, 1)], { charges })
  const [shipping, wrapping] = order.charges
  t.is(await room.refusedGiveBack(order, []), 'validation_failed items: may be empty only where charges are given')
  const part = await room.giveBack(order, [], { charges: [{ sales_order_charge_id: shipping.id, amount: 2 }] })
  t.deepEqual(refundOf(part), [2, 0.38, 2.38])
  t.deepEqual(part.charges, [
    {
      id: part.charges[0].id,
      sales_order_charge_id: shipping.id,
      title: 'Shipping',
      amount: 2,
      tax_amount: 0.38,
      amount_with_tax: 2.38,
      taxes: [],
    },
  ])
  t.deepEqual(await room.readReturn(part), part)
  t.is(
    await room.refusedGiveBack(order, [], { charges: [{ sales_order_charge_id: shipping.id, amount: 2.91 }] }),
    'validation_failed charges[0].amount: at most 2.9 of the charge Shipping is left to refund',
  )
  const twice = [{ sales_order_charge_id: wrapping.id, amount: 1 }, { sales_order_charge_id: wrapping.id }]
  t.is(
    await room.refusedGiveBack(order, [], { charges: twice }),
    'validation_failed charges[1].sales_order_charge_id: is named twice',
  )
  const rest = await room.giveBack(order, [], { charges: [{ sales_order_charge_id: shipping.id }] })
  t.deepEqual(refundOf(rest), [2.9, 0.55, 3.45])
  t.regex(
    await room.refusedChange(order, { charges: [] }),
    /^validation_failed charges: the sales return SR-0000\d refunds some of them: they must stay as they are$/,
  )
  await room.change(order, { charges, notes: 'the same charges' })
  await room.cancel(part)
  await room.cancel(rest)
  t.deepEqual((await room.change(order, { charges: [] })).charges, [])
  t.deepEqual((await room.readReturn(rest)).charges, rest.charges)
})

test('money for a scratched piece that stays comes off what the piece refunds later', async t => {
  const { giveBack, receive, refusedGiveBack, stock, sold: order } = await sold({ line: { quantity: 1, price: 20 } })
  const money = await giveBack(order, [back(order, 0, { amount: 5 })])
  t.deepEqual(refundOf(money), [5, 0.95, 5.95])
  t.deepEqual(columns(money.items, 'quantity', 'batch_id', 'storage_place_id'), [[0, null, null]])
  t.is('amount' in money.items[0], false)
  await receive(money)
  t.deepEqual(columns(await stock(), 'quantity'), [[9]])
  t.is(
    await refusedGiveBack(order, [back(order, 0, { amount: 15.01 })]),
    'validation_failed items[0].amount: at most 15 of OAK is left to refund',
  )
  t.is(
    await refusedGiveBack(order, [back(order, 1, { unit_price: 16 })]),
    'validation_failed items[0].unit_price: at most 15 of OAK is left to refund',
  )
  t.deepEqual(refundOf(await giveBack(order, [back(order, 1)])), [15, 2.85, 17.85])
  t.regex(await refusedGiveBack(order, [back(order, 0, { amount: 0.01 })]), /: at most 0 of OAK is left to refund$/)
})

test('quantity 0 goes with an amount, an amount with quantity 0, and neither with a place or batch', async t => {
  const { refusedGiveBack, place, sold: order } = await sold()
  const side = await place('Side')
  const refused = (quantity: number, extra: object) => refusedGiveBack(order, [back(order, quantity, extra)])
  t.is(await refused(0, {}), 'validation_failed items[0].amount: is required with quantity 0')
  t.is(await refused(1, { amount: 1 }), 'validation_failed items[0].amount: goes with quantity 0: give unit_price')
  t.is(
    await refused(0, { amount: 1, unit_price: 1 }),
    'validation_failed items[0].unit_price: does not go with quantity 0: give amount',
  )
  for (const extra of [
    { quantity: 0, amount: 1 },
    { quantity: 1, restock: false },
  ])
    t.is(
      await refused(1, { ...extra, storage_place_id: side }),
      'validation_failed items[0].storage_place_id: does not go with a line of which no goods come in',
    )
})

test('with a voucher returns refund no more than the order came to, and none less than 0', async t => {
  const charges = [{ title: 'Voucher', amount: -5 }]
  const { giveBack, refusedGiveBack, change, refusedChange, order: make, oak, tenant } = await sold()
  const order = await make([itemLine(oak, 2, { price: 10 })], { charges })
  const voucher = { charges: [{ sales_order_charge_id: order.charges[0].id }] }
  const money = (amount: number) => [back(order, 0, { amount })]
  t.is(
    await refusedGiveBack(order, money(15.01)),
    'validation_failed charges: at most 15 of the order SO-00002 is left to refund with tax: refund its charges below 0 with it',
  )
  t.is(await refusedGiveBack(order, [], voucher), 'validation_failed charges: the return would refund -5 with tax')
  // 24 with tax less 5; of 16 the tax is 3.20.
  const taxed = await make([itemLine(oak, 2, { price: 10, tax_rate: 20 })], { charges })
  t.regex(
    await refusedGiveBack(taxed, [back(taxed, 0, { amount: 16 })]),
    /^validation_failed charges: at most 19 of the order SO-00003 is left to refund with tax/,
  )
  const whole = await giveBack(order, money(20), voucher)
  t.deepEqual(refundOf(whole), [15, 0, 15])
  t.deepEqual(columns(whole.charges, 'title', 'amount'), [['Voucher', -5]])
  const line = order.items[0].id
  t.is(
    await refusedChange(order, { items: [{ id: line, quantity: 1 }] }),
    'validation_failed items[0]: leaves 10 and 0 of tax of the line: returns refund 20 and 0 of tax',
  )
  t.is((await change(order, { items: [{ id: line, quantity: 3 }] })).total_amount_with_tax, 25)
  t.deepEqual(await bench.faults(tenant.id), [])
})

test('a voucher that comes after a refund leaves what is refunded', async t => {
  const { giveBack, cancel, change, refusedChange, order: make, oak } = await sold()
  const order = await make([itemLine(oak, 1, { price: 10 })])
  const money = await giveBack(order, [back(order, 0, { amount: 8 })])
  const charges = [{ title: 'Voucher', amount: -3 }]
  t.is(
    await refusedChange(order, { charges }),
    'validation_failed charges: the order would come to 7: returns refund 8',
  )
  t.regex(
    await refusedChange(order, { items: [itemLine(oak, 1), { id: order.items[0].id, remove: true }] }),
    /^validation_failed items\[1\]: leaves 0 /,
  )
  await cancel(money)
  t.is((await change(order, { charges })).total_amount_with_tax, 7)
})

test('pieces that do not come back are paid back, and nothing comes in', async t => {
  const { giveBack, refusedGiveBack, receive, stock, movements, sold: order } = await sold()
  const made = await giveBack(order, [back(order, 2, { restock: false }), back(order, 1)])
  t.deepEqual(columns(made.items, 'restock', 'quantity', 'refund_amount'), [
    [false, 2, 6.67],
    [true, 1, 3.34],
  ])
  t.is(made.items[0].storage_place_id, null)
  t.regex(await refusedGiveBack(order, [back(order, 1, { restock: false })]), /items\[0\].quantity: at most 0 of OAK/)
  const { sales_return } = await receive(made)
  t.deepEqual(columns(await stock(), 'quantity'), [[8]])
  t.deepEqual(columns(await movements({ source_id: sales_return.id }), 'quantity'), [[1]])
})

test('pieces of two batches refund piece by piece, and each goes back into its own', async t => {
  const room = await salesroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const { items } = await room.adjust([
    itemLine(milk, 1, { batch_number: 'A', expiry_date: '2026-12-01' }),
    itemLine(milk, 1, { batch_number: 'B', expiry_date: '2026-12-02' }),
  ])
  const [a, b] = items.map((item: Loose) => item.batch_id)
  const order = await room.order([itemLine(milk, 2, { price: 3.335 })])
  await room.ship(order)
  const first = await room.giveBack(order, [back(order, 1)])
  const second = await room.giveBack(order, [back(order, 1)])
  t.deepEqual(columns([...first.items, ...second.items], 'batch_id', 'refund_amount'), [
    [b, 3.34],
    [a, 3.33],
  ])
  await room.cancel(first)
  await room.cancel(second)
  const both = await room.giveBack(order, [back(order, 2, { unit_price: 3.325 })])
  t.deepEqual(columns(both.items, 'batch_id', 'unit_price', 'refund_amount'), [
    [b, 3.325, 3.33],
    [a, 3.325, 3.33],
  ])
  await room.receive(both)
  t.deepEqual(
    columns(await room.stock(), 'batch_number', 'quantity').filter(([number]) => number !== null),
    [
      ['A', 1],
      ['B', 1],
    ],
  )
})

test('the taxes of a refund are spread as those of the line: by rates, or as the shop computed them', async t => {
  const taxes = [
    { title: 'GST', rate: 5 },
    { title: 'QST', rate: 9.975 },
  ]
  const byRate = await sold({ line: { tax_rate: undefined, taxes, price: 100 } })
  const one = await byRate.giveBack(byRate.sold, [back(byRate.sold, 1)])
  // A third of 15.00 and of 29.93 is 14.98: 14.98 * 5 / 14.975 is 5.00.
  t.deepEqual(one.items[0].taxes, [
    { title: 'GST', rate: 5, amount: 5 },
    { title: 'QST', rate: 9.975, amount: 9.98 },
  ])
  const given = [
    { title: 'VAT', rate: 10, amount: 1.03 },
    { title: 'Eco', rate: 0, amount: 0.6 },
  ]
  const asGiven = await sold({ line: { tax_rate: undefined, taxes: given } })
  const all = await asGiven.giveBack(asGiven.sold, [back(asGiven.sold, 3)])
  t.deepEqual(all.items[0].taxes, given)
  t.deepEqual(await asGiven.readReturn(all), all)
})

test('of returns of the last piece that come at once one is made', async t => {
  const { tryGiveBack, returns, sold: order } = await sold({ line: { quantity: 1 } })
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => tryGiveBack(order, [back(order, 1)])))
  t.is(outcomes.filter(({ refusal }) => refusal === undefined).length, 1)
  t.is((await returns()).length, 1)
})

test('money that two returns of a unit of work ask for is refunded once, of a line and of a charge', async t => {
  const { tenant, refusedGiveBack, sold: order } = await sold({ line: { quantity: 1, price: 20 } })
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const charged = await room.order([itemLine(oak, 1)], { charges: [{ title: 'Trip', amount: 4 }] })
  const charges = [{ sales_order_charge_id: charged.charges[0].id, amount: 3 }]
  const body = { sales_order_id: order.id, items: [back(order, 0, { amount: 12 })] }
  for (const [id, asked] of [
    [tenant.id, body],
    [room.tenant.id, { sales_order_id: charged.id, items: [], charges }],
  ] as const) {
    const commands = Array.from({ length: 2 }, () => commandOf(id, ['createSalesReturn', asked]))
    const together = await units.outcomesOf([{ tenantId: id, commands }])
    t.deepEqual(column(together.flat(), 'kind'), ['done'])
  }
  t.is(
    await refusedGiveBack(order, body.items),
    'validation_failed items[0].amount: at most 8 of OAK is left to refund',
  )
  t.regex(await room.refusedGiveBack(charged, [], { charges }), /at most 1 .*is left to refund/)
})
