/** The Koa application: the order of the middlewares as one list. Each middleware has its own file. */
import Koa from 'koa'
import { fieldNames } from '../lib/kit/api/field-names.ts'
import { isTracing } from '../lib/platform/tracing/tracing.ts'
import { catchFaults } from './catch-faults.ts'
import { countSecurity } from './count-security.ts'
import { crossOrigin } from './cross-origin.ts'
import { docsRoutes } from './docs-page.ts'
import { markDryRun } from './dry-run.ts'
import { health } from './health.ts'
import { observe } from './observe.ts'
import { portalRoutes } from './portal.ts'
import { requestId } from './request-id.ts'
import { routes } from './routes.ts'
import type { Services } from './services.ts'
import { traceRequests } from './trace-requests.ts'
import { dropUnreadBody } from './unread-body.ts'

/** Builds the application over open services. */
export function createApp(services: Services): Koa {
  const app = new Koa()
  app.proxy = services.config.trustProxy
  const { known, unknown } = routes(services)

  app.use(dropUnreadBody)
  app.use(requestId)
  app.use(markDryRun)
  if (isTracing()) app.use(traceRequests(services.config.trustProxy))
  app.use(observe(services.log, fieldNames(services.endpoints)))
  app.use(countSecurity(services))
  app.use(catchFaults(services.log))
  if (services.config.corsOrigins.length > 0) app.use(crossOrigin(services.config.corsOrigins))
  app.use(health(services.readiness))
  app.use(docsRoutes(services.endpoints))
  app.use(portalRoutes())
  app.use(known) // per endpoint, in routes.ts: gate.ts, then write.ts or read.ts
  app.use(unknown)

  // Koa's own handler gets only errors after the answer began (a reset connection). Logging them is enough.
  app.on('error', (error: Error) => services.log.warn({ err: error }, 'connection'))
  return app
}
