/**
 * The webhooks of the bench: events committed as a worker commits them, one webhook process, receivers here. It leaves HTTP
 * and commands out, which the other rows measure.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { type Pool, rows, statement } from '../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/platform/redis/redis.ts'
import { secretBox } from '../lib/platform/secret-box.ts'
import { newSecret, secretOwner } from '../lib/webhooks/signature.ts'
import { signalTenant } from '../lib/webhooks/tenant-signals.ts'
import { startProcess } from '../test/support/processes.ts'
import { commitEvents, EVENTS_PER_SECOND, newTenant, steadily } from './events.ts'
import type { Bench as Run } from './in-turn.ts'
import { median, percentile } from './measure.ts'
import { type Result, ratio, service } from './table.ts'

const RECEIVERS = 20
const LATENCY_ROUND_MS = 4_000
/** The key of all processes that tests and the bench start (test/support/processes.ts). */
const KEY = Buffer.alloc(32, 0xaa)

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
  const tenantId = await newTenant(pool)
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

/** Commits events of a tenant and tells of them, as a worker does after a batch. */
async function commit({ pool, redis, sent }: Bench, tenantId: string, from: number, count: number): Promise<void> {
  const ids = await commitEvents(pool, tenantId, from, count)
  const at = performance.now()
  for (const id of ids) sent.set(id, at)
  await signalTenant(redis, tenantId)
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
  const perReceiver = Math.round((ms * EVENTS_PER_SECOND) / receivers.length / 1_000)
  await steadily(perReceiver * receivers.length, tenants.length, n =>
    commit(bench, tenants[n % tenants.length] ?? '', Math.floor(n / tenants.length) + 1, 1),
  )
  // What hung in an earlier round is tried again meanwhile, and does not count.
  const own = ({ arrivals }: Receiver) => [...arrivals].filter(([id]) => sent.has(id))
  const healthy = receivers.filter(({ hang }) => !hang)
  await until(() => healthy.every(receiver => own(receiver).length === perReceiver), 'the delivery of all events')
  const latencies = healthy.flatMap(receiver => own(receiver).map(([id, at]) => at - (sent.get(id) ?? at)))
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
}

const middle = (rounds: readonly Percentiles[]): Percentiles => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
})

/** The rows of webhooks. */
export async function webhookRows({ world: on, isQuick }: Run): Promise<Result[]> {
  const { url: _, ...webhook } = await startProcess('webhook', {
    DATABASE_URL: on.databaseUrl,
    REDIS_URL: on.redisUrl,
    WEBHOOK_ALLOWED_NETWORKS: 'loopback',
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
