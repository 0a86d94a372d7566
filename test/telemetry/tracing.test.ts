import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import * as v from 'valibot'
import { loadConfig } from '../../lib/platform/config.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import {
  inSpan,
  isTracing,
  type Sampling,
  SpanKind,
  startTracing,
  traceParent,
} from '../../lib/platform/tracing/tracing.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { delivery, makePlace, startWebhookProcess, subscribe } from '../webhooks/bench.ts'
import { type Arrival, receiver, status } from '../webhooks/receiver.ts'

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())

const everything = { base: 'always_on', parentBased: false, ratio: 1 } as const

/** Collects the traces while `work` runs. */
async function traced(work: () => Promise<void>, sampling: Sampling = everything): Promise<readonly ReadableSpan[]> {
  const spans: ReadableSpan[] = []
  const exporter: SpanExporter = {
    export: (batch, done) => {
      spans.push(...batch)
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  const stop = await startTracing({ processName: 'test', sampling, exporter })
  await work().finally(stop)
  return spans
}

const named = (spans: readonly ReadableSpan[], name: string) => spans.filter(span => span.name === name)
const parentOf = (spans: readonly ReadableSpan[], span: ReadableSpan | undefined) =>
  spans.find(other => other.spanContext().spanId === span?.parentSpanContext?.spanId)

test.serial('a write is one trace from HTTP through the queue to SQL, without a value of the request', async t => {
  const spans = await traced(async () => {
    const service = await startService(services)
    const client = await service.tenant()
    const reply = await client.post('/products', { title: 'Secret chair', sku: 'HIDDEN-1' }, 'hidden-key')
    t.is(reply.status, 201)
    t.is((await client.get(`/products/${reply.body.id}`)).status, 200)
    await service.close()
  })
  const [http] = named(spans, 'POST /products')
  const [unit] = named(spans, 'unit of work')
  const [command] = named(spans, 'createProduct')
  t.like(http?.attributes, { 'http.route': '/products', 'http.response.status_code': 201 })
  t.is(http?.parentSpanContext, undefined)
  t.is(parentOf(spans, unit), http)
  t.is(parentOf(spans, command), unit)
  const statements = spans.filter(span => span.attributes['db.system.name'] === 'postgresql')
  for (const text of [/for no key update/, /insert into "?items/, /commit/])
    t.true(
      statements.some(span => parentOf(spans, span) === unit && text.test(String(span.attributes['db.query.text']))),
      `${text}`,
    )
  t.is(new Set([http, unit, command].map(span => span?.spanContext().traceId)).size, 1)

  const [read] = named(spans, 'GET /products/{id}')
  t.true(statements.some(span => parentOf(spans, span) === read))
  for (const span of spans) {
    const text = JSON.stringify([span.name, span.attributes, span.status, span.events])
    t.notRegex(text, /Secret|HIDDEN|hidden-key|mrk_|127\.0\.0\.1/)
  }
  // No request caused these, so they have no trace of their own.
  t.true(statements.every(span => span.parentSpanContext !== undefined))
})

test.serial('commands of one unit of work keep their own traces, and the unit refers to all', async t => {
  const spans = await traced(async () => {
    const service = await startService(services)
    const client = await service.tenant()
    await Promise.all(Array.from({ length: 20 }, (_, n) => client.post('/products', { title: `Chair ${n}` })))
    await service.close()
  })
  const commands = named(spans, 'createProduct')
  t.is(commands.length, 20)
  t.is(new Set(commands.map(span => span.spanContext().traceId)).size, 20)
  const large = named(spans, 'unit of work').find(span => span.links.length > 0)
  t.truthy(large, 'some were run together')
  for (const link of large?.links ?? [])
    t.is(named(spans, 'POST /products').filter(span => span.spanContext().traceId === link.context.traceId).length, 1)
})

/** A write whose webhook fails once and then arrives: the arrivals, and the trace that its event kept. */
async function delivered(): Promise<{ id: string; arrivals: readonly Arrival[]; kept: string | null }> {
  const hook = await receiver(status(500))
  const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const service = await startService(services, { env })
  let aheadMs = 0
  const process = await startWebhookProcess(services, env, { now: () => Date.now() + aheadMs, chance: () => 0.5 })
  const client = await service.tenant()
  const { id } = await subscribe(client, `${hook.url}/HIDDEN-PATH?token=HIDDEN-TOKEN`)
  await makePlace(client, 'Secret place')
  await delivery(client, id, ({ attempts }) => attempts === 1)
  hook.answer(status(204))
  aheadMs = 60_000
  await process.webhooks.sweep()
  await delivery(client, id, ({ status }) => status === 'succeeded')
  const { kept } = await service.pool.one(rows(v.object({ kept: v.nullable(v.string()) }))`
    select trace_parent as kept from events where tenant_id = ${client.tenantId}`)
  await process.close()
  await service.close()
  await hook.close()
  return { id, arrivals: hook.arrivals, kept }
}

test.serial(
  "each attempt of a webhook is a span of the write's trace, which the receiver learns nothing of",
  async t => {
    let sent: Awaited<ReturnType<typeof delivered>> | undefined
    const spans = await traced(async () => {
      sent = await delivered()
    })
    const [command] = named(spans, 'createStoragePlace')
    const attempts = named(spans, 'webhook storage_place.created')
    t.deepEqual(
      attempts.map(({ attributes, status }) => [
        attributes['http.response.status_code'],
        attributes['error.type'],
        status,
      ]),
      [
        [500, '500', { code: 2, message: 'HTTP 500' }],
        [204, undefined, { code: 0 }],
      ],
    )
    for (const [n, span] of attempts.entries()) {
      t.is(parentOf(spans, span), command)
      t.is(command?.spanContext().traceId, span.spanContext().traceId)
      t.is(span.kind, SpanKind.CLIENT)
      t.like(span.attributes, {
        'http.request.method': 'POST',
        'millrace.subscription_id': sent?.id,
        'millrace.event_id': sent?.arrivals[n]?.headers['webhook-id'],
        'millrace.event_type': 'storage_place.created',
        'millrace.attempt': n + 1,
      })
    }
    for (const { headers } of sent?.arrivals ?? []) {
      const text = JSON.stringify(headers)
      t.false(/traceparent|tracestate/.test(text) || text.includes(command?.spanContext().traceId ?? ''), text)
    }
    for (const span of spans)
      t.notRegex(
        JSON.stringify([span.name, span.attributes, span.status, span.links]),
        /HIDDEN|Secret|whsec_|127\.0\.0\.1/,
      )
  },
)

test.serial('an event keeps no trace that is not kept itself', async t => {
  let sent: Awaited<ReturnType<typeof delivered>> | undefined
  const spans = await traced(
    async () => {
      sent = await delivered()
    },
    { ...everything, base: 'always_off' },
  )
  t.is(spans.length, 0)
  t.is(sent?.kept, null)
  t.is((await delivered()).kept, null, 'without traces')
})

test.serial("a caller's trace goes on behind a proxy of ours only; else the new one refers to it", async t => {
  const traceId = 'a'.repeat(32)
  const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }
  for (const trusted of ['true', 'false']) {
    const spans = await traced(async () => {
      const service = await startService(services, { env: { TRUST_PROXY: trusted } })
      await (await service.tenant()).request('GET', '/stock', { headers })
      await service.close()
    })
    const [http] = named(spans, 'GET /stock')
    t.is(http?.spanContext().traceId === traceId, trusted === 'true')
    if (trusted === 'false') t.is(http?.links[0]?.context.traceId, traceId)
  }
})

test.serial('spans arrive at a collector over OTLP, before the process has stopped', async t => {
  const received: { url: string; type: string; body: string }[] = []
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const type = String(request.headers['content-type'])
    received.push({ url: request.url ?? '', type, body: Buffer.concat(chunks).toString('latin1') })
    response.writeHead(200, { 'content-type': type }).end()
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => collector.close())
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  process.env['OTEL_SERVICE_NAME'] = 'shop-stock'
  const stop = await startTracing({ processName: 'web.1', sampling: everything })
  await inSpan('something to tell', {}, async () => {})
  await stop()
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  delete process.env['OTEL_SERVICE_NAME']
  t.is(received.length, 1)
  t.like(received[0], { url: '/v1/traces', type: 'application/x-protobuf' })
  for (const text of ['something to tell', 'shop-stock', 'web.1']) t.true(received[0]?.body.includes(text), text)
})

test.serial('a collector that is away holds up neither work nor the stop for long', async t => {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1'
  const stop = await startTracing({ processName: 'test', sampling: everything })
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  t.is(await inSpan('work', {}, async () => 7), 7)
  const began = performance.now()
  await stop()
  // The process stops waiting after 3 s. The exporter alone would wait for 10 s.
  t.true(performance.now() - began < 9_000)
})

test.serial('without the variables there are no spans, and nothing travels with a command', async t => {
  t.false(isTracing())
  t.is(await inSpan('work', {}, async span => span), undefined)
  t.is(traceParent(), undefined)
  await t.throwsAsync(
    inSpan('work', {}, async () => Promise.reject(new Error('as thrown'))),
    { message: 'as thrown' },
  )
})

test('the standard variables switch traces on and off', t => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const tracing = (env: NodeJS.ProcessEnv) => loadConfig(env).tracing
  t.is(tracing({}), undefined)
  t.is(tracing({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), undefined)
  t.is(tracing({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  t.deepEqual(tracing(endpoint), { base: 'always_on', parentBased: true, ratio: 1 })
  t.deepEqual(
    tracing({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }),
    { base: 'traceidratio', parentBased: true, ratio: 0.05 },
  )
  for (const wrong of [
    { OTEL_TRACES_SAMPLER: 'often' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
  ])
    t.throws(() => tracing({ ...endpoint, ...wrong }), {
      instanceOf: ConfigError,
      message: new RegExp(Object.keys(wrong)[0] ?? ''),
    })
})
