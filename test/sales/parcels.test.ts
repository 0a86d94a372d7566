/** Carrier, tracking and notes of shipments: given when they are made and later, and the events of shipments. */
import { changeShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { getShipment, listAllShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import type { Event, Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const types = (events: readonly Event[]) => events.map(({ type }) => type)
const parcel = {
  carrier: 'DHL',
  tracking_number: '00340434161094042557',
  tracking_url: 'https://dhl.example/t/00340434161094042557?lang=en#now',
  notes: 'Left with the neighbour',
}
const nothing = { carrier: null, tracking_number: null, tracking_url: null, notes: null }

async function ordered(quantity = 2): Promise<{ room: Salesroom; order: Loose }> {
  const room = await salesroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([{ item_variant_id: oak, quantity: 9, unit_cost: 2 }])
  return { room, order: await room.order([{ item_variant_id: oak, quantity }]) }
}
const patch = ({ tenant }: Salesroom, shipment: Loose, body: object) =>
  tenant.run(changeShipment, body, { id: shipment.id })
const refused = ({ tenant }: Salesroom, shipment: Loose, body: object) =>
  tenant.refusal(changeShipment, body, { id: shipment.id })

test('a shipment says how it travels, and is told after the stock and before its order', async t => {
  const { room, order } = await ordered()
  const part = { items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }] }
  const { body, events } = await room.tryShip(order, { ...part, ...parcel })
  t.like(body, parcel)
  t.deepEqual(types(events), ['stock.changed', 'sales_shipment.created', 'sales_order.updated'])
  t.deepEqual([events[1]?.data, events[1]?.previous], [body, null])
  t.deepEqual(await room.tenant.read(getShipment, { id: body.id }), body)
  t.deepEqual(await room.shipments(order), [body])
  const rest = await room.tryShip(order)
  t.like(rest.body, nothing)
  t.deepEqual(types(rest.events), ['stock.changed', 'sales_shipment.created', 'sales_order.shipped'])
  t.deepEqual(await room.tenant.page(listAllShipments), [body, rest.body])
})

test('delivery_status SHIPPED tells of its shipment too; a packing has no event of its own', async t => {
  const { room, order } = await ordered()
  t.deepEqual(types((await room.tryChange(order, { delivery_status: 'PACKED' })).events), ['sales_order.updated'])
  const { events } = await room.tryChange(order, { delivery_status: 'SHIPPED' })
  t.deepEqual(types(events), ['stock.changed', 'sales_shipment.created', 'sales_order.shipped'])
  const [shipment] = await room.shipments(order)
  t.like(shipment, nothing)
  t.deepEqual(events[1]?.data, shipment)
})

test('a shipment of a finished order changes, tells what changed, and nothing where nothing differs', async t => {
  const { room, order } = await ordered()
  const shipment = await room.ship(order)
  t.is((await room.read(order)).status, 'DONE')
  room.tenant.now = '2026-11-21T06:00:00.000Z'
  const { body, events } = await patch(room, shipment, parcel)
  t.deepEqual(body, { ...shipment, ...parcel, updated_at: room.tenant.now })
  t.deepEqual(types(events), ['sales_shipment.updated'])
  t.deepEqual([events[0]?.data, events[0]?.previous], [body, { ...nothing, updated_at: shipment.updated_at }])
  t.deepEqual(await room.tenant.read(getShipment, { id: shipment.id }), body)
  t.deepEqual(await room.tenant.page(listAllShipments, { filters: { updated_after: room.tenant.now } }), [body])
  for (const same of [{}, parcel, { carrier: ' DHL ' }])
    t.deepEqual(await patch(room, shipment, same), { body, events: [] })
  const cleared = await patch(room, shipment, { carrier: null })
  t.deepEqual(cleared.body, { ...body, carrier: null })
  const before = await room.read(order)
  t.deepEqual(before.updated_at, shipment.created_at)
})

test('a reversed shipment changes too, and stays reversed', async t => {
  const { room, order } = await ordered()
  const shipment = await room.ship(order)
  const { body: reversed } = await room.tenant.run(reverseShipment, { reason: 'It never left' }, { id: shipment.id })
  const { body } = await patch(room, shipment, { notes: 'Back from DHL' })
  t.deepEqual(body, { ...reversed, notes: 'Back from DHL' })
  t.deepEqual(columns(await room.shipments(order), 'reversal_reason', 'notes'), [['It never left', 'Back from DHL']])
})

test('a tracking_url is http or https and has at most 2,000 characters', async t => {
  const { room, order } = await ordered()
  const shipment = await room.ship(order)
  const why = 'validation_failed tracking_url: must be an http:// or https:// address without spaces'
  for (const tracking_url of [
    'javascript:alert(1)',
    'ftp://dhl.example/t/1',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'dhl.example/t/1',
    '//dhl.example/t/1',
    'https://',
    'https://dhl.example/a b',
    'http://[dhl',
  ])
    t.is(await refused(room, shipment, { tracking_url }), why, tracking_url)
  t.is(await room.refusedShip(order, { tracking_url: 'javascript:alert(1)' }), why)
  const long = `https://dhl.example/${'a'.repeat(1_980)}`
  t.is(long.length, 2_000)
  t.is((await patch(room, shipment, { tracking_url: long })).body.tracking_url, long)
  t.is(
    await refused(room, shipment, { tracking_url: `${long}a` }),
    'validation_failed tracking_url: must have at most 2000 characters',
  )
  t.is((await patch(room, shipment, { tracking_url: 'HTTP://dhl.example' })).body.tracking_url, 'HTTP://dhl.example')
})

test('what a packing does not have, and what a shipment keeps, is refused by name', async t => {
  const { room, order } = await ordered()
  t.is(await room.refusedPack(order, { carrier: 'DHL' }), 'validation_failed carrier: is not a known field')
  const shipment = await room.ship(order)
  for (const field of ['date', 'number', 'items'])
    t.is(await refused(room, shipment, { [field]: '1' }), `validation_failed ${field}: is not a known field`)
  t.regex(await refused(room, { id: '1' }, { carrier: 'DHL' }), /^not_found /)
})
