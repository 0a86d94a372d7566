/** A database that refuses outcomes: a delivery is not sent again and again, and is completed when the database stores again. */

import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe, webhookBench } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = ofTests(test, webhookBench)

/** The sender's job as soon as it pauses for that long. */
const paused = (delayMs: number) =>
  eventually(async () => (await service.queue.getDelayed()).find(job => Math.abs(job.delay - delayMs) < 1_000))

test('a sender whose outcomes cannot be stored pauses, longer each time, and tries with one request', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  await service.pool.query(statement`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`)
  await service.pool.query(statement`
    create trigger refuse before update on webhook_deliveries for each row execute function refuse()`)
  for (let n = 0; n < 3; n++) await makePlace(client)
  const first = await paused(10_000)
  const sent = hook.arrivals.length
  t.true(sent >= 1 && sent <= 3, `${sent} requests`)
  // Neither the sweep nor news wake it.
  await service.webhooks.sweep()
  await makePlace(client)
  await eventually(async () => (await deliveriesOf(client, id)).length === 4)
  await service.webhooks.sweep()
  t.like(await service.queue.getJobCounts('wait', 'active', 'delayed'), { wait: 0, active: 0, delayed: 1 })

  await first.promote()
  const second = await paused(20_000)
  t.is(hook.arrivals.length, sent + 1)
  await second.updateData({ ...second.data, pauses: 20 })
  await second.promote()
  const last = await paused(300_000)
  t.is(hook.arrivals.length, sent + 2)

  await service.pool.query(statement`drop trigger refuse on webhook_deliveries`)
  await last.promote()
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'succeeded'))
  t.is(hook.arrivals.length, sent + 2 + 4)
  await hook.close()
})

test('a sender of which nothing can be signed pauses too', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  const seal = (sealed: string) =>
    service.pool.query(
      statement`update webhook_secrets set sealed = decode(${sealed}, 'hex') where subscription_id = ${id}::bigint`,
    )
  const { sealed } = await service.pool.one(rows(v.object({ sealed: v.string() }))`
    select encode(sealed, 'hex') as sealed from webhook_secrets where subscription_id = ${id}::bigint`)
  await seal('00')
  await makePlace(client)
  const first = await paused(10_000)
  await service.webhooks.sweep()
  t.like(await service.queue.getJobCounts('wait', 'active', 'delayed'), { wait: 0, active: 0, delayed: 1 })
  await first.promote()
  const second = await paused(20_000)
  await seal(sealed)
  await second.promote()
  await eventually(() => hook.arrivals.length === 1)
  await hook.close()
})
