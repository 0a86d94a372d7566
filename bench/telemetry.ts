/** The rows of the security telemetry: what counting costs a read and a write. */
import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { adjust, type Step } from './chains.ts'
import { requestBytes } from './http-client.ts'
import type { Bench } from './in-turn.ts'
import { switchedResults } from './switched.ts'
import type { Result } from './table.ts'
import { write } from './writes.ts'

export const telemetryResults = (bench: Bench): Promise<Result[]> =>
  switchedResults(bench, 'telemetry', [
    {
      name: 'GET /products/{id}, 16 clients: counted for the telemetry, beside not',
      clients: 16,
      bytesOf: ({ token, productId }) =>
        requestBytes({ method: 'GET', path: `${API_PREFIX}/products/${productId}`, token }),
      status: 200,
    },
    {
      name: `${adjust.name}, 64 clients: counted for the telemetry, beside not`,
      clients: 64,
      bytesOf: tenant => write(tenant, adjust.steps[0] as Step),
      status: 201,
    },
  ])
