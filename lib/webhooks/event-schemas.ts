/**
 * The JSON Schema of each event kind's body, made of the answers that the endpoints declare. It must state nothing of a
 * resource itself.
 */
import type * as v from 'valibot'
import type { Endpoint, Row } from '../api/endpoint.ts'
import { shape } from '../api/fields.ts'
import { jsonSchemaOf, type SchemaObject } from '../api/json-schema.ts'
import { idText } from '../api/reply-fields.ts'
import { EVENT_API_VERSION } from '../documents/event-body.ts'
import { type EventKind, eventKindNames, eventKinds } from './event-kinds.ts'

const Test = shape({ subscription_id: idText() })

const own: Partial<Record<EventKind, v.GenericSchema>> = { 'webhook.test': Test }

const truncated: SchemaObject = {
  type: 'object',
  description: 'Instead of a body over 64 KiB: read the resource itself.',
  properties: { id: { type: ['string', 'null'] }, truncated: { type: 'boolean', const: true } },
  required: ['id', 'truncated'],
}

/** The rows of `GET /webhook-event-kinds`; their ids are positions. */
export function eventKindRows(endpoints: readonly Endpoint[]): readonly Row[] {
  return eventKindNames.map((kind, at) => ({
    id: String(at + 1),
    document: JSON.stringify({
      kind,
      description: eventKinds[kind].description,
      schema: schemaOfBody(kind, dataSchema(kind, endpoints)),
    }),
  }))
}

function dataSchema(kind: EventKind, endpoints: readonly Endpoint[]): SchemaObject {
  const { shownBy } = eventKinds[kind]
  const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === shownBy)
  const schema = own[kind] ?? endpoint?.reply
  return schema ? jsonSchemaOf(schema, 'reply') : { type: 'object' }
}

function schemaOfBody(kind: EventKind, data: SchemaObject): SchemaObject & { readonly $schema: string } {
  const isTest = kind === 'webhook.test'
  const properties: Record<string, SchemaObject> = {
    id: { type: 'string', description: 'The same on every attempt and redelivery; equals the header webhook-id.' },
    type: { type: 'string', const: kind },
    timestamp: { type: 'string', format: 'date-time' },
    sequence: isTest ? { type: 'null' } : { type: 'integer', description: 'Rises by one per tenant, without gaps.' },
    api_version: { type: 'string', const: EVENT_API_VERSION },
    data: isTest ? data : { anyOf: [data, truncated] },
    previous: {
      type: ['object', 'null'],
      description: 'Old values of the fields that changed; null on creation and beside truncated data.',
    },
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    required: Object.keys(properties),
  }
}
