/**
 * Owns what a test file needs to run against: its own database, its own Redis, both empty and gone at its end.
 *
 *     const services = await testServices()          // once per file, at its top
 *     test.after.always(() => services.close())      // after everything that uses them is closed
 */
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import { type Fault, reconcileOn } from '../../lib/tools/reconcile/reconcile.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { type TestRedis, testRedis } from './redis.ts'
import { servers } from './servers.ts'

export type TestServices = {
  /** A migrated, empty database of this file's own. */
  databaseUrl: string
  /** An empty logical Redis database of this file's own. Channels (PUBLISH) are shared by all files nevertheless. */
  redisUrl: string
  /** What `reconcile` finds wrong, of one tenant or of all: nothing where the records agree. */
  faults(tenantId?: string): Promise<readonly Fault[]>
  /** Drops both. Rejects when connections to them stay open: the file leaks them. */
  close(options?: { patienceMs: number }): Promise<void>
}

/** Gives a test file its services; a run of `npm test` shares one PostgreSQL and one Redis, a lone file starts its own. */
export async function testServices(): Promise<TestServices> {
  const { databaseUrl, redisUrl, stop } = await servers()
  const database: TestDatabase = await testDatabase(databaseUrl)
  const redis = await testRedis(redisUrl)
  let pool: Promise<Pool> | undefined
  let lastProof: Promise<unknown> = Promise.resolve()
  return {
    databaseUrl: database.url,
    redisUrl: redis.url,
    // On one connection, one after another: only the first loads what PostgreSQL knows about all tables.
    faults: tenantId => {
      pool ??= createPool(database.url, { size: 1, statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 })
      const proof = Promise.all([pool, lastProof]).then(([on]) => reconcileOn(on, tenantId))
      lastProof = proof.catch(() => {})
      return proof.then(({ faults }) => faults)
    },
    close: async options => {
      await (await pool)?.end()
      const outcomes = await Promise.allSettled([database.close(options?.patienceMs), redis.close(options?.patienceMs)])
      await stop()
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}

/** An empty Redis alone, for tests that need no database. */
export async function ownRedis(): Promise<TestRedis> {
  const { redisUrl, stop } = await servers()
  const { url, close } = await testRedis(redisUrl)
  return {
    url,
    close: async patienceMs => {
      await close(patienceMs)
      await stop()
    },
  }
}
