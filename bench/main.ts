/**
 * `npm run bench`: this service and its limits side by side, in one run, on the same Postgres. Prints one table; absolute
 * figures are the machine's, ratios are the service's.
 */
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { statement } from '../lib/postgres/postgres.ts'
import { adjust, type Chain, make, sell } from './chains.ts'
import { floodResults } from './fairness.ts'
import { type Lane, requestBytes } from './http-client.ts'
import { closedLoops, type Figures, median } from './measure.ts'
import type { Recording } from './recording.ts'
import { printTable, type Result } from './table.ts'
import { telemetryResults } from './telemetry.ts'
import { webhookResults } from './webhooks.ts'
import {
  type BenchTenant,
  makeTenant,
  openWorld,
  recordChain,
  recordRead,
  runChain,
  startTask,
  usageOf,
  type World,
} from './world.ts'
import { API, withLanes, write, writes } from './writes.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const ROUNDS = options.quick ? 1 : 3
const ROUND_MS = options.quick ? 1_500 : 4_000
const BARE_CONNECTIONS = 8
const MANY_TENANTS = options.quick ? 500 : 5_000

const say = (line: string) => process.stderr.write(`${line}\n`)
const only = options.only?.split(',')
const wanted = (name: string) => only === undefined || only.some(part => name.includes(part))

/** A database in use has statistics: without, plans are those of empty tables until autovacuum comes by, after a minute. */
async function gatherStatistics({ pool }: World): Promise<void> {
  await pool.query(statement`analyze`)
}

async function reads(url: string, path: string, token: string | undefined, clients = 16): Promise<Figures> {
  const bytes = requestBytes({ method: 'GET', path, ...(token === undefined ? {} : { token }) })
  return withLanes(url, clients, lanes =>
    closedLoops(clients, { ms: ROUND_MS }, async lane => (await lanes[lane]?.send(bytes))?.status === 200),
  )
}

/** The median of some rounds by throughput, service and limit in turn. */
async function inTurn(
  name: string,
  goal: string,
  service: () => Promise<Figures>,
  limit: () => Promise<Figures>,
): Promise<Result> {
  const pairs: { service: Figures; limit: Figures }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    say(`${name}: round ${round + 1} of ${ROUNDS}`)
    pairs.push({ limit: await limit(), service: await service() })
  }
  const middle = (side: 'service' | 'limit') => median(pairs.map(pair => pair[side].perSecond))
  const errors = pairs.reduce((sum, pair) => sum + pair.service.errors + pair.limit.errors, 0)
  return {
    name,
    goal,
    service: middle('service'),
    limit: middle('limit'),
    unit: '/s',
    errors,
    p50: median(pairs.map(pair => pair.service.p50)),
    p99: median(pairs.map(pair => pair.service.p99)),
  }
}

const world = await openWorld()
const results: Result[] = []
try {
  say('making tenants')
  const bareTenants = await Promise.all(
    Array.from({ length: BARE_CONNECTIONS }, () => makeTenant(world, { materials: true })),
  )
  const tenants = await Promise.all(Array.from({ length: 50 }, () => makeTenant(world, { materials: true })))
  const [tenant] = tenants as [BenchTenant, ...BenchTenant[]]
  for (let n = 0; n < 40; n++) await withLanes(world.url, 1, ([lane]) => sendProduct(lane, tenant, n))
  await writes(world, adjust, tenants, 64, { ms: 1_000 }) // warm up

  const record = (chain: Chain) => Promise.all(bareTenants.map(bareTenant => recordChain(world, bareTenant, chain)))
  let first = 0
  const bareWrites = async (recordings: readonly Recording[], ms = ROUND_MS): Promise<Figures> => {
    const task = { databaseUrl: world.databaseUrl, recordings, ms, first }
    const { line, child } = await startTask(world, 'bare-writes', task)
    first += 100_000
    child.removeAllListeners('exit')
    return JSON.parse(line) as Figures
  }
  for (const [name, chain, goal] of [
    ['adjustments', adjust, '>= 0.5, aim 0.8'],
    ['sales', sell(1), '>= 0.5, aim 0.8'],
    ['sales', sell(20), '>= 0.5, aim 0.8'],
    ['manufacturing', make, '>= 0.5'],
  ] as const) {
    if (!wanted(name)) continue
    const recordings = await record(chain)
    await writes(world, chain, tenants, 64, { ms: 1_000 })
    await gatherStatistics(world)
    for (const [count, over] of [
      ['1 tenant', [tenant]],
      ['50 tenants', tenants],
    ] as const) {
      const service = () => writes(world, chain, over, 64, { ms: ROUND_MS })
      results.push(await inTurn(`${chain.name}, 64 clients, ${count}`, goal, service, () => bareWrites(recordings)))
    }
  }

  const [order] = await runChain(world, tenant, sell(3))
  const orderId = order?.id ?? ''
  const routes = {
    [`/products/${tenant.productId}`]: {
      statement: await recordRead(world, tenant, 'getProduct', { id: tenant.productId }),
      list: false,
    },
    [`/sales-orders/${orderId}`]: {
      statement: await recordRead(world, tenant, 'getSalesOrder', { id: orderId }),
      list: false,
    },
    '/stock?limit=50': { statement: await recordRead(world, tenant, 'listStock', {}), list: true },
    '/products?limit=50': { statement: await recordRead(world, tenant, 'listProducts', {}), list: true },
  }
  const bare = await startTask(world, 'bare-reads', { databaseUrl: world.databaseUrl, routes })
  if (wanted('reads')) {
    for (const path of Object.keys(routes)) {
      const shown = path.replace(/\d{9,}/, '{id}')
      results.push(
        await inTurn(
          `GET ${shown}, 16 clients`,
          '>= 0.5',
          () => reads(world.url, API + path, tenant.token),
          () => reads(bare.line, path, undefined),
        ),
      )
    }
  }
  if (wanted('replay')) {
    const [step] = adjust.steps
    const replayed = write(tenant, '/stock-adjustments', step?.body(tenant))
    await withLanes(world.url, 1, ([lane]) => lane?.send(replayed) ?? Promise.reject(new Error('no lane')))
    const replays = () =>
      withLanes(world.url, 16, lanes =>
        closedLoops(16, { ms: ROUND_MS }, async lane => (await lanes[lane]?.send(replayed))?.replayed === true),
      )
    results.push(
      await inTurn('Replay of one key, 16 clients (beside GET /products/{id})', '>= 1', replays, () =>
        reads(world.url, `${API}/products/${tenant.productId}`, tenant.token),
      ),
    )
  }
  bare.child.removeAllListeners('exit')
  bare.child.kill()

  if (wanted('lone')) results.push(await loneClient(world, tenant, await record(adjust)))
  if (wanted('flood')) results.push(...(await floodResults(world, tenants, { rounds: ROUNDS, isQuick: options.quick })))
  if (wanted('telemetry')) results.push(...(await telemetryResults(world, tenants, options.quick)))
  if (wanted('webhooks')) results.push(...(await webhookResults(world, options.quick)))
  if (wanted('tenants')) results.push(...(await manyTenants(world, tenants)))
} finally {
  await world.close()
}
if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
else printTable(results)
process.exitCode = results.some(result => result.errors > 0) ? 1 : 0

async function sendProduct(lane: Lane | undefined, tenant: BenchTenant, n: number): Promise<void> {
  const answer = await lane?.send(
    requestBytes({
      method: 'POST',
      path: `${API}/products`,
      token: tenant.token,
      key: `product-${n}`,
      body: JSON.stringify({ title: `Product ${n}`, sku: `SKU-${n}`, price: 12.5 }),
    }),
  )
  if (answer?.status !== 201) throw new Error(`a product: ${answer?.status}`)
}

/** Median latency of one client beside the bare transaction and two round trips to Redis. */
async function loneClient(world: World, tenant: BenchTenant, recordings: readonly Recording[]): Promise<Result> {
  say('one lone client')
  const count = options.quick ? 300 : 1_000
  const figures = await writes(world, adjust, [tenant], 1, { count })
  const { line, child } = await startTask(world, 'bare-writes', {
    databaseUrl: world.databaseUrl,
    recordings: recordings.slice(0, 1),
    ms: ROUND_MS,
    first: 900_000_000,
  })
  child.removeAllListeners('exit')
  const bare = JSON.parse(line) as Figures
  const redis = new Redis(world.redisUrl)
  const pings = await closedLoops(1, { count: 1_000 }, async () => (await redis.ping()) === 'PONG')
  redis.disconnect()
  return {
    name: 'POST /stock-adjustments, 1 client, median latency',
    goal: '< 3 x',
    service: figures.p50,
    limit: bare.p50 + 2 * pings.p50,
    unit: 'ms',
    errors: figures.errors + bare.errors,
    p50: figures.p50,
    p99: figures.p99,
  }
}

/** Thousands of tenants, one command each, in turn with the fifty; then how much an idle service costs. */
async function manyTenants(world: World, fifty: readonly BenchTenant[]): Promise<Result[]> {
  say(`making ${MANY_TENANTS} tenants`)
  const crowd: BenchTenant[] = []
  while (crowd.length < MANY_TENANTS) {
    crowd.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(10, MANY_TENANTS - crowd.length) }, () => makeTenant(world)),
      )),
    )
    if (crowd.length % 500 === 0) say(`  ${crowd.length}`)
  }
  await gatherStatistics(world)
  // Each of the crowd writes once, so that every round has a part of it.
  const parts = Array.from({ length: ROUNDS }, (_, n) => crowd.filter((_, at) => at % ROUNDS === n))
  const once = await inTurn(
    `${MANY_TENANTS} tenants, one command each (beside 50 tenants)`,
    '>= 0.7',
    () => {
      const part = parts.pop() ?? []
      return writes(world, adjust, part, 64, { count: part.length })
    },
    () => writes(world, adjust, fifty, 64, { ms: ROUND_MS }),
  )
  const redis = new Redis(world.redisUrl)
  const connections =
    String(await redis.client('LIST'))
      .trim()
      .split('\n').length - 1
  redis.disconnect()
  const pids = { web: world.processes.web.child.pid ?? 0, worker: world.processes.worker.child.pid ?? 0 }
  say('idle')
  const before = await Promise.all(Object.values(pids).map(usageOf))
  await new Promise(resolve => setTimeout(resolve, 10_000))
  const after = await Promise.all(Object.values(pids).map(usageOf))
  const busy = after.reduce((sum, usage, at) => sum + usage.cpuMs - (before[at]?.cpuMs ?? 0), 0) / 10_000
  const row = (name: string, goal: string, service: number, limit: number, unit: string): Result => ({
    name,
    goal,
    service,
    limit,
    unit,
    errors: 0,
    p50: 0,
    p99: 0,
  })
  return [
    once,
    row(`Redis connections with ${MANY_TENANTS} tenants`, '< 60', connections, 60, ''),
    row('Idle: processor share of web and worker', 'near 0', busy, 1, ''),
    row('Memory of web', '', after[0]?.memoryMib ?? 0, 0, 'MiB'),
    row('Memory of worker', '', after[1]?.memoryMib ?? 0, 0, 'MiB'),
  ]
}
