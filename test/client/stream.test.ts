/** What the client promises of the event stream: every event once, in order, over whatever ends a connection. */
import test from 'ava'
import { ApiError, type Event, Millrace } from '../../client/src/index.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { faultyProxy } from './faulty-proxy.ts'

const services = await testServices()
const service = await startService(services)
const tenant = await service.tenant()
const proxy = await faultyProxy(service.url)
test.after.always(async () => {
  await proxy.close()
  await service.close()
  await services.close()
})

const millrace = new Millrace({ baseUrl: proxy.url, token: tenant.token })
const streams = () => proxy.seen.filter(({ path }) => path.includes('/events/stream'))

test.serial('a stream tells every event once and in order, over broken connections and refusals that pass', async t => {
  const told: Event[] = []
  const following = (async () => {
    for await (const event of millrace.events.stream({ after_sequence: 0 })) {
      told.push(event)
      if (event.type === 'supplier.created' && 'title' in event.data && event.data.title === 'Last') return
    }
  })()
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 5; n++) await millrace.customers.create({ title: `${round}/${n}` })
    await eventually(() => told.length === (round + 1) * 5, { what: 'the events of this round' })
    if (round === 0) proxy.faults.push('break', { status: 503 })
    if (round === 1) proxy.faults.push({ status: 429 })
    proxy.breakAll()
    await eventually(() => proxy.faults.length === 0, { what: 'another connection' })
  }
  await millrace.suppliers.create({ title: 'Last' })
  await following
  t.deepEqual(
    told.map(({ sequence }) => sequence),
    Array.from({ length: 16 }, (_, n) => n + 1),
  )
  t.true(streams().length >= 6)
})

test.serial('a stream without a place to begin at misses nothing between two connections', async t => {
  const before = streams().length
  const first = millrace.events.stream({ type: 'supplier.created' }).next()
  await eventually(() => streams().length > before, { what: 'the stream' })
  proxy.faults.push('break')
  proxy.breakAll()
  await eventually(() => proxy.faults.length === 0, { what: 'another connection' })
  const { id } = await new Millrace({ baseUrl: service.url, token: tenant.token }).suppliers.create({
    title: 'Between',
  })
  const { value } = await first
  t.is(value?.data.id, id)
})

test.serial('a stream ends with its loop, with its signal, and with what no new connection would mend', async t => {
  const key = await service.key(tenant.tenantId)
  const direct = new Millrace({ baseUrl: service.url, token: key.token })
  // More than a key may have open at once.
  for (let n = 0; n < 12; n++)
    for await (const event of direct.events.stream({ after_sequence: 0 })) if (event.sequence === 2) break
  const controller = new AbortController()
  const stream = direct.events.stream({ after_sequence: 1 }, { signal: controller.signal })
  t.is((await stream.next()).value?.sequence, 2)
  const reason = new Error('enough')
  controller.abort(reason)
  const error = await (async () => {
    for await (const _ of stream);
  })().catch((error: unknown) => error)
  t.is(error, reason)
  const refused = await direct.events
    .stream({ after_sequence: 1_000_000 })
    .next()
    .catch((error: unknown) => error)
  t.true(refused instanceof ApiError && refused.code === 'validation_failed')
})

test.serial('a connection that falls silent is left for another one', async t => {
  const stream = millrace.events.stream({ after_sequence: 15 }, { idleTimeoutMs: 1_000 })
  t.is((await stream.next()).value?.sequence, 16)
  t.is((await stream.next()).value?.sequence, 17)
  const before = streams().length
  const next = stream.next()
  await eventually(() => streams().length >= before + 2, { what: 'two more connections' })
  await millrace.suppliers.create({ title: 'At last' })
  t.is((await next).value?.sequence, 18)
  await stream.return()
})
