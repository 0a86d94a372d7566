/**
 * Generated garbage at every endpoint: the answer is never a 500, always comes, always has the error shape, and the service keeps serving.
 * FUZZ_REQUESTS extends a run, FUZZ_SEED repeats it.
 */
import fc from 'fast-check'
import { refusalsOf } from '../../lib/kit/api/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../../lib/kit/api/errors.ts'
import { endpoints } from '../../lib/nouns.ts'
import { PATIENCE_MS } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { type Garbage, garbage } from './garbage.ts'

const test = testsOf(import.meta)

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 500)
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const LANES = 8

const service = await serviceOfFile({ env: { TRUST_PROXY: 'true' } })

test(`${REQUESTS} broken requests get a clear answer each`, async t => {
  const client = await service.tenant()
  const requests = fc.sample(garbage(endpoints), { numRuns: REQUESTS, seed: SEED })
  const faults: string[] = []
  const statuses = new Map<number, number>()
  let next = 0
  const lane = async () => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const fault = await send(request, client.token, statuses)
      if (fault) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  t.deepEqual(faults.slice(0, 5), [], `${faults.length} faults, FUZZ_SEED=${SEED}`)
  t.is((await client.get('/products')).status, 200)
  t.log(
    `seed ${SEED}; ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
  )
})

/** Sends the request. Returns what is wrong with the answer, in words. undefined: nothing is wrong. */
async function send(
  { endpoint, path, body, headers }: Garbage,
  token: string,
  statuses: Map<number, number>,
): Promise<string | undefined> {
  const what = `${endpoint.method} ${path} ${typeof body === 'string' ? body.slice(0, 300) : (body?.length ?? '')} ${JSON.stringify(headers)}`
  try {
    const response = await fetch(`${service.url}/api/external/v1${path}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': crypto.randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    // An event stream that was opened does not end, so its body is not read.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return void response.body?.cancel()
    const text = await response.text()
    if (response.status < 300) return undefined
    const answer = JSON.parse(text) as Record<string, unknown>
    const code = String(answer['error'])
    // HTTP clients resolve `..` before they send. The path is then the root of the API, which can only be read.
    const elsewhere = path.includes('/..') ? ['not_found', 'method_not_allowed'] : ['not_found']
    const declared =
      (refusalsOf(endpoint) as readonly string[]).includes(code) || (path.includes('/') && elsewhere.includes(code))
    const shaped =
      Object.keys(answer).sort().join() === 'error,message,request_id' &&
      Object.values(answer).every(value => typeof value === 'string')
    const status = errorCatalogue().get(code as ErrorCode)?.status
    return shaped && declared && status === response.status && response.status < 500
      ? undefined
      : `${what}: ${response.status} ${text.slice(0, 300)}`
  } catch (error) {
    return `${what}: ${(error as Error).message} ${String((error as Error).cause ?? '')}`
  }
}
