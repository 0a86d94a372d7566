/**
 * The frame of every process of the Procfile: settings checked in one line, a log, signals that stop it gracefully once,
 * and an end for what should never happen.
 */
import { type Config, ConfigError, loadConfig } from '../store/config.ts'
import { createLog, type Log } from './log.ts'
import { collectProcessMetrics } from './metrics.ts'
import { startTracing } from './tracing.ts'

/** After the deadline of the last request, this long for connections to close. */
const CLOSE_GRACE_MS = 5_000

/** What a process gives back once it serves. */
export type Running = { readonly url?: string; readonly adminUrl: string; readonly close: () => Promise<void> }

/** Runs `start` until SIGTERM or SIGINT; exits 0 after a graceful stop, 1 on wrong settings or a failed start. */
export async function runProcess(start: (config: Config, log: Log) => Promise<Running>): Promise<void> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return fail(error.message)
  }
  const log = createLog({ level: config.logLevel, processName: config.processName })
  collectProcessMetrics(config.processName)
  const stopped = stopSignal()
  // A rejection that nobody awaits is a bug, but no reason to drop the requests that run.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  try {
    const stopTracing = config.tracing
      ? await startTracing({ processName: config.processName, sampling: config.tracing })
      : undefined
    const running = await start(config, log)
    log.info({ url: running.url, admin_url: running.adminUrl }, 'serving')
    log.info({ signal: await stopped }, 'stopping')
    // A dependency that is away must not hold the process: what waits for it has nothing left to finish.
    const timer = setTimeout(() => {
      log.warn('something did not close in time')
      process.exit(0)
    }, config.commandDeadlineMs + CLOSE_GRACE_MS)
    await running.close()
    await stopTracing?.()
    clearTimeout(timer)
    log.info('stopped')
    process.exit(0)
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message)
    log.fatal({ err: error }, 'could not run')
    process.exit(1)
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** The first signal; a second one (a group's Ctrl-C arrives twice) changes nothing. */
function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve)
  return promise
}
