/** Whose clock ends a hold, where the clocks of PostgreSQL and of the processes differ by less than stops writes. */

import { ask, startFleet } from '../scaling/fleet.ts'
import { databaseClock, hasDatabaseClock } from '../support/database-clock.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl }
const fleet = await startFleet(env, { webs: 1, workers: 0 })
const [web] = fleet.webs
test.after.always(async () => {
  await fleet.close()
  await services.close()
})

const withClock = hasDatabaseClock(services.databaseUrl) ? test : test.skip

withClock('a hold ends by the clock of PostgreSQL, whatever the clocks of processes say', async t => {
  const { token } = await fleet.tenant()
  const clock = await databaseClock(services.databaseUrl, fleet.pool)
  await clock.set('-50 seconds')
  const worker = await startProcess('worker', { ...env, DATABASE_URL: clock.url })
  t.teardown(() => worker.end('SIGTERM'))
  const post = (path: string, key: string, body: object) => ask(web, token, path, { body, key })
  const product = await post('/products', 'product', { title: 'Oak', sku: 'OAK' })
  await post('/stock-adjustments', 'stock', {
    items: [{ item_variant_id: product.body.variants[0].id, quantity: 1 }],
  })
  const items = [{ sku: 'OAK', quantity: 1 }]
  const expires_at = new Date(Date.now() + 1_000).toISOString()
  const hold = await post('/reservations', 'hold', { expires_at, items })
  t.is(hold.status, 201, hold.text)
  const order = { customer: { title: 'Inn' }, allow_backorder: false, items }

  await eventually(() => Date.now() > Date.parse(expires_at))
  t.is((await post('/sales-orders', 'early', order)).status, 409)
  t.is((await ask(web, token, `/reservations/${hold.body.id}`)).body.status, 'HELD')

  await clock.set('50 seconds')
  t.is((await post('/sales-orders', 'late', order)).status, 201)
  t.is((await ask(web, token, `/reservations/${hold.body.id}`)).body.status, 'EXPIRED')
})
