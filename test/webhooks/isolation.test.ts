/** A hanging receiver delays no other receiver. Many events keep their order, as far as that is possible with five at a time. */

import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe, webhookBench } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

/** A hanging receiver would delay everything that waited for it for this long. */
const service = ofTests(test, () => webhookBench({ sender: { totalTimeoutMs: 600_000 } }))

test('with one hanging receiver the others get everything at once', async t => {
  const client = await service.tenant()
  const hanging = await receiver(() => {})
  const others = await Promise.all(Array.from({ length: 9 }, () => receiver()))
  for (const { url } of [hanging, ...others]) await subscribe(client, url)
  const sent: number[] = []
  for (let n = 0; n < 15; n++) {
    await makePlace(client)
    sent.push(Date.now())
  }
  await eventually(() => others.every(({ arrivals }) => arrivals.length >= 15))
  const delays = others.flatMap(({ arrivals }) => arrivals.map(({ body, at }) => at - (sent[body.sequence - 1] ?? 0)))
  t.is(hanging.arrivals.length, 5)
  t.log(`median ${delays.sort((a, b) => a - b)[delays.length >> 1]} ms, slowest ${delays.at(-1)} ms after the answer`)
  await Promise.all([hanging, ...others].map(({ close }) => close()))
})

test('four hundred events arrive, nearly in order', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  await subscribe(client, hook.url)
  const began = performance.now()
  // No more at a time than a busy machine completes before their deadline.
  for (let n = 0; n < 400; n += 50) await Promise.all(Array.from({ length: 50 }, () => makePlace(client)))
  // A process that a busy machine delayed for longer than its lease sends some of them twice.
  const arrived = () => [...new Set<number>(hook.arrivals.map(({ body }) => body.sequence))]
  await eventually(() => arrived().length >= 400)
  const sequences = arrived()
  t.deepEqual(
    [...sequences].sort((a, b) => a - b),
    Array.from({ length: 400 }, (_, n) => n + 1),
  )
  const displaced = sequences.map((sequence, at) => Math.abs(sequence - at - 1))
  t.true(Math.max(...displaced) < 50, `displaced by ${Math.max(...displaced)}`)
  t.log(`${Math.round(400_000 / (performance.now() - began))} a second, writes included`)
  await hook.close()
})

test('at most five requests to a subscription are open at once, and a slow one does not hold up the rest', async t => {
  const held: (() => void)[] = []
  const hook = await receiver(response => void held.push(() => response.writeHead(204).end()))
  const client = await service.tenant()
  const { id } = await subscribe(client, hook.url)
  for (let n = 0; n < 8; n++) await client.post(`/webhook-subscriptions/${id}/test`, {})
  await eventually(() => held.length === 5)
  held.shift()?.()
  await eventually(() => hook.arrivals.length === 6)
  const release = setInterval(() => held.shift()?.(), 5)
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }: Loose) => status === 'succeeded'))
  clearInterval(release)
  t.is(hook.openMax(), 5)
  await hook.close()
})
