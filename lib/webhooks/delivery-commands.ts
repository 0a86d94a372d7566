/**
 * Commands that make deliveries: a test event, a redelivery, a recovery (docs/rules/webhooks.md). They work for disabled subscriptions too,
 * because the owner asks for them. The webhook process sends the deliveries.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { shape } from '../kit/api/fields.ts'
import { explained, named, wholeNumber } from '../kit/api/reply-fields.ts'
import { acts } from '../kit/documents/acts.ts'
import { command } from '../kit/documents/command.ts'
import { always, answerOf, theRecord } from '../kit/documents/needs.ts'
import { NextUnit } from '../kit/documents/next-unit.ts'
import { notFound } from '../kit/documents/reads.ts'
import { replyOf } from '../kit/documents/reply.ts'
import { instant } from '../kit/fields/kinds.ts'
import { eventActor, eventBody, newEventId } from '../work/events.ts'
import { TEST_KIND } from './event-kinds.ts'
import { Delivery, Subscription } from './noun.ts'
import { deliveryOwner } from './owner.ts'
import { beginRecovery, type EventRange, lengthOf, missed, rangeSince, timeOfEvent } from './recovery-queries.ts'
import { relayPart } from './relay-part.ts'

const write = { tag: Subscription.tag, scope: 'write:webhooks', countsAsDocument: false } as const

/** The most events of one recovery. Counting those that were not delivered takes 0.12 s. */
const RECOVERY_MAX = 500_000
/** The most events whose deliveries the command makes itself, in 0.1 s. */
const FIRST_STEP_MAX = 5_000

const test = acts(Subscription, 'test', {
  scope: 'write:webhooks',
  summary: 'Send a test event',
  description:
    'Sends a `webhook.test` event to this subscription only, also while it is disabled. Answers the delivery.',
  body: {},
  example: {},
  success: 201,
  reply: replyOf(Delivery),
  takesIfMatch: false,
  ids: () => 1,
  decide: ({ record: subscription }, _, deciding) => {
    const { now, work } = deciding
    const { id: subscription_id, generation } = subscription
    const event_id = newEventId()
    const event = { type: TEST_KIND, data: JSON.stringify({ subscription_id }), previous: null }
    const delivery = work.make(Delivery, {
      id: work.newId(),
      subscription_id,
      generation,
      event_id,
      event_type: TEST_KIND,
      sequence: null,
      body: eventBody(event, { id: event_id, timestamp: now, sequence: null, actor: eventActor(deciding) }).body,
      attempts: 0,
      response_status: null,
      duration_ms: null,
      error: null,
      created_at: now,
      ...fresh(now),
    })
    return { body: work.render(Delivery, delivery), events: [] }
  },
})

/** The fields of a delivery that gets all attempts of the schedule again. */
const fresh = (now: string) =>
  ({ status: 'pending', round_attempts: 0, next_attempt_at: now, completed_at: null }) as const

/** Refuses `not_found`, and `unprocessable` when the event is no longer kept. */
const redeliver = command({
  ...write,
  id: 'redeliverWebhookDelivery',
  method: 'POST',
  path: '/webhook-deliveries/{id}/redeliver',
  summary: 'Send a delivery again',
  description: 'Whatever became of it: the same event id and bytes, now, and with a fresh schedule of attempts.',
  body: shape({}),
  example: {},
  success: 200,
  refusals: ['unprocessable'],
  reply: replyOf(Delivery),
  ids: () => 0,
  // The order matters: the subscription is locked before the delivery.
  needs: ({ params }) => ({
    of: answerOf(deliveryOwner, { id: params['id'] ?? '' }),
    before: theRecord(Delivery, params['id']),
  }),
  decide: (_, { before, of }, { now, work }) => {
    if (before === null || of === null) return notFound(Delivery)
    if (!of.isKept) return refuse('unprocessable', 'the event of this delivery is older than 30 days')
    const after = work.change(Delivery, { ...before, ...fresh(now), generation: of.generation })
    return { body: work.render(Delivery, after), events: [] }
  },
})

/**
 * Counts all events that were not delivered and makes the deliveries of the first ones. The relay makes the others. Refuses `not_found`,
 * and `unprocessable` where more than 500,000 events came since.
 */
const recover = acts(Subscription, 'recover', {
  scope: 'write:webhooks',
  summary: 'Send what was missed',
  description:
    "Sends every event of the subscription's kinds from `since` on (inclusive, at most 14 days back) that was not delivered " +
    'to it, with a fresh schedule of attempts; also events from before its creation, and also while it is disabled. `count` ' +
    'is exact at once, while the deliveries of a large recovery appear in steps. At most 500000 events since then, whether ' +
    'they were delivered or not: beyond them 422 names a time that works.',
  body: { since: instant().words('from which event on, inclusive') },
  example: { since: '2026-11-21T05:00:00.000Z' },
  refusals: ['unprocessable'],
  takesIfMatch: false,
  reply: named('WebhookRecovery', shape({ count: explained(wholeNumber(), 'events that are sent') })),
  // The need also locks the subscription. Until the deliveries are made, no attempt at an event that counted as missed can be noted as a
  // success.
  needs: ({ since }, _, params) => ({ range: answerOf(rangeSince, { id: params['id'] ?? '', since }) }),
  more: ({ params }, { range }) => {
    const isWithin = range !== null && lengthOf(range) <= RECOVERY_MAX
    return {
      count: isWithin ? answerOf(missed, { id: params['id'] ?? '', ...range }) : always(0),
      from: range === null || isWithin ? always(null) : answerOf(timeOfEvent, { sequence: recentOf(range) }),
    }
  },
  decide: ({ params }, { range, count, from }, { now, work, lastEventSequence }) => {
    if (range === null) return notFound(Subscription)
    // Events of earlier commands are written only at the end of this unit of work.
    if (range.last !== lastEventSequence) throw new NextUnit('events are not written yet')
    if (from !== null) return tooMany(range, from)
    const key = { tenantId: work.tenant.id, id: params['id'] ?? '' }
    const deliveriesMax = Math.min(FIRST_STEP_MAX, lengthOf(range))
    work.part(relayPart).recover({
      deliveriesMax,
      query: ids => beginRecovery(key, { range, eventsMax: FIRST_STEP_MAX, now, ids }),
    })
    return { body: JSON.stringify({ count }), events: [] }
  },
})

/** A recovery after this sequence is below the limit, even if more events come meanwhile. */
const recentOf = ({ last }: EventRange): string => String(BigInt(last) - BigInt(RECOVERY_MAX - RECOVERY_MAX / 10))

const tooMany = (range: EventRange, recent: string): Refusal =>
  refuse(
    'unprocessable',
    `since: ${lengthOf(range)} events came since then, more than the ${RECOVERY_MAX} that one recovery goes through; recover ` +
      `from ${new Date(Date.parse(recent) + 1).toISOString()} on, and read the earlier ones with ` +
      `GET /events?after_sequence=${BigInt(range.first) - 1n}`,
  )

export const deliveryCommands = { test, redeliver, recover }
