/**
 * Signals to the webhook process, through Redis, which tenants may have work: a set in the order of arrival, each tenant once. It makes
 * deliveries faster. The sweep finds lost signals in PostgreSQL.
 */
import { inCell, MAIN } from '../platform/cells.ts'
import type { Redis } from '../platform/redis/redis.ts'

/** The hash tag puts all keys of webhooks into one slot of a cluster. */
export const WEBHOOK_TAG = '{webhooks}'
const readyKey = (cell: string) => inCell(cell, `${WEBHOOK_TAG}:tenants`)

/** Adds tenants of a cell. A tenant that is in the set keeps its place. */
export async function signalTenant(redis: Redis, tenantIds: string | readonly string[], cell = MAIN): Promise<void> {
  const at = Date.now()
  const members = [tenantIds].flat().flatMap(tenantId => [at, tenantId])
  if (members.length > 0) await redis.zadd(readyKey(cell), 'NX', ...members)
}

/** Removes a deleted tenant. */
export async function dropTenantSignal(redis: Redis, tenantId: string, cell: string): Promise<void> {
  await redis.zrem(readyKey(cell), tenantId)
}

/** Waits up to `patienceS` seconds for a tenant, then takes it and up to `more` others. It blocks the connection. */
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
