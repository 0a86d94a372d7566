/**
 * The span of one attempt, a child of the command that the event comes from, however much later it is made. It must not hold
 * the receiver's URL, which may be a secret itself, nor hand the trace to the receiver.
 *
 * The request carries no `traceparent`: receivers are third parties. It would make our sampling theirs (a tracer that
 * follows its parent keeps and pays for what we keep), tell them how our traces hang together, and bring them nothing, since
 * they cannot read ours; `webhook-id` names the event on both sides.
 */
import { SpanStatusCode } from '@opentelemetry/api'
import { inSpan, isTracing, SpanKind } from '../../lib/platform/tracing/tracing.ts'
import type { DueDelivery } from '../../lib/webhooks/due-deliveries.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import type { Attempt } from '../../lib/webhooks/send.ts'

/** Sends within a span, where traces are on and the event's is kept: no attempt begins a trace of its own. */
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
