/** Runs a private PostgreSQL 18 on the loopback address: starts it, waits until it accepts connections, and makes its database. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { openClient } from '../../platform/postgres/client.ts'
import { type Running, searchPath, startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { openCluster, SUPERUSER, settings } from './postgres-cluster.ts'
import { type PostgresProgram, postgresProgram } from './postgres-program.ts'
import { untilReady } from './readiness.ts'

const DATABASE = 'millrace'
const READY = 'database system is ready to accept connections'

type EmbeddedPostgres = Running & { url: string; port: number }

type PostgresOptions = {
  /** Made on first use; contains the cluster and its password. One server at a time. */
  dataDir: string
  /** By default a free port is chosen. A restart passes the port it had. */
  port?: number
  /** false: faster, but not safe against crashes (tests). */
  durable: boolean
  /** Receives the server's log lines after it is ready. */
  onLine?: (line: string) => void
}

/**
 * Starts the server (or starts it again on the same data). Resolves when it accepts connections, with the URL of the `millrace` database.
 * Rejects with SetupError for a platform or a folder that cannot work, else with the server's last log lines.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const program = await postgresProgram()
  const cluster = await openCluster(options.dataDir, program)
  const port = options.port ?? (await freePort())
  const libraries = options.durable && hasStatements(program) ? ['pg_stat_statements'] : []
  const running = await untilReady({ name: 'PostgreSQL', ready: READY, onLine: options.onLine }, onLine =>
    startChild({
      file: program.postgres,
      args: ['-D', cluster.path, ...settings({ durable: options.durable, port, libraries })],
      cwd: '/',
      env: { ...searchPath(), LC_ALL: 'C' },
      account: program.account,
      // Fast shutdown: connections are closed and everything is written. SIGTERM would wait for the clients to leave.
      stopSignal: 'SIGINT',
      stopGraceMs: 60_000,
      onLine,
    }),
  )
  const address = `${SUPERUSER}:${cluster.password}@127.0.0.1:${port}`
  try {
    await ensureDatabase(`postgres://${address}`, libraries)
  } catch (error) {
    await running.stop()
    throw error
  }
  return { ...running, port, url: `postgres://${address}/${DATABASE}` }
}

function hasStatements({ libraries }: PostgresProgram): boolean {
  return ['so', 'dylib'].some(suffix => existsSync(join(libraries, `pg_stat_statements.${suffix}`)))
}

async function ensureDatabase(server: string, extensions: string[]): Promise<void> {
  await withClient(`${server}/postgres`, async client => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
  if (extensions.length === 0) return
  await withClient(`${server}/${DATABASE}`, async client => {
    for (const extension of extensions) await client.query(`CREATE EXTENSION IF NOT EXISTS ${extension}`)
  })
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const { client, end } = await openClient(url, { fallback_application_name: 'millrace start' })
  try {
    await use(client)
  } finally {
    await end()
  }
}
