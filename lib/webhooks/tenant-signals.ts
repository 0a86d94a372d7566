/**
 * Tells the webhook process in Redis which tenants may have work for it: a set, first come first served, each tenant in it
 * once. It is a hint for speed; what is lost here the sweep finds in Postgres.
 */
import { inCell, MAIN } from '../platform/cells.ts'
import type { Redis } from '../platform/redis/redis.ts'

/** All keys of the webhooks lie in one slot of a cluster. */
export const WEBHOOK_TAG = '{webhooks}'
const readyKey = (cell: string) => inCell(cell, `${WEBHOOK_TAG}:tenants`)

/** Notes tenants of a cell; one that is in the set already keeps its place. */
export async function signalTenant(redis: Redis, tenantIds: string | readonly string[], cell = MAIN): Promise<void> {
  const at = Date.now()
  const members = [tenantIds].flat().flatMap(tenantId => [at, tenantId])
  if (members.length > 0) await redis.zadd(readyKey(cell), 'NX', ...members)
}

/** Takes a tenant out that is no more. */
export async function dropTenantSignal(redis: Redis, tenantId: string, cell: string): Promise<void> {
  await redis.zrem(readyKey(cell), tenantId)
}

/** Waits up to `patienceS` seconds for a tenant, then takes it and at most `more` others. The connection blocks meanwhile. */
export async function takeSignalledTenants(
  redis: Redis,
  patienceS: number,
  more: number,
  cell = MAIN,
): Promise<string[]> {
  const first = await redis.bzpopmin(readyKey(cell), patienceS)
  const tenantId = first?.[1]
  if (tenantId === undefined) return []
  const others = await redis.zpopmin(readyKey(cell), more)
  return [tenantId, ...others.filter((_, at) => at % 2 === 0)]
}
