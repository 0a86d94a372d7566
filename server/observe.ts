/**
 * Measures and logs every request: request id, method, route template, status, time, tenant and reason of a refusal. It never logs a path
 * with ids, a query, a body, a key, an address or a caller's text inside a message.
 */
import type { Middleware } from 'koa'
import { faultyField } from '../lib/kit/api/field-names.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'

/** @param names the names of fields that a log may contain (lib/kit/api/field-names.ts) */
export function observe(log: Log, names: ReadonlySet<string>): Middleware {
  return async (ctx, next) => {
    const began = performance.now()
    try {
      await next()
    } finally {
      const seconds = (performance.now() - began) / 1000
      const { endpoint, refusal, bulk } = ctx.state
      // A revoked or expired key belongs to a tenant too.
      const access = ctx.state.access ?? ctx.state.refusedAccess
      const route = endpoint?.path ?? 'other'
      httpMetrics.request({ method: endpoint?.method ?? 'other', route, status: ctx.status }, seconds)
      // Health checks are sent every few seconds.
      const level = ctx.path === '/readyz' || ctx.path === '/livez' ? 'debug' : 'info'
      // The logger leaves out undefined fields.
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
