/** The bodies, filters and documents of webhook subscriptions, deliveries and events (docs/rules/webhooks.md). */
import * as v from 'valibot'
import {
  clearable,
  flag,
  integer,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  queryInteger,
  shape,
  someOf,
  text,
  timestamp,
  withDefault,
} from '../kit/api/fields.ts'
import { choice, explained, instant, named, orNull, plainText, wholeNumber } from '../kit/api/reply-fields.ts'
import { JsonNumber } from '../platform/json.ts'
import { deliveryStatuses } from './document.ts'
import { EVERY_KIND, kindWords } from './event-kinds.ts'

const wantedKinds = () =>
  list(oneOf({ ...kindWords, [EVERY_KIND]: 'All kinds, also those that come later.' }), { min: 1, max: 100 })

const OVERLAP_S_DEFAULT = '86400'
const OVERLAP_S_MAX = 30 * 86_400

export const NewSubscription = shape({
  url: text(),
  events: wantedKinds(),
  description: nullable(longText()),
  enabled: withDefault(flag(), true),
})
export type NewSubscription = v.InferOutput<typeof NewSubscription>

export const SubscriptionChange = shape({
  url: optional(text()),
  events: optional(wantedKinds()),
  description: clearable(longText()),
  enabled: optional(flag()),
})
export type SubscriptionChange = v.InferOutput<typeof SubscriptionChange>

export const Rotation = shape({
  overlap_seconds: withDefault(integer(0, OVERLAP_S_MAX), new JsonNumber(OVERLAP_S_DEFAULT)),
})
export type Rotation = v.InferOutput<typeof Rotation>

export const Recovery = shape({ since: timestamp() })
export type Recovery = v.InferOutput<typeof Recovery>

/** Actions without fields. */
export const Nothing = shape({})

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
