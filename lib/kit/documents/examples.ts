/** Examples of a noun: calls that lead to its events, and its step of the demo. Both use the API as any caller does. */

// biome-ignore lint/suspicious/noExplicitAny: an example reads a field or two of an answer
export type Answer = any

/** Paths are below the API's prefix. A refused call rejects. */
export type Caller = {
  readonly get: (path: string) => Promise<Answer>
  /** Without a body an empty one is sent. */
  readonly post: (path: string, body?: object) => Promise<Answer>
  readonly patch: (path: string, body: object) => Promise<Answer>
  readonly remove: (path: string) => Promise<unknown>
}

/** Causes an event. It makes records of its own, so that no existing record changes. */
export type EventExample = (caller: Caller) => Promise<unknown>
/** The examples by the kinds of events: `sales_order.created`. */
export type EventExamples = Readonly<Record<string, EventExample>>

/** Makes a record of a noun, and returns its id. */
export type Maker = (caller: Caller) => Promise<string>

/** Makes a record with this body. */
export const posted =
  (path: string, body: object): Maker =>
  async ({ post }) =>
    (await post(path, body)).id

/** Makes a record at this path, and changes it. */
export const patched =
  (path: string, make: Maker, body: object) =>
  async (caller: Caller): Promise<Answer> =>
    caller.patch(`${path}/${await make(caller)}`, body)

/** Makes a record at this path, and applies the verb to it. */
export const acted =
  (path: string, make: Maker, verb: string, body: object = {}) =>
  async (caller: Caller): Promise<Answer> =>
    caller.post(`${path}/${await make(caller)}/${verb}`, body)

export type Made = { readonly id: string }

/**
 * Makes a record, runs an action on it, or changes it (PATCH). @param name unique in the whole demo, since the Idempotency-Key is made from
 * it
 */
export type Write = <A = Made>(path: string, body: unknown, name: string, method?: 'POST' | 'PATCH') => Promise<A>

/** The ids of the demo's products and places, for later steps. */
export type DemoIds = {
  /** The id of the variant with this sku. */
  readonly variant: (sku: string) => string
  /** The id of the product whose variant has this sku. */
  readonly item: (sku: string) => string
  /** The id of the storage place with this code. */
  readonly place: (code: string) => string
}

/** A step of the demo, a small coffee roastery. A refusal ends only its step. */
export type DemoStep = {
  readonly name: string
  /** The step whose records this step needs. All steps come after the first part of the demo. */
  readonly after?: string
  /** The last write of the step, found by its external_ref: keys are kept for 30 days only, and an external_ref for ever. */
  readonly last: { readonly path: string; readonly externalRef: string }
  readonly fill: (write: Write, ids: DemoIds, externalRef: string) => Promise<void>
}
