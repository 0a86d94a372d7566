/**
 * What a part of the web process costs: requests under load, with that part on and off in turn many times in the same process
 * (switched-web.ts). It must not leave out the flushes of the telemetry, nor make more of them than the service does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type Pool, rows } from '../lib/platform/postgres/postgres.ts'
import { Lane } from './http-client.ts'
import type { Bench } from './in-turn.ts'
import { closedLoops, type Figures, type Work } from './measure.ts'
import type { Switch, Switched, Usage } from './switched-web.ts'
import { type Result, ratio } from './table.ts'
import type { BenchTenant, World } from './world.ts'

const SCRIPT = fileURLToPath(new URL('./switched-web.ts', import.meta.url))
/** Short, so that what else the machine does meets both sides alike. */
const SLICE_MS = 250
/** After so many slices with the part it flushes: every 4 s, as the service. */
const SLICES_PER_FLUSH = 16

/** Some time with the part on or off. */
type Slice = Readonly<Record<'ms' | 'requests' | 'webUs' | 'postgresUs', number>> & { readonly isOn: boolean }
type Web = { readonly url: string; readonly child: ChildProcess }

/** What is sent while the part is on and off. */
type SwitchedWork = {
  /** Ends with what is compared: `GET /products/{id}, 16 clients: counted for the telemetry, beside not`. */
  readonly name: string
  readonly clients: number
  readonly bytesOf: (tenant: BenchTenant) => Buffer
  readonly status: number
}

/** Throughput with the part beside without, and the processor time of a request, which moves less. */
export async function switchedResults(
  { world, tenants, isQuick }: Bench,
  part: Switched,
  works: readonly SwitchedWork[],
): Promise<Result[]> {
  const web = await startWeb(world, part)
  try {
    const results: Result[] = []
    for (const { name, clients, bytesOf, status } of works) {
      process.stderr.write(`${name}\n`)
      const lanes = await Promise.all(Array.from({ length: clients }, () => Lane.open(web.url)))
      const work: Work = async (lane, round) => {
        const tenant = tenants[round % tenants.length]
        return tenant !== undefined && (await lanes[lane]?.send(bytesOf(tenant)))?.status === status
      }
      await closedLoops(clients, { ms: 2_000 }, work) // warm up
      const loops = closedLoops(clients, { ms: isQuick ? 9_000 : 32_000 }, work)
      results.push(...resultsOf(name, await slicesOf(world.pool, web, loops), await loops))
      for (const lane of lanes) lane.close()
    }
    return results
  } finally {
    web.child.kill('SIGTERM')
    await once(web.child, 'exit')
  }
}

/** On, off, off, on, on, ...: what drifts meets both alike. The last slice, in which the loops end, is left out. */
async function slicesOf(pool: Pool, web: Web, loops: Promise<Figures>): Promise<Slice[]> {
  let isOver = false
  const end = loops.finally(() => {
    isOver = true
  })
  const pids = await pool.any(rows(v.object({ pid: v.number() }))`select pid from pg_stat_activity`)
  const isOnIn = (n: number) => n % 4 === 0 || n % 4 === 3
  const slices: Slice[] = []
  const now = async (order: Switch) => ({
    ...(await switchTo(web, order)),
    postgresUs: await processorUs(pids.map(({ pid }) => pid)),
    ms: performance.now(),
  })
  let before = await now({ isToFlush: true, isOn: isOnIn(0) })
  for (let n = 0, on = 0; !isOver; n++) {
    await Promise.race([delay(SLICE_MS), end])
    const isOn = isOnIn(n)
    if (isOn) on++
    const after = await now({ isToFlush: isOn && on % SLICES_PER_FLUSH === 0, isOn: isOnIn(n + 1) })
    const spent = (of: keyof typeof after) => after[of] - before[of]
    slices.push({
      isOn,
      ms: spent('ms'),
      requests: spent('requests'),
      webUs: spent('webUs'),
      postgresUs: spent('postgresUs'),
    })
    before = after
  }
  return slices.slice(0, -1)
}

function resultsOf(name: string, slices: readonly Slice[], { errors, p50, p99 }: Figures): Result[] {
  const of = (isOn: boolean, part: Exclude<keyof Slice, 'isOn'>) =>
    slices.reduce((sum, slice) => sum + (slice.isOn === isOn ? slice[part] : 0), 0)
  const per = (isOn: boolean, part: 'webUs' | 'postgresUs') => of(isOn, part) / of(isOn, 'requests')
  const rate = (isOn: boolean) => (1_000 * of(isOn, 'requests')) / of(isOn, 'ms')
  const processor = (what: string, part: 'webUs' | 'postgresUs'): Result => ({
    name: `  processor time of ${what} (ratio ± ${deviation(slices, part).toFixed(3)})`,
    goals: [ratio('<=', 1.03)],
    service: per(true, part),
    limit: per(false, part),
    unit: 'us',
  })
  return [
    {
      name,
      goals: [ratio('>=', 0.97)],
      service: rate(true),
      limit: rate(false),
      unit: '/s',
      errors,
      p50,
      p99,
    },
    processor('web', 'webUs'),
    processor('Postgres', 'postgresUs'),
  ]
}

/** The standard error of the ratio, from slices four by four: what is less than twice it may be chance. */
function deviation(slices: readonly Slice[], part: 'webUs' | 'postgresUs'): number {
  const ratios: number[] = []
  for (let at = 0; at + 4 <= slices.length; at += 4) {
    const four = slices.slice(at, at + 4)
    const per = (isOn: boolean) =>
      four.reduce((sum, slice) => sum + (slice.isOn === isOn ? slice[part] / slice.requests : 0), 0)
    const ratio = per(true) / per(false)
    if (Number.isFinite(ratio)) ratios.push(ratio)
  }
  if (ratios.length < 2) return 0
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1)
  return Math.sqrt(variance / ratios.length)
}

async function startWeb({ databaseUrl, redisUrl }: World, part: Switched): Promise<Web> {
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PORT: '0', ADMIN_PORT: '0' }
  const child = spawn(process.execPath, [SCRIPT, part], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET_KEY: 'a'.repeat(64), ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('exit', code => reject(new Error(`the web process ended with ${code}`)))
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', line => {
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
      if (msg === 'serving' && url !== undefined) resolve(url)
    })
  return { url: await promise, child }
}

async function switchTo({ child }: Web, order: Switch): Promise<Usage> {
  const answer = once(child, 'message')
  child.send(order)
  const [usage] = await answer
  return usage as Usage
}

/** Processor time of these processes so far (Linux, whose scheduler tells it in ns; zero elsewhere). */
async function processorUs(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')))
  return texts.reduce((sum, text) => sum + Number.parseInt(text, 10) / 1_000, 0)
}
