/**
 * The components of the OpenAPI document for every endpoint: security, headers, paging parameters, the error shape and the refusals. They
 * are made from the error catalogue and know no endpoint.
 */

import { orders } from '../kit/api/endpoint.ts'
import { type ErrorCode, errorCatalogue, meaningOf } from '../kit/api/errors.ts'
import { type Choices, valuesOf } from '../kit/api/fields.ts'
import type { SchemaObject } from '../kit/api/json-schema.ts'
import { describedParameter } from './describe.ts'
import type { RecordedError, RecordedExamples } from './recorded-examples.ts'
import type { Header, Parameter, Reference, Response } from './types.ts'

export const reference = (section: string, name: string): Reference => ({ $ref: `#/components/${section}/${name}` })

export const securitySchemes = {
  pat: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'mrk_...',
    description: 'An API key: `Authorization: Bearer mrk_...`. Each endpoint names the scope that it needs.',
  },
} as const

export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Identifier of the request, the same as `request_id` of an error.',
    schema: { type: 'string', pattern: '^req_' },
  },
  'RateLimit-Limit': { description: 'Requests a minute that the key may send.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests that could be sent at once now.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the full burst is there again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 0 } },
  'Error-Fields': {
    description:
      'The fields that the message of a `validation_failed` names, ten at most, joined by commas; percent-encoded outside printable ASCII and for commas.',
    schema: { type: 'string', examples: ['items[0].quantity, sku'] },
  },
  'Event-Sequence': {
    description:
      "The tenant's last event (0: none yet): what is shown includes all events up to it. Whoever reads on from it in `/events` misses nothing.",
    schema: { type: 'integer', format: 'int64', minimum: 0 },
  },
  ETag: {
    description: 'Changes whenever the record does: for `If-None-Match` (304 while it has not) and `If-Match`.',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  'Dry-Run': {
    description: '`true` where the request was a dry run: nothing was written.',
    schema: { type: 'string', const: 'true' },
  },
  'Idempotent-Replayed': {
    description: '`true` where the answer is the recorded one of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
}

export const pagingParameters: Readonly<Record<'limit' | 'cursor' | 'order', Parameter>> = {
  limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'How many records a page holds at most.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    required: false,
    description: '`next_cursor` of the page before, unchanged; without it reading starts from the beginning.',
    schema: { type: 'string', minLength: 1 },
  },
  order: {
    name: 'order',
    in: 'query',
    required: false,
    ...describedParameter(
      'order',
      {
        type: 'string',
        enum: valuesOf(orders),
        'x-enum-words': orders,
        description:
          'the order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400',
      },
      { isFilter: false },
    ),
  },
}

export const ifNoneMatchParameter: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of a record that you have, or several: while it is one of them the answer is 304, without a body.',
  schema: { type: 'string' },
}

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A name of your choice for this one effect: a repeat with the same key and request has no second one. A dry run needs none.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: 'a3f1c9d2-order-1042',
}

export const lastEventIdParameter: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The last `id` that came: the stream goes on behind it, whatever `after_sequence` says.',
  schema: { type: 'integer', minimum: 0 },
  example: 41,
}

export const ifMatchParameter: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag with which the record was read, or `*`: where it is another by the time the command runs, the answer is 412 and ' +
    'nothing happens.',
  schema: { type: 'string', minLength: 1 },
}

export const dryRunParameter: Parameter = {
  name: 'Dry-Run',
  in: 'header',
  required: false,
  description:
    'The answer is what the write would answer now, and nothing is written. Ids and numbers of new records are provisional. An answer ' +
    'without the header `Dry-Run` was a real write. `POST /bulk` takes it with `mode` `all`.',
  schema: { type: 'string', const: 'true', examples: ['true'] },
}

export const errorSchema = (): SchemaObject => ({
  type: 'object',
  description: 'Every error has exactly these three fields.',
  required: ['error', 'message', 'request_id'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'string',
      description: 'A stable code for programs.',
      enum: [...errorCatalogue().keys()],
      'x-enum-words': meaningsOf([...errorCatalogue().keys()]),
    },
    message: { type: 'string', description: 'What is wrong, in words; names the field where one is at fault.' },
    request_id: { type: 'string', pattern: '^req_', description: 'Finds the request in the logs.' },
  },
})

/** The meanings of these codes. */
function meaningsOf(codes: readonly ErrorCode[]): Choices {
  return Object.fromEntries(codes.map(code => [code, meaningOf(code).meaning]))
}

/** Codes that are answered before the rate is counted, so without RateLimit headers. */
const BEFORE_RATE: readonly ErrorCode[] = ['unauthorized', 'internal_error', 'service_unavailable']
const WITH_RETRY_AFTER: readonly ErrorCode[] = ['rate_limited', 'document_quota_exceeded', 'service_unavailable']

const rateHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** References to shared headers; `X-Request-Id` is always among them. */
export function headerReferences(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(['X-Request-Id', ...names].map(name => [name, reference('headers', name)]))
}

export const successHeaders = headerReferences(rateHeaders)

/** `ConflictOrInsufficientStock`, for the refusals that share a status. */
export function refusalName(codes: readonly ErrorCode[]): string {
  return codes
    .map(code =>
      code
        .toLowerCase()
        .split('_')
        .map(word => word.charAt(0).toUpperCase() + word.slice(1))
        .join(''),
    )
    .join('Or')
}

/** The response for refusals of one status: the error shape with exactly these codes, and an example of each. */
export function refusalResponse(codes: readonly ErrorCode[], recorded: RecordedExamples['errors']): Response {
  const names = [
    'Dry-Run',
    ...(codes.every(code => BEFORE_RATE.includes(code)) ? [] : rateHeaders),
    ...(codes.some(code => WITH_RETRY_AFTER.includes(code)) ? ['Retry-After'] : []),
    ...(codes.includes('validation_failed') ? ['Error-Fields'] : []),
    ...(codes.includes('unauthorized') ? ['WWW-Authenticate'] : []),
  ]
  return {
    description: codes.map(code => `\`${code}\`: ${meaningOf(code).meaning}`).join('\n\n'),
    headers: headerReferences(names),
    content: {
      'application/json': {
        schema: {
          allOf: [
            reference('schemas', 'ErrorBody'),
            { properties: { error: { enum: codes, 'x-enum-descriptions': Object.values(meaningsOf(codes)) } } },
          ],
        },
        examples: Object.fromEntries(codes.map(code => [code, { value: recorded[code] ?? errorExample(code) }])),
      },
    },
  }
}

const errorExample = (code: ErrorCode): RecordedError => ({
  error: code,
  message: meaningOf(code).meaning,
  request_id: 'req_0f3c5d1b2a9e4c7788aa01de23bc45f6',
})
