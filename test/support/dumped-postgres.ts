/**
 * Owns a PostgreSQL that the pg_dump of this machine can dump, migrated and of a test's own. pg_dump refuses a server that is newer than
 * itself, so with an older pg_dump this is the machine's own server of that version.
 */
import { execFile } from 'node:child_process'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { searchPath, startChild } from '../../lib/tools/embedded/child.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import { untilReady } from '../../lib/tools/embedded/readiness.ts'
import { pathOf } from '../../lib/tools/embedded/system-program.ts'
import { privatePostgres, temporaryFolder } from './servers.ts'

const run = promisify(execFile)
const EMBEDDED_VERSION = 18

type Dumped = { readonly url: string; readonly close: () => Promise<void> }

/** Why there is none here; null: there is one. */
export async function whyNoDumps(): Promise<string | null> {
  for (const name of ['pg_dump', 'pg_restore', 'psql'])
    if ((await pathOf(name)) === null) return `there is no ${name} on this machine`
  if ((await dumpVersion()) >= EMBEDDED_VERSION) return null
  return (await binFolder()) === null ? 'pg_dump is too old, and its server is not here' : null
}

export async function dumpedPostgres(): Promise<Dumped> {
  if ((await dumpVersion()) >= EMBEDDED_VERSION) {
    const server = await privatePostgres()
    await migrate(server.url)
    return server
  }
  return systemPostgres((await binFolder()) ?? '')
}

async function dumpVersion(): Promise<number> {
  const { stdout } = await run('pg_dump', ['--version'])
  return Number(/(\d+)/.exec(stdout)?.[1])
}

/** The folder of the server's programs, of the version of pg_dump, which Debian keeps off PATH; null: they are not here. */
export async function binFolder(): Promise<string | null> {
  if ((await pathOf('pg_dump')) === null) return null
  const folder = `/usr/lib/postgresql/${await dumpVersion()}/bin`
  return run(join(folder, 'postgres'), ['--version']).then(
    () => folder,
    () => null,
  )
}

async function systemPostgres(bin: string): Promise<Dumped> {
  const { account } = await postgresProgram()
  const folder = await temporaryFolder()
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
  await mkdir(data, { mode: 0o700 })
  await writeFile(passwordFile, 'secret\n', { mode: 0o600 })
  if (account) for (const path of [data, passwordFile]) await chown(path, account.uid, account.gid)
  const access = ['--username=millrace', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  await run(join(bin, 'initdb'), [`--pgdata=${data}`, '--encoding=UTF8', '--locale=C.UTF-8', ...access], {
    cwd: data,
    env: searchPath(),
    ...(account ?? {}),
  })
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const server = await untilReady(
    { name: 'PostgreSQL', ready: 'ready to accept connections', onLine: () => {} },
    onLine =>
      startChild({
        file: join(bin, 'postgres'),
        args: ['-D', data, ...settings.flatMap(setting => ['-c', setting])],
        cwd: '/',
        env: { ...searchPath(), LC_ALL: 'C.UTF-8' },
        account,
        stopSignal: 'SIGINT',
        stopGraceMs: 60_000,
        onLine,
      }),
  )
  const address = `postgres://millrace:secret@127.0.0.1:${port}`
  const query = async (database: string, text: string) => {
    const client = new Client({ connectionString: `${address}/${database}` })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await query('postgres', 'create database millrace')
  // docs/operations.md, "PostgreSQL's settings"
  await query('millrace', `create collation pg_catalog.pg_c_utf8 (locale = 'C.UTF-8')`)
  await migrate(`${address}/millrace`)
  return {
    url: `${address}/millrace`,
    close: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
