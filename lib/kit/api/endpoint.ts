/**
 * The endpoint declaration: one value states an endpoint's method, path, scope, schemas, statuses and refusals, and what
 * runs. Routing, validation, scopes, quota, OpenAPI, the docs page and the contract tests derive from it; nothing about
 * an endpoint may be stated anywhere else.
 */
import type * as v from 'valibot'
import type { Network } from '../../platform/networks.ts'
import type { Connection } from '../../platform/postgres/postgres.ts'
import { BODY_BYTES_MAX } from './body-limit.ts'
import type { ErrorCode, Refusal } from './errors.ts'

/** Before every endpoint's path. */
export const API_PREFIX = '/api/external/v1'

/** JSON text, rendered by SQL and sent as it is. */
export type Json = string

export type Schema = v.GenericSchema

/** The tenant as the access check and the command runner know it. */
export type Tenant = {
  readonly id: string
  readonly plan: 'free' | 'pro'
  /** A key that was issued without a name has it as its user's name. */
  readonly ownerEmail: string
  /** ISO 4217 code. */
  readonly currency: string
  /** Last day of the closed accounting period (`2026-10-31`), or null. */
  readonly closedThrough: string | null
}

/** Who calls: the key, and the user whom it names. */
export type Actor = {
  readonly keyId: string
  readonly userName: string
}

/** What a tenant's read asks Postgres with. */
export type Reader = Connection & {
  /** The document of one record by a statement of `lookUpText` (lib/kit/api/look-up.ts); null when the tenant has none with this id. */
  lookUp(text: string, id: string): Promise<Json | null>
  /** Several statements that see the same, whoever writes meanwhile. */
  snapshot<T>(work: (reader: Omit<Reader, 'snapshot'>) => Promise<T>): Promise<T>
}

/** What a read gets besides its input. It must not write. */
export type ReadContext = {
  readonly tenantId: string
  readonly actor: Actor
  /** What the key may do. */
  readonly scopes: ReadonlySet<string>
  readonly pool: Reader
  /** The time of the request, `2026-11-21T05:00:00.000Z`. */
  readonly now: string
}

/** A webhook event, committed with the write that causes it. */
export type DomainEvent = {
  readonly type: string
  /** The resource as its GET shows it, as JSON text. */
  readonly data: Json
  /** Old values of the changed fields as JSON text; null on creation. */
  readonly previous: Json | null
}

/** What an endpoint's `check` gets besides the body. */
export type CheckSettings = { readonly webhookAllowedNetworks: readonly Network[] }

/** The answer of a command: its body, and what of it may be kept for replays (default: all of it). */
export type Answer = {
  /** JSON text; null for 204. */
  readonly body: Json | null
  /** The body without secrets, when it holds any. */
  readonly recordedBody?: Json
}

/** The order of a list. */
export const orders = { asc: 'by its positions', desc: 'the opposite' } as const
export type Order = keyof typeof orders

/** One row of a page, and its position: up to three int64s, joined by `_` (usually its id alone). */
export type Row = { readonly id: string; readonly document: Json }

type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>

/** A group of endpoints in the reference, and what the group is about. Endpoints of one group share the value. */
export type Tag = readonly [name: string, words: string]

type Common = {
  /** operationId of the OpenAPI document. */
  readonly id: string
  /** Below `API_PREFIX`; parameters in braces (`/products/{id}`), each an int64. */
  readonly path: string
  readonly tag: Tag
  /** Null: any valid key will do. */
  readonly scope: string | null
  readonly summary: string
  readonly description?: string
  /** Refusals beyond those that the declaration implies (see `impliedRefusals`). */
  readonly refusals: readonly ErrorCode[]
  /** What a success answers (documentation, and the contract tests). For lists: one record. */
  readonly reply?: Schema
  /** The kinds of events whose `data` looks like the reply, each with what happened: `product.created`. */
  readonly events?: Readonly<Record<string, string>>
}

/** Path parameters as int64 text, by name. */
export type Params = Readonly<Record<string, string>>

/** `GET` of one thing. */
export type ReadEndpoint<Q extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'read'
  readonly method: 'GET'
  readonly query?: Q
  /** Values for the required parameters, as they are typed in a URL; for the documentation, and answered with success. */
  readonly exampleQuery?: Readonly<Record<string, string>>
  /** Whether it is one record, whose answer carries its `ETag` and may be asked for with `If-None-Match`. */
  readonly tagged?: true
  readonly handle: (
    context: ReadContext,
    request: { readonly params: Params; readonly query: Output<Q> },
  ) => Promise<Json | Refusal>
}

/** `GET` of a list behind a cursor. Filters are query fields, mostly optional. */
export type ListEndpoint<F extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'list'
  readonly method: 'GET'
  readonly filters?: F
  /** Values for the required filters, as those of a `ReadEndpoint`. */
  readonly exampleQuery?: Readonly<Record<string, string>>
  /** Where callers ask for none: `asc`, if nothing is said. */
  readonly order?: Order
  /**
   * The rows behind the position `after` (null: from the beginning) in this order, at most `limit`. A refusal (404) where the
   * parent is absent.
   */
  readonly page: (
    context: ReadContext,
    request: {
      readonly params: Params
      readonly filters: Output<F>
      readonly after: string | null
      readonly limit: number
      readonly order: Order
    },
  ) => Promise<readonly Row[] | Refusal>
}

/** `GET` that stays open: tells events as Server-Sent Events, each in the form of `reply`. */
export type StreamEndpoint = Common & {
  readonly kind: 'stream'
  readonly method: 'GET'
  readonly query: v.GenericSchema<
    unknown,
    { readonly type?: readonly string[] | undefined; readonly after_sequence?: number | undefined }
  >
}

/** A write: runs as a command in its tenant's queue. Declared with `command` (lib/kit/documents/command.ts). */
export type CommandEndpoint<B extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'command'
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Absent: no body (DELETE). */
  readonly body?: B
  /** A body for the documentation, answered with success when sent to the demo tenant after its references are filled in. */
  readonly example?: unknown
  readonly success: 200 | 201 | 204
  /** Status of a replay where it is not the original one. */
  readonly replay?: 200
  /** Whether a success spends one of the key's daily documents. */
  readonly countsAsDocument: boolean
  /** Whether the first answer shows a secret (and has a `recordedBody` without it): it is sealed on its way to the server. */
  readonly showsSecret?: true
  /** Whether `If-Match` may name the record of the path's id as the caller knows it (docs/rules/requests.md, "Conditional requests"). */
  readonly takesIfMatch: boolean
  /** What of the body needs the settings or the network to be checked: the server asks before it claims anything. */
  check?(settings: CheckSettings, body: Output<B>): Promise<Refusal | undefined>
  /** What runs: the unit of work knows its type (lib/kit/documents/command.ts). */
  readonly unit: object
}

/** `POST` that is done at once, beside the tenant's queue: it takes no body and no Idempotency-Key, and a repeat answers the same. */
export type ImmediateEndpoint = Common & {
  readonly kind: 'immediate'
  readonly method: 'POST'
  readonly handle: (
    context: {
      readonly tenantId: string
      /** The primary of the tenant's cell. */
      readonly pool: Connection
      /** Tells every server of a key that has changed. */
      readonly announce: (change: { readonly tokenHash: string }) => Promise<void>
    },
    request: { readonly params: Params },
  ) => Promise<Json | Refusal>
}

/** Many writes with one request; there is one of it. Its entries are commands. */
export type BulkEndpoint = Common & {
  readonly kind: 'bulk'
  readonly method: 'POST'
  readonly body: Schema
  readonly bytesMax: number
  readonly example: unknown
}

export type Endpoint = ReadEndpoint | ListEndpoint | StreamEndpoint | CommandEndpoint | ImmediateEndpoint | BulkEndpoint

export type EndpointKind = Endpoint['kind']

/** The schema of its body, and how long that may be; undefined where it takes none. */
export function bodyOf(endpoint: Endpoint): { readonly schema: Schema; readonly bytesMax: number } | undefined {
  if (endpoint.kind === 'bulk') return { schema: endpoint.body, bytesMax: endpoint.bytesMax }
  if (endpoint.kind !== 'command' || !endpoint.body) return undefined
  return { schema: endpoint.body, bytesMax: BODY_BYTES_MAX }
}

// Identity functions that infer the schemas' types for `handle` and `page`; the list itself forgets them.

export function defineRead<const Q extends Schema | undefined = undefined>(
  endpoint: Omit<ReadEndpoint<Q>, 'kind' | 'method'>,
): Endpoint {
  return { ...endpoint, kind: 'read', method: 'GET' } as unknown as Endpoint
}

export function defineList<const F extends Schema | undefined = undefined>(
  endpoint: Omit<ListEndpoint<F>, 'kind' | 'method'>,
): Endpoint {
  return { ...endpoint, kind: 'list', method: 'GET' } as unknown as Endpoint
}

export function defineStream(endpoint: Omit<StreamEndpoint, 'kind' | 'method'>): Endpoint {
  return { ...endpoint, kind: 'stream', method: 'GET' }
}

export function defineImmediate(endpoint: Omit<ImmediateEndpoint, 'kind' | 'method'>): Endpoint {
  return { ...endpoint, kind: 'immediate', method: 'POST' }
}

/** Whether a success answers the record as the GET of the list's endpoints shows it, and so carries its ETag. */
export function answersRecord({ path, reply }: CommandEndpoint, endpoints: readonly Endpoint[]): boolean {
  const recordPath = `${/^\/[^/]+/.exec(path)?.[0]}/{id}`
  return endpoints.some(({ kind, ...of }) => kind === 'read' && of.path === recordPath && of.reply === (reply ?? null))
}

/** The refusals that an endpoint may answer by its declaration alone; its own come on top. */
export function refusalsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'validation_failed', // an unknown query parameter, if nothing else
    'unauthorized',
    'forbidden',
    'rate_limited',
    'service_unavailable',
    'internal_error',
  ])
  if (endpoint.path.includes('{')) codes.add('not_found')
  if (bodyOf(endpoint)) codes.add('payload_too_large').add('unsupported_media_type')
  if (endpoint.kind === 'command') {
    codes.add('conflict')
    if (endpoint.countsAsDocument) codes.add('document_quota_exceeded')
    if (endpoint.takesIfMatch) codes.add('precondition_failed')
  }
  for (const code of endpoint.refusals) codes.add(code)
  return [...codes]
}
