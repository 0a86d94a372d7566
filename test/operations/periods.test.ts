import { Client } from 'pg'
import { run } from '../../bench/commands.ts'
import { connectionString, readAddress } from '../../lib/platform/postgres/address.ts'
import { statementsOf } from '../../lib/platform/postgres/distribute.ts'
import { createPool, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { commandPeriods, eventPeriods } from '../../workers/housekeeping/retention.ts'
import { databaseClock } from '../support/database-clock.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isOneStory: true })

const services = await testServices()
const { databaseUrl } = services
const timeouts = { statementTimeoutMs: 20_000, idleInTransactionTimeoutMs: 20_000 }
const pool = await createPool(databaseUrl, { ...timeouts, size: 1 })
const connections = new RoundTripPool(withPlansByKey(databaseUrl), { ...timeouts, size: 8 })
const client = new Client({ connectionString: connectionString(databaseUrl) })
await client.connect()
test.after.always(async () => {
  await client.end()
  await connections.end()
  await pool.end()
  await services.close()
})

/** One by one, since a distributed schema takes them so (test/scaling/citus.ts). */
async function execute(text: string): Promise<void> {
  for (const each of statementsOf(text)) await client.query(each)
}
const all = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[]
const periodsOf = async (table: string) =>
  (
    await all<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
    )
  ).map(({ name }) => name)

test('a key has one effect though its copies run at once and would be logged in different periods', async t => {
  await execute(`
    insert into tenants (tenant_id, name, owner_email) values (1, 'T', 'o'), (2, 'T', 'o');
    insert into tenant_streams (tenant_id) values (1), (2);
    alter table commands alter column created_at set default now() + floor(random() * 35) * interval '1 day'`)
  const keys = Array.from({ length: 24 }, (_, n) => `key-${n}`)
  const copies = keys.flatMap(key => Array.from({ length: 8 }, () => key))
  const ids = await Promise.all(
    copies.map(async (idempotencyKey, n) => {
      const of = { idempotencyKey, requestId: `req_${n}` }
      const made = await connections.use(connection =>
        run(connection, '1', 'createCustomer', { title: idempotencyKey }, of),
      )
      return `${idempotencyKey} ${made.id}`
    }),
  )
  t.is(new Set(ids).size, keys.length, 'all copies have one answer')
  const [counted] = await all<{ logged: string; made: string; told: string; periods: number }>(`
    select (select count(*) from commands) as logged, (select count(*) from customers) as made,
      (select count(*) from events) as told, (select count(distinct tableoid)::int from commands) as periods`)
  t.like(counted, { logged: '24', made: '24', told: '24' })
  t.true((counted?.periods ?? 0) > 1, 'the log spans several periods')
  await execute('alter table commands alter column created_at set default now()')
})

test('periods are made ahead, old ones go as a whole, and what comes later than all is kept', async t => {
  for (const [table, chore] of [['commands', commandPeriods] as const, ['events', eventPeriods] as const]) {
    await execute(`
      drop table ${table}_before;
      select make_period('${table}', '${table}_old'), make_period('${table}', '${table}_young');
      alter table ${table} attach partition ${table}_old for values from (minvalue) to ('2020-01-01 00:00+00')`)
    await client.query(
      `alter table ${table} attach partition ${table}_young for values from ('2020-01-01 00:00+00') to ('${new Date(Date.now() - 30 * 86_400_000).toISOString()}')`,
    )
    const before = await periodsOf(table)
    t.is(await chore.doBatch(pool, 1), 1, 'the one of which nothing is to be kept')
    const after = await periodsOf(table)
    t.deepEqual(
      before.filter(name => !after.includes(name)),
      [`${table}_old`],
    )
    t.is(await chore.doBatch(pool, 1), 0)
    t.deepEqual(await periodsOf(table), after)
  }
  // No periods were made for long: new rows go to the partition `beyond`, and the next period begins after them.
  for (const name of (await periodsOf('events')).filter(name => !/_beyond$/.test(name)))
    await execute(`drop table ${name}`)
  await execute(`
    select make_period('events', 'events_last');
    alter table events attach partition events_last for values from (minvalue) to ('2020-01-01 00:00+00');
    insert into events (tenant_id, sequence, type, body) values (2, 1, 'product.created', '{}')`)
  t.is(await eventPeriods.doBatch(pool, 1), 1)
  await execute(`
    insert into events (tenant_id, sequence, type, body, created_at)
    values (2, 2, 'product.created', '{}', now() + interval '12 days')`)
  t.deepEqual(
    await all(
      `select sequence, tableoid::regclass::text ~ '_beyond(_\\d+)?$' as beyond from events where tenant_id = 2 order by 1`,
    ),
    [
      { sequence: '1', beyond: true },
      { sequence: '2', beyond: false },
    ],
  )
})

const onLocalTables = readAddress(databaseUrl).isDistributed ? test.skip : test
onLocalTables('rows and periods that a wrong clock put years ahead stop no period from being made', async t => {
  const clock = await databaseClock(databaseUrl, pool)
  const wrong = await createPool(clock.url, { ...timeouts, size: 1 })
  t.teardown(() => wrong.end())
  for (const [table, chore] of [['commands', commandPeriods] as const, ['events', eventPeriods] as const]) {
    await clock.set('1 year')
    await chore.doBatch(wrong, 1)
    if (table === 'events')
      await execute(`
        insert into events (tenant_id, sequence, type, body, created_at)
        values (2, 3, 'product.created', '{}', now() + interval '2 years')`)
    for (const days of [0, 40]) {
      await clock.set(`${days} days`)
      await chore.doBatch(wrong, 1)
      const [{ covered } = {}] = await all<{ covered: boolean }>(`
        select count(*) >= 2 as covered from pg_inherits
        where inhparent = '${table}'::regclass
          and period_end(inhrelid) - now() - interval '${days} days' between interval '0' and interval '30 days'`)
      t.true(covered, `${table} ${days}`)
    }
  }
})
