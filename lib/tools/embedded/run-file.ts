/**
 * `run.json` in the data folder: what runs. It is written whole at every start of a process, and removed when the run ends. After a killed
 * run the file stays, but nobody holds the data folder's lock.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './secret-file.ts'

type RunningProcess = { name: string; pid: number; admin_url?: string }

export type RunContents = {
  base_url: string
  /** The admin server of web.1 (else of the first process that has one). */
  admin_url: string
  database_url: string
  redis_url: string
  processes: RunningProcess[]
}

export type RunFile = {
  /** Sets the service's addresses. From now on the file exists. */
  addresses(addresses: RunAddresses): void
  /** Notes that a process now runs with this id. */
  processStarted(process: RunningProcess): void
  /** Resolves when everything noted so far is on disk. */
  written(): Promise<void>
  remove(): Promise<void>
}

type RunAddresses = Omit<RunContents, 'processes'>

/** The path of a data folder's run file. */
export function runFilePath(dataFolder: string): string {
  return join(dataFolder, 'run.json')
}

/** Removes the file of a killed run. Call it only while holding the lock of the data folder. */
export async function removeRunFile(dataFolder: string): Promise<void> {
  await rm(runFilePath(dataFolder), { force: true })
}

/** The run file of a data folder. `order` gives the order of the processes' names. */
export function runFile(dataFolder: string, order: readonly string[]): RunFile {
  const path = runFilePath(dataFolder)
  const processes = new Map<string, RunningProcess>()
  let known: RunAddresses | undefined
  // One write after the other, so that the last state stays.
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    const addresses = known
    if (!addresses) return
    const contents: RunContents = { ...addresses, processes: order.flatMap(name => processes.get(name) ?? []) }
    const text = `${JSON.stringify(contents, null, 2)}\n`
    writing = writing.catch(() => {}).then(() => writePrivateFile(path, text))
    // `written` reports it. A full disk must not end a running service.
    writing.catch(() => {})
  }
  return {
    addresses: addresses => {
      known = addresses
      write()
    },
    processStarted: process => {
      processes.set(process.name, process)
      write()
    },
    written: () => writing,
    remove: async () => {
      known = undefined
      await writing.catch(() => {})
      await removeRunFile(dataFolder)
    },
  }
}
