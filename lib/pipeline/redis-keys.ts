/**
 * Names the keys of the pipeline in Redis. All keys of a tenant share the hash tag of its shard, so that they lie together on a cluster.
 * The shard must stay stable: a tenant that changes its tag leaves its queue behind.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { inCell } from '../platform/cells.ts'
import type { Command } from './command.ts'

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

export const READY_QUEUE = 'ready'

export const queueNameOf = (tenantId: string): string => `t${tenantId}`

/** The set of a shard's tenants with commands in their queues; it may hold others too (with-commands.lua). */
export const queuedKey = (tag: string): string => `${tag}:queued`

/** With what all keys of a tenant begin but for those of its queue. */
export const tenantKey = (tag: string, tenantId: string): string => `${tag}:tenant:${tenantId}`

/** What claim.lua and end-commands.lua know of a command: the record of its key, and what counts its quota ('' for none). */
export function claimKeys(tag: string, { tenantId, idempotencyKey, quota }: Command) {
  const tenant = tenantKey(tag, tenantId)
  return {
    record: `${tenant}:key:${hash('sha256', idempotencyKey, 'base64url')}`,
    quota: quota === null ? '' : `${tenant}:quota:${quota.group}:${quota.day}`,
  }
}

/** The tenant's last transaction. Each cell counts transactions by itself. */
export const writtenKey = (tag: string, tenantId: string, cell: string | undefined): string =>
  inCell(cell, `${tenantKey(tag, tenantId)}:written`)

/** What tells of commits stands under the generation of the database that they are of: those of an earlier one may be gone. */
export const inGeneration = (generation: number): string => (generation === 1 ? '' : `:${generation}`)
