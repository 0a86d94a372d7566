/** Every process and the command line behind PgBouncer: session pooling works, and all other pooling is refused with one line. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import * as v from 'valibot'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { SharedSessions } from '../../lib/platform/postgres/pooling.ts'
import { createPool, rows } from '../../lib/platform/postgres/postgres.ts'
import { ask } from '../scaling/fleet.ts'
import { bareEnvironment } from '../support/environment.ts'
import { typed, typedJson } from '../support/millrace.ts'
import { pgBouncer } from '../support/pgbouncer.ts'
import { startProcess } from '../support/processes.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const REFUSAL =
  /the pooler at 127\.0\.0\.1:\d+ shares sessions of PostgreSQL [^\n]*: set pool_mode = session in PgBouncer, or /

const services = await testServices()
test.after.always(() => services.close())

/** A pooler with these settings, for as long as the test runs. */
async function pooler(t: ExecutionContext, settings: Parameters<typeof pgBouncer>[1]): Promise<string> {
  const { url, close } = await pgBouncer(services.databaseUrl, settings)
  t.teardown(close)
  return url
}

const settings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: services.redisUrl,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
})

/** Runs a program to its end. */
const ended = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...bareEnvironment(), PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'info', ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  )

test('session pooling serves, migrates and keeps schema, limits and plans', async t => {
  // A process has up to 14 connections.
  const url = new URL(await pooler(t, { pool_mode: 'session', default_pool_size: 100 }))
  url.searchParams.set('schema', 'pooled')
  const env = settings(url.href)
  const millrace = async (...args: string[]) => {
    const { status, json, err } = await typedJson(args, env)
    t.is(status, 0, err)
    return json
  }
  await millrace('migrate')
  const processes = await Promise.all((['web', 'worker', 'webhook'] as const).map(kind => startProcess(kind, env)))
  t.teardown(() => Promise.all(processes.map(each => each.end('SIGKILL'))))
  const { tenant_id } = await millrace(
    ...'tenant create --name Acme --owner-email o@acme.example --plan pro'.split(' '),
  )
  const { token } = await millrace('key', 'issue', '--tenant', tenant_id)
  const made = await ask(processes[0], token, '/products', { body: { title: 'Screw' } })
  t.is(made.status, 201, made.text)
  t.is((await ask(processes[0], token, '/products')).body.data.length, 1)

  const limits = { size: 1, statementTimeoutMs: 4_321, idleInTransactionTimeoutMs: 1_234 }
  const pool = await createPool(url.href, limits)
  const Session = v.object({ of: v.string() })
  const { of } = await pool.one(rows(Session)`
    select concat_ws(' ', current_schemas(false)::text, current_setting('statement_timeout'),
      current_setting('idle_in_transaction_session_timeout'), current_setting('plan_cache_mode')) as of`)
  t.is(of, '{pooled} 4321ms 1234ms force_generic_plan')
  await pool.end()
  t.deepEqual(await Promise.all(processes.map(each => each.end('SIGTERM'))), [0, 0, 0])
})

test('every process and npm start refuse transaction pooling in one line, and exit with 1', async t => {
  const env = settings(await pooler(t, { pool_mode: 'transaction' }))
  for (const script of ['server/main.ts', 'workers/commands/main.ts', 'workers/webhooks/main.ts', 'bin/start.ts']) {
    const { code, out, err } = await ended([script], { ...env, MILLRACE_DATA: await temporaryFolder() })
    t.deepEqual([code, out], [1, ''], script)
    t.regex(err, new RegExp(`^(?:DATABASE_URL cannot be used: )?${REFUSAL.source}[^\\n]*\\n$`), script)
  }
})

test('migrate and doctor refuse transaction pooling in one line, and exit with 1', async t => {
  const env = settings(await pooler(t, { pool_mode: 'transaction' }))
  const migrated = await typed(['migrate'], env)
  t.is(migrated.status, 1)
  t.regex(migrated.err, new RegExp(`^millrace migrate: ${REFUSAL.source}[^\\n]*$`))
  const { status, json } = await typedJson(['doctor'], env)
  t.is(status, 1)
  const { check, found, advice } = json.checks.find((each: { status: string }) => each.status === 'fault')
  t.is(check, 'postgres')
  t.regex(`${found}: ${advice}`, REFUSAL)
})

test('a web process refuses a replica behind transaction pooling', async t => {
  const DATABASE_READ_URL = await pooler(t, { pool_mode: 'transaction' })
  const { code, err } = await ended(['server/main.ts'], { ...settings(services.databaseUrl), DATABASE_READ_URL })
  t.is(code, 1)
  t.regex(err, REFUSAL)
})

/** Connections that keep a pooler busy until the test ends. */
async function keepBusy(t: ExecutionContext, connectionString: string): Promise<void> {
  let isOver = false
  const clients = Array.from({ length: 10 }, () => new pg.Client({ connectionString }))
  await Promise.all(clients.map(client => client.connect()))
  const busy = clients.map(async client => {
    while (!isOver) await client.query('select pg_sleep(random() * 0.01)')
    await client.end()
  })
  t.teardown(async () => {
    isOver = true
    await Promise.all(busy)
  })
}

for (const pool_mode of ['transaction', 'statement'] as const)
  for (const more of [{}, { server_round_robin: 1 }, { default_pool_size: 1 }, { server_reset_query_always: 1 }])
    test(`${pool_mode} pooling is seen, idle and busy, with ${JSON.stringify(more)}`, async t => {
      const url = await pooler(t, { pool_mode, ...more })
      await t.throwsAsync(openClient(url), { instanceOf: SharedSessions })
      await keepBusy(t, url)
      await t.throwsAsync(openClient(url), { instanceOf: SharedSessions })
    })

for (const default_pool_size of [1, 2, 20])
  test(`session pooling with ${default_pool_size} sessions is never taken for another`, async t => {
    const url = await pooler(t, { pool_mode: 'session', default_pool_size })
    const { end } = await openClient(url)
    await t.notThrowsAsync(end())
  })
