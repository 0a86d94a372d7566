/** The demo tenant and its key, for the first calls. Its goods are filled over HTTP (data.ts). */

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

/** High limits: users who try or measure the service should not meet them first. */
const demoLimits = { ratePerMinute: 6_000, burst: 1_000, dailyDocuments: 100_000 }

const unusedKey = { name: 'Till of the shop', scopes: ['read:stock', 'write:sales.order.create'], ...defaultLimits }

/** Makes a demo tenant with the plan pro, a key with every scope, and an unused key. Each call makes another tenant. */
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
      // Nobody has its token; it is there to be revoked.
      await issueKey(connection, { tenantId, userName: 'mara', ...unusedKey })
      if (key === null) throw new Error('the tenant just made is not there')
      return { tenantId, token: key.token }
    })
  } finally {
    await pool.end()
  }
}
