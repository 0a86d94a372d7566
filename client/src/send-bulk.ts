/** Sends a bulk, which takes as many requests of the key's rate as it has entries, all at once: in parts where it may be split. */
import type { BulkOptions, BulkResult } from './bulk.ts'
import type { Entry } from './entry.ts'
import { ApiError, apiError } from './errors.ts'
import type { Bulk, Me } from './generated.ts'
import type { ReadOptions } from './options.ts'
import { remember } from './response.ts'
import { type Settings, send, sleep } from './send.ts'

/** Where nothing is left of the rate, so long is waited before it is asked again how much there is. */
const RATE_WAIT_MS = 1_000

/** The results of all entries, in their order. A part is sent when the one before it was answered, so that entries run in order. */
export async function sendBulk(
  settings: Settings,
  requests: readonly Entry<unknown>[],
  { mode, dryRun: isDryRun = false, ...options }: BulkOptions,
): Promise<BulkResult<unknown>[]> {
  const { maxRetries = settings.maxRetries } = options
  const results: BulkResult<unknown>[] = []
  let size = requests.length
  let burst = Number.POSITIVE_INFINITY
  let waitedMs = 0
  do {
    const part = requests.slice(results.length, results.length + Math.min(size, burst))
    try {
      results.push(...(await sendPart(settings, { mode, requests: part, isDryRun }, options)))
      size = requests.length
      waitedMs = 0
    } catch (error) {
      if (!(error instanceof ApiError) || maxRetries === 0) throw error
      const { rateRemaining = 0, retryAfterMs = RATE_WAIT_MS } = error
      if (mode !== 'all' && isOverBurst(error)) {
        burst = await burstOf(settings, options)
        if (part.length <= burst) throw error
      } else if (error.code !== 'rate_limited') {
        throw error
      } else if (mode !== 'all' && rateRemaining > 0 && part.length > 1) {
        size = Math.min(rateRemaining, part.length - 1)
      } else {
        const waitMs = mode === 'all' ? retryAfterMs : Math.min(retryAfterMs, RATE_WAIT_MS)
        waitedMs += waitMs
        if (waitedMs > settings.maxRetryAfterMs) throw error
        await sleep(waitMs, options.signal)
      }
    }
  } while (results.length < requests.length)
  return results
}

async function sendPart(
  settings: Settings,
  {
    mode,
    requests,
    isDryRun,
  }: {
    readonly mode: BulkOptions['mode']
    readonly requests: readonly Entry<unknown>[]
    readonly isDryRun: boolean
  },
  options: ReadOptions,
): Promise<BulkResult<unknown>[]> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  // Without keys a service that knows no dry runs refuses the bulk.
  const sent = isDryRun ? requests.map(({ idempotency_key: _, ...entry }) => entry) : requests
  const body = JSON.stringify({ mode, requests: sent })
  const request = { method: 'POST', path: '/bulk', headers, body, isDryRun, waitsForRate: true }
  const answer = await send(settings, request, options)
  const request_id = answer.headers.get('x-request-id')
  return (answer.body as Bulk).results.map((result, at) => {
    const idempotency_key = requests[at]?.idempotency_key ?? ''
    return resultOf({ ...result, idempotency_key }, request_id)
  })
}

/** A bulk of more entries than the key's burst can never pass as a whole. */
const isOverBurst = ({ code, fields }: ApiError): boolean =>
  code === 'validation_failed' && fields.some(({ field }) => field === 'requests')

async function burstOf(settings: Settings, options: ReadOptions): Promise<number> {
  const request = { method: 'GET', path: '/me', headers: { accept: 'application/json' } }
  return ((await send({ ...settings, parse: JSON.parse }, request, options)).body as Me).rate.burst
}

function resultOf(
  { idempotency_key, status, replayed, etag, body }: Bulk['results'][number] & { readonly idempotency_key: string },
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
