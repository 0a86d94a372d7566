import fc from 'fast-check'
import { causeOf, classOf, codeOf } from '../../lib/security/counted.ts'
import { hashNetwork, networkOf } from '../../lib/security/network.ts'
import { groupOf, levelOf, metricNames, metricsOf } from '../../lib/security/rules.ts'
import { spanOf } from '../../lib/security/span.ts'
import { type Cell, type Counted, Tally } from '../../lib/security/tally.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('a ratio of 3 is ELEVATED and of 10 HIGH, exactly at the bound', t => {
  for (const hasHistory of [true, false]) {
    t.is(levelOf(29, 70, hasHistory), 'NORMAL') // a mean of 10
    t.is(levelOf(30, 70, hasHistory), 'ELEVATED')
    t.is(levelOf(99, 70, hasHistory), 'ELEVATED')
    t.is(levelOf(100, 70, hasHistory), 'HIGH')
    t.is(levelOf(3, 7, hasHistory), 'ELEVATED')
    t.is(levelOf(0, 7, hasHistory), 'NORMAL')
  }
})

test('what the baseline never saw is ELEVATED from 10 on, however many more', t => {
  t.is(levelOf(9, 0, true), 'NORMAL')
  t.is(levelOf(10, 0, true), 'ELEVATED')
  t.is(levelOf(1_000_000, 0, true), 'ELEVATED')
})

test('a tenant without a request in the baseline is ELEVATED from 100 on; one request there makes it 10', t => {
  const today = { requests: 120, responses_2xx: 99, responses_4xx: 21, unauthorized: 10, forbidden: 9 }
  const levels = (baseline: Record<string, number>[]) =>
    Object.fromEntries(
      metricsOf([...baseline, ...Array.from({ length: 7 - baseline.length }, () => ({})), today])
        .filter(({ name }) => name in today)
        .map(({ name, level }) => [name, level]),
    )
  const first = {
    requests: 'ELEVATED',
    responses_2xx: 'NORMAL',
    responses_4xx: 'NORMAL',
    unauthorized: 'NORMAL',
    forbidden: 'NORMAL',
  }
  t.deepEqual(levels([]), first)
  // Counts of new keys and failed deliveries are no requests.
  t.deepEqual(levels([{ keys_created: 2, webhook_failures: 5 }]), first)
  t.deepEqual(levels([{ requests: 1, responses_2xx: 1 }]), {
    requests: 'HIGH',
    responses_2xx: 'HIGH',
    responses_4xx: 'ELEVATED',
    unauthorized: 'ELEVATED',
    forbidden: 'NORMAL',
  })
})

test('mean, maximum and ratio are of the seven days before, days without counts included', t => {
  const days = [{ forbidden: 5 }, {}, { forbidden: 9 }, {}, {}, {}, {}, { forbidden: 12, keys_created: 1 }]
  const metrics = metricsOf(days)
  t.deepEqual(column(metrics, 'name'), [...metricNames])
  const named = new Map(metrics.map(metric => [metric.name, metric]))
  t.deepEqual(named.get('forbidden'), {
    name: 'forbidden',
    count: 12,
    baseline_daily_mean: 2,
    baseline_daily_max: 9,
    ratio: 6,
    level: 'ELEVATED',
  })
  t.like(named.get('keys_created'), { count: 1, ratio: null, level: 'NORMAL' })
  t.like(named.get('requests'), { count: 0, baseline_daily_mean: 0, baseline_daily_max: 0, ratio: null })
})

test('an answer falls under its class and at most one cause', t => {
  const cause = (status: number, refusal?: Parameters<typeof causeOf>[0]['refusal'], replayed = false) =>
    causeOf({ status, refusal, replayed })
  t.deepEqual([200, 204, 404, 503].map(classOf), [
    codeOf.responses_2xx,
    codeOf.responses_2xx,
    codeOf.responses_4xx,
    codeOf.responses_5xx,
  ])
  t.is(cause(201), undefined)
  t.is(cause(201, undefined, true), codeOf.idempotency_replays)
  t.is(cause(400, { refusal: 'validation_failed' }), undefined)
  t.is(cause(400, { refusal: 'validation_failed', reason: 'reference' }), codeOf.foreign_references)
  t.is(cause(409, { refusal: 'conflict' }), codeOf.idempotency_conflicts)
  t.is(cause(409, { refusal: 'insufficient_stock' }), undefined)
  t.is(cause(429, { refusal: 'document_quota_exceeded' }), codeOf.quota_exceeded)
})

test('a group below five is hidden', t => {
  t.deepEqual([0, 1, 4, 5, 6].map(groupOf), [null, null, null, 5, 6])
})

test('a network is a /24 or a /48', t => {
  t.is(networkOf('198.51.100.7'), '198.51.100')
  t.is(networkOf('2001:db8:1:2::3'), '2001:db8:1')
  t.is(networkOf('2001:db8::3'), '2001:db8:0')
  t.is(networkOf('2001:db8:0:2:3:4:5:6'), '2001:db8:0')
  t.is(networkOf('2001::1:2:3:4:5'), '2001:0:0')
  t.is(networkOf('2001::1:2:3:4:5:6'), '2001:0:1')
  t.is(networkOf('::1'), '0:0:0')
  t.is(networkOf('::'), '0:0:0')
  t.is(networkOf('unknown'), undefined)
})

test('a hashed network is not known again under another key, tenant or day', t => {
  const hash = (key: number, tenantId: string, keyId: string) =>
    hashNetwork(Buffer.alloc(32, key), { tenantId, keyId, network: '198.51.100' })
  t.is(hash(1, '1', '2'), hash(1, '1', '2'))
  t.is(new Set([hash(1, '1', '2'), hash(2, '1', '2'), hash(1, '3', '2'), hash(1, '1', '4')]).size, 4)
})

test('a window is cut at its seconds, and a bound within a second takes the second in', t => {
  const start = Date.parse('2026-11-20T05:00:00Z') / 1000
  t.deepEqual(spanOf('2026-11-20T05:00:00.000Z'), {
    baselineStart: start - 7 * 86_400,
    windowStart: start,
    windowEnd: start + 86_400,
    cutHours: [],
  })
  const cut = spanOf('2026-11-20T05:00:17.250Z')
  t.is(cut.windowStart, start + 17)
  t.is(cut.windowEnd, start + 86_400 + 18)
  t.is(cut.cutHours.length, 9)
  t.is(cut.cutHours[8], start / 3600 + 24)
})

const counted: Counted = {
  tenantId: '1',
  keyId: '2',
  method: 'GET',
  route: '/stock',
  second: 1_000_000,
  classCode: codeOf.responses_2xx,
  causeCodes: [],
  network: '198.51.100',
}

test('a flood of keys and networks meets a bound, what found no room is told, and a known key still counts', t => {
  const tally = new Tally()
  for (let n = 0; n < 200_000; n++) tally.request({ ...counted, keyId: String(n), network: `10.${n >> 8}.${n & 255}` })
  t.is(tally.size, 50_000)
  t.is([...tally.cells].filter(({ network }) => network !== undefined).length, 20_000)
  t.is(tally.dropped, 180_000 + 150_000)
  for (let n = 0; n < 100; n++) tally.request({ ...counted, keyId: '49999', network: `11.0.${n}` })
  t.is([...tally.cells].find(({ keyId }) => keyId === '49999')?.count, 101)
})

test('whatever comes after whatever, each request is counted where it belongs', t => {
  const request = fc.record({
    tenantId: fc.constantFrom('1', '2'),
    keyId: fc.constantFrom('3', '4'),
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/stock', '/products'),
    // Times on both sides of a day's end.
    second: fc.integer({ min: 86_395, max: 86_405 }),
    classCode: fc.constantFrom(codeOf.responses_2xx, codeOf.responses_4xx),
    causeCodes: fc.subarray([codeOf.forbidden, codeOf.not_found]),
    network: fc.constantFrom('198.51.100', '203.0.113', undefined),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 30 }), list => {
      const tally = new Tally()
      for (const one of list) tally.request(one)
      const expected: Record<string, number> = {}
      for (const { tenantId, keyId, second, method, route, classCode, causeCodes, network } of list) {
        const names = [`${classCode} ${method} ${route} ${network}`, ...causeCodes.map(cause => `${cause}   undefined`)]
        for (const name of names.map(name => `${tenantId} ${keyId} ${second} ${name}`))
          expected[name] = (expected[name] ?? 0) + 1
      }
      const nameOf = ({ tenantId, keyId, second, metric, method, route, network }: Cell) =>
        `${tenantId} ${keyId} ${second} ${metric} ${method} ${route} ${network}`
      t.deepEqual(Object.fromEntries(tally.cells.map(cell => [nameOf(cell), cell.count])), expected)
    }),
  )
})

test('a busy second costs one cell', t => {
  const tally = new Tally()
  for (let n = 0; n < 10_000; n++) tally.request(counted)
  t.deepEqual(
    [...tally.cells].map(({ count }) => count),
    [10_000],
  )
})
