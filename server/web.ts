/** The server process: the application on the public HTTP server, and the admin server. Closing waits for running requests. */
import { joinSettings } from '../lib/access/shared-settings.ts'
import type { Config } from '../lib/platform/config.ts'
import { type AdminHandler, startAdminServer } from '../lib/platform/telemetry/admin.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'
import type { Running } from '../lib/platform/telemetry/process.ts'
import { joinService } from '../lib/webhooks/service-key.ts'
import { createApp } from './app.ts'
import { startHttpServer } from './http-server.ts'
import { watchQueues } from './queue-metrics.ts'
import { openServices, type ServiceOptions } from './services.ts'

/** At its deadline each command has an answer, so that the stop waits for nothing else. */
const AFTER_DEADLINE_MS = 1_000

type RunningWeb = Running & { readonly url: string }

/** Starts serving. Several processes may listen on one port. */
export async function startWeb(config: Config, log: Log, options: ServiceOptions = {}): Promise<RunningWeb> {
  const services = await openServices(config, log, options)
  await joinSettings(services.pool, config, error => log.warn({ err: error }, 'the shared settings were not compared'))
  await joinService(services.pool, services.replyOptions.secrets, error =>
    log.warn({ err: error }, 'WEBHOOK_SECRET_KEY was not compared'),
  )
  const server = await startHttpServer(createApp(services).callback(), {
    host: config.host,
    port: config.port,
    connectionsMax: config.httpConnectionsMax,
    onRefused: httpMetrics.connectionRefused,
  })
  // Loaded at the first request of the board: few operators open it, and it is a tenth of all code that a process loads.
  let board: Promise<AdminHandler> | undefined
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: services.readiness,
    board: () => {
      board ??= import('./queue-board.ts').then(({ queueBoard }) => queueBoard(services))
      return board
    },
  })
  watchQueues(services)
  return {
    url: server.url,
    adminUrl: admin.url,
    readiness: services.readiness,
    close: async () => {
      // The server stops accepting first: a reader whose stream ends then connects to another process.
      const drained = server.drain(config.commandDeadlineMs + AFTER_DEADLINE_MS)
      await Promise.all(services.cells.map(({ streams }) => streams.close()))
      await drained
      await admin.close()
      await services.close()
    },
  }
}
