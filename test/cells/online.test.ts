/** A tenant that moves while clients of all kinds write: the target gets all its rows, and each acknowledged write is there once. */

import pg from 'pg'
import { addCell } from '../../lib/access/cells/add.ts'
import { defaultLimits, issueKey, revokeKey } from '../../lib/access/keys.ts'
import { createPool, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { clearWatch, moveTenant } from '../../lib/tools/moves/move.ts'
import { alone } from '../../lib/tools/moves/mover.ts'
import type { MoveOptions, Step } from '../../lib/tools/moves/options.ts'
import { insist, inTransaction } from '../../lib/tools/moves/source.ts'
import { listWatches } from '../../lib/tools/moves/watch.ts'
import { startMoveWatch } from '../../workers/commands/move-watch.ts'
import { startAllWebhooks } from '../../workers/webhooks/webhook-worker.ts'
import { Journal } from '../failure/journal.ts'
import { startLoad } from '../failure/load.ts'
import { prove } from '../failure/proof.ts'
import { makeTenant } from '../failure/tenants.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { testConfig } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { receiver } from '../webhooks/receiver.ts'
import { rowsOf } from './rows-of.ts'

const test = apart(import.meta, { isOneStory: true })

/**
 * These tables are written without the tenant's lock, so their rows are copied after the tenant has left. `tenant_streams` says which cell
 * has the tenant.
 */
const LATE = ['mails', 'operator_actions', 'security_recent', 'tenant_streams']
/** How many writes the tenant makes between two rounds. */
const WRITES = 25

const services = await testServices()
const other = await testDatabase(services.databaseUrl)
const env = { CELL_WEST_URL: other.url, WEBHOOK_ALLOWED_NETWORKS: 'loopback', WEBHOOK_SECRET_KEY: 'a'.repeat(64) }
const service = await startService(services, { env })
const open = async (name: string, databaseUrl: string) => {
  const options = { size: 4, statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
  return { name, databaseUrl, pool: await createPool(databaseUrl, options) }
}
const [main, west] = [await open('main', services.databaseUrl), await open('west', other.url)]
await addCell(main.pool, { name: 'west', weight: 1, pool: west.pool })
const redis = connectRedis(services.redisUrl, 'worker', 'test online')
const log = createLog({ level: 'silent', processName: 'test' })
const webhooks = await startAllWebhooks({ config: testConfig(services, env), cells: [main, west], redis, log })
const hook = await receiver()
const tenant = await makeTenant(main.pool, { url: service.url, name: 'Moving', webhookUrl: hook.url })
const { tenantId } = tenant.client
const options: MoveOptions = {
  cells: [main, west].map(cell => ({ ...cell, pool: async () => cell.pool })),
  ...{ redis, queueShards: 1, keptMs: 0, fewRows: 0 },
}
class Stopped extends Error {}
const stop = () => {
  throw new Stopped()
}

test.after.always(async () => {
  await webhooks.close()
  await service.close()
  await Promise.all([hook.close(), closeRedis(redis), main.pool.end(), west.pool.end()])
  await other.close()
  await services.close()
})

/** Changes of a tenant that operators and housekeeping make. */
async function tend(): Promise<void> {
  const key = await issueKey(main.pool, { tenantId, name: 'second', scopes: [], ...defaultLimits })
  if (key) await revokeKey(main.pool, key.keyId)
  await main.pool.query(statement`
    delete from webhook_deliveries where tenant_id = ${tenantId}::bigint and id = any (array(
      select id from webhook_deliveries where tenant_id = ${tenantId}::bigint and status <> 'pending' order by id limit 3))`)
  await main.pool.query(statement`
    delete from commands where tenant_id = ${tenantId}::bigint and idempotency_key like 'T%' and created_at < now() - interval '1 hour'`)
}

test('a tenant that is written all the while has every row in its new cell, and each write once', async t => {
  const journal = new Journal()
  const proven = { tenants: [tenant], journal, hook }
  const load = startLoad(proven, { clients: 3, pauseMs: 100 })
  t.teardown(() => load.giveUp())
  const written = async (count: number, what: string) => {
    const wanted = journal.figures.acknowledged + count
    await eventually(() => journal.figures.acknowledged >= wanted, { what })
  }
  await written(WRITES, 'writes before the move')

  // The writes are never paused long enough: all kinds of changes are made between the rounds.
  const paused: number[] = []
  let rounds = 0
  const tending: Promise<void>[] = []
  const tries = 2
  const moving = moveTenant(
    { tenantId, to: 'west' },
    {
      ...options,
      onStep: step => {
        if (step === 'watched' || step === 'caught up') tending.push(tend())
        if (step === 'complete') stop()
      },
      onRound: () => void rounds++,
      onPaused: ms => paused.push(ms),
      get pauseMsMax() {
        return paused.length < tries ? 0 : 10_000
      },
    },
  )
  await t.throwsAsync(moving, { instanceOf: Stopped })
  await Promise.all(tending)
  t.is(paused.length, tries, 'the writes went on each time')
  t.true(rounds > tries)

  const [here, there] = [await rowsOf(main.databaseUrl, tenantId, LATE), await rowsOf(west.databaseUrl, tenantId, LATE)]
  t.deepEqual(there, here)
  const empty = Object.keys(here).filter(table => here[table] === '0 ')
  t.true(empty.length < Object.keys(here).length / 2, `tables without rows: ${empty}`)

  t.like(await moveTenant({ tenantId, to: 'west' }, options), { was: 'moved' })
  await written(WRITES, 'writes behind the move')
  await load.stop()
  await prove(proven, [other.url])
  t.deepEqual(journal.faults, [])
  t.deepEqual(
    Object.values(await rowsOf(main.databaseUrl, tenantId)).filter(digest => digest !== '0 '),
    [],
  )
})

test('who gives a move up ends whoever is at it, and the tenant writes on where it was', async t => {
  const paused: number[] = []
  const moving = moveTenant({ tenantId, to: 'main' }, { ...options, pauseMsMax: 0, onPaused: ms => paused.push(ms) })
  const ended = t.throwsAsync(moving, { message: /the move was ended/ })
  await eventually(() => paused.length > 1, { what: 'a move that does not end' })
  t.like(await moveTenant({ tenantId, to: 'west' }, options), { was: 'back' })
  await ended
  t.is((await tenant.client.post('/suppliers', { title: 'given up' })).status, 201)
  t.deepEqual(
    Object.values(await rowsOf(main.databaseUrl, tenantId)).filter(digest => digest !== '0 '),
    [],
  )
})

test('a mover whose session is ended in the middle of a statement says so, not what PostgreSQL says', async t => {
  const client = await service.tenant()
  const works = Promise.withResolvers<void>()
  const moving = alone(options, client, async mover => {
    works.resolve()
    await mover.inMain(main => main.query('select pg_sleep(600)'))
  })
  const ended = t.throwsAsync(moving, { message: /^the move was ended: PostgreSQL has ended its session/ })
  await works.promise
  await alone(options, { ...client, ousts: true }, async () => {})
  await ended
})

test('a rollback that the time limit of a pause cuts off is sent again, and so is the end of that limit', async t => {
  const client = new pg.Client(services.databaseUrl)
  await client.connect()
  const sent: unknown[] = []
  const send = client.query.bind(client)
  // Of 70,000 rollbacks under a limit of 1 ms, on a busy machine, PostgreSQL cut off one; here each is, once.
  client.query = (async (text: string) => {
    sent.push(text)
    const isFirst = sent.filter(other => other === text).length === 1
    if (isFirst && /^(rollback|reset)/.test(text)) throw Object.assign(new Error('cut off'), { code: '57014' })
    return send(text)
  }) as typeof client.query
  await t.throwsAsync(
    inTransaction(client, () => client.query('select 1/0')),
    { message: 'division by zero' },
  )
  await insist(client, 'reset statement_timeout')
  t.deepEqual(sent, ['begin', 'select 1/0', ...Array(2).fill('rollback'), ...Array(2).fill('reset statement_timeout')])
  await t.notThrowsAsync(send('select 1'), 'the session is in no transaction that failed')
  await client.end()
})

test('a worker that goes on with a long move keeps no other tenant waiting', async t => {
  const homes = [tenant.client, await service.tenant()] as const
  const there = { [tenantId]: 'west', [homes[1].tenantId]: 'main' }
  for (const client of homes) {
    const { tenantId } = client
    const stops = { ...options, onStep: (step: Step) => step === 'writes are paused' && stop() }
    const to = there[tenantId] === 'main' ? 'west' : 'main'
    await t.throwsAsync(moveTenant({ tenantId, to }, stops), { instanceOf: Stopped })
  }
  // Neither of the two moves ends.
  const watch = startMoveWatch(
    { config: testConfig(services, env), cells: [main, west], redis, log },
    { lookEveryMs: 100, pauseMsMax: 0, fewRows: 0 },
  )
  for (const client of homes) {
    const isWritten = async () => (await client.post('/suppliers', { title: 'meanwhile' })).status === 201
    await eventually(isWritten, { what: `a write of tenant ${client.tenantId}` })
  }
  await watch.close()
  for (const { tenantId } of homes)
    t.like(await moveTenant({ tenantId, to: there[tenantId] ?? '' }, options), { was: 'back' })
})

test('nothing notes changes any more when the move is over', async t => {
  for (const { name, pool } of [main, west]) {
    // As a worker does: a table may have been locked when a move ended.
    const isOver = async () => {
      for (const tenantId of await listWatches(pool)) await clearWatch(tenantId, name, options)
      return (await listWatches(pool)).length === 0
    }
    await eventually(isOver, { what: 'the end of all triggers' })
    t.is((await pool.query(statement`select from pg_trigger where tgname like 'move\_%'`)).rowCount, 0)
    t.is((await pool.query(statement`select from tenant_changes`)).rowCount, 0)
  }
})
