/** The examples of the documentation: every example in the OpenAPI document and in the guides fits its schema. */
import { endpoints } from '../../lib/nouns.ts'
import { guides } from '../../lib/openapi/guides.ts'
import { type OpenApiDocument, openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'
import type { Header, MediaType, Operation, Parameter, StreamMediaType } from '../../lib/openapi/types.ts'
import { eventKindsOf } from '../../lib/webhooks/event-kinds.ts'
import { eventKindRows } from '../../lib/webhooks/event-schemas.ts'
import { testsOf } from '../support/suite.ts'
import { schemaValidator } from './schema-validator.ts'

const test = testsOf(import.meta)

const document: OpenApiDocument = JSON.parse(openApiText(openApiDocument(endpoints)))
const { components } = document
const validate = schemaValidator(components.schemas)

type Case = { readonly where: string; readonly schema: object; readonly value: unknown }

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ where: `${method} ${path}`, operation })),
)

/** The examples of a body, a parameter or a header, with their schema. */
function ofHolder(where: string, holder: MediaType | Parameter | Header | undefined): readonly Case[] {
  if (holder === undefined) return []
  const { schema, example, examples = {} } = holder as MediaType
  const values = [
    ...(example === undefined ? [] : [['example', example] as const]),
    ...Object.entries(examples).map(([name, { value }]) => [name, value] as const),
  ]
  return [
    ...values.map(([name, value]) => ({ where: `${where} ${name}`, schema, value })),
    ...ofSchema(`${where} schema`, schema),
  ]
}

/** The examples and defaults within schemas. */
function ofSchema(where: string, schema: object): readonly Case[] {
  const {
    examples = [],
    default: fallback,
    properties = {},
    items,
    anyOf = [],
    allOf = [],
    additionalProperties,
  } = schema as {
    examples?: readonly unknown[]
    default?: unknown
    properties?: Record<string, object>
    items?: object
    anyOf?: readonly object[]
    allOf?: readonly object[]
    additionalProperties?: object | boolean
  }
  return [
    ...examples.map(value => ({ where: `${where} example`, schema, value })),
    ...(fallback === undefined ? [] : [{ where: `${where} default`, schema, value: fallback }]),
    ...Object.entries(properties).flatMap(([name, member]) => ofSchema(`${where}.${name}`, member)),
    ...[items, additionalProperties, ...anyOf, ...allOf].flatMap(part =>
      typeof part === 'object' ? ofSchema(`${where}[]`, part) : [],
    ),
  ]
}

function ofOperation(where: string, { parameters = [], requestBody, responses }: Operation): readonly Case[] {
  return [
    ...parameters.flatMap(parameter =>
      '$ref' in parameter ? [] : ofHolder(`${where} parameter ${parameter.name}`, parameter),
    ),
    ...ofHolder(`${where} request`, requestBody?.content['application/json']),
    ...Object.entries(responses).flatMap(([status, response]) =>
      '$ref' in response
        ? []
        : [
            ...ofHolder(`${where} ${status}`, response.content?.['application/json']),
            ...ofStream(`${where} ${status}`, response.content?.['text/event-stream']),
          ],
    ),
  ]
}

/** The data of the events in a stream's example. */
function ofStream(where: string, stream: StreamMediaType | undefined): readonly Case[] {
  if (stream === undefined) return []
  const data = [...String(stream.example).matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text))
  return data.map(value => ({ where: `${where} example`, schema: stream['x-event-data'], value }))
}

const cases: readonly Case[] = [
  ...operations.flatMap(({ where, operation }) => ofOperation(where, operation)),
  ...Object.entries(document.webhooks).flatMap(([kind, { post }]) => ofOperation(kind, post)),
  ...Object.entries(components.parameters).flatMap(([name, parameter]) => ofHolder(`parameter ${name}`, parameter)),
  ...Object.entries(components.headers).flatMap(([name, header]) => ofHolder(`header ${name}`, header)),
  ...Object.entries(components.responses).flatMap(([name, { content }]) =>
    ofHolder(`response ${name}`, content?.['application/json']),
  ),
  ...Object.entries(components.schemas).flatMap(([name, schema]) => ofSchema(`schema ${name}`, schema)),
]

const eventKindNames = [...eventKindsOf(endpoints).keys()]

test('every example of the OpenAPI document fits its schema: requests, answers, errors, parameters, headers, defaults', t => {
  const faults = cases.flatMap(({ where, schema, value }) => validate(schema, value).map(fault => `${where}: ${fault}`))
  t.deepEqual(faults, [])
})

test('every body, every answer that has one, every event and every error has an example', t => {
  const has = (wanted: string) =>
    t.true(
      cases.some(({ where }) => where.startsWith(wanted)),
      wanted,
    )
  for (const { where, operation } of operations) {
    if (operation.requestBody) has(`${where} request example`)
    for (const [status, response] of Object.entries(operation.responses))
      if (!('$ref' in response) && response.content) has(`${where} ${status} example`)
  }
  for (const kind of eventKindNames) has(`${kind} request example`)
  for (const [name, { content }] of Object.entries(components.responses))
    for (const code of Object.keys(content?.['application/json']?.examples ?? {})) has(`response ${name} ${code}`)
  t.true(Object.keys(components.responses).length > 10)
})

const jsonBlocks = (markdown: string): readonly unknown[] =>
  [...markdown.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => JSON.parse(text))

test('the errors that the guides show fit the schema of errors, and the events that of their kind', t => {
  const kinds = eventKindRows(eventKindsOf(endpoints)).map(({ document: text }) => JSON.parse(text))
  const shown = guides.flatMap(({ markdown }) => jsonBlocks(markdown)) as readonly { error?: string; type?: string }[]
  t.true(shown.some(({ error }) => error !== undefined))
  t.true(shown.some(({ type }) => type !== undefined))
  for (const value of shown) {
    const schema =
      value.error === undefined
        ? kinds.find(({ kind }) => kind === value.type)?.schema
        : components.schemas['ErrorBody']
    t.deepEqual(validate(schema ?? false, value), [], JSON.stringify(value))
  }
})
