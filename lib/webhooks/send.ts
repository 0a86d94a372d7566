/** Makes one attempt: sends the stored bytes once and returns the result, with a reason if it failed. */
import { Agent, type Dispatcher } from 'undici'
import { type ConnectorOptions, ForbiddenTarget, guardedConnector } from './guarded-connector.ts'
import { readRetryAfter } from './schedule-rules.ts'

const ANSWER_BYTES_MAX = 16 * 1024
const ANSWER_HEADER_BYTES_MAX = 16 * 1024
/** The status decides the result. The rest of the body is read for this long, so that the connection can be used again. */
const REST_MS_MAX = 1_000
const KEEP_ALIVE_MS = 4_000

export type Attempt = {
  readonly isSuccess: boolean
  /** Null without an answer. */
  readonly responseStatus: number | null
  readonly durationMs: number
  /** Why it failed, for people; null for a success. */
  readonly reason: string | null
  /** The wait that 429 and 503 ask for. */
  readonly retryAfterMs: number
  /** Whether no answer came within the whole time limit. */
  readonly isSilent?: boolean
}

export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Sender = {
  /** Never throws. */
  send(message: Message): Promise<Attempt>
  close(): Promise<void>
}

export type SenderOptions = ConnectorOptions & { readonly totalTimeoutMs: number; readonly now: () => number }

/** A sender with its own connections. Requests to different receivers share nothing. */
export function createSender(options: SenderOptions): Sender {
  const { totalTimeoutMs, connectTimeoutMs, now } = options
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    headersTimeout: 0, // the signal below ends every wait
    bodyTimeout: 0,
  })
  const timeouts = { totalTimeoutMs, connectTimeoutMs }
  return {
    send: async message => {
      const began = performance.now()
      const took = () => Math.round(performance.now() - began)
      const signal = AbortSignal.timeout(totalTimeoutMs)
      try {
        const answer = await agent.request({ ...requestOf(message), signal })
        const durationMs = took()
        await dropBody(answer)
        return { ...readAnswer(answer, now()), durationMs }
      } catch (error) {
        const reason = signal.aborted ? `no answer within ${seconds(totalTimeoutMs)} s` : reasonOf(error, timeouts)
        const isSilent = signal.aborted || TIMEOUTS.has(codeOf(error))
        return { isSuccess: false, responseStatus: null, durationMs: took(), reason, retryAfterMs: 0, isSilent }
      }
    },
    close: () => agent.destroy(),
  }
}

function requestOf({ url, headers, body }: Message): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search, method: 'POST', headers, body }
}

async function dropBody({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump({ limit: ANSWER_BYTES_MAX, signal: AbortSignal.timeout(REST_MS_MAX) }).catch(() => {})
}

function readAnswer({ statusCode, headers }: Dispatcher.ResponseData, nowMs: number): Omit<Attempt, 'durationMs'> {
  const isSuccess = statusCode >= 200 && statusCode < 300
  const retryAfter = headers['retry-after']
  const retryAfterMs = isBusy(statusCode) ? readRetryAfter([retryAfter].flat()[0], nowMs) : undefined
  return {
    isSuccess,
    responseStatus: statusCode,
    reason: isSuccess ? null : wordsOf(statusCode),
    retryAfterMs: retryAfterMs ?? 0,
  }
}

const isBusy = (status: number) => status === 429 || status === 503

function wordsOf(status: number): string {
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`
  if (status === 410) return 'HTTP 410: the receiver is gone for good'
  return `HTTP ${status}`
}

const seconds = (ms: number) => Math.round(ms / 100) / 10

/** Texts for the error codes of Node, undici and OpenSSL. They contain nothing about this service's network. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the network is not reachable',
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name does not resolve',
  EAI_AGAIN: 'the name could not be looked up',
  ESERVFAIL: 'the name could not be looked up',
  ETIMEOUT: 'the name could not be looked up',
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
}

/** Time-outs of the connection, and of the look-up of the name. */
const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'ETIMEOUT'])

function reasonOf(error: unknown, timeouts: { readonly connectTimeoutMs: number }): string {
  if (error instanceof ForbiddenTarget) return error.message
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return `no connection within ${seconds(timeouts.connectTimeoutMs)} s`
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not valid HTTP'
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return `the TLS connection failed (${code})`
  return reasons[code] ?? 'the request failed'
}

/** The code of an error, or of its first cause that has one. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string') return code
    if (at instanceof AggregateError) return codeOf(at.errors[0])
  }
  return ''
}
