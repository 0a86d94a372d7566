/**
 * The webhooks of the bench: events committed as a worker commits them, one webhook process, receivers here. It leaves HTTP
 * and commands out, which the other rows measure. Alone: `node bench/webhooks.ts [--quick]`.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { migrate } from '../lib/platform/postgres/migrate.ts'
import { createPool, type Pool, rows, statement } from '../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/platform/redis/redis.ts'
import { secretBox } from '../lib/platform/secret-box.ts'
import { tellReadyTenant } from '../lib/webhooks/ready-tenants.ts'
import { newSecret, secretOwner } from '../lib/webhooks/signature.ts'
import { eventBody, newEventId } from '../lib/work/event-body.ts'
import { startProcess } from '../test/support/processes.ts'
import { privatePostgres, privateRedis } from '../test/support/servers.ts'
import { median } from './measure.ts'
import { printTable, type Result, ratio, service } from './table.ts'

const RECEIVERS = 20
const EVENTS_PER_SECOND = 100
const LATENCY_ROUND_MS = 4_000
const KEY = Buffer.alloc(32, 7)
/** About the size of a stock.changed event. */
const DATA = JSON.stringify({ id: '1042', title: 'Oak table', note: 'x'.repeat(300) })

type Percentiles = { readonly p50: number; readonly p99: number }
type Arrivals = Map<string, number>
type Bench = {
  readonly pool: Pool
  readonly redis: Redis
  readonly receivers: readonly Receiver[]
  readonly sent: Arrivals
}
type Receiver = { readonly url: string; readonly arrivals: Arrivals; hang: boolean; readonly server: Server }

async function receiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      made.arrivals.set(String(request.headers['webhook-id']), performance.now())
      if (!made.hang) response.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const made = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals: new Map(),
    hang: false,
    server,
  }
  return made
}

/** A tenant with one subscription per receiver. */
async function tenantOf({ pool }: Bench, receivers: readonly Receiver[]): Promise<string> {
  const { id: tenantId } = await pool.one(rows(v.object({ id: v.string() }))`
    with made as (insert into tenants (name, owner_email, plan) values ('Bench', 'bench@example.com', 'pro') returning tenant_id)
    insert into tenant_streams (tenant_id) select tenant_id from made returning tenant_id::text as id`)
  for (const { url } of receivers) {
    const { id } = await pool.one(rows(v.object({ id: v.string() }))`select nextval('ids')::text as id`)
    const sealedSecret = secretBox([KEY]).seal(newSecret(), secretOwner(tenantId, id))
    await pool.query(statement`
      with made as (
        insert into webhook_subscriptions (tenant_id, id, url, events, enabled, status, from_sequence, good_since, created_at)
        values (${tenantId}::bigint, ${id}::bigint, ${url}, array['*'], true, 'active', 0, now(), now())
      ), secret as (
        insert into webhook_secrets (tenant_id, subscription_id, sealed, created_at)
        values (${tenantId}::bigint, ${id}::bigint, decode(${sealedSecret.toString('hex')}, 'hex'), now())
      ), relay as (
        insert into webhook_relays (tenant_id, relayed_sequence) values (${tenantId}::bigint, 0) on conflict do nothing
      )
      update tenant_streams set has_webhooks = true where tenant_id = ${tenantId}::bigint`)
  }
  return tenantId
}

/** Commits events of a tenant in one transaction, and tells of them, as a worker does after a batch. */
async function commit({ pool, redis, sent }: Bench, tenantId: string, from: number, count: number): Promise<void> {
  const timestamp = new Date().toISOString()
  const entries = Array.from({ length: count }, (_, n) => {
    const [id, sequence] = [newEventId(), BigInt(from + n)]
    const body = eventBody({ type: 'stock.changed', data: DATA, previous: null }, { id, timestamp, sequence })
    return { sequence: String(sequence), id, body }
  })
  await pool.query(statement`
    with stream as (
      update tenant_streams set event_sequence = ${String(from + count - 1)} where tenant_id = ${tenantId}
    )
    insert into events (tenant_id, sequence, id, type, body, created_at)
    select ${tenantId}::bigint, sequence, id, 'stock.changed', body, ${timestamp}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(sequence bigint, id text, body text)`)
  const at = performance.now()
  for (const { id } of entries) sent.set(id, at)
  await tellReadyTenant(redis, tenantId)
}

async function until(isDone: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !isDone(); await delay(5))
    if (Date.now() > end) throw new Error(`${what} took longer than a minute`)
}

/** Deliveries a second, one event to each of the receivers at a time. */
async function throughput(bench: Bench, events: number, name: string, receivers: readonly Receiver[]): Promise<Result> {
  const tenantId = await tenantOf(bench, receivers)
  for (const { arrivals } of receivers) arrivals.clear()
  const began = performance.now()
  for (let from = 1; from <= events; from += 100) await commit(bench, tenantId, from, Math.min(100, events - from + 1))
  await until(() => receivers.every(({ arrivals }) => arrivals.size === events), 'the delivery of all events')
  const perSecond = (events * receivers.length * 1_000) / (performance.now() - began)
  return { name, goals: [service('>=', 500)], service: perSecond, unit: '/s' }
}

/** Milliseconds from commit to receipt at a steady rate, each event for one receiver, over those that do not hang. */
async function latency(bench: Bench, ms: number, hanging: number): Promise<Percentiles> {
  const { receivers, sent } = bench
  receivers.forEach((receiver, at) => {
    receiver.hang = at < hanging
    receiver.arrivals.clear()
  })
  sent.clear()
  const tenants: string[] = []
  for (const receiver of receivers) tenants.push(await tenantOf(bench, [receiver]))
  const began = performance.now()
  const commits: Promise<void>[] = []
  const perReceiver = Math.round((ms * EVENTS_PER_SECOND) / receivers.length / 1_000)
  for (let n = 0; n < perReceiver * receivers.length; n++) {
    await delay(Math.max(0, began + (n * 1_000) / EVENTS_PER_SECOND - performance.now()))
    // A slow commit must not lower the rate of the others; within a tenant commits keep their order.
    const at = n % tenants.length
    const next = () => commit(bench, tenants[at] ?? '', Math.floor(n / tenants.length) + 1, 1)
    commits[at] = (commits[at] ?? Promise.resolve()).then(next)
  }
  await Promise.all(commits)
  // What hung in an earlier round is tried again meanwhile, and does not count.
  const own = ({ arrivals }: Receiver) => [...arrivals].filter(([id]) => sent.has(id))
  const healthy = receivers.filter(({ hang }) => !hang)
  await until(() => healthy.every(receiver => own(receiver).length === perReceiver), 'the delivery of all events')
  const latencies = healthy
    .flatMap(receiver => own(receiver).map(([id, at]) => at - (sent.get(id) ?? at)))
    .sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

const middle = (rounds: readonly Percentiles[]): Percentiles => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
})

/** The rows of webhooks. The database is migrated. */
export async function webhookResults(
  on: { readonly databaseUrl: string; readonly redisUrl: string; readonly pool: Pool },
  isQuick: boolean,
): Promise<Result[]> {
  const { url: _, ...webhook } = await startProcess('webhook', {
    DATABASE_URL: on.databaseUrl,
    REDIS_URL: on.redisUrl,
    WEBHOOK_ALLOWED_NETWORKS: 'loopback',
    WEBHOOK_SECRET_KEY: KEY.toString('hex'),
  })
  const redis = connectRedis(on.redisUrl, 'producer', 'bench')
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, receiver))
  const bench: Bench = { pool: on.pool, redis, receivers, sent: new Map() }
  try {
    await throughput(bench, 20, 'warm up', receivers)
    const many = await throughput(bench, isQuick ? 100 : 500, `Webhooks to ${RECEIVERS} receivers`, receivers)
    const one = await throughput(bench, isQuick ? 500 : 2_000, 'Webhooks to 1 receiver', receivers.slice(0, 1))
    // In turn, so that what else the machine does falls on both; the median round counts.
    const rounds = isQuick ? 1 : 5
    const [calms, besides]: [Percentiles[], Percentiles[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      calms.push(await latency(bench, LATENCY_ROUND_MS, 0))
      besides.push(await latency(bench, LATENCY_ROUND_MS, 1))
    }
    const [calm, beside] = [middle(calms), middle(besides)]
    return [
      many,
      one,
      {
        name: `Commit to receipt at ${EVENTS_PER_SECOND} events/s, median`,
        goals: [service('<=', 50)],
        service: calm.p50,
        unit: 'ms',
        ...calm,
      },
      {
        name: 'The same p99 with 1 of 20 receivers hanging (beside none)',
        goals: [ratio('<=', 1.5)],
        service: beside.p99,
        limit: calm.p99,
        unit: 'ms',
        ...beside,
      },
    ]
  } finally {
    await webhook.end('SIGKILL')
    await closeRedis(redis)
    for (const { server } of receivers) {
      server.closeAllConnections()
      server.close()
    }
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  const pool = await createPool(postgres.url, {
    size: 4,
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 60_000,
  })
  try {
    printTable(await webhookResults({ databaseUrl: postgres.url, redisUrl: redis.url, pool }, values.quick))
  } finally {
    await pool.end()
    await redis.close()
    await postgres.close()
  }
}
