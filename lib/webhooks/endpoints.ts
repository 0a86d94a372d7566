/** The endpoints of webhooks and of the event feed. `commands.ts` and `delivery-commands.ts` declare the writes. */

import { defineList, defineStream, type Endpoint, type Row } from '../kit/api/endpoint.ts'
import type { Choices } from '../kit/api/fields.ts'
import { readsOf } from '../kit/documents/noun.ts'
import { notFound } from '../kit/documents/reads.ts'
import { replyOf } from '../kit/documents/reply.ts'
import { type Others, type Resource, resource } from '../kit/documents/resources.ts'
import { changeSubscription, createSubscription, removeSubscription, rotateSecret } from './commands.ts'
import { deliveryCommands } from './delivery-commands.ts'
import { listDeliveries } from './delivery-queries.ts'
import { DeliveryFilters, eventFilters, eventKindReply, eventReply } from './delivery-schemas.ts'
import { eventKindsOf, kindWords } from './event-kinds.ts'
import { listEvents } from './event-queries.ts'
import { eventKindRows } from './event-schemas.ts'
import { Delivery, Subscription } from './noun.ts'
import { eventsBehind, refuseBeginning } from './stream-queries.ts'

const read = { tag: Subscription.tag, scope: 'read:webhooks', refusals: [] } as const

const [listSubscriptions, getSubscription] = readsOf(Subscription)

const subscriptionEndpoints = (kinds: Choices): readonly Endpoint[] => [
  listSubscriptions,
  createSubscription(kinds),
  getSubscription,
  changeSubscription(kinds),
  removeSubscription,
  rotateSecret,
]

const deliveryEndpoints: readonly Endpoint[] = [
  deliveryCommands.test,
  deliveryCommands.recover,
  defineList({
    ...read,
    id: 'listWebhookDeliveries',
    path: '/webhook-subscriptions/{id}/deliveries',
    summary: 'List deliveries of a subscription',
    description:
      'Ascending by id, of the last 30 days. One per event; its attempts are counted in it. `status` takes several values, joined by commas.',
    filters: DeliveryFilters,
    reply: replyOf(Delivery),
    page: async ({ pool, tenantId }, { params, ...page }) =>
      (await listDeliveries(pool, { tenantId, id: params['id'] ?? '' }, page)) ?? notFound(Subscription),
  }),
  deliveryCommands.redeliver,
]

/** Subscriptions name event kinds that other nouns declare. The database has foreign keys for the rows of webhooks. */
export function webhooks({ endpoints }: Others): Resource {
  const kinds = eventKindsOf(endpoints)
  const words = kindWords(kinds)
  const [filters, reply] = [eventFilters(words), eventReply(words)]
  let rows: readonly Row[] | undefined
  return resource(
    [],
    [
      ...subscriptionEndpoints(words),
      ...deliveryEndpoints,
      defineList({
        ...read,
        id: 'listWebhookEventKinds',
        path: '/webhook-event-kinds',
        summary: 'List event kinds',
        description: 'The same for every tenant.',
        reply: eventKindReply(words),
        page: async (_context, { after, limit, order }) => {
          rows ??= eventKindRows(kinds)
          const inOrder = order === 'asc' ? rows : rows.toReversed()
          return inOrder.slice(inOrder.findIndex(({ id }) => id === after) + 1).slice(0, limit)
        },
      }),
      defineList({
        ...read,
        id: 'listEvents',
        path: '/events',
        summary: 'List events',
        description:
          'The events of the last 30 days by `sequence`, ascending unless `order` is `desc`, which has no gaps: the bodies exactly as they are delivered. ' +
          'Whoever has lost something reads on from the last sequence that arrived. `type` takes several kinds, joined by commas. An ' +
          '`after_sequence` that lies ahead of the last event, or behind which events are no longer kept, is 400.',
        filters,
        reply,
        page: async (
          { pool, tenantId },
          { filters: { type: types, after_sequence: afterSequence }, params: _, ...page },
        ) => {
          // A cursor continues a page that was answered before, so nothing can be missing.
          const behind =
            afterSequence === undefined || page.after !== null
              ? null
              : await eventsBehind(pool, { tenantId, after: afterSequence })
          const refused = behind && refuseBeginning('after_sequence', afterSequence ?? 0, behind)
          return refused ?? listEvents(pool, { tenantId, types, afterSequence, ...page })
        },
      }),
      defineStream({
        ...read,
        id: 'streamEvents',
        path: '/events/stream',
        summary: 'Follow events as they happen',
        description:
          'Server-Sent Events: `id` is the sequence, `event` the type, `data` the body as `GET /events` shows it. First comes what is ' +
          'stored behind `Last-Event-ID` or, without that header, behind `after_sequence`; then what happens, each event within a ' +
          'second of its commit, in ascending sequence without gaps or repeats. With neither it begins with the next event. ' +
          '`type` takes several kinds, joined by commas. A sequence that lies ahead of the last one, or behind which events are no longer kept (30 days), is 400.\n\n' +
          'A comment comes at least every 15 seconds. A key may have 10 streams open; the next is 429 `rate_limited`. A stream ends ' +
          'when its key is not valid any more, when the server stops (with `retry: 1000`), and for a reader that takes nothing for ' +
          '10 seconds while more than 1 MiB waits: connect again with the last `id` as `Last-Event-ID`.',
        query: filters,
        reply,
      }),
    ],
  )
}
