/**
 * Measures and logs every request: request id, method, route template, status, time, and whose it was and why it was refused.
 * Never a path with ids, a query, a body, a key or an address, nor of a message what a caller wrote.
 */
import type { Middleware } from 'koa'
import { faultyField } from '../lib/kit/api/field-names.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'

/** @param names of the fields that a log may name (lib/kit/api/field-names.ts). */
export function observe(log: Log, names: ReadonlySet<string>): Middleware {
  return async (ctx, next) => {
    const began = performance.now()
    try {
      await next()
    } finally {
      const seconds = (performance.now() - began) / 1000
      const { endpoint, refusal, bulk } = ctx.state
      // A key that is revoked or expired has an owner too.
      const access = ctx.state.access ?? ctx.state.refusedAccess
      const route = endpoint?.path ?? 'other'
      httpMetrics.request({ method: endpoint?.method ?? 'other', route, status: ctx.status }, seconds)
      // Health checks come every few seconds, for ever.
      const level = ctx.path === '/readyz' || ctx.path === '/livez' ? 'debug' : 'info'
      // What is undefined is left out of the line.
      log[level](
        {
          request_id: ctx.state.requestId,
          tenant_id: access?.tenantId,
          key_id: access?.keyId,
          method: ctx.method,
          route,
          status: ctx.status,
          error: refusal?.refusal,
          field: refusal && faultyField(refusal, names),
          replayed: ctx.res.hasHeader('Idempotent-Replayed') || undefined,
          dry_run: ctx.state.isDryRun || undefined,
          mode: bulk?.mode,
          entries: bulk?.entries.length,
          refused: bulk?.entries.filter(entry => entry.refusal !== undefined).length,
          ms: Math.round(seconds * 1e4) / 10,
        },
        'request',
      )
    }
  }
}
