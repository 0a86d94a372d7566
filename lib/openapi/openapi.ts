/**
 * Derives the OpenAPI 3.1 document from the list of endpoints, the same bytes for the same list. It must not state anything about an
 * endpoint that its declaration does not.
 */

import { API_PREFIX, answersRecord, type Endpoint } from '../kit/api/endpoint.ts'
import { described } from './describe.ts'
import { deliveryParameters, eventSchemas, hasEvents, webhooksOf } from './events.ts'
import { EXAMPLE_ORIGIN, guidesAsMarkdown } from './guides.ts'
import { methodOf, operationOf, refusalsByStatus } from './operation.ts'
import { type RecordedExamples, recordedExamples } from './recorded-examples.ts'
import { NamedSchemas } from './schemas.ts'
import {
  dryRunParameter,
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
 * The document of these endpoints. `baseUrl` (without a slash at its end) is the server's address. Without it the document refers to the
 * server that it was read from.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { baseUrl, examples = recordedExamples }: { readonly baseUrl?: string; readonly examples?: RecordedExamples } = {},
): OpenApiDocument {
  const schemas = new NamedSchemas()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace integration API',
      version: '1.0.0',
      summary: 'Manufacturing and inventory over HTTP, exact under volume.',
      description: guidesAsMarkdown().replaceAll(EXAMPLE_ORIGIN, baseUrl ?? EXAMPLE_ORIGIN),
      // Only the person who issued the key knows its tenant.
      contact: { name: 'Whoever issued your API key' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    security: [{ pat: [] }],
    tags: [...new Map(endpoints.map(({ tag }) => tag))].map(([name, description]) => ({ name, description })),
    paths: pathsOf(endpoints, schemas, examples.endpoints),
    webhooks: webhooksOf(endpoints, examples.events),
    components: componentsOf(endpoints, schemas, examples.errors),
  }
}

/** The document's text, as it is committed and served. */
export function openApiText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function pathsOf(
  endpoints: readonly Endpoint[],
  schemas: NamedSchemas,
  examples: RecordedExamples['endpoints'],
): OpenApiDocument['paths'] {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`
    const hasETag = endpoint.kind === 'command' && answersRecord(endpoint, endpoints)
    const [body, reply, totals] = [schemas.body(endpoint), schemas.reply(endpoint), schemas.totals(endpoint)]
    const parts = { body, reply, totals, hasETag }
    const operation = operationOf(endpoint, parts, examples[endpoint.id])
    paths[path] = { ...paths[path], [methodOf(endpoint)]: operation }
  }
  return paths
}

function componentsOf(
  endpoints: readonly Endpoint[],
  schemas: NamedSchemas,
  errors: RecordedExamples['errors'],
): Components {
  const events = eventSchemas(endpoints, schemas)
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
      DryRun: dryRunParameter,
      IfNoneMatch: ifNoneMatchParameter,
      LastEventId: lastEventIdParameter,
      ...(hasEvents(endpoints) ? deliveryParameters : {}),
    },
    headers,
    // The name `ErrorBody` avoids `Error` and `ApiError`, which languages and generated clients have already.
    schemas: described({ ErrorBody: errorSchema(), ...schemas.all(), ...events }),
    responses: Object.fromEntries(responses.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
