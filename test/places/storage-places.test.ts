/** The guarantees of storage places: the first is the main one, addresses, references, changes, and what archived places allow. */
import * as v from 'valibot'
import { completeOrder, startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder as createMake } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { moveMaterials } from '../../lib/domain/manufacturing/orders/materials-command.ts'
import { createStoragePlace as create, changeStoragePlace as update } from '../../lib/domain/places/commands.ts'
import { listStoragePlaces as list, getStoragePlace as read } from '../../lib/domain/places/endpoints.ts'
import { StoragePlace } from '../../lib/domain/places/noun.ts'
import { createOrder as createPurchaseOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import { untouched } from '../stock/stockroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('the first place becomes main and allows everything unless told otherwise', async t => {
  const tenant = await bench.tenant()
  t.deepEqual(await tenant.page(list), [])
  const { body, events } = await tenant.run(create, { title: ' Warehouse ' })
  t.deepEqual(body, {
    id: body.id,
    title: 'Warehouse',
    code: null,
    is_main: true,
    manufacturing_allowed: true,
    sales_allowed: true,
    purchase_allowed: true,
    address: null,
    external_ref: null,
    ...untouched,
    archived: false,
    created_at: tenant.now,
    updated_at: tenant.now,
  })
  t.deepEqual(events, [{ type: 'storage_place.created', data: body, previous: null }])
  const second = await tenant.done(create, { title: 'Shop', code: 'S', manufacturing_allowed: false })
  t.like(second, { is_main: false, code: 'S', manufacturing_allowed: false, sales_allowed: true })
  t.deepEqual(await tenant.page(list), [body, second])
  t.deepEqual(await tenant.page(list, { limit: 1 }), [body])
  t.deepEqual(await tenant.page(list, { after: body.id }), [second])
})

test('each tenant has its own main place and its own list', async t => {
  const [one, other] = [await bench.tenant(), await bench.tenant()]
  t.true((await one.done(create, { title: 'x', external_ref: 'r' })).is_main)
  t.true((await other.done(create, { title: 'x', external_ref: 'r' })).is_main)
  t.is((await one.page(list)).length, 1)
})

test('an address always shows all its fields', async t => {
  const tenant = await bench.tenant()
  const empty = { company: null, line_1: null, line_2: null, city: null, region: null, zip: null, country_code: null }
  const address = async (given: object) => (await tenant.done(create, { title: 'x', address: given })).address
  t.deepEqual(await address({ city: ' Hamburg ', country_code: 'DE' }), {
    ...empty,
    city: 'Hamburg',
    country_code: 'DE',
  })
  t.deepEqual(await address({}), empty)
})

test('places are found by external_ref, which is unique, by code, and by whether they are archived', async t => {
  const tenant = await bench.tenant()
  const a = await tenant.done(create, { title: 'a', external_ref: 'one' })
  const b = await tenant.done(create, { title: 'b', external_ref: 'two', code: 'same' })
  const c = await tenant.done(create, { title: 'c', code: 'same' })
  const gone = await tenant.done(update, { archived: true }, { id: c.id })
  const found = (filters: Record<string, string>) => tenant.page(list, { filters })
  t.deepEqual(await found({ external_ref: 'two' }), [b])
  t.deepEqual(await found({ external_ref: 'three' }), [])
  t.deepEqual(await found({ code: 'same' }), [b, gone])
  t.deepEqual(await found({ code: 'same', archived: 'false' }), [b])
  t.deepEqual(await found({ archived: 'true' }), [gone])
  t.deepEqual(await found({ archived: 'false' }), [a, b])
  t.is(
    await tenant.refusal(create, { title: 'x', external_ref: 'one' }),
    `validation_failed external_ref: is taken by ${a.id}`,
  )
})

test('a change is told once, keeps what is omitted and clears what is null; one of nothing leaves no trace', async t => {
  const tenant = await bench.tenant()
  const address = { line_1: 'Speicherstadt 1', city: 'Hamburg' }
  const made = await tenant.done(create, { title: 'Main', code: 'M', address, external_ref: 'm' })
  tenant.now = '2026-11-21T06:00:00.000Z'
  const id = { id: made.id }
  for (const same of [{}, { title: 'Main', address, archived: false, external_ref: 'm' }])
    t.deepEqual(await tenant.run(update, same, id), { body: made, events: [] })
  const { body, events } = await tenant.run(
    update,
    { code: null, address: { city: 'Bremen' }, sales_allowed: false },
    id,
  )
  const changes = { code: null, address: { ...made.address, line_1: null, city: 'Bremen' }, sales_allowed: false }
  t.deepEqual(body, { ...made, ...changes, updated_at: tenant.now })
  const { code, address: before, sales_allowed, updated_at } = made
  const previous = { code, sales_allowed, address: before, updated_at }
  t.deepEqual(events, [{ type: 'storage_place.updated', data: body, previous }])
  t.deepEqual(await tenant.read(read, id), body)
  t.is((await tenant.done(update, { address: null }, id)).address, null)
  const other = await tenant.done(create, { title: 'x', external_ref: 'o' })
  const refused = (change: object) => tenant.refusal(update, change, { id: other.id })
  t.is(await refused({ external_ref: 'm' }), `validation_failed external_ref: is taken by ${made.id}`)
  t.is(await refused({ title: null }), 'validation_failed title: must not be null')
  t.is(await refused({ is_main: true }), 'validation_failed is_main: is not a known field')
  const stranger = await bench.tenant()
  t.is(await stranger.refusal(update, { title: 'mine' }, id), 'not_found no such storage place')
  t.is((await stranger.read(read, id)).refusal, 'not_found')
})

test('a place is archived only while it is not main, holds no stock and reserves none', async t => {
  const { tenant, place, variant, adjust, order, change } = await salesroom(bench)
  const [main, side] = [await place('Main'), await place('Side')]
  const oak = await variant('OAK')
  const archive = (id: string) => tenant.refusal(update, { archived: true }, { id })
  const isUsed = 'conflict archived: the storage place holds stock, or stock is reserved there'
  t.is(await archive(main), 'conflict archived: the main storage place cannot be archived')
  const line = { item_variant_id: oak, storage_place_id: side }
  await adjust([itemLine(oak, 2)], { storage_place_id: side })
  t.is(await archive(side), isUsed)
  const sold = await order([{ ...line, quantity: 5 }])
  await adjust([itemLine(oak, -2)], { storage_place_id: side })
  t.is(await archive(side), isUsed, 'reserved alone')
  await change(sold, { status: 'CANCELLED' })
  t.is(await archive(side), 'done')
  t.is(await archive(side), 'done', 'again')
  t.is(await tenant.refusal(update, { archived: false }, { id: side }), 'done')
  t.is((await order([{ ...line, quantity: 1 }])).status, 'OPEN')
})

test('no document names an archived place but a transfer out of it', async t => {
  const { tenant, place, variant, adjust, refusedAdjust, refusedTransfer, transfer, stock, ...sales } =
    await salesroom(bench)
  const [main, side] = [await place('Main'), await place('Side')]
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 10, { unit_cost: 1 })])
  const ordered = await sales.order([itemLine(oak, 2)])
  await sales.ship(ordered)
  const bought = await tenant.done(createPurchaseOrder, {
    supplier: { title: 'Mill' },
    items: [itemLine(oak, 1, { price: 1 })],
  })
  const open = await sales.order([itemLine(oak, 1)])
  await tenant.done(update, { archived: true }, { id: side })

  const line = itemLine(oak, 1)
  const there = { storage_place_id: side }
  const returned = { sales_order_item_id: ordered.items[0].id, quantity: 1 }
  const archived = (field: string) => `validation_failed ${field}: the storage place is archived`
  t.is(await refusedAdjust([line], there), archived('storage_place_id'))
  const move = { items: [line], from_storage_place_id: main, to_storage_place_id: side }
  t.is(await refusedTransfer(move), archived('to_storage_place_id'))
  t.is(await sales.refusedOrder([{ ...line, ...there }]), archived('items[0].storage_place_id'))
  const moved = { items: [{ id: open.items[0].id, ...there }] }
  t.is(await sales.refusedChange(open, moved), archived('items[0].storage_place_id'))
  t.is(await sales.refusedGiveBack(ordered, [returned], there), archived('storage_place_id'))
  t.is(await sales.refusedGiveBack(ordered, [{ ...returned, ...there }]), archived('items[0].storage_place_id'))
  t.is(await tenant.refusal(createReceipt, there, { id: bought.id }), archived('storage_place_id'))
  const make = itemLine(oak, 1, { manufacturing_location_id: side })
  t.is(await tenant.refusal(createMake, make), archived('manufacturing_location_id'))
  const another = await tenant.done(createMake, itemLine(oak, 1))
  await tenant.done(startOrder, {}, { id: another.id })
  t.is(await tenant.refusal(completeOrder, there, { id: another.id }), archived('storage_place_id'))

  // Before this version of the service goods could be moved into an archived place.
  await tenant.done(update, { archived: false }, { id: side })
  await transfer(move)
  await bench.pool.query(statement`update storage_places set archived = true where id = ${side}::bigint`)
  await transfer({ ...move, from_storage_place_id: side, to_storage_place_id: main })
  t.deepEqual(columns(await stock({ storage_place_id: side }), 'quantity'), [[0]])
})

test('nothing brings goods into a place that was archived after its document had named it', async t => {
  const { tenant, place, variant, adjust, stock, movements, transfer, ...sales } = await salesroom(bench)
  const [main, side] = [await place('Main'), await place('Side')]
  const [oak, glue] = [await variant('OAK'), await variant('GLUE')]
  const service = await variant('SERVICE', { type: 'SERVICE' })
  await adjust([itemLine(oak, 9, { unit_cost: 2 }), itemLine(glue, 3, { unit_cost: 1 })])
  const ordered = await sales.order([itemLine(oak, 3), itemLine(service, 1)])
  await sales.ship(ordered)
  const back = (at: number, extra = {}) => ({ sales_order_item_id: ordered.items[at].id, quantity: 1, ...extra })
  const there = { storage_place_id: side }
  const [named, whole, served] = [
    await sales.giveBack(ordered, [back(0), back(0, there)]),
    await sales.giveBack(ordered, [back(0)], there),
    await sales.giveBack(ordered, [back(1)], there),
  ]
  const move = { items: [itemLine(glue, 3)], from_storage_place_id: main, to_storage_place_id: side }
  await transfer(move)
  const made = await tenant.done(createMake, {
    item_variant_id: oak,
    quantity: 2,
    manufacturing_location_id: side,
    items: [itemLine(glue, 3)],
  })
  await tenant.done(startOrder, {}, { id: made.id })
  await tenant.done(update, { archived: true }, { id: side })

  const before = [await stock(), await movements()]
  const conflict = (goods: string) => `conflict the storage place Side is archived, and would get ${goods}`
  t.is(await sales.refusedReceive(named), conflict('goods back'))
  t.is(await sales.refusedReceive(whole), conflict('goods back'))
  const materials = { items: [itemLine(glue, -1)] }
  t.is(await tenant.refusal(moveMaterials, materials, { id: made.id }), conflict('goods back'))
  t.is(await tenant.refusal(completeOrder, { quantity: 1 }, { id: made.id }), conflict('goods'))
  t.is(
    await tenant.refusal(completeOrder, { ...there, quantity: 1 }, { id: made.id }),
    'validation_failed storage_place_id: the storage place is archived',
  )
  t.deepEqual([await stock(), await movements()], before)
  // Goods are returned to an archived place without stock, output goes to another place, and an order ends without goods.
  await sales.receive(served)
  await tenant.done(completeOrder, { storage_place_id: main, quantity: 1 }, { id: made.id })
  await tenant.done(completeOrder, { quantity: 0, is_final: true }, { id: made.id })
  await tenant.done(update, { archived: false }, { id: side })
  await sales.receive(named)
  await sales.receive(whole)
  t.deepEqual(columns(await stock({ ...there, item_variant_id: oak }), 'quantity', 'expected_quantity'), [[2, 0]])
})

test('what a place allows counts for the orders that come next, also where none is named', async t => {
  const { tenant, place, variant } = await salesroom(bench)
  const [main, side] = [await place('Main'), await place('Side')]
  const oak = await variant('OAK')
  const makes = async () => (await tenant.done(createMake, itemLine(oak, 1))).manufacturing_location_id
  t.is(await makes(), main)
  await tenant.done(update, { manufacturing_allowed: false }, { id: main })
  t.is(await makes(), side)
  await tenant.done(update, { archived: true }, { id: side })
  t.regex(await tenant.refusal(createMake, itemLine(oak, 1)), /^manufacturing_order_transition/)
})

test('a body with a fault names its field', async t => {
  const tenant = await bench.tenant()
  const cases: [object, string][] = [
    [{}, 'title: is required'],
    [{ title: 'x', is_main: true }, 'is_main: is not a known field'],
    [{ title: 'x', sales_allowed: null }, 'sales_allowed: must not be null'],
    [{ title: 'x', code: '' }, 'code: must not be empty'],
    [{ title: 'x', address: 'Hamburg' }, 'address: must be an object'],
    [{ title: 'x', address: { street: 'x' } }, 'address.street: is not a known field'],
    [
      { title: 'x', address: { country_code: 'de' } },
      'address.country_code: must be an ISO 3166-1 alpha-2 country code in upper case: DE',
    ],
  ]
  for (const [body, message] of cases) t.is(await tenant.refusal(create, body), `validation_failed ${message}`)
  t.deepEqual(await tenant.page(list), [])
})

test('answers have the declared shape, with and without an address', async t => {
  const tenant = await bench.tenant()
  for (const body of [{ title: 'x' }, (create as CommandEndpoint).example as object]) {
    const { issues } = v.safeParse(replyOf(StoragePlace), await tenant.done(create, body))
    t.is(issues, undefined)
  }
})
