/** A variant with thousands of batches at a place: picking reads few of them, and a command that needs many runs alone. */

import { levelsMax } from '../../lib/domain/stock/level-load.ts'
import { LEVELS_MAX } from '../../lib/domain/stock/picking-rules.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { TenantBatch } from '../../lib/work/tenant-run.ts'
import { runBatch } from '../../workers/commands/run-batch.ts'
import type { RunMode } from '../../workers/commands/transactions.ts'
import { UnitsOfCell } from '../../workers/commands/units.ts'
import { parsed } from '../documents/comparable.ts'
import { salesroom } from '../sales/salesroom.ts'
import { commandBench, type Loose } from '../support/command-context.ts'
import { ofTests } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, openUnits, type Step, unitDependencies } from '../support/units.ts'
import { usualLevels } from './usual-levels.ts'

const test = testsOf(import.meta, { isSerial: true })

/** Services of its own: its batches have no movements, which a reconciliation of all tenants would report. */
const services = ofTests(test, testServices)
const bench = ofTests(test, () => commandBench(services.databaseUrl))
const units = ofTests(test, async () => openUnits(services.databaseUrl))
test.afterEach.always(usualLevels)

type Batches = {
  readonly count: number
  readonly expiry: string | null
  readonly quantity?: number
  readonly quarantined?: boolean
}

/** A tenant with batches of milk in the north, each of one piece by default. Each kind has a number of its own: `B0-1`, `B1-1`. */
async function dairy(kinds: readonly Batches[]) {
  const room = await salesroom(bench)
  const { id: tenantId } = room.tenant
  const [north, south] = [await room.place('North'), await room.place('South')]
  const milk = await room.variant('MILK', { batch_tracked: true })
  for (const [kind, { count, expiry, quantity = 1, quarantined = false }] of kinds.entries())
    await bench.pool.query(statement`
      with given as (
        select ${tenantId}::bigint as tenant_id, ${milk}::bigint as item_variant_id, ${north}::bigint as place,
          ${quantity}::numeric as quantity, ${expiry}::date as expiry_date
      ), made as (
        insert into batches (tenant_id, id, item_variant_id, number, expiry_date, created_at, updated_at)
        select tenant_id, nextval('ids'), item_variant_id, ${`B${kind}-`} || n, expiry_date, now(), now()
        from given, generate_series(1, ${count}) n order by n
        returning id
      ), level as (
        insert into stock_levels (
          tenant_id, item_variant_id, storage_place_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity,
          updated_at, expires_on
        )
        select tenant_id, item_variant_id, place, id, quantity, case when ${quarantined} then quantity else 0 end, 0, 0, now(),
          coalesce(expiry_date, 'infinity')
        from given, made
        returning tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity
      )
      insert into stock_balances (tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity, value)
      select tenant_id, item_variant_id, storage_place_id, sum(quantity), sum(quarantine_quantity), 0 from level group by 1, 2, 3
      on conflict (tenant_id, item_variant_id, place_key) do update set
        quantity = stock_balances.quantity + excluded.quantity,
        quarantine_quantity = stock_balances.quarantine_quantity + excluded.quarantine_quantity`)
  const transfer = (quantity: number, item: Loose = {}): Step => [
    'createStockTransfer',
    { from_storage_place_id: north, to_storage_place_id: south, items: [{ item_variant_id: milk, quantity, ...item }] },
  ]
  const order = (...quantities: number[]) =>
    room.order(quantities.map(quantity => itemLine(milk, quantity, { storage_place_id: north })))
  return { room, tenantId, north, milk, transfer, order }
}

/** The outcome of a command in a unit: `heavy`, or its answer. */
async function inUnit(tenantId: string, step: Step, options?: { readonly oneByOne: boolean }): Promise<Loose> {
  const result = (await units.run([{ tenantId, commands: [commandOf(tenantId, step)] }], options)).get(tenantId)
  return result?.is === 'ran' ? parsed(result.ended[0]?.outcome) : result?.is
}

test('thousands of expired and quarantined batches in front are not loaded', async t => {
  levelsMax.together = 3
  const { tenantId, transfer, order } = await dairy([
    { count: 3_000, expiry: '2020-01-31' },
    { count: 3_000, expiry: '2020-01-30', quarantined: true },
    { count: 3_000, expiry: '2097-01-31' },
    { count: 2, expiry: '2098-01-31', quarantined: true },
  ])
  const sold = await order(2)
  const shipped = await inUnit(tenantId, ['createShipment', {}, sold.id])
  t.is(shipped.status, 201, JSON.stringify(shipped))
  t.is(shipped.body.items.length, 2)
  const expired = await inUnit(tenantId, transfer(1))
  t.is(expired.body.items[0].batch_number, 'B0-1')
  const held = await inUnit(tenantId, transfer(1, { from_quarantine: true }))
  t.is(held.body.items[0].batch_number, 'B1-1')
  t.is(await inUnit(tenantId, transfer(4)), 'too large')
})

test('a heavy command leaves its unit, whose other tenants are answered in it, and runs by itself', async t => {
  levelsMax.together = 4
  const { tenantId, transfer, milk, north } = await dairy([{ count: 40, expiry: '2097-01-31' }])
  const other = await dairy([{ count: 3, expiry: '2097-01-31' }])
  const step: Step = [
    'createStockAdjustment',
    { storage_place_id: north, items: [itemLine(milk, 1, { batch_number: 'B0-1' })] },
  ]
  const commands = [transfer(30), step, transfer(2)].map(each => commandOf(tenantId, each))
  const others = [commandOf(other.tenantId, other.transfer(2))]
  const batches = [
    { tenantId, commands },
    { tenantId: other.tenantId, commands: others },
  ]
  const results = await units.run(batches)
  t.deepEqual(results.get(tenantId), { is: 'too large' })
  const ran = results.get(other.tenantId)
  t.is(ran?.is === 'ran' ? (parsed(ran.ended[0]?.outcome) as Loose).status : ran?.is, 201)

  // The worker: of the batch with the heavy command only that command first runs alone.
  const cell = new UnitsOfCell({ ...unitDependencies, databaseUrl: services.databaseUrl })
  t.teardown(() => cell.close())
  const runs: (Pick<RunMode, 'by' | 'oneByOne'> & { readonly commands: number; readonly is: string })[] = []
  const cells = {
    isOne: true,
    knows: () => true,
    home: () => 'main',
    placeOf: async () => undefined,
    unitsOf: () => ({
      isCoolingDown: () => cell.isCoolingDown(),
      run: async (batch: TenantBatch, mode: RunMode) => {
        const run = await cell.run(batch, mode)
        runs.push({ by: mode.by, oneByOne: mode.oneByOne, commands: batch.commands.length, is: run.is })
        return run
      },
    }),
  }
  const steps = await Array.fromAsync(runBatch({ tenantId, commands, isSlow: false }, cells))
  const answers = steps.flatMap(each => (each.is === 'ended' ? each.ended : []))
  t.deepEqual(
    answers.map(({ command, outcome }) => [command.requestId, (parsed(outcome) as Loose).status]),
    commands.map(({ requestId }) => [requestId, 201]),
  )
  t.deepEqual(runs[0], { by: 'unit', oneByOne: false, commands: 3, is: 'too large' })
  t.deepEqual(runs[1], { by: 'itself', oneByOne: true, commands: 1, is: 'ran' })
})

test('a heavy entry makes a bulk in one transaction run its entries one by one', async t => {
  levelsMax.together = 4
  const { tenantId, transfer } = await dairy([{ count: 40, expiry: '2097-01-31' }])
  const entries = [transfer(1), transfer(20), transfer(1)].map(each => commandOf(tenantId, each))
  const bulk = { ...(entries[0] as Loose), requestId: 'req_bulk', endpoint: 'bulk', entries }
  const batches = [{ tenantId, commands: [bulk] }]
  t.deepEqual((await units.run(batches)).get(tenantId), { is: 'too large' })
  const ran = (await units.run(batches, { oneByOne: true })).get(tenantId) as Loose
  t.deepEqual(column(ran.ended[0].outcome.entries, 'status'), [201, 201, 201])
})

test('a command that would look at too many entries is refused, and what is short of them is told exactly', async t => {
  const sellable = LEVELS_MAX + 20
  const { tenantId, room, transfer, order, milk, north } = await dairy([
    { count: 30, expiry: '2020-01-31' },
    { count: sellable, expiry: '2097-01-31' },
    { count: 10, expiry: '2096-01-31', quarantined: true },
  ])
  const alone = (step: Step) => inUnit(tenantId, step, { oneByOne: true })
  const tooMany = {
    error: 'unprocessable',
    message: `picking would look at more than ${LEVELS_MAX} stock entries; ask for less at a time, or name batches`,
  }
  t.deepEqual(await alone(transfer(LEVELS_MAX + 1)), tooMany)
  t.deepEqual(await alone(transfer(sellable + 31)), {
    error: 'insufficient_stock',
    message: `items[0].quantity: not enough MILK at North: ${sellable + 31} needed, ${sellable + 40} on hand, of which ${sellable + 30} can be taken`,
  })
  const [enough, short] = [await order(LEVELS_MAX + 1), await order(sellable + 1)]
  t.deepEqual(await alone(['createShipment', {}, enough.id]), tooMany)
  t.deepEqual(await alone(['createShipment', {}, short.id]), {
    error: 'insufficient_stock',
    message: `not enough MILK at North: ${sellable + 1} needed, ${sellable + 40} on hand, of which ${sellable} can be taken`,
  })
  // A later line of the same command finds nothing.
  const shorter = await order(sellable + 1, 1)
  t.deepEqual(await alone(['createShipment', {}, shorter.id]), {
    error: 'insufficient_stock',
    message: `not enough MILK at North: ${sellable + 2} needed, ${sellable + 40} on hand, of which ${sellable} can be taken`,
  })
  const taken = await room.adjust([itemLine(milk, -3)], { storage_place_id: north })
  t.deepEqual(column(taken.items, 'batch_number'), ['B0-1', 'B0-2', 'B0-3'])
})
