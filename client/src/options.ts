/** What a caller may set: for the client, and for one call. */
import type { Fetch, Signal } from './platform.ts'

/** How a client is made. */
export type ClientOptions = {
  /** The service's address, `https://api.example.com`; in a browser `''` stands for the page's own. */
  readonly baseUrl: string
  /** The API key (`mrk_...`), or what tells the present one: it is asked before every attempt. */
  readonly token: string | (() => string | Promise<string>)
  /** Milliseconds that one attempt may take, its answer read. Default: 30,000; the service itself answers within 15,000. */
  readonly timeoutMs?: number | undefined
  /** How often a call is repeated after its first attempt. Default: 2. */
  readonly maxRetries?: number | undefined
  /**
   * The longest wait that a `Retry-After` may ask for, in milliseconds. Default: 60,000. An answer that asks for more (a spent
   * daily quota does) is thrown at once, with `retryAfterMs`.
   */
  readonly maxRetryAfterMs?: number | undefined
  /** Used instead of the global `fetch`: for a proxy, a log, a test. */
  readonly fetch?: Fetch | undefined
  /**
   * Used instead of `JSON.parse` for what was answered without an error: with a reviver that keeps `context.source`, decimals
   * stay as the service wrote them (the types still say number). What it answers is awaited.
   */
  readonly parse?: ((text: string) => unknown) | undefined
}

/** Options of every call. */
export type ReadOptions = {
  /** Ends the call, its waits and repeats; what is thrown then is the signal's reason. */
  readonly signal?: Signal | undefined
  /** As `ClientOptions.timeoutMs`, for this call. */
  readonly timeoutMs?: number | undefined
  /** As `ClientOptions.maxRetries`, for this call. */
  readonly maxRetries?: number | undefined
}

export type WriteOptions = ReadOptions & {
  /**
   * The name of this one effect, 1 to 200 characters; made for the call where none is given, and kept over its retries. Give
   * one of your own (your order's id) where a later run of your program must not repeat what this one did.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Answers what the write would answer now, and writes nothing. Ids and numbers of new records are provisional, and the answer carries no
   * ETag. No key is sent. Where a service writes all the same, `RealWriteError` is thrown.
   */
  readonly dryRun?: boolean | undefined
}

/** Options of a write that may be bound to a record as it was read. */
export type ConditionalOptions = WriteOptions & {
  /**
   * The record as `get`, `create`, `update` or a step of it answered, an ETag, or `*`. Where it is another by now, the write is
   * refused with `precondition_failed`. Rows of lists and copies of a record carry no ETag and are a TypeError.
   */
  readonly ifMatch?: object | string | undefined
}

export type StreamOptions = {
  /** Ends the stream; what is thrown then is the signal's reason. To end it from within leave the loop with `break`. */
  readonly signal?: Signal | undefined
  /**
   * Milliseconds without a byte after which a connection counts as dead. Default: 45,000; the service sends a comment every 15,000.
   */
  readonly idleTimeoutMs?: number | undefined
}
