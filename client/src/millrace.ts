/** The client itself. */
import type { BulkOptions, BulkResult, BulkResults } from './bulk.ts'
import type { Entry } from './entry.ts'
import { apiError } from './errors.ts'
import { Api, type Bulk } from './generated.ts'
import type { ClientOptions } from './options.ts'
import { remember } from './response.ts'
import { type Settings, send } from './send.ts'
import { httpTransport } from './transport.ts'

/**
 * A client of one tenant's key. It holds no connection and no state, so that one serves a whole program.
 *
 *     const millrace = new Millrace({ baseUrl: 'https://api.example.com', token: 'mrk_...' })
 *     const order = await millrace.salesOrders.get('1042')
 */
export class Millrace extends Api {
  readonly #settings: Settings

  constructor(options: ClientOptions) {
    const settings = settingsOf(options)
    super(httpTransport(settings))
    this.#settings = settings
  }

  /**
   * Runs up to 100 writes with one request, in their order. Entries are made by `writes`; every result is typed by its entry, and
   * what was refused is a result too. It is repeated like every call: what an earlier attempt did is replayed.
   */
  async bulk<const Given extends readonly Entry<unknown>[]>(
    requests: Given,
    { mode, ...options }: BulkOptions = {},
  ): Promise<BulkResults<Given>> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const request = { method: 'POST', path: '/bulk', headers, body: JSON.stringify({ mode, requests }) }
    const answer = await send(this.#settings, request, options)
    const request_id = answer.headers.get('x-request-id')
    const results = (answer.body as Bulk).results.map(result => resultOf(result, request_id))
    return results as BulkResults<Given>
  }
}

function resultOf(
  { idempotency_key, status, replayed, etag, body }: Bulk['results'][number],
  request_id: string | null,
): BulkResult<unknown> {
  const common = { idempotency_key, status: Number(status), replayed }
  if (common.status >= 400) {
    const error = apiError({ status, text: JSON.stringify(body), request_id }, { idempotencyKey: idempotency_key })
    return { ...common, ok: false, error }
  }
  return {
    ...common,
    ok: true,
    body: remember(body ?? undefined, { status, request_id, etag, event_sequence: null, replayed }),
  }
}

function settingsOf({ baseUrl, token, timeoutMs = 30_000, maxRetries = 2, ...options }: ClientOptions): Settings {
  if (baseUrl !== '' && !URL.canParse(baseUrl)) throw new TypeError(`baseUrl: not an address: ${baseUrl}`)
  const { maxRetryAfterMs = 60_000, fetch = globalThis.fetch, parse = JSON.parse } = options
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: typeof token === 'string' ? () => token : token,
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    // Browsers refuse a fetch that is called as a method.
    fetch: (url, init) => fetch(url, init),
    parse: text => parse(text),
  }
}
