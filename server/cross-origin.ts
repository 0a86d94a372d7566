/** Lets pages of the origins in `CORS_ORIGINS` call the API and read its answers (docs/settings.md). */
import cors from '@koa/cors'
import type { Middleware } from 'koa'

/** The headers of an answer that a page may read. */
const EXPOSED = [
  'Dry-Run',
  'ETag',
  'Error-Fields',
  'Event-Sequence',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Allow',
  'X-Request-Id',
]

const PREFLIGHT_SECONDS = 7_200

/** @param origins as browsers write them (`https://shop.example`); `*` allows all */
export const crossOrigin = (origins: readonly string[]): Middleware =>
  cors({
    origin: origins.includes('*') ? '*' : ctx => origins.find(origin => origin === ctx.get('Origin')) ?? '',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
  })
