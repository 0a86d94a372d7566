/**
 * What a webhook subscription is, with its secrets, and a delivery (docs/rules/webhooks.md). The webhook process writes their
 * rows too: what became of its attempts.
 *
 * Locks. Units of work and the webhook process write these rows at the same time. So that nobody waits in a circle:
 * 1. Whoever changes a delivery, or makes one by a recovery, locks its subscription before (`for no key update`), and the row of the
 *    recovery after the subscription. A statement that changes one delivery alone need not, nor does housekeeping, whose rows nobody
 *    changes any more.
 * 2. Units of work wait for subscriptions in whatever order their commands come. A tenant's units come one after the other.
 * 3. The webhook process waits for a subscription only while it has none of these locks. Where it locks several subscriptions it leaves
 *    out those that another has, and comes back for them.
 */
import { filtersOf } from '../kit/api/list-filters.ts'
import { document, hiddenLines, lineOf, type RecordOf } from '../kit/documents/document.ts'
import { noun } from '../kit/documents/noun.ts'
import type { ChangeOf, CreateOf } from '../kit/fields/bodies.ts'
import {
  bytes,
  choice,
  flag,
  instant,
  key,
  longText,
  longWhole,
  reference,
  text,
  textList,
  whole,
} from '../kit/fields/kinds.ts'

const Secret = lineOf({
  table: 'webhook_secrets',
  parent: 'subscription_id',
  shared: true,
  fields: {
    id: key(),
    /** Encrypted for this subscription: see `secretOwner`. */
    sealed: bytes(),
    created_at: instant(),
    /** Null for the newest; the ones before it end. */
    expires_at: instant().orNull(),
  },
})

export const Subscription = noun({
  name: 'webhook subscription',
  table: 'webhook_subscriptions',
  path: '/webhook-subscriptions',
  tag: ['Webhooks', 'Events of the tenant: pushed to subscriptions, as a feed and as a stream.'],
  scopes: { read: 'read:webhooks', create: 'write:webhooks', update: 'write:webhooks' },
  shared: true,
  removedBy: 'deleted_at',
  fields: {
    id: key(),
    url: text().words('where events are sent to').writable(),
    description: longText().words('what it is for').orNull().writable(),
    /** Which kinds there are is not known here: `createSubscription` and `changeSubscription` take them. */
    events: textList().words('event kinds, or `["*"]` for all of them').writable(),
    enabled: flag().words('whether anything is sent').default(true).writable(),
    status: choice({
      active: 'deliveries succeed, or none has failed 5 times in a row',
      failing: 'after 5 failed attempts in a row; one success makes it active',
      disabled: 'after HTTP 410, after 72 h without success and 10 failed attempts in a row, or by hand',
    }).words('how it does'),
    consecutive_failures: whole().words('failed attempts since the last success'),
    created_at: instant(),
    last_delivery_at: instant().words('the last success').orNull(),
    last_failure_at: instant().words('when an attempt failed last').orNull(),
    last_failure_reason: text().words('why it failed').orNull(),
    /** Events after this sequence are for it. */
    from_sequence: longWhole().hidden(),
    /** Rises with each disabling: deliveries of an earlier one are not sent. */
    generation: whole().hidden(),
    disabled_at: instant().orNull().hidden(),
    good_since: instant().hidden(),
    deleted_at: instant().orNull().hidden(),
    secrets: hiddenLines(Secret),
  },
  filters: filtersOf({}),
  listed: 'Ascending by id, with their health.',
})

export type NewSubscription = CreateOf<typeof Subscription>
export type SubscriptionChange = ChangeOf<typeof Subscription>

export const deliveryStatuses = {
  pending: 'not sent yet, or to be tried again',
  succeeded: 'received',
  failed: 'given up',
} as const

export const Delivery = document({
  kind: 'webhook_delivery',
  noun: 'webhook delivery',
  table: 'webhook_deliveries',
  shared: true,
  fields: {
    id: key(),
    subscription_id: reference(Subscription).hidden(),
    generation: whole().hidden(),
    event_id: text().words('the id of the event'),
    event_type: text().words('the kind of the event'),
    sequence: longWhole().words('null for test events').orNull(),
    /** Of test events, which stand in no outbox. */
    body: text().orNull().hidden(),
    status: choice(deliveryStatuses).words('what became of it'),
    attempts: whole().words('of all rounds, redeliveries included'),
    /** The place in the schedule of attempts. */
    round_attempts: whole().hidden(),
    response_status: whole().words('of the last attempt; null without an answer').orNull(),
    duration_ms: whole().words('how long the last attempt took').orNull(),
    error: text().words('why the last attempt failed').orNull(),
    next_attempt_at: instant().words('when it is tried next; null: not again').orNull(),
    created_at: instant(),
    completed_at: instant().words('when it succeeded, or was given up').orNull(),
  },
})

export type Subscription = RecordOf<typeof Subscription>
export type Secret = Subscription['secrets'][number]
export type Delivery = RecordOf<typeof Delivery>
