/** Runs endpoints for one tenant of a filled database, by default the huge one, and records what each scan of their statements read. */

import { Client } from 'pg'
import type {
  CommandEndpoint,
  ListEndpoint,
  Order,
  Params,
  ReadContext,
  ReadEndpoint,
  Row,
} from '../../lib/kit/api/endpoint.ts'
import { shape } from '../../lib/kit/api/fields.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { LimitedClient } from '../../lib/platform/postgres/client.ts'
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripConnection } from '../../lib/platform/postgres/round-trip-pool.ts'
import { readerOn } from '../support/reader-on.ts'
import { accepted, commandAt, runCommand } from '../support/run-command.ts'
import type { Reply } from '../support/service.ts'
import { type Scan, scansOf } from './plans.ts'
import { HUGE_BASE, HUGE_TENANT } from './skewed-tenants.ts'

const nothing = shape({})

export type HugeTenant = {
  readonly pool: Pool
  /** The scans since the last call. */
  scans(): readonly Scan[]
  read(endpoint: ReadEndpoint, params: Params, query: Readonly<Record<string, string>>): Promise<void>
  page(
    endpoint: ListEndpoint,
    request: {
      readonly params: Params
      readonly filters: Record<string, string>
      readonly after: string | null
      readonly order: Order
    },
  ): Promise<readonly Row[]>
  /** Runs a command as a worker would, and commits it. */
  run(endpoint: CommandEndpoint, params: Params, body: unknown): Promise<Reply>
  /** The same as `run`, by the path. */
  post(path: string, body: unknown): Promise<Reply>
  close(): Promise<void>
}

/** Opens the tenant on a database for which `tellPlans` was called. */
export async function openHugeTenant(databaseUrl: string, tenantId = HUGE_TENANT): Promise<HugeTenant> {
  const actor = { keyId: String(HUGE_BASE + 1), userName: 'tester' }
  let taken: Scan[] = []
  const pool = await createPool(databaseUrl, {
    size: 1,
    statementTimeoutMs: 30_000,
    idleInTransactionTimeoutMs: 30_000,
    onNotice: message => void taken.push(...scansOf(message)),
  })
  const client = new Client({
    connectionString: databaseUrl,
    types: { getTypeParser: () => (text: string) => text } as never,
  })
  client.on('notice', ({ message }) => void taken.push(...scansOf(message ?? '')))
  await client.connect()
  const connection = new RoundTripConnection(new LimitedClient(client))
  const context = (): ReadContext => ({
    tenantId,
    actor,
    scopes: new Set<string>(),
    pool: readerOn(pool, tenantId),
    now: new Date().toISOString(),
  })
  const self: HugeTenant = {
    pool,
    scans: () => {
      const scans = taken
      taken = []
      return scans
    },
    read: async (endpoint, params, asked) => {
      const query = accepted(validate(endpoint.query ?? nothing, { ...asked }, 'query'))
      accepted(await endpoint.handle(context(), { params, query: query as never }))
    },
    page: async (endpoint, { params, filters: raw, after, order }) => {
      const filters = accepted(validate(endpoint.filters ?? nothing, Object.assign(Object.create(null), raw), 'query'))
      return accepted(await endpoint.page(context(), { params, filters: filters as never, after, limit: 51, order }))
    },
    run: async (endpoint, params, body) => runCommand(connection, endpoint, { tenantId, actor, params, body }),
    post: (path, body) => {
      const { endpoint, params } = commandAt('POST', path)
      return self.run(endpoint, params, body)
    },
    close: async () => {
      await client.end()
      await pool.end()
    },
  }
  return self
}
