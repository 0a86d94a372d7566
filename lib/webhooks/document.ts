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
import { document, hiddenLines, lineOf, type RecordOf } from '../kit/documents/document.ts'
import {
  bytes,
  choice,
  explained,
  flag,
  hidden,
  instant,
  key,
  longWhole,
  nullable,
  reference,
  text,
  textList,
  whole,
} from '../kit/documents/field.ts'

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
    expires_at: nullable(instant()),
  },
})

export const Subscription = document({
  kind: 'webhook_subscription',
  noun: 'webhook subscription',
  table: 'webhook_subscriptions',
  shared: true,
  removedBy: 'deleted_at',
  fields: {
    id: key(),
    url: text(),
    description: nullable(text()),
    events: explained(textList(), 'event kinds, or `["*"]` for all of them'),
    enabled: flag(),
    status: explained(
      choice({
        active: 'deliveries succeed, or none has failed 5 times in a row',
        failing: 'after 5 failed attempts in a row; one success makes it active',
        disabled: 'after HTTP 410, after 72 h without success and 10 failed attempts in a row, or by hand',
      }),
      'how it does',
    ),
    consecutive_failures: explained(whole(), 'failed attempts since the last success'),
    created_at: instant(),
    last_delivery_at: nullable(explained(instant(), 'the last success')),
    last_failure_at: nullable(instant()),
    last_failure_reason: nullable(text()),
    /** Events after this sequence are for it. */
    from_sequence: hidden(longWhole()),
    /** Rises with each disabling: deliveries of an earlier one are not sent. */
    generation: hidden(whole()),
    disabled_at: hidden(nullable(instant())),
    good_since: hidden(instant()),
    deleted_at: hidden(nullable(instant())),
    secrets: hiddenLines(Secret),
  },
})

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
    subscription_id: hidden(reference(Subscription)),
    generation: hidden(whole()),
    event_id: text(),
    event_type: text(),
    sequence: nullable(explained(longWhole(), 'null for test events')),
    /** Of test events, which stand in no outbox. */
    body: hidden(nullable(text())),
    status: choice(deliveryStatuses),
    attempts: explained(whole(), 'of all rounds, redeliveries included'),
    /** The place in the schedule of attempts. */
    round_attempts: hidden(whole()),
    response_status: nullable(explained(whole(), 'of the last attempt; null without an answer')),
    duration_ms: nullable(whole()),
    error: nullable(explained(text(), 'why the last attempt failed')),
    next_attempt_at: nullable(instant()),
    created_at: instant(),
    completed_at: nullable(instant()),
  },
})

export type Subscription = RecordOf<typeof Subscription>
export type Secret = Subscription['secrets'][number]
export type Delivery = RecordOf<typeof Delivery>
