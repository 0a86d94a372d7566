/**
 * The demo tenant and its key: something to call on the first day. Its goods come over HTTP like anybody's (data.ts).
 */

import { defaultLimits, issueKey } from '../../access/keys.ts'
import { createTenant } from '../../access/tenants.ts'
import { scopes } from '../../nouns.ts'
import { createPool } from '../../platform/postgres/postgres.ts'

const demoTenant = {
  name: 'Millrace Coffee Roasters (demo)',
  ownerEmail: 'owner@roastery.example',
  plan: 'pro',
  currency: 'EUR',
} as const

/** Generous, so that somebody who tries things out or measures meets the service before its limits. */
const demoLimits = { ratePerMinute: 6_000, burst: 1_000, dailyDocuments: 100_000 }

const unusedKey = { name: 'Till of the shop', scopes: ['read:stock', 'write:sales.order.create'], ...defaultLimits }

/** Makes a demo tenant, plan pro, with a key of every scope and one that nobody uses. Each call makes another tenant. */
export async function createDemo(databaseUrl: string): Promise<{ tenantId: string; token: string }> {
  const pool = await createPool(databaseUrl, {
    name: 'millrace demo',
    size: 1,
    statementTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
  })
  try {
    return await pool.transaction(async connection => {
      const tenantId = await createTenant(connection, demoTenant)
      const key = await issueKey(connection, { tenantId, name: 'demo', userName: 'ines', scopes, ...demoLimits })
      // Nobody has its token: something to revoke.
      await issueKey(connection, { tenantId, userName: 'mara', ...unusedKey })
      if (key === null) throw new Error('the tenant just made is not there')
      return { tenantId, token: key.token }
    })
  } finally {
    await pool.end()
  }
}
