/**
 * The tables of webhook subscriptions, with their secrets, and of deliveries (docs/rules/webhooks.md). The webhook process also writes
 * their rows: the outcomes of attempts.
 *
 * Locks. Units of work and the webhook process write these rows at the same time. These rules prevent deadlocks:
 *
 * 1. Before you change a delivery, or make one in a recovery, lock its subscription (`for no key update`), and after it the row of the
 * recovery. A statement that changes only one delivery need not. Housekeeping need not either, because nothing else changes its rows.
 * 2. Units of work wait for subscriptions in the order of their commands. A tenant's units run one after the other.
 * 3. The webhook process waits for a subscription only while it has none of these locks. When it locks several subscriptions, it leaves out
 * locked ones and tries them later.
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
    /** Null for the newest secret. Earlier ones have an end. */
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
    /** The declaration does not list the kinds: `createSubscription` and `changeSubscription` get them. */
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
    /** The subscription gets the events after this sequence. */
    from_sequence: longWhole().hidden(),
    /** Rises each time the subscription is disabled. Deliveries of an earlier generation are not sent. */
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
    /** Only for test events, which are not in the outbox. */
    body: text().orNull().hidden(),
    status: choice(deliveryStatuses).words('what became of it'),
    attempts: whole().words('of all rounds, redeliveries included'),
    /** The number of attempts since the schedule began. */
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
