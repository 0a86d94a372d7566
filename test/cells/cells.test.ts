/** Several cells of one service: two schemas of one database and a second database. The test can cut the connection to each. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMigrations } from '../../lib/platform/postgres/migrate.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { columns } from '../support/records.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { wayTo } from '../support/way.ts'

const test = apart(import.meta, { isOneStory: true })

const services = await testServices()
const other = await testDatabase(services.databaseUrl)
const [main, west] = await Promise.all([wayTo(services.databaseUrl), wayTo(other.url)])
const east = new URL(services.databaseUrl)
east.searchParams.set('schema', 'cell_east')
const root = await mkdtemp(join(tmpdir(), 'millrace-cells-'))
const env = {
  DATABASE_URL: main.url,
  REDIS_URL: services.redisUrl,
  CELL_EAST_URL: east.href,
  CELL_WEST_URL: west.url,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
}

async function run(line: string, given: NodeJS.ProcessEnv = env) {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const status = await runCommandLine(line.split(' '), { env: given, root, out: say, err: say })
  return { status, said: said.join('\n') }
}
async function json(line: string): Promise<Record<string, unknown>> {
  const { status, said } = await run(`${line} --json`)
  if (status !== 0) throw new Error(said)
  return JSON.parse(said)
}

// The cells are migrated and admitted one by one, before a process serves them.
await west.cut()
const brokenOff = await run('migrate')
await west.mend()
const goneOn = await json('migrate')
const added = [await json('cell add east'), await json('cell add west --weight 2')]
const service = await startService({ databaseUrl: main.url, redisUrl: services.redisUrl }, { env })
type Tenant = { readonly id: string; readonly cell: string; readonly client: Client }
async function newTenant(): Promise<Tenant> {
  const { tenant_id: id, cell = 'main' } = await json(
    'tenant create --name Acme --owner-email o@acme.example --plan pro',
  )
  const { key_id: keyId, token } = await json(`key issue --tenant ${id}`)
  const client = service.client(String(id), { keyId: String(keyId), token: String(token) })
  return { id: String(id), cell: String(cell), client }
}
const tenants: Tenant[] = []
for (let at = 0; at < 8; at++) tenants.push(await newTenant())
const inCell = (cell: string) => tenants.filter(tenant => tenant.cell === cell)
const [ofMain, ofEast, ofWest] = ['main', 'east', 'west'].map(cell => inCell(cell)[0]) as [Tenant, Tenant, Tenant]
// After the last top-level await, since AVA runs the first hook that is registered first.
test.after.always(async () => {
  await Promise.all([main.mend().catch(() => {}), west.mend().catch(() => {})])
  await service.close()
  await Promise.all([main.close(), west.close()])
  await other.close()
  await services.close()
  await rm(root, { recursive: true })
})
const named = (title: string) => ({ title })
/** Makes a supplier as callers do: it sends the request again with the same key while the answer is 503. */
async function made(client: Client, title: string, key = randomUUID()) {
  return eventually(async () => {
    const reply = await client.post('/suppliers', named(title), key)
    return reply.status === 503 ? null : reply
  })
}

test('a migration that breaks off at a cell has done those before it, and goes on there', async t => {
  t.is(brokenOff.status, 1)
  t.regex(brokenOff.said, /the cell west could not be migrated/)
  t.deepEqual(goneOn['applied'], [])
  const { status } = await run('migrate', { ...env, CELL_WEST_URL: undefined })
  t.is(status, 0)
  const { rows } = await service.pool.query({ sql: 'select count(*) from cell_east.migrations', values: [] } as never)
  t.is(Number((rows[0] as { count: string }).count), (await listMigrations()).length)
})

test('new tenants go where tenants per weight are fewest', async t => {
  t.like(added, [
    { name: 'east', number: 1, was_there: false },
    { name: 'west', number: 2, was_there: false },
  ])
  t.deepEqual(
    ['main', 'east', 'west'].map(cell => inCell(cell).length),
    [2, 2, 4],
  )
  const { cells } = (await json('cell list')) as { cells: { tenants: number; state: string }[] }
  t.deepEqual(columns(cells, 'tenants', 'state'), [
    [2, 'ok'],
    [2, 'ok'],
    [4, 'ok'],
  ])
})

test('an address that leads to another cell, or to tenants of no cell, is refused', async t => {
  const wrong = { ...env, CELL_WEST_URL: env.CELL_EAST_URL }
  t.regex((await run('cell add west', wrong)).said, /the address of west leads to the cell east/)
  t.regex((await run('tenant create --name A --owner-email a@a.example --cell west', wrong)).said, /leads to east/)
  t.regex((await run('cell list', wrong)).said, /west.*its address leads to east/)
  t.regex((await run('cell list', { ...env, CELL_WEST_URL: undefined })).said, /west.*no address: set CELL_WEST_URL/)
})

test('tenants of all cells write and read through the same processes, and none sees what another has', async t => {
  const ids: bigint[] = []
  await Promise.all(
    tenants.map(async ({ client, cell }) => {
      let last = 0n
      for (let at = 0; at < 2; at++) {
        const made = await client.post('/suppliers', named(`P-${at}`))
        t.is(made.status, 201, made.text)
        const id = BigInt(made.body.id)
        t.true(id > last, 'ids rise within a tenant')
        t.is(id % 1024n, BigInt(['main', 'east', 'west'].indexOf(cell)))
        last = id
        ids.push(id)
        t.is((await client.get(`/suppliers/${id}`)).body.title, `P-${at}`)
      }
      t.is((await client.get('/suppliers')).body.data.length, 2)
    }),
  )
  t.is(new Set(ids).size, ids.length)
  for (const { client } of [ofMain, ofEast, ofWest])
    for (const other of [ofMain, ofEast, ofWest].filter(each => each.client !== client)) {
      const [{ id }] = (await other.client.get('/suppliers')).body.data
      t.is((await client.get(`/suppliers/${id}`)).status, 404)
    }
})

test('a key of any cell is rotated, listed and revoked', async t => {
  const { key_id: keyId, token } = await json(`key rotate ${ofEast.client.keyId} --overlap-seconds 3600`)
  const rotated = service.client(ofEast.id, { keyId: String(keyId), token: String(token) })
  t.is((await rotated.get('/suppliers')).status, 200)
  t.is(((await json(`key list --tenant ${ofEast.id}`))['keys'] as unknown[]).length, 2)
  await json(`key revoke ${keyId}`)
  await eventually(async () => (await rotated.get('/suppliers')).status === 401 || null)
  t.regex((await run('key revoke 12345')).said, /there is no key 12345/)
})

test('after a loss of all that Redis holds the tenants of every cell write on', async t => {
  const redis = connectRedis(services.redisUrl, 'producer', 'test')
  await redis.flushdb()
  await closeRedis(redis)
  for (const { client } of [ofMain, ofEast, ofWest]) t.is((await made(client, 'after')).status, 201)
})

test('a cell that is away makes its tenants 503 and no others, and what was open is done once', async t => {
  await west.cut()
  const key = randomUUID()
  const lost = await ofWest.client.post('/suppliers', named('away'), key)
  t.is(lost.status, 503)
  t.is((await ofWest.client.get('/suppliers')).status, 503)
  for (const { client } of [ofMain, ofEast]) {
    t.is((await made(client, 'meanwhile')).status, 201)
    t.is((await client.get('/suppliers')).status, 200)
  }
  const checks = await eventually(async () => {
    const ready = await fetch(`${service.url}/readyz`)
    const { checks } = (await ready.json()) as { checks: Record<string, string> }
    return ready.status === 200 && checks['postgres'] === 'ok' && checks['cell east'] === 'ok' ? checks : null
  })
  t.not(checks['cell west'], 'ok')
  await west.mend()
  const done = await made(ofWest.client, 'away', key)
  const again = await ofWest.client.post('/suppliers', named('away'), key)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is(again.body.id, done.body.id)
})

test('while the main cell is away the others serve, also keys that this process has never seen', async t => {
  const fresh = await newTenant()
  const far = await json(`tenant create --name Far --owner-email f@far.example --cell east`)
  const issued = await json(`key issue --tenant ${far['tenant_id']}`)
  const unseen = service.client(String(far['tenant_id']), { keyId: '', token: String(issued['token']) })
  await main.cut()
  t.is((await made(unseen, 'Mill')).status, 201)
  t.is((await ofWest.client.get('/suppliers')).status, 200)
  t.is((await ofMain.client.post('/suppliers', named('main'))).status, 503)
  await main.mend()
  await eventually(async () => (await ofMain.client.get('/suppliers')).status === 200 || null)
  t.is((await fresh.client.get('/suppliers')).status, 200)
})

test('reconcile proves the tenants of all cells, and doctor looks at each', async t => {
  t.like(await json('reconcile'), { tenants: 10, faults: [] })
  t.like(await json(`reconcile --tenant ${ofWest.id}`), { tenants: 1, faults: [] })
  const { said } = await run('doctor')
  t.regex(said, /cell west/)
})
