/** The JSON Schema of each event kind's body, made from the answers that endpoints declare. It must not describe a record itself. */
import type { Row } from '../kit/api/endpoint.ts'
import { jsonSchemaOf, type SchemaObject } from '../kit/api/json-schema.ts'
import { EVENT_API_VERSION } from '../work/events.ts'
import { type EventKinds, TEST_KIND } from './event-kinds.ts'

/** The parts that the bodies of all kinds share. */
type EventParts = { readonly truncated: SchemaObject; readonly actor: SchemaObject }

export const eventParts: EventParts = {
  truncated: {
    type: 'object',
    description: 'Instead of a body over 64 KiB: read the resource itself.',
    properties: {
      id: { type: ['string', 'null'], description: 'Of the resource.' },
      truncated: { type: 'boolean', const: true, description: 'Tells it from a resource.' },
    },
    required: ['id', 'truncated'],
  },
  actor: {
    type: 'object',
    description: 'Who caused an event.',
    properties: {
      key_id: { type: 'string', description: 'The id of the API key.' },
      user_name: {
        type: ['string', 'null'],
        description: 'The user whom the key names; null for a key issued without a name.',
      },
      request_id: { type: 'string', description: "The `X-Request-Id` of the write; of a bulk's entry its own." },
    },
    required: ['key_id', 'user_name', 'request_id'],
  },
}

/** The rows of `GET /webhook-event-kinds`. Their ids are positions. */
export function eventKindRows(kinds: EventKinds): readonly Row[] {
  return [...kinds].map(([kind, { description, data }], at) => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...eventSchema(kind, jsonSchemaOf(data, 'reply'), eventParts),
    }
    return { id: String(at + 1), document: JSON.stringify({ kind, description, schema }, withoutOwnWords) }
  })
}

/** The schema contains keywords of JSON Schema only. The OpenAPI document says what values mean. */
const withoutOwnWords = (key: string, value: unknown) => (key === 'x-enum-words' ? undefined : value)

/** The schema of a body of this kind: with `data`, or truncated. */
export function eventSchema(kind: string, data: SchemaObject, parts: EventParts): SchemaObject {
  const isTest = kind === TEST_KIND
  const properties: Record<string, SchemaObject> = {
    id: { type: 'string', description: 'The same on every attempt and redelivery; equals the header webhook-id.' },
    type: { type: 'string', const: kind, description: 'The kind of the event.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the write that caused it ran.' },
    sequence: isTest
      ? { type: 'null', description: 'Test events have no place among the others.' }
      : {
          type: 'integer',
          minimum: 1,
          description: 'Rises by one per tenant, without gaps; by more only after a failover of the database.',
        },
    api_version: { type: 'string', const: EVENT_API_VERSION, description: 'The version of this form.' },
    actor: {
      description:
        'Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`.',
      anyOf: [parts.actor, { type: 'null' }],
    },
    data: isTest
      ? { ...data, description: 'The subscription that is tested.' }
      : { description: 'The resource after the write.', anyOf: [data, parts.truncated] },
    previous: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Old values of the fields that changed; null on creation and beside truncated data.',
    },
  }
  return { type: 'object', properties, required: Object.keys(properties).filter(name => name !== 'actor') }
}
