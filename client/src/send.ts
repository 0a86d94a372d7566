/**
 * One call: its attempts, the waits between them, and what is thrown in the end. What may be repeated is decided here alone.
 */
import { ApiError, apiError, ConnectionError, parsed, RealWriteError, TimeoutError } from './errors.ts'
import type { ReadOptions } from './options.ts'
import type { AnswerHeaders, ByteStream, Fetch, Signal } from './platform.ts'

export type Settings = {
  readonly baseUrl: string
  readonly token: () => string | Promise<string>
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly maxRetryAfterMs: number
  readonly fetch: Fetch
  readonly parse: (text: string) => unknown
}

export type Request = {
  readonly method: string
  /** Below the interface's prefix, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The caller waits for the key's rate itself: a 429 `rate_limited` is not repeated. */
  readonly waitsForRate?: boolean | undefined
  readonly isDryRun?: boolean | undefined
}

/** A success: its body parsed (undefined without one), and its headers. */
export type Answer = { readonly status: number; readonly headers: AnswerHeaders; readonly body: unknown }

const PREFIX = '/api/external/v1'
const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 8_000

/**
 * Sends a request until it is answered for good. Throws ApiError, ConnectionError, TimeoutError, RealWriteError, or the signal's
 * reason.
 */
export async function send(settings: Settings, request: Request, options: ReadOptions = {}): Promise<Answer> {
  const answer = await repeated(settings, request, options, () =>
    attempt(settings, request, options, async response => {
      const text = await response.text()
      const body = text === '' ? undefined : await parsed(text, settings.parse)
      if (!response.ok || (body === undefined && text !== '')) throw refusalOf(response, text, request)
      return { status: response.status, headers: response.headers, body }
    }),
  )
  const { method, path, isDryRun = false } = request
  if (isDryRun && answer.headers.get('dry-run') !== 'true')
    throw new RealWriteError(`${method} ${path}`, answer.headers.get('x-request-id'))
  return answer
}

/** As `send`, for an answer that is read while it comes. */
export function open(settings: Settings, request: Request, options: ReadOptions = {}): Promise<ByteStream> {
  return repeated(settings, request, options, () =>
    attempt(settings, request, options, async response => {
      if (!response.ok || !response.body) throw refusalOf(response, await response.text(), request)
      return response.body
    }),
  )
}

async function repeated<T>(
  settings: Settings,
  { waitsForRate }: Request,
  options: ReadOptions,
  run: () => Promise<T>,
): Promise<T> {
  const maxRetries = options.maxRetries ?? settings.maxRetries
  for (let retries = 0; ; retries++) {
    try {
      return await run()
    } catch (error) {
      if (waitsForRate && error instanceof ApiError && error.code === 'rate_limited') throw error
      const waitMs = waitBeforeRetry(error, retries, settings.maxRetryAfterMs)
      if (retries >= maxRetries || waitMs === undefined) throw error
      await sleep(waitMs, options.signal)
    }
  }
}

async function attempt<T>(
  settings: Settings,
  { method, path, headers, body, idempotencyKey, isDryRun = false }: Request,
  { signal, timeoutMs = settings.timeoutMs }: ReadOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const sent = new Headers({ ...headers, authorization: `Bearer ${await settings.token()}` })
  if (isDryRun) sent.set('dry-run', 'true')
  const controller = new AbortController()
  const stop = () => controller.abort()
  signal?.addEventListener('abort', stop)
  const timer = setTimeout(stop, timeoutMs)
  try {
    const response = await settings.fetch(`${settings.baseUrl}${PREFIX}${path}`, {
      method,
      headers: sent,
      signal: controller.signal,
      ...(body === undefined ? {} : { body }),
      // Followed, a POST would become a GET.
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
    })
    return await read(response)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    signal?.throwIfAborted()
    const call = `${method} ${path.split('?')[0]}`
    if (controller.signal.aborted)
      throw new TimeoutError(`${call}: no answer within ${timeoutMs} ms`, { idempotencyKey })
    throw new ConnectionError(`${call}: ${reasonOf(cause)}`, { idempotencyKey, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** `fetch failed` says nothing; what stands behind it does. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}

function refusalOf({ status, headers }: Response, text: string, { idempotencyKey }: Request): ApiError {
  const retryAfterMs = retryAfterOf(headers.get('retry-after'))
  const remaining = headers.get('ratelimit-remaining')
  const rateRemaining = remaining === null ? undefined : Number(remaining)
  const head = { status, request_id: headers.get('x-request-id'), retryAfterMs, rateRemaining }
  return apiError({ ...head, text }, { idempotencyKey })
}

/** Seconds or an HTTP date, as milliseconds from now. */
function retryAfterOf(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** Undefined: not to be repeated. */
function waitBeforeRetry(error: unknown, retries: number, maxRetryAfterMs: number): number | undefined {
  if (error instanceof ConnectionError) return backoff(retries)
  if (!(error instanceof ApiError)) return undefined
  const { status, retryAfterMs = 0 } = error
  const isPassing = status === 408 || status === 429 || status >= 500
  return isPassing && retryAfterMs <= maxRetryAfterMs ? Math.max(retryAfterMs, backoff(retries)) : undefined
}

/** Doubles each time; half of it is left to chance, so that clients that failed together come back apart. */
export function backoff(retries: number, maxMs: number = BACKOFF_MS_MAX): number {
  return Math.min(maxMs, BACKOFF_MS * 2 ** Math.min(retries, 20)) * (0.5 + Math.random() / 2)
}

export async function sleep(ms: number, signal: Signal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>(resolve => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal?.addEventListener('abort', wake)
  })
  signal?.throwIfAborted()
}
