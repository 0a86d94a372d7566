/**
 * Names the keys of the pipeline in Redis. All keys of a tenant have the hash tag of its shard and so are on one node of a cluster. The
 * shard must never change: with another tag the tenant's queue would not be found.
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

export const shardTags = (shards: number): string[] => Array.from({ length: shards }, (_, shard) => shardTag(shard))

export const READY_QUEUE = 'ready'

export const queueNameOf = (tenantId: string): string => `t${tenantId}`

/** The set of a shard's tenants with commands in their queues. It may contain other tenants too (with-commands.lua). */
export const queuedKey = (tag: string): string => `${tag}:queued`

/** The prefix of all keys of a tenant, except those of its queue. */
export const tenantKey = (tag: string, tenantId: string): string => `${tag}:tenant:${tenantId}`

/**
 * The keys for claim.lua and end-commands.lua: the record of a command's idempotency key, and the prefix of its quota's keys ('' for none).
 */
export function claimKeys(tag: string, { tenantId, idempotencyKey, quota }: Command) {
  const tenant = tenantKey(tag, tenantId)
  return {
    record: `${tenant}:key:${hash('sha256', idempotencyKey, 'base64url')}`,
    quota: quota === null ? '' : `${tenant}:quota:${quota.group}:${quota.day}`,
  }
}

/** The key of the tenant's last transaction. Each cell has its own transaction ids. */
export const writtenKey = (tag: string, tenantId: string, cell: string | undefined): string =>
  inCell(cell, `${tenantKey(tag, tenantId)}:written`)

/**
 * The suffix of keys that depend on commits. They belong to one generation of the database, because commits of an earlier one may be lost.
 */
export const inGeneration = (generation: number): string => (generation === 1 ? '' : `:${generation}`)
