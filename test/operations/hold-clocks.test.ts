/** Which clock ends a hold if the clocks of PostgreSQL and of the processes differ by less than what stops writes. */

import { databaseClock, hasDatabaseClock } from '../support/database-clock.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
const service = await startService(services, { workers: 0 })
test.after.always(async () => {
  await service.close()
  await services.close()
})

const withClock = hasDatabaseClock(services.databaseUrl) ? test : test.skip

withClock('a hold ends by the clock of PostgreSQL, whatever the clocks of processes say', async t => {
  const client = await service.tenant()
  const clock = await databaseClock(services.databaseUrl, service.pool)
  await clock.set('-50 seconds')
  const worker = await startService({ ...services, databaseUrl: clock.url })
  t.teardown(() => worker.close())
  const product = await client.post('/products', { title: 'Oak', sku: 'OAK' })
  await client.post('/stock-adjustments', { items: [{ item_variant_id: product.body.variants[0].id, quantity: 1 }] })
  const items = [{ sku: 'OAK', quantity: 1 }]
  const expires_at = new Date(Date.now() + 1_000).toISOString()
  const hold = await client.post('/reservations', { expires_at, items })
  t.is(hold.status, 201, hold.text)
  const order = { customer: { title: 'Inn' }, allow_backorder: false, items }

  await eventually(() => Date.now() > Date.parse(expires_at))
  t.is((await client.post('/sales-orders', order)).status, 409)
  t.is((await client.get(`/reservations/${hold.body.id}`)).body.status, 'HELD')

  await clock.set('50 seconds')
  t.is((await client.post('/sales-orders', order)).status, 201)
  t.is((await client.get(`/reservations/${hold.body.id}`)).body.status, 'EXPIRED')
})
