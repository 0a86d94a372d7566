/**
 * Owns `run.json` in the data folder, which tells what runs: written whole at every start of a process.
 * It ends with the run; one that a killed run has left is told by the data folder's lock, which nobody holds then.
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
  /** Tells where the service is; from now on the file is there. */
  addresses(addresses: RunAddresses): void
  /** Notes that a process runs under this id now. */
  processStarted(process: RunningProcess): void
  /** Resolves when everything noted so far is on disk. */
  written(): Promise<void>
  remove(): Promise<void>
}

type RunAddresses = Omit<RunContents, 'processes'>

/** Where the run file of a data folder lies. */
export function runFilePath(dataFolder: string): string {
  return join(dataFolder, 'run.json')
}

/** Removes what a run that was killed has left. Only for who holds the lock of the data folder. */
export async function removeRunFile(dataFolder: string): Promise<void> {
  await rm(runFilePath(dataFolder), { force: true })
}

/** The run file of a data folder. `order` gives the order of the processes' names. */
export function runFile(dataFolder: string, order: readonly string[]): RunFile {
  const path = runFilePath(dataFolder)
  const processes = new Map<string, RunningProcess>()
  let known: RunAddresses | undefined
  // One write after the other: the last state must be the one that stays.
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    const addresses = known
    if (!addresses) return
    const contents: RunContents = { ...addresses, processes: order.flatMap(name => processes.get(name) ?? []) }
    const text = `${JSON.stringify(contents, null, 2)}\n`
    writing = writing.catch(() => {}).then(() => writePrivateFile(path, text))
    // Told by `written`; a full disk must not end a running service.
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
