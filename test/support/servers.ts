/**
 * Owns the PostgreSQL and Redis that tests run on: those of the whole run, or private ones of one file or one test.
 * It must not touch what lies in them.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import type { Running } from '../../lib/tools/embedded/child.ts'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { startRedis } from '../../lib/tools/embedded/redis.ts'
import { eventually } from './eventually.ts'
import './exit-when-done.ts'

/** By these, test/run.ts hands the servers of a run to its test files. */
export const SHARED_DATABASE_URL = 'MILLRACE_TEST_DATABASE_URL'
export const SHARED_REDIS_URL = 'MILLRACE_TEST_REDIS_URL'
/** And by this a cluster that nobody runs, for those who need one of their own. */
export const SHARED_CLUSTER = 'MILLRACE_TEST_CLUSTER'

export type Servers = { databaseUrl: string; redisUrl: string; stop(): Promise<void> }

let own: Promise<Servers> | undefined
let users = 0

/** The servers of the run when there is one, else this file's own: started for the first user, stopped by the last. */
export async function servers(): Promise<Servers> {
  const databaseUrl = process.env[SHARED_DATABASE_URL]
  const redisUrl = process.env[SHARED_REDIS_URL]
  if (databaseUrl && redisUrl) return { databaseUrl, redisUrl, stop: async () => {} }
  users += 1
  own ??= startServers()
  const started = await own
  const stop = async () => {
    users -= 1
    if (users > 0) return
    own = undefined
    await started.stop()
  }
  return { ...started, stop }
}

/** Starts a PostgreSQL and a Redis in a temporary folder, tuned for speed; `stop` ends them and removes the folder. */
export async function startServers(cluster?: string): Promise<Servers> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'postgres')
  const [postgres, redis] = await Promise.all([
    copyOfCluster(dataDir, cluster).then(() => startPostgres({ dataDir, durable: false })),
    startRedis({ dataDir: join(folder, 'redis'), durable: false }),
  ])
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A stopped cluster with a migrated database, to start servers on copies: a copy takes a tenth of the processor time. */
export async function sharedCluster(): Promise<string | undefined> {
  const dataDir = join(await temporaryFolder(), 'postgres')
  const postgres = await startPostgres({ dataDir, durable: false })
  await migrate(postgres.url)
  await postgres.stop()
  // Where the server's account cannot reach it, it lies elsewhere, and so would not be copied.
  return (await lstat(join(dataDir, 'cluster'))).isDirectory() ? dataDir : undefined
}

/** Puts a copy of the run's cluster there, where nothing is yet; in a lone file whoever starts a server there makes one. */
export async function copyOfCluster(dataDir: string, cluster = process.env[SHARED_CLUSTER]): Promise<void> {
  if (cluster) await promisify(execFile)('cp', ['-a', cluster, dataDir])
}

/** A server of a test's own, for tests that kill it. The URL stays the same over `kill` and `start`. */
export type PrivateServer = {
  url: string
  /** The process id now; another one after `start`. */
  readonly pid: number
  /** Kills it hard (SIGKILL), or ends it by another signal, and resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Sends a signal to it and to the processes that it has started (the backends of PostgreSQL). */
  signal(signal: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

/** A PostgreSQL of the test's own, without data (migrated or not), that keeps committed writes over a `kill`. */
export async function privatePostgres(): Promise<PrivateServer> {
  const dataDir = join(await temporaryFolder(), 'postgres')
  await copyOfCluster(dataDir)
  return privateServer(dataDir, port => startPostgres({ dataDir, durable: true, ...port }))
}

/** A Redis of the test's own, empty; `durable: false` forgets everything on `kill`, as an emptied Redis would. */
export async function privateRedis({ durable = true } = {}): Promise<PrivateServer> {
  const dataDir = join(await temporaryFolder(), 'redis')
  return privateServer(dataDir, port => startRedis({ dataDir, durable, ...port }))
}

async function privateServer(
  dataDir: string,
  run: (port: { port?: number }) => Promise<Running & { url: string; port: number }>,
): Promise<PrivateServer> {
  let running = await run({})
  const { url, port } = running
  return {
    url,
    get pid() {
      return running.pid
    },
    kill: async (signal = 'SIGKILL') => {
      process.kill(running.pid, signal)
      await running.ended
    },
    signal: async signal => {
      // First, so that it starts no further ones.
      process.kill(running.pid, signal)
      for (const pid of await childrenOf(running.pid)) signalIfThere(pid, signal)
    },
    start: async () => {
      // Backends of a killed PostgreSQL hold its shared memory for a moment longer.
      running = await eventually(() => run({ port }))
    },
    close: async () => {
      await running.stop()
      await rm(join(dataDir, '..'), { recursive: true, force: true })
    },
  }
}

/** A backend may end between its listing and its signal. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
}

const folders = new Set<string>()
process.on('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A server that a failed test left running still writes there; it is ended next.
    }
  }
})

/** A new empty folder, removed when this process ends. As root, Postgres runs under another account, which may pass through. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  folders.add(folder)
  await chmod(folder, 0o711)
  return folder
}
