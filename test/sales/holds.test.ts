/** The guarantees of holds: what they reserve, how they are refused, changed, released and used by orders, and how they expire. */
import * as v from 'valibot'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { listShortagesEndpoint } from '../../lib/domain/planning/shortages/endpoints.ts'
import { createOrder } from '../../lib/domain/sales/orders/commands.ts'
import {
  changeReservation,
  createReservation,
  releaseReservation,
} from '../../lib/domain/sales/reservations/commands.ts'
import { getReservation, listReservations } from '../../lib/domain/sales/reservations/endpoints.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { untouched } from '../stock/stockroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const NOW = '2026-11-21T05:00:00.000Z'
const SOON = '2026-11-21T05:15:00.000Z'

/** A tenant with a main place, 10 oak and 4 ash there, and short functions to hold. */
async function room() {
  const made = await salesroom(bench)
  const { tenant } = made
  const main = await made.place('Main')
  const [oak, ash] = [await made.variant('OAK'), await made.variant('ASH')]
  await made.adjust([itemLine(oak, 10), itemLine(ash, 4)])
  const bodyOf = (items: Loose[], extra: Loose = {}) => ({ expires_at: SOON, ...extra, items })
  return {
    ...made,
    ids: { main, oak, ash },
    hold: (items: Loose[], extra?: Loose) => tenant.done(createReservation, bodyOf(items, extra)),
    tryHold: (items: Loose[], extra?: Loose) => tenant.run(createReservation, bodyOf(items, extra)),
    refusedHold: (items: Loose[], extra?: Loose) => tenant.refusal(createReservation, bodyOf(items, extra)),
    readHold: ({ id }: Loose) => tenant.read(getReservation, { id }),
    release: ({ id }: Loose) => tenant.run(releaseReservation, undefined, { id }),
    refusedRelease: ({ id }: Loose) => tenant.refusal(releaseReservation, undefined, { id }),
    move: ({ id }: Loose, body: Loose) => tenant.run(changeReservation, body, { id }),
    refusedMove: ({ id }: Loose, body: Loose) => tenant.refusal(changeReservation, body, { id }),
    /** `[reserved, available]` by sku. */
    levels: async () =>
      Object.fromEntries((await made.stock()).map(row => [row.sku, [row.reserved_quantity, row.available_quantity]])),
    events: async (after = '0') =>
      (
        await bench.pool.any(rows(v.object({ body: v.string() }))`
          select body from events where tenant_id = ${tenant.id} and sequence > ${after}::bigint order by sequence`)
      ).map(({ body }): Loose => JSON.parse(body)),
    faults: () => bench.faults(tenant.id),
  }
}

test('a hold reserves its lines at their place, shows them, and is demand of nobody in time', async t => {
  const { tryHold, readHold, levels, tenant, ids } = await room()
  const { body, events } = await tryHold(
    [itemLine(ids.oak, 3), { sku: 'OAK', quantity: 1.5, storage_place_id: ids.main }, itemLine(ids.ash, 4)],
    { notes: 'Calls back', external_ref: 'cart-1' },
  )
  const line = { storage_place_id: ids.main }
  t.like(body, {
    number: 'RV-00001',
    status: 'HELD',
    customer_id: null,
    sales_order_id: null,
    expires_at: SOON,
    notes: 'Calls back',
    external_ref: 'cart-1',
    ...untouched,
    created_at: NOW,
    updated_at: NOW,
  })
  t.deepEqual(columns(body.items, 'sku', 'quantity', 'storage_place_id'), [
    ['OAK', 3, line.storage_place_id],
    ['OAK', 1.5, line.storage_place_id],
    ['ASH', 4, line.storage_place_id],
  ])
  t.deepEqual(Object.keys(body.items[0]), [
    'id',
    'item_id',
    'item_variant_id',
    'sku',
    'title',
    'storage_place_id',
    'quantity',
    'components',
  ])
  t.deepEqual(await readHold(body), body)
  t.deepEqual(column(events, 'type'), ['stock.changed', 'stock.changed', 'reservation.created'])
  t.deepEqual([events[2]?.data, events[2]?.previous], [body, null])
  // 10 - 3 - 1.5, and 4 - 4.
  t.deepEqual(await levels(), { OAK: [4.5, 5.5], ASH: [4, 0] })
  // An order with backorder makes oak short: 10 - 4.5 - 7 = -1.5.
  await tenant.done(createOrder, { customer: { title: 'C' }, items: [itemLine(ids.oak, 7)] })
  const [short] = await tenant.page(listShortagesEndpoint, { limit: 10 })
  t.deepEqual([short.reserved_quantity, short.projected_quantity, short.short_quantity], [11.5, -1.5, 1.5])
  t.deepEqual(columns(short.demand, 'source_type', 'source_id', 'number', 'quantity', 'needed_by'), [
    ['RESERVATION', body.id, 'RV-00001', 4.5, null],
    ['SALES_ORDER', short.demand[1].source_id, 'SO-00001', 7, null],
  ])
})

test('a hold takes nothing that is not available: lines add up, and the refusal names line and place', async t => {
  const { hold, refusedHold, levels, refusedOrder, ids } = await room()
  await hold([itemLine(ids.oak, 6)])
  t.is(
    await refusedHold([itemLine(ids.ash, 4), itemLine(ids.oak, 4), itemLine(ids.oak, 0.000001)]),
    'insufficient_stock items[1].quantity: not enough OAK at Main: 4.000001 needed, 10 on hand, of which 4 can be taken',
  )
  t.deepEqual(await levels(), { OAK: [6, 4], ASH: [0, 4] })
  await hold([itemLine(ids.oak, 4)])
  t.deepEqual(await levels(), { OAK: [10, 0], ASH: [0, 4] })
  t.regex(
    await refusedOrder([itemLine(ids.oak, 1)], { allow_backorder: false }),
    /^insufficient_stock items\[0\]\.quantity: not enough OAK/,
  )
})

test('a hold is refused for what no sales order line takes, for services, and for an end that is over or too far', async t => {
  const { refusedHold, hold, variant, tenant, ids } = await room()
  const service = await variant('HOUR', { type: 'SERVICE' })
  const inner = await variant('INNER', { is_sellable: false })
  const { id: closed } = await tenant.done(createStoragePlace, { title: 'Closed', sales_allowed: false })
  const one = [itemLine(ids.oak, 1)]
  t.is(
    await refusedHold([itemLine(service, 1)]),
    'validation_failed items[0].item_variant_id: HOUR is a service and holds no stock',
  )
  t.is(await refusedHold([itemLine(inner, 1)]), 'validation_failed items[0].item_variant_id: INNER is not sellable')
  t.is(
    await refusedHold([itemLine(ids.oak, 1, { storage_place_id: closed })]),
    'validation_failed items[0].storage_place_id: the storage place does not allow sales',
  )
  t.regex(await refusedHold([itemLine('999', 1)]), /^validation_failed items\[0\]\.item_variant_id/)
  t.regex(await refusedHold(one, { customer_id: '999' }), /^validation_failed customer_id/)
  t.is(await refusedHold(one, { expires_at: NOW }), 'validation_failed expires_at: must be later than now')
  t.is(
    await refusedHold(one, { expires_at: '2026-12-21T05:00:00.001Z' }),
    'validation_failed expires_at: must be at most 30 days ahead',
  )
  t.is((await hold(one, { expires_at: '2026-12-21T05:00:00.000Z' })).status, 'HELD')
})

test('a hold changes and is released while it is held, and says no afterwards', async t => {
  const { hold, move, refusedMove, release, refusedRelease, readHold, levels, ids } = await room()
  const held = await hold([itemLine(ids.oak, 3)])
  const moved = await move(held, { expires_at: '2026-11-21T06:00:00Z', metadata: { till: '3' } })
  t.like(moved.body, { status: 'HELD', expires_at: '2026-11-21T06:00:00.000Z', metadata: { till: '3' } })
  t.deepEqual(columns(moved.events, 'type', 'previous'), [['reservation.updated', { expires_at: SOON, metadata: {} }]])
  t.is(await refusedMove(held, { expires_at: NOW }), 'validation_failed expires_at: must be later than now')
  const released = await release(held)
  t.deepEqual([released.body.status, released.body.sales_order_id], ['RELEASED', null])
  t.deepEqual(column(released.events, 'type'), ['stock.changed', 'reservation.released'])
  t.deepEqual(await levels(), { OAK: [0, 10], ASH: [0, 4] })
  t.is(await refusedRelease(held), 'reservation_not_held the reservation RV-00001 is RELEASED')
  t.is(
    await refusedMove(held, { expires_at: SOON, notes: 'x' }),
    'reservation_not_held the reservation RV-00001 is RELEASED',
  )
  // A hold that has ended keeps its end, and its notes can be changed in every status.
  const noted = await move(held, {
    expires_at: '2026-11-21T06:00:00.000Z',
    notes: 'Never called',
    external_ref: 'late',
  })
  t.like(noted.body, { status: 'RELEASED', notes: 'Never called', external_ref: 'late' })
  t.deepEqual(await readHold(held), noted.body)
})

test('an order takes a hold: what was held counts as available to it, and what it leaves is released', async t => {
  const { hold, tryOrder, refusedOrder, readHold, levels, change, ids, faults } = await room()
  const held = await hold([itemLine(ids.oak, 8), itemLine(ids.ash, 1)])
  t.deepEqual(await levels(), { OAK: [8, 2], ASH: [1, 3] })
  const lines = [itemLine(ids.oak, 10)]
  const strict = { allow_backorder: false, reservation_id: held.id }
  t.regex(await refusedOrder(lines, { allow_backorder: false }), /10 needed, 10 on hand, of which 2 can be taken$/)
  // 11 are more than the 2 that are free and the 8 that are held. The hold stays.
  t.regex(await refusedOrder([itemLine(ids.oak, 11)], strict), /11 needed, 10 on hand$/)
  t.deepEqual([await levels(), (await readHold(held)).status], [{ OAK: [8, 2], ASH: [1, 3] }, 'HELD'])
  const { body: order, events } = await tryOrder(lines, strict)
  t.deepEqual(column(events, 'type'), [
    'stock.changed',
    'stock.changed',
    'customer.created',
    'reservation.consumed',
    'sales_order.created',
  ])
  const consumed = await readHold(held)
  t.deepEqual([consumed.status, consumed.sales_order_id], ['CONSUMED', order.id])
  t.deepEqual([events[3]?.data, events[3]?.previous.status], [consumed, 'HELD'])
  t.deepEqual(await levels(), { OAK: [10, 0], ASH: [0, 4] })
  t.is(
    await refusedOrder(lines, { reservation_id: held.id }),
    'reservation_not_held the reservation RV-00001 is CONSUMED',
  )
  t.regex(await refusedOrder(lines, { reservation_id: '999' }), /^validation_failed reservation_id/)
  await change(order, { status: 'CANCELLED' })
  t.deepEqual([await levels(), (await readHold(held)).status], [{ OAK: [0, 10], ASH: [0, 4] }, 'CONSUMED'])
  t.deepEqual(await faults(), [])
})

test('an order of all that is held changes no level, and its lines may stand elsewhere', async t => {
  const { hold, tryOrder, place, adjust, stock, ids, faults } = await room()
  const second = await place('Second')
  await adjust([itemLine(ids.oak, 5)], { storage_place_id: second })
  const one = await hold([itemLine(ids.oak, 4)])
  const same = await tryOrder([itemLine(ids.oak, 4)], { reservation_id: one.id })
  t.false(same.events.some(({ type }) => type === 'stock.changed'))
  const two = await hold([itemLine(ids.oak, 6)])
  await tryOrder([itemLine(ids.oak, 5, { storage_place_id: second })], {
    allow_backorder: false,
    reservation_id: two.id,
  })
  t.deepEqual(
    columns(await stock({ item_variant_id: ids.oak }), 'storage_place_id', 'reserved_quantity', 'available_quantity'),
    [
      [ids.main, 4, 6],
      [second, 5, 0],
    ],
  )
  t.deepEqual(await faults(), [])
})

test('a command at expires_at never counts the hold, whoever was to end it: to the millisecond', async t => {
  const { tenant, hold, tryOrder, refusedOrder, readHold, levels, events, faults, ids } = await room()
  const held = await hold([itemLine(ids.oak, 10)], { external_ref: 'last' })
  const later = await hold([itemLine(ids.ash, 1)], { expires_at: '2026-11-21T05:15:00.001Z' })
  const all = [itemLine(ids.oak, 10)]
  tenant.now = '2026-11-21T05:14:59.999Z'
  t.regex(await refusedOrder(all, { allow_backorder: false }), /of which 0 can be taken$/)
  tenant.now = SOON
  const before = (await events()).at(-1)?.sequence
  const sold = await tryOrder(all, { allow_backorder: false })
  t.is(sold.body.status, 'OPEN')
  const [changed, expired, ...behind] = await events(before)
  t.deepEqual([changed.type, expired.type], ['stock.changed', 'reservation.expired'])
  // The service made these events without a key. The command's own events follow and name its key.
  t.deepEqual([changed.actor, expired.actor], [null, null])
  t.deepEqual([expired.data, expired.previous.status], [await readHold(held), 'HELD'])
  t.like(expired.data, {
    status: 'EXPIRED',
    external_ref: 'last',
    updated_by_user_name: null,
    created_by_user_name: 'tester',
  })
  t.true(behind.every(({ actor }: Loose) => actor.key_id === tenant.actor.keyId))
  t.deepEqual(column(behind, 'type'), ['stock.changed', 'customer.created', 'sales_order.created'])
  t.is((await readHold(later)).status, 'HELD')
  t.deepEqual(await levels(), { OAK: [10, 0], ASH: [1, 3] })
  t.deepEqual(await faults(), [])
})

test('an ended hold can be neither moved, released nor consumed at its time, and is noted still', async t => {
  const { tenant, hold, refusedMove, refusedRelease, refusedOrder, move, ids } = await room()
  const holds: Loose[] = []
  for (let count = 0; count < 4; count++) holds.push(await hold([itemLine(ids.oak, 1)]))
  const no = (at: number) => `reservation_not_held the reservation RV-0000${at} is EXPIRED`
  tenant.now = SOON
  t.is(await refusedMove(holds[0], { expires_at: '2026-11-21T06:00:00Z' }), no(1))
  t.is(await refusedRelease(holds[1]), no(2))
  t.is(await refusedOrder([itemLine(ids.oak, 1)], { reservation_id: holds[2].id }), no(3))
  t.is((await move(holds[3], { notes: 'Never came' })).body.status, 'EXPIRED')
})

test('more holds than a unit of work ends at once are all ended before a command counts them', async t => {
  const { tenant, hold, tryOrder, levels, events, ids, faults } = await room()
  for (let count = 0; count < 45; count++) await hold([itemLine(ids.oak, 0.2)])
  t.deepEqual((await levels())['OAK'], [9, 1])
  tenant.now = SOON
  t.is((await tryOrder([itemLine(ids.oak, 10)], { allow_backorder: false })).body.status, 'OPEN')
  const told = (await events()).filter(({ type }) => type === 'reservation.expired')
  t.deepEqual([told.length, new Set(told.map(({ data }) => data.id)).size], [45, 45])
  t.deepEqual(await faults(), [])
})

test('holds are listed by status, customer, variant and end', async t => {
  const { tenant, hold, release, order, ids } = await room()
  const { customer } = await order([itemLine(ids.ash, 1)])
  const first = await hold([itemLine(ids.oak, 1)], { customer_id: customer.id })
  const second = await hold([itemLine(ids.ash, 1), itemLine(ids.oak, 1), itemLine(ids.oak, 1)], {
    expires_at: '2026-11-22T05:00:00Z',
  })
  await release(first)
  const listed = async (filters: Record<string, string>) =>
    columns(await tenant.page(listReservations, { filters }), 'number').flat()
  t.deepEqual(await listed({}), [first.number, second.number])
  t.deepEqual(await listed({ status: 'HELD' }), [second.number])
  t.deepEqual(await listed({ status: 'HELD,RELEASED', customer_id: customer.id }), [first.number])
  t.deepEqual(await listed({ item_variant_id: ids.oak }), [first.number, second.number])
  t.deepEqual(await listed({ item_variant_id: ids.ash }), [second.number])
  t.deepEqual(await listed({ expires_before: SOON }), [])
  t.deepEqual(await listed({ expires_before: '2026-11-21T05:15:00.001Z' }), [first.number])
})
