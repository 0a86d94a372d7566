/** An endpoint's declaration as an OpenAPI operation. It must not state anything that the declaration does not. */
import { bytesInWords } from '../kit/api/body-limit.ts'
import { type Endpoint, refusalsOf } from '../kit/api/endpoint.ts'
import { type ErrorCode, errorCatalogue, meaningOf } from '../kit/api/errors.ts'
import { jsonSchemaOf, type SchemaObject } from '../kit/api/json-schema.ts'
import { REFERENCE } from '../kit/api/path-params.ts'
import { describedParameter } from './describe.ts'
import type { RecordedExample } from './recorded-examples.ts'
import { headerReferences, reference, refusalName, successHeaders } from './shared.ts'
import type { Content, JsonContent, Method, Operation, Parameter, Reference, Response } from './types.ts'

/** The parts of an operation that its declaration does not contain. */
type Parts = {
  readonly body: Reference | undefined
  readonly reply: Reference | undefined
  /** A list's answer to `totals=true`. */
  readonly totals: Reference | undefined
  /** Whether a success carries an ETag. */
  readonly hasETag: boolean
}

export const methodOf = (endpoint: Endpoint): Method => endpoint.method.toLowerCase() as Method

/** Names of the parameters in braces, in order. */
function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
}

export function operationOf(endpoint: Endpoint, parts: Parts, example: RecordedExample = {}): Operation {
  const parameters = parametersOf(endpoint, example)
  const isCounted = endpoint.kind === 'command' && endpoint.countsAsDocument
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag[0]],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    ...(endpoint.scope === null ? {} : { 'x-required-scope': endpoint.scope }),
    ...(isCounted ? { 'x-counts-as-document': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(parts.body ? { requestBody: { required: true, content: contentOf(parts.body, example.body) } } : {}),
    responses: { ...successResponses(endpoint, parts, example.reply), ...refusalReferences(endpoint) },
  }
}

function descriptionOf(endpoint: Endpoint): string {
  const also = endpoint.kind === 'command' ? endpoint.alsoScope : undefined
  const facts = [
    endpoint.scope === null
      ? 'Needs no scope: any valid key.'
      : also === undefined
        ? `Needs the scope \`${endpoint.scope}\`.`
        : `Needs the scopes \`${endpoint.scope}\` and \`${also}\`.`,
  ]
  if (endpoint.kind === 'list' && endpoint.order === 'desc')
    facts.push('The newest come first unless `order` is `asc`.')
  if (endpoint.kind === 'bulk') facts.push(`The body has at most ${bytesInWords(endpoint.bytesMax)}.`)
  if (endpoint.kind === 'command') {
    if (endpoint.countsAsDocument)
      facts.push(
        endpoint.mayMake
          ? "Making the record spends one of the key's daily documents."
          : "A success spends one of the key's daily documents.",
      )
    if (endpoint.replay && !endpoint.mayMake)
      facts.push(`A replay answers ${endpoint.replay} instead of ${endpoint.success}.`)
  }
  return [endpoint.description, facts.join(' ')].filter(text => text !== undefined).join('\n\n')
}

/** `sales order` of `/sales-orders/{id}/shipments`. A path names at most one record. */
const nounOf = (path: string): string => (path.split('/')[1] ?? '').replaceAll('-', ' ').replace(/s$/, '')

function parametersOf(endpoint: Endpoint, { id, query }: RecordedExample): readonly (Parameter | Reference)[] {
  const path = pathParameters(endpoint.path).map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      ...(name === REFERENCE
        ? {
            description: `Your own id of the ${nounOf(endpoint.path)}, percent-encoded; neither \`.\` nor \`..\`.`,
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          }
        : {
            description: `The id of the ${nounOf(endpoint.path)}.`,
            schema: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
          }),
      ...(id === undefined ? {} : { example: id }),
    }),
  )
  switch (endpoint.kind) {
    case 'command':
      return [
        ...path,
        reference('parameters', 'IdempotencyKey'),
        ...(endpoint.takesIfMatch ? [reference('parameters', 'IfMatch')] : []),
        reference('parameters', 'DryRun'),
      ]
    case 'stream':
      return [
        ...queryParameters(jsonSchemaOf(endpoint.query, 'request'), { isFilter: true }),
        reference('parameters', 'LastEventId'),
      ]
    case 'immediate':
      return path
    case 'bulk':
      return [...path, reference('parameters', 'DryRun')]
    case 'read':
      return [
        ...path,
        ...(endpoint.tagged ? [reference('parameters', 'IfNoneMatch')] : []),
        ...(endpoint.query
          ? queryParameters(jsonSchemaOf(endpoint.query, 'request'), {
              isFilter: false,
              examples: query ?? endpoint.exampleQuery,
            })
          : []),
      ]
    case 'list':
      return [
        ...path,
        ...(endpoint.tagged ? [reference('parameters', 'IfNoneMatch')] : []),
        reference('parameters', 'limit'),
        reference('parameters', 'cursor'),
        reference('parameters', 'order'),
        ...(endpoint.totals ? [totalsParameter] : []),
        ...(endpoint.filters
          ? queryParameters(jsonSchemaOf(endpoint.filters, 'request'), {
              isFilter: true,
              examples: query ?? endpoint.exampleQuery,
            })
          : []),
      ]
  }
}

const totalsParameter: Parameter = {
  name: 'totals',
  in: 'query',
  required: false,
  description: 'true: answers figures of all rows that the filters leave, in place of a page',
  schema: { type: 'boolean' },
}

function queryParameters(
  schema: SchemaObject,
  {
    isFilter,
    examples = {},
  }: { readonly isFilter: boolean; readonly examples?: Readonly<Record<string, string>> | undefined },
): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    // The values are joined by commas.
    ...(member.type === 'array' ? { style: 'form', explode: false } : {}),
    ...describedParameter(name, member, { isFilter }),
    ...(examples[name] === undefined
      ? {}
      : { example: member.type === 'number' ? Number(examples[name]) : examples[name] }),
  }))
}

const contentOf = (schema: SchemaObject, example: unknown): JsonContent => ({
  'application/json': example === undefined ? { schema } : { schema, example },
})

function successResponses(
  endpoint: Endpoint,
  { reply: record, totals, hasETag }: Parts,
  example: unknown,
): Readonly<Record<string, Response>> {
  const reply = replyContent(endpoint, { record: record ?? {}, totals }, example)
  if (endpoint.kind !== 'command') {
    const isTagged = (endpoint.kind === 'read' || endpoint.kind === 'list') && endpoint.tagged
    const own = endpoint.kind === 'bulk' ? ['Dry-Run'] : ['Event-Sequence', ...(isTagged ? ['ETag'] : [])]
    const headers = { ...successHeaders, ...headerReferences(own) }
    const unchanged = { 304: { description: 'The record is as `If-None-Match` names it.', headers } }
    if (endpoint.kind === 'immediate' && endpoint.success === 201)
      return { 201: { description: 'Created', headers, ...reply } }
    return { 200: { description: 'OK', headers, ...reply }, ...(isTagged ? unchanged : {}) }
  }
  const description = { 200: 'Done', 201: 'Created', 204: 'Done, without a body' }[endpoint.success]
  const own = ['Idempotent-Replayed', 'Dry-Run', ...(hasETag ? ['ETag'] : [])]
  const headers = { ...successHeaders, ...headerReferences(own) }
  const made = { description: 'Created', headers, ...reply }
  const success = { [endpoint.success]: { description, headers, ...reply }, ...(endpoint.mayMake && { 201: made }) }
  if (!endpoint.replay || endpoint.replay === endpoint.success) return success
  return { ...success, [endpoint.replay]: { description: 'Replay of an earlier request', headers, ...reply } }
}

function replyContent(
  endpoint: Endpoint,
  { record, totals }: { readonly record: SchemaObject; readonly totals: Reference | undefined },
  example: unknown,
): Pick<Response, 'content'> {
  if (endpoint.kind === 'command' && endpoint.success === 204) return {}
  if (endpoint.kind === 'stream') return { content: streamContent(record, example) }
  if (endpoint.kind !== 'list') return { content: contentOf(record, example) }
  const schema: SchemaObject = {
    type: 'object',
    required: ['data', 'next_cursor'],
    properties: {
      data: { type: 'array', items: record },
      next_cursor: { type: 'string', description: 'Pass it back as `cursor`; empty at the end of the list.' },
    },
  }
  return { content: contentOf(totals ? { anyOf: [schema, totals] } : schema, example) }
}

/** OpenAPI 3.1 can describe the events of a stream only as text. `x-event-data` has the schema of `data`. */
const streamContent = (record: SchemaObject, example: unknown): Content => ({
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-Sent Events; `data` of each is one line of JSON.' },
    ...(example === undefined ? {} : { example: frameOf(example as Parameters<typeof frameOf>[0]) }),
    'x-event-data': record,
  },
})

const frameOf = (body: { readonly sequence: number; readonly type: string }): string =>
  `id: ${body.sequence}\nevent: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`

/** The endpoint's refusals by status, in the catalogue's order. */
export function refusalsByStatus(endpoint: Endpoint): ReadonlyMap<number, readonly ErrorCode[]> {
  const declared = new Set(refusalsOf(endpoint))
  const codes = [...errorCatalogue().keys()].filter(code => declared.has(code))
  return Map.groupBy(codes, code => meaningOf(code).status)
}

function refusalReferences(endpoint: Endpoint): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    [...refusalsByStatus(endpoint)].map(([status, codes]) => [status, reference('responses', refusalName(codes))]),
  )
}
