/** Owns turning a process of the Procfile into something the supervisor can run: its command, environment and stop. */
import { delimiter, dirname } from 'node:path'
import { startChild } from './child.ts'
import type { Service } from './keep-running.ts'
import { commandArguments, type PlannedProcess } from './procfile.ts'

// Longer than a command's deadline (15 s) and the drain of a batch; whoever is not done then hangs.
const STOP_GRACE_MS = 30_000

/** The service that runs a planned process in `cwd`; its output goes to `onLine`, line by line. */
export function procfileProcess(
  planned: PlannedProcess,
  options: { cwd: string; env: NodeJS.ProcessEnv; onLine: (line: string) => void },
): Service {
  const { PATH } = options.env
  // `node` in a Procfile is the Node that runs us, also when the search path leads to an older one.
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
