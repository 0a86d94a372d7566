/** The OpenAPI document: what it says of a list of endpoints, that it is valid, and that the committed one is up to date. */
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { endpoints } from '../../lib/nouns.ts'
import { type OpenApiDocument, openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'
import type { Operation } from '../../lib/openapi/types.ts'
import { eventKindsOf } from '../../lib/webhooks/event-kinds.ts'
import { testsOf } from '../support/suite.ts'
import { crateEndpoints, crateExamples } from './own-endpoints.ts'

const test = testsOf(import.meta)

const crates = openApiDocument(crateEndpoints, { examples: crateExamples })

function operation(document: OpenApiDocument, method: 'get' | 'post' | 'delete', path: string): Operation {
  const found = document.paths[path]?.[method]
  if (!found) throw new Error(`${method} ${path} is not in the document`)
  return found
}

const eventKindNames = [...eventKindsOf(endpoints).keys()]

test('the committed document is byte for byte the one that the endpoints give', async t => {
  const committed = await readFile(new URL('../../lib/openapi/openapi.json', import.meta.url), 'utf8')
  const generated = openApiDocument(endpoints)
  t.deepEqual(JSON.parse(committed), JSON.parse(openApiText(generated)), 'run `npm run openapi` and commit')
  t.is(committed, openApiText(generated), 'run `npm run openapi` and commit')
})

for (const [name, list] of [['the real list', endpoints] as const, ["the tests' own list", crateEndpoints] as const]) {
  test(`the document of ${name} is valid OpenAPI 3.1 and every reference in it resolves`, async t => {
    // A copy without prototypes and undefined members, as a client reads it.
    const document = JSON.parse(openApiText(openApiDocument(list)))
    const result = await new Validator().validate(document)
    t.deepEqual([result.valid, result.errors ?? []], [true, []])
    const references = [...openApiText(openApiDocument(list)).matchAll(/"\$ref": "#\/components\/(\w+)\/([^"]+)"/g)]
    t.true(references.length > 0 || list.length === 0)
    for (const [text, section = '', key = ''] of references) t.truthy(document.components[section]?.[key], text)
  })
}

test('every endpoint of the list stands in the document under its path, method and id, and nothing else does', t => {
  const document = openApiDocument(endpoints)
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  )
  t.deepEqual(
    documented.sort(),
    endpoints.map(({ method, path, id }) => `${method} /api/external/v1${path} ${id}`).sort(),
  )
})

test('the same list gives the same bytes', t => {
  t.is(openApiText(openApiDocument(crateEndpoints)), openApiText(openApiDocument(crateEndpoints)))
})

test('the address of the server stands in the document only when it is given', t => {
  t.deepEqual(crates.servers, [{ url: '/' }])
  t.deepEqual(openApiDocument([], { baseUrl: 'https://api.example.com' }).servers, [{ url: 'https://api.example.com' }])
  t.regex(
    openApiDocument([], { baseUrl: 'https://api.example.com' }).info.description,
    /curl -sS https:\/\/api\.example\.com\//,
  )
})

test('a list states its paging parameters, its filters, its envelope and the recorded page', t => {
  const { parameters, responses } = operation(crates, 'get', '/api/external/v1/crates')
  t.deepEqual(parameters?.slice(0, 3), [
    { $ref: '#/components/parameters/limit' },
    { $ref: '#/components/parameters/cursor' },
    { $ref: '#/components/parameters/order' },
  ])
  t.deepEqual(parameters?.[3], {
    name: 'kind',
    in: 'query',
    required: false,
    description: 'Only what has this `kind`.\n\n- `WOOD`: of planks\n- `STEEL`: of sheets',
    schema: { type: 'string', enum: ['WOOD', 'STEEL'], 'x-enum-descriptions': ['Of planks.', 'Of sheets.'] },
  })
  const answer = responses['200']
  if (!answer || '$ref' in answer) return t.fail()
  t.deepEqual(answer.content?.['application/json'], {
    schema: {
      type: 'object',
      required: ['data', 'next_cursor'],
      properties: {
        data: { type: 'array', items: { $ref: '#/components/schemas/Crate' } },
        next_cursor: { type: 'string', description: 'Pass it back as `cursor`; empty at the end of the list.' },
      },
    },
    example: crateExamples.endpoints['listCrates']?.reply,
  })
})

test('a command states its scope, key, body, example, success, replay and refusals', t => {
  const command = operation(crates, 'post', '/api/external/v1/crates')
  t.is(command['x-required-scope'], 'write:crates')
  t.true(command['x-counts-as-document'])
  t.is(
    command.description,
    "Makes a crate of its parts.\n\nNeeds the scope `write:crates`. A success spends one of the key's daily documents. A replay answers 200 instead of 201.",
  )
  t.deepEqual(command.parameters, [
    { $ref: '#/components/parameters/IdempotencyKey' },
    { $ref: '#/components/parameters/DryRun' },
  ])
  t.deepEqual(command.requestBody, {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/CreateCrateBody' },
        example: { title: 'Apples', kind: 'STEEL', parts: [{ quantity: 2 }, { quantity: 3.5 }] },
      },
    },
  })
  t.deepEqual(Object.keys(command.responses), [
    '200',
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
  ])
  t.deepEqual(command.responses['409'], { $ref: '#/components/responses/ConflictOrInsufficientStock' })
})

test('a path id is the text that answers hold, its absence a declared 404; an answer without body has none', t => {
  const { parameters, requestBody, responses } = operation(crates, 'delete', '/api/external/v1/crates/{id}')
  t.deepEqual(parameters?.[0], {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the crate.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
    example: '1042',
  })
  t.is(requestBody, undefined)
  t.deepEqual(responses['404'], { $ref: '#/components/responses/NotFound' })
  t.deepEqual(Object.keys(responses['204'] ?? {}), ['description', 'headers'])
})

test('a body states each field with its limits, default in words and presence, refuses unknown ones, and names its parts', t => {
  t.deepEqual(crates.components.schemas['CreateCrateBody'], {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 255, description: 'What people call it.' },
      kind: {
        type: 'string',
        enum: ['WOOD', 'STEEL'],
        'x-enum-descriptions': ['Of planks.', 'Of sheets.'],
        description: 'Default: `WOOD`.\n\n- `WOOD`: of planks\n- `STEEL`: of sheets',
      },
      place_id: { type: ['string', 'integer', 'null'], pattern: '^-?[0-9]{1,19}$', examples: ['1042'] },
      weight: {
        type: 'number',
        minimum: 0,
        exclusiveMaximum: 1e9,
        'x-decimals-max': 6,
        description: 'Default: `1.5`.',
      },
      sealed: { type: ['boolean', 'null'] },
      parts: { type: 'array', minItems: 1, maxItems: 500, items: { $ref: '#/components/schemas/CreateCratePart' } },
    },
    required: ['title', 'parts'],
    additionalProperties: false,
  })
  t.deepEqual(crates.components.schemas['CreateCratePart'], {
    type: 'object',
    properties: {
      quantity: {
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: 1e9,
        'x-decimals-max': 6,
        description: 'In the unit of the product.',
      },
    },
    required: ['quantity'],
    additionalProperties: false,
  })
})

test('a reply that several endpoints share is one schema, every field of it present', t => {
  t.deepEqual(Object.keys(crates.components.schemas), [
    'ErrorBody',
    'Crate',
    'CratePart',
    'CreateCrateBody',
    'CreateCratePart',
  ])
  t.deepEqual(crates.components.schemas['Crate']?.required, ['id', 'title', 'kind', 'place_id', 'weight', 'parts'])
})

test('refusals of one status share a response: the exact codes, the error shape, and Retry-After where it is sent', t => {
  const conflict = crates.components.responses['ConflictOrInsufficientStock']
  t.deepEqual(conflict?.content?.['application/json']?.schema, {
    allOf: [
      { $ref: '#/components/schemas/ErrorBody' },
      {
        properties: {
          error: {
            enum: ['conflict', 'insufficient_stock'],
            'x-enum-descriptions': [
              'The Idempotency-Key was used before for another request, or another record stands in the way: see the message.',
              'There is not enough stock; nothing was moved.',
            ],
          },
        },
      },
    ],
  })
  t.deepEqual(Object.keys(conflict?.content?.['application/json']?.examples ?? {}), ['conflict', 'insufficient_stock'])
  t.true('Retry-After' in (crates.components.responses['RateLimitedOrDocumentQuotaExceeded']?.headers ?? {}))
  t.false('Retry-After' in (conflict?.headers ?? {}))
})

test('every kind of event is a webhook with its signature and a body of its own, and those of the feed are one union by type', t => {
  const { webhooks, components } = openApiDocument(endpoints)
  t.deepEqual(Object.keys(webhooks), eventKindNames)
  for (const [kind, { post }] of Object.entries(webhooks)) {
    t.deepEqual(
      post.parameters?.map(parameter => ('$ref' in parameter ? parameter.$ref : '')),
      ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map(name => `#/components/parameters/${name}`),
    )
    const { $ref = '' } = post.requestBody?.content['application/json'].schema ?? {}
    t.is(components.schemas[$ref.split('/').at(-1) ?? '']?.properties?.['type']?.const, kind)
  }
  const order = components.schemas['SalesOrderShippedEvent']?.properties?.['data']
  t.deepEqual(order?.anyOf, [
    { $ref: '#/components/schemas/SalesOrder' },
    { $ref: '#/components/schemas/TruncatedEventData' },
  ])
  const { oneOf, discriminator } = components.schemas['Event'] ?? {}
  t.is(discriminator?.propertyName, 'type')
  t.deepEqual(
    Object.keys(discriminator?.mapping ?? {}),
    eventKindNames.filter(kind => kind !== 'webhook.test'),
  )
  t.is(oneOf?.length, eventKindNames.length - 1)
  t.deepEqual(crates.webhooks, {})
})
