/** The closed list of event kinds: those that endpoints declare, and the test event. */
import type { Endpoint, Schema } from '../kit/api/endpoint.ts'
import { type Choices, shape } from '../kit/api/fields.ts'
import { explained, idText, named } from '../kit/api/reply-fields.ts'

export type EventKind = {
  readonly description: string
  /** The schema of the event's `data`: the answer of the endpoint that shows the record. */
  readonly data: Schema
}

/** Event kinds by name, in the order of the endpoints. */
export type EventKinds = ReadonlyMap<string, EventKind>

/** Stands for all kinds, also kinds of later versions. */
export const EVERY_KIND = '*'
export const TEST_KIND = 'webhook.test'

const testKind: EventKind = {
  description: 'Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed.',
  data: named('WebhookTest', shape({ subscription_id: explained(idText(), 'the subscription that is tested') })),
}

export const eventKindsOf = (endpoints: readonly Endpoint[]): EventKinds =>
  new Map([
    ...endpoints.flatMap(({ events = {}, reply }) =>
      reply ? Object.entries(events).map(([kind, description]) => [kind, { description, data: reply }] as const) : [],
    ),
    [TEST_KIND, testKind],
  ])

/** The meaning of each kind. */
export const kindWords = (kinds: EventKinds): Choices =>
  Object.fromEntries([...kinds].map(([kind, { description }]) => [kind, description]))
