/**
 * Notes that a delivery could not be signed, because its subscription's secret could not be decrypted. The receiver has not failed: the
 * attempt does not count, the delivery stays due, and the subscription is not disabled (docs/rules/webhooks.md).
 */
import { type Pool, statement } from '../platform/postgres/postgres.ts'
import type { SubscriptionRef } from './pending.ts'

export const UNOPENED = 'not sent: the service could not open the secret to sign with; its operator has to act'

/**
 * @param at in ms since 1970. The 72 hours without success that disable a subscription begin again, because the receiver was not called.
 */
export async function noteUnopened(
  pool: Pool,
  { tenantId, subscriptionId }: SubscriptionRef,
  { deliveryId, at }: { readonly deliveryId: string; readonly at: number },
): Promise<void> {
  const time = new Date(at).toISOString()
  await pool.query(statement`
    update webhook_subscriptions
    set last_failure_at = ${time}::timestamptz, last_failure_reason = ${UNOPENED},
      good_since = greatest(good_since, ${time}::timestamptz)
    where tenant_id = ${tenantId}::bigint and id = ${subscriptionId}::bigint`)
  await pool.query(statement`
    update webhook_deliveries set error = ${UNOPENED}
    where tenant_id = ${tenantId}::bigint and id = ${deliveryId}::bigint and status = 'pending'`)
}
