/** Discounts of lines of purchase orders: amounts, what goods cost in stock, receipts, and the effect of a PATCH. */
import { reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const reconciled = (room: Buying) => bench.faults(room.tenant.id)
const part = (line: Loose, quantity: number) => ({ purchase_order_item_id: line.id, quantity })
const received = (receipt: Loose) => columns(receipt.items, 'quantity', 'price', 'discount_percent', 'line_amount')
const worth = async (room: Buying) => columns(await room.stock(), 'sku', 'quantity', 'average_cost', 'stock_value')

test('goods come in at the discounted price in a foreign currency, rounded once, and a reversal takes out as much', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  await room.adjust([itemLine(oak, 1, { unit_cost: 2 })], { storage_place_id: main })
  const order = await room.order(
    [
      itemLine(oak, 10, { price: 1.13, tax_rate: 19, discount_percent: 7.5 }),
      itemLine(ash, 4, { price: 3, discount_percent: 100 }),
    ],
    { currency: 'USD', exchange_rate: 0.9137 },
  )
  // 10 * 1.13 * 0.925 = 10.4525 -> 10.45, and 19 % of it are 1.9855 -> 1.99. The second line costs nothing.
  t.deepEqual(columns(order.items, 'discount_percent', 'line_amount', 'line_tax_amount'), [
    [7.5, 10.45, 1.99],
    [100, 0, 0],
  ])
  t.like(order, { total_amount: 10.45, tax_amount: 1.99, total_amount_with_tax: 12.44 })
  const receipt = await room.receive(order, {
    storage_place_id: main,
    items: [part(order.items[0], 7), part(order.items[1], 4)],
  })
  // 7 * 1.13 * 0.925 = 7.31675 -> 7.32 dollars.
  t.deepEqual(received(receipt), [
    [7, 1.13, 7.5, 7.32],
    [4, 3, 100, 0],
  ])
  t.is(receipt.total_amount, 7.32)
  t.deepEqual(await room.receipts(order), [receipt])
  // 7.31675 * 0.9137 = 6.685314475 -> 6.6853 euros, with the 2 that were there before: 8.6853 / 8 = 1.0857 (1.08566).
  t.deepEqual(await worth(room), [
    ['OAK', 8, 1.0857, 8.6853],
    ['ASH', 4, 0, 0],
  ])
  t.deepEqual(await reconciled(room), [])
  await room.tenant.done(reverseReceipt, { reason: 'Wrong order' }, { id: receipt.id })
  t.deepEqual(await worth(room), [
    ['OAK', 1, 2, 2],
    ['ASH', 0, null, 0],
  ])
  t.deepEqual(await reconciled(room), [])
})

test('a PATCH changes discounts: what is received stays, later receipts take the discount as it then is', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 10, { price: 2, discount_percent: 10 })])
  const first = await room.receive(order, { storage_place_id: main, items: [part(order.items[0], 5)] })
  const changed = await room.change(order, {
    items: [{ id: order.items[0].id, discount_percent: 25 }, itemLine(oak, 1, { price: 1, discount_percent: 50 })],
  })
  // 10 * 2 * 0.75 and 0.5.
  t.deepEqual(columns(changed.items, 'discount_percent', 'line_amount'), [
    [25, 15],
    [50, 0.5],
  ])
  t.is(changed.total_amount, 15.5)
  t.deepEqual(await room.tryChange(order, { items: [{ id: order.items[0].id, discount_percent: 25 }] }), {
    body: changed,
    events: [],
  })
  const second = await room.receive(order, { storage_place_id: main, items: [part(order.items[0], 5)] })
  t.deepEqual(
    [...received(first), ...received(second)],
    [
      [5, 2, 10, 9],
      [5, 2, 25, 7.5],
    ],
  )
  t.deepEqual(await worth(room), [['OAK', 10, 1.65, 16.5]])
  t.is(
    await room.refusedChange(order, { items: [{ id: order.items[0].id, discount_percent: 100.5 }] }),
    'validation_failed items[0].discount_percent: must be 100 or less',
  )
  t.deepEqual(await reconciled(room), [])
})
