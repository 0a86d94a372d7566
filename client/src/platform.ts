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
