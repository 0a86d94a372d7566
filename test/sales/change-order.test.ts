/** PATCH of a sales order: fields, lines, statuses, reservations and the event of each. */
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** A main place with 10 of OAK worth 40, and 10 of ASH worth 20. */
async function stocked(options: { closedThrough?: string } = {}) {
  const room = await salesroom(bench, options)
  if (options.closedThrough !== undefined) room.tenant.now = '2026-12-01T00:00:00.000Z'
  const main = await room.place('Main')
  const [oak, ash] = [await room.variant('OAK', { price: 10 }), await room.variant('ASH', { price: 5 })]
  await room.adjust([itemLine(oak, 10, { unit_cost: 4 }), itemLine(ash, 10, { unit_cost: 2 })])
  const levels = async () =>
    (await room.stock()).map((row: Loose) => `${row.sku} ${row.quantity} reserved ${row.reserved_quantity}`)
  return { ...room, main, oak, ash, levels }
}

const types = (events: Loose[]) => events.map(event => event.type)
const batch = (order: Loose, at: number, quantity: number) => ({
  items: [{ sales_order_item_id: order.items[at].id, quantity }],
})

test('fields change alone: null clears, omitted stays, and the event holds the old values', async t => {
  const { order, tryChange, oak, read } = await stocked()
  const made = await order([itemLine(oak, 1)], {
    notes: 'Call first',
    delivery_date: '2026-12-01',
    external_ref: 'shop-1',
    priority: 3,
  })
  const { body, events } = await tryChange(made, {
    notes: null,
    priority: -2,
    delivery_date: '2026-12-24T12:00:00+01:00',
  })
  t.deepEqual(
    [body.notes, body.priority, body.delivery_date, body.external_ref],
    [null, -2, '2026-12-24T11:00:00.000Z', 'shop-1'],
  )
  t.deepEqual(await read(made), body)
  t.deepEqual(types(events), ['sales_order.updated'])
  t.deepEqual(events[0]?.data, body)
  t.deepEqual(events[0]?.previous, { notes: 'Call first', priority: 3, delivery_date: '2026-12-01T00:00:00.000Z' })
})

test('a body that changes nothing answers the order and tells nobody', async t => {
  const { order, tryChange, oak } = await stocked()
  const made = await order([itemLine(oak, 1)], { notes: 'x' })
  for (const body of [{}, { notes: 'x' }, { items: [{ id: made.items[0].id, quantity: 1, price: 10 }] }]) {
    const outcome = await tryChange(made, body)
    t.deepEqual([outcome.body, outcome.events], [made, []])
  }
})

test('the customer and the reference change, if they are there and free', async t => {
  const { order, change, refusedChange, oak } = await stocked()
  const items = [itemLine(oak, 1)]
  const made = await order(items, { external_ref: 'mine' })
  const other = await order(items, { external_ref: 'theirs', customer: { title: 'Other' } })
  t.is((await change(made, { customer_id: other.customer.id })).customer.title, 'Other')
  t.is(await refusedChange(made, { customer_id: '1' }), 'validation_failed customer_id: no such customer')
  t.is(await refusedChange(made, { external_ref: 'theirs' }), `validation_failed external_ref: is taken by ${other.id}`)
  t.is(await refusedChange(made, { external_ref: 'mine' }), 'done')
  t.is((await change(made, { external_ref: null })).external_ref, null)
  t.is(await refusedChange({ id: '1' }, { notes: 'x' }), 'not_found no such sales order')
})

test('lines are changed, added and removed, amounts follow, and reservations with them', async t => {
  const { order, tryChange, oak, ash, levels } = await stocked()
  const made = await order([itemLine(oak, 3), itemLine(ash, 2)])
  const [first, second] = made.items
  const { body, events } = await tryChange(made, {
    items: [
      { id: second.id, remove: true },
      itemLine(ash, 1.5, { tax_rate: 20 }),
      { id: first.id, quantity: 5, price: 1.005 },
      itemLine(oak, 1),
    ],
  })
  t.deepEqual(columns(body.items, 'sku', 'quantity', 'price', 'line_amount', 'line_tax_amount'), [
    ['OAK', 5, 1.005, 5.03, 0],
    ['ASH', 1.5, 5, 7.5, 1.5],
    ['OAK', 1, 10, 10, 0],
  ])
  t.is(body.items[0].id, first.id)
  t.deepEqual([body.total_amount, body.tax_amount, body.total_amount_with_tax], [22.53, 1.5, 24.03])
  t.deepEqual(await levels(), ['OAK 10 reserved 6', 'ASH 10 reserved 1.5'])
  t.deepEqual(types(events), ['stock.changed', 'stock.changed', 'sales_order.updated'])
  t.deepEqual(events.at(-1)?.previous.items, made.items)
})

test('a line that moves to another place takes its reservation along', async t => {
  const { order, change, refusedChange, place, tenant, oak, main, stock } = await stocked()
  const other = await place('Other')
  const closed = await tenant.done(createStoragePlace, { title: 'Workshop', sales_allowed: false })
  const made = await order([itemLine(oak, 3)])
  const [{ id }] = made.items
  t.is((await change(made, { items: [{ id, storage_place_id: other }] })).items[0].storage_place_id, other)
  const reserved = async () => columns(await stock({ item_variant_id: oak }), 'storage_place_id', 'reserved_quantity')
  t.deepEqual(await reserved(), [
    [main, 0],
    [other, 3],
  ])
  await change(made, { items: [{ id, storage_place_id: null, quantity: 2 }] })
  t.deepEqual(await reserved(), [
    [main, 0],
    [other, 0],
    [null, 2],
  ])
  const moved = (storage_place_id: string) => refusedChange(made, { items: [{ id, storage_place_id }] })
  t.is(await moved('1'), 'validation_failed items[0].storage_place_id: no such storage place')
  t.is(await moved(closed.id), 'validation_failed items[0].storage_place_id: the storage place does not allow sales')
})

test('changes of lines are refused by name', async t => {
  const { order, refusedChange, ship, oak, ash } = await stocked()
  const made = await order([itemLine(oak, 3), itemLine(ash, 2)])
  const strange = await order([itemLine(oak, 1)])
  await ship(made, batch(made, 0, 2))
  const [first, second] = made.items
  const refused = (...items: Loose[]) => refusedChange(made, { items })
  t.is(
    await refused({ id: strange.items[0].id, quantity: 1 }),
    'validation_failed items[0].id: no such line of this order',
  )
  t.is(
    await refused({ id: second.id }, { id: second.id, quantity: 9 }),
    'validation_failed items[1].id: the line appears twice',
  )
  t.is(
    await refused({ id: first.id, quantity: 1.999999 }),
    'validation_failed items[0].quantity: must be 2 or more: so much is shipped',
  )
  t.is(
    await refused({ id: first.id, remove: true }),
    'validation_failed items[0].remove: 2 of the line are shipped: it must stay',
  )
  t.regex(await refused({ id: second.id, remove: true, quantity: 1 }), /items\[0\].remove: must not stand beside/)
  t.regex(await refused({ remove: true, item_variant_id: oak, quantity: 1 }), /items\[0\].remove: goes with the id/)
  t.regex(await refused({ id: second.id, item_variant_id: oak }), /items\[0\].item_variant_id: cannot change/)
  t.regex(await refused({ quantity: 1 }), /items\[0\].item_variant_id: is required/)
  t.regex(await refused({ item_variant_id: oak }), /items\[0\].quantity: is required/)
  t.regex(await refused(itemLine('1', 1)), /items\[0\].item_variant_id: no such variant/)
  const whole = { items: strange.items.map(({ id }: Loose) => ({ id, remove: true })) }
  t.is(await refusedChange(strange, whole), 'validation_failed items: an order keeps at least one line')
})

test('an order has at most 500 lines over all its changes', async t => {
  const { order, change, refusedChange, oak } = await stocked()
  const line = itemLine(oak, 1)
  const made = await order(Array.from({ length: 499 }, () => line))
  t.is(await refusedChange(made, { items: [line, line] }), 'validation_failed items: an order has at most 500 lines')
  const swapped = await change(made, { items: [line, { id: made.items[0].id, remove: true }, line] })
  t.is(swapped.items.length, 500)
})

test('an order without backorder is checked again where it needs more, and only there', async t => {
  const { order, adjust, change, refusedChange, place, oak, ash } = await stocked()
  const other = await place('Other')
  const made = await order([itemLine(oak, 6), itemLine(ash, 6)], { allow_backorder: false })
  const [first, second] = made.items
  await order([itemLine(oak, 3)])
  // 10 - 3 of the other order = 7 for this one.
  t.is(
    await refusedChange(made, { items: [{ id: first.id, quantity: 7.5 }] }),
    'insufficient_stock not enough OAK at Main: 7.5 needed, 10 on hand, of which 7 can be taken',
  )
  t.is(
    await refusedChange(made, { items: [itemLine(oak, 2)] }),
    'insufficient_stock not enough OAK at Main: 8 needed, 10 on hand, of which 7 can be taken',
  )
  t.is(
    await refusedChange(made, { items: [{ id: first.id, storage_place_id: other }] }),
    'insufficient_stock not enough OAK at Other: 6 needed, 0 on hand',
  )
  await change(made, { items: [{ id: first.id, quantity: 7 }] })
  // What was promised stays promised when stock is lost, but no more of it can be had.
  await adjust([itemLine(ash, -8)])
  await change(made, {
    items: [
      { id: first.id, quantity: 5 },
      { id: second.id, price: 1 },
    ],
  })
  await change(made, { items: [{ id: second.id, quantity: 4 }] })
  t.regex(await refusedChange(made, { items: [{ id: second.id, quantity: 5 }] }), /ASH at Main: 5 needed, 2 on hand$/)
})

test('an order with backorder may grow beyond what is there', async t => {
  const { order, change, levels, oak } = await stocked()
  const made = await order([itemLine(oak, 6)])
  await change(made, { items: [{ id: made.items[0].id, quantity: 60 }] })
  t.deepEqual(await levels(), ['OAK 10 reserved 60', 'ASH 10 reserved 0'])
})

test('SHIPPED writes off all that is left, makes a shipment of now and ends the order', async t => {
  const { order, tryChange, ship, shipments, tenant, oak, ash, levels, movements } = await stocked()
  const made = await order([itemLine(oak, 3), itemLine(ash, 2)])
  await ship(made, batch(made, 0, 1))
  tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await tryChange(made, { delivery_status: 'SHIPPED' })
  t.deepEqual([body.status, body.delivery_status, body.shipped_at], ['DONE', 'SHIPPED', tenant.now])
  t.deepEqual(columns(body.items, 'shipped_quantity'), [[3], [2]])
  t.deepEqual(types(events), ['stock.changed', 'stock.changed', 'sales_shipment.created', 'sales_order.shipped'])
  t.deepEqual([events.at(-1)?.previous.status, events.at(-1)?.previous.shipped_at], ['OPEN', null])
  t.deepEqual(await levels(), ['OAK 7 reserved 0', 'ASH 8 reserved 0'])
  const [, second] = await shipments(made)
  t.deepEqual([second.number, second.date], ['SH-00002', tenant.now])
  t.deepEqual(columns(second.items, 'item_variant_id', 'quantity', 'batch_id'), [
    [oak, 2, null],
    [ash, 2, null],
  ])
  t.deepEqual(
    columns(await movements({ source_id: second.id, source_type: 'SALES_SHIPMENT' }), 'kind', 'quantity', 'value'),
    [
      ['SALES_SHIPMENT', -2, -8],
      ['SALES_SHIPMENT', -2, -4],
    ],
  )
})

test('SHIPPED without enough physical stock moves nothing', async t => {
  const { order, refusedChange, read, oak, ash, levels } = await stocked()
  const made = await order([itemLine(ash, 2), itemLine(oak, 11)])
  t.is(
    await refusedChange(made, { delivery_status: 'SHIPPED' }),
    'insufficient_stock not enough OAK at Main: 11 needed, 10 on hand',
  )
  t.deepEqual(await read(made), made)
  t.deepEqual(await levels(), ['OAK 10 reserved 11', 'ASH 10 reserved 2'])
})

test('a line added and shipped by one PATCH leaves at once', async t => {
  const { order, tryChange, oak, ash, levels } = await stocked()
  const made = await order([itemLine(oak, 1)])
  const { body, events } = await tryChange(made, {
    items: [itemLine(ash, 2)],
    delivery_status: 'SHIPPED',
    status: 'DONE',
  })
  t.deepEqual([body.status, body.delivery_status, body.items.length], ['DONE', 'SHIPPED', 2])
  t.deepEqual(await levels(), ['OAK 9 reserved 0', 'ASH 8 reserved 0'])
  t.is(types(events).at(-1), 'sales_order.shipped')
})

test('PACKED packs all that is left; lowering a quantity unpacks, and status follows', async t => {
  const { order, change, packings, oak } = await stocked()
  const made = await order([itemLine(oak, 3)])
  const [{ id }] = made.items
  const packed = await change(made, { delivery_status: 'PACKED' })
  t.deepEqual([packed.delivery_status, packed.items[0].packed_quantity], ['PACKED', 3])
  const lowered = await change(made, { items: [{ id, quantity: 2 }] })
  t.deepEqual([lowered.delivery_status, lowered.items[0].packed_quantity], ['PACKED', 2])
  const raised = await change(made, { items: [{ id, quantity: 4 }] })
  t.deepEqual([raised.delivery_status, raised.items[0].packed_quantity], ['PARTIALLY_PACKED', 2])
  t.deepEqual(await change(raised, {}), raised)
  t.deepEqual(
    (await packings(made)).map((made: Loose) => columns(made.items, 'quantity')),
    [[[3]]],
  )
})

test('DONE by hand releases the reservations and moves no stock', async t => {
  const { order, tryChange, ship, oak, ash, levels } = await stocked()
  const made = await order([itemLine(oak, 3), itemLine(ash, 2)])
  await ship(made, batch(made, 0, 1))
  const { body, events } = await tryChange(made, { status: 'DONE' })
  t.deepEqual([body.status, body.delivery_status, body.shipped_at], ['DONE', 'PARTIALLY_SHIPPED', null])
  t.deepEqual(types(events), ['stock.changed', 'stock.changed', 'sales_order.done'])
  t.deepEqual(await levels(), ['OAK 9 reserved 0', 'ASH 10 reserved 0'])
})

test('CANCELLED names who and why, and releases the reservations', async t => {
  const { order, tryChange, tenant, oak, levels } = await stocked()
  const made = await order([itemLine(oak, 3)], { allow_backorder: false })
  tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await tryChange(made, { status: 'CANCELLED', cancel_reason: 'ordered twice' })
  t.deepEqual(
    [body.status, body.delivery_status, body.cancelled_at, body.cancel_reason, body.cancelled_by_user_name],
    ['CANCELLED', 'NOT_SHIPPED', tenant.now, 'ordered twice', 'tester'],
  )
  t.regex(body.cancelled_by_user_id, /^\d+$/)
  t.deepEqual(types(events), ['stock.changed', 'sales_order.cancelled'])
  t.deepEqual((await levels())[0], 'OAK 10 reserved 0')
  const again = await tryChange(await order([itemLine(oak, 1)]), { status: 'CANCELLED' })
  t.is(again.body.cancelled_by_user_id, body.cancelled_by_user_id)
})

test('what is shipped in part cannot be cancelled', async t => {
  const { order, refusedChange, ship, oak } = await stocked()
  const made = await order([itemLine(oak, 3)])
  await ship(made, batch(made, 0, 0.000001))
  t.regex(await refusedChange(made, { status: 'CANCELLED' }), /^sales_order_not_editable .*shipped in part/)
})

test('a finished order takes no PATCH, not even an empty one', async t => {
  const { order, change, refusedChange, refusedPack, refusedShip, oak } = await stocked()
  const items = [itemLine(oak, 1)]
  for (const end of [{ status: 'DONE' }, { status: 'CANCELLED' }, { delivery_status: 'SHIPPED' }]) {
    const made = await order(items)
    await change(made, end)
    for (const body of [{}, { notes: 'x' }, { status: 'CANCELLED' }, { delivery_status: 'SHIPPED' }])
      t.regex(await refusedChange(made, body), /^sales_order_not_editable /)
    t.regex(await refusedShip(made), /^sales_order_not_editable /)
    t.regex(await refusedPack(made), /^sales_order_not_editable /)
  }
})

async function shippedInPart(room: Salesroom & { oak: string; ash: string }) {
  const made = await room.order([itemLine(room.oak, 3), itemLine(room.ash, 2)])
  await room.ship(made, batch(made, 0, 2))
  return made
}

test('a quantity cut to what is shipped ends the order when nothing else is left', async t => {
  const room = await stocked()
  const made = await shippedInPart(room)
  const [first, second] = made.items
  const cut = await room.change(made, { items: [{ id: first.id, quantity: 2 }] })
  t.deepEqual([cut.status, cut.delivery_status, cut.shipped_at], ['OPEN', 'PARTIALLY_SHIPPED', null])
  room.tenant.now = '2026-11-23T00:00:00.000Z'
  const { body, events } = await room.tryChange(made, { items: [{ id: second.id, remove: true }] })
  t.deepEqual([body.status, body.delivery_status, body.shipped_at], ['DONE', 'SHIPPED', room.tenant.now])
  t.deepEqual(types(events), ['stock.changed', 'sales_order.shipped'])
  t.deepEqual(await room.levels(), ['OAK 8 reserved 0', 'ASH 10 reserved 0'])
})

test('statuses that contradict each other, and a reason without a cancellation, are refused', async t => {
  const { order, refusedChange, oak } = await stocked()
  const made = await order([itemLine(oak, 1)])
  t.regex(
    await refusedChange(made, { status: 'CANCELLED', delivery_status: 'SHIPPED' }),
    /^validation_failed delivery_status/,
  )
  t.regex(await refusedChange(made, { cancel_reason: 'why not' }), /^validation_failed cancel_reason: goes with/)
  t.regex(await refusedChange(made, { status: 'OPEN' }), /^validation_failed status: must be one of/)
})

test('shipping and packing by PATCH date from now; fields and cancellations know no period', async t => {
  const { order, refusedChange, tenant, oak } = await stocked({ closedThrough: '2026-11-30' })
  const made = await order([itemLine(oak, 1)])
  tenant.now = '2026-11-30T23:00:00.000Z'
  t.regex(await refusedChange(made, { delivery_status: 'SHIPPED' }), /^unprocessable /)
  t.regex(await refusedChange(made, { delivery_status: 'PACKED' }), /^unprocessable /)
  t.is(await refusedChange(made, { notes: 'x' }), 'done')
  t.is(await refusedChange(made, { status: 'CANCELLED' }), 'done')
})
