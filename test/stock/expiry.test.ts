/**
 * Expired goods: a batch is not available from the moment at which its last day ends in the tenant's zone, and has one event at that time.
 */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { createTenant, updateTenant } from '../../lib/access/tenants.ts'
import type { Command, Outcome } from '../../lib/pipeline/command.ts'
import { rows, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { runUnit } from '../../lib/work/unit.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step, unitDependencies } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const { pool } = bench
const options = { statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000 }
const connections = new RoundTripPool(withPlansByKey(bench.databaseUrl), { size: 2, ...options })
test.after.always(() => connections.end())

/** A tenant in this zone, with 10 milk without an expiry, 5 of the batch A and 2 of B, and a clock that the test sets. */
async function dairy(timeZone: string, { now, a, b }: { now: string; a: string; b: string }) {
  const tenant = { name: 'T', ownerEmail: 'o@example.com', plan: 'pro', currency: 'EUR', timeZone } as const
  const tenantId = await createTenant(pool, tenant)
  const room = {
    tenantId,
    now,
    unit: (commands: readonly Command[]) =>
      connections.use(async connection => {
        const batches = [{ tenantId, commands }]
        const settings = { ...unitDependencies, clock: () => room.now, waits: true }
        const result = (await runUnit(connection, batches, settings)).get(tenantId)
        if (result?.is !== 'ran') throw new Error(`the tenant is ${result?.is}`)
        return result
      }),
    outcome: async (...step: Step): Promise<Outcome | undefined> =>
      (await room.unit([commandOf(tenantId, step)])).ended[0]?.outcome,
    done: async (...step: Step): Promise<Loose> => {
      const outcome = await room.outcome(...step)
      if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome))
      return JSON.parse(outcome.body ?? 'null')
    },
    /** The answers to an order without backorder, and to a hold, of this quantity. */
    sold: async (quantity: number) => {
      const items = [{ sku: 'MILK', quantity }]
      const body = { customer: { title: `C ${randomUUID()}` }, allow_backorder: false, items }
      const outcome = await room.outcome('createSalesOrder', body)
      return outcome?.kind === 'refused' ? outcome.refusal.refusal : outcome?.kind
    },
    /** Runs units without commands, as the sweep does, until nothing is due. */
    sweep: async () => {
      while ((await room.unit([])).hasEvents);
    },
    /** The events since the last call: type, actor, and the fields that the tests compare. */
    told: async () => {
      const events = await pool.anyFirst(rows(v.object({ body: v.string() }))`
        select body from events where tenant_id = ${tenantId} and sequence > ${room.seen} order by sequence`)
      const bodies = events.map(body => JSON.parse(body) as Loose)
      room.seen = bodies.at(-1)?.sequence ?? room.seen
      return bodies
        .filter(({ type }) => /^(batch|stock)\./.test(type))
        .map(({ type, actor, data, previous }) =>
          type === 'stock.changed'
            ? [type, actor === null, data.quantity, data.expired_quantity, data.available_quantity, previous]
            : [type, actor === null, data.number, data.is_expired, previous.is_expired],
        )
    },
    seen: 0,
    batch: async (number: string): Promise<string> => {
      const id = await pool.oneFirst(rows(v.object({ id: v.string() }))`
        select id::text from batches where tenant_id = ${tenantId} and number = ${number}`)
      return id
    },
    faults: () => bench.faults(tenantId),
  }
  await room.done('createProduct', { title: 'Milk', sku: 'MILK', batch_tracked: true })
  const items = [
    { sku: 'MILK', quantity: 10, batch_number: 'LASTS' },
    { sku: 'MILK', quantity: 5, batch_number: 'A', expiry_date: a },
    { sku: 'MILK', quantity: 2, batch_number: 'B', expiry_date: b },
  ]
  await room.done('createStockAdjustment', { items })
  await room.told()
  return room
}

/** The end of a day in the zone, computed by hand from the rules of the zone. */
const midnights: readonly (readonly [zone: string, day: string, end: string])[] = [
  ['UTC', '2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['Pacific/Tongatapu', '2026-11-21', '2026-11-21T11:00:00.000Z'], // +13
  ['Pacific/Niue', '2026-11-21', '2026-11-22T11:00:00.000Z'], // -11
  ['Europe/Berlin', '2026-03-28', '2026-03-28T23:00:00.000Z'], // the day before the clock is set forward
  ['Europe/Berlin', '2026-03-29', '2026-03-29T22:00:00.000Z'], // that day, of 23 hours
  ['Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00.000Z'], // of 25 hours
  ['Australia/Sydney', '2026-10-04', '2026-10-04T13:00:00.000Z'], // forward in the south: of 23 hours
  ['Australia/Sydney', '2026-04-05', '2026-04-05T14:00:00.000Z'], // back: of 25 hours
  ['America/Santiago', '2026-09-05', '2026-09-06T04:00:00.000Z'], // the next day begins at 01:00
  ['America/Havana', '2026-10-31', '2026-11-01T04:00:00.000Z'], // the next day has its first hour twice
]

const msBefore = (moment: string) => new Date(Date.parse(moment) - 1).toISOString()

for (const [zone, day, end] of midnights)
  test(`a batch expires when ${day} ends in ${zone}, to the millisecond, and is told once`, async t => {
    const room = await dairy(zone, { now: msBefore(end), a: day, b: '2027-12-31' })
    t.is(await room.sold(17), 'done')
    await room.done('updateSalesOrder', { status: 'CANCELLED' }, (await lastOrder(room.tenantId)) ?? '')
    await room.sweep()
    t.false((await room.told()).some(([type]) => type === 'batch.expired'))
    room.now = end
    // The command first writes the events of what expired, and then sells no more than is left.
    t.is(await room.sold(13), 'insufficient_stock')
    t.deepEqual(await room.told(), [
      ['stock.changed', true, 17, 5, 12, { expired_quantity: 0, available_quantity: 17 }],
    ])
    t.is(await room.sold(12), 'done')
    t.deepEqual(await room.told(), [
      ['stock.changed', false, 17, 5, 0, { reserved_quantity: 0, available_quantity: 12 }],
    ])
    await room.sweep()
    t.deepEqual(await room.told(), [['batch.expired', true, 'A', true, false]])
    await room.sweep()
    t.deepEqual(await room.told(), [])
    t.deepEqual(await room.faults(), [])
  })

const lastOrder = async (tenantId: string) =>
  pool.maybeOneFirst(rows(v.object({ id: v.string() }))`
    select id::text from sales_orders where tenant_id = ${tenantId} order by id desc limit 1`)

test('a hold takes nothing that has expired, and what is not told yet counts for it', async t => {
  const room = await dairy('UTC', { now: '2026-11-21T12:00:00.000Z', a: '2026-11-21', b: '2026-11-22' })
  room.now = '2026-11-23T00:00:00.000Z'
  const hold = (quantity: number) =>
    room.outcome('createReservation', { expires_at: '2026-11-24', items: [{ sku: 'MILK', quantity }] })
  t.like(await hold(11), { kind: 'refused' })
  t.like(await hold(10), { kind: 'done' })
  await room.sweep()
  t.deepEqual(
    (await room.told()).filter(([type]) => type === 'batch.expired').map(([, , number]) => number),
    ['A', 'B'],
  )
  t.deepEqual(await room.faults(), [])
})

test('what expired moves on as stock does: into quarantine, out by adjustment, in again', async t => {
  const room = await dairy('UTC', { now: '2026-11-22T12:00:00.000Z', a: '2026-11-21', b: '2026-11-30' })
  // A was expired when it was received, so it has no event of its expiry.
  await room.sweep()
  t.deepEqual(await room.told(), [])
  const batch_id = await room.batch('A')
  const within = { from_storage_place_id: null, to_storage_place_id: null }
  await room.done('createStockTransfer', {
    ...within,
    items: [{ sku: 'MILK', quantity: 2, batch_id, to_quarantine: true }],
  })
  await room.done('createStockAdjustment', { items: [{ sku: 'MILK', quantity: -1, batch_id }] })
  await room.done('createStockAdjustment', { items: [{ sku: 'MILK', quantity: 4, batch_id }] })
  t.deepEqual(await room.told(), [
    ['stock.changed', false, 17, 3, 12, { quarantine_quantity: 0, expired_quantity: 5 }],
    ['stock.changed', false, 16, 2, 12, { quantity: 17, expired_quantity: 3 }],
    ['stock.changed', false, 20, 6, 12, { quantity: 16, expired_quantity: 2 }],
  ])
  t.deepEqual(await room.faults(), [])
})

test('a date that moves over today tells what is available, and no batch.expired', async t => {
  const room = await dairy('UTC', { now: '2026-11-21T12:00:00.000Z', a: '2026-11-25', b: '2026-11-30' })
  const id = await room.batch('A')
  await room.done('updateBatch', { expiry_date: '2026-11-20' }, id)
  await room.done('updateBatch', { number: 'A2' }, id)
  await room.done('updateBatch', { expiry_date: '2026-11-19' }, id)
  await room.done('updateBatch', { expiry_date: null }, id)
  await room.sweep()
  t.deepEqual(await room.told(), [
    ['stock.changed', false, 17, 5, 12, { expired_quantity: 0, available_quantity: 17 }],
    ['batch.updated', false, 'A', true, false],
    ['batch.updated', false, 'A2', true, undefined],
    ['batch.updated', false, 'A2', true, undefined],
    ['stock.changed', false, 17, 0, 17, { expired_quantity: 5, available_quantity: 12 }],
    ['batch.updated', false, 'A2', false, true],
  ])
  t.deepEqual(await room.faults(), [])
})

test('a batch without stock is told, too', async t => {
  const room = await dairy('UTC', { now: '2026-11-21T12:00:00.000Z', a: '2026-11-21', b: '2026-11-30' })
  await room.done('createStockAdjustment', { items: [{ sku: 'MILK', quantity: -5, batch_id: await room.batch('A') }] })
  await room.told()
  room.now = '2026-11-22T00:00:00.000Z'
  await room.sweep()
  t.deepEqual(await room.told(), [['batch.expired', true, 'A', true, false]])
})

test('another time zone holds from the next command on, and tells once what expires or is good again', async t => {
  // The dates follow the clock of the database, which decides about a change of the zone: the day in Kiritimati (+14) is later than in Niue
  // (-11).
  const now = new Date().toISOString()
  const inNiue = new Date(Date.parse(now) - 11 * 3_600_000).toISOString().slice(0, 10)
  const room = await dairy('Pacific/Niue', { now, a: inNiue, b: '2099-12-31' })
  t.is(
    (await updateTenant(pool, { tenantId: room.tenantId, timeZone: 'Pacific/Kiritimati' }))?.tenant.time_zone,
    'Pacific/Kiritimati',
  )
  t.is(await room.sold(13), 'insufficient_stock')
  await room.sweep()
  t.deepEqual(await room.told(), [
    ['stock.changed', true, 17, 5, 12, { expired_quantity: 0, available_quantity: 17 }],
    ['batch.expired', true, 'A', true, false],
  ])
  await updateTenant(pool, { tenantId: room.tenantId, timeZone: 'Pacific/Niue' })
  t.is(await room.sold(18), 'insufficient_stock')
  await room.sweep()
  t.deepEqual(await room.told(), [
    ['stock.changed', true, 17, 0, 17, { expired_quantity: 5, available_quantity: 12 }],
    ['batch.updated', true, 'A', false, true],
  ])
  // The zone changes and changes back before the event of the expiry: the command has marked the position as expired, and then as not
  // expired.
  await updateTenant(pool, { tenantId: room.tenantId, timeZone: 'Pacific/Kiritimati' })
  t.is(await room.sold(13), 'insufficient_stock')
  await updateTenant(pool, { tenantId: room.tenantId, timeZone: 'Pacific/Niue' })
  t.is(await room.sold(17), 'done')
  await room.sweep()
  t.deepEqual(await room.faults(), [])
})

test('many batches of one midnight are told in slices, each once, while commands go on', async t => {
  const day = '2026-11-21'
  const room = await dairy('UTC', { now: '2026-11-21T12:00:00.000Z', a: day, b: day })
  for (let part = 0; part < 3; part++) {
    const items = Array.from({ length: 300 }, (_, at) => ({
      ...{ sku: 'MILK', quantity: 1, expiry_date: day },
      batch_number: `M-${part}-${at}`,
    }))
    await room.done('createStockAdjustment', { items })
  }
  await room.told()
  room.now = '2026-11-22T00:00:00.000Z'
  t.true((await room.unit([])).hasEvents)
  t.is(await room.sold(10), 'done')
  await room.sweep()
  const told = await room.told()
  const expired = told.filter(([type]) => type === 'batch.expired').map(([, , number]) => number)
  t.is(expired.length, 902)
  t.is(new Set(expired).size, 902)
  // The first slice has one event for everything that expired in the position.
  t.deepEqual(
    told.filter(([type]) => type === 'stock.changed'),
    [
      ['stock.changed', true, 917, 907, 10, { expired_quantity: 0, available_quantity: 917 }],
      ['stock.changed', false, 917, 907, 0, { reserved_quantity: 0, available_quantity: 10 }],
    ],
  )
  t.deepEqual(await room.faults(), [])
})
