/**
 * Owns a PostgreSQL with a streaming replica on the loopback address, of a test's own. The standby is a copy of the stopped
 * primary's folder, since the embedded programs hold no pg_basebackup.
 */
import { execFile } from 'node:child_process'
import { appendFile, chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { type Running, searchPath, startChild } from '../../lib/tools/embedded/child.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { openCluster, settings } from '../../lib/tools/embedded/postgres-cluster.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import { untilReady } from '../../lib/tools/embedded/readiness.ts'
import { copyOfCluster, temporaryFolder } from './servers.ts'

const run = promisify(execFile)

export type ReplicatedPostgres = {
  /** Migrated, with no tenant. */
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** Stops the standby, and starts it again on its port. */
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Ends the primary and has the standby take over, under the primary's address, with what it had until now. */
  failOver(): Promise<void>
  close(): Promise<void>
}

export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await temporaryFolder()
  const [primaryDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')]
  await copyOfCluster(primaryDir)
  let primary = await startPostgres({ dataDir: primaryDir, durable: true })
  await migrate(primary.url)
  const { port, url } = primary
  await primary.stop()
  await run('cp', ['-a', primaryDir, standbyDir])
  const standbyPort = await freePort()
  await makeStandby(standbyDir, url)
  primary = await startPostgres({ dataDir: primaryDir, durable: true, port })
  let standby = await startStandby(standbyDir, standbyPort)
  const standbyUrl = new URL(url)
  standbyUrl.port = String(standbyPort)
  return {
    primaryUrl: url,
    standbyUrl: standbyUrl.href,
    stopStandby: () => standby.stop(),
    startStandby: async () => {
      standby = await startStandby(standbyDir, standbyPort)
    },
    failOver: async () => {
      await Promise.all([standby.stop(), primary.stop()])
      standby = await startStandby(standbyDir, port)
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query('select pg_promote()')
      await client.end()
    },
    close: async () => {
      await Promise.all([standby.stop(), primary.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeStandby(dataDir: string, primaryUrl: string): Promise<void> {
  const program = await postgresProgram()
  const { path } = await openCluster(dataDir, program)
  const { username, password, port } = new URL(primaryUrl)
  await appendFile(
    join(path, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  )
  const signal = join(path, 'standby.signal')
  await writeFile(signal, '')
  if (program.account) await chown(signal, program.account.uid, program.account.gid)
}

async function startStandby(dataDir: string, port: number): Promise<Running> {
  const program = await postgresProgram()
  const { path } = await openCluster(dataDir, program)
  return untilReady(
    { name: 'the standby', ready: 'ready to accept read-only connections', onLine: undefined },
    onLine =>
      startChild({
        file: program.postgres,
        args: ['-D', path, ...settings({ durable: true, port, libraries: [] })],
        cwd: '/',
        env: { ...searchPath(), LC_ALL: 'C' },
        account: program.account,
        stopSignal: 'SIGINT',
        stopGraceMs: 30_000,
        onLine,
      }),
  )
}
