/**
 * Every process, the command line and a second cell, with a PostgreSQL and a Redis whose certificates are signed by a private authority.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { ask } from '../scaling/fleet.ts'
import { authority, tlsInFrontOf } from '../support/certificates.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { tlsPostgres } from '../support/tls-postgres.ts'

const test = apart(import.meta)

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const services = await testServices()
const [ours, foreign] = [await authority(), await authority()]
const server = await tlsPostgres(ours)
const redisUrl = new URL(services.redisUrl)
const tls = await tlsInFrontOf(Number(redisUrl.port), await ours.issue({ names: 'DNS:localhost' }))
Object.assign(redisUrl, { protocol: 'rediss:', hostname: 'localhost', port: String(tls.port) })
test.after.always(async () => {
  await server.close()
  await tls.close()
  await services.close()
})

const verified = { sslmode: 'verify-full', sslrootcert: ours.cert }
const env = {
  DATABASE_URL: server.url(verified),
  CELL_EAST_URL: server.url({ schema: 'east', ...verified }),
  REDIS_URL: redisUrl.href.replace('redis:', 'rediss:'),
  NODE_EXTRA_CA_CERTS: ours.cert,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
  LOG_LEVEL: 'info',
}

type Ended = { readonly code: number; readonly out: string; readonly err: string }

/** Runs a program with these settings to its end. */
async function ended(args: readonly string[], given: NodeJS.ProcessEnv): Promise<Ended> {
  const options = { cwd: ROOT, env: { ...bareEnvironment(), PORT: '0', ADMIN_PORT: '0', ...given } }
  return run(process.execPath, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  )
}

async function millrace(...args: string[]) {
  const { code, out, err } = await ended(['bin/millrace.ts', ...args, '--json'], env)
  if (out === '') throw new Error(`${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}

test.serial(
  'every process, each cell and the command line connect with a verified host name, and never without TLS',
  async t => {
    await millrace('migrate')
    await millrace('cell', 'add', 'east')
    const processes = await Promise.all((['web', 'worker', 'webhook'] as const).map(kind => startProcess(kind, env)))
    t.teardown(() => Promise.all(processes.map(each => each.end('SIGKILL'))))
    for (const cell of ['main', 'east']) {
      const { tenant_id: tenant } = await millrace(
        ...'tenant create --name Acme --owner-email o@acme.example --plan pro --cell'.split(' '),
        cell,
      )
      const { token } = await millrace('key', 'issue', '--tenant', tenant)
      const made = await ask(processes[0], token, '/products', { body: { title: 'Screw' } })
      t.is(made.status, 201, made.text)
      t.is((await ask(processes[0], token, '/products')).body.data.length, 1)
    }
    for (const { adminUrl } of processes)
      await eventually(async () => (await fetch(`${adminUrl}/readyz`)).status === 200)
    const { checks } = await millrace('doctor')
    const found = (name: string) => checks.find(({ check }: { check: string }) => check === name)?.status
    for (const name of ['migrations', 'cell east: migrations', 'redis version'])
      t.is(found(name), 'ok', `${name} in ${JSON.stringify(checks)}`)

    const { client, end } = await openClient(server.url())
    const { rows } = await client.query(
      `select count(*) filter (where ssl)::int as tls, count(*) filter (where not ssl)::int as plain
     from pg_stat_activity join pg_stat_ssl using (pid) where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    await end()
    t.true(rows[0].tls >= 3, JSON.stringify(rows))
    t.is(rows[0].plain, 0)
    t.deepEqual(await Promise.all(processes.map(each => each.end('SIGTERM'))), [0, 0, 0])
  },
)

const scripts = { web: 'server/main.ts', worker: 'workers/commands/main.ts', webhook: 'workers/webhooks/main.ts' }
for (const [kind, script] of Object.entries(scripts)) {
  test(`${kind} does not start with a server that another authority vouches for`, async t => {
    const { code, out } = await ended([script], {
      ...env,
      DATABASE_URL: server.url({ ...verified, sslrootcert: foreign.cert }),
    })
    t.is(code, 1)
    t.regex(out, /"msg":"could not run"/)
    t.regex(out, /certificate/)
  })
}

test('a process says in one line what a setting says wrongly of TLS, and exits with 1', async t => {
  const { code, out, err } = await ended([scripts.web], { ...env, CELL_EAST_URL: server.url({ sslmode: 'strict' }) })
  t.deepEqual([code, out], [1, ''])
  t.regex(err, /^CELL_EAST_URL must say sslmode=disable, [^\n]*\n$/)
})
