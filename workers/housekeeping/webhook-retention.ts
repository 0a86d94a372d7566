/**
 * Retention of webhooks and mails: deliveries for 30 days, missed deliveries of a disabled subscription for 14 days, deleted subscriptions
 * until their deliveries are gone.
 */
import { type Fragment, sql } from '../../lib/platform/postgres/postgres.ts'
import { nothingPending, pendingAfter } from '../../lib/webhooks/pending.ts'
import { type Chore, deletion } from './deletion.ts'

/** All subscriptions; the query needs a bound. */
const SUBSCRIPTIONS_MAX = 1_000_000

const deliveriesWhere = (name: string, condition: Fragment): Chore =>
  deletion({
    name,
    table: 'webhook_deliveries',
    old: sql.fragment`
      select d.tenant_id, d.id
      from webhook_deliveries d join webhook_subscriptions s on s.tenant_id = d.tenant_id and s.id = d.subscription_id
      where ${condition}`,
  })

/** Deliveries that still wait for an attempt (redelivered, recovered) stay until it was made. */
export const oldDeliveries = deliveriesWhere(
  'webhook_deliveries',
  sql.fragment`d.created_at < now() - interval '30 days 1 hour' and (d.status <> 'pending' or d.generation <> s.generation)
    order by d.created_at`,
)

/**
 * Deliveries that waited when their subscription was disabled, 14 days after they were due. They are the pending ones of earlier
 * generations.
 */
export const droppedDeliveries = deletion({
  name: 'webhook_backlog',
  table: 'webhook_deliveries',
  old: sql.fragment`
    with recursive ${pendingAfter(nothingPending, SUBSCRIPTIONS_MAX)}
    select d.tenant_id, d.id
    from pending p
    cross join lateral (
      select generation from webhook_subscriptions where tenant_id = p.tenant_id and id = p.subscription_id limit 1
    ) s
    cross join lateral (
      select tenant_id, id from webhook_deliveries
      where tenant_id = p.tenant_id and subscription_id = p.subscription_id and generation = p.generation
        and status = 'pending' and next_attempt_at < now() - interval '14 days 1 hour'
      offset 0
    ) d
    where p.generation < s.generation`,
})

/**
 * A minute after the subscription was deleted all outcomes of running attempts are stored. Only then its deliveries can be removed without
 * the subscription's lock.
 */
export const deliveriesOfDeleted = deliveriesWhere(
  'webhook_deleted_deliveries',
  sql.fragment`s.deleted_at < now() - interval '1 minute'`,
)

/** Deleted subscriptions without deliveries, after a minute, because a delivery may still have been inserted. */
export const deletedSubscriptions = deletion({
  table: 'webhook_subscriptions',
  old: sql.fragment`
    select tenant_id, id from webhook_subscriptions s
    where deleted_at < now() - interval '1 minute' and not exists (
      select from webhook_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id
    )`,
})

export const oldMails = deletion({
  table: 'mails',
  old: sql.fragment`select tenant_id, id from mails where created_at < now() - interval '30 days 1 hour'`,
})

export const webhookChores: readonly Chore[] = [
  oldDeliveries,
  droppedDeliveries,
  deliveriesOfDeleted,
  deletedSubscriptions,
  oldMails,
]
