/** The backlog that operators see contains only deliveries that are due and not sent yet. */

import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe, webhookBench } from './bench.ts'
import { receiver, status } from './receiver.ts'

const test = testsOf(import.meta)

const clock = { aheadMs: 0 }
const service = ofTests(test, () => webhookBench({ now: () => Date.now() + clock.aheadMs, chance: () => 0.5 }))

const backlog = async () => (await registry.getSingleMetric('millrace_webhook_backlog')?.get())?.values[0]?.value

test('the backlog counts what is due, not what waits for its next attempt or was dropped', async t => {
  const [client, failing, hanging] = [await service.tenant(), await receiver(status(500)), await receiver(() => {})]
  const later = await subscribe(client, failing.url)
  const dropped = await subscribe(client, `${failing.url}/other`)
  for (let n = 0; n < 3; n++) await makePlace(client)
  for (const { id } of [later, dropped])
    await eventually(async () => {
      const found = await deliveriesOf(client, id)
      return found.length === 3 && found.every(({ attempts }) => attempts === 1)
    })
  t.is(await backlog(), 0)
  await client.patch(`/webhook-subscriptions/${dropped.id}`, { enabled: false })
  const { id } = await subscribe(client, hanging.url, { events: ['product.created'] })
  await client.post('/products', { title: 'Product' })
  await eventually(async () => (await deliveriesOf(client, id)).length === 1)
  await eventually(async () => (await backlog()) === 1)
  failing.answer(() => {})
  clock.aheadMs = 60_000
  t.is(await backlog(), 5) // three retries, and the product for both
  await Promise.all([failing.close(), hanging.close()])
})
