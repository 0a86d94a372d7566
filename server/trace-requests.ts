/**
 * A span for every request, named by method and route template. The span must not contain a path with ids, a query, a body, a key or an
 * address.
 */
import { SpanStatusCode } from '@opentelemetry/api'
import type { Middleware } from 'koa'
import { inSpan, SpanKind } from '../lib/platform/tracing/tracing.ts'

/**
 * @param trustProxy whether the operator's own proxy is in front. If so, its trace continues. Otherwise a new trace begins and only links
 * to the caller's: callers may not decide which traces are kept.
 */
export function traceRequests(trustProxy: boolean): Middleware {
  return (ctx, next) => {
    const caller = ctx.get('traceparent') || undefined
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': ctx.method } }
    return inSpan(ctx.method, { ...options, ...(trustProxy ? { cause: caller } : { links: [caller] }) }, async span => {
      try {
        await next()
      } finally {
        const route = ctx.state.endpoint?.path
        if (route) span?.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route)
        span?.setAttributes({
          'http.response.status_code': ctx.status,
          'millrace.request_id': ctx.state.requestId,
          ...(ctx.state.access ? { 'millrace.tenant_id': ctx.state.access.tenantId } : {}),
        })
        if (ctx.status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
      }
    })
  }
}
