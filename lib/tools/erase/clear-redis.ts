/**
 * Removes a tenant's keys in Redis after the tenant is not served any more. The tenant's rows say which keys there are. It changes no row.
 */
import type pg from 'pg'
import { rateKeyOf } from '../../access/rate.ts'
import { streamsKeyOf } from '../../access/stream-slots.ts'
import { forgetTenant } from '../../pipeline/forget-tenant.ts'
import { shardOf, shardTag } from '../../pipeline/redis-keys.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { WebhookQueue } from '../../webhooks/queue.ts'
import { forgetRetries } from '../../webhooks/retries.ts'
import { dropTenantSignal } from '../../webhooks/tenant-signals.ts'

type Cleared = { readonly tenantId: string; readonly cell: string; readonly redis: Redis; readonly shards: number }

export async function clearRedis(client: pg.Client, { tenantId, cell, redis, shards }: Cleared): Promise<void> {
  await forgetTenant(redis, { tenantId, shards })
  const tag = shardTag(shardOf(tenantId, shards))
  for (const keyId of await idsOf(client, 'api_keys', tenantId))
    for (const keyOf of [rateKeyOf, streamsKeyOf]) await redis.unlink(keyOf({ tenantId, keyId }, tag))
  const ids = await idsOf(client, 'webhook_subscriptions', tenantId)
  const subscriptions = ids.map(subscriptionId => ({ tenantId, subscriptionId }))
  await dropTenantSignal(redis, tenantId, cell)
  await forgetRetries(redis, subscriptions, cell)
  const queue = new WebhookQueue(redis, cell)
  try {
    await queue.forget(subscriptions)
  } finally {
    await queue.close()
  }
}

async function idsOf(client: pg.Client, table: 'api_keys' | 'webhook_subscriptions', tenantId: string) {
  const { rows } = await client.query<{ id: string }>(`select id::text from ${table} where tenant_id = $1`, [tenantId])
  return rows.map(({ id }) => id)
}
