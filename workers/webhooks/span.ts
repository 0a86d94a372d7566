/**
 * The span of one attempt, a child of the command that caused the event, however much later the attempt is. The span must not contain the
 * receiver's URL, which may be a secret. The receiver must not get the trace.
 *
 * The request has no `traceparent`, because receivers are third parties. A tracer that follows its parent would keep, and pay for, what
 * this service keeps. Receivers would learn how this service's traces are linked, but could not read them. `webhook-id` names the event on
 * both sides.
 */
import { SpanStatusCode } from '@opentelemetry/api'
import { inSpan, isTracing, SpanKind } from '../../lib/platform/tracing/tracing.ts'
import type { DueDelivery } from '../../lib/webhooks/due-deliveries.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import type { Attempt } from '../../lib/webhooks/send.ts'

/** Sends within a span if traces are on and the event's trace is kept. An attempt never begins a trace. */
export function inAttemptSpan(
  { tenantId, subscriptionId }: SubscriptionRef,
  due: DueDelivery,
  send: () => Promise<Attempt>,
): Promise<Attempt> {
  if (due.trace === null || !isTracing()) return send()
  const attributes = {
    'http.request.method': 'POST',
    'millrace.tenant_id': tenantId,
    'millrace.subscription_id': subscriptionId,
    'millrace.event_id': due.eventId,
    'millrace.event_type': due.eventType,
    'millrace.attempt': due.attempts + 1,
  }
  const options = { kind: SpanKind.CLIENT, attributes, cause: due.trace }
  return inSpan(`webhook ${due.eventType}`, options, async span => {
    const attempt = await send()
    const { isSuccess, responseStatus, reason } = attempt
    if (responseStatus !== null) span?.setAttribute('http.response.status_code', responseStatus)
    if (!isSuccess) {
      span?.setAttribute('error.type', responseStatus === null ? 'no_answer' : String(responseStatus))
      span?.setStatus({ code: SpanStatusCode.ERROR, ...(reason === null ? {} : { message: reason }) })
    }
    return attempt
  })
}
