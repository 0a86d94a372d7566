/**
 * Takes down what chains of commands and reads ask Postgres: a unit of work of one command round trip by round trip, so that the same
 * round trips can be run bare (replay.ts).
 */

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { ListEndpoint, ReadContext, ReadEndpoint } from '../lib/kit/api/endpoint.ts'
import { due, endpoints } from '../lib/nouns.ts'
import { LimitedClient } from '../lib/platform/postgres/client.ts'
import { createPool, statementName, withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import type { Query, TextRow } from '../lib/platform/postgres/round-trip.ts'
import { RoundTripConnection } from '../lib/platform/postgres/round-trip-pool.ts'
import { begin, commit, readTenants, takeIds } from '../lib/work/lock-tenants.ts'
import { readerOn } from '../test/support/reader-on.ts'
import type { Chain } from './chains.ts'
import { pathParams, run, runChain } from './commands.ts'
import type { Answer, BenchTenant, World } from './types.ts'

export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** A unit of work of one command, and those of its values that no other may have. */
export type Unit = {
  /** `count`: how many rows the statement gave or wrote. */
  readonly trips: readonly (readonly (Query & { readonly count: number | null })[])[]
  readonly ids: readonly string[]
  /** The tenant's time and event sequence as the unit found them. */
  readonly now: string
  readonly sequence: number
  /** Numbers of documents, the idempotency key and the request's id. */
  readonly uniques: readonly string[]
  readonly changes: Changes
}

/** The units of a chain. */
export type Recording = readonly Unit[]

/** How many rows a transaction inserted, updated and deleted, by table. */
export type Changes = Readonly<Record<string, number>>

/** A connection as units of work have them (lib/platform/postgres/round-trip-pool.ts), whose statements tell how many rows they met. */
export async function connect(databaseUrl: string): Promise<pg.Client> {
  const config: pg.ClientConfig & { readonly pipeline: true } = {
    connectionString: withPlansByKey(databaseUrl),
    pipeline: true,
    types: { getTypeParser: () => (text: string) => text } as never,
  }
  const client = new pg.Client(config)
  await client.connect()
  return client
}

/** Sends a round trip; its answers in their order. */
export const send = (client: pg.Client, trip: readonly Query[]): Promise<pg.QueryResult<TextRow>[]> =>
  Promise.all(
    trip.map(({ text, values }) =>
      client.query<TextRow>({ name: statementName(text) ?? '', text, values: [...values] }),
    ),
  )

const changesSoFar: Query = {
  text: `
    select json_object_agg(relname, n_tup_ins + n_tup_upd + n_tup_del)::text as changes
    from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`,
  values: [],
}

/** Sends the round trips of a transaction, and tells what it changed: also in statements that tell no count of it. */
export class Watch {
  #before: Changes = {}
  changes: Changes = {}

  async send(client: pg.Client, trip: readonly Query[]): Promise<pg.QueryResult<TextRow>[]> {
    const queries = trip.flatMap(query =>
      query.text === begin.text ? [query, changesSoFar] : query.text === commit.text ? [changesSoFar, query] : [query],
    )
    const answers = await send(client, queries)
    return answers.filter((answer, at) => {
      if (queries[at] !== changesSoFar) return true
      const changes = JSON.parse(answer.rows[0]?.['changes'] ?? '{}') as Changes
      // Postgres may still count what the connection did before.
      if (queries[at - 1]?.text === begin.text) this.#before = changes
      const own = Object.entries(changes).map(([table, count]) => [table, count - (this.#before[table] ?? 0)] as const)
      this.changes = Object.fromEntries(own.filter(([, count]) => count > 0).sort())
      return false
    })
  }
}

const idsText = takeIds(0).text
// Units with commands ask for what is due first.
const tenantsText = readTenants(
  [],
  due.filter(({ isFirst }) => isFirst),
).text

/** What a unit is given by an answer. */
export const idsIn = ({ text }: Query, rows: readonly TextRow[]): string[] =>
  text === idsText ? rows.map(row => row['id'] ?? '') : []
export const tenantIn = ({ text }: Query, [row]: readonly TextRow[]) =>
  text === tenantsText && row ? { now: row['now'] ?? '', sequence: Number(row['event_sequence']) } : undefined

/** Takes down what is sent through it. */
class RecordingConnection extends RoundTripConnection {
  readonly #client: pg.Client
  readonly #watch = new Watch()
  readonly #trips: Unit['trips'][number][] = []
  readonly #answers: { readonly query: Query; readonly rows: readonly TextRow[] }[] = []

  constructor(client: pg.Client) {
    super(new LimitedClient(client))
    this.#client = client
  }

  override async send(queries: readonly Query[]): Promise<readonly (readonly TextRow[])[]> {
    const answers = await this.#watch.send(this.#client, queries)
    this.#trips.push(queries.map((query, at) => ({ ...query, count: answers[at]?.rowCount ?? null })))
    this.#answers.push(...queries.map((query, at) => ({ query, rows: answers[at]?.rows ?? [] })))
    return answers.map(({ rows }) => rows)
  }

  /** What was taken down. */
  unit(...chosen: readonly string[]): Unit {
    const tenant = this.#answers.flatMap(({ query, rows }) => tenantIn(query, rows) ?? [])[0]
    if (!tenant) throw new Error('a unit of work that reads no tenant')
    // A free number comes with its count.
    const numbers = this.#answers.flatMap(({ rows }) =>
      rows.flatMap(({ count, number }) => (count && number ? [number] : [])),
    )
    const ids = this.#answers.flatMap(({ query, rows }) => idsIn(query, rows))
    return { trips: this.#trips, ids, ...tenant, uniques: [...chosen, ...numbers], changes: this.#watch.changes }
  }
}

/** Records a chain of the tenant, which ran once before: what only the first one makes is there. */
export async function recordChain(world: World, tenant: BenchTenant, chain: Chain): Promise<Recording> {
  await runChain(world, tenant, chain)
  const client = await connect(world.databaseUrl)
  const units: Unit[] = []
  const answers: Answer[] = []
  for (const step of chain.steps) {
    const connection = new RecordingConnection(client)
    const [idempotencyKey, requestId] = [`bare-${randomUUID()}`, `req_bare-${randomUUID()}`]
    const given = { idempotencyKey, requestId, params: pathParams(step, answers) }
    answers.push(await run(connection, tenant.id, step.endpoint, step.body(tenant, answers), given))
    units.push(connection.unit(idempotencyKey, requestId))
  }
  await client.end()
  return units
}

/** The statement that renders a read's answer. */
export async function recordRead(
  world: World,
  tenant: BenchTenant,
  id: string,
  params: Record<string, string>,
): Promise<Statement> {
  const taken: Statement[] = []
  const pool = await createPool(world.databaseUrl, {
    size: 1,
    statementTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 5_000,
    onStatement: ({ sql, values }) => taken.push({ sql, values }),
  })
  const context: ReadContext = {
    tenantId: tenant.id,
    actor: { keyId: '1', userName: 'bench' },
    scopes: new Set<string>(),
    pool: readerOn(pool, tenant.id),
    now: new Date().toISOString(),
  }
  const endpoint = endpoints.find(candidate => candidate.id === id)
  if (endpoint?.kind === 'read') await (endpoint as ReadEndpoint).handle(context, { params, query: {} as never })
  if (endpoint?.kind === 'list')
    await (endpoint as ListEndpoint).page(context, {
      params,
      filters: {} as never,
      after: null,
      limit: 51,
      order: 'asc',
    })
  await pool.end()
  const [only, ...more] = taken
  if (!only || more.length > 0) throw new Error(`${id} sends ${taken.length} statements`)
  return only
}
