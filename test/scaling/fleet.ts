/** A fleet of real processes over the servers of a test, tenants in it, and requests to a chosen process. */
import { randomUUID } from 'node:crypto'
import { defaultLimits, type IssuedKey, issueKey, type NewKey } from '../../lib/access/keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { scopes } from '../../lib/nouns.ts'
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { within } from '../support/within.ts'

export type Fleet = {
  readonly webs: readonly TestProcess[]
  readonly workers: readonly TestProcess[]
  readonly pool: Pool
  tenant(): Promise<FleetTenant>
  key(tenantId: string, given?: Partial<NewKey>): Promise<IssuedKey>
  /** Ends the processes. A second call waits for the first. */
  close(): Promise<void>
}

export type FleetTenant = { readonly id: string; readonly token: string }

export type Answer = {
  readonly status: number
  readonly replayed: boolean
  readonly body: Loose
  readonly text: string
  readonly ms: number
}

/** Starts the processes with these settings, each web process on a port of its own. */
export async function startFleet(
  env: { DATABASE_URL: string; REDIS_URL: string } & Record<string, string>,
  { webs = 2, workers = 1 }: { webs?: number; workers?: number } = {},
): Promise<Fleet> {
  const running = { LOG_LEVEL: 'info', ...env }
  const starts = await Promise.allSettled([
    ...Array.from({ length: webs }, () => startProcess('web', running)),
    ...Array.from({ length: workers }, () => startProcess('worker', running)),
  ])
  const started = starts.flatMap(start => (start.status === 'fulfilled' ? [start.value] : []))
  for (const start of starts)
    if (start.status === 'rejected') {
      await Promise.all(started.map(process => process.end('SIGTERM')))
      throw start.reason
    }
  const pool = await createPool(env.DATABASE_URL, { size: 4, ...within(10_000) })
  let closing: Promise<unknown> | undefined
  const key = async (tenantId: string, given: Partial<NewKey> = {}) => {
    const issued = await issueKey(pool, {
      tenantId,
      name: 'fleet',
      scopes: [...scopes],
      ...defaultLimits,
      ratePerMinute: 1_000_000,
      // The burst is smaller than one from which requests are reserved in advance, so every request asks Redis.
      burst: 1_000,
      dailyDocuments: 1_000_000,
      ...given,
    })
    if (!issued) throw new Error(`no tenant ${tenantId}`)
    return issued
  }
  return {
    webs: started.slice(0, webs),
    workers: started.slice(webs),
    pool,
    key,
    tenant: async () => {
      const id = await createTenant(pool, {
        name: 'Fleet',
        ownerEmail: 'owner@test.example',
        plan: 'pro',
        currency: 'EUR',
      })
      return { id, token: (await key(id)).token }
    },
    close: () => {
      closing ??= Promise.all([...started.map(process => process.end('SIGTERM')), pool.end()])
      return closing.then(() => {})
    },
  }
}

/** A request to one process of the fleet: a GET, or with a body a write under `key`. */
export async function ask(
  web: Pick<TestProcess, 'url'> | undefined,
  token: string,
  path: string,
  write?: { readonly body: unknown; readonly key?: string; readonly method?: string },
): Promise<Answer> {
  const began = performance.now()
  const response = await fetch(`${web?.url}/api/external/v1${path}`, {
    method: write ? (write.method ?? 'POST') : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      ...(write ? { 'content-type': 'application/json' } : {}),
      // Each entry of a bulk has a key of its own.
      ...(write && path !== '/bulk' ? { 'idempotency-key': write.key ?? randomUUID() } : {}),
    },
    ...(write ? { body: JSON.stringify(write.body) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    body: text === '' ? null : JSON.parse(text),
    text,
    ms: performance.now() - began,
  }
}
