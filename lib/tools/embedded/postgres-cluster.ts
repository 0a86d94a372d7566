/** A private PostgreSQL cluster on disk: its folder, its password, leftovers of an earlier run, its settings. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath } from './child.ts'
import { type Account, canReach, mkdirFor, type PostgresProgram, REACHABLE_ROOT } from './postgres-program.ts'
import { commandLine, endStranger } from './process-table.ts'
import { passwordIn, readIfThere } from './secret-file.ts'
import { SetupError } from './setup-error.ts'

const run = promisify(execFile)
const MAJOR_VERSION = '18'
export const SUPERUSER = 'millrace'

export type Cluster = { path: string; password: string }

/**
 * The cluster in `dataDir`, made on first use: `dataDir/cluster` for the server's user, `dataDir/password` for us. Throws SetupError for a
 * cluster of another major version.
 */
export async function openCluster(dataDir: string, program: PostgresProgram): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true })
  // The server's user must be able to enter the folder, not to list it.
  if (program.account) await chmod(dataDir, 0o711)
  const password = await passwordIn(join(dataDir, 'password'))
  const path = await placeOf(join(dataDir, 'cluster'), program.account)
  const version = await readIfThere(join(path, 'PG_VERSION'))
  if (version === null) await initialise(path, password, program)
  else if (version.trim() !== MAJOR_VERSION) {
    throw new SetupError(`${path} holds data of PostgreSQL ${version.trim()}; this release runs ${MAJOR_VERSION}`)
  }
  await clearLeftovers(path)
  return { path, password }
}

/** Server settings. `durable` keeps every committed write; otherwise speed is more important than surviving a crash (tests). */
export function settings(options: { durable: boolean; port: number; libraries: string[] }): string[] {
  const common = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    random_page_cost: '1.1',
    shared_preload_libraries: options.libraries.join(','),
    // Refused statements concern their callers, and would put their data into our logs. LOG and FATAL stay.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
  // The reasons are in docs/operations.md, "PostgreSQL's settings". This build has no better compression.
  const checkpoints = { max_wal_size: '4GB', checkpoint_timeout: '15min', wal_compression: 'on' }
  const durable = { shared_buffers: '256MB', fsync: 'on', ...checkpoints }
  const fast = {
    shared_buffers: '128MB',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
  }
  const all: Record<string, string> = { ...common, ...(options.durable ? durable : fast) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

// A cluster that the server's user cannot reach in its place is put elsewhere, with a link in the data folder.
async function placeOf(path: string, account: Account | null): Promise<string> {
  if (!account || (await canReach(account, join(path, '..')))) return path
  const moved = await readlink(path).catch(() => null)
  if (moved !== null) return moved
  const elsewhere = join(REACHABLE_ROOT, `cluster-${randomBytes(6).toString('hex')}`)
  await mkdir(REACHABLE_ROOT, { recursive: true })
  await chmod(REACHABLE_ROOT, 0o755)
  await symlink(elsewhere, path)
  return elsewhere
}

// First into a draft folder: an interrupted set-up must not look like a cluster.
async function initialise(path: string, password: string, { initdb, account }: PostgresProgram): Promise<void> {
  const draft = `${path}.draft`
  const passwordFile = `${path}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdirFor(account, draft)
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  // The built-in locale needs none of the system's, and sorts the same everywhere.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  try {
    await run(initdb, [`--pgdata=${draft}`, '--no-instructions', ...locale, ...access], {
      cwd: draft,
      env: { ...searchPath(), LC_ALL: 'C' },
      ...(account ?? {}),
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(draft, path)
}

// A server of an earlier run whose supervisor was killed, or a lock file whose process id now belongs to another process, must not prevent
// this start. A lock file with a dead process is left to PostgreSQL, which handles it.
async function clearLeftovers(path: string): Promise<void> {
  const lockFile = join(path, 'postmaster.pid')
  const pid = Number((await readIfThere(lockFile))?.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0) return
  const command = await commandLine(pid)
  if (command === null) return
  if (command.includes('postgres') && command.includes(path)) await endStranger(pid, 'SIGINT', 30_000)
  else if ((await stat(lockFile).catch(() => null)) !== null) await rm(lockFile)
}
