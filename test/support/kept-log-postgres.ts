/**
 * Owns a PostgreSQL of a test's own whose write-ahead log lies on another disk than its data, as far as folders can show that. Its data can
 * be copied while it runs, lost, and restored from the copy.
 */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { openCluster } from '../../lib/tools/embedded/postgres-cluster.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import { eventually } from './eventually.ts'
import { copyOfCluster, temporaryFolder } from './servers.ts'

const run = promisify(execFile)

export type KeptLogPostgres = {
  readonly url: string
  /** A base backup of the data, while it runs. */
  backUp(): Promise<void>
  /** Kills the server; its data are gone, and its log is left. */
  loseData(): Promise<void>
  /** Restores the backup, and starts the server, which replays the log to its end. */
  restore(): Promise<void>
  close(): Promise<void>
}

export async function keptLogPostgres(): Promise<KeptLogPostgres> {
  const folder = await temporaryFolder()
  const [dataDir, log, backup] = [join(folder, 'postgres'), join(folder, 'log'), join(folder, 'backup')]
  await copyOfCluster(dataDir)
  let server = await startPostgres({ dataDir, durable: true })
  const { port, url } = server
  const start = () => startPostgres({ dataDir, durable: true, port })
  await asAdmin(url, client => client.query(`alter system set wal_keep_size = '4GB'`))
  await server.stop()
  const { path } = await openCluster(dataDir, await postgresProgram())
  await run('mv', [join(path, 'pg_wal'), log])
  await run('ln', ['-s', log, join(path, 'pg_wal')])
  server = await start()
  return {
    url,
    backUp: () =>
      asAdmin(url, async client => {
        await client.query(`select pg_backup_start('game day', true)`)
        // A file that goes while it is copied ends the copy.
        await eventually(() => run('sh', ['-c', 'rm -rf "$2" && cp -a "$1" "$2"', 'sh', path, backup]))
        await rm(join(backup, 'postmaster.pid'))
        const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
        await writeFile(join(backup, 'backup_label'), rows[0].labelfile)
        await run('chown', ['--reference', path, join(backup, 'backup_label')])
      }),
    loseData: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      await run('rm', ['-rf', path])
    },
    restore: async () => {
      await run('cp', ['-a', backup, path])
      // Backends of the killed server may hold its port and its memory for a moment longer.
      server = await eventually(start)
    },
    close: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function asAdmin(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await work(client).finally(() => client.end())
}
