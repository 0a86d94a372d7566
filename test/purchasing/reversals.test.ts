/** Reversals of receipts: the order is open again and expects the goods, and the stock loses them at their value. */
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { getReceipt, listAllReceipts } from '../../lib/domain/purchasing/receipts/endpoints.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const why = { reason: 'the wrong order' }
const reverse = ({ tenant }: Buying, receipt: Loose) => tenant.run(reverseReceipt, why, { id: receipt.id })
const reconciled = ({ tenant }: Buying) => bench.faults(tenant.id)

test('a reversed receipt opens its order again, which expects the goods at its own place, and tells of both', async t => {
  const room = await buying(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const [oak, freight] = [await room.variant('OAK'), await room.variant('FREIGHT', { type: 'SERVICE' })]
  const order = await room.order([itemLine(oak, 10, { price: 5 }), itemLine(freight, 1, { price: 20 })], {
    storage_place_id: north,
  })
  const receipt = await room.receive(order, { storage_place_id: south })
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'RECEIVED' })
  const { body, events } = await reverse(room, receipt)
  t.deepEqual(body, {
    ...receipt,
    reversed_at: room.tenant.now,
    reversal_reason: 'the wrong order',
    reversed_by_user_name: 'tester',
  })
  t.deepEqual(await room.tenant.read(getReceipt, { id: receipt.id }), body)
  t.deepEqual(await room.tenant.page(listAllReceipts, { filters: { reversed: 'true' } }), [body])
  const after = await room.read(order)
  t.like(after, { status: 'OPEN', delivery_status: 'NOT_RECEIVED', completed_at: null })
  t.deepEqual(column(after.items, 'received_quantity'), [0, 0])
  t.deepEqual(
    events.map(({ type, data }) => [type, data.storage_place_id, data.expected_quantity]),
    [
      ['stock.changed', south, 0],
      ['stock.changed', north, 10],
      ['purchase_receipt.reversed', south, undefined],
      ['purchase_order.updated', north, undefined],
    ],
  )
  t.deepEqual(events[3]?.data, after)
  t.like(events[3]?.previous, { status: 'DONE', delivery_status: 'RECEIVED' })
  // Reversed lines can be received again.
  await room.receive(order, { storage_place_id: north })
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'RECEIVED' })
  t.deepEqual(await reconciled(room), [])
})

test('the goods of a receipt leave at what they cost, after cheaper ones came in', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const oak = await room.variant('OAK')
  const dear = await room.order([itemLine(oak, 10, { price: 5 })], { currency: 'USD', exchange_rate: 0.9 })
  const cheap = await room.order([itemLine(oak, 10, { price: 3 })])
  const receipt = await room.receive(dear, { storage_place_id: north })
  await room.receive(cheap, { storage_place_id: north })
  // Q 20, V 45 + 30 = 75. 4 go at the average of 3.75: V 60.
  await room.adjust([itemLine(oak, -4)])
  await reverse(room, receipt)
  // 10 leave at 45.
  t.deepEqual(await room.shelf(), ['OAK: 6 (0) +10 = 15'])
  t.deepEqual(await reconciled(room), [])
})

test('of an order that is received in parts only the part of the receipt is outstanding again', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const order = await room.order([itemLine(milk, 10, { price: 1 })])
  const line = order.items[0].id
  const part = (quantity: number, more: object) =>
    room.receive(order, { storage_place_id: north, items: [{ purchase_order_item_id: line, quantity, ...more }] })
  const first = await part(3, { batch_number: 'A', quarantine: true })
  await part(2, { batch_number: 'A' })
  t.is((await reverse(room, first)).refusal, undefined)
  t.like(await room.read(order), { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED' })
  t.deepEqual(await room.shelf(), ['MILK: 0 (0) +8 = 0', 'MILK A: 2 (0) +0 = 2'])
  t.deepEqual(await reconciled(room), [])
})

test('an order that was closed by hand stays closed, and expects nothing', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 2, { price: 1 }), itemLine(oak, 5, { price: 1 })])
  const receipt = await room.receive(order, {
    storage_place_id: north,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 2 }],
  })
  await room.close(order)
  const { completed_at } = await room.read(order)
  await reverse(room, receipt)
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'NOT_RECEIVED', completed_at })
  t.deepEqual(await room.shelf(), ['OAK: 0 (0) +0 = 0'])
  t.deepEqual(await reconciled(room), [])
})

test('a line that a reversed receipt names stays, and so does the supplier', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 2, { price: 1 }), itemLine(oak, 5, { price: 1 })])
  const [first, second] = order.items
  const receipt = await room.receive(order, {
    storage_place_id: north,
    items: [{ purchase_order_item_id: first.id, quantity: 2 }],
  })
  await reverse(room, receipt)
  t.is(
    await room.refusedChange(order, { items: [{ id: first.id, remove: true }] }),
    'validation_failed items[0].remove: a reversed receipt names the line: it must stay',
  )
  const other = await room.tenant.done(supplierEndpoints.create, { title: 'Other' })
  t.is(
    await room.refusedChange(order, { supplier_id: other.id }),
    'validation_failed supplier_id: cannot change: goods of the order were received',
  )
  // After a reversal the line's quantity may become less than what was once received, and the other line may be removed.
  await room.change(order, {
    items: [
      { id: first.id, quantity: 1 },
      { id: second.id, remove: true },
    ],
  })
  t.deepEqual(await room.shelf(), ['OAK: 0 (0) +1 = 0'])
  t.deepEqual(await reconciled(room), [])
})

test('goods that were sold since are a shortage, and nothing changes', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 2, { price: 1 })])
  const receipt = await room.receive(order, { storage_place_id: north })
  await room.adjust([itemLine(oak, -1)])
  const before = [await room.read(order), await room.receipts(order)]
  t.deepEqual((await reverse(room, receipt)).refusal, {
    refusal: 'insufficient_stock',
    message: 'not enough OAK at North: 2 needed, 1 on hand',
  })
  t.deepEqual([await room.read(order), await room.receipts(order)], before)
})

test('of 16 reversals of one receipt one succeeds, however the units of work share them', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const oak = await room.variant('OAK')
  const order = await room.order([itemLine(oak, 2, { price: 1 })])
  const { id } = await room.receive(order, { storage_place_id: north })
  const command = () => commandOf(room.tenant.id, ['reversePurchaseReceipt', why, id])
  const batches = Array.from({ length: 4 }, () => Array.from({ length: 4 }, command))
  const outcomes = await Promise.all(
    batches.map(async commands => (await units.outcomesOf([{ tenantId: room.tenant.id, commands }])).flat()),
  )
  const kinds = outcomes.flat().map(outcome => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal))
  t.deepEqual(kinds.toSorted(), [...Array(15).fill('already_reversed'), 'done'])
  t.deepEqual(await room.shelf(), ['OAK: 0 (0) +2 = 0'])
})
