/**
 * What a noun says for whoever tries the service: what leads to its events, and its step of the demo. Both call the interface as everybody
 * does.
 */

// biome-ignore lint/suspicious/noExplicitAny: an example reads a field or two of an answer
export type Answer = any

/** Paths are below the prefix of the interface. Each call rejects where it is refused. */
export type Caller = {
  readonly get: (path: string) => Promise<Answer>
  /** A body that is not given is empty. */
  readonly post: (path: string, body?: object) => Promise<Answer>
  readonly patch: (path: string, body: object) => Promise<Answer>
  readonly remove: (path: string) => Promise<unknown>
}

/** Leads to an event. It makes records of its own, so that it changes nothing that is there. */
export type EventExample = (caller: Caller) => Promise<unknown>
/** By the kinds of the events: `sales_order.created`. */
export type EventExamples = Readonly<Record<string, EventExample>>

/** Makes a record of a noun, and answers its id. */
export type Maker = (caller: Caller) => Promise<string>

/** Makes a record by this body. */
export const posted =
  (path: string, body: object): Maker =>
  async ({ post }) =>
    (await post(path, body)).id

/** Makes a record at this path, and changes it. */
export const patched =
  (path: string, make: Maker, body: object) =>
  async (caller: Caller): Promise<Answer> =>
    caller.patch(`${path}/${await make(caller)}`, body)

/** Makes a record at this path, and does with it what the verb says. */
export const acted =
  (path: string, make: Maker, verb: string, body: object = {}) =>
  async (caller: Caller): Promise<Answer> =>
    caller.post(`${path}/${await make(caller)}/${verb}`, body)

export type Made = { readonly id: string }

/** Creates, moves or (PATCH) changes something. @param name of this write, once in the whole demo: its Idempotency-Key is made of it. */
export type Write = <A = Made>(path: string, body: unknown, name: string, method?: 'POST' | 'PATCH') => Promise<A>

/** What the demo's products and places are called, for steps that refer to them. */
export type DemoIds = {
  /** Id of the variant with this sku. */
  readonly variant: (sku: string) => string
  /** Id of the product that has a variant with this sku. */
  readonly item: (sku: string) => string
  /** Id of the storage place with this code. */
  readonly place: (code: string) => string
}

/** A step of the demo, a small coffee roastery. A refusal ends only its step. */
export type DemoStep = {
  readonly name: string
  /** The step before it, where it needs that one's records; all steps stand behind the story that the demo begins with. */
  readonly after?: string
  /** The last write of the step, known by its external_ref: keys hold for 30 days only, this for good. */
  readonly last: { readonly path: string; readonly externalRef: string }
  readonly fill: (write: Write, ids: DemoIds, externalRef: string) => Promise<void>
}
