/** Looks at processes that this process did not start: whether one lives, what it is, and asks a leftover one to end. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The command line of a process, with its words separated by spaces; null when there is no such process. */
export async function commandLine(pid: number): Promise<string | null> {
  if (!isAlive(pid)) return null
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
  } catch {
    // There is no /proc here (macOS), or the process ended meanwhile.
  }
  try {
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.trim()
  } catch {
    return null
  }
}

/** Whether the process exists, also when it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Signals a process that is not our child and waits until it is gone. Throws when it still lives after `timeoutMs`. */
export async function endStranger(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  process.kill(pid, signal)
  const deadline = Date.now() + timeoutMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} of an earlier run does not end`)
    await delay(50)
  }
}
