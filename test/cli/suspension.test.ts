/**
 * The guarantees of `tenant update` on a running service: requests of a suspended tenant are refused, accepted commands finish and their
 * webhooks are delivered, and a new plan counts for the next command.
 */

import { onKeyChange } from '../../lib/access/key-changes.ts'
import { hashToken } from '../../lib/access/token.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { eventually } from '../support/eventually.ts'
import { holdTenant } from '../support/held-tenant.ts'
import { ofTests } from '../support/of-file.ts'
import { startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace, subscribe, webhookBench } from '../webhooks/bench.ts'
import { receiver } from '../webhooks/receiver.ts'

const test = testsOf(import.meta)

const service = ofTests(test, webhookBench)

async function update(tenantId: string, ...args: string[]) {
  const [out, err]: string[][] = [[], []]
  const status = await runCommandLine(['tenant', 'update', tenantId, '--json', ...args], {
    env: { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl },
    root: '/nonexistent',
    out: text => out?.push(text),
    err: text => err?.push(text),
  })
  return { status, err: err?.join('\n'), json: out?.[0] === undefined ? null : JSON.parse(out[0]) }
}

test("a suspended tenant's keys are 403 for reads and writes on every server, and served again after", async t => {
  const [client, stranger] = [await service.tenant(), await service.tenant()]
  const other = await service.key(client.tenantId)
  const second = await startService(service)
  t.teardown(() => second.close())
  const requests = () =>
    [service, second].flatMap(({ url }) =>
      [client.token, other.token].flatMap(token => [
        fetch(`${url}/api/external/v1/products`, { headers: { Authorization: `Bearer ${token}` } }),
        fetch(`${url}/api/external/v1/products`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: '{}',
        }),
      ]),
    )
  const statuses = async () => [...new Set((await Promise.all(requests())).map(({ status }) => status))].sort().join()
  t.is(await statuses(), '200,400')

  t.like(await update(client.tenantId, '--suspend'), { status: 0, err: '' })
  await eventually(async () => (await statuses()) === '403')
  const refused = await client.get('/products')
  t.is(refused.body.error, 'forbidden')
  t.regex(refused.body.message, /^The tenant is suspended/)
  t.is((await stranger.get('/products')).status, 200)

  const { json } = await update(client.tenantId, '--resume')
  t.is(json.suspended_at, null)
  await eventually(async () => (await statuses()) === '200,400')
})

test('servers are told of every key of a suspended tenant, and of no other', async t => {
  const [client, stranger] = [await service.tenant(), await service.tenant()]
  const subscriber = connectRedis(service.redisUrl, 'subscriber', 'test')
  t.teardown(() => closeRedis(subscriber))
  const keys = [client.token, (await service.key(client.tenantId)).token].map(hashToken)
  // Messages of other tests arrive here too.
  const heard = new Set<string>()
  onKeyChange(subscriber, change => heard.add(change.tokenHash))
  // A message before the subscription reaches nobody, so the test suspends until one arrives.
  await eventually(async () => {
    await update(client.tenantId, '--suspend')
    return keys.some(key => heard.has(key))
  })
  await eventually(() => keys.every(key => heard.has(key)))
  t.false(heard.has(hashToken(stranger.token)))
})

test('suspending again keeps the first time', async t => {
  const { tenantId } = await service.tenant()
  const first = await update(tenantId, '--suspend')
  t.regex(first.json.suspended_at, /^\d{4}-.*Z$/)
  t.is((await update(tenantId, '--suspend', '--name', 'Other')).json.suspended_at, first.json.suspended_at)
})

test.serial('a write that was accepted before the suspension finishes, and its event is delivered', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  t.teardown(() => hook.close())
  await subscribe(client, hook.url)
  const held = await holdTenant(t, { databaseUrl: service.databaseUrl, tenantId: client.tenantId })
  const accepted = makePlace(client, 'Accepted')
  await held.waitFor(1)
  const suspended = update(client.tenantId, '--suspend')
  await held.waitFor(2)
  await held.release()
  t.is((await accepted).title, 'Accepted')
  t.is((await suspended).status, 0)
  await eventually(async () => (await client.get('/storage-places')).status === 403)
  t.is((await eventually(() => hook.arrivals[0])).body.data.title, 'Accepted')
})

test('the next command runs under the new plan', async t => {
  const client = await service.tenant({ plan: 'free' })
  const variants = Array.from({ length: 50 }, (_, n) => ({ sku: `S-${n}` }))
  t.is((await client.post('/products', { title: 'Full', variants })).status, 201)
  t.is((await client.post('/products', { title: 'One more' })).status, 402)
  t.like(await update(client.tenantId, '--plan', 'pro'), { status: 0, json: { plan: 'pro' } })
  t.is((await client.post('/products', { title: 'One more' })).status, 201)
  await update(client.tenantId, '--plan', 'free')
  t.is((await client.post('/products', { title: 'Another' })).status, 402)
})
