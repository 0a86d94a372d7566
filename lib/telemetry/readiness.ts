/**
 * Whether a process can serve now: are Postgres and Redis there, and is the schema current. It answers within a second.
 */

import * as v from 'valibot'
import { listMigrations } from '../postgres/migrate.ts'
import { type Pool, rows } from '../postgres/postgres.ts'
import type { Redis } from '../redis/redis.ts'

export type ReadinessState = { readonly ready: boolean; readonly checks: Readonly<Record<string, 'ok' | string>> }
export type Readiness = () => Promise<ReadinessState>

const CHECK_TIMEOUT_MS = 1_000

async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

async function check(work: Promise<string>): Promise<string> {
  try {
    return await within(work)
  } catch {
    return 'no answer'
  }
}

/** A readiness check over the process's own connections. Reasons are words for an operator, without addresses. */
export function createReadiness(services: { readonly pool: Pool; readonly redis: Redis }): Readiness {
  let newest: string | undefined
  return async () => {
    newest ??= (await listMigrations()).at(-1)?.name
    const [postgres, redis] = await Promise.all([
      check(
        services.pool
          .maybeOne(rows(v.object({ name: v.nullable(v.string()) }))`select max(name) as name from migrations`)
          .then(row =>
            row?.name && newest && row.name >= newest ? 'ok' : 'migrations are missing: run millrace migrate',
          ),
      ),
      check(services.redis.ping().then(() => 'ok')),
    ])
    const checks = { postgres, redis }
    return { ready: Object.values(checks).every(state => state === 'ok'), checks }
  }
}
