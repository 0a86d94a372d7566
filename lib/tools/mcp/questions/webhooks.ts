/** `webhook_failures`. */

import * as v from 'valibot'
import { documentOf, extended, rowsOf } from '../outputs.ts'
import { field, rowsAnswer, slice, tool } from '../tool.ts'

const SUBSCRIPTIONS_ASKED_MAX = 5
const DELIVERIES_SHOWN_MAX = 5

export const webhookFailures = tool({
  name: 'webhook_failures',
  title: 'Failures of webhooks',
  about:
    'Which webhook subscriptions fail or are disabled and why, with the newest deliveries that failed or are tried again. Name a ' +
    'subscription for all of its failed deliveries.',
  scopes: ['read:webhooks'],
  input: v.strictObject({
    subscription_id: v.optional(field.id('One subscription; all that are in trouble unless given.')),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: rowsOf(
    {
      anyOf: [
        extended(documentOf('WebhookSubscription'), {
          deliveries: { type: 'array', items: documentOf('WebhookDelivery') },
        }),
        documentOf('WebhookDelivery'),
      ],
    },
    { subscription: documentOf('WebhookSubscription'), subscriptions: { type: 'integer' } },
  ),
  run: async ({ subscription_id, limit, cursor }, { millrace, signal }) => {
    const failed = (id: string, status: readonly ('failed' | 'pending')[], page: object) =>
      millrace.webhookSubscriptions.listDeliveries(id, { status, order: 'desc', limit, ...page }, { signal })
    if (subscription_id !== undefined) {
      const subscription = await millrace.webhookSubscriptions.get(subscription_id, { signal })
      const { data, next_cursor } = await failed(subscription_id, ['failed'], { cursor })
      return rowsAnswer('Failed deliveries', data, next_cursor, { subscription })
    }
    const all = await millrace.webhookSubscriptions.list({ limit: 200 }, { signal }).toArray({ max: 1_000 })
    const troubled = all.filter(({ status, consecutive_failures }) => status !== 'active' || consecutive_failures > 0)
    const { rows, next_cursor } = slice(troubled, { limit: Math.min(limit, SUBSCRIPTIONS_ASKED_MAX), cursor })
    const withDeliveries = await Promise.all(
      rows.map(async subscription => {
        const { data } = await failed(subscription.id, ['failed', 'pending'], {})
        return {
          ...subscription,
          deliveries: data.filter(({ attempts }) => attempts > 0).slice(0, DELIVERIES_SHOWN_MAX),
        }
      }),
    )
    return rowsAnswer('Subscriptions in trouble', withDeliveries, next_cursor, { subscriptions: all.length })
  },
})
