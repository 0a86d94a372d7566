/** A command that needs what an earlier command of its unit changed waits for the next unit. The unit's other tenants get their answers. */
import type { ExecutionContext } from 'ava'
import * as v from 'valibot'
import { customerEndpoints } from '../../lib/domain/partners/endpoints.ts'
import type { Outcome } from '../../lib/pipeline/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()
const statuses = (outcomes: readonly Outcome[]) =>
  outcomes.map(outcome =>
    outcome.kind === 'done' ? outcome.status : `${outcome.refusal.refusal} ${outcome.refusal.message}`,
  )

async function twoRooms() {
  const [room, neighbour] = [await salesroom(bench), await salesroom(bench)]
  const [north, south] = [await room.place('North'), await room.place('South')]
  const oak = await room.variant('OAK')
  const milk = await room.variant('MILK', { batch_tracked: true })
  for (const storage_place_id of [north, south])
    await room.adjust(
      [
        itemLine(oak, 50, { unit_cost: 2 }),
        itemLine(milk, 50, { unit_cost: 1, batch_number: 'B1', expiry_date: '2027-01-31' }),
      ],
      { storage_place_id },
    )
  const batch: string = (await room.stock()).find(row => row.batch_number === 'B1')?.batch_id
  const { id: customer }: Loose = await room.tenant.done(customerEndpoints.create, { title: 'Ash' })
  const ash = await neighbour.variant('ASH')
  const other: Step = ['createStockAdjustment', { items: [itemLine(ash, 1)] }]
  return { room, neighbour, south, oak, milk, batch, customer, other }
}
type Rooms = Awaited<ReturnType<typeof twoRooms>>

/** Runs the steps in one unit together with another tenant's, and the steps that waited in further units. */
async function besideAnother(t: ExecutionContext, { room, neighbour, other }: Rooms, steps: readonly Step[]) {
  const commands = steps.map(each => commandOf(room.tenant.id, each))
  const [own = [], others = []] = await units.outcomesOf([
    { tenantId: room.tenant.id, commands },
    { tenantId: neighbour.tenant.id, commands: [commandOf(neighbour.tenant.id, other)] },
  ])
  t.deepEqual(statuses(others), [201], 'the other tenant is answered')
  const outcomes = [...own]
  while (outcomes.length < commands.length) {
    const [more = []] = await units.outcomesOf([
      { tenantId: room.tenant.id, commands: commands.slice(outcomes.length) },
    ])
    outcomes.push(...more)
  }
  return statuses(outcomes)
}

/** Commands of one tenant, whose order has one line of three pieces in the north. */
const sequences: Readonly<Record<string, (rooms: Rooms, order: Loose) => readonly Step[]>> = {
  'a line that moves to another place, then its shipment': ({ south }, order) => [
    ['updateSalesOrder', { items: [{ id: order.items[0].id, storage_place_id: south }] }, order.id],
    ['createShipment', {}, order.id],
  ],
  'a line that moves to another place, then a change that ships': ({ south }, order) => [
    ['updateSalesOrder', { items: [{ id: order.items[0].id, storage_place_id: south }] }, order.id],
    ['updateSalesOrder', { delivery_status: 'SHIPPED' }, order.id],
  ],
  'a line that is added at another place, then the shipment of all': ({ oak, south }, order) => [
    ['updateSalesOrder', { items: [itemLine(oak, 2, { storage_place_id: south })] }, order.id],
    ['createShipment', {}, order.id],
  ],
  'a packing of a named batch, then a shipment': ({ batch }, order) => [
    ['createPacking', { items: [{ sales_order_item_id: order.items[0].id, quantity: 1, batch_id: batch }] }, order.id],
    ['createShipment', {}, order.id],
  ],
}
for (const [name, steps] of Object.entries(sequences))
  test(`${name}: all is done, and the other tenant of the unit is answered at once`, async t => {
    const rooms = await twoRooms()
    const order = await rooms.room.order([itemLine(rooms.milk, 3)])
    const done = await besideAnother(t, rooms, steps(rooms, order))
    t.true(
      done.every(status => typeof status === 'number'),
      done.join(),
    )
  })

/** The first id that the next command takes. It is known because these tests run one by one. */
const nextId = async () => {
  const { id } = await bench.pool.one(rows(v.object({ id: v.string() }))`select (last_value + 1)::text as id from ids`)
  return id
}
/** Each makes a record and then names its id, which no caller could know at that time. */
const guesses: Readonly<Record<string, (rooms: Rooms & { shipped: Loose; id: string }) => readonly Step[]>> = {
  'an order and its shipment': ({ customer, oak, id }) => [
    ['createSalesOrder', { customer_id: customer, items: [itemLine(oak, 3)] }],
    ['createShipment', {}, id],
  ],
  'an order and a further line': ({ customer, oak, milk, id }) => [
    ['createSalesOrder', { customer_id: customer, items: [itemLine(oak, 3)] }],
    ['updateSalesOrder', { items: [itemLine(milk, 1)] }, id],
  ],
  'a return and its receipt': ({ shipped, id }) => [
    [
      'createSalesReturn',
      { sales_order_id: shipped.id, items: [{ sales_order_item_id: shipped.items[0].id, quantity: 1 }] },
    ],
    ['receiveSalesReturn', {}, id],
  ],
  'a manufacturing order and its start': ({ oak, milk, id }) => [
    ['createManufacturingOrder', { item_variant_id: oak, quantity: 1, items: [itemLine(milk, 1)] }],
    ['startManufacturingOrder', {}, id],
  ],
  'a place and stock there': ({ oak, id }) => [
    ['createStoragePlace', { title: 'West' }],
    ['createStockAdjustment', { storage_place_id: id, items: [itemLine(oak, 1)] }],
  ],
}
for (const [name, steps] of Object.entries(guesses))
  test.serial(
    `${name}, by an id that was guessed: all is done, and the other tenant of the unit is answered at once`,
    async t => {
      const rooms = await twoRooms()
      const shipped = await rooms.room.order([itemLine(rooms.oak, 3)])
      await rooms.room.ship(shipped)
      const done = await besideAnother(t, rooms, steps({ ...rooms, shipped, id: await nextId() }))
      t.true(
        done.every(status => typeof status === 'number'),
        done.join(),
      )
    },
  )
