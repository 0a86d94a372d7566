/**
 * The platform's own types, where a program knows them: browsers and Node declare them in different places, and a program
 * that has neither must compile against this package too.
 */

/** `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean; readonly reason: unknown }

/** `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Known }
  ? Known
  : (url: string, init: object) => Promise<unknown>

/** `Headers` of an answer. */
export type AnswerHeaders = typeof globalThis extends { Headers: { prototype: infer Known } }
  ? Known
  : { get(name: string): string | null }

/** `ReadableStream`. */
export type ByteStream = typeof globalThis extends { ReadableStream: { prototype: infer Known } } ? Known : object
