/** `npm run grow`: its rows are consistent, and tenants can write more. */

import { Client } from 'pg'
import { run } from '../../bench/commands.ts'
import { GrowRefused, grow } from '../../bench/grow/grow.ts'
import { withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { ofTests } from '../support/of-file.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isOneStory: true })

const services = ofTests(test, testServices)
let client: Client
let connections: RoundTripPool
test.before(async () => {
  const { databaseUrl } = services
  client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const timeouts = { statementTimeoutMs: 20_000, idleInTransactionTimeoutMs: 20_000 }
  connections = new RoundTripPool(withPlansByKey(databaseUrl), { ...timeouts, size: 1 })
})
test.after.always(async () => {
  await connections.end()
  await client.end()
})

const size = { tenants: 8, movements: 1_600, orders: 200, days: 60 }
const options = () => ({
  ...size,
  databaseUrl: services.databaseUrl,
  connections: 1,
  isBesideTenants: false,
  blocksPerChunk: 20,
})
const one = async <T>(text: string): Promise<T> => (await client.query(text)).rows[0] as T
const counted = () =>
  one<{ tenants: number; movements: number; orders: number; lately: number }>(`
    select (select count(*)::int from tenants) as tenants, (select count(*)::int from stock_movements) as movements,
      (select count(*)::int from sales_orders) + (select count(*)::int from purchase_orders)
        + (select count(*)::int from manufacturing_orders) as orders,
      (select count(*)::int from events where created_at < now() - interval '31 days') as lately`)

test('a database with tenants of somebody is refused', async t => {
  await client.query(
    "insert into tenants (tenant_id, name, owner_email) values (7, 'Somebody', 'owner@somebody.example')",
  )
  const error = await t.throwsAsync(grow(options()), { instanceOf: GrowRefused })
  t.regex(error?.message ?? '', /Somebody.*--beside-tenants/)
  await client.query('delete from tenants')
})

test('it is ended and gone on with, reaches its size, and all is consistent', async t => {
  const told: number[] = []
  const ended = await grow({
    ...options(),
    isToStop: () => told.some(done => done > 0.6),
    onProgress: ({ done, all }) => told.push(done / all),
  })
  t.false(ended.isDone)
  const half = await counted()
  t.true(half.movements > 0)
  const grown = await grow({ ...options(), movements: 1_000_000 })
  t.true(grown.isDone && grown.isResumed)
  t.is(grown.movements, size.movements, 'what was begun')
  const all = await counted()
  t.true(half.movements < all.movements)
  t.is(all.tenants, size.tenants)
  for (const what of ['movements', 'orders'] as const)
    t.true(Math.abs(all[what] / size[what] - 1) < 0.1, `${all[what]} ${what}`)
  t.is(all.lately, 0, 'events that nobody keeps')
  t.deepEqual((await reconcile(services.databaseUrl)).faults, [])
  t.is((await one<{ is: boolean }>(`select to_regnamespace('grow_template') is null as is`)).is, true)
})

test('largest and smallest tenants go on writing, with the next numbers and sequences', async t => {
  const { rows } = await client.query<{
    tenant_id: string
    events: string
    place: string
    variant: string
    orders: number
  }>(`
    select s.tenant_id, s.event_sequence as events, v.id as variant,
      (select id from storage_places p where p.tenant_id = s.tenant_id and is_main) as place,
      (select count(*)::int from sales_orders o where o.tenant_id = s.tenant_id) as orders
    from tenant_streams s cross join lateral (
      select id from item_variants where tenant_id = s.tenant_id and sku like 'LAMP-%' order by id desc limit 1
    ) v
    order by s.event_sequence`)
  for (const { tenant_id, events, variant, place, orders } of [...rows.slice(0, 1), ...rows.slice(-1)]) {
    const write = (endpoint: string, body: unknown) =>
      connections.use(connection => run(connection, tenant_id, endpoint, body))
    const items = [{ item_variant_id: variant, quantity: 1 }]
    const order = await write('createSalesOrder', { customer: { title: 'New' }, items })
    t.is(order['number'], `SO-${String(orders + 1).padStart(5, '0')}`)
    const counted = await write('createStockAdjustment', { storage_place_id: place, items })
    t.true(BigInt(counted.id) > BigInt(variant))
    const { last } = await one<{ last: string }>(
      `select max(sequence) as last from events where tenant_id = ${tenant_id}`,
    )
    t.true(BigInt(last) > BigInt(events))
  }
  t.deepEqual((await reconcile(services.databaseUrl)).faults, [])
})
