/**
 * Counts requests for the security telemetry: authenticated requests, and refused ones that name a known key. It runs outside of
 * `catchFaults`, sees only how a request ended, and never delays or fails a request.
 */
import type { Middleware } from 'koa'
import type { Services } from './services.ts'

export function countSecurity(services: Services): Middleware {
  return async (ctx, next) => {
    const receivedAt = Date.now()
    try {
      await next()
    } finally {
      const { endpoint, refusal, bulk } = ctx.state
      const access = ctx.state.access ?? ctx.state.refusedAccess
      if (access !== undefined && endpoint !== undefined) {
        services.in(access.cell).securityCounts.request({
          tenantId: access.tenantId,
          keyId: access.keyId,
          method: endpoint.method,
          route: endpoint.path,
          address: ctx.state.callerAddress,
          receivedAt,
          status: ctx.status,
          refusal,
          replayed: ctx.res.hasHeader('Idempotent-Replayed'),
          entries: bulk?.entries,
        })
      }
    }
  }
}
