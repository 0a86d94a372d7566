/**
 * The Prometheus metrics of webhooks. Labels are outcomes and states. Tenants, subscriptions and receivers are never labels, because their
 * number is unbounded.
 */
import { Counter, Histogram } from 'prom-client'

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

const attempts = new Counter({
  name: 'millrace_webhook_attempts_total',
  help: 'Attempts by outcome: succeeded, retried (another one is scheduled), failed (the last one)',
  labelNames: ['outcome'] as const,
})
const attemptSeconds = new Histogram({
  name: 'millrace_webhook_attempt_duration_seconds',
  help: 'Time from the request to the status of the answer, or to the failure',
  labelNames: ['outcome'] as const,
  buckets: BUCKETS_S,
})
const latency = new Histogram({
  name: 'millrace_webhook_latency_seconds',
  help: 'Time from the event to its delivery, where the first attempt succeeded',
  buckets: BUCKETS_S,
})
const disabled = new Counter({
  name: 'millrace_webhook_disabled_total',
  help: 'Subscriptions that were disabled because their receiver failed',
})
const unopened = new Counter({
  name: 'millrace_webhook_secrets_unopened_total',
  help: 'Attempts that were not made because the secret of their subscription could not be opened',
})
const mails = new Counter({
  name: 'millrace_mails_total',
  help: 'Mails to tenants’ owners by outcome: sent, failed (tried again later)',
  labelNames: ['outcome'] as const,
})

export const webhookMetrics = {
  attempt: (outcome: 'succeeded' | 'retried' | 'failed', seconds: number) => {
    attempts.inc({ outcome })
    attemptSeconds.observe({ outcome }, seconds)
  },
  delivered: (secondsSinceEvent: number) => latency.observe(Math.max(0, secondsSinceEvent)),
  disabled: () => disabled.inc(),
  unopened: () => unopened.inc(),
  mail: (outcome: 'sent' | 'failed') => mails.inc({ outcome }),
}
