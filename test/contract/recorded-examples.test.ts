/** The documentation's examples are what the service answers today, and their amounts, sums, costs and statuses fit each other. */

import { API_PREFIX, refusalsOf } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { recordedExamples } from '../../lib/openapi/recorded-examples.ts'
import type { Method } from '../../lib/openapi/types.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import type { Loose } from '../support/command-context.ts'
import { ofTests } from '../support/of-file.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { faultsOf } from './coherence.ts'
import { ends, recordExamples } from './record-examples.ts'

const test = testsOf(import.meta)

const services = ofTests(test, testServices)

test.serial('the recorded examples are what a demo tenant is answered now', async t => {
  t.deepEqual(await recordExamples(services), recordedExamples, 'run `npm run examples && npm run openapi` and commit')
})

const HOUR_MS = 3_600_000

test.serial('every example works as it is printed in a demo tenant that is the first of its database', async t => {
  const own = await testServices()
  const service = await startService(own)
  try {
    const { token } = await createDemo(own.databaseUrl)
    await fillDemo(sendOver(service.url, token), line => t.fail(line))
    const document = openApiDocument(endpoints)
    const requests = endpoints
      .filter(({ kind }) => kind !== 'stream')
      .toSorted((a, b) => Number(ends(a)) - Number(ends(b)))
    const refused: string[] = []
    for (const { id, kind, method, path } of requests) {
      const operation = document.paths[`${API_PREFIX}${path}`]?.[method.toLowerCase() as Method]
      const url = new URL(`${service.url}${API_PREFIX}${path}`)
      for (const parameter of operation?.parameters ?? []) {
        if ('$ref' in parameter || parameter.example === undefined) continue
        if (parameter.in === 'query') url.searchParams.set(parameter.name, String(parameter.example))
        else url.pathname = url.pathname.replace(`%7B${parameter.name}%7D`, String(parameter.example))
      }
      const printed = operation?.requestBody?.content['application/json'].example as Loose
      // Times that lay ahead when the examples were recorded are in the past now.
      const body = printed?.expires_at ? { ...printed, expires_at: new Date(Date.now() + HOUR_MS) } : printed
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(kind === 'command' ? { 'idempotency-key': id } : {}),
      }
      const reply = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      const text = await reply.text()
      if (!reply.ok) refused.push(`${id}: ${text}`)
    }
    t.deepEqual(refused, [])
  } finally {
    await service.close()
    await own.close()
  }
})

test('every endpoint has a recorded example and nothing else has', t => {
  t.deepEqual(
    Object.keys(recordedExamples.endpoints),
    endpoints.map(({ id }) => id),
  )
})

test('every error that an endpoint may answer is recorded, but for those that nobody can provoke', t => {
  const declared = new Set(endpoints.flatMap(refusalsOf))
  const missing = [...declared].filter(code => recordedExamples.errors[code] === undefined)
  t.deepEqual(missing.sort(), ['internal_error', 'service_unavailable'])
  for (const [code, { error }] of Object.entries(recordedExamples.errors)) t.is(error, code)
})

test('the recorded examples add up: lines, tax, totals, stock, costs, refunds; and no status contradicts its fields', t => {
  const faults = Object.entries(recordedExamples.endpoints).flatMap(([id, { reply }]) =>
    faultsOf(reply).map(fault => `${id}: ${fault}`),
  )
  t.deepEqual(faults, [])
})

// One fault of each kind shows that the check finds them.
const order = (recordedExamples.endpoints['getSalesOrder']?.reply ?? {}) as Loose
const made = (recordedExamples.endpoints['getManufacturingOrder']?.reply ?? {}) as Loose
const adjusted = (recordedExamples.endpoints['getStockAdjustment']?.reply ?? {}) as Loose
const { data } = (recordedExamples.endpoints['listStock']?.reply ?? {}) as Loose
const broken: readonly (readonly [name: string, value: Loose, fault: RegExp])[] = [
  ['a line of which the amount', { ...order, items: [{ ...order.items[0], line_amount: 0 }] }, /^line_amount is 0/],
  [
    'a line of which the tax',
    { ...order, items: [{ ...order.items[0], line_tax_amount: 0 }] },
    /^line_tax_amount is 0/,
  ],
  ['an order of which the total', { ...order, total_amount: 150 }, /^total_amount is 150/],
  [
    'an open order with a canceller that',
    { ...order, cancelled_by_user_id: '1042', status: 'OPEN' },
    /^cancelled_by_user_id/,
  ],
  [
    'a shipped order that is open and',
    { ...order, status: 'OPEN', delivery_status: 'SHIPPED' },
    /^OPEN though SHIPPED/,
  ],
  [
    'a done order of which the cost in progress',
    { ...made, actual_cost: { ...made.actual_cost, wip_cost: 1 } },
    /^wip_cost is 1/,
  ],
  ['a unit cost that', { ...made, actual_cost: { ...made.actual_cost, unit_cost: 1 } }, /^unit_cost is 1/],
  ['a done order that never started and', { ...made, started_at: null }, /^started_at is null/],
  [
    'an adjustment of which a line',
    { ...adjusted, items: [{ ...adjusted.items[0], quantity_after: 1 }] },
    /^quantity_after is 1/,
  ],
  ['an available quantity that', { ...data[0], available_quantity: 1 }, /^available_quantity is 1/],
]
for (const [name, value, fault] of broken) {
  test(`${name} does not hold is seen`, t => {
    t.true(
      faultsOf({ data: [value] }).some(text => fault.test(text)),
      faultsOf(value).join('; '),
    )
  })
}
