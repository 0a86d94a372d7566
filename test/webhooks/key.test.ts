/**
 * All processes of a service have the same WEBHOOK_SECRET_KEY: a process without it, or with another one, does not start. A secret that
 * cannot be decrypted is reported, and harms no other subscription. The same holds for the other settings that all processes must share.
 */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { joinSettings } from '../../lib/access/shared-settings.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { createPool, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { connectionName } from '../../lib/platform/version.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { joinService } from '../../lib/webhooks/service-key.ts'
import { UNOPENED } from '../../lib/webhooks/unopened.ts'
import { isAtLength } from '../at-length.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { temporaryFolder } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { delivery, makePlace, startWebhookProcess, subscribe, subscriptionOf } from './bench.ts'
import { receiver, status } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })
const longTest = isAtLength ? test : test.skip

const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
let pool: Pool
const services = ofTests(test, async () => {
  const own = await testServices()
  pool = await createPool(own.databaseUrl, { ...timeouts, size: 10 })
  return {
    ...own,
    close: async () => {
      await pool.end()
      await own.close()
    },
  }
})
const stores = () => ({ DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl })

const [old, fresh, typo] = [1, 2, 3].map(byte => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const setting = (...keys: readonly Buffer[]) => ({ WEBHOOK_SECRET_KEY: keys.map(key => key.toString('hex')).join() })
const joins = (...keys: readonly Buffer[]) =>
  joinService(pool, secretBox(keys), error => {
    throw error
  })
// The tests run in any order, so each removes the rows of the others.
test.beforeEach(async () => {
  await pool.query(statement`delete from service_key`)
  await pool.query(statement`delete from service_settings`)
  await pool.query(statement`delete from webhook_secrets`)
})

/** The two ways to start a process: both kinds of workers share one (workers/worker-process.ts). */
const SCRIPTS = ['server/main.ts', 'workers/webhooks/main.ts']
/** The standard error and exit codes of the processes. A process that serves is ended, and has no code. */
const ends = (env: Record<string, string>) =>
  Promise.all(
    SCRIPTS.map(async script => {
      const child = spawn(process.execPath, [script], {
        env: { ...bareEnvironment(), ...stores(), PORT: '0', ADMIN_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', text => {
        said += text
      })
      child.stdout.setEncoding('utf8').on('data', text => {
        if (text.includes('"serving"')) child.kill('SIGKILL')
      })
      const code = await new Promise<number | null>(resolve => child.once('close', resolve))
      return { code, said }
    }),
  )

async function cli(command: string, env: Record<string, string>) {
  const out: string[] = []
  const say = (text: string) => out.push(text)
  const exit = await runCommandLine(command.split(' '), {
    env: { ...stores(), ...env },
    root: '/nowhere',
    out: say,
    err: say,
  })
  return { exit, out: out.join('\n') }
}

longTest('with external stores a process without a key is one clear line and 1, and makes no key', async t => {
  const folder = await temporaryFolder()
  for (const { code, said } of await ends({ MILLRACE_DATA: folder })) {
    t.is(code, 1)
    t.regex(said, /^WEBHOOK_SECRET_KEY is not set: [^\n]*openssl rand -base64 32\)\n$/)
  }
  t.deepEqual(await readdir(folder), [])
})

/** The message of a process that cannot join the service. */
const refusal = async (t: ExecutionContext, joining: Promise<unknown>): Promise<string> =>
  (await t.throwsAsync(joining, { instanceOf: ConfigError })).message

/** Checks that a process of each kind ends with 1 and one line, which begins with this text. */
async function eachEnds(t: ExecutionContext, line: string, env: Record<string, string>): Promise<void> {
  for (const { code, said } of await ends(env)) {
    t.is(code, 1)
    t.is(said, `${line}\n`)
  }
}

test("a process with another key than the service's does not start: one clear line, which shows no key", async t => {
  await joins(old)
  const said = await refusal(t, joins(typo))
  t.regex(said, /^WEBHOOK_SECRET_KEY is not the service's key: [^\n]*webhook reseal[^\n]*$/)
  for (const key of [old, typo]) t.false(said.includes(key.toString('hex')))
  if (isAtLength) await eachEnds(t, said, setting(typo))
  t.regex((await cli('doctor', setting(typo))).out, /webhook secrets +FAULT +the key here is not the service's/)
})

test('of processes that start at once with different keys one names the key, and the others do not start', async t => {
  const keys = Array.from({ length: 20 }, (_, n) => Buffer.alloc(32, 10 + n))
  const joined = await Promise.allSettled(keys.map(key => joins(key)))
  t.is(joined.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of joined) if (outcome.status === 'rejected') t.true(outcome.reason instanceof ConfigError)
})

test('while the key is changed processes with the old, both and, after the reseal, the new one start', async t => {
  const refused = (...keys: readonly Buffer[]) => t.throwsAsync(joins(...keys), { instanceOf: ConfigError })
  await joins(fresh, old) // the first process after an upgrade may have both: those with the old one alone go on
  await joins(old)
  await refused(fresh)
  t.is((await cli('webhook reseal', setting(fresh, old))).exit, 0)
  await joins(fresh, old)
  await joins(fresh)
  await refused(old)
  // Both are lost, and there is no secret that needs them.
  t.is((await cli('webhook reseal', setting(typo))).exit, 0)
  await joins(typo)
})

test("a process whose QUEUE_SHARDS or kind of Redis is not the service's does not start: one clear line each", async t => {
  const shared = { queueShards: 1, redisUrl: services.redisUrl }
  const joinsSettings = (given = {}) =>
    joinSettings(pool, { ...shared, ...given }, error => {
      throw error
    })
  await joinsSettings()
  await joins(old)
  const how = ' in the service: give all processes the same; [^\\n]*millrace settings forget[^\\n]*'
  const ofShards = await refusal(t, joinsSettings({ queueShards: 2 }))
  t.regex(ofShards, new RegExp(`^QUEUE_SHARDS is 2 here and 1${how}$`))
  const redisUrl = services.redisUrl.replace('redis:', 'redis+cluster:').replace(/\/\d+$/, '/0')
  const ofRedis = await refusal(t, joinsSettings({ redisUrl }))
  t.regex(ofRedis, new RegExp(`^REDIS_URL is a cluster here and one server${how}$`))
  if (isAtLength) {
    await eachEnds(t, ofShards, { ...setting(old), QUEUE_SHARDS: '2' })
    await eachEnds(t, ofRedis, { ...setting(old), REDIS_URL: redisUrl, QUEUE_SHARDS: '1' })
  }
  const examined = await cli('doctor', { ...setting(old), QUEUE_SHARDS: '2' })
  t.is(examined.exit, 1)
  t.regex(examined.out, /settings +FAULT +QUEUE_SHARDS is 2 here and 1 in the service/)

  const process = new Client({
    connectionString: connectionString(services.databaseUrl),
    application_name: connectionName('worker.1', 'chores'),
  })
  await process.connect()
  const refused = await cli('settings forget', {})
  t.is(refused.exit, 1)
  t.regex(refused.out, /processes are connected \([^)]*worker\.1 chores [^)]*\): stop all of them first/)
  await process.end()
  await eventually(async () => (await cli('settings forget', {})).exit === 0)
  shared.queueShards = 2
  await joinsSettings()
  shared.queueShards = 1
  await t.throwsAsync(joinsSettings(), { instanceOf: ConfigError })
})

test('a start waits three seconds at most for a database that does not answer, and goes on', async t => {
  const blocker = new Client({ connectionString: services.databaseUrl })
  await blocker.connect()
  await blocker.query('begin; lock table service_key')
  const told: unknown[] = []
  await joinService(pool, secretBox([old]), error => told.push(error))
  t.regex(String(told[0]), /no answer in 3 s/)
  await blocker.end()
  await eventually(async () => pool.state().acquiredConnections === 0)
})

test('a secret that cannot be opened is told, and disables no subscription: its deliveries wait', async t => {
  const allowed = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const service = await startService(services, { env: { ...setting(old), ...allowed } })
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id, secret } = await subscribe(client, hook.url)
  // A receiver that has failed for days: one more failure would disable it.
  await pool.query(statement`
    update webhook_subscriptions set consecutive_failures = 9, good_since = now() - interval '80 hours', status = 'failing'
    where id = ${id}::bigint`)
  const wrong = await startWebhookProcess(services, { ...setting(typo), ...allowed })
  await makePlace(client)
  t.like(await delivery(client, id, ({ error }) => error !== null), { status: 'pending', attempts: 0, error: UNOPENED })
  const told = await subscriptionOf(client, id)
  t.like(told, { status: 'failing', consecutive_failures: 9, last_failure_reason: UNOPENED })
  t.truthy(told.last_failure_at)
  t.regex(await registry.getSingleMetricAsString('millrace_webhook_secrets_unopened_total'), /\n\S+ [1-9]\d*$/m)
  const redis = connectRedis(services.redisUrl, 'worker', 'test')
  const queue = new WebhookQueue(redis)
  // The pause of ten seconds has ended.
  const [paused] = await eventually(async () => {
    const delayed = await queue.queue.getDelayed()
    return delayed.length > 0 && delayed
  })
  await wrong.close()
  await paused?.promote()
  await queue.close()
  await closeRedis(redis)
  t.is(hook.arrivals.length, 0)

  hook.answer(status(500))
  const right = await startWebhookProcess(services, { ...setting(typo, old), ...allowed })
  await delivery(client, id, ({ attempts }) => attempts === 1)
  t.like(await subscriptionOf(client, id), {
    status: 'failing',
    consecutive_failures: 10,
    last_failure_reason: 'HTTP 500',
  })
  hook.answer(status(200))
  const [{ id: deliveryId }] = (await client.get(`/webhook-subscriptions/${id}/deliveries`)).body.data
  await client.post(`/webhook-deliveries/${deliveryId}/redeliver`, {})
  await delivery(client, id, ({ status }) => status === 'succeeded')
  const arrival = hook.arrivals.at(-1)
  t.notThrows(() => new Webhook(secret).verify(arrival?.text ?? '', { ...arrival?.headers }))
  await right.close()
  await hook.close()

  t.regex((await cli('webhook reseal', setting(typo))).out, /Where it is lost: --give-up-lost\.$/)
  const { exit, out } = await cli('webhook reseal --give-up-lost', setting(typo))
  t.is(exit, 0, out)
  t.regex(out, /1 are lost/)
  await joins(typo)
  await service.close()
})
