/** A PostgreSQL whose disk is full: which requests are served, and that doctor, /readyz and a metric report it. */
import { execFile } from 'node:child_process'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { startStoreWatch } from '../../workers/commands/store-watch.ts'
import { eventually } from '../support/eventually.ts'
import { privatePostgres, temporaryFolder } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { ownRedis } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const run = promisify(execFile)

/** A small file system of its own. undefined: it cannot be mounted, which takes root on Linux. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await temporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
    return folder
  } catch {
    return undefined
  }
}

const disk = await smallDisk()
const onSmallDisk = disk === undefined ? test.skip : test

onSmallDisk(
  'with a full disk reads are served, writes are 503, and doctor tells a fault until there is room',
  async t => {
    const folder = disk ?? ''
    // Servers of its own: while a disk is full checkpoints fail, and so do the tests that make and copy databases.
    const [postgres, redisServer] = await Promise.all([privatePostgres(), ownRedis()])
    const redisUrl = redisServer.url
    const admin = new Client({ connectionString: postgres.url })
    await admin.connect()
    const { rows } = await admin.query<{ path: string }>(`select current_setting('data_directory') as path`)
    const { uid, gid } = await stat(rows[0]?.path ?? '')
    await chown(folder, uid, gid)
    const name = `small_${process.pid}`
    await admin.query(`create tablespace ${name} location '${folder}'`)
    await admin.query(`create database ${name} tablespace ${name}`)
    const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
    await migrate(url)
    const service = await startService({ databaseUrl: url, redisUrl })
    const client = await service.tenant()
    t.teardown(async () => {
      await service.close()
      await admin.query(`drop database ${name} with (force)`)
      await admin.query(`drop tablespace ${name}`)
      await admin.end()
      await Promise.all([postgres.close(), redisServer.close()])
      await run('umount', [folder])
    })

    const doctor = async () => {
      const out: string[] = []
      const env = { DATABASE_URL: url, REDIS_URL: redisUrl, WEBHOOK_SECRET_KEY: 'a'.repeat(64) }
      await runCommandLine(['doctor', '--json'], { env, root: '/nowhere', out: text => out.push(text), err: () => {} })
      const { checks } = JSON.parse(out.join('')) as { checks: { check: string; status: string; found: string }[] }
      t.true(
        checks.some(({ check, status }) => check === 'migrations' && status === 'ok'),
        'the rest is examined, too',
      )
      return checks.find(({ check }) => check === 'postgres writes')
    }
    const readiness = async () => {
      const answer = await fetch(`${service.url}/readyz`)
      const { status, checks } = (await answer.json()) as { status: string; checks: { postgres: string } }
      return [answer.status, status, checks.postgres]
    }
    const redis = connectRedis(redisUrl, 'worker', 'test stores')
    const watch = startStoreWatch(
      { cells: [{ name: 'main', databaseUrl: url, pool: service.pool }], redis },
      { everyMs: 50 },
    )
    t.teardown(() => Promise.all([watch.close(), closeRedis(redis)]))
    const metric = (value: number) =>
      eventually(async () =>
        (await registry.metrics()).includes(`\nmillrace_postgres_refuses_writes{cell="main"} ${value}\n`),
      )
    const make = async () => (await client.post('/suppliers', { title: 'x'.repeat(255) })).status
    t.is(await make(), 201)
    t.like(await doctor(), { status: 'ok' })
    t.deepEqual(await readiness(), [200, 'ok', 'ok'])
    await metric(0)

    const filler = join(folder, 'filler')
    await t.throwsAsync(writeFile(filler, Buffer.alloc(64 * 1024 * 1024)), { code: 'ENOSPC' })
    // A write that fits into existing pages still succeeds, so the test writes until one fails.
    await eventually(async () => (await make()) === 503)
    // On a busy machine a read may have to be repeated.
    await eventually(async () => (await client.get('/suppliers')).status === 200)
    t.like(await doctor(), {
      status: 'fault',
      found: 'its disk is full: reads are served, writes are answered with 503',
    })
    const told = 'refuses writes (disk full): reads are served, writes are answered with 503'
    t.deepEqual(await eventually(async () => [await readiness()].find(([, , postgres]) => postgres !== 'ok')), [
      200,
      'ok',
      told,
    ])
    await metric(1)

    await rm(filler)
    await eventually(async () => (await make()) === 201)
    t.like(await doctor(), { status: 'ok' })
    await eventually(async () => (await readiness())[2] === 'ok')
    await metric(0)
  },
)
