/**
 * `/livez` (the process runs) and `/readyz` (it can serve: Postgres and Redis are there, the schema is current) on the
 * public port, without a key (contract 4).
 */
import type { Middleware } from 'koa'
import type { Readiness } from '../lib/telemetry/readiness.ts'

export function health(readiness: Readiness): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/livez') {
      ctx.body = { status: 'ok' }
    } else if (ctx.path === '/readyz') {
      const state = await readiness()
      ctx.status = state.ready ? 200 : 503
      if (!state.ready) ctx.set('Retry-After', '1')
      ctx.body = { status: state.ready ? 'ok' : 'unavailable', checks: state.checks }
    } else {
      return next()
    }
  }
}
