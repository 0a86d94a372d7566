/** Processes are stopped under load: running commands are finished and answered, and the exit code is 0. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import * as v from 'valibot'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { client } from '../support/client.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { type PrivateServer, privatePostgres, privateRedis } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

// One service for all tests: it makes tenants and reads the database, and runs no commands. The deadlines are so long that a slow machine
// makes no answer late.
const services = await testServices()
const service = await startService(services, { workers: 0 })
const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, COMMAND_DEADLINE_MS: '60000' }
test.after.always(async () => {
  await service.close()
  await services.close()
})

const TENANTS = 20

const placesOf = async () =>
  (
    await service.pool.any(
      rows(v.object({ made: v.string() }))`select tenant_id || ' ' || title as made from storage_places`,
    )
  ).map(row => row.made)

/** Requests of many tenants at the same time to a process that is stopped meanwhile. */
async function burst(web: TestProcess, { each }: { each: number }) {
  const clients = await Promise.all(Array.from({ length: TENANTS }, () => service.tenant()))
  const requests = clients.flatMap(({ tenantId, token, keyId }) =>
    Array.from({ length: each }, async (_, n) => {
      const title = `${n} of ${tenantId}`
      // null: the connection was refused
      const reply = await client(web.url, tenantId, { token, keyId })
        .post('/storage-places', { title })
        .catch(() => null)
      return reply && { ...reply, wanted: title, made: `${tenantId} ${title}` }
    }),
  )
  return (await Promise.all(requests)).filter(reply => reply !== null)
}

/** Every accepted command was done once, and each caller got the answer to its own write. */
async function allOf(t: ExecutionContext, before: ReadonlySet<string>, replies: Awaited<ReturnType<typeof burst>>) {
  t.deepEqual(
    replies.filter(({ status, body, wanted }) => status !== 201 || body.title !== wanted),
    [],
  )
  const added = (await placesOf()).filter(place => !before.has(place))
  t.deepEqual(added.sort(), replies.map(({ made }) => made).sort())
  t.true(replies.length > 0)
  t.log(`${replies.length} accepted and acknowledged, the rest not accepted`)
}

const stops: [string, (process: TestProcess) => Promise<number | null>][] = [
  ['SIGTERM under load', process => process.end('SIGTERM')],
  [
    'Ctrl-C under load, twice as a terminal sends it to a group',
    process => {
      process.signal('SIGINT')
      return process.end('SIGINT')
    },
  ],
]
for (const [what, stop] of stops)
  test(`${what}: a worker finishes its batch, a web process answers what runs; both exit 0`, async t => {
    const [web, worker] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
    const before = new Set(await placesOf())
    const replies = burst(web, { each: 5 })
    await eventually(async () => (await placesOf()).length > before.size)
    const webEnd = stop(web)
    const heard = await replies
    t.is(await webEnd, 0)
    t.is(await stop(worker), 0)
    await allOf(t, before, heard)
  })

const kinds = ['web', 'worker', 'webhook'] as const
const DEADLINE_MS = 60_000

/** Whether it ends long before a command's deadline, up to which a process waits while its stores work. */
const beforeDeadline = <T>(end: Promise<T>): Promise<T | 'late'> =>
  Promise.race([end, delay(DEADLINE_MS, 'late' as const, { ref: false })])

const absences: [string, (stores: Record<'postgres' | 'redis', PrivateServer>) => Promise<unknown>][] = [
  ['PostgreSQL and Redis refuse', ({ postgres, redis }) => Promise.all([postgres.kill(), redis.kill()])],
  ['Redis is silent', ({ redis }) => redis.signal('SIGSTOP')],
]
for (const [what, strike] of absences)
  test(`SIGTERM while ${what} ends every process with 0, in seconds`, async t => {
    const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
    await migrate(postgres.url)
    const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, COMMAND_DEADLINE_MS: String(DEADLINE_MS) }
    const processes = await Promise.all(kinds.map(kind => startProcess(kind, env)))
    await strike({ postgres, redis })
    await Promise.all(
      processes.map(({ adminUrl }) => eventually(async () => (await fetch(`${adminUrl}/readyz`)).status === 503)),
    )
    const ends = processes.map(process => beforeDeadline(process.end('SIGTERM')))
    t.deepEqual(await Promise.all(ends), [0, 0, 0])
    await redis.signal('SIGCONT').catch(() => {})
    await Promise.all([postgres.close(), redis.close()])
  })

test('a process that starts while PostgreSQL is away waits for it, and ends at once when it is told to', async t => {
  const postgres = await privatePostgres()
  await migrate(postgres.url)
  await postgres.kill()
  const env = { DATABASE_URL: postgres.url, REDIS_URL: services.redisUrl }
  const waiting = kinds.map(kind => startWaiting(kind, env))
  for (const { lines } of waiting) await eventually(() => lines().length > 0, { what: 'a line about PostgreSQL' })
  for (const { lines } of waiting)
    t.deepEqual(
      lines().map(({ level, msg }) => `${level} ${msg}`),
      ['warn PostgreSQL is away: the start waits'],
    )
  const [first, ...others] = waiting
  first?.child.kill('SIGTERM')
  t.deepEqual(await beforeDeadline(first?.ended ?? Promise.resolve(null)), [0, null])
  await postgres.start()
  for (const { child, lines, ended } of others) {
    await eventually(() => lines().some(({ msg }) => msg === 'serving'), { what: 'its service' })
    child.kill('SIGTERM')
    t.deepEqual(await ended, [0, null])
  }
  await postgres.close()
})

/** A process that does not serve yet, and its log. */
function startWaiting(kind: (typeof kinds)[number], env: Record<string, string>) {
  const script = { web: 'server/main.ts', worker: 'workers/commands/main.ts', webhook: 'workers/webhooks/main.ts' }[
    kind
  ]
  const child = spawn(process.execPath, [script], {
    env: { ...bareEnvironment(), WEBHOOK_SECRET_KEY: 'a'.repeat(64), PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', more => {
    text += more
  })
  const lines = (): { level: string; msg: string }[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  return { child, ended: once(child, 'exit'), lines }
}

test('a process whose supervisor is gone, and with it who read its log, ends when it is told to', async t => {
  const started = ['server/main.ts', 'workers/commands/main.ts', 'workers/webhooks/main.ts'].map(async script => {
    const child = spawn(process.execPath, [script], {
      env: {
        ...bareEnvironment(),
        DATABASE_URL: services.databaseUrl,
        REDIS_URL: services.redisUrl,
        WEBHOOK_SECRET_KEY: 'a'.repeat(64),
        PORT: '0',
        ADMIN_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    await new Promise<void>(resolve =>
      child.stdout.on('data', chunk => {
        if (String(chunk).includes('"serving"')) resolve()
      }),
    )
    child.stdout.destroy()
    child.kill('SIGTERM')
    return ended
  })
  t.deepEqual(await Promise.all(started), [0, 0, 0])
})

const onLinux = process.platform === 'linux' ? test : test.skip

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  onLinux(`a process whose log cannot be written (a full disk) serves on; ${signal} ends it with 0`, async t => {
    const full = await open('/dev/full', 'w')
    const port = await freePort()
    const child = spawn(process.execPath, ['server/main.ts'], {
      env: {
        ...bareEnvironment(),
        DATABASE_URL: services.databaseUrl,
        REDIS_URL: services.redisUrl,
        WEBHOOK_SECRET_KEY: 'a'.repeat(64),
        PORT: String(port),
        ADMIN_PORT: '0',
      },
      stdio: ['ignore', full.fd, 'inherit'],
    })
    const ended = once(child, 'exit')
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    await eventually(async () => (await status('/readyz')) === 200)
    // Each failure is logged within a fifth of a second, so a hundred answers later it is in the log.
    for (let n = 0; n < 100; n++) t.is(await status('/nowhere'), 404)
    child.kill(signal)
    t.deepEqual(await ended, [0, null])
    await full.close()
  })
