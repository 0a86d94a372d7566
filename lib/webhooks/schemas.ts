/** The filters of deliveries and events, and what an event and a kind of events look like (docs/rules/webhooks.md). */
import * as v from 'valibot'
import { oneOf, optional, queryInteger, shape, someOf } from '../kit/api/fields.ts'
import { choice, explained, instant, named, orNull, plainText, wholeNumber } from '../kit/api/reply-fields.ts'
import { kindWords } from './event-kinds.ts'
import { deliveryStatuses } from './noun.ts'

export const DeliveryFilters = shape({ status: optional(someOf(deliveryStatuses)) })
export type DeliveryFilters = v.InferOutput<typeof DeliveryFilters>

export const EventFilters = shape({
  type: optional(oneOf(kindWords)),
  after_sequence: optional(queryInteger(0, 999_999_999_999_999)),
})
export type EventFilters = v.InferOutput<typeof EventFilters>

const anything = () => v.record(v.string(), v.unknown())

export const EventBody = named(
  'Event',
  shape({
    id: plainText(),
    type: choice(kindWords),
    timestamp: instant(),
    sequence: wholeNumber(),
    api_version: plainText(),
    data: explained(anything(), 'the resource after the write; GET /webhook-event-kinds has its schema'),
    previous: orNull(explained(anything(), 'old values of the fields that changed; null on creation')),
  }),
)

export const EventKindDocument = named(
  'WebhookEventKind',
  shape({
    kind: choice(kindWords),
    description: plainText(),
    schema: explained(anything(), "JSON Schema of the event's body"),
  }),
)
