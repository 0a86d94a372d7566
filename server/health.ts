/** `/livez` (the process runs) and `/readyz` (PostgreSQL and Redis answer, the schema is current) on the public port, without a key. */
import type { Middleware } from 'koa'
import { type Refusal, refuse } from '../lib/kit/api/errors.ts'
import type { Readiness } from '../lib/platform/telemetry/admin.ts'
import { VERSION } from '../lib/platform/version.ts'
import { answerRefusal } from './answer.ts'

/** `method_not_allowed` for a path that can only be read. */
export const readOnly = (method: string): Refusal =>
  refuse('method_not_allowed', `${method} is not allowed here; allowed: GET, HEAD`, { Allow: 'GET, HEAD' })

export function health(readiness: Readiness): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/livez' && ctx.path !== '/readyz') return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answerRefusal(ctx, readOnly(ctx.method))
    if (ctx.path === '/livez') {
      ctx.body = { status: 'ok', version: VERSION }
    } else {
      const state = await readiness()
      ctx.status = state.ready ? 200 : 503
      if (!state.ready) ctx.set('Retry-After', '1')
      ctx.body = { status: state.ready ? 'ok' : 'unavailable', checks: state.checks }
    }
  }
}
