/**
 * `npm test`: format and lint, types, then every test on one private PostgreSQL and Redis. The last line is always
 * `N passed, N failed`. It must not hide a failure: a failing step counts as one, and so does a run without tests.
 *
 *     npm test                        everything
 *     npm test -- test/stock          the checks, then the tests of a folder or a file (AVA's arguments)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { redisProgram } from '../lib/embedded/redis-program.ts'
import { avaOutcome, type Outcome } from './support/ava-outcome.ts'
import { chromiumToCome, SHARED_CHROMIUM } from './support/chromium.ts'
import { withoutSettings } from './support/environment.ts'
import { SHARED_DATABASE_URL, SHARED_REDIS_URL, startServers } from './support/servers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${ROOT}node_modules/.bin/${name}`
// AVA 8 can wait for ever: its own timeout does not start again after a test that asked for more time (t.timeout, 10
// minutes at most here).
const SILENCE_MS_MAX = 11 * 60_000
// Many tests wait (for a lease, a gap, a restart), so there are more at once than two processors would run.
const FILES_AT_ONCE = 4
/**
 * What takes long and seldom finds anything is a part of torture: long walks in a browser, times of odd input, a second linter
 * of the API's description, the upgrade from 1.0.
 */
const AT_LENGTH =
  'test/{portal/{orders,stock,quality},api/{linear-time,http-time},contract/spectral,operations/version1}.test.ts'

// Nearly two hundred processes load the same modules: compiled once, each starts in half the time.
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
const portalBuilt = check(process.execPath, ['portal/build.ts'])
await section('format and lint', () => check(bin('biome'), ['check', '--error-on-warnings', '.']))
await section('types', () => check(bin('tsc'), []))
await section('types of the portal', () => check(bin('tsc'), ['-p', 'portal']))
await section('portal', () => portalBuilt)
const named = process.argv.slice(2)
await section('tests', () => runTests(named.length > 0 ? named : ['test/**/*.test.ts', `!${AT_LENGTH}`]))
if (isInterrupted) console.error('interrupted')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || isInterrupted ? 1 : 0

async function section(name: string, run: () => Promise<Outcome>): Promise<void> {
  if (isInterrupted) return
  console.log(`── ${name}`)
  const started = performance.now()
  const outcome = await run().catch((error: unknown): Outcome => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`── ${name}: ${outcome.failed === 0 ? 'fine' : `${outcome.failed} failed`} (${seconds} s)`)
  total.passed += outcome.passed
  total.failed += outcome.failed
}

async function check(file: string, args: string[]): Promise<Outcome> {
  const child = start(file, args, environment)
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => process.stdout.write(chunk))
  return { passed: 0, failed: (await exitCode(child)) === 0 ? 0 : 1 }
}

async function runTests(args: string[]): Promise<Outcome> {
  const servers = await startServers()
  try {
    const shared = {
      [SHARED_DATABASE_URL]: servers.databaseUrl,
      [SHARED_REDIS_URL]: servers.redisUrl,
      [SHARED_CHROMIUM]: chromiumFile,
    }
    const child = start(bin('ava'), [`--concurrency=${FILES_AT_ONCE}`, ...args], { ...environment, ...shared })
    const outcome = avaOutcome()
    const silence = setTimeout(() => giveUp(child), SILENCE_MS_MAX)
    child.stderr?.on('data', chunk => process.stderr.write(chunk))
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', line => {
        silence.refresh()
        outcome.line(line)
        console.log(line)
      })
    }
    const code = await exitCode(child)
    clearTimeout(silence)
    return outcome.end(code)
  } finally {
    await servers.stop()
  }
}

function giveUp(ava: ChildProcess): void {
  console.error(`No test has reported for ${SILENCE_MS_MAX / 60_000} minutes; ending the run.`)
  // On SIGINT it names the tests that have not ended.
  ava.kill('SIGINT')
  setTimeout(() => ava.kill('SIGKILL'), 30_000).unref()
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
