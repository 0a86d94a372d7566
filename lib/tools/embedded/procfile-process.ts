/** Turns a process of the Procfile into a service for the supervisor: its command, environment and stop. */
import { delimiter, dirname } from 'node:path'
import { startChild } from './child.ts'
import type { Service } from './keep-running.ts'
import { commandArguments, type PlannedProcess } from './procfile.ts'

// Longer than a command's deadline (15 s) and the drain of a batch. A process that takes longer hangs.
const STOP_GRACE_MS = 30_000

/** The service that runs a planned process in `cwd`. `onLine` gets its output line by line. */
export function procfileProcess(
  planned: PlannedProcess,
  options: { cwd: string; env: NodeJS.ProcessEnv; onLine: (line: string) => void },
): Service {
  const { PATH } = options.env
  // `node` in a Procfile is the Node that runs us, even when the search path leads to an older one.
  const path = [dirname(process.execPath), PATH].join(delimiter)
  return {
    name: planned.name,
    start: () =>
      startChild({
        ...commandArguments(planned.command),
        cwd: options.cwd,
        env: { ...options.env, PATH: path, MILLRACE_PROCESS: planned.name },
        stopSignal: 'SIGTERM',
        stopGraceMs: STOP_GRACE_MS,
        onLine: options.onLine,
      }),
  }
}
