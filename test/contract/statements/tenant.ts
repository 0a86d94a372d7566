/** A tenant whose reads and commands run as in the processes. Their statements are recorded under their endpoint. */
import pg from 'pg'
import { defaultLimits, issueKey } from '../../../lib/access/keys.ts'
import { createTenant } from '../../../lib/access/tenants.ts'
import type {
  Actor,
  CommandEndpoint,
  ListEndpoint,
  Order,
  Params,
  ReadEndpoint,
  Reader,
} from '../../../lib/kit/api/endpoint.ts'
import { shape } from '../../../lib/kit/api/fields.ts'
import { validate } from '../../../lib/kit/api/validate.ts'
import { scopes } from '../../../lib/nouns.ts'
import { LimitedClient } from '../../../lib/platform/postgres/client.ts'
import { createPool, type Pool } from '../../../lib/platform/postgres/postgres.ts'
import { RoundTripConnection } from '../../../lib/platform/postgres/round-trip-pool.ts'
import { ReadPool, ReadShares } from '../../../server/read-pool.ts'
import type { Loose } from '../../support/command-context.ts'
import { askingOnce } from '../../support/reader-on.ts'
import { accepted, commandAt, runCommand } from '../../support/run-command.ts'
import type { Reply } from '../../support/service.ts'
import type { SentStatements } from './sent.ts'

/** A page of a list, as its endpoint is asked for one. */
type Page = { readonly filters: Readonly<Record<string, string>>; readonly after: string | null; readonly order: Order }

export type SendingTenant = {
  readonly id: string
  readonly actor: Actor
  readonly pool: Pool
  readonly readPool: ReadPool
  readonly connection: RoundTripConnection
  /** Runs a command by its path. Throws if the command is refused. */
  readonly post: (path: string, body: unknown) => Promise<Reply>
  /** Runs a command of any method. Returns its answer. */
  readonly send: (method: CommandEndpoint['method'], path: string, body?: unknown) => Promise<Loose>
  readonly read: (
    endpoint: ReadEndpoint,
    asked: { readonly params: Params; readonly query: Readonly<Record<string, string>> },
  ) => Promise<void>
  /** Asks for pages. Each distinct text is sent once. */
  readonly pages: (endpoint: ListEndpoint, params: Params, pages: Iterable<Page>) => Promise<void>
  readonly close: () => Promise<void>
}

const nothing = shape({})
const UNIQUE = new Set(['sku', 'barcode', 'code', 'number'])

/** @param isDistributed writes as on Citus, where ids are taken before rows are written. */
export async function sendingTenant(
  databaseUrl: string,
  sent: SentStatements,
  { isDistributed = false }: { readonly isDistributed?: boolean } = {},
): Promise<SendingTenant> {
  const place = isDistributed ? ', distributed' : ''
  const options = { size: 2, statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000, checkRows: true }
  const pool = await createPool(isDistributed ? `${databaseUrl}?citus=on` : databaseUrl, options)
  const readPool = new ReadPool(databaseUrl, { ...options, shares: new ReadShares(options.size) })
  const client = new pg.Client({
    connectionString: databaseUrl,
    types: { getTypeParser: () => (text: string) => text } as never,
  })
  await client.connect()
  const connection = new RoundTripConnection(new LimitedClient(client), { isDistributed })
  const id = await createTenant(pool, { name: 'Sender', ownerEmail: 'o@example.com', plan: 'free', currency: 'EUR' })
  const key = await issueKey(pool, { tenantId: id, name: 'Sender', scopes, ...defaultLimits })
  if (key === null) throw new Error('the tenant has no key')
  const actor = { keyId: key.keyId, userName: 'sender' }
  const contextOver = (reader: Reader) => ({
    tenantId: id,
    actor,
    scopes: new Set<string>(),
    pool: reader,
    now: new Date().toISOString(),
  })

  let texts = 0
  /** Adds a number to texts that are unique in a tenant, so that an example can be sent several times. */
  const renamed = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body, (key, value) => (UNIQUE.has(key) && value ? `${value}-${texts++}` : value)))
  const run = (method: CommandEndpoint['method'], path: string, given: unknown = {}) => {
    const { endpoint, params } = commandAt(method, path)
    const body = renamed(given)
    // A connection asks once a second where its server is. Here it asks for each command, since statements must not depend on time.
    connection.serverAskedAt = Number.NEGATIVE_INFINITY
    return sent.by(endpoint.id + place, () => runCommand(connection, endpoint, { tenantId: id, actor, params, body }))
  }
  return {
    id,
    actor,
    pool,
    readPool,
    connection,
    post: (path, body) => run('POST', path, body),
    send: async (method, path, body) => (await run(method, path, body)).body,
    read: async (endpoint, { params, query: asked }) => {
      const query = accepted(validate(endpoint.query ?? nothing, { ...asked }, 'query'))
      const reader = readPool.readerOf(id)
      accepted(
        await sent.by(endpoint.id, () => endpoint.handle(contextOver(reader), { params, query: query as never })),
      )
    },
    pages: async (endpoint, params, pages) => {
      const reader = askingOnce(readPool.readerOf(id))
      for (const { filters: asked, ...page } of pages) {
        const filters = accepted(validate(endpoint.filters ?? nothing, { ...asked }, 'query'))
        const request = { params, filters: filters as never, limit: 51, ...page }
        accepted(await sent.by(endpoint.id, () => endpoint.page(contextOver(reader), request)))
      }
    },
    close: async () => {
      await client.end()
      await readPool.end()
      await pool.end()
    },
  }
}
