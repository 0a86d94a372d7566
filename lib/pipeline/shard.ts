/**
 * Spreads tenants over hash tags, so that all Redis keys of one tenant lie together on a cluster. It must stay stable: a
 * tenant that changes its tag leaves its queue behind.
 */
import { crc32 } from 'node:zlib'

/** The shard of a tenant, 0 to `shards` - 1 (setting QUEUE_SHARDS). */
export function shardOf(tenantId: string, shards: number): number {
  return crc32(tenantId) % shards
}

/** `{s17}`: the hash tag that all keys of a shard share. */
export function shardTag(shard: number): string {
  return `{s${shard}}`
}

/** The tags of all shards. */
export const shardTags = (shards: number): string[] => Array.from({ length: shards }, (_, shard) => shardTag(shard))
