/** Owns a PgBouncer of a test's own in front of a PostgreSQL: its program, found on this machine or installed, its settings and its end. */
import { execFile } from 'node:child_process'
import { chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath, startChild } from '../../lib/tools/embedded/child.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import { untilReady } from '../../lib/tools/embedded/readiness.ts'
import { pathOf, systemProgram } from '../../lib/tools/embedded/system-program.ts'
import { temporaryFolder } from './servers.ts'

type PgBouncer = {
  /** The address of the same database through it. */
  readonly url: string
  /** `1.18.0` */
  readonly version: string
  close(): Promise<void>
}

/** PgBouncer's `pool_mode`. */
export type PoolMode = 'session' | 'transaction' | 'statement'

const program = (): Promise<string> =>
  systemProgram(
    {
      name: 'pgbouncer',
      find: () => pathOf('pgbouncer'),
      packages: {
        'apt-get': ['pgbouncer'],
        dnf: ['pgbouncer'],
        apk: ['pgbouncer'],
        pacman: ['pgbouncer'],
        brew: ['pgbouncer'],
      },
      advice: 'install it (for example "sudo apt-get install pgbouncer" or "brew install pgbouncer")',
    },
    console.error,
  )

/** Starts one with these settings; all others are its defaults. It lets everybody in, on the loopback address. */
export async function pgBouncer(
  databaseUrl: string,
  settings: { readonly pool_mode: PoolMode } & Readonly<Record<string, string | number>>,
): Promise<PgBouncer> {
  const file = await program()
  const version = /\d+\.\d+\.\d+/.exec((await promisify(execFile)(file, ['--version'])).stdout)?.[0] ?? ''
  // As root it refuses to run, as PostgreSQL does.
  const { account } = await postgresProgram()
  const folder = await temporaryFolder()
  const ini = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings }
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  await writeFile(ini, ['[databases]', `* = ${server}`, '[pgbouncer]', ...lines, ''].join('\n'), { mode: 0o600 })
  if (account) await chown(ini, account.uid, account.gid)
  const running = await untilReady({ name: 'PgBouncer', ready: 'process up', onLine: undefined }, onLine =>
    startChild({
      file,
      args: [ini],
      cwd: '/',
      env: searchPath(),
      account,
      stopSignal: 'SIGINT',
      stopGraceMs: 5_000,
      onLine,
    }),
  )
  const url = new URL(databaseUrl)
  url.port = String(port)
  return {
    url: url.href,
    version,
    close: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
