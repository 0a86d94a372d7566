/**
 * Attempts at the deliveries of a subscription: each sends one signed request, then stores, counts and traces its result. lib/webhooks
 * decides what follows.
 */
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import { type SecretBox, UnopenedSecret } from '../../lib/platform/secret-box.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { webhookMetrics } from '../../lib/platform/telemetry/webhook-metrics.ts'
import { type DueDelivery, giveUpExpired } from '../../lib/webhooks/due-deliveries.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import type { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { noteRetries } from '../../lib/webhooks/retries.ts'
import type { Attempt, Sender } from '../../lib/webhooks/send.ts'
import { secretOwner, signedHeaders } from '../../lib/webhooks/signature.ts'
import { noteUnopened } from '../../lib/webhooks/unopened.ts'
import type { Recorder } from './recorder.ts'
import type { Silence } from './silence.ts'
import { inAttemptSpan } from './span.ts'

export type AttemptServices = {
  readonly pool: Pool
  readonly redis: Redis
  readonly queue: WebhookQueue
  readonly secrets: SecretBox
  readonly sender: Sender
  readonly recorder: Recorder
  readonly silence: Silence
  readonly log: Log
  readonly now: () => number
  readonly chance: () => number
  /** Called for each failed attempt, for the tenant's security telemetry. */
  readonly onFailure: (tenantId: string, at: number) => void
}

export class Attempts {
  readonly #services: AttemptServices
  readonly #subscription: SubscriptionRef

  constructor(services: AttemptServices, subscription: SubscriptionRef) {
    this.#services = services
    this.#subscription = subscription
  }

  /**
   * Sends. Undefined: the event is no longer kept, and the delivery was given up. It throws only for faults of this service, not of the
   * receiver.
   */
  async send(due: DueDelivery): Promise<Attempt | undefined> {
    const { pool, sender, silence, now, onFailure } = this.#services
    const { tenantId, subscriptionId } = this.#subscription
    if (due.body === null) {
      await giveUpExpired(pool, { tenantId, deliveryId: due.id, now: new Date(now()).toISOString() })
      return undefined
    }
    const body = Buffer.from(due.body)
    const headers = await this.#headers(due, body).catch(error => this.#logUnopened(due, error))
    const message = { url: due.url, headers, body }
    const attempt = await inAttemptSpan(this.#subscription, due, () => sender.send(message))
    silence.note(subscriptionId, attempt.isSilent === true)
    if (!attempt.isSuccess) onFailure(tenantId, now())
    return attempt
  }

  /** Stores the outcome of an attempt that ended now. False: the outcome could not be stored, and the delivery is still due. */
  async store(due: DueDelivery, attempt: Attempt): Promise<boolean> {
    const { recorder, chance, now } = this.#services
    const at = now()
    const { generation, attempts, roundAttempts } = due
    const outcome = { ...this.#subscription, deliveryId: due.id, generation, roundAttempts, attempt, at }
    const stored = await recorder.record({ ...outcome, chance: chance() })
    if (stored === null) return false
    if (stored.waitMs !== null) await this.#noteRetry(at + stored.waitMs)
    if (stored.hasDisabled) this.#countDisabled(attempt)
    webhookMetrics.attempt(stored.status === 'pending' ? 'retried' : stored.status, attempt.durationMs / 1_000)
    if (attempt.isSuccess && attempts === 0) webhookMetrics.delivered((at - Number(due.since)) / 1_000)
    return true
  }

  async #headers(due: DueDelivery, body: Buffer): Promise<Record<string, string>> {
    const { secrets, now } = this.#services
    const owner = secretOwner(this.#subscription.tenantId, this.#subscription.subscriptionId)
    const opened = (JSON.parse(due.secrets) as string[]).map(sealed => secrets.open(Buffer.from(sealed, 'hex'), owner))
    return signedHeaders({ eventId: due.eventId, body }, opened, now())
  }

  /** Shows the fault to operators and to the tenant. @throws the given error */
  async #logUnopened({ id }: DueDelivery, error: unknown): Promise<never> {
    if (error instanceof UnopenedSecret) {
      webhookMetrics.unopened()
      const { pool, now } = this.#services
      await noteUnopened(pool, this.#subscription, { deliveryId: id, at: now() })
    }
    throw error
  }

  /** Without Redis the sweep finds the retry when it is due. */
  async #noteRetry(at: number): Promise<void> {
    await noteRetries(this.#services.redis, [{ ...this.#subscription, at }], this.#services.queue.cell).catch(() => {})
  }

  #countDisabled({ reason }: Attempt): void {
    webhookMetrics.disabled()
    const ids = { tenant_id: this.#subscription.tenantId, subscription_id: this.#subscription.subscriptionId }
    this.#services.log.info({ ...ids, reason }, 'webhook subscription disabled')
  }
}
