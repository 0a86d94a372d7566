/**
 * What a write and a read cost each part of the service in processor time and bytes, over many tenants: figures by which a
 * fleet is sized (docs/scaling.md). Processor time moves less than throughput when others use the machine. Linux only.
 *
 *     node bench/costs.ts [--tenants 50] [--seconds 8] [--workers 1]
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { migrate } from '../lib/postgres/migrate.ts'
import { type Pool, rows } from '../lib/postgres/postgres.ts'
import { ask, type Fleet, startFleet } from '../test/scaling/fleet.ts'
import { privatePostgres, privateRedis } from '../test/support/servers.ts'
import { Lane, requestBytes } from './http-client.ts'
import { closedLoops, type Figures } from './measure.ts'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '8' },
    workers: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '32' },
  },
})
const API = '/api/external/v1'
const CLOCK_TICK_MS = 10

const [postgres, redisServer] = await Promise.all([privatePostgres(), privateRedis()])
await migrate(postgres.url)
const fleet = await startFleet(
  { DATABASE_URL: postgres.url, REDIS_URL: redisServer.url },
  { webs: 1, workers: Number(values.workers) },
)
const redis = new Redis(redisServer.url)
const tenants = await makeTenants(fleet, Number(values.tenants))
const lanes = await Promise.all(Array.from({ length: Number(values.lanes) }, () => Lane.open(fleet.webs[0]?.url ?? '')))
const ms = Number(values.seconds) * 1_000

const write = async (lane: number, round: number) => {
  const tenant = tenants[round % tenants.length]
  if (!tenant) return false
  const body = JSON.stringify({ items: [{ item_variant_id: tenant.variantId, quantity: 1, unit_cost: 2 }] })
  const request = { method: 'POST', path: `${API}/stock-adjustments`, token: tenant.token, key: randomUUID(), body }
  return (await lanes[lane]?.send(requestBytes(request)))?.status === 201
}
const read = async (lane: number, round: number) => {
  const tenant = tenants[round % tenants.length]
  if (!tenant) return false
  const request = { method: 'GET', path: `${API}/products/${tenant.productId}`, token: tenant.token }
  return (await lanes[lane]?.send(requestBytes(request)))?.status === 200
}

await closedLoops(lanes.length, { ms: 2_000 }, write) // warm
await measured('adjustment of one line', write)
await measured('GET /products/{id}', read)
console.log(`Redis memory with ${tenants.length} tenants: ${await redisMemory()}`)

for (const lane of lanes) lane.close()
redis.disconnect()
await fleet.close()
await redisServer.close()
await postgres.close()

async function makeTenants(on: Fleet, count: number) {
  const made: { token: string; productId: string; variantId: string }[] = []
  while (made.length < count) {
    const { token } = await on.tenant()
    const { body } = await ask(on.webs[0], token, '/products', { body: { title: 'Screw', purchase_price: 2 } })
    made.push({ token, productId: body.id, variantId: body.variants[0].id })
  }
  return made
}

async function measured(name: string, work: (lane: number, round: number) => Promise<boolean>): Promise<void> {
  const before = await snapshot(fleet.pool)
  const figures: Figures = await closedLoops(lanes.length, { ms }, work)
  const after = await snapshot(fleet.pool)
  const per = (of: 'web' | 'worker' | 'postgres' | 'redis') =>
    `${((after[of] - before[of]) / figures.count).toFixed(3)} ms`
  console.log(`${name}: ${figures.perSecond.toFixed(0)} /s, ${figures.errors} errors, p50 ${figures.p50.toFixed(1)} ms`)
  console.log(
    `  processor time each: web ${per('web')}, worker ${per('worker')}, Postgres ${per('postgres')}, Redis ${per('redis')}`,
  )
  console.log(
    `  log (WAL) ${Math.round((after.wal - before.wal) / figures.count)} bytes, data ${Math.round((after.data - before.data) / figures.count)} bytes each`,
  )
}

async function snapshot(pool: Pool) {
  const { wal, data } = await pool.one(rows(v.object({ wal: v.string(), data: v.string() }))`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as data`)
  const [web, worker, redisMs, postgresMs] = await Promise.all([
    cpuMs(fleet.webs.map(({ child }) => child.pid ?? 0)),
    cpuMs(fleet.workers.map(({ child }) => child.pid ?? 0)),
    cpuMs([redisServer.pid]),
    childrenOf(postgres.pid).then(pids => cpuMs([...pids, postgres.pid])),
  ])
  return { web, worker, redis: redisMs, postgres: postgresMs, wal: Number(wal), data: Number(data) }
}

async function statOf(pid: number | string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

async function cpuMs(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(statOf))
  return stats.reduce((sum, fields) => sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * CLOCK_TICK_MS, 0)
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map(async pid => Number((await statOf(pid))[1])))
  return pids.flatMap((pid, at) => (parents[at] === parent ? [Number(pid)] : []))
}

async function redisMemory(): Promise<string> {
  return /used_memory_human:(\S+)/.exec(String(await redis.info('memory')))?.[1] ?? 'unknown'
}
