/**
 * Owns the rule that one `npm start` at a time uses a data folder.
 * It must not need cleaning up: however the holder ends, the lock is free again.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runFilePath } from './run-file.ts'
import { readIfThere } from './secret-file.ts'
import { SetupError } from './setup-error.ts'

const SQLITE_BUSY = 5

export type DataLock = { release(): void }

/**
 * Takes the lock of a data folder. Throws SetupError when another process holds it, naming where that one serves.
 * SQLite's exclusive lock is the system's own (fcntl), so a killed holder frees it; Node offers no other. A file with a
 * process id in it would lie after a restart of the machine, when another process has that id.
 */
export async function lockDataFolder(dataFolder: string): Promise<DataLock> {
  const path = join(dataFolder, 'lock')
  try {
    const database = new DatabaseSync(path)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
    if (!isHeld) throw new SetupError(`${path} cannot be locked: ${error instanceof Error ? error.message : error}`)
  }
  const run = await readIfThere(runFilePath(dataFolder))
  const where = /"base_url": "([^"]+)"/.exec(run ?? '')?.[1]
  throw new SetupError(
    `Millrace already runs on ${dataFolder}${where ? ` (${where})` : ''}: stop that one, or set MILLRACE_DATA to another folder`,
  )
}
