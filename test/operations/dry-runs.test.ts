/** Dry runs while versions run side by side: a worker that knows none refuses them, and never writes. */

import { startFleet } from '../scaling/fleet.ts'
import { client } from '../support/client.ts'
import { testServices } from '../support/services.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { apart } from '../support/suite.ts'
import { commitBefore, filesOf } from './versions.ts'

const test = apart(import.meta)

/** The last version without dry runs; undefined in a clone without the history. */
const commit = commitBefore('server/dry-run.ts')
const declareTest = commit ? test : test.skip

declareTest(
  'a worker that knows no dry runs refuses them with 503 and writes nothing, and runs the same writes',
  async t => {
    const services = await testServices()
    const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl }
    const older = await startFleet(env, { webs: 0, workers: 1, root: await filesOf(commit ?? '') })
    const newer = await startFleet(env, { webs: 1, workers: 0 })
    t.teardown(() => Promise.all([older.close(), newer.close()]))
    const { id } = await newer.tenant()
    const caller = client(newer.webs[0]?.url ?? '', id, await newer.key(id))
    const supplier = { title: 'Bean Traders' }
    t.is((await caller.post('/suppliers', supplier, 'before')).status, 201)

    const before = await snapshotOf(newer.pool, id)
    const headers = { 'dry-run': 'true' }
    const one = await caller.request('POST', '/suppliers', { body: supplier, key: 'before', headers })
    const requests = [1, 2].map(() => ({ method: 'POST', path: '/suppliers', body: supplier }))
    const all = await caller.request('POST', '/bulk', { body: { mode: 'all', requests }, headers })
    for (const { status, body, headers: answered } of [one, all])
      t.deepEqual([status, body.error, answered.get('dry-run')], [503, 'service_unavailable', 'true'])
    t.deepEqual(await snapshotOf(newer.pool, id), before)
    t.is((await caller.post('/suppliers', supplier, 'after')).status, 201)

    await Promise.all([older.close(), newer.close()])
    await services.close()
  },
)
