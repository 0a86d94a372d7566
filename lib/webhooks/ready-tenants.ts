/**
 * Tells the webhook process in Redis which tenants may have work for it: a set, first come first served, each tenant in it
 * once. It is a hint for speed; what is lost here the sweep finds in Postgres.
 */
import type { Redis } from '../redis/redis.ts'

/** All keys of the webhooks lie in one slot of a cluster. */
export const WEBHOOK_TAG = '{webhooks}'
const READY_KEY = `${WEBHOOK_TAG}:tenants`

/** Notes tenants; one that is in the set already keeps its place. */
export async function tellReadyTenant(redis: Redis, ...tenantIds: readonly string[]): Promise<void> {
  const at = Date.now()
  if (tenantIds.length > 0) await redis.zadd(READY_KEY, 'NX', ...tenantIds.flatMap(tenantId => [at, tenantId]))
}

/** Waits up to `patienceS` seconds for a tenant, then takes it and at most `more` others. The connection blocks meanwhile. */
export async function takeReadyTenants(redis: Redis, patienceS: number, more: number): Promise<string[]> {
  const first = await redis.bzpopmin(READY_KEY, patienceS)
  const tenantId = first?.[1]
  if (tenantId === undefined) return []
  const others = await redis.zpopmin(READY_KEY, more)
  return [tenantId, ...others.filter((_, at) => at % 2 === 0)]
}
