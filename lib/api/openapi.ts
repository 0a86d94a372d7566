/**
 * Derives the OpenAPI 3.1 document from the list of endpoints, the same bytes for the same list. It must state nothing
 * about an endpoint that its declaration does not.
 */

import { type DocumentKind, documentNumber, documentPrefixes } from '../store/document-number.ts'
import { API_PREFIX, type CommandEndpoint, type Endpoint, type Schema } from './endpoint.ts'
import { guidesAsMarkdown } from './guides.ts'
import { jsonSchemaOf, plainJson, type SchemaObject } from './json-schema.ts'
import { methodOf, type Named, operationOf, refusalsByStatus } from './openapi-operation.ts'
import {
  errorSchema,
  headers,
  idempotencyKeyParameter,
  pagingParameters,
  refusalName,
  refusalResponse,
  securitySchemes,
} from './openapi-shared.ts'
import type { Components, Method, OpenApiDocument, Operation } from './openapi-types.ts'
import { sample } from './sample.ts'

export type { OpenApiDocument } from './openapi-types.ts'

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000'

/**
 * The document of these endpoints. `baseUrl` (no slash at its end) is the server's address; without it the document refers
 * to the server that it came from.
 */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl?: string): OpenApiDocument {
  const schemas = new Schemas(endpoints)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace integration API',
      version: '1.0.0',
      summary: 'Manufacturing and inventory over HTTP, exact under volume.',
      description: guidesAsMarkdown().replaceAll('{base_url}', baseUrl ?? DEFAULT_BASE_URL),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    security: [{ pat: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map(name => ({ name })),
    paths: pathsOf(endpoints, schemas),
    components: componentsOf(endpoints, schemas),
  }
}

/** The document as text, as it is committed and served. */
export function openApiText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function pathsOf(endpoints: readonly Endpoint[], schemas: Schemas): OpenApiDocument['paths'] {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`
    paths[path] = { ...paths[path], [methodOf(endpoint)]: operationOf(endpoint, schemas.namesOf(endpoint)) }
  }
  return paths
}

function componentsOf(endpoints: readonly Endpoint[], schemas: Schemas): Components {
  const responses = endpoints.flatMap(endpoint =>
    [...refusalsByStatus(endpoint).values()].map(codes => [refusalName(codes), refusalResponse(codes)] as const),
  )
  return {
    securitySchemes,
    parameters: { ...pagingParameters, IdempotencyKey: idempotencyKeyParameter },
    headers,
    schemas: { Error: errorSchema, ...schemas.all() },
    responses: Object.fromEntries(responses.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Names and converts each body and reply once; a reply that several endpoints share becomes one schema. */
class Schemas {
  readonly #names = new Map<Schema, string>()
  readonly #converted = new Map<string, SchemaObject>()
  /** By reply: the example body of the command that makes such a record, from which its own example takes values. */
  readonly #hints = new Map<Schema, unknown>()

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      if (endpoint.kind !== 'command') continue
      if (endpoint.body) this.#add(endpoint.body, `${pascalCase(endpoint.id)}Body`, 'request')
      if (endpoint.reply && endpoint.success === 201 && !this.#hints.has(endpoint.reply))
        this.#hints.set(endpoint.reply, this.#hintOf(endpoint))
    }
    // Named after the endpoint that reads the record, else after the first that answers it.
    const readsFirst = [...endpoints].sort((a, b) => Number(b.kind === 'read') - Number(a.kind === 'read'))
    for (const endpoint of readsFirst) if (endpoint.reply) this.#add(endpoint.reply, recordName(endpoint), 'reply')
  }

  #add(schema: Schema, wanted: string, use: 'request' | 'reply'): void {
    if (this.#names.has(schema)) return
    const name = this.#converted.has(wanted) ? `${wanted}${this.#converted.size}` : wanted
    this.#names.set(schema, name)
    this.#converted.set(name, jsonSchemaOf(schema, use))
  }

  /** A command's example with the defaults of the fields that it leaves out. */
  #hintOf({ body, example }: CommandEndpoint): unknown {
    const { properties = {} } = (body && this.#converted.get(this.#names.get(body) ?? '')) ?? {}
    const defaults = Object.entries(properties).flatMap(([key, { default: fallback }]) =>
      fallback === undefined ? [] : [[key, fallback] as const],
    )
    return { ...Object.fromEntries(defaults), ...(plainJson(example) as object | undefined) }
  }

  namesOf(endpoint: Endpoint): Named {
    const body = endpoint.kind === 'command' && endpoint.body ? this.#names.get(endpoint.body) : undefined
    const reply = endpoint.reply && this.#names.get(endpoint.reply)
    const bodyExample = endpoint.kind === 'command' ? plainJson(endpoint.example) : undefined
    return {
      ...(body ? { body } : {}),
      ...(bodyExample === undefined ? {} : { bodyExample }),
      ...(reply && endpoint.reply ? { reply, replyExample: this.#exampleOf(endpoint.reply) } : {}),
    }
  }

  #exampleOf(reply: Schema): unknown {
    const name = this.#names.get(reply) ?? ''
    const kind = snakeCase(name)
    const number = kind in documentPrefixes ? { number: documentNumber(kind as DocumentKind, 1) } : {}
    return sample(this.#converted.get(name) ?? {}, { ...number, ...(this.#hints.get(reply) as object | undefined) })
  }

  all(): Readonly<Record<string, SchemaObject>> {
    return Object.fromEntries([...this.#converted].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function pascalCase(id: string): string {
  return id
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

const snakeCase = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()

/** `Product` for `listProducts`, `getProduct`, `createProduct`. */
function recordName(endpoint: Endpoint): string {
  const noun = pascalCase(endpoint.id).replace(/^(?:List|Get|Read|Create|Update)(?=[A-Z])/, '')
  if (endpoint.kind !== 'list') return noun
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '')
}
