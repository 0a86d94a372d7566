/**
 * Removes everything of a tenant that the pipeline keeps in Redis: queue, claims, answers, quotas and last writes. It must not run for a
 * tenant that is served.
 */
import { defineScript, type Redis } from '../platform/redis/redis.ts'
import { queuedKey, queueNameOf, shardOf, shardTag, tenantKey } from './redis-keys.ts'

type Kept = { readonly tenantId: string; readonly shards: number }

/** Whether commands of the tenant wait or run. */
export async function hasCommands(redis: Redis, { tenantId, shards }: Kept): Promise<boolean> {
  const queue = `${shardTag(shardOf(tenantId, shards))}:${queueNameOf(tenantId)}`
  return (await redis.exists(`${queue}:wait`, `${queue}:active`)) > 0
}

/** Scans all keys of the server that has the tenant's shard. */
export async function forgetTenant(redis: Redis, { tenantId, shards }: Kept): Promise<void> {
  const tag = shardTag(shardOf(tenantId, shards))
  const forget = defineScript(redis, new URL('./forget-keys.lua', import.meta.url), 1, String)
  for (const pattern of [`${tenantKey(tag, tenantId)}:*`, `${tag}:${queueNameOf(tenantId)}:*`]) {
    let cursor = '0'
    do cursor = await forget([queuedKey(tag)], [cursor, pattern])
    while (cursor !== '0')
  }
  await redis.srem(queuedKey(tag), tenantId)
}
