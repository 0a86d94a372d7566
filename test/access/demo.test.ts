import test from 'ava'
import { createDemo } from '../../lib/access/demo.ts'
import { sendOver } from '../../lib/access/demo-client.ts'
import { fillDemo } from '../../lib/access/demo-data.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const service = await startService(services)
test.after.always(async () => {
  await service.close()
  await services.close()
})

test('the demo tenant is filled through the API, and filling it again changes nothing', async t => {
  const { tenantId, token } = await createDemo(services.databaseUrl)
  t.regex(tenantId, /^\d+$/)
  const send = sendOver(service.url, token)
  await fillDemo(send)
  const lists = [
    '/products',
    '/storage-places',
    '/stock-adjustments',
    '/stock-transfers',
    '/operations',
    '/recipes',
    '/manufacturing-orders',
    '/stock',
    '/stock-movements',
  ]
  const read = async () =>
    Promise.all(lists.map(async path => ((await send('GET', `${path}?limit=200`)) as { data: unknown[] }).data))
  const filled = await read()
  t.deepEqual(
    filled.slice(0, 7).map(records => records.length),
    [8, 3, 2, 2, 3, 3, 4],
  )
  await fillDemo(send)
  t.deepEqual(await read(), filled)
})

test('a demo that was broken off is filled to its end', async t => {
  const { token } = await createDemo(services.databaseUrl)
  const send = sendOver(service.url, token)
  let left = 6
  const breaking: typeof send = async (...request) => {
    if (left-- === 0) throw new Error('broken off')
    return send(...request)
  }
  await t.throwsAsync(fillDemo(breaking), { message: 'broken off' })
  await fillDemo(send)
  t.is(((await send('GET', '/products')) as { data: unknown[] }).data.length, 8)
})

test('a request that is refused ends the filling with its answer', async t => {
  const { token } = await createDemo(services.databaseUrl)
  const send = sendOver(service.url, token)
  await t.throwsAsync(send('POST', '/products', {}, 'x'), { message: /POST \/products answered 400: .*title/ })
})
