/**
 * A span for every request, named by method and route template. It must hold no path with ids, query, body, key or address.
 */
import { SpanStatusCode } from '@opentelemetry/api'
import type { Middleware } from 'koa'
import { inSpan, SpanKind } from '../lib/platform/tracing/tracing.ts'

/**
 * @param trustProxy whether a proxy of ours is in front: then the trace goes on, else a new one begins and only refers to
 * the caller's, who may not decide what is kept here.
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
