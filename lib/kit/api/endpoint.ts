/**
 * The endpoint declaration: one value states an endpoint's method, path, scope, schemas, statuses, refusals and code. Routing, validation,
 * scopes, quota, OpenAPI, the docs page and the contract tests are derived from it. Nothing about an endpoint may be stated anywhere else.
 */
import type * as v from 'valibot'
import type { Network } from '../../platform/networks.ts'
import type { Connection, Pool } from '../../platform/postgres/postgres.ts'
import { BODY_BYTES_MAX } from './body-limit.ts'
import type { ErrorCode, Refusal } from './errors.ts'

/** The beginning of every endpoint's path. */
export const API_PREFIX = '/api/external/v1'

/** JSON text that SQL renders and the server sends unchanged. */
export type Json = string

export type Schema = v.GenericSchema

/** The tenant, for the access check and for commands. */
export type Tenant = {
  readonly id: string
  readonly plan: 'free' | 'pro'
  /** The tenant's owner. Documents name the owner as their user for a key without a name. */
  readonly ownerEmail: string
  /** ISO 4217 code. */
  readonly currency: string
  /** Last day of the closed accounting period (`2026-10-31`), or null. */
  readonly closedThrough: string | null
  /** A time zone of the IANA database. The days of the tenant are the days there. */
  readonly timeZone: string
}

/** The caller: the key, and its user's name. */
export type Actor = {
  readonly keyId: string
  readonly userName: string
}

/** The queries of a read. */
export type Reader = Connection & {
  /**
   * The document of one record, with a statement of `lookUpText` (lib/kit/api/look-up.ts). Null when the tenant has no record with this id.
   */
  lookUp(text: string, id: string): Promise<Json | null>
  /** Runs several statements on one state of the database, whatever is written meanwhile. */
  snapshot<T>(work: (reader: Omit<Reader, 'snapshot'>) => Promise<T>): Promise<T>
}

/** What a read gets besides its input. It must not write. */
export type ReadContext = {
  readonly tenantId: string
  readonly actor: Actor
  /** The scopes of the key. */
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

/** The answer of a command: its body, and the body for replays (default: the same). */
export type Answer = {
  /** Default: `success` of the endpoint. */
  readonly status?: 201
  /** JSON text; null for 204. */
  readonly body: Json | null
  /** The body without secrets, if it contains any. */
  readonly recordedBody?: Json
}

export const orders = { asc: 'by its positions', desc: 'the opposite' } as const
export type Order = keyof typeof orders

/** One row of a page, and its position: up to three int64s, joined by `_` (usually its id alone). */
export type Row = { readonly id: string; readonly document: Json }

type Output<S> = S extends Schema ? v.InferOutput<S> : Record<string, never>

/** A group of endpoints in the reference, with its description. Endpoints of one group share the value. */
export type Tag = readonly [name: string, words: string]

type Common = {
  /** operationId of the OpenAPI document. */
  readonly id: string
  /** Without `API_PREFIX`. Parameters are in braces (`/products/{id}`), each an int64 except `{external_ref}` (path-params.ts). */
  readonly path: string
  readonly tag: Tag
  /** Null: any valid key may call it. */
  readonly scope: string | null
  readonly summary: string
  readonly description?: string
  /** Refusals beyond those that the declaration implies (see `refusalsOf`). */
  readonly refusals: readonly ErrorCode[]
  /** The schema of a successful answer (for documentation and contract tests). For lists: of one record. */
  readonly reply?: Schema
  /** The kinds of events whose `data` has this schema, each with its meaning: `product.created`. */
  readonly events?: Readonly<Record<string, string>>
}

/** Path parameters by name: int64 text, or a reference. */
export type Params = Readonly<Record<string, string>>

/** `GET` of one record or report. */
export type ReadEndpoint<Q extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'read'
  readonly method: 'GET'
  readonly query?: Q
  /** Values of the required parameters, as in a URL, for the documentation. With them the answer is a success. */
  readonly exampleQuery?: Readonly<Record<string, string>>
  /** Whether the answer is one record with an `ETag`, so that `If-None-Match` is allowed. */
  readonly tagged?: true
  readonly handle: (
    context: ReadContext,
    request: { readonly params: Params; readonly query: Output<Q> },
  ) => Promise<Json | Refusal>
}

/** `GET` of a list with a cursor. Filters are query fields, mostly optional. */
export type ListEndpoint<F extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'list'
  readonly method: 'GET'
  readonly filters?: F
  /** As in `ReadEndpoint`. */
  readonly exampleQuery?: Readonly<Record<string, string>>
  /** Whether a page has an `ETag`, so that `If-None-Match` is allowed: for lists whose pages may be final. */
  readonly tagged?: true
  /** The answer to `totals=true`: figures of all rows that match the filters. */
  readonly totals?: {
    readonly reply: Schema
    readonly read: (
      context: ReadContext,
      request: { readonly params: Params; readonly filters: Output<F> },
    ) => Promise<Json | Refusal>
  }
  /** The default order of the list; `asc` if not given. */
  readonly order?: Order
  /**
   * At most `limit` rows after the position `after` (null: from the beginning) in this order. A refusal (404) where the parent is absent.
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

/** `GET` that stays open and sends events as Server-Sent Events, each in the form of `reply`. */
export type StreamEndpoint = Common & {
  readonly kind: 'stream'
  readonly method: 'GET'
  readonly query: v.GenericSchema<
    unknown,
    { readonly type?: readonly string[] | undefined; readonly after_sequence?: number | undefined }
  >
}

/** A write, which runs as a command in its tenant's queue. Declared with `command` (lib/kit/documents/command.ts). */
export type CommandEndpoint<B extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'command'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A second scope that the key needs. */
  readonly alsoScope?: string
  /** Absent: no body (DELETE). */
  readonly body?: B
  /** A body for the documentation. It succeeds for the demo tenant, once its references are replaced by real ids. */
  readonly example?: unknown
  readonly success: 200 | 201 | 204
  /** The status of a replay, if not the original one. */
  readonly replay?: 200
  /** Whether a success counts against the key's daily quota of documents. */
  readonly countsAsDocument: boolean
  /** The endpoint may make the record. Only then its answer is 201, and it counts against the daily quota. */
  readonly mayMake?: true
  /**
   * Whether the first answer shows a secret. Then `recordedBody` is the body without it, and the answer is encrypted on its way to the
   * server.
   */
  readonly showsSecret?: true
  /** Whether `If-Match` may state the expected version of the record in the path (docs/rules/requests.md, "Conditional requests"). */
  readonly takesIfMatch: boolean
  /** Checks of the body that need the settings or the network. The server runs them before the claim. */
  check?(settings: CheckSettings, body: Output<B>): Promise<Refusal | undefined>
  /** The code of the command. Units of work know its type (lib/kit/documents/command.ts). */
  readonly unit: object
}

/** The caller's key, with its scopes and limits. */
export type KeyHolder = Actor & {
  readonly scopes: ReadonlySet<string>
  readonly rate_per_minute: number
  readonly burst: number
  readonly daily_documents: number
}

/** `POST` that runs at once, without the tenant's queue. It takes no Idempotency-Key. */
export type ImmediateEndpoint<B extends Schema | undefined = Schema | undefined> = Common & {
  readonly kind: 'immediate'
  readonly method: 'POST'
  /** Absent: no body. */
  readonly body?: B
  /** A body for the documentation. */
  readonly example?: unknown
  readonly success: 200 | 201
  readonly handle: (
    context: {
      readonly tenantId: string
      readonly caller: KeyHolder
      /** All scopes of the API. */
      readonly scopes: readonly string[]
      /** The primary of the tenant's cell. */
      readonly pool: Pool
      /** Publishes to every server that a key has changed. */
      readonly announce: (change: { readonly tokenHash: string }) => Promise<void>
      /** Registers the hash of a new key, so that servers find the key's cell. */
      readonly register: (tokenHash: string) => Promise<void>
      /** The time of the request, `2026-11-21T05:00:00.000Z`. */
      readonly now: string
    },
    request: { readonly params: Params; readonly body: Output<B> },
  ) => Promise<Json | Refusal>
}

/** Many writes in one request; there is one such endpoint. Its entries are commands. */
export type BulkEndpoint = Common & {
  readonly kind: 'bulk'
  readonly method: 'POST'
  readonly body: Schema
  readonly bytesMax: number
  readonly example: unknown
}

export type Endpoint = ReadEndpoint | ListEndpoint | StreamEndpoint | CommandEndpoint | ImmediateEndpoint | BulkEndpoint

export type EndpointKind = Endpoint['kind']

/** The schema of an endpoint's body, and the limit of its length. Undefined for an endpoint without a body. */
export function bodyOf(endpoint: Endpoint): { readonly schema: Schema; readonly bytesMax: number } | undefined {
  if (endpoint.kind === 'bulk') return { schema: endpoint.body, bytesMax: endpoint.bytesMax }
  if ((endpoint.kind !== 'command' && endpoint.kind !== 'immediate') || !endpoint.body) return undefined
  return { schema: endpoint.body, bytesMax: BODY_BYTES_MAX }
}

// Identity functions that infer the schemas' types for `handle` and `page`. The list of endpoints drops these types.

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

export function defineImmediate<const B extends Schema | undefined = undefined>(
  endpoint: Omit<ImmediateEndpoint<B>, 'kind' | 'method'>,
): Endpoint {
  return { ...endpoint, kind: 'immediate', method: 'POST' } as unknown as Endpoint
}

/** Whether a successful command answers the record as its GET shows it, and so has its ETag. */
export function answersRecord({ path, reply }: CommandEndpoint, endpoints: readonly Endpoint[]): boolean {
  const recordPath = `${/^\/[^/]+/.exec(path)?.[0]}/{id}`
  return endpoints.some(({ kind, ...of }) => kind === 'read' && of.path === recordPath && of.reply === (reply ?? null))
}

/** All refusals of an endpoint: those that its declaration implies, and its own. */
export function refusalsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'validation_failed', // at least for an unknown query parameter
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
