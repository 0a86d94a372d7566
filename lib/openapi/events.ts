/**
 * The webhooks of the OpenAPI document, and its schema of events: one per kind, distinguished by `type`. They are made from the kinds that
 * endpoints declare.
 */
import type { Endpoint } from '../kit/api/endpoint.ts'
import { pascalCase, type SchemaObject } from '../kit/api/json-schema.ts'
import { type EventKind, eventKindsOf, TEST_KIND } from '../webhooks/event-kinds.ts'
import { eventParts, eventSchema } from '../webhooks/event-schemas.ts'
import type { RecordedExamples } from './recorded-examples.ts'
import type { NamedSchemas } from './schemas.ts'
import { reference } from './shared.ts'
import type { Operation, Parameter, Webhooks } from './types.ts'

/** `SalesOrderCreatedEvent` */
const schemaName = (kind: string): string => `${pascalCase(kind)}Event`

/** Whether the list contains the feed of events. */
export const hasEvents = (endpoints: readonly Endpoint[]) => endpoints.some(({ kind }) => kind === 'stream')

/** Schemas of the catalogue that are more exact than the feed's declaration, by their names in the components. */
export function eventSchemas(
  endpoints: readonly Endpoint[],
  schemas: NamedSchemas,
): Readonly<Record<string, SchemaObject>> {
  if (!hasEvents(endpoints)) return {}
  const parts = {
    truncated: reference('schemas', 'TruncatedEventData'),
    actor: reference('schemas', 'EventActor'),
  }
  const kinds = eventKindsOf(endpoints)
  const ofKinds = [...kinds].map(([kind, { description, data }]) => {
    const body = eventSchema(kind, schemas.of(data), parts)
    return [schemaName(kind), { description, ...body }] as const
  })
  const inFeed = [...kinds.keys()].filter(kind => kind !== TEST_KIND)
  const referenceOf = (kind: string) => reference('schemas', schemaName(kind))
  return {
    ...Object.fromEntries(ofKinds),
    TruncatedEventData: eventParts.truncated,
    EventActor: eventParts.actor,
    Event: {
      description: 'What happened, by kind; new kinds may come.',
      oneOf: inFeed.map(referenceOf),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(inFeed.map(kind => [kind, referenceOf(kind).$ref])),
      },
    },
  }
}

export const deliveryParameters: Readonly<Record<string, Parameter>> = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's id, the same on every attempt and redelivery: handle it once.",
    schema: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970: refuse what is older than 5 minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks), one per valid secret, separated by spaces.',
    schema: { type: 'string', pattern: '^v1,' },
  },
}

/** The requests to a subscription's URL, by kind. */
export function webhooksOf(endpoints: readonly Endpoint[], examples: RecordedExamples['events']): Webhooks {
  if (!hasEvents(endpoints)) return {}
  return Object.fromEntries(
    [...eventKindsOf(endpoints)].map(([kind, of]) => [kind, { post: deliveryOf(kind, of, examples[kind]) }]),
  )
}

function deliveryOf(kind: string, { description }: EventKind, example: unknown): Operation {
  return {
    operationId: `on${pascalCase(kind)}`,
    tags: ['Webhooks'],
    summary: description.replace(/\.$/, ''),
    description: `Sent to every subscription of \`${kind}\`, signed, until it answers with success.`,
    security: [],
    parameters: Object.keys(deliveryParameters).map(name => reference('parameters', name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: reference('schemas', schemaName(kind)),
          ...(example === undefined ? {} : { example }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received: it is not sent again.' },
      410: { description: 'Never send anything again: the subscription is disabled.' },
      default: { description: 'A failure, also a redirect or no answer within 15 seconds: it is tried again.' },
    },
  }
}
