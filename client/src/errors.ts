/** What is thrown, and how a refusal is read. */
import type { ErrorBody } from './generated.ts'

/** The codes that the description knows; a later service may answer others. */
export type ErrorCode = ErrorBody['error']

/** A field and what is wrong with it. */
export type FieldFault = {
  /** `items[0].quantity`. A name that you made up is as you sent it, up to its first 200 characters. */
  readonly field: string
  readonly reason: string
}

type Facts = {
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}

/** Every error of this client; aborted calls throw their signal's reason instead. */
export class MillraceError extends Error {
  override readonly name: string = 'MillraceError'
  /** The write's key: sending the write again with it is safe, and settles whether it happened. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { idempotencyKey, cause }: Facts = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** The service answered, and it was no success. A refusal (4xx) had no effect. */
export class ApiError extends MillraceError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** The answer's `error`; `unexpected_answer` where it was none of the service's (a proxy's page). */
  readonly code: ErrorCode | 'unexpected_answer' | (string & {})
  /** Finds the request in the service's logs. */
  readonly request_id: string | null
  /** The fields that a `validation_failed` names. */
  readonly fields: readonly FieldFault[]
  /** Milliseconds after which the service asked to be tried again. */
  readonly retryAfterMs: number | undefined
  /** Requests that the key may send at once, as the answer says. */
  readonly rateRemaining: number | undefined

  constructor(
    answer: {
      readonly status: number
      readonly code: string
      readonly message: string
      readonly request_id: string | null
      readonly retryAfterMs?: number | undefined
      readonly rateRemaining?: number | undefined
    },
    facts: Facts = {},
  ) {
    super(answer.message, facts)
    this.status = answer.status
    this.code = answer.code
    this.request_id = answer.request_id
    this.fields = answer.code === 'validation_failed' ? fieldsOf(answer.message) : []
    this.retryAfterMs = answer.retryAfterMs
    this.rateRemaining = answer.rateRemaining
  }
}

/** No answer came. Whether a write happened is open: its `idempotencyKey` settles it. */
export class ConnectionError extends MillraceError {
  override readonly name: string = 'ConnectionError'
}

/** A service that knows no dry runs has done what was to be run dry. */
export class RealWriteError extends MillraceError {
  override readonly name: string = 'RealWriteError'
  /** Finds the write in the service's logs. */
  readonly request_id: string | null

  constructor(call: string, request_id: string | null) {
    super(`${call}: the service does not know dry runs, so this was a real write`)
    this.request_id = request_id
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
}

/**
 * Events are missing between two that a stream told one after the other. To ask for them again open a stream with `after` as its
 * `after_sequence`. Where they are no longer kept (`cause` says so) read the records anew.
 */
export class EventGapError extends MillraceError {
  override readonly name: string = 'EventGapError'
  /** The last event that was told. */
  readonly after: number
  /** The event that came next. It was not told. */
  readonly sequence: number

  constructor(after: number, sequence: number, cause?: unknown) {
    super(`the event stream went from sequence ${after} to ${sequence}: events between them are missing`, { cause })
    this.after = after
    this.sequence = sequence
  }
}

/** The error of an answer. `text` is its body. */
export function apiError(
  answer: {
    readonly status: number
    readonly text: string
    readonly request_id: string | null
    readonly retryAfterMs?: number | undefined
    readonly rateRemaining?: number | undefined
  },
  facts: Facts = {},
): ApiError {
  const { text, ...head } = answer
  const body = parsed(text)
  if (isErrorBody(body))
    return new ApiError({ ...head, code: body.error, message: body.message, request_id: body.request_id }, facts)
  const message = `HTTP ${head.status} with no answer of the service: ${text.slice(0, 200)}`
  return new ApiError({ ...head, code: 'unexpected_answer', message }, facts)
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function isErrorBody(value: unknown): value is { error: string; message: string; request_id: string } {
  if (typeof value !== 'object' || value === null) return false
  return ['error', 'message', 'request_id'].every(name => typeof (value as Record<string, unknown>)[name] === 'string')
}

/** `field: reason; field: reason`. A reason holds no `; `. A field that is not one word is a JSON string. */
function fieldsOf(message: string): readonly FieldFault[] {
  return message.split('; ').flatMap(fault => {
    const [, field = '', reason = ''] = /^("(?:[^"\\]|\\.)*"|[^\s":;]+): (.*)$/s.exec(fault) ?? []
    if (field === '') return []
    return [{ field: field.startsWith('"') ? String(parsed(field)) : field, reason }]
  })
}
