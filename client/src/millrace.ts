/** The client itself. */
import type { BulkOptions, BulkResults } from './bulk.ts'
import type { Entry } from './entry.ts'
import { Api } from './generated.ts'
import type { ClientOptions } from './options.ts'
import type { Settings } from './send.ts'
import { sendBulk } from './send-bulk.ts'
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
   * Runs up to 100 writes, in their order. Entries are made by `writes`; every result is typed by its entry, and what was refused is a
   * result too. It is one request where the key's rate allows it at once. Else `each` sends the entries in parts and `all` waits. It is
   * repeated like every call. Where it throws send the same entries again: what is done is replayed.
   */
  async bulk<const Given extends readonly Entry<unknown>[]>(
    requests: Given,
    options: BulkOptions = {},
  ): Promise<BulkResults<Given>> {
    return (await sendBulk(this.#settings, requests, options)) as BulkResults<Given>
  }
}

/** What an option says, or its default. */
export function settingsOf({
  baseUrl,
  token,
  timeoutMs = 30_000,
  maxRetries = 2,
  ...options
}: ClientOptions): Settings {
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
