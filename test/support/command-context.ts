/** Owns running endpoints without a server or a queue: a tenant, connections, and per command a unit of work of its own. */

import * as v from 'valibot'
import { createTenant, setClosedThrough } from '../../lib/access/tenants.ts'
import type {
  Actor,
  CommandEndpoint,
  Endpoint,
  ListEndpoint,
  ReadEndpoint,
  Row,
  Tenant,
} from '../../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { startOfDay } from '../../lib/kit/days.ts'
import { due } from '../../lib/nouns.ts'
import type { Command } from '../../lib/pipeline/command.ts'
import { parseJson } from '../../lib/platform/json.ts'
import { createPool, type Pool, rows, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { runUnit } from '../../lib/work/unit.ts'
import { readerOn } from './reader-on.ts'
import { within } from './within.ts'

type Plan = Tenant['plan']

/** Parsed JSON whose shape the contract tests hold; other tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: a test that walks an answer would else be mostly casts
export type Loose = any

/** What a command answered: its body parsed, or the refusal; with the events that it emitted. */
export type Outcome =
  | { body: Loose; refusal?: never; events: Event[] }
  | { refusal: Refusal; body?: never; events: Event[] }
export type Event = { type: string; data: Loose; previous: Loose }

export type Bench = {
  readonly pool: Pool
  /** Makes a tenant; each test takes its own. */
  tenant(options?: { plan?: Plan; closedThrough?: string; timeZone?: string }): Promise<TestTenant>
  close(): Promise<void>
}

export type TestTenant = {
  readonly id: string
  /** The clock of the next command or read; set it to move time. */
  now: string
  freePlanVariantsMax: number
  /** Who runs the next command. */
  actor: Actor
  /** Validates `body` (plain JSON data, or JSON text for exact numbers) and runs the command in a transaction of its own. */
  run(endpoint: Endpoint, body?: unknown, params?: Record<string, string>): Promise<Outcome>
  /** As `run`; throws when it is refused. */
  done(endpoint: Endpoint, body?: unknown, params?: Record<string, string>): Promise<Loose>
  /** The refusal's `error: message`, or `done`. */
  refusal(endpoint: Endpoint, body?: unknown, params?: Record<string, string>): Promise<string>
  /** A GET of one thing: its parsed document, or the refusal. */
  read(endpoint: Endpoint, params?: Record<string, string>, query?: Record<string, string>): Promise<Loose>
  /** A page of a list: the parsed records, or the refusal. */
  page(endpoint: Endpoint, options?: PageOptions): Promise<Loose>
}

export type PageOptions = {
  filters?: Record<string, string>
  after?: string
  limit?: number
  params?: Record<string, string>
  order?: 'asc' | 'desc'
}

const secrets = secretBox([Buffer.alloc(32, 'test')])
let commandCount = 0
const START = '2026-11-21T05:00:00.000Z'

/** A bench on a migrated database. Close it before the services. */
export async function commandBench(databaseUrl: string): Promise<Bench> {
  const pool = await createPool(databaseUrl, { size: 2, ...within(30_000), checkRows: true })
  const connections = new RoundTripPool(withPlansByKey(databaseUrl), { size: 2, ...within(30_000) })
  return {
    pool,
    tenant: async ({ plan = 'pro', closedThrough, timeZone = 'UTC' } = {}) => {
      const id = await createTenant(pool, {
        name: 'Test',
        ownerEmail: 'owner@example.com',
        plan,
        currency: 'EUR',
        timeZone,
      })
      if (closedThrough !== undefined) await setClosedThrough(pool, id, closedThrough)
      return testTenant(
        { pool, connections },
        { id, plan, ownerEmail: 'owner@example.com', currency: 'EUR', closedThrough: closedThrough ?? null, timeZone },
      )
    },
    close: async () => {
      await connections.end()
      await pool.end()
    },
  }
}

function testTenant({ pool, connections }: { pool: Pool; connections: RoundTripPool }, tenant: Tenant): TestTenant {
  const reader = readerOn(pool, tenant.id)

  /** As a worker would: in a unit of work of its own. */
  async function runInUnit(
    endpoint: CommandEndpoint,
    request: { params: Record<string, string>; body: unknown },
  ): Promise<Outcome> {
    const requestId = `req_test_${++commandCount}`
    const command: Command = {
      requestId,
      tenantId: tenant.id,
      endpoint: endpoint.id,
      actor: self.actor,
      idempotencyKey: requestId,
      fingerprint: '00',
      ...request,
      replyTo: 'test',
      quota: null,
      acceptedAt: Date.now(),
    }
    const lastSequence = () =>
      pool.oneFirst(
        rows(
          v.object({ n: v.string() }),
        )`select event_sequence::text as n from tenant_streams where tenant_id = ${tenant.id}`,
      )
    const run = () =>
      connections.use(connection =>
        runUnit(connection, [{ tenantId: tenant.id, commands: [command] }], {
          endpointById: new Map([[endpoint.id, endpoint]]),
          due,
          settings: { freePlanVariantsMax: self.freePlanVariantsMax, webhookSubscriptionsMax: 100, secrets },
          clock: () => self.now,
          waits: true,
        }),
      )
    let last = await lastSequence()
    let result = (await run()).get(tenant.id)
    // A unit of work that finds something due does that alone, and leaves the command to the next one.
    while (result?.is === 'ran' && result.ended.length === 0) {
      last = await lastSequence()
      result = (await run()).get(tenant.id)
    }
    const outcome = result?.is === 'ran' ? result.ended[0]?.outcome : undefined
    if (outcome === undefined) throw new Error('the command was not run')
    const events = await pool.any(rows(v.object({ body: v.string() }))`
      select body from events where tenant_id = ${tenant.id} and sequence > ${last} order by sequence`)
    const bodies = events.map(({ body }) => JSON.parse(body))
    const told = bodies.map(({ type, data, previous }): Event => ({ type, data, previous }))
    // What time alone has changed is told by whoever comes next, also by a command that is refused.
    if (outcome.kind === 'refused')
      return { refusal: outcome.refusal, events: told.filter((_, at) => bodies[at].actor !== null) }
    return { body: outcome.body === null ? null : JSON.parse(outcome.body), events: told }
  }

  const self: TestTenant = {
    id: tenant.id,
    now: START,
    freePlanVariantsMax: 50,
    actor: { keyId: '1', userName: 'tester' },
    run: async (endpoint, body = {}, params = {}) => {
      const command = endpoint as CommandEndpoint
      const { body: schema } = command
      const days = { startOfDay: (day: string) => startOfDay(tenant.timeZone, day) }
      const valid = schema ? validate(schema, parseJson(textOf(body)), 'body', days) : {}
      if (isRefusal(valid)) return { refusal: valid, events: [] }
      // The body travels through a queue as JSON.
      const request = { params, body: JSON.parse(JSON.stringify(valid)) }
      return runInUnit(command, request)
    },
    done: async (endpoint, body, params) => {
      const outcome = await self.run(endpoint, body, params)
      if (outcome.refusal) throw new Error(`refused: ${outcome.refusal.refusal} ${outcome.refusal.message}`)
      return outcome.body
    },
    refusal: async (endpoint, body, params) => {
      const { refusal, events } = await self.run(endpoint, body, params)
      if (refusal && events.length > 0) throw new Error('a refused command emitted events')
      return refusal ? `${refusal.refusal} ${refusal.message}` : 'done'
    },
    read: async (endpoint, params = {}, query = {}) => {
      const { handle, query: schema } = endpoint as ReadEndpoint
      const valid = schema ? validate(schema, query, 'query') : {}
      if (isRefusal(valid)) return valid
      const answer = await handle(
        { tenantId: tenant.id, actor: self.actor, scopes: new Set<string>(), pool: reader, now: self.now },
        { params, query: valid as never },
      )
      return isRefusal(answer) ? answer : JSON.parse(answer)
    },
    page: async (endpoint, { filters = {}, after, limit = 50, params = {}, order } = {}) => {
      const { page, filters: schema, order: usual = 'asc' } = endpoint as ListEndpoint
      const valid = schema ? validate(schema, filters, 'query') : {}
      if (isRefusal(valid)) return valid
      const found = await page(
        { tenantId: tenant.id, actor: self.actor, scopes: new Set<string>(), pool: reader, now: self.now },
        { params, filters: valid as never, after: after ?? null, limit, order: order ?? usual },
      )
      return isRefusal(found) ? found : found.map(parseRow)
    },
  }
  return self
}

/** JSON text as it is; else the JSON text of the data. A bare JSON string cannot be a body, so text is never ambiguous. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function parseRow(row: Row): unknown {
  const document = JSON.parse(row.document)
  if (document.id !== undefined && document.id !== row.id.split('_').at(-1))
    throw new Error('a row and its document differ in id')
  return document
}
