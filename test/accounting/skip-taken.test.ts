/** Counting skips the numbers that callers took, however many, in a few statements. */
import test from 'ava'
import * as v from 'valibot'
import { skipTaken } from '../../lib/accounting/skip-taken.ts'
import { createOrderEndpoint } from '../../lib/manufacturing/orders/endpoints.ts'
import { DocumentNumbers } from '../../lib/store/document-number.ts'
import { rows, statement } from '../../lib/store/postgres.ts'
import { workshop } from '../manufacturing/workshop.ts'
import { countingRoundTrips } from '../stock/stockroom.ts'
import { commandBench } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

/** Adjustments with these counted numbers, as a caller that migrated made them. */
const migrated = (tenantId: string, numbers: string[]) =>
  bench.pool.query(statement`
    insert into stock_adjustments (tenant_id, id, number, date, reason, total_amount, created_at)
    select ${tenantId}::bigint, nextval('ids'), number, now(), 'INITIAL', 0, now()
    from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) number`)

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `SA-${String(from + n).padStart(5, '0')}`)

/** The number after those that are taken, and the statements that found it. */
async function nextAfter(tenantId: string, used: number): Promise<[string, number]> {
  const numbers = new DocumentNumbers({ stock_adjustment: used, stock_transfer: 7 })
  let statements = 0
  await bench.pool.connect(async connection => {
    const one: typeof connection.one = query => {
      statements++
      return connection.one(query)
    }
    const tenant = { id: tenantId, plan: 'pro', currency: 'EUR', closedThrough: null } as const
    await skipTaken({ connection: { ...connection, one }, tenant, numbers }, 'stock_adjustment')
  })
  if (numbers.peek('stock_transfer') !== 'ST-00008') throw new Error('another kind was counted')
  return [numbers.peek('stock_adjustment'), statements]
}

test('the next free number is found past gaps, other tenants’ numbers and five digits', async t => {
  const [tenant, other] = [await bench.tenant(), await bench.tenant()]
  await migrated(tenant.id, [...numbered(2, 9), ...numbered(11, 12), ...numbered(99_995, 100_003), 'SA-13', 'sa-00013'])
  await migrated(other.id, numbered(1, 20))
  t.deepEqual(await nextAfter(tenant.id, 0), ['SA-00001', 1])
  t.deepEqual(await nextAfter(tenant.id, 1), ['SA-00010', 1])
  t.deepEqual(await nextAfter(tenant.id, 10), ['SA-00013', 1])
  t.deepEqual(await nextAfter(tenant.id, 99_994), ['SA-100004', 1])
})

test('more than one statement may walk over are skipped by the next', async t => {
  const tenant = await bench.tenant()
  await migrated(tenant.id, numbered(1, 20_005))
  t.deepEqual(await nextAfter(tenant.id, 0), ['SA-20006', 2])
  t.deepEqual(await nextAfter(tenant.id, 5), ['SA-20006', 2])
  t.deepEqual(await nextAfter(tenant.id, 6), ['SA-20006', 1])
})

test('a command past thousands of taken numbers costs two round trips more', async t => {
  const shop = await workshop(bench)
  await shop.place('Works')
  const leg = await shop.variant('LEG')
  await shop.order(leg, 1, { number: 'MO-00001' })
  const { count } = await bench.pool.one(rows(v.object({ count: v.number() }))`
    with more as (
      insert into manufacturing_orders
      select (jsonb_populate_record(o, jsonb_build_object(
        'id', nextval('ids'), 'number', 'MO-' || lpad(n::text, 5, '0')))).*
      from manufacturing_orders o, generate_series(2, 3000) n where o.tenant_id = ${shop.tenant.id}::bigint
      returning 1
    ) select count(*)::int as count from more`)
  t.is(count, 2_999)
  const body = { item_variant_id: leg, quantity: 1 }
  const fresh = await workshop(bench)
  await fresh.place('Works')
  const usual = countingRoundTrips(createOrderEndpoint)
  await fresh.tenant.done(usual.endpoint, { item_variant_id: await fresh.variant('LEG'), quantity: 1 })
  const made = countingRoundTrips(createOrderEndpoint)
  t.is((await shop.tenant.done(made.endpoint, body)).number, 'MO-03001')
  t.true(made.roundTrips() <= usual.roundTrips() + 2)
})
