/** Versions side by side: what an upgrade without a pause rests on (docs/operations.md). */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { Command } from '../../lib/pipeline/command.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { ask, startFleet } from '../scaling/fleet.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { databaseOf, earlierCommits, filesOf } from './versions.ts'

const test = apart(import.meta)

/** Earlier versions that are tried at most: one of them may not start, which is no fault of this one. */
const VERSIONS_MAX = 5

const services = await testServices()
const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, LOG_LEVEL: 'info' }
test.after.always(() => services.close())

/** As the first version's server sends it: a worker must understand it for good. */
const firstCommand = (tenantId: string, keyId: string) => ({
  requestId: 'req_0000000000000001',
  tenantId,
  endpoint: 'createStoragePlace',
  actor: { keyId, userName: 'owner@test.example' },
  idempotencyKey: 'from-the-first-version',
  fingerprint: '0'.repeat(64),
  params: {},
  // As it was checked, with the defaults of that version.
  body: {
    title: 'Hall',
    code: null,
    manufacturing_allowed: true,
    sales_allowed: true,
    purchase_allowed: true,
    address: null,
    external_ref: null,
  },
  replyTo: 'first-version',
  quota: { group: keyId, day: '2026-11-21' },
  acceptedAt: Date.now(),
})

test.serial('a worker runs a command of the first version, and answers what its server understands', async t => {
  const fleet = await startFleet(env, { webs: 0, workers: 1 })
  t.teardown(() => fleet.close())
  const { id } = await fleet.tenant()
  const { keyId } = await fleet.key(id)
  const redis = connectRedis(services.redisUrl, 'producer', 'test')
  await new CommandQueues(redis, 1).enqueue(firstCommand(id, keyId) as unknown as Command, 'req_0000000000000001')
  const reader = new Redis(services.redisUrl)
  const [, fields] = await eventually(async () => (await reader.xrange('replies:first-version', '-', '+'))[0])
  reader.disconnect()
  await closeRedis(redis)
  t.is(fields[0], 'req_0000000000000001')
  const outcome = JSON.parse(fields[1] ?? 'null')
  t.like(outcome, { kind: 'done', status: 201, replayed: false })
  t.like(JSON.parse(outcome.body), { title: 'Hall' })
  await fleet.close()
})

/** Whether a version works by itself: on a database of its own, with its own migrations. */
async function works(root: string): Promise<boolean> {
  const url = new URL(services.databaseUrl)
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  url.pathname = `/test_rolling_${process.pid}`
  await admin.query(`create database ${url.pathname.slice(1)}`)
  try {
    await migrate(url.href, { folder: join(root, 'sql') })
    const fleet = await startFleet({ ...env, DATABASE_URL: url.href }, { webs: 1, workers: 1, root })
    const { token } = await fleet.tenant()
    const made = await ask(fleet.webs[0], token, '/products', title('Screw', 'one'))
    await fleet.close()
    return made.status === 201
  } catch {
    return false
  } finally {
    await admin.query(`drop database ${url.pathname.slice(1)} with (force)`)
    await admin.end()
  }
}

/** Commits to try; none in a clone without history, such as CI may make: the first test holds the form of what is sent. */
const commits = earlierCommits(VERSIONS_MAX)

/** The files of the newest earlier version that works by itself. */
async function newestEarlier(): Promise<{ commit: string; root: string }> {
  for (const commit of commits) {
    // A shallow clone may know of a commit and not hold its files.
    const root = await filesOf(commit).catch(() => null)
    if (root && (await works(root))) return { commit, root }
  }
  throw new Error(`none of ${commits.join(', ')} works by itself`)
}

const title = (text: string, key: string) => ({ body: { title: text }, key })

const declareTest = commits.length > 0 ? test.serial : test.serial.skip
const needsHistory = commits.length > 0 ? '' : ' (needs the history of the repository)'
let newest: ReturnType<typeof newestEarlier> | undefined
for (const { old, order } of [
  { old: 'worker', order: 'an earlier worker serves this version’s web' },
  { old: 'web', order: 'this version’s worker serves an earlier web' },
] as const)
  declareTest(`${order}, writes and replays${needsHistory}`, async t => {
    newest ??= newestEarlier()
    const previous = await newest
    t.log(`beside ${previous.commit.slice(0, 12)}`)
    // A new database would be finished at once: here the rollout goes on.
    const { databaseUrl, drop } = await databaseOf(previous.root, services.databaseUrl)
    t.teardown(drop)
    await migrate(databaseUrl)
    // Its tenants have the ids of those in the databases before.
    const redis = new Redis(services.redisUrl)
    await redis.flushdb()
    redis.disconnect()
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: services.redisUrl, LOG_LEVEL: 'info' }
    const fleet = await startFleet(env, old === 'worker' ? { webs: 1, workers: 0 } : { webs: 0, workers: 1 })
    t.teardown(() => fleet.close())
    const other = await startProcess(old, env, previous.root)
    t.teardown(() => void other.end('SIGTERM'))
    const web = old === 'web' ? other : fleet.webs[0]
    const { token } = await fleet.tenant()
    const made = await ask(web, token, '/products', title('Screw', 'one'))
    t.is(made.status, 201, made.text)
    const replay = await ask(web, token, '/products', title('Screw', 'one'))
    t.deepEqual([replay.status, replay.text], [200, made.text])
    const variant = { item_variant_id: made.body.variants[0].id, counted_quantity: 3 }
    const counted = await ask(web, token, '/stock-adjustments', { body: { items: [variant] } })
    t.is(counted.status, 201, counted.text)
    t.is((await ask(web, token, '/stock')).body.data[0].quantity, 3)
    const hook = { url: 'https://example.com/hooks', events: ['*'] }
    t.regex((await ask(web, token, '/webhook-subscriptions', { body: hook })).body.secret, /^whsec_/)
    // The database is at this version's migrations; an earlier process is ready all the same.
    t.is((await fetch(`${other.adminUrl}/readyz`)).status, 200)
    await other.end('SIGTERM')
    await fleet.close()
  })
