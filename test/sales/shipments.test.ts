/** Shipments and packings: what is shipped, from which batch, what is only counted, and the resulting status. */

import { changeStoragePlace } from '../../lib/domain/places/commands.ts'
import type { Line } from '../../lib/domain/sales/orders/noun.ts'
import { deliveryStatusOf } from '../../lib/domain/sales/orders/status-rules.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const batch = (order: Loose, at: number, quantity: number, extra = {}) => ({
  sales_order_item_id: order.items[at].id,
  quantity,
  ...extra,
})
const types = (events: Loose[]) => events.map(event => event.type)

test('the delivery status follows from every line, shipped before packed', t => {
  // [quantity, packed, shipped] of each line.
  const statusOf = (...lines: [number, number, number][]) =>
    deliveryStatusOf(
      lines.map(
        ([quantity, packed, shipped]) =>
          ({ quantity: BigInt(quantity), packed_quantity: BigInt(packed), shipped_quantity: BigInt(shipped) }) as Line,
      ),
    )
  t.is(statusOf([2, 0, 0], [3, 0, 0]), 'NOT_SHIPPED')
  t.is(statusOf([2, 1, 0], [3, 0, 0]), 'PARTIALLY_PACKED')
  t.is(statusOf([2, 2, 0], [3, 0, 0]), 'PARTIALLY_PACKED')
  t.is(statusOf([2, 2, 0], [3, 3, 0]), 'PACKED')
  t.is(statusOf([2, 2, 1], [3, 3, 0]), 'PARTIALLY_SHIPPED')
  t.is(statusOf([2, 0, 2], [3, 0, 0]), 'PARTIALLY_SHIPPED')
  t.is(statusOf([2, 0, 2], [3, 0, 3]), 'SHIPPED')
})

/** Milk in three batches: A expired, B and C good, with 2 of C in quarantine. Each is worth 1. */
async function dairy() {
  const room = await salesroom(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true, price: 2 })
  const batch = (batch_number: string, quantity: number, expiry_date: string) => ({
    item_variant_id: milk,
    quantity,
    batch_number,
    expiry_date,
    unit_cost: 1,
  })
  const { items } = await room.adjust([
    batch('A', 3, '2026-11-20'),
    batch('B', 4, '2026-12-24'),
    batch('C', 5, '2026-12-01'),
  ])
  const [a, b, c] = items.map((item: Loose) => item.batch_id)
  await room.transfer({
    from_storage_place_id: main,
    to_storage_place_id: main,
    items: [itemLine(milk, 2, { batch_id: c, to_quarantine: true })],
  })
  return { ...room, main, milk, a, b, c }
}

test('a shipment takes first what expires first, never expired nor quarantined, an entry per batch', async t => {
  const { order, tryShip, read, movements, stock, milk, b, c } = await dairy()
  const made = await order([itemLine(milk, 6)])
  const { body, events } = await tryShip(made, { items: [batch(made, 0, 5)], date: '2026-11-21T04:00:00Z' })
  t.deepEqual(Object.keys(body), [
    ...['id', 'number', 'sales_order_id', 'date', 'external_ref', 'metadata'],
    ...['created_by_user_name', 'updated_by_user_name', 'created_at'],
    ...['carrier', 'tracking_number', 'tracking_url', 'notes', 'updated_at'],
    ...['reversed_at', 'reversal_reason', 'reversed_by_user_name', 'items'],
  ])
  t.deepEqual([body.number, body.sales_order_id, body.date], ['SH-00001', made.id, '2026-11-21T04:00:00.000Z'])
  t.deepEqual(columns(body.items, 'sales_order_item_id', 'item_variant_id', 'quantity', 'batch_id'), [
    [made.items[0].id, milk, 3, c],
    [made.items[0].id, milk, 2, b],
  ])
  t.deepEqual(types(events), ['stock.changed', 'sales_shipment.created', 'sales_order.updated'])
  const after = await read(made)
  t.deepEqual([events[1]?.data, events[2]?.data], [body, after])
  t.deepEqual([after.status, after.delivery_status, after.items[0].shipped_quantity], ['OPEN', 'PARTIALLY_SHIPPED', 5])
  t.deepEqual(
    columns(
      await movements({ source_id: body.id }),
      'kind',
      'source_type',
      'batch_id',
      'quantity',
      'value',
      'document_date',
    ),
    [
      ['SALES_SHIPMENT', 'SALES_SHIPMENT', c, -3, -3, '2026-11-21T04:00:00.000Z'],
      ['SALES_SHIPMENT', 'SALES_SHIPMENT', b, -2, -2, '2026-11-21T04:00:00.000Z'],
    ],
  )
  t.deepEqual(columns(await stock(), 'batch_number', 'quantity', 'quarantine_quantity', 'reserved_quantity'), [
    ['A', 3, 0, 0],
    ['B', 2, 0, 0],
    ['C', 2, 2, 0],
    [null, 0, 0, 1],
  ])
})

test('expired and quarantined stock is not shipped by name either, and what is short is named', async t => {
  const { order, refusedShip, movements, milk, a, b, c } = await dairy()
  const made = await order([itemLine(milk, 12)])
  const before = (await movements()).length
  const refused = (quantity: number, batch_id?: string) =>
    refusedShip(made, { items: [batch(made, 0, quantity, batch_id === undefined ? {} : { batch_id })] })
  t.is(
    await refused(1, a),
    'insufficient_stock items[0].quantity: not enough MILK (batch A) at Main: 1 needed, 3 on hand, of which 0 can be taken',
  )
  t.is(
    await refused(4, c),
    'insufficient_stock items[0].quantity: not enough MILK (batch C) at Main: 4 needed, 5 on hand, of which 3 can be taken',
  )
  t.is(
    await refused(5, b),
    'insufficient_stock items[0].quantity: not enough MILK (batch B) at Main: 5 needed, 4 on hand',
  )
  t.is(
    await refused(8),
    'insufficient_stock items[0].quantity: not enough MILK at Main: 8 needed, 12 on hand, of which 7 can be taken',
  )
  t.is(await refused(1, '1'), 'validation_failed items[0].batch_id: no such batch of MILK')
  t.is((await movements()).length, before)
})

test('expiry counts on the day of the shipment', async t => {
  const { order, ship, milk, a } = await dairy()
  const made = await order([itemLine(milk, 1)])
  const body = await ship(made, { date: '2026-11-20T23:59:59Z', items: [batch(made, 0, 1)] })
  t.is(body.items[0].batch_id, a)
})

test('named batches go before the dates, several of one line together', async t => {
  const { order, ship, milk, b, c } = await dairy()
  const made = await order([itemLine(milk, 3)])
  const items = [batch(made, 0, 2, { batch_id: b }), batch(made, 0, 1)]
  t.deepEqual(columns((await ship(made, { items })).items, 'quantity', 'batch_id'), [
    [2, b],
    [1, c],
  ])
})

test('a shipment without items ships all that is left and ends the order on its date', async t => {
  const { order, tryShip, read, adjust, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const service = await variant('SERVICE', { type: 'SERVICE' })
  await adjust([itemLine(oak, 5, { unit_cost: 3 })])
  const made = await order([itemLine(oak, 2), itemLine(service, 1), itemLine(oak, 2.5)])
  await tryShip(made, { items: [batch(made, 0, 1)] })
  const { body, events } = await tryShip(made, { date: '2026-11-20', number: 'DHL-1', external_ref: 'parcel-1' })
  t.deepEqual([body.number, body.external_ref, body.date], ['DHL-1', 'parcel-1', '2026-11-20T00:00:00.000Z'])
  t.deepEqual(columns(body.items, 'sales_order_item_id', 'quantity'), [
    [made.items[0].id, 1],
    [made.items[1].id, 1],
    [made.items[2].id, 2.5],
  ])
  const after = await read(made)
  t.deepEqual([after.status, after.delivery_status, after.shipped_at], ['DONE', 'SHIPPED', '2026-11-20T00:00:00.000Z'])
  t.deepEqual(types(events), ['stock.changed', 'sales_shipment.created', 'sales_order.shipped'])
})

test('services are counted without movements', async t => {
  const { order, tryShip, read, movements, stock, variant } = await salesroom(bench)
  const service = await variant('SERVICE', { type: 'SERVICE' })
  const made = await order([itemLine(service, 2)])
  const { body, events } = await tryShip(made, { items: [batch(made, 0, 1)] })
  t.deepEqual(columns(body.items, 'quantity', 'batch_id'), [[1, null]])
  t.deepEqual(types(events), ['sales_shipment.created', 'sales_order.updated'])
  t.deepEqual([await movements(), await stock()], [[], []])
  t.is((await read(made)).items[0].shipped_quantity, 1)
})

test('more than is left of a line, over all its entries, and strange lines are refused', async t => {
  const { order, ship, refusedShip, refusedPack, adjust, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 50)])
  const made = await order([itemLine(oak, 3)])
  const other = await order([itemLine(oak, 3)])
  await ship(made, { items: [batch(made, 0, 1)] })
  const refused = (...items: Loose[]) => refusedShip(made, { items })
  t.is(await refused(batch(made, 0, 2.000001)), 'validation_failed items[0].quantity: only 2 are left to ship')
  t.is(
    await refused(batch(made, 0, 1), batch(made, 0, 1.5)),
    'validation_failed items[1].quantity: only 2 are left to ship',
  )
  t.regex(await refused(batch(other, 0, 1)), /items\[0\].sales_order_item_id: no such line of this order/)
  t.regex(await refused(batch(made, 0, 0)), /items\[0\].quantity: must be greater than 0/)
  t.regex(await refusedPack(made, { items: [batch(made, 0, 2.5)] }), /only 2 are left to pack/)
  t.is(await refusedShip({ id: '1' }), 'not_found no such sales order')
})

test('dates in a closed period or in the future are refused, and taken numbers', async t => {
  const { order, ship, pack, refusedShip, refusedPack, adjust, tenant, variant } = await salesroom(bench, {
    closedThrough: '2026-10-31',
  })
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 50)])
  const made = await order([itemLine(oak, 9)])
  for (const refused of [refusedShip, refusedPack]) {
    t.regex(await refused(made, { date: '2026-10-31T23:00:00Z' }), /^unprocessable date: the accounting period/)
    t.regex(await refused(made, { date: '2026-11-21T05:06:00Z' }), /^unprocessable date: must not be in the future/)
  }
  t.is(tenant.now, '2026-11-21T05:00:00.000Z')
  const one = { items: [batch(made, 0, 1)] }
  const shipped = await ship(made, { ...one, number: 'X', external_ref: 'x' })
  const packed = await pack(made, { ...one, number: 'X', external_ref: 'x' })
  t.is(await refusedShip(made, { ...one, number: 'X' }), `validation_failed number: is taken by ${shipped.id}`)
  t.is(
    await refusedPack(made, { ...one, external_ref: 'x' }),
    `validation_failed external_ref: is taken by ${packed.id}`,
  )
})

test('packings are counted, in parts; what is left is the quantity less the greater of packed and shipped', async t => {
  const { order, ship, tryPack, pack, refusedPack, read, packings, adjust, movements, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 50)])
  const made = await order([itemLine(oak, 5), itemLine(oak, 1)])
  const { body, events } = await tryPack(made, { items: [batch(made, 0, 2)] })
  t.deepEqual([body.number, columns(body.items, 'quantity')], ['PK-00001', [[2]]])
  t.deepEqual(types(events), ['sales_order.updated'])
  t.is((await read(made)).delivery_status, 'PARTIALLY_PACKED')
  await ship(made, { items: [batch(made, 0, 3)] })
  t.is(
    await refusedPack(made, { items: [batch(made, 0, 2.1)] }),
    'validation_failed items[0].quantity: only 2 are left to pack',
  )
  t.deepEqual(columns((await pack(made)).items, 'quantity'), [[2], [1]])
  const after = await read(made)
  t.deepEqual(columns(after.items, 'packed_quantity', 'shipped_quantity'), [
    [4, 3],
    [1, 0],
  ])
  t.is(after.delivery_status, 'PARTIALLY_SHIPPED')
  t.is((await movements({ source_type: 'SALES_SHIPMENT' })).length, 1)
  t.is((await packings(made)).length, 2)
})

test('when all is packed, an order has nothing left to pack', async t => {
  const { order, pack, refusedPack, read, variant } = await salesroom(bench)
  const made = await order([itemLine(await variant('OAK'), 5)])
  await pack(made)
  t.is((await read(made)).delivery_status, 'PACKED')
  t.is(await refusedPack(made), 'validation_failed items: nothing is left to pack')
})

test('a line is shipped from its own place', async t => {
  const { order, ship, place, adjust, refusedShip, stock, variant } = await salesroom(bench)
  const [main, other] = [await place('Main'), await place('Other')]
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 1, { unit_cost: 7 })])
  await adjust([itemLine(oak, 5, { unit_cost: 3 })], { storage_place_id: other })
  const made = await order([itemLine(oak, 2), itemLine(oak, 2, { storage_place_id: other })])
  t.regex(await refusedShip(made), /not enough OAK at Main: 2 needed, 1 on hand$/)
  await ship(made, { items: [batch(made, 1, 2)] })
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity', 'reserved_quantity', 'stock_value'), [
    [main, 1, 2, 7],
    [other, 3, 0, 9],
  ])
})

test('an entry that names a place leaves there, and what its line reserves falls at the place of the line', async t => {
  const { order, ship, place, adjust, giveBack, refusedShip, stock, tenant, variant } = await salesroom(bench)
  const [main, other, closed] = [await place('Main'), await place('Other'), await place('Closed')]
  await tenant.done(changeStoragePlace, { sales_allowed: false }, { id: closed })
  const [oak, sanding] = [await variant('OAK'), await variant('SANDING', { type: 'SERVICE' })]
  await adjust([itemLine(oak, 5, { unit_cost: 7 })])
  await adjust([itemLine(oak, 5, { unit_cost: 3 })], { storage_place_id: other })
  await adjust([itemLine(oak, 5, { unit_cost: 1 })], { storage_place_id: closed })
  const made = await order([itemLine(oak, 4), itemLine(sanding, 1), { title: 'Gift wrapping', quantity: 1 }])
  const from = (at: number, storage_place_id: unknown) => ({ items: [batch(made, at, 1, { storage_place_id })] })
  const PLACE = 'validation_failed items[0].storage_place_id: '
  t.is(await refusedShip(made, from(0, closed)), `${PLACE}the storage place does not allow sales`)
  t.is(await refusedShip(made, from(0, made.id)), `${PLACE}no such storage place`)
  for (const at of [1, 2])
    t.is(await refusedShip(made, from(at, main)), `${PLACE}must not be given: the line holds no stock`)
  t.regex(await refusedShip(made, from(0, null)), /not enough OAK.*: 1 needed, 0 on hand$/)
  const shipped = await ship(made, { items: [batch(made, 0, 2, { storage_place_id: other }), batch(made, 0, 1)] })
  t.deepEqual(columns(shipped.items, 'quantity', 'storage_place_id'), [
    [2, other],
    [1, main],
  ])
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity', 'reserved_quantity', 'stock_value'), [
    [main, 4, 1, 28],
    [other, 3, 0, 9],
    [closed, 5, 0, 5],
  ])
  t.deepEqual(columns((await ship(made)).items, 'quantity', 'storage_place_id'), [
    [1, main],
    [1, null],
    [1, null],
  ])
  const back = await giveBack(made, [{ sales_order_item_id: made.items[0].id, quantity: 1 }])
  t.is(back.items[0].storage_place_id, main)
})

test('reservations are soft: an order may ship what another has reserved', async t => {
  const { order, ship, adjust, stock, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 5)])
  await order([itemLine(oak, 5)], { allow_backorder: false })
  await ship(await order([itemLine(oak, 4)]))
  t.deepEqual(columns(await stock(), 'quantity', 'reserved_quantity', 'available_quantity'), [[1, 5, -4]])
})
