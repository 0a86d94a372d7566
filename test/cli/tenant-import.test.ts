/** An import makes the tenant of an export again, with new ids. None of its records is lost or changed. */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyDocument } from '../../lib/kit/documents/document.ts'
import { collected } from '../../lib/kit/documents/resources.ts'
import { list } from '../../lib/nouns.ts'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { carriedTables, isId, left, ROWS, writtenAnew } from '../../lib/tools/export/rows.ts'
import { tenantTables } from '../../lib/tools/moves/tables.ts'
import { importTenant } from '../../lib/tools/tenant-import/import.ts'
import { signedHeaders } from '../../lib/webhooks/signature.ts'
import { startWebhooks } from '../../workers/webhooks/webhook-worker.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { typedJson } from '../support/millrace.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testConfig } from '../support/pipeline.ts'
import { column, itemLine } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { type Receiver, receiver } from '../webhooks/receiver.ts'
import { differences, linesOf, tablesOf } from './compared-exports.ts'
import { serviceOfTwoCells } from './two-cells.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ env: { WEBHOOK_ALLOWED_NETWORKS: 'loopback' } })
const root = await mkdtemp(join(tmpdir(), 'millrace-import-'))

const here = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl }

const filled = async (client: Client, at: { readonly url: string }) => {
  await fillDemo(sendOver(at.url, client.token), line => {
    throw new Error(line)
  })
  return client
}
/** Ships a kit that has a batch-tracked component. */
async function shipKit({ post }: Client): Promise<void> {
  const part = await post('/products', { title: 'Oil', batch_tracked: true, sku: 'OIL' })
  const [{ id: item_variant_id }] = part.body.variants
  await post('/stock-adjustments', { items: [itemLine(item_variant_id, 5, { unit_cost: 1, batch_number: 'O-1' })] })
  const components = [itemLine(item_variant_id, 2)]
  const kit = await post('/products', { title: 'Set with oil', type: 'KIT', price: 9, components })
  const items = [itemLine(kit.body.variants[0].id, 2)]
  const order = await post('/sales-orders', { customer: { title: 'Kitchen' }, items })
  const shipped = [{ sales_order_item_id: order.body.items[0].id, quantity: 1 }]
  const { status } = await post(`/sales-orders/${order.body.id}/shipments`, { items: shipped })
  if (status !== 201) throw new Error(`the kit is not shipped: ${status}`)
}
const retried = ['/customers', { title: 'Once' }, 'a-key-of-before'] as const
const folder = join(root, 'first')
/** The service into which the tenant is imported. */
let other: Awaited<ReturnType<typeof serviceOfTwoCells>>
let client: Client
/** A tenant there, some of whose ids the exported tenant has too. */
let neighbour: Client
let hook: Receiver
let exported: Awaited<ReturnType<typeof typedJson>>
test.before(async () => {
  other = await serviceOfTwoCells()
  client = await filled(await service.tenant({ key: { userName: 'Ada' } }), service)
  neighbour = await filled(await other.tenant(), other)
  const once = await client.post(...retried)
  hook = await receiver()
  await client.post('/webhook-subscriptions', { url: hook.url, events: ['*'] })
  const ordered = { customer_id: once.body.id, items: [] as Loose[] }
  const { variants } = (await client.get('/products?limit=200')).body.data.find(({ type }: Loose) => type === 'PRODUCT')
  ordered.items.push(itemLine(variants[0].id, 1))
  const cancelled = await client.post('/sales-orders', ordered)
  await client.patch(`/sales-orders/${cancelled.body.id}`, { status: 'CANCELLED' })
  await shipKit(client)
  // More rows than a page of the export, and than a batch of the import.
  await service.pool.query(statement`
  insert into customers (tenant_id, id, title, archived, created_at, updated_at)
  select ${client.tenantId}::bigint, nextval('ids'), e'Line\u2028end \\ "' || n, false, now(), now() from generate_series(1, 2100) n`)
  // Rows as housekeeping makes them after 64 movements of a variant.
  await service.pool.query(statement`
  with note as (
    insert into past_stock_balances (tenant_id, item_variant_id, movement_id, place_key, quantity, value)
    select tenant_id, item_variant_id, last.id, place_key, quantity, value
    from stock_balances b
    cross join lateral (
      select id from stock_movements where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id order by id desc limit 1
    ) last
    where tenant_id = ${client.tenantId}::bigint
    returning *
  )
  insert into past_stock_balances_progress select tenant_id, max(movement_id) from note group by tenant_id`)

  await client.patch('/accounting', { accounts: { INVENTORY: { code: '1140' } } })
  await typedJson(['tenant', 'update', client.tenantId, '--name', 'Mover'], here)
  exported = await typedJson(['tenant', 'export', '--tenant', client.tenantId, folder], here)
})
test.after.always(async () => {
  await rm(root, { recursive: true })
  await hook.close()
})

const millrace = (...args: string[]) => typedJson(['tenant', ...args], other.env)
let copies = 0
const exportOf = async (tenantId: string): Promise<string> => {
  const into = join(root, `copy-${++copies}`)
  await millrace('export', '--tenant', tenantId, into)
  return into
}
const keyOf = async (tenantId: string): Promise<Client> => {
  const { json } = await typedJson(['key', 'issue', '--tenant', tenantId, '--name', 'new'], other.env)
  return other.client(tenantId, { keyId: json.key_id, token: json.token })
}
const reconciled = () => typedJson(['reconcile'], other.env)
const tenantsThere = async () => (await millrace('list')).json.tenants.map(({ tenant_id }: Loose) => tenant_id)

test.serial('the records are the same but for their ids, which are new, and those of others stay', async t => {
  t.like(exported, { status: 0, err: '' })
  const before = await exportOf(neighbour.tenantId)
  const { status, err, json } = await millrace('import', '--cell', 'main', folder)
  t.like({ status, err }, { status: 0, err: '' })
  const again = await millrace('import', folder)
  t.is(again.status, 1)
  t.regex(again.err, /is Mover of owner@test\.example already: --name imports under another name/)
  const after = await exportOf(json.tenant_id)
  t.deepEqual(await differences(folder, after), {})
  const [old, made] = [await tablesOf(folder), await tablesOf(after)]
  t.deepEqual(
    [...old].flatMap(([table, { rows }]) => (rows.length === 0 ? [table] : [])),
    [],
  )
  const ids = (tables: typeof old) => new Set(tables.get('stock_movements')?.rows.map(([id]) => id))
  t.is(ids(old).intersection(ids(made)).size, 0)
  t.deepEqual(await differences(before, await exportOf(neighbour.tenantId)), {})
  t.like(await reconciled(), { status: 0 })
  const doctor = await typedJson(['doctor'], other.env)
  t.deepEqual(
    doctor.json.checks.filter(({ status, check }: Loose) => status === 'fault' && !/durability/.test(check)),
    [],
  )
})

test.serial('the tenant works on: numbers, orders, stock, batches and costs go on where they were', async t => {
  const { json } = await millrace('import', '--cell', 'main', '--name', 'At work', folder)
  const moved = await keyOf(json.tenant_id)
  // The exported and the imported tenant run the same commands and get the same answers, except for ids and times.
  const bodies = async (on: Client) => {
    const [order] = (await on.get('/sales-orders?limit=200&delivery_status=NOT_SHIPPED')).body.data
    const [purchase] = (await on.get('/purchase-orders?limit=200&delivery_status=NOT_RECEIVED')).body.data
    const [customer] = (await on.get('/customers?limit=1')).body.data
    const [place] = (await on.get('/storage-places?limit=1')).body.data
    const variant = (await on.get('/products?limit=200')).body.data.find(({ type }: Loose) => type === 'PRODUCT')
      .variants[0]
    const made = await on.post('/sales-orders', { customer_id: customer.id, items: [itemLine(variant.id, 2)] })
    return [
      made,
      await on.post(`/sales-orders/${made.body.id}/shipments`, {}),
      await on.post(`/sales-orders/${order?.id}/shipments`, {}),
      await on.post(`/purchase-orders/${purchase?.id}/receipts`, { storage_place_id: place.id }),
      await on.post('/stock-adjustments', { items: [itemLine(variant.id, 3, { unit_cost: 2 })] }),
    ]
  }
  const [ours, theirs] = [await bodies(client), await bodies(moved)]
  for (const replies of [ours, theirs]) t.deepEqual(column(replies, 'status'), [201, 201, 201, 201, 201])
  const bare = (value: Loose): Loose =>
    JSON.parse(JSON.stringify(value), (name, each) => (/(^|_)id$|_at$|date$|user_name$/.test(name) ? undefined : each))
  t.deepEqual(
    theirs.map(({ body }) => bare(body)),
    ours.map(({ body }) => bare(body)),
  )
  const asOf = new Date().toISOString()
  for (const path of [`/stock-valuation?limit=200&as_of=${asOf}`, '/stock?limit=200', '/batches?limit=200']) {
    const [before, after] = [(await client.get(path)).body.data, (await moved.get(path)).body.data]
    t.true(before.length > 3, path)
    t.deepEqual(after.map(bare), before.map(bare))
  }
  t.like(await reconciled(), { status: 0 })
  const events = (await moved.get('/events?limit=200')).body.data
  t.is(events[0].sequence, 1)
  t.like(await moved.post(...retried), { status: 409 })
  t.is((await moved.get('/customers?limit=200')).body.data.filter(({ title }: Loose) => title === 'Once').length, 1)
})

test.serial('webhook subscriptions come in disabled, and get events of from then on once they are enabled', async t => {
  const { json } = await millrace('import', '--cell', 'main', '--name', 'Hooked', folder)
  t.is(json.webhook_subscriptions, (await linesOf(folder, 'webhook-subscriptions.jsonl')).length)
  const moved = await keyOf(json.tenant_id)
  const subscriptions = (await moved.get('/webhook-subscriptions')).body.data
  t.true(subscriptions.every(({ enabled, status }: Loose) => !enabled && status === 'disabled'))
  const one = subscriptions.find(({ url }: Loose) => url === hook.url)
  const rotated = await moved.post(`/webhook-subscriptions/${one.id}/rotate-secret`, { overlap_seconds: 0 })
  t.regex(rotated.body.secret, /^whsec_/)
  t.like(await moved.patch(`/webhook-subscriptions/${one.id}`, { enabled: true }), {
    status: 200,
    body: { status: 'active' },
  })
  const redis = connectRedis(other.redisUrl, 'worker', 'test webhooks')
  const log = createLog({ level: 'silent', processName: 'test' })
  const config = testConfig(other, other.env)
  const webhooks = await startWebhooks({ config, pool: other.pool, redis, log })
  t.teardown(async () => {
    await webhooks.close()
    await closeRedis(redis)
  })
  const told = await moved.post('/customers', { title: 'Told' })
  const [arrival] = await eventually(() => hook.arrivals.length > 0 && hook.arrivals)
  t.like(arrival?.body, { type: 'customer.created', sequence: 1, data: { id: told.body.id } })
  const { 'webhook-id': eventId = '', 'webhook-timestamp': at, ...headers } = arrival?.headers ?? {}
  const secret = Buffer.from(rotated.body.secret.replace('whsec_', ''), 'base64')
  const signed = signedHeaders({ eventId, body: Buffer.from(arrival?.text ?? '') }, [secret], Number(at) * 1_000)
  t.is(headers['webhook-signature'], signed['webhook-signature'])
  t.is(hook.arrivals.length, 1)
})

test.serial('in another cell the tenant is served as in the first', async t => {
  const { json } = await millrace('import', '--cell', 'east', '--name', 'Eastern', folder)
  t.is(json.cell, 'east')
  t.deepEqual(Object.keys(await differences(folder, await exportOf(json.tenant_id))), ['tenants'])
  const moved = await keyOf(json.tenant_id)
  t.like(await moved.post('/customers', { title: 'Eastern' }), { status: 201 })
  t.like(await reconciled(), { status: 0 })
})

test.serial('a file that was changed or lost is named, and nothing is imported', async t => {
  const before = await tenantsThere()
  const broken = join(root, 'broken')
  await cp(folder, broken, { recursive: true })
  await appendFile(join(broken, ROWS), '[]\n')
  await rm(join(broken, 'suppliers.jsonl'))
  const { status, err } = await millrace('import', '--name', 'Broken', broken)
  t.is(status, 1)
  t.regex(err, /rows\.jsonl has \d+ bytes, not \d+/)
  t.regex(err, /suppliers\.jsonl cannot be read/)
  t.regex((await millrace('import', root)).err, /holds no export: manifest\.json is not there/)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  const partial = join(root, 'partial')
  await cp(folder, partial, { recursive: true })
  delete manifest.files['customers.jsonl']
  await writeFile(join(partial, 'manifest.json'), JSON.stringify({ ...manifest, complete: false }))
  t.regex((await millrace('import', partial)).err, /is not complete/)
  t.deepEqual(await tenantsThere(), before)
})

test.serial('an export of another schema is refused with the migration that one side lacks', async t => {
  await other.pool.query(statement`update migrations set name = '000999_later.sql' where name = '000010_telemetry.sql'`)
  const { status, err } = await millrace('import', '--cell', 'main', '--name', 'Later', folder)
  await other.pool.query(statement`update migrations set name = '000010_telemetry.sql' where name = '000999_later.sql'`)
  t.is(status, 1)
  t.regex(err, /this database has not 000010_telemetry\.sql/)
})

test.serial('a second import of the same name and owner is refused also while the first is under way', async t => {
  const both = await Promise.all([1, 2].map(() => millrace('import', '--cell', 'main', '--name', 'Twice', folder)))
  t.deepEqual(both.map(({ status }) => status).sort(), [0, 1])
  t.regex(both.map(({ err }) => err).join(''), /another import of Twice .* is under way|is Twice of .* already/)
})

test.serial('an import that broke off has left nothing, and the same one begins anew', async t => {
  const pool = async () => other.pool
  const cell = { name: 'main', databaseUrl: other.databaseUrl, pool }
  const importing = {
    folder,
    name: 'Broken off',
    cells: [cell],
    cell,
    secrets: () => secretBox([Buffer.from(other.env.WEBHOOK_SECRET_KEY, 'hex')]),
  }
  const before = await tenantsThere()
  const counts = async () => {
    const { client: looking, end } = await openClient(other.databaseUrl, {})
    const found: Record<string, string> = {}
    // The counts of requests are written some seconds after the requests, so they are left out.
    for (const { name } of await tenantTables(looking))
      if (!name.startsWith('security_'))
        found[name] = (await looking.query(`select count(*) as count from ${name}`)).rows[0].count
    await end()
    return found
  }
  const { operator_actions: _, ...rowsBefore } = await counts()
  await t.throwsAsync(
    importTenant({
      ...importing,
      onRows: (written, of) => {
        if (written > of / 2) throw new Error('stopped')
      },
    }),
    { message: 'stopped' },
  )
  t.deepEqual(await tenantsThere(), before)
  const { operator_actions: __, ...rowsAfter } = await counts()
  t.deepEqual(rowsAfter, rowsBefore)
  t.is((await importTenant(importing)).name, 'Broken off')
})

test('every table with rows of tenants is imported unless a reason leaves it out', async t => {
  const { client: looking, end } = await openClient(service.databaseUrl, {})
  const tables = (await tenantTables(looking)).map(({ name }) => name)
  await end()
  const carried = (await service.pool.transaction(carriedTables)).map(({ table }) => table)
  t.deepEqual([...carried, ...Object.keys(left)].sort(), tables.toSorted())
})

test('every column that is imported is known: ids by name and type, texts because a noun declares them', async t => {
  const declared = new Set(
    collected(list).documents.flatMap((document: AnyDocument) =>
      [document, ...document.lines.map(({ of }) => of)].flatMap(({ table, columns }) =>
        columns.map(({ column }: Loose) => `${table}.${column}`),
      ),
    ),
  )
  const others: string[] = []
  for (const { table, columns } of await service.pool.transaction(carriedTables))
    for (const column of columns) {
      if (isId(column)) t.regex(column.name, /^(?:.+_)?id$|^place_key$/, `${table}.${column.name} is a bigint`)
      else if (/text|json|bytea/.test(column.type) && !declared.has(`${table}.${column.name}`))
        others.push(`${table}.${column.name}`)
    }
  // None of these columns holds an id of a record or a secret either.
  t.deepEqual(others, [
    ...['account_codes.accounts', 'account_codes.categories'],
    ...['commands.idempotency_key', 'commands.endpoint', 'kit_lines.kind', 'product_texts.text'],
    ...['name', 'owner_email', 'plan', 'currency', 'time_zone'].map(column => `tenants.${column}`),
    'variant_barcodes.code',
    ...['units.name', 'users.name'],
    ...['url', 'description', 'events', 'last_failure_reason'].map(column => `webhook_subscriptions.${column}`),
    ...['account', 'sku', 'category', 'source_type'].map(column => `book_lines.${column}`),
    'stock_movements.category',
    'tenant_streams.document_counts',
  ])
  const { client: looking, end } = await openClient(service.databaseUrl, {})
  const all = await tenantTables(looking)
  await end()
  for (const [table, columns] of Object.entries(writtenAnew))
    for (const column of Object.keys(columns))
      t.true(all.find(({ name }) => name === table)?.columns.includes(column), `${table}.${column}`)
})
