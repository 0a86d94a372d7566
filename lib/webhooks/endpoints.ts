/**
 * The endpoints of webhooks and of the event feed. It declares; what runs is in the files beside it.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../api/endpoint.ts'
import { checkTarget } from './check-target.ts'
import {
  changeSubscription,
  createSubscription,
  noSuchSubscription,
  removeSubscription,
  rotateSecret,
} from './commands.ts'
import { recover, redeliver, sendTest } from './delivery-commands.ts'
import { listDeliveries } from './delivery-queries.ts'
import { eventKindRows } from './event-schemas.ts'
import { findSubscription, listEvents, listSubscriptions } from './queries.ts'
import {
  Delivery,
  EventBody,
  EventFilters,
  EventKindDocument,
  NewSubscription,
  Nothing,
  Recovered,
  Recovery,
  RotatedSecret,
  Rotation,
  Subscription,
  SubscriptionChange,
  SubscriptionWithSecret,
} from './schemas.ts'

const tag = 'Webhooks'
const read = { tag, scope: 'read:webhooks', refusals: [] } as const
const write = { tag, scope: 'write:webhooks', countsAsDocument: false } as const

const URL_RULES =
  '`url` is public `https` without credentials; loopback, private, link-local, metadata, mapped and translated addresses are ' +
  'refused in any notation, here and again for every address that its name has when something is sent. A name that does ' +
  'not resolve yet is accepted. Operators may allow networks, or some ports of them, by a setting, there `http` too.'

const SAME_RULE =
  'A second subscription of the same kinds to the same URL, also beside a disabled one, is 400 and named.'

const subscriptionEndpoints: readonly Endpoint[] = [
  defineList({
    ...read,
    id: 'listWebhookSubscriptions',
    path: '/webhook-subscriptions',
    summary: 'List webhook subscriptions',
    description: 'Ascending by id, with their health.',
    reply: Subscription,
    page: ({ pool, tenantId }, { after, limit }) => listSubscriptions(pool, { tenantId, after, limit }),
  }),
  defineCommand({
    ...write,
    id: 'createWebhookSubscription',
    method: 'POST',
    path: '/webhook-subscriptions',
    summary: 'Create a webhook subscription',
    description:
      `It gets the events of writes that commit after its creation. ${URL_RULES} ${SAME_RULE} A tenant has at most 100 ` +
      'subscriptions (an operator may set it): the next one is 422. The secret signs every request ' +
      '(Standard Webhooks) and is shown once: a replay has `null`. A caller who lost the first answer rotates the secret.',
    body: NewSubscription,
    example: { url: 'https://example.com/hooks/millrace', events: ['sales_order.created', 'stock.changed'] },
    success: 201,
    refusals: ['unprocessable'],
    reply: SubscriptionWithSecret,
    showsSecret: true,
    check: (settings, body) => checkTarget(settings, body.url),
    execute: createSubscription,
  }),
  defineRead({
    ...read,
    id: 'getWebhookSubscription',
    path: '/webhook-subscriptions/{id}',
    summary: 'Read a webhook subscription',
    reply: Subscription,
    handle: async ({ pool, tenantId }, { params }) =>
      (await findSubscription(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchSubscription(),
  }),
  defineCommand({
    ...write,
    id: 'updateWebhookSubscription',
    method: 'PATCH',
    path: '/webhook-subscriptions/{id}',
    summary: 'Update a webhook subscription',
    description:
      '`enabled: false` disables it: nothing more is sent, what waits included; what is on its way may still arrive. ' +
      '`enabled: true` makes it active with 0 failures; what it missed meanwhile is sent only by recovering it. ' +
      `${URL_RULES} ${SAME_RULE}`,
    body: SubscriptionChange,
    example: { events: ['*'], description: 'Everything, for the data warehouse' },
    success: 200,
    refusals: [],
    reply: Subscription,
    check: (settings, body) => checkTarget(settings, body.url),
    execute: changeSubscription,
  }),
  defineCommand({
    ...write,
    id: 'deleteWebhookSubscription',
    method: 'DELETE',
    path: '/webhook-subscriptions/{id}',
    summary: 'Delete a webhook subscription',
    description: 'Nothing more is sent, but what is on its way may still arrive; its deliveries go with it.',
    success: 204,
    refusals: [],
    execute: removeSubscription,
  }),
  defineCommand({
    ...write,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhook-subscriptions/{id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description:
      'Until `overlap_seconds` are over, requests carry a signature of each valid secret. With 0 the earlier secrets end at ' +
      'once; only what is on its way is still signed with them. At most 10 secrets are valid together.',
    body: Rotation,
    example: { overlap_seconds: 3600 },
    success: 200,
    refusals: ['unprocessable'],
    reply: RotatedSecret,
    showsSecret: true,
    execute: rotateSecret,
  }),
]

const deliveryEndpoints: readonly Endpoint[] = [
  defineCommand({
    ...write,
    id: 'testWebhookSubscription',
    method: 'POST',
    path: '/webhook-subscriptions/{id}/test',
    summary: 'Send a test event',
    description:
      'Sends a `webhook.test` event to this subscription only, also while it is disabled. Answers the delivery.',
    body: Nothing,
    example: {},
    success: 201,
    refusals: [],
    reply: Delivery,
    execute: sendTest,
  }),
  defineCommand({
    ...write,
    id: 'recoverWebhookSubscription',
    method: 'POST',
    path: '/webhook-subscriptions/{id}/recover',
    summary: 'Send what was missed',
    description:
      "Sends every event of the subscription's kinds from `since` on (inclusive, at most 14 days back) that was not delivered " +
      'to it, with a fresh schedule of attempts; also events from before its creation, and also while it is disabled. `count` ' +
      'is exact at once, while the deliveries of a large recovery appear in steps. At most 500000 events since then, whether ' +
      'they were delivered or not: beyond them 422 names a time that works.',
    body: Recovery,
    example: { since: '2026-11-21T05:00:00.000Z' },
    success: 200,
    refusals: ['unprocessable'],
    reply: Recovered,
    execute: recover,
  }),
  defineList({
    ...read,
    id: 'listWebhookDeliveries',
    path: '/webhook-subscriptions/{id}/deliveries',
    summary: 'List deliveries of a subscription',
    description: 'Ascending by id, of the last 30 days. One per event; its attempts are counted in it.',
    reply: Delivery,
    page: async ({ pool, tenantId }, { params, after, limit }) =>
      (await listDeliveries(pool, { tenantId, id: params['id'] ?? '' }, { after, limit })) ?? noSuchSubscription(),
  }),
  defineCommand({
    ...write,
    id: 'redeliverWebhookDelivery',
    method: 'POST',
    path: '/webhook-deliveries/{id}/redeliver',
    summary: 'Send a delivery again',
    description: 'Whatever became of it: the same event id and bytes, now, and with a fresh schedule of attempts.',
    body: Nothing,
    example: {},
    success: 200,
    refusals: ['unprocessable'],
    reply: Delivery,
    execute: redeliver,
  }),
]

/** @param all gives THE list once it is complete: event schemas are made of its answers. */
export function webhookEndpoints(all: () => readonly Endpoint[]): readonly Endpoint[] {
  return [
    ...subscriptionEndpoints,
    ...deliveryEndpoints,
    defineList({
      ...read,
      id: 'listWebhookEventKinds',
      path: '/webhook-event-kinds',
      summary: 'List event kinds',
      description: 'The same for every tenant.',
      reply: EventKindDocument,
      page: async (_context, { after, limit }) =>
        eventKindRows(all())
          .filter(({ id }) => Number(id) > Number(after ?? 0))
          .slice(0, limit),
    }),
    defineList({
      ...read,
      id: 'listEvents',
      path: '/events',
      summary: 'List events',
      description:
        'The events of the last 30 days in ascending `sequence`, which has no gaps: the bodies exactly as they are delivered. ' +
        'Whoever has lost something reads on from the last sequence that arrived.',
      filters: EventFilters,
      reply: EventBody,
      page: ({ pool, tenantId }, { filters, after, limit }) =>
        listEvents(pool, {
          tenantId,
          type: filters.type,
          afterSequence: after ?? String(filters.after_sequence ?? 0),
          limit,
        }),
    }),
  ]
}
