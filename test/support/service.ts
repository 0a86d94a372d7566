/**
 * Owns a running service inside the test's process: real HTTP server, real command worker, tenants and keys. It must not
 * shortcut the pipeline.
 */
import { defaultLimits, type IssuedKey, issueKey, type NewKey } from '../../lib/access/keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { scopes } from '../../lib/nouns.ts'
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { startWeb } from '../../server/web.ts'
import { startCommandWorker } from '../../workers/commands/command-worker.ts'
import { type Client, client } from './client.ts'
import { testConfig } from './pipeline.ts'

export type { Client, Reply, RequestOptions } from './client.ts'

export type TestService = {
  readonly url: string
  readonly adminUrl: string
  readonly pool: Pool
  /** A new tenant with a key that may do everything, with limits that no test meets by accident. */
  tenant(options?: { plan?: 'free' | 'pro'; currency?: string; key?: Partial<NewKey> }): Promise<Client>
  /** A client with a key that was made elsewhere. */
  client(tenantId: string, key: IssuedKey): Client
  /** Another key of a tenant. */
  key(tenantId: string, options?: Partial<NewKey>): Promise<IssuedKey & { client: Client }>
  close(): Promise<void>
}

type Options = {
  readonly endpoints?: readonly Endpoint[]
  readonly env?: Record<string, string>
  /** 0: commands wait for nobody. */
  readonly workers?: number
}

/** Starts a service on a test file's database and Redis; close it before them. */
export async function startService(
  on: { databaseUrl: string; redisUrl: string },
  options: Options = {},
): Promise<TestService> {
  const config = testConfig(on, options.env)
  const log = createLog({ level: config.logLevel, processName: 'test' })
  const list = options.endpoints ? { endpoints: options.endpoints } : {}
  const web = await startWeb(config, log, { checkRows: true, ...list })
  const pool = await createPool(on.databaseUrl, {
    size: 3,
    statementTimeoutMs: 3_500,
    idleInTransactionTimeoutMs: 60_000,
    checkRows: true,
  })
  const others = await Promise.all(
    config.cells.map(async ({ name, databaseUrl }) => ({
      name,
      databaseUrl,
      pool: await createPool(databaseUrl, { size: 3, statementTimeoutMs: 3_500, idleInTransactionTimeoutMs: 60_000 }),
    })),
  )
  const cells = [{ name: 'main', databaseUrl: on.databaseUrl, pool }, ...others] as const
  const redis = connectRedis(on.redisUrl, 'worker', 'test worker')
  const workers = Array.from({ length: options.workers ?? 1 }, () =>
    startCommandWorker({ config, cells, redis, log, ...list }),
  )
  const key = async (tenantId: string, given: Partial<NewKey> = {}) => {
    const issued = await issueKey(pool, {
      tenantId,
      name: 'test',
      scopes: [...scopes, 'write:test'],
      ...defaultLimits,
      ratePerMinute: 1_000_000,
      burst: 100_000,
      dailyDocuments: 1_000_000,
      ...given,
    })
    if (!issued) throw new Error(`no tenant ${tenantId}`)
    return { ...issued, client: client(web.url, tenantId, issued) }
  }
  return {
    url: web.url,
    adminUrl: web.adminUrl,
    pool,
    key,
    client: (tenantId, issued) => client(web.url, tenantId, issued),
    tenant: async ({ plan = 'pro', currency = 'EUR', key: given = {} } = {}) =>
      (await key(await createTenant(pool, { name: 'Test', ownerEmail: 'owner@test.example', plan, currency }), given))
        .client,
    close: async () => {
      await web.close()
      await Promise.all(workers.map(worker => worker.close()))
      await closeRedis(redis)
      await Promise.all(cells.map(cell => cell.pool.end()))
    },
  }
}
