/** Processes are stopped under load: what runs is finished and answered, the exit code is 0. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'
import * as v from 'valibot'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { client } from '../support/client.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { privatePostgres, privateRedis } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

// One for all: it makes tenants and looks at the database, and does no commands. No answer is late because the machine is slow.
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

/** Requests of many tenants at once to a process that is stopped meanwhile. */
async function burst(web: TestProcess, { each }: { each: number }) {
  const clients = await Promise.all(Array.from({ length: TENANTS }, () => service.tenant()))
  const requests = clients.flatMap(({ tenantId, token, keyId }) =>
    Array.from({ length: each }, async (_, n) => {
      const title = `${n} of ${tenantId}`
      // null: not accepted any more
      const reply = await client(web.url, tenantId, { token, keyId })
        .post('/storage-places', { title })
        .catch(() => null)
      return reply && { ...reply, wanted: title, made: `${tenantId} ${title}` }
    }),
  )
  return (await Promise.all(requests)).filter(reply => reply !== null)
}

/** What was accepted was done once, and each caller heard of its own write. */
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
  test.serial(`${what}: a worker finishes its batch, a web process answers what runs; both exit 0`, async t => {
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

test.serial('SIGTERM while Postgres and Redis are away ends both processes with 0', async t => {
  const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  const [web, worker] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
  await Promise.all([postgres.kill(), redis.kill()])
  t.deepEqual(await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')]), [0, 0])
  await Promise.all([postgres.close(), redis.close()])
})

test.serial('a process whose supervisor is gone, and with it who read its log, ends when it is told to', async t => {
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

const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip

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
    // Each is a line, written within a fifth of a second; a hundred answers later its failure has been seen.
    for (let n = 0; n < 100; n++) t.is(await status('/nowhere'), 404)
    child.kill(signal)
    t.deepEqual(await ended, [0, null])
    await full.close()
  })
