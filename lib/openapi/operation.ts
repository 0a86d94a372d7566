/**
 * One endpoint's declaration as an OpenAPI operation. It must state nothing that the declaration does not.
 */
import { bodyBytesMax, bytesInWords } from '../api/body-limit.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { refusalsOf } from '../api/endpoint.ts'
import { type ErrorCode, errorCatalogue } from '../api/errors.ts'
import { jsonSchemaOf, type SchemaObject } from '../api/json-schema.ts'
import type { RecordedExample } from './recorded-examples.ts'
import { headerReferences, reference, refusalName, successHeaders } from './shared.ts'
import type { Content, Method, Operation, Parameter, Reference, Response } from './types.ts'

/** What an operation refers to: the names of its body's and its reply's schema. */
export type Named = { readonly body?: string; readonly reply?: string }

export const methodOf = (endpoint: Endpoint): Method => endpoint.method.toLowerCase() as Method

/** Names of the parameters in braces, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
}

export function operationOf(endpoint: Endpoint, named: Named, example: RecordedExample = {}): Operation {
  const parameters = parametersOf(endpoint, example.id)
  const isCounted = endpoint.kind === 'command' && endpoint.countsAsDocument
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    'x-required-scope': endpoint.scope,
    ...(isCounted ? { 'x-counts-as-document': true } : {}),
    security: [{ pat: [endpoint.scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(named.body
      ? { requestBody: { required: true, content: contentOf(reference('schemas', named.body), example.body) } }
      : {}),
    responses: { ...successResponses(endpoint, named, example.reply), ...refusalReferences(endpoint) },
  }
}

function descriptionOf(endpoint: Endpoint): string {
  const facts = [`Needs the scope \`${endpoint.scope}\`.`]
  if (endpoint.kind === 'list' && endpoint.order === 'descending') facts.push('The newest come first.')
  if (endpoint.kind === 'command') {
    if (endpoint.body) facts.push(`The body has at most ${bytesInWords(bodyBytesMax(endpoint.body))}.`)
    if (endpoint.countsAsDocument) facts.push("A success spends one of the key's daily documents.")
    if (endpoint.replay) facts.push(`A replay answers ${endpoint.replay} instead of ${endpoint.success}.`)
  }
  return [endpoint.description, facts.join(' ')].filter(text => text !== undefined).join('\n\n')
}

function parametersOf(endpoint: Endpoint, id: string | undefined): readonly (Parameter | Reference)[] {
  const path = pathParameters(endpoint.path).map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer', format: 'int64' },
      ...(id === undefined ? {} : { example: Number(id) }),
    }),
  )
  switch (endpoint.kind) {
    case 'command':
      return [...path, reference('parameters', 'IdempotencyKey')]
    case 'read':
      return [
        ...path,
        ...(endpoint.tagged ? [reference('parameters', 'IfNoneMatch')] : []),
        ...(endpoint.query ? queryParameters(jsonSchemaOf(endpoint.query, 'request'), endpoint.exampleQuery) : []),
      ]
    case 'list':
      return [
        ...path,
        reference('parameters', 'limit'),
        reference('parameters', 'cursor'),
        ...(endpoint.filters ? queryParameters(jsonSchemaOf(endpoint.filters, 'request')) : []),
      ]
  }
}

function queryParameters(schema: SchemaObject, examples: Readonly<Record<string, string>> = {}): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...member }]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema: member,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }))
}

const contentOf = (schema: SchemaObject, example: unknown): Content => ({
  'application/json': example === undefined ? { schema } : { schema, example },
})

function successResponses(
  endpoint: Endpoint,
  { reply: name }: Named,
  example: unknown,
): Readonly<Record<string, Response>> {
  const reply = replyContent(endpoint, name, example)
  if (endpoint.kind !== 'command') {
    const isTagged = endpoint.kind === 'read' && endpoint.tagged
    const headers = { ...successHeaders, ...headerReferences(['Event-Sequence', ...(isTagged ? ['ETag'] : [])]) }
    const unchanged = { 304: { description: 'The record is as `If-None-Match` names it.', headers } }
    return { 200: { description: 'OK', headers, ...reply }, ...(isTagged ? unchanged : {}) }
  }
  const description = { 200: 'Done', 201: 'Created', 204: 'Done, without a body' }[endpoint.success]
  const headers = { ...successHeaders, ...headerReferences(['Idempotent-Replayed']) }
  const success = { [endpoint.success]: { description, headers, ...reply } }
  if (!endpoint.replay) return success
  return { ...success, [endpoint.replay]: { description: 'Replay of an earlier request', headers, ...reply } }
}

function replyContent(endpoint: Endpoint, name: string | undefined, example: unknown): Pick<Response, 'content'> {
  if (endpoint.kind === 'command' && endpoint.success === 204) return {}
  const record: SchemaObject = name ? reference('schemas', name) : {}
  if (endpoint.kind !== 'list') return { content: contentOf(record, example) }
  const schema: SchemaObject = {
    type: 'object',
    required: ['data', 'next_cursor'],
    properties: {
      data: { type: 'array', items: record },
      next_cursor: { type: 'string', description: 'Pass it back as `cursor`; empty at the end of the list.' },
    },
  }
  return { content: contentOf(schema, example) }
}

/** The endpoint's refusals by status, in the catalogue's order. */
export function refusalsByStatus(endpoint: Endpoint): ReadonlyMap<number, readonly ErrorCode[]> {
  const declared = new Set(refusalsOf(endpoint))
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(code => declared.has(code))
  return Map.groupBy(codes, code => errorCatalogue[code].status)
}

function refusalReferences(endpoint: Endpoint): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    [...refusalsByStatus(endpoint)].map(([status, codes]) => [status, reference('responses', refusalName(codes))]),
  )
}
