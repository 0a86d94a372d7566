/** Cells that were restored to different moments: what callers and operators are told, and how the directory is corrected. */
import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isOneStory: true })

const services = await testServices()
const west = await testDatabase(services.databaseUrl)
type Databases = { readonly main: string; readonly west: string }
const now: Databases = { main: services.databaseUrl, west: west.url }

async function sql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

const copies: string[] = []
/** The database as it is now, as a backup has it. */
async function copyOf(url: string): Promise<string> {
  const copy = new URL(url)
  copy.pathname = `/copy_${randomBytes(4).toString('hex')}`
  await sql(administration(url), `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`)
  copies.push(copy.href)
  return copy.href
}
function administration(url: string): string {
  const address = new URL(url)
  address.pathname = '/postgres'
  return address.href
}

const envOf = (databases: Databases) => ({
  DATABASE_URL: databases.main,
  CELL_WEST_URL: databases.west,
  REDIS_URL: services.redisUrl,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
})
async function run(databases: Databases, line: string) {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const status = await runCommandLine(`${line} --json`.split(' '), {
    env: envOf(databases),
    root: '/nonexistent',
    out: say,
    err: say,
  })
  return { status, said: said.join('\n') }
}
async function json(databases: Databases, line: string) {
  const { status, said } = await run(databases, line)
  if (status !== 0) throw new Error(said)
  return JSON.parse(said)
}
const inWest = async (databases: Databases) => {
  const { checks } = JSON.parse((await run(databases, 'doctor')).said)
  return checks.find(({ check }: { check: string }) => check === 'cell west: directory')
}

type Key = { readonly tenantId: string; readonly keyId: string; readonly token: string }
async function keyOf(tenantId: string): Promise<Key> {
  const { key_id: keyId, token } = await json(now, `key issue --tenant ${tenantId}`)
  return { tenantId, keyId, token }
}
const newTenant = async (cell: string): Promise<Key> =>
  keyOf((await json(now, `tenant create --name Acme --owner-email o@acme.example --cell ${cell}`)).tenant_id)

/** The statuses of requests with these keys at a service on these databases, with an empty Redis. The first request writes. */
async function answers(databases: Databases, keys: readonly Key[]): Promise<number[]> {
  const redis = connectRedis(services.redisUrl, 'producer', 'test')
  await redis.flushdb()
  await closeRedis(redis)
  const service = await startService(
    { databaseUrl: databases.main, redisUrl: services.redisUrl },
    { env: envOf(databases) },
  )
  try {
    return await Promise.all(
      keys.map(async key => (await service.client(key.tenantId, key).post('/suppliers', { title: 'Oak' })).status),
    )
  } finally {
    await service.close()
  }
}

const beforeCells = await copyOf(now.main)
await json(now, 'cell add west')
const [ofMain, ofWest] = [await newTenant('main'), await newTenant('west')]
const backup: Databases = { main: await copyOf(now.main), west: await copyOf(now.west) }
const [later, secondKey] = [await newTenant('west'), await keyOf(ofWest.tenantId)]
// After the last top-level await, since AVA runs the first hook that is registered first.
test.after.always(async () => {
  for (const copy of copies)
    await sql(administration(copy), `drop database ${new URL(copy).pathname.slice(1)} with (force)`)
  await west.close()
  await services.close()
})

async function agrees(t: ExecutionContext, databases: Databases): Promise<void> {
  t.like(await inWest(databases), { status: 'ok', found: 'agrees' })
}

test('a cell that was restored alone has lost what the directory names: 401, told by doctor, forgotten', async t => {
  const restored = { main: now.main, west: backup.west }
  t.deepEqual(await answers(restored, [ofMain, ofWest, later, secondKey]), [201, 201, 401, 401])
  t.regex((await run(restored, `tenant update ${later.tenantId} --plan pro`)).said, /there is no tenant/)
  t.like(await inWest(restored), {
    status: 'warning',
    found: `names 1 tenant (${later.tenantId}) and 1 key (of ${ofWest.tenantId}), which the cell does not have`,
  })
  // On a copy, since the next tests want the directory as it was.
  const mended = { main: await copyOf(now.main), west: backup.west }
  const { cells } = await json(mended, 'cell refresh')
  const nothing = { tenants: [], keys: 0 }
  const forgotten = { tenants: [later.tenantId], keys: 2 }
  t.deepEqual(cells, [{ cell: 'west', forgotten, taken_in: nothing, left_alone: [] }])
  await agrees(t, mended)
})

test('a main cell that was restored alone takes the tenants of the others in again', async t => {
  const restored = { main: backup.main, west: now.west }
  t.deepEqual(await answers(restored, [ofMain, ofWest, later, secondKey]), [201, 201, 401, 401])
  t.like(await inWest(restored), {
    status: 'fault',
    found: `does not know 1 tenant (${later.tenantId}) and 1 key (of ${ofWest.tenantId})`,
  })
  const [refreshed] = (await json(restored, 'cell refresh')).cells
  t.like(refreshed, { taken_in: { tenants: [later.tenantId], keys: 2 }, forgotten: { tenants: [], keys: 0 } })
  await agrees(t, restored)
  t.deepEqual(await answers(restored, [ofMain, ofWest, later, secondKey]), [201, 201, 201, 201])
})

test('a main cell from before a cell was added knows it again, by its number', async t => {
  const restored = { main: beforeCells, west: now.west }
  t.like(await inWest(restored), { status: 'fault' })
  t.regex((await run(restored, 'cell refresh')).said, /cell add west/)
  t.like(await json(restored, 'cell add west'), { number: 1 })
  const [refreshed] = (await json(restored, 'cell refresh')).cells
  t.deepEqual(refreshed.taken_in, { tenants: [ofWest.tenantId, later.tenantId], keys: 3 })
  await agrees(t, restored)
  await sql(beforeCells, `delete from cell_tenants; update cells set name = 'north' where number = 1`)
  t.regex((await run(restored, 'cell add west')).said, /north has the number 1, in whose steps west gave out ids/)
})

test('a tenant that a restore brought back into a second cell is named, and nothing is decided', async t => {
  const { tenantId } = ofMain
  const back = `insert into tenants (tenant_id, name, owner_email) values (${tenantId}, 'Acme', 'o')`
  await sql(now.west, `${back}; insert into tenant_streams (tenant_id) values (${tenantId})`)
  t.like(await inWest(now), { status: 'warning', found: `has elsewhere: tenant ${tenantId} in main` })
  const [refreshed] = (await json(now, 'cell refresh')).cells
  t.deepEqual(refreshed.left_alone, [{ tenant_id: tenantId, is_in: 'main' }])
  t.deepEqual(await answers(now, [ofMain, ofWest]), [201, 201])
})
