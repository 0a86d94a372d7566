/** Expired holds in units of work without a sweep: commands, dry runs and bulks never count them, and each has one event at its end. */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import * as v from 'valibot'
import { createTenant } from '../../lib/access/tenants.ts'
import { BULK, type Bulk, type Command, dryRunKey, type Outcome } from '../../lib/pipeline/command.ts'
import { rows, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { runUnit } from '../../lib/work/unit.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { anyCommand } from '../support/run-command.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step, unitDependencies } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const { pool } = bench
const options = { statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000 }
const connections = new RoundTripPool(withPlansByKey(bench.databaseUrl), { size: 2, ...options })
test.after.always(() => connections.end())

const at = (minute: number) => `2026-11-21T05:${String(minute).padStart(2, '0')}:00.000Z`

/** A tenant with 10 oak. Its commands run at the times in `times`, one after another, and then at the last of them. */
async function room() {
  const tenantId = await createTenant(pool, { name: 'T', ownerEmail: 'o@example.com', plan: 'pro', currency: 'EUR' })
  const times = [at(0)]
  const clock = () => (times.length > 1 ? times.shift() : times[0]) ?? ''
  const unit = (commands: readonly Command[], oneByOne = false) =>
    connections.use(async connection => {
      const batches = [{ tenantId, commands }]
      const result = (await runUnit(connection, batches, { ...unitDependencies, clock, waits: true, oneByOne })).get(
        tenantId,
      )
      if (result?.is !== 'ran') throw new Error(`the tenant is ${result?.is}`)
      return result.ended.map(({ outcome }) => outcome)
    })
  const command = (step: Step) => commandOf(tenantId, step)
  const done = async (...step: Step): Promise<Loose> => {
    const [outcome] = await unit([command(step)])
    if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome))
    return JSON.parse(outcome.body ?? 'null')
  }
  const oak = (await done('createProduct', { title: 'Oak', sku: 'OAK' })).variants[0].id
  await done('createStockAdjustment', { items: [{ item_variant_id: oak, quantity: 10 }] })
  return {
    tenantId,
    times,
    unit,
    command,
    done,
    hold: (quantity: number, minute: number) =>
      done('createReservation', { expires_at: at(minute), items: [{ sku: 'OAK', quantity }] }),
    order: (quantity: number): Step => [
      'createSalesOrder',
      { customer: { title: 'C' }, allow_backorder: false, items: [{ sku: 'OAK', quantity }] },
    ],
    statuses: () =>
      pool.anyFirst(rows(v.object({ status: v.string() }))`
        select status from reservations where tenant_id = ${tenantId} order by id`),
    told: () =>
      pool.anyFirst(rows(v.object({ type: v.string() }))`
        select type from events where tenant_id = ${tenantId} and type not like 'customer.%' order by sequence offset 3`),
    faults: () => bench.faults(tenantId),
  }
}

const kinds = (outcomes: readonly Outcome[]) =>
  outcomes.map(outcome => (outcome.kind === 'refused' ? outcome.refusal.refusal : outcome.status))
const dry = (command: Command): Command => ({
  ...command,
  isDryRun: true,
  idempotencyKey: dryRunKey(command.requestId),
})
const bulkOf = (tenantId: string, entries: readonly Command[]): Bulk => ({
  ...anyCommand({ tenantId, endpoint: BULK }),
  entries,
})

test('a unit of work that finds a hold due does that alone: its commands run in the next one, at a later time', async t => {
  const { times, unit, command, hold, order, statuses, told, faults } = await room()
  await hold(10, 15)
  times.splice(0, 1, at(15))
  const commands = [command(order(6)), command(order(4)), command(order(1))]
  t.deepEqual(await unit(commands), [])
  t.deepEqual(await statuses(), ['EXPIRED'])
  t.deepEqual(kinds(await unit(commands)), [201, 201, 'insufficient_stock'])
  t.deepEqual(await told(), [
    'stock.changed',
    'reservation.created',
    'stock.changed',
    'reservation.expired',
    ...['stock.changed', 'sales_order.created', 'stock.changed', 'sales_order.created'],
  ])
  t.deepEqual(await faults(), [])
})

test('commands of one unit of work run at one time: a hold of which that time is not over counts for all of them', async t => {
  const { times, unit, command, hold, order, statuses } = await room()
  await hold(10, 15)
  times.splice(0, 1, at(14), at(16))
  t.deepEqual(kinds(await unit([command(order(1)), command(order(1))])), ['insufficient_stock', 'insufficient_stock'])
  t.deepEqual(await statuses(), ['HELD'])
})

test('a dry run that meets a due hold does not count it, and leaves only the end of the hold, told once', async t => {
  const { times, unit, command, hold, order, statuses, told, faults } = await room()
  await hold(10, 15)
  times.splice(0, 1, at(15))
  const tried = dry(command(order(10)))
  t.deepEqual(await unit([tried]), [])
  t.deepEqual(kinds(await unit([tried])), [201])
  t.deepEqual(kinds(await unit([dry(command(order(11)))])), ['insufficient_stock'])
  t.deepEqual(await statuses(), ['EXPIRED'])
  t.deepEqual(await told(), ['stock.changed', 'reservation.created', 'stock.changed', 'reservation.expired'])
  t.deepEqual(await faults(), [])
})

test('a dry run of a hold, and of an order that takes one, leaves nothing', async t => {
  const { unit, command, hold, order, statuses, told, faults } = await room()
  const { id } = await hold(4, 15)
  const body = { expires_at: at(20), items: [{ sku: 'OAK', quantity: 6 }] }
  const [, sold] = order(10)
  const tried = [
    dry(command(['createReservation', body])),
    dry(command(['createSalesOrder', { ...sold, reservation_id: id }])),
    dry(command(['releaseReservation', {}, id])),
    dry(command(['updateReservation', { notes: 'x' }, id])),
  ]
  t.deepEqual(kinds(await unit(tried)), [201, 201, 200, 200])
  t.deepEqual(await statuses(), ['HELD'])
  t.deepEqual(await told(), ['stock.changed', 'reservation.created'])
  t.deepEqual(await faults(), [])
})

/** A bulk in one transaction, with a round for each entry. The hold expires before the second one. */
async function dueWithin(t: ExecutionContext, entries: readonly Step[], { isDry = false } = {}) {
  const { tenantId, times, unit, command, hold, ...rest } = await room()
  await hold(10, 15)
  times.splice(0, 1, at(14), at(15))
  const bulk = bulkOf(tenantId, entries.map(command))
  const [outcome] = await unit([isDry ? (dry(bulk) as Bulk) : bulk], true)
  const answers = outcome?.kind === 'done' ? kinds(outcome.entries ?? []) : []
  return { t, ...rest, times, unit, answers }
}
const more: Step = ['createCustomer', { title: 'Beside' }]
const all: Step = [
  'createSalesOrder',
  { customer: { title: 'C' }, allow_backorder: false, items: [{ sku: 'OAK', quantity: 10 }] },
]

test('a hold that falls due while a bulk of all runs ends within its transaction, before the entries behind', async t => {
  const { answers, statuses, told, faults } = await dueWithin(t, [more, all])
  t.deepEqual(answers, [201, 201])
  t.deepEqual(await statuses(), ['EXPIRED'])
  t.deepEqual((await told()).slice(2), ['stock.changed', 'reservation.expired', 'stock.changed', 'sales_order.created'])
  t.deepEqual(await faults(), [])
})

for (const { name, entries, isDry, answers: expected } of [
  {
    name: 'refused',
    entries: [more, all, all],
    isDry: false,
    answers: ['not_applied', 'not_applied', 'insufficient_stock'],
  },
  { name: 'dry', entries: [more, all], isDry: true, answers: [201, 201] },
])
  test(`a ${name} bulk of all takes the end of a hold back with all else, and the next unit of work tells it once`, async t => {
    const { answers, statuses, told, unit, faults } = await dueWithin(t, entries, { isDry })
    t.deepEqual(answers, expected)
    t.deepEqual(await statuses(), ['HELD'])
    t.deepEqual((await told()).slice(2), [])
    // Does what the sweep does: a unit of work without commands.
    t.deepEqual([await unit([]), await unit([])], [[], []])
    t.deepEqual(await statuses(), ['EXPIRED'])
    t.deepEqual((await told()).slice(2), ['stock.changed', 'reservation.expired'])
    t.deepEqual(await faults(), [])
  })

test('a bulk of all may hold and order what it holds', async t => {
  const { tenantId, unit, command, hold, order, statuses, faults } = await room()
  const { id } = await hold(10, 15)
  const [, body] = order(3)
  const bulk = bulkOf(
    tenantId,
    (
      [
        ['createSalesOrder', { ...body, reservation_id: id }],
        ['createReservation', { expires_at: at(20), items: [{ sku: 'OAK', quantity: 7 }] }],
      ] as const
    ).map(command),
  )
  const [outcome] = await unit([bulk])
  t.deepEqual(outcome?.kind === 'done' && kinds(outcome.entries ?? []), [201, 201])
  t.deepEqual(await statuses(), ['CONSUMED', 'HELD'])
  t.deepEqual(await faults(), [])
})

test('two orders of one hold in a unit of work: the first takes it', async t => {
  const { unit, command, hold, order, statuses } = await room()
  const { id } = await hold(10, 15)
  const [endpoint, body] = order(5)
  const taking = (): Command => command([endpoint, { ...body, external_ref: randomUUID(), reservation_id: id }])
  t.deepEqual(kinds(await unit([taking(), taking()])), [201, 'reservation_not_held'])
  t.deepEqual(await statuses(), ['CONSUMED'])
})
