/**
 * The lock of a data folder: only one `npm start` at a time uses it. It must not need cleaning up: the lock is free again however its
 * holder ended.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runFilePath } from './run-file.ts'
import { readIfThere } from './secret-file.ts'
import { SetupError } from './setup-error.ts'

const SQLITE_BUSY = 5
/** A check with `isLocked` takes the lock for less than a millisecond. */
const PATIENCE_MS = 500

type DataLock = { release(): void }

/**
 * Takes the lock of a data folder. Throws SetupError when another process holds it, naming that process's address. SQLite's exclusive lock
 * is the system's own (fcntl), so a killed holder frees it; Node offers no other. A file with a process id would be wrong after a restart
 * of the machine, when another process has that id.
 */
export async function lockDataFolder(dataFolder: string): Promise<DataLock> {
  const path = lockPath(dataFolder)
  try {
    const database = new DatabaseSync(path, { timeout: PATIENCE_MS })
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    if (!isBusy(error))
      throw new SetupError(`${path} cannot be locked: ${error instanceof Error ? error.message : error}`)
  }
  const run = await readIfThere(runFilePath(dataFolder))
  const where = /"base_url": "([^"]+)"/.exec(run ?? '')?.[1]
  throw new SetupError(
    `Millrace already runs on ${dataFolder}${where ? ` (${where})` : ''}: stop that one, or set MILLRACE_DATA to another folder`,
  )
}

/** Whether an `npm start` runs on a data folder, however an earlier one ended. Undefined where that cannot be told (none ever ran there). */
export function isLocked(dataFolder: string): boolean | undefined {
  if (!existsSync(lockPath(dataFolder))) return undefined
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(lockPath(dataFolder), { readOnly: true })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    return isBusy(error) ? true : undefined
  } finally {
    database?.close()
  }
}

const lockPath = (dataFolder: string): string => join(dataFolder, 'lock')

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
