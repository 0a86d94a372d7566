/**
 * Many batches of many tenants expire at the same time: two workers write one event for each, whatever is interrupted, while commands run.
 */
import * as v from 'valibot'
import { tenantsWithTurnedBatches } from '../../lib/domain/stock/batches/queries.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { sweepDue, sweepOfBatches } from '../../workers/commands/due-sweep.ts'
import { UnitsOfCell } from '../../workers/commands/units.ts'
import { commandBench } from '../support/command-context.ts'
import { ofTests } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, openUnits, unitDependencies } from '../support/units.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

/** Services of its own: a sweep reads all tenants. */
const services = ofTests(test, testServices)
const bench = ofTests(test, () => commandBench(services.databaseUrl))
const units = ofTests(test, async () => openUnits(services.databaseUrl))

/** test/failure/midnight.test.ts has 100,000. */
const [TENANTS, BATCHES] = [3, 3_000]

/** A tenant with 5 pieces that do not expire, and batches of one piece each that have just expired. */
async function midnight(batches: number) {
  const { tenant, variant, adjust } = await stockroom(bench)
  tenant.now = new Date().toISOString()
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([itemLine(milk, 5, { batch_number: 'LASTS' })])
  await bench.pool.query(statement`
    with made as (
      insert into batches (tenant_id, id, item_variant_id, number, expiry_date, created_at, updated_at)
      select ${tenant.id}::bigint, nextval('ids'), ${milk}::bigint, 'B' || n, '2026-01-01', now(), now() from generate_series(1, ${batches}) n
      returning tenant_id, id, item_variant_id
    ), level as (
      insert into stock_levels (
        tenant_id, item_variant_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on
      )
      select tenant_id, item_variant_id, id, 1, 0, 0, 0, now(), '2026-01-01' from made returning quantity
    )
    update stock_balances set quantity = quantity + ${batches}, expired_before = '2026-01-01'
    where tenant_id = ${tenant.id}::bigint and item_variant_id = ${milk}::bigint and (select count(*) from level) > 0`)
  return { tenantId: tenant.id, milk }
}

const log = createLog({ level: 'silent', processName: 'test' })
const idle = () => new Promise(resolve => setImmediate(resolve))

test('each batch of a midnight is told once, through cut connections, by two workers, while orders are taken', async t => {
  const dairies = await Promise.all(Array.from({ length: TENANTS }, (_, at) => midnight(at === 0 ? BATCHES : 300)))
  const cells = [1, 2].map(
    () => new UnitsOfCell({ ...unitDependencies, databaseUrl: services.databaseUrl, processName: 'midnight' }),
  )
  t.teardown(() => Promise.all(cells.map(cell => cell.close())))
  let isOver = false
  const worker = async (cell: UnitsOfCell) => {
    const doDue = (tenantIds: readonly string[], options: { readonly waits: boolean }) => cell.doDue(tenantIds, options)
    while ((await tenantsWithTurnedBatches(bench.pool)).length > 0)
      await sweepDue({ pool: bench.pool, log, doDue, publish: () => {} }, sweepOfBatches)
  }
  const cut = async () => {
    for (let cuts = 0; cuts < 20 && !isOver; cuts++) {
      await bench.pool.query(statement`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like '%midnight%' and state <> 'idle' limit 1`)
      await idle()
    }
  }
  const sell = async () => {
    for (let sold = 0; !isOver; sold++) {
      const { tenantId, milk } = dairies[0] ?? t.fail()
      const body = { customer: { title: 'C' }, allow_backorder: false, items: [itemLine(milk, sold < 5 ? 1 : 6)] }
      const [[outcome] = []] = await units.outcomesOf([
        { tenantId, commands: [commandOf(tenantId, ['createSalesOrder', body])] },
      ])
      t.is(outcome?.kind, sold < 5 ? 'done' : 'refused')
    }
  }
  const selling = sell()
  await Promise.all([...cells.map(worker), cut()]).finally(() => {
    isOver = true
  })
  await selling
  for (const [at, { tenantId }] of dairies.entries()) {
    const told = await bench.pool.one(rows(v.object({ events: v.number(), batches: v.number(), stock: v.number() }))`
      select count(*) filter (where type = 'batch.expired')::int as events,
        count(distinct body::jsonb -> 'data' ->> 'id') filter (where type = 'batch.expired')::int as batches,
        count(*) filter (where type = 'stock.changed' and body::jsonb -> 'previous' ? 'expired_quantity')::int as stock
      from events where tenant_id = ${tenantId}::bigint and (body::jsonb -> 'actor') = 'null'`)
    const count = at === 0 ? BATCHES : 300
    t.deepEqual(told, { events: count, batches: count, stock: 1 })
  }
})
