/** The parts of OpenAPI 3.1 that this service's document uses, as types. No behaviour. */
import type { SchemaObject } from '../kit/api/json-schema.ts'

export type Reference = { readonly $ref: string }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly style?: 'form'
  readonly explode?: boolean
  readonly schema: SchemaObject
  readonly example?: unknown
}

export type Header = { readonly description: string; readonly schema: SchemaObject }

export type Example = { readonly summary?: string; readonly value: unknown }

export type MediaType = {
  readonly schema: SchemaObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example>>
}

/** The media type of a stream: text, with the schema of each event's data. */
export type StreamMediaType = MediaType & { readonly 'x-event-data': SchemaObject }

export type JsonContent = { readonly 'application/json': MediaType; readonly 'text/event-stream'?: never }
export type Content =
  | JsonContent
  | { readonly 'text/event-stream': StreamMediaType; readonly 'application/json'?: never }

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** Absent: any valid key may call it. */
  readonly 'x-required-scope'?: string
  /** Whether a success counts against the key's daily quota of documents. */
  readonly 'x-counts-as-document'?: boolean
  /** Only if it differs from the document's. */
  readonly security?: readonly []
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: true; readonly content: JsonContent }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export type Webhooks = Readonly<Record<string, { readonly post: Operation }>>

export type Method = 'get' | 'post' | 'patch' | 'delete'

export type Components = {
  readonly securitySchemes: { readonly pat: Readonly<Record<string, string>> }
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly schemas: Readonly<Record<string, SchemaObject>>
  readonly responses: Readonly<Record<string, Response>>
}

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly { readonly pat: readonly string[] }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>
  readonly webhooks: Webhooks
  readonly components: Components
}
