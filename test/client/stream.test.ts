/** The guarantees of the client's event stream: it brings every event once, in order, whatever ends a connection. */

import { ApiError, type Event, EventGapError, Millrace } from '../../client/src/index.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ownService, serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { faultyProxy } from './faulty-proxy.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const proxy = await faultyProxy(service.url)
test.after.always(() => proxy.close())

/** A tenant with this many events, and a client of it behind the proxy. */
async function tenantWith(events: number) {
  const tenant = await service.tenant()
  const millrace = new Millrace({ baseUrl: proxy.url, token: tenant.token })
  for (let n = 0; n < events; n++) await millrace.customers.create({ title: `Customer ${n}` })
  return { tenant, millrace }
}
const streams = () => proxy.seen.filter(({ path }) => path.includes('/events/stream'))

test('a stream tells every event once and in order, over broken connections and refusals that pass', async t => {
  const { millrace } = await tenantWith(0)
  const before = streams().length
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
  t.true(streams().length - before >= 6)
})

test('a stream without a place to begin at misses nothing between two connections', async t => {
  const { tenant, millrace } = await tenantWith(3)
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

test('a stream ends with its loop, with its signal, and with what no new connection would mend', async t => {
  const { tenant } = await tenantWith(3)
  const key = await service.key(tenant.tenantId)
  const direct = new Millrace({ baseUrl: service.url, token: key.token })
  // More streams than a key may have open at the same time.
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

test('a connection that falls silent is left for another one', async t => {
  const { millrace } = await tenantWith(3)
  const stream = millrace.events.stream({ after_sequence: 1 }, { idleTimeoutMs: 1_000 })
  t.is((await stream.next()).value?.sequence, 2)
  t.is((await stream.next()).value?.sequence, 3)
  const before = streams().length
  const next = stream.next()
  await eventually(() => streams().length >= before + 2, { what: 'two more connections' })
  await millrace.suppliers.create({ title: 'At last' })
  t.is((await next).value?.sequence, 4)
  await stream.return()
})

/** Does what `fetch` does, but leaves out of an event stream the events of these sequences, each once. */
async function withoutEvents(lost: Set<number>, ...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (!String(request[0]).includes('/events/stream') || !response.ok || !response.body) return response
  let begun = ''
  const frames = new TransformStream<string, string>({
    transform: (text, out) => {
      const whole = (begun + text).split(/(?<=\n\n)/)
      begun = whole.at(-1)?.endsWith('\n\n') ? '' : (whole.pop() ?? '')
      for (const frame of whole) if (!lost.delete(Number(/^id: (\d+)$/m.exec(frame)?.[1]))) out.enqueue(frame)
    },
  })
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(frames)
  return new Response(body.pipeThrough(new TextEncoderStream()), response)
}

const forgetful = (token: string, lost: Set<number>) =>
  new Millrace({ baseUrl: service.url, token, fetch: (...request) => withoutEvents(lost, ...request) })

const sequencesOf = async (millrace: Millrace, query: { after_sequence: number }, until: number) => {
  const told: number[] = []
  try {
    for await (const { sequence } of millrace.events.stream(query)) {
      told.push(sequence)
      if (sequence >= until) return { told, error: undefined }
    }
  } catch (error) {
    return { told, error }
  }
  return { told, error: undefined }
}

test('a stream that leaves an event out ends with both sequences, and goes on from the first of them', async t => {
  const other = await service.tenant()
  const plain = new Millrace({ baseUrl: service.url, token: other.token })
  for (let n = 1; n <= 6; n++) await plain.suppliers.create({ title: `Supplier ${n}` })
  const lost = new Set([4, 5])
  const { told, error } = await sequencesOf(forgetful(other.token, lost), { after_sequence: 0 }, 6)
  t.deepEqual(told, [1, 2, 3])
  t.true(error instanceof EventGapError)
  t.like(error, { after: 3, sequence: 6 })
  t.deepEqual(await sequencesOf(forgetful(other.token, lost), { after_sequence: 3 }, 6), {
    told: [4, 5, 6],
    error: undefined,
  })
  // The first event of a stream is compared with where the stream begins.
  const first = await sequencesOf(forgetful(other.token, new Set([3])), { after_sequence: 2 }, 6)
  t.true(first.error instanceof EventGapError)
  t.like(first.error, { after: 2, sequence: 4 })
  // Kinds that are left out are no gap.
  await plain.customers.create({ title: 'Between' })
  await plain.suppliers.create({ title: 'Behind' })
  for await (const { sequence } of plain.events.stream({ after_sequence: 5, type: 'supplier.created' }))
    if (sequence === 8) break
})

test('events that are missing because they are no longer kept are told of alike', async t => {
  const other = await service.tenant()
  const plain = new Millrace({ baseUrl: service.url, token: other.token })
  for (let n = 1; n <= 3; n++) await plain.suppliers.create({ title: `Supplier ${n}` })
  const lost = new Set([2])
  const forgets = new Millrace({
    baseUrl: service.url,
    token: other.token,
    fetch: async (...request) => {
      if (String(request[0]).includes('/events?'))
        await service.pool.query(
          statement`delete from events where tenant_id = ${other.tenantId}::bigint and sequence = 2`,
        )
      return withoutEvents(lost, ...request)
    },
  })
  const { told, error } = await sequencesOf(forgets, { after_sequence: 0 }, 3)
  t.deepEqual(told, [1])
  t.true(error instanceof EventGapError)
  t.like(error, { after: 1, sequence: 3 })
  t.regex(String((error as EventGapError).cause), /events behind it are no longer kept/)
})

test('numbers that the service leaves out after a failover are no gap', async t => {
  const own = await ownService()
  t.teardown(own.close)
  const other = await own.tenant()
  const plain = new Millrace({ baseUrl: own.url, token: other.token })
  await plain.suppliers.create({ title: 'Before' })
  const stream = plain.events.stream({ after_sequence: 0 })
  t.is((await stream.next()).value?.sequence, 1)
  await own.pool.query(statement`select begin_generation(true)`)
  await plain.suppliers.create({ title: 'Behind' })
  const { value } = await stream.next()
  t.true((value?.sequence ?? 0) > 1_000_000)
  await stream.return()
  // Stored events may be read from a replica that has fewer events than the stream.
  let asked = 0
  const stale = new Millrace({
    baseUrl: own.url,
    token: other.token,
    fetch: (url, init) =>
      fetch(String(url).includes('/events?') && asked++ < 2 ? `${url}`.replace(/=1&/, `=${1e12}&`) : url, init),
  })
  const slowly = await sequencesOf(stale, { after_sequence: 1 }, 2)
  t.deepEqual(slowly, { told: [value?.sequence ?? 0], error: undefined })
  t.is(asked, 3)
  // A stream that begins before the numbers that were left out.
  const { told } = await sequencesOf(plain, { after_sequence: 0 }, 2)
  t.deepEqual(told, [1, value?.sequence])
})
