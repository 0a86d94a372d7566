/**
 * An upgrade while the previous release serves: a migration beside an open reader and requests, processes of both releases side by side,
 * and the way back. The migration belongs to this test and only adds, as every later one must (docs/operations.md, "What a change must keep
 * to").
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { listMigrations, migrate } from '../../lib/platform/postgres/migrate.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const TENANTS = 6
/** How many rounds each tenant makes before the migration, while the reader holds it up, and after. */
const ROUNDS = 4

/** Adds a column with a default, a table, and an index that is made while callers write. */
const added = {
  '000901_more.sql': `alter table sales_orders add column channel text not null default 'web';
    create table channels (tenant_id bigint not null, name text not null, primary key (tenant_id, name));`,
  '000902_index.sql': `-- no transaction
    create index concurrently if not exists sales_orders_by_channel on sales_orders (tenant_id, channel, id);`,
}

/** Every tenant writes and reads without a pause. Each answer must be a success. */
function load(clients: readonly Client[]) {
  const faults: string[] = []
  const rounds = clients.map(() => 0)
  let isOver = false
  const running = Promise.all(
    clients.map(async (client, at) => {
      const { body: product } = await client.post('/products', { title: 'Screw' })
      const item = { item_variant_id: product.variants[0].id }
      const order = { customer: { title: 'Shop' }, items: [{ ...item, quantity: 1, price: 9.99 }] }
      while (!isOver) {
        const answers = await Promise.all([
          client.post('/stock-adjustments', { items: [{ ...item, quantity: 3, unit_cost: 1 }] }),
          client.post('/sales-orders', order),
          client.get('/sales-orders'),
          client.get('/events'),
        ])
        faults.push(...answers.filter(({ status }) => status >= 300).map(({ status, text }) => `${status}: ${text}`))
        rounds[at] = (rounds[at] ?? 0) + 1
      }
    }),
  )
  return {
    faults,
    rounds,
    more: async () => {
      const reached = rounds.map(done => done + ROUNDS)
      await eventually(async () => rounds.every((done, at) => done >= (reached[at] ?? 0)), { what: 'more rounds' })
    },
    end: async () => {
      isOver = true
      await running
    },
  }
}

test('a migration beside an open reader and requests, both sides beside each other, and the way back', async t => {
  const services = await testServices()
  const folder = await mkdtemp(join(tmpdir(), 'millrace-rollout-'))
  const before = await startService(services)
  const clients = await Promise.all(Array.from({ length: TENANTS }, () => before.tenant()))
  const open: { close(): Promise<unknown> }[] = [services, before]
  t.teardown(async () => {
    for (const each of open.reverse()) await each.close()
    await rm(folder, { recursive: true })
  })
  const sql = fileURLToPath(new URL('../../sql/', import.meta.url))
  for (const { name } of await listMigrations()) await copyFile(join(sql, name), join(folder, name))
  for (const [name, text] of Object.entries(added)) await writeFile(join(folder, name), text)

  const morning = load(clients)
  await morning.more()
  const reader = new pg.Client({ connectionString: services.databaseUrl, application_name: 'pg_dump' })
  await reader.connect()
  await reader.query('begin; lock table sales_orders in access share mode')
  const said: string[] = []
  const migrated = migrate(services.databaseUrl, {
    folder,
    progress: { show: text => void said.push(text), end: () => {} },
  })
  const waits = /^000901_more.sql: try \d+ waits: pid \d+ \(pg_dump, in a transaction for \d+ s\) holds sales_orders$/
  await eventually(async () => said.some(text => waits.test(text)), { what: 'the migration gives way' })
  await morning.more() // requests are not held up
  await reader.query('commit')
  await reader.end()
  t.deepEqual(await migrated, Object.keys(added))

  // Processes of both releases serve the same tenants.
  const after = await startService(services)
  open.push(after)
  const keys = await Promise.all(clients.map(({ tenantId }) => after.key(tenantId)))
  const evening = load(keys.map(({ client }) => client))
  await Promise.all([morning.more(), evening.more()])
  await evening.end()
  await after.close()
  open.pop()
  await morning.more() // the way back: only processes of the previous release
  await morning.end()

  t.deepEqual([...morning.faults, ...evening.faults], [])
  t.deepEqual((await reconcile(services.databaseUrl)).faults, [])
  await t.throwsAsync(migrate(services.databaseUrl), {
    message: 'the database has migration 000901_more.sql, which this version does not know: deploy a newer version',
  })
})
