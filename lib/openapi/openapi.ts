/**
 * Derives the OpenAPI 3.1 document from the list of endpoints, the same bytes for the same list. It must state nothing
 * about an endpoint that its declaration does not.
 */

import { API_PREFIX, answersRecord, bodyOf, type Endpoint, type Schema } from '../api/endpoint.ts'
import { jsonSchemaOf, type SchemaObject } from '../api/json-schema.ts'
import { EXAMPLE_ORIGIN, guidesAsMarkdown } from './guides.ts'
import { methodOf, type Named, operationOf, refusalsByStatus } from './operation.ts'
import { type RecordedExamples, recordedExamples } from './recorded-examples.ts'
import {
  errorSchema,
  headers,
  idempotencyKeyParameter,
  ifMatchParameter,
  ifNoneMatchParameter,
  lastEventIdParameter,
  pagingParameters,
  refusalName,
  refusalResponse,
  securitySchemes,
} from './shared.ts'
import type { Components, Method, OpenApiDocument, Operation } from './types.ts'

export type { OpenApiDocument } from './types.ts'

/**
 * The document of these endpoints. `baseUrl` (no slash at its end) is the server's address; without it the document refers
 * to the server that it came from.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { baseUrl, examples = recordedExamples }: { readonly baseUrl?: string; readonly examples?: RecordedExamples } = {},
): OpenApiDocument {
  const schemas = new Schemas(endpoints)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace integration API',
      version: '1.0.0',
      summary: 'Manufacturing and inventory over HTTP, exact under volume.',
      description: guidesAsMarkdown().replaceAll(EXAMPLE_ORIGIN, baseUrl ?? EXAMPLE_ORIGIN),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    security: [{ pat: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map(name => ({ name })),
    paths: pathsOf(endpoints, schemas, examples.endpoints),
    components: componentsOf(endpoints, schemas, examples.errors),
  }
}

/** The document as text, as it is committed and served. */
export function openApiText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function pathsOf(
  endpoints: readonly Endpoint[],
  schemas: Schemas,
  examples: RecordedExamples['endpoints'],
): OpenApiDocument['paths'] {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`
    const hasETag = endpoint.kind === 'command' && answersRecord(endpoint, endpoints)
    const operation = operationOf(endpoint, { ...schemas.namesOf(endpoint), hasETag }, examples[endpoint.id])
    paths[path] = { ...paths[path], [methodOf(endpoint)]: operation }
  }
  return paths
}

function componentsOf(
  endpoints: readonly Endpoint[],
  schemas: Schemas,
  errors: RecordedExamples['errors'],
): Components {
  const responses = endpoints.flatMap(endpoint =>
    [...refusalsByStatus(endpoint).values()].map(
      codes => [refusalName(codes), refusalResponse(codes, errors)] as const,
    ),
  )
  return {
    securitySchemes,
    parameters: {
      ...pagingParameters,
      IdempotencyKey: idempotencyKeyParameter,
      IfMatch: ifMatchParameter,
      IfNoneMatch: ifNoneMatchParameter,
      LastEventId: lastEventIdParameter,
    },
    headers,
    schemas: { Error: errorSchema, ...schemas.all() },
    responses: Object.fromEntries(responses.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Names and converts each body and reply once; a reply that several endpoints share becomes one schema. */
class Schemas {
  readonly #names = new Map<Schema, string>()
  readonly #converted = new Map<string, SchemaObject>()

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      const body = bodyOf(endpoint)
      if (body) this.#add(body.schema, `${pascalCase(endpoint.id)}Body`, 'request')
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

  namesOf(endpoint: Endpoint): Named {
    const taken = bodyOf(endpoint)
    const body = taken && this.#names.get(taken.schema)
    const reply = endpoint.reply && this.#names.get(endpoint.reply)
    return { ...(body ? { body } : {}), ...(reply ? { reply } : {}) }
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

/** `Product` for `listProducts`, `getProduct`, `createProduct`. */
function recordName(endpoint: Endpoint): string {
  const noun = pascalCase(endpoint.id).replace(/^(?:List|Get|Read|Create|Update)(?=[A-Z])/, '')
  if (endpoint.kind !== 'list') return noun
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '')
}
