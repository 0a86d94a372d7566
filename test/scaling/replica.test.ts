/** Reads that a replica answers: a tenant always reads what it wrote, however far the replica is behind, and whatever Redis has lost. */
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { ReplicaRouter } from '../../lib/pipeline/replica.ts'
import { createPool, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { openStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import type { TestProcess } from '../support/processes.ts'
import { column } from '../support/records.ts'
import { replicatedPostgres } from '../support/replicated-postgres.ts'
import { privateRedis } from '../support/servers.ts'
import { apart } from '../support/suite.ts'
import { ask, type FleetTenant, startFleet } from './fleet.ts'

const test = apart(import.meta, { isSerial: true })

const [postgres, redis] = await Promise.all([replicatedPostgres(), privateRedis({ durable: false })])
const fleet = await startFleet({
  DATABASE_URL: postgres.primaryUrl,
  DATABASE_READ_URL: postgres.standbyUrl,
  REDIS_URL: redis.url,
})
const [first, second] = fleet.webs

test.after.always(async () => {
  await fleet.close()
  await redis.close()
  await postgres.close()
})

/** How many reads of a process the replica answered, and how many the primary. */
async function readsOf(web: TestProcess | undefined): Promise<{ replica: number; primary: number }> {
  const text = await (await fetch(`${web?.adminUrl}/metrics`)).text()
  const count = (from: string) =>
    Number(new RegExp(`^millrace_reads_total\\{from="${from}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { replica: count('replica'), primary: count('primary') }
}

/** Which server answers a read of the tenant's products from this process now. */
async function servedBy(web: TestProcess | undefined, tenant: FleetTenant): Promise<'replica' | 'primary'> {
  const before = await readsOf(web)
  const answer = await ask(web, tenant.token, '/products')
  if (answer.status !== 200) throw new Error(answer.text)
  return (await readsOf(web)).replica > before.replica ? 'replica' : 'primary'
}

const untilReplicaServes = (tenant: FleetTenant) =>
  Promise.all(fleet.webs.map(web => eventually(async () => (await servedBy(web, tenant)) === 'replica')))

async function onStandby(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgres.standbyUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
const pause = async () => {
  await onStandby('select pg_wal_replay_pause()')
  const client = new Client({ connectionString: postgres.standbyUrl })
  await client.connect()
  await eventually(
    async () => (await client.query('select pg_get_wal_replay_pause_state() as state')).rows[0].state === 'paused',
  )
  await client.end()
}
const resume = () => onStandby('select pg_wal_replay_resume()')

/** Writes through one server and then reads through both: the title must be there. */
async function writeAndRead(tenant: FleetTenant, title: string, through = first): Promise<boolean> {
  const made = await ask(through, tenant.token, '/products', { body: { title } })
  if (made.status !== 201) throw new Error(made.text)
  const reads = await Promise.all(fleet.webs.map(web => ask(web, tenant.token, `/products/${made.body.id}`)))
  return reads.every(read => read.status === 200 && read.body.title === title)
}

test('the replica serves a tenant once it has what the tenant wrote', async t => {
  const tenant = await fleet.tenant()
  t.true(await writeAndRead(tenant, 'Screw'))
  await untilReplicaServes(tenant)
  const before = await readsOf(first)
  for (let n = 0; n < 20; n++) t.is((await ask(first, tenant.token, '/products')).body.data.length, 1)
  t.deepEqual(await readsOf(first), { ...before, replica: before.replica + 20 })
})

test('while the replica stands still, a write is read through every server, and quiet tenants are served by it', async t => {
  const [quiet, busy] = [await fleet.tenant(), await fleet.tenant()]
  await writeAndRead(quiet, 'Nut')
  await untilReplicaServes(quiet)
  await pause()
  t.true(await writeAndRead(busy, 'Bolt'))
  t.is(await servedBy(first, quiet), 'replica')
  t.is(await servedBy(second, quiet), 'replica')
  for (let n = 0; n < 10; n++) t.true(await writeAndRead(busy, `Bolt ${n}`, fleet.webs[n % 2]))
  t.is(await servedBy(second, busy), 'primary')
  await resume()
  await untilReplicaServes(busy)
  t.is((await ask(second, busy.token, '/products')).body.data.length, 11)
})

test('while the replica stands still, a stream tells what is stored and what happens all the same', async t => {
  const tenant = await fleet.tenant()
  await writeAndRead(tenant, 'Nut')
  await untilReplicaServes(tenant)
  await pause()
  // Written without a command: no note says so, and stored events are read from the replica.
  const primary = new Client({ connectionString: postgres.primaryUrl })
  await primary.connect()
  await primary.query(`
    with stream as (update tenant_streams set event_sequence = event_sequence + 3 where tenant_id = ${tenant.id} returning event_sequence)
    insert into events (tenant_id, sequence, type, body)
    select ${tenant.id}, event_sequence - 3 + n, 'stock.changed', '{"id":"evt_' || lpad(n::text, 32, '0') || '"}' from stream, generate_series(1, 3) n`)
  await primary.end()
  const stream = await openStream({ url: first?.url ?? '', token: tenant.token }, '/events/stream?after_sequence=0')
  const stored = (await stream.events(4)).length
  await writeAndRead(tenant, 'Bolt', second)
  t.deepEqual(column(await stream.events(stored + 1), 'id'), [1, 2, 3, 4, 5])
  stream.close()
  await resume()
  await untilReplicaServes(tenant)
})

test('a repeated write is read through every server, though it was written long ago', async t => {
  const tenant = await fleet.tenant()
  await writeAndRead(tenant, 'Washer')
  await untilReplicaServes(tenant)
  await pause()
  const write = { body: { title: 'Spring' }, key: 'spring' }
  const made = await ask(first, tenant.token, '/products', write)
  // Redis loses both the answer and the note of the write: the replay comes from the command log.
  await redis.kill()
  await redis.start()
  const replay = await eventually(async () => {
    const answer = await ask(second, tenant.token, '/products', write)
    return answer.status === 503 ? undefined : answer
  })
  t.deepEqual([replay.status, replay.text], [200, made.text])
  for (const web of fleet.webs) t.is((await ask(web, tenant.token, `/products/${made.body.id}`)).status, 200)
  await resume()
  await untilReplicaServes(tenant)
})

test('a write is read though Redis lost its note: emptied, killed, or failed over to a copy without it', async t => {
  const tenant = await fleet.tenant()
  for (const lose of ['flush', 'kill', 'fail over']) {
    await untilReplicaServes(tenant)
    await pause()
    const made = await ask(first, tenant.token, '/products', { body: { title: lose } })
    t.is(made.status, 201)
    if (lose === 'kill') {
      await redis.kill()
      await redis.start()
    } else
      await onRedis(async connection => {
        if (lose === 'flush') return void (await connection.flushall())
        await connection.del(`{s0}:tenant:${tenant.id}:written`)
        await connection.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      })
    for (const web of fleet.webs) {
      const read = await eventually(async () => {
        const answer = await ask(web, tenant.token, `/products/${made.body.id}`)
        return answer.status === 503 ? undefined : answer
      })
      t.is(read.status, 200, `${lose}: ${read.text}`)
    }
    await resume()
  }
})

async function onRedis(use: (connection: Redis) => Promise<void>): Promise<void> {
  const connection = new Redis(redis.url)
  await use(connection)
  connection.disconnect()
}

test('eight tenants that write and read by turns always read what they wrote, over a replica that lags', async t => {
  await onStandby("alter system set recovery_min_apply_delay = '40ms'")
  await onStandby('select pg_reload_conf()')
  const tenants = await Promise.all(Array.from({ length: 8 }, () => fleet.tenant()))
  const before = await Promise.all(fleet.webs.map(readsOf))
  const rounds = await Promise.all(
    tenants.map(async (tenant, at) => {
      const seen: boolean[] = []
      for (let n = 0; n < 8; n++) {
        seen.push(await writeAndRead(tenant, `Product ${n}`, fleet.webs[(at + n) % 2]))
        // Long enough for the replica to catch up now and then.
        for (let quiet = 0; quiet < 5 * (n % 4); quiet++) await ask(fleet.webs[quiet % 2], tenant.token, '/products')
      }
      return seen
    }),
  )
  t.true(rounds.flat().every(Boolean))
  const after = await Promise.all(fleet.webs.map(readsOf))
  const served = after.reduce((sum, { replica }, at) => sum + replica - (before[at]?.replica ?? 0), 0)
  t.log(`${served} reads by the replica`)
  t.true(served > 0)
  await onStandby('alter system reset recovery_min_apply_delay')
  await onStandby('select pg_reload_conf()')
})

test('a replica that is behind for long serves nobody, whatever is noted', async t => {
  const options = { size: 2, statementTimeoutMs: 5_000, idleInTransactionTimeoutMs: 5_000 }
  const [primary, replica] = await Promise.all(
    [postgres.primaryUrl, postgres.standbyUrl].map(url => createPool(url, options)),
  )
  if (!primary || !replica) return t.fail()
  const connection = connectRedis(redis.url, 'producer', 'test')
  const router = new ReplicaRouter({ primary, replica, redis: connection, tagOf: () => '{s0}', sampleEveryMs: 200 })
  const tenant = await fleet.tenant()
  const serves = async () => (await router.poolFor(tenant.id)) === replica
  await eventually(serves)
  await eventually(() => router.lagSeconds() === 0)
  await pause()
  t.true(await serves())
  await primary.query(statement`update tenants set name = 'Written without a command' where tenant_id = ${tenant.id}`)
  await eventually(async () => !(await serves()))
  // The primary is queried more than once meanwhile: what the replica lacks stays the same, and its age grows.
  await eventually(() => router.lagSeconds() > 1)
  await resume()
  await eventually(serves)
  await eventually(() => router.lagSeconds() < 1)
  await postgres.stopStandby()
  await eventually(() => router.lagSeconds() > 1)
  await postgres.startStandby()
  await eventually(() => router.lagSeconds() < 1)
  await router.close()
  await closeRedis(connection)
  await Promise.all([primary.end(), replica.end()])
})

test('a replica that is away costs no answer, and serves again when it is back', async t => {
  const tenant = await fleet.tenant()
  await writeAndRead(tenant, 'Hinge')
  await untilReplicaServes(tenant)
  await postgres.stopStandby()
  for (let n = 0; n < 10; n++) {
    const answer = await ask(fleet.webs[n % 2], tenant.token, '/products')
    t.is(answer.status, 200, answer.text)
  }
  t.true(await writeAndRead(tenant, 'Hook'))
  await postgres.startStandby()
  await untilReplicaServes(tenant)
})
