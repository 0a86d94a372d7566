/**
 * What every process of the Procfile does: it checks the settings and reports faults in one line, opens the log, stops gracefully once on a
 * signal, and ends on errors that should never happen.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { onThrownAway } from '../answer-limit.ts'
import { cellsOf } from '../cells.ts'
import { type Config, loadConfig } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { untilReached } from '../postgres/until-reached.ts'
import { startTracing } from '../tracing/tracing.ts'
import { VERSION } from '../version.ts'
import { within } from '../within.ts'
import type { Readiness } from './admin.ts'
import { createLog, type Log } from './log.ts'
import { collectProcessMetrics, connectionMetrics, type ProcessKind } from './metrics.ts'

/** The time for closing connections, during the start and after the deadline of the last request. */
const CLOSE_GRACE_MS = 5_000
/**
 * While PostgreSQL or Redis cannot be reached nothing can be finished. The process then stops after this time, plus up to a second for the
 * checks.
 */
const AWAY_GRACE_MS = 2_500
const LOOK_EVERY_MS = 250
const FLUSH_GRACE_MS = 2_000

/** What a process returns when it serves. */
export type Running = {
  readonly url?: string
  readonly adminUrl: string
  readonly readiness?: Readiness
  readonly close: () => Promise<void>
}

/** Runs `start` until SIGTERM, SIGINT or SIGHUP. Exits 0 after a graceful stop, 1 on wrong settings or a failed start. */
export async function runProcess(
  kind: ProcessKind,
  start: (config: Config, log: Log) => Promise<Running>,
): Promise<void> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
  const log = createLog({ level: config.logLevel, processName: config.processName })
  for (const line of config.misspelt) log.warn(line)
  collectProcessMetrics(kind, config)
  onThrownAway(thrownAway => {
    connectionMetrics.thrownAway(thrownAway)
    const { store, error, idle } = thrownAway
    log.error({ store, idle_closed: idle }, error.message)
  })
  const stopped = stopSignal()
  let patienceMs = CLOSE_GRACE_MS
  let readiness: Readiness | undefined
  // A dependency that cannot be reached must not delay the process at its start or end: it has no work to finish.
  void stopped.then(async () => {
    await graceOver(patienceMs, readiness)
    log.warn('something did not close in time')
    await end(log, 0)
  })
  // A rejection that is not awaited is a bug, but no reason to drop running requests.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'uncaught exception')
    void end(log, 1)
  })
  try {
    const stopTracing = config.tracing
      ? await startTracing({ processName: config.processName, sampling: config.tracing })
      : undefined
    const signal = config.databaseUrl === undefined ? undefined : await Promise.race([reached(config, log), stopped])
    if (signal !== undefined) {
      log.info({ signal }, 'stopped before PostgreSQL was there')
      return await end(log, 0)
    }
    const running = await start(config, log)
    patienceMs = config.commandDeadlineMs + CLOSE_GRACE_MS
    readiness = running.readiness
    log.info({ url: running.url, admin_url: running.adminUrl, version: VERSION, build: config.build }, 'serving')
    log.info({ signal: await stopped }, 'stopping')
    await running.close()
    await stopTracing?.()
    log.info('stopped')
    await end(log, 0)
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
    else log.fatal({ err: error }, 'could not run')
    await end(log, 1)
  }
}

const reached = (config: Config, log: Log): Promise<void> =>
  untilReached(cellsOf(config), (error, cell) => log.warn({ err: error, cell }, 'PostgreSQL is away: the start waits'))

/** Resolves when the time of a stopping process is over, or PostgreSQL or Redis could not be reached for long enough. */
async function graceOver(patienceMs: number, readiness: Readiness | undefined): Promise<void> {
  const endsAt = performance.now() + patienceMs
  let awaySince = Number.POSITIVE_INFINITY
  for (;;) {
    const now = performance.now()
    if (now >= endsAt || now - awaySince >= AWAY_GRACE_MS) return
    const isReady = readiness === undefined || (await readiness()).ready
    awaySince = isReady ? Number.POSITIVE_INFINITY : Math.min(awaySince, now)
    await delay(LOOK_EVERY_MS)
  }
}

/** Exits when the log is written, or soon if the log has no reader (the supervisor was killed). */
async function end(log: Log, code: number): Promise<void> {
  // The first flush waits for the running write, the second for the lines that gathered meanwhile.
  const written = flush(log).then(() => flush(log))
  await within(FLUSH_GRACE_MS, written).catch(() => {})
  process.exit(code)
}

const flush = (log: Log): Promise<void> => new Promise(resolve => log.flush(() => resolve()))

/** The first signal. A second one (Ctrl-C of a process group arrives twice) changes nothing. */
function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve)
  return promise
}
