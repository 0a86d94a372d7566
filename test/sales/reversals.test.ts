/** Reversals of shipments: the goods return at the value at which they left, and the order can ship them again. */
import { getShipment, listAllShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const why = { reason: 'the parcel never left' }
const reverse = ({ tenant }: Salesroom, shipment: Loose) => tenant.run(reverseShipment, why, { id: shipment.id })
const reconciled = ({ tenant }: Salesroom) => bench.faults(tenant.id)
const shown = async (room: Salesroom) =>
  columns(await room.stock(), 'batch_number', 'quantity', 'reserved_quantity', 'stock_value')

test('a reversed shipment brings the goods back, opens its order again, which reserves again, and tells of both', async t => {
  const room = await salesroom(bench)
  const [oak, mounting] = [await room.variant('OAK'), await room.variant('MOUNTING', { type: 'SERVICE' })]
  await room.adjust([itemLine(oak, 3, { unit_cost: 3.3333 })])
  const order = await room.order([itemLine(oak, 2), itemLine(mounting, 1)])
  await room.pack(order)
  const shipment = await room.ship(order)
  await room.adjust([itemLine(oak, 9, { unit_cost: 1 })])
  const { body, events } = await reverse(room, shipment)
  t.deepEqual(body, {
    ...shipment,
    reversed_at: room.tenant.now,
    reversal_reason: 'the parcel never left',
    reversed_by_user_name: 'tester',
  })
  t.deepEqual(await room.tenant.read(getShipment, { id: shipment.id }), body)
  t.deepEqual(await room.tenant.page(listAllShipments, { filters: { reversed: 'true' } }), [body])
  const after = await room.read(order)
  t.like(after, { status: 'OPEN', delivery_status: 'PACKED', shipped_at: null })
  t.deepEqual(columns(after.items, 'packed_quantity', 'shipped_quantity'), [
    [2, 0],
    [1, 0],
  ])
  t.deepEqual(column(events, 'type'), ['stock.changed', 'sales_shipment.reversed', 'sales_order.updated'])
  t.like(events[0]?.data, { quantity: 12, reserved_quantity: 2 })
  t.deepEqual(events[2]?.data, after)
  // 3.3333 stayed, and 6.6666 return to it and to the 9.
  t.deepEqual(await shown(room), [[null, 12, 2, 18.9999]])
  t.deepEqual(await reconciled(room), [])
  await room.ship(order)
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'SHIPPED', shipped_at: room.tenant.now })
  t.deepEqual(await reconciled(room), [])
})

test('of several batches each gets its own back, also one that is expired now', async t => {
  const room = await salesroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([
    itemLine(milk, 1, { unit_cost: 1, batch_number: 'A', expiry_date: '2026-11-22' }),
    itemLine(milk, 2, { unit_cost: 4, batch_number: 'B' }),
  ])
  const order = await room.order([itemLine(milk, 2)])
  const shipment = await room.ship(order)
  room.tenant.now = '2026-12-01T08:00:00.000Z'
  t.is((await reverse(room, shipment)).refusal, undefined)
  t.deepEqual(await shown(room), [
    ['A', 1, 0, 3],
    ['B', 2, 0, 6],
    [null, 0, 2, 0],
  ])
  t.deepEqual(await reconciled(room), [])
})

test('an order that was set DONE by hand stays so, and reserves nothing', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 3, { unit_cost: 1 })])
  const order = await room.order([itemLine(oak, 1), itemLine(oak, 4)])
  const shipment = await room.ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }] })
  await room.change(order, { status: 'DONE' })
  await reverse(room, shipment)
  t.like(await room.read(order), { status: 'DONE', delivery_status: 'NOT_SHIPPED' })
  t.deepEqual(await shown(room), [[null, 3, 0, 3]])
  t.deepEqual(await reconciled(room), [])
})

test('a return that is not cancelled stands in the way, and is named', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 3, { unit_cost: 1 })])
  const order = await room.order([itemLine(oak, 2)])
  const shipment = await room.ship(order)
  const back = await room.giveBack(order, [{ sales_order_item_id: order.items[0].id, quantity: 1 }])
  t.deepEqual((await reverse(room, shipment)).refusal, {
    refusal: 'conflict',
    message: 'the sales return SR-00001 holds goods of this shipment: cancel it first',
  })
  await room.cancel(back)
  t.is((await reverse(room, shipment)).refusal, undefined)
  t.regex(
    await room.refusedGiveBack(order, [{ sales_order_item_id: order.items[0].id, quantity: 1 }]),
    /^validation_failed items\[0\].quantity: at most 0 of OAK/,
  )
  t.is(
    await room.refusedChange(order, { items: [{ id: order.items[0].id, remove: true }, itemLine(oak, 1)] }),
    'validation_failed items[0].remove: a reversed shipment names the line: it must stay',
  )
  t.deepEqual(await reconciled(room), [])
})

test('a reversed shipment counts neither in the value of a later return nor as the batch shipped last', async t => {
  const room = await salesroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([itemLine(milk, 4, { unit_cost: 2, batch_number: 'A' })])
  const order = await room.order([itemLine(milk, 4)])
  const line = order.items[0].id
  const part = (quantity: number) => room.ship(order, { items: [{ sales_order_item_id: line, quantity }] })
  const first = await part(2)
  // Dearer goods expire first: Q 4, V 4 + 20 = 24, so each is worth 6.
  await room.adjust([itemLine(milk, 2, { unit_cost: 10, batch_number: 'B', expiry_date: '2027-01-01' })])
  const second = await part(2)
  t.is(first.items[0].batch_id === second.items[0].batch_id, false)
  await reverse(room, second)
  const back = await room.giveBack(order, [{ sales_order_item_id: line, quantity: 1 }])
  t.is(back.items[0].batch_id, first.items[0].batch_id)
  await room.receive(back)
  // One returns at 2 and not at the average of 2 and 6.
  t.deepEqual((await room.movements()).at(-1)?.value, 2)
  t.deepEqual(await reconciled(room), [])
})

test('a return behind a reversal waits for the next unit of work, and comes back into the batch that was shipped before', async t => {
  const room = await salesroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const batches = ['A', 'B'].map(batch_number => itemLine(milk, 2, { batch_number }))
  await room.adjust(batches)
  const order = await room.order([itemLine(milk, 4)])
  const line = { sales_order_item_id: order.items[0].id, quantity: 1 }
  const part = () => room.ship(order, { items: [{ ...line, quantity: 2 }] })
  const [first, second] = [await part(), await part()]
  const { id: tenantId } = room.tenant
  const reversing = commandOf(tenantId, ['reverseSalesShipment', why, second.id])
  const returning = commandOf(tenantId, ['createSalesReturn', { sales_order_id: order.id, items: [line] }])
  const together = await units.outcomesOf([{ tenantId, commands: [reversing, returning] }])
  t.deepEqual(column(together.flat(), 'kind'), ['done'])
  const [[returned] = []] = await units.outcomesOf([{ tenantId, commands: [returning] }])
  const made = returned?.kind === 'done' ? JSON.parse(returned.body ?? '') : null
  t.is(made?.items[0].batch_id, first.items[0].batch_id)
  t.deepEqual(await reconciled(room), [])
})

test('reversals that race shipments of the same goods never take the stock below 0', async t => {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  const brought: Loose[] = []
  for (let n = 0; n < 8; n++) brought.push(await room.adjust([itemLine(oak, 1, { unit_cost: 1 + n })]))
  const orders: Loose[] = []
  for (let n = 0; n < 8; n++) orders.push(await room.order([itemLine(oak, 1)]))
  const shipped = await room.ship(await room.order([itemLine(oak, 2)]))
  const commands = [
    ...brought.flatMap(({ id }, n) => [
      commandOf(room.tenant.id, ['reverseStockAdjustment', why, id]),
      commandOf(room.tenant.id, ['createShipment', {}, orders[n].id]),
    ]),
    commandOf(room.tenant.id, ['reverseSalesShipment', why, shipped.id]),
  ]
  const outcomes = await Promise.all(
    commands.map(command => units.outcomesOf([{ tenantId: room.tenant.id, commands: [command] }])),
  )
  const refusals = outcomes.flat(2).flatMap(outcome => (outcome.kind === 'done' ? [] : [outcome.refusal.refusal]))
  // 8 were received, and each of 16 commands takes one: 8 succeed, and commands before the reversal of the shipment fail.
  t.true(refusals.length >= 8 && refusals.length <= 10)
  t.true(refusals.every(refusal => refusal === 'insufficient_stock'))
  t.deepEqual(await reconciled(room), [])
})
