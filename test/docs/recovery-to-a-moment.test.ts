/** docs/recovery-to-a-moment.md from the archive to the restored moment and a replica: its commands are run without changes. */
import { execFile } from 'node:child_process'
import { appendFile, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client as PgClient } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { searchPath } from '../../lib/tools/embedded/child.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import { binFolder } from '../support/dumped-postgres.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis, temporaryFolder } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'
import { blocksOf, outputsOf, pattern } from './worked-examples.ts'

const test = apart(import.meta)

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const page = await readFile(`${root}docs/recovery-to-a-moment.md`, 'utf8')
const steps = page.replaceAll('```bash\n', '```sh\n').split(/^## /m)
const bin = await binFolder()
const testRecovery = bin === null ? test.skip : test

/** A server made with the PostgreSQL programs of this machine, whose user can stop and start it with pg_ctl. */
async function server(bin: string) {
  const { account } = await postgresProgram()
  const folder = await temporaryFolder()
  const [data, password] = [join(folder, 'data'), join(folder, 'password')]
  await mkdir(data, { mode: 0o700 })
  await writeFile(password, 'secret\n', { mode: 0o600 })
  if (account) for (const path of [folder, data, password]) await chown(path, account.uid, account.gid)
  const as = { cwd: folder, env: { ...searchPath(), LC_ALL: 'C' }, ...(account ?? {}) }
  const access = ['--username=millrace', `--pwfile=${password}`, '--auth=scram-sha-256']
  await run(join(bin, 'initdb'), [`--pgdata=${data}`, '--encoding=UTF8', '--locale=C.UTF-8', ...access], as)
  const port = await freePort()
  const settings = [`port = ${port}`, `listen_addresses = '127.0.0.1'`, `unix_socket_directories = ''`]
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const control = (...args: string[]) =>
    run(join(bin, 'pg_ctl'), [...args, '--wait', `--log=${join(folder, 'server.log')}`], as)
  await control('start', `--pgdata=${data}`)
  const address = `postgres://millrace:secret@127.0.0.1:${port}`
  await query(`${address}/postgres`, 'create database millrace')
  await query(`${address}/millrace`, `create collation if not exists pg_catalog.pg_c_utf8 (locale = 'C.UTF-8')`)
  await migrate(`${address}/millrace`)
  const stop = (pgdata: string) => control('stop', `--pgdata=${pgdata}`, '--mode=immediate')
  return { url: `${address}/millrace`, folder, data, account, stop }
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new PgClient({ connectionString: url })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

testRecovery(
  `who follows the page has the moment before a mistake, and a replica${bin === null ? ' (skipped: no server programs beside pg_dump)' : ''}`,
  async t => {
    const { url, folder, data, account, stop } = await server(bin ?? '')
    const redis = await privateRedis()
    const [backup, replica, replicaPort] = [join(folder, 'backup'), join(folder, 'replica'), await freePort()]
    await mkdir(backup)
    if (account) await chown(backup, account.uid, account.gid)
    const env: Record<string, string> = {
      PATH: `${bin}:${process.env['PATH']}`,
      PGDATA: data,
      BACKUP: backup,
      REPLICA: replica,
      REPLICA_PORT: String(replicaPort),
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      WEBHOOK_SECRET_KEY: 'a'.repeat(64),
    }
    const follow = async (name: string, as: typeof account = account) => {
      const blocks = blocksOf(steps.find(text => text.startsWith(name)) ?? '')
      t.true(blocks.length > 0, name)
      const change = (script: string) => script.replaceAll('bin/millrace', `${root}bin/millrace`)
      const printed = await outputsOf(blocks, { folder, env, change, account: as })
      for (const [n, block] of blocks.entries()) t.regex(printed[n] ?? '', pattern(block.printed), block.input)
    }
    await follow('1. ')
    const before = await startService({ databaseUrl: url, redisUrl: redis.url })
    const client = await before.tenant()
    const write = (of: Client, key: string) => of.post('/products', { title: key }, key)
    const early = await write(client, 'before the base backup')
    await follow('2. ')
    const good = await write(client, 'good')
    const [{ moment = '' } = {}] = await query(url, 'select now()::text as moment')
    env['MOMENT'] = String(moment)
    const mistake = await write(client, 'mistake')
    t.deepEqual([early.status, good.status, mistake.status], [201, 201, 201])
    await before.close()
    await follow('3. ')
    await follow('4. ')
    await follow('5. ', null)

    const after = await startService({ databaseUrl: url, redisUrl: redis.url })
    const again = after.client(client.tenantId, { keyId: client.keyId, token: client.token })
    const titles = (await again.get('/products')).body.data.map(({ title }: { title: string }) => title)
    t.deepEqual(titles, ['before the base backup', 'good'])
    t.is((await write(again, 'good')).text, good.text)
    const anew = await write(again, 'mistake')
    t.is(anew.status, 201)
    t.true(BigInt(anew.body.id) > BigInt(mistake.body.id) + 1_000n, 'an id of the lost writes may come again')

    await follow('A replica')
    const readUrl = url.replace(/:\d+\//, `:${replicaPort}/`)
    await eventually(async () => {
      const [found] = await query(readUrl, 'select pg_is_in_recovery() as follows, count(*)::int as count from items')
      return found?.['follows'] === true && found['count'] === 3
    })
    await after.close()
    await Promise.all([stop(replica), stop(data), redis.close()])
  },
)
