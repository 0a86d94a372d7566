/**
 * Measures and logs every request: method, route template, status, time, request id. Never a path with ids, a query, a
 * body, a key or an address.
 */
import type { Middleware } from 'koa'
import type { Log } from '../lib/telemetry/log.ts'
import { httpMetrics } from '../lib/telemetry/metrics.ts'

export function observe(log: Log): Middleware {
  return async (ctx, next) => {
    const began = performance.now()
    try {
      await next()
    } finally {
      const seconds = (performance.now() - began) / 1000
      const endpoint = ctx.state.endpoint
      const route = endpoint?.path ?? 'other'
      httpMetrics.request({ method: endpoint?.method ?? 'other', route, status: ctx.status }, seconds)
      // Health checks come every few seconds, for ever.
      const level = ctx.path === '/readyz' || ctx.path === '/livez' ? 'debug' : 'info'
      log[level](
        {
          request_id: ctx.state.requestId,
          method: ctx.method,
          route,
          status: ctx.status,
          ms: Math.round(seconds * 1e4) / 10,
        },
        'request',
      )
    }
  }
}
