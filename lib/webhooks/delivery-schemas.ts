/** The filters of deliveries and events, and the schemas of an event and of an event kind (docs/rules/webhooks.md). */
import * as v from 'valibot'
import { type Choices, optional, queryInteger, shape, someIds, someOf } from '../kit/api/fields.ts'
import { choice, explained, instant, named, orNull, plainText, wholeNumber } from '../kit/api/reply-fields.ts'
import { deliveryStatuses } from './noun.ts'

export const DeliveryFilters = shape({ id: optional(someIds()), status: optional(someOf(deliveryStatuses)) })
export type DeliveryFilters = v.InferOutput<typeof DeliveryFilters>

/** @param kinds the meaning of each event kind */
export const eventFilters = (kinds: Choices) =>
  shape({
    type: optional(someOf(kinds)),
    after_sequence: optional(explained(queryInteger(0, 999_999_999_999_999), 'with a greater `sequence` than this')),
  })
export type EventFilters = v.InferOutput<ReturnType<typeof eventFilters>>

const anything = () => v.record(v.string(), v.unknown())

export const eventReply = (kinds: Choices) =>
  named(
    'Event',
    shape({
      id: plainText(),
      type: choice(kinds),
      timestamp: instant(),
      sequence: wholeNumber(),
      api_version: plainText(),
      actor: optional(
        explained(
          orNull(shape({ key_id: plainText(), user_name: orNull(plainText()), request_id: plainText() })),
          'who caused it; null where the service acted by itself',
        ),
      ),
      data: explained(anything(), 'the resource after the write; GET /webhook-event-kinds has its schema'),
      previous: orNull(explained(anything(), 'old values of the fields that changed; null on creation')),
    }),
  )

export const eventKindReply = (kinds: Choices) =>
  named(
    'WebhookEventKind',
    shape({
      kind: explained(choice(kinds), 'the `type` of its events'),
      description: explained(plainText(), 'in words'),
      schema: explained(anything(), "JSON Schema of the event's body"),
    }),
  )
