/**
 * `npm test`: format and lint, types, then every test on one private PostgreSQL and Redis. The last line is always
 * `N passed, N failed`. It must not hide a failure: a failing step counts as one, and so does a run without tests.
 *
 *     npm test                        everything
 *     npm test -- --area stock        the checks, then the areas of tests that are named (test/areas.ts)
 *     npm test -- test/stock          the checks, then the tests of a folder or a file, each in a process of its own (AVA's arguments)
 *     npm test -- --seed 7            files and tests in another order
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import { redisProgram } from '../lib/tools/embedded/redis-program.ts'
import { areaFiles } from './areas.ts'
import { avaOutcome, type Outcome } from './support/ava-outcome.ts'
import { chromiumToCome, SHARED_CHROMIUM } from './support/chromium.ts'
import { withoutSettings } from './support/environment.ts'
import {
  SHARED_CLUSTER,
  SHARED_DATABASE_URL,
  SHARED_REDIS_URL,
  sharedCluster,
  startServers,
} from './support/servers.ts'
import { TEST_SEED } from './support/shuffled.ts'
import { dearest, USAGE_FILE, usedMs } from './support/usage.ts'

// The setup ran as this very process (package.json), and may have installed packages.
const setupMs = usedMs()
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${ROOT}node_modules/.bin/${name}`
// Some tests wait (for a lease, a gap, a restart), so there is one more at once than two processors would run; with five, nothing
// ended sooner, and requests waited for processors for longer than the service lets them.
const FILES_AT_ONCE = 3

// Many processes load the same modules: compiled once, each starts in half the time.
const environment = { ...withoutSettings(process.env), NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled` }
const running = new Set<ChildProcess>()
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true
    for (const child of running) child.kill(signal)
  })
}

// What a new machine lacks is installed while the checks run; who uses it waits for it, and tells why it is not there.
redisProgram(console.error).catch(() => {})
const chromiumFile = await chromiumToCome()

const total: Outcome = { passed: 0, failed: 0 }
const usageFolder = await mkdtemp(join(tmpdir(), 'millrace-usage-'))
const usageFile = join(usageFolder, 'usage')
const { values: options, positionals: named } = parseArgs({
  options: { seed: { type: 'string' }, area: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const patterns = named.length > 0 ? named : areaFiles(options.seed, options.area)
const portal = check(process.execPath, ['portal/build.ts'])
const checks = [
  { name: 'portal', running: portal },
  { name: 'format and lint', running: check(bin('biome'), ['check', '--error-on-warnings', '.']) },
  { name: 'types', running: check(bin('tsc'), []) },
  { name: 'types of the portal', running: check(bin('tsc'), ['-p', 'portal']) },
]
// Tests wait for a good deal of their time, and checks never: they run beside the first tests, and are told before them.
const told = Promise.withResolvers<void>()
const tests = portal.then(() => runTests(patterns))
for (const { name, running } of checks) await section(name, running)
told.resolve()
await section('tests', tests)
console.log('── processor time')
process.stdout.write(dearest(await readFile(usageFile, 'utf8').catch(() => ''), usedMs() - setupMs))
await rm(usageFolder, { recursive: true, force: true })
if (isInterrupted) console.error('interrupted')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || isInterrupted ? 1 : 0

/** What it has written is told once those before it are. */
type Section = Outcome & { readonly output: string; readonly seconds: number }

async function section(name: string, running: Promise<Section>): Promise<void> {
  console.log(`── ${name}`)
  const { output, seconds, passed, failed } = await running
  process.stdout.write(output)
  console.log(`── ${name}: ${failed === 0 ? 'fine' : `${failed} failed`} (${seconds.toFixed(1)} s)`)
  total.passed += passed
  total.failed += failed
}

async function timed(run: () => Promise<Outcome & { output?: string }>): Promise<Section> {
  const started = performance.now()
  const { output = '', ...outcome } = await run().catch((error: unknown) => {
    return { passed: 0, failed: 1, output: `${inspect(error)}\n` }
  })
  return { ...outcome, output, seconds: (performance.now() - started) / 1000 }
}

function check(file: string, args: string[]): Promise<Section> {
  return timed(async () => {
    const child = start(file, args, environment)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        output += text
      })
    return { passed: 0, failed: (await exitCode(child)) === 0 ? 0 : 1, output }
  })
}

function runTests(args: string[]): Promise<Section> {
  return timed(async () => {
    const outcome = avaOutcome()
    if (isInterrupted) return outcome.end(null)
    const cluster = await sharedCluster()
    const servers = await startServers(cluster)
    try {
      const shared = {
        [USAGE_FILE]: usageFile,
        ...(options.seed === undefined ? {} : { [TEST_SEED]: options.seed }),
        [SHARED_DATABASE_URL]: servers.databaseUrl,
        [SHARED_REDIS_URL]: servers.redisUrl,
        [SHARED_CHROMIUM]: chromiumFile,
        ...(cluster === undefined ? {} : { [SHARED_CLUSTER]: cluster }),
      }
      const child = start(bin('ava'), [`--concurrency=${FILES_AT_ONCE}`, ...args], { ...environment, ...shared })
      const write = (stream: NodeJS.WriteStream, text: string) => void told.promise.then(() => stream.write(text))
      child.stderr?.on('data', chunk => write(process.stderr, String(chunk)))
      if (child.stdout) {
        createInterface({ input: child.stdout }).on('line', line => {
          outcome.line(line)
          write(process.stdout, `${line}\n`)
        })
      }
      const code = await exitCode(child)
      return outcome.end(code)
    } finally {
      await servers.stop()
    }
  })
}

function start(file: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  return child
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const code = await new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  running.delete(child)
  return code
}
