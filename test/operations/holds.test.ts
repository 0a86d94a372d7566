/** Holds while versions run side by side: a worker that knows none refuses an order that takes one, and never makes the order without. */

import { startFleet } from '../scaling/fleet.ts'
import { client } from '../support/client.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { apart } from '../support/suite.ts'
import { commitBefore, filesOf } from './versions.ts'

const test = apart(import.meta)

/** The last version without holds; undefined in a clone without the history. */
const commit = commitBefore('lib/domain/sales/reservations/noun.ts')
const declareTest = commit ? test : test.skip

declareTest('a worker that knows no holds refuses an order that takes one with 503, alone and in bulks', async t => {
  const services = await testServices()
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl }
  const newer = await startFleet(env, { webs: 1, workers: 0 })
  const worker = await startProcess('worker', env)
  const { id } = await newer.tenant()
  const caller = client(newer.webs[0]?.url ?? '', id, await newer.key(id))
  const { variants } = (await caller.post('/products', { title: 'Oak' })).body
  const items = [{ item_variant_id: variants[0].id, quantity: 3 }]
  await caller.post('/stock-adjustments', { items })
  const expires_at = new Date(Date.now() + 3_600_000)
  const { body: hold } = await caller.post('/reservations', { expires_at, items })
  await worker.end('SIGTERM')

  const older = await startFleet(env, { webs: 0, workers: 1, root: await filesOf(commit ?? '') })
  t.teardown(() => Promise.all([older.close(), newer.close()]))
  const before = await snapshotOf(newer.pool, id)
  const taking = { customer: { title: 'C' }, reservation_id: hold.id, items }
  const entry = { method: 'POST', path: '/sales-orders', body: taking, idempotency_key: 'entry' }
  const bulk = (mode: string) => caller.request('POST', '/bulk', { body: { mode, requests: [entry] } })
  t.is((await caller.post('/sales-orders', taking)).status, 503)
  t.is((await bulk('all')).status, 503)
  t.deepEqual((await bulk('each')).body.results[0].status, 503)
  t.is((await caller.post('/reservations', { expires_at, items })).status, 503)
  t.deepEqual(await snapshotOf(newer.pool, id), before)
  // What an older worker knows, it does: also beside a hold that it counts as reserved.
  const plain = { customer: { title: 'C' }, items }
  t.is((await caller.post('/sales-orders', { ...plain, allow_backorder: false })).status, 409)
  t.is((await caller.post('/sales-orders', { ...plain, reservation_id: null })).status, 201)

  await Promise.all([older.close(), newer.close()])
  await services.close()
})
