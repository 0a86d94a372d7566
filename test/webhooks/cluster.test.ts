/** Webhooks on a Redis Cluster work as on one Redis: first attempts, retries, and two processes at the same time. */

import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { redisCluster } from '../support/redis-cluster.ts'
import { servers } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, startWebhookProcess, subscribe } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta)

const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback', QUEUE_SHARDS: '4' }
const service = ofTests(test, async () => {
  const { databaseUrl, stop } = await servers()
  const [database, cluster] = await Promise.all([testDatabase(databaseUrl), redisCluster()])
  const on = { databaseUrl: database.url, redisUrl: cluster.url }
  const service = await startService(on, { env })
  const webhooks = [await startWebhookProcess(on, env), await startWebhookProcess(on, env)]
  return {
    ...service,
    close: async () => {
      await Promise.all(webhooks.map(({ close }) => close()))
      await service.close()
      await cluster.close()
      await database.close()
      await stop()
    },
  }
})

test('two webhook processes on a cluster deliver every event, five at a time, retries too', async t => {
  const client = await service.tenant()
  let isFirst = true
  const hook = await receiver(response => {
    const code = isFirst ? 500 : 204
    isFirst = false
    setTimeout(() => response.writeHead(code).end(), 5)
  })
  const { id } = await subscribe(client, hook.url)
  for (let n = 0; n < 50; n++) await makePlace(client)
  await eventually(async () => {
    const found = await deliveriesOf(client, id)
    return found.length === 50 && found.every(({ status }) => status === 'succeeded')
  })
  t.is(hook.arrivals.length, 51)
  t.is(new Set(hook.arrivals.map(({ body }) => body.sequence)).size, 50)
  t.true(hook.openMax() <= 5)
  await hook.close()
})
