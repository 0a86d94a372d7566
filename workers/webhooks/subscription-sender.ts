/**
 * Sends a subscription's due deliveries in order, at most five at a time, until nothing is due or its time is over. What is due and what follows from an attempt is decided elsewhere.
 */

import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Redis } from '../../lib/redis/redis.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { webhookMetrics } from '../../lib/telemetry/webhook-metrics.ts'
import { type DueDelivery, dueDeliveries, giveUpExpired } from '../../lib/webhooks/due.ts'
import { isGone } from '../../lib/webhooks/health-rules.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import type { SendingEnd, WebhookQueue } from '../../lib/webhooks/queue.ts'
import { noteRetries } from '../../lib/webhooks/retries.ts'
import type { Attempt, Sender } from '../../lib/webhooks/send.ts'
import { secretOwner, signedHeaders } from '../../lib/webhooks/signature.ts'
import type { DeliveryRate } from './rate.ts'
import type { Recorder } from './recorder.ts'
import type { Silence } from './silence.ts'
import { inAttemptSpan } from './span.ts'

/** Requests to one subscription at a time. */
const IN_FLIGHT_MAX = 5
/** Deliveries read at once: more than are sent, so that a quick receiver need not wait for each look. */
const READ_MAX = 25
/** Answered requests whose outcome is being stored: they hold no place of the five. */
const STORING_MAX = 100
/** What was read longer ago is read again: the subscription may have been changed or disabled since. */
const READ_TRUSTED_MS = 200
/** A sender whose receiver has been silent for so long gives its slot to others, and goes on. */
const SILENT_AFTER_MS = 1_000
/** How long a sender may keep its slot while others wait. */
const QUANTUM_MS = 10_000
/** With so many faults of ours in one run something is wrong with more than a delivery. */
const SET_ASIDE_MAX = 20
const USER_AGENT = 'Millrace-Webhooks/1.0'

export type SenderServices = {
  readonly pool: Pool
  readonly redis: Redis
  readonly queue: WebhookQueue
  readonly secrets: SecretBox
  readonly sender: Sender
  readonly recorder: Recorder
  readonly rate: DeliveryRate
  readonly silence: Silence
  readonly log: Log
  readonly now: () => number
  readonly chance: () => number
  /** Told of each failed attempt, for the tenant's security telemetry. */
  readonly onFailure: (tenantId: string, at: number) => void
}

export class SubscriptionSender {
  readonly #services: SenderServices
  readonly #subscription: SubscriptionRef
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #storing = new Map<string, Promise<void>>()
  /** Deliveries that failed through a fault of ours: the next run tries them again, not this one in a circle. */
  readonly #setAside = new Set<string>()
  #read: DueDelivery[] = []
  #readAt = 0
  /** Whether a look could find more than is in hand. */
  #mayHaveMore = true
  #isStopping = false
  #couldStore = true
  #hasStored = false
  /** Its tenant has begun all deliveries that it may for now. */
  #isOver = false
  readonly #onSilent: () => void
  /** Whether outcomes are known to be stored: after a pause one request shows it, before more are sent. */
  #isTrusted: boolean
  #woken = Promise.withResolvers<void>()

  /** @param given `onSilent` is told when a request has gone without an answer for a second */
  constructor(
    services: SenderServices,
    subscription: SubscriptionRef,
    { isAfterPause, onSilent }: { readonly isAfterPause: boolean; readonly onSilent: () => void },
  ) {
    this.#services = services
    this.#subscription = subscription
    this.#isTrusted = !isAfterPause
    this.#onSilent = onSilent
  }

  /**
   * How it ended. Where an outcome could not be stored, what was sent is still due and must not be sent again at once; nor is
   * it tried again at once where all failed through faults of ours (a key that is not here).
   */
  get end(): SendingEnd {
    if (!this.#couldStore || (this.#setAside.size > 0 && !this.#hasStored)) return 'unstored'
    return this.#isOver ? 'over' : 'done'
  }

  /** Something new is due: look at once, if there is room. */
  poke(): void {
    this.#mayHaveMore = true
    this.#woken.resolve()
  }

  /** Ends after what is in flight. */
  stop(): void {
    this.#isStopping = true
  }

  /** Sends until nothing is due. @throws when Postgres is away; what is in flight ends before. */
  async run(): Promise<void> {
    const quantumEnds = performance.now() + QUANTUM_MS
    try {
      for (;;) {
        const isOver = this.#isStopping || performance.now() > quantumEnds || this.#setAside.size >= SET_ASIDE_MAX
        if (!isOver) await this.#fill()
        if (this.#inFlight.size === 0 && this.#storing.size < this.#storingMax) {
          if (isOver || (this.#read.length === 0 && !this.#mayHaveMore)) break
          continue
        }
        await this.#change(isOver)
      }
    } finally {
      await Promise.all(this.#inFlight.values())
      await Promise.all(this.#storing.values())
    }
    if (this.#setAside.size === 0 && !this.#isOver && (this.#mayHaveMore || this.#read.length > 0))
      await this.#services.queue.wake([this.#subscription])
  }

  /** Waits until an attempt ends or, where there is room for more, something new is due. */
  async #change(isOver: boolean): Promise<void> {
    this.#woken = Promise.withResolvers<void>()
    const isFull = this.#storing.size >= this.#storingMax
    const ends = [...(isFull ? this.#storing : this.#inFlight).values()]
    const hasRoom = !isOver && !isFull && ends.length < this.#inFlightMax
    if (hasRoom && this.#mayHaveMore) return
    await Promise.race(hasRoom ? [...ends, this.#woken.promise] : ends)
  }

  get #inFlightMax(): number {
    return this.#isTrusted && !this.#services.silence.has(this.#subscription.subscriptionId) ? IN_FLIGHT_MAX : 1
  }

  get #storingMax(): number {
    return this.#isTrusted ? STORING_MAX : 1
  }

  get #hasRoom(): boolean {
    return (
      !this.#isStopping && // a look may end after an answer that stops it
      this.#couldStore &&
      this.#inFlight.size < this.#inFlightMax &&
      this.#storing.size < this.#storingMax &&
      this.#setAside.size < SET_ASIDE_MAX
    )
  }

  async #fill(): Promise<void> {
    while (this.#hasRoom) {
      if (this.#read.length === 0 || performance.now() - this.#readAt > READ_TRUSTED_MS) {
        if (!this.#mayHaveMore && this.#read.length === 0) return
        await this.#look()
      }
      const [next] = this.#read
      if (!next) return
      if (!this.#services.rate.take(this.#subscription.tenantId)) {
        this.#isOver = true
        return this.stop()
      }
      this.#read.shift()
      const attempt = this.#attempt(next).finally(() => this.#inFlight.delete(next.id))
      this.#inFlight.set(next.id, attempt)
    }
  }

  async #look(): Promise<void> {
    this.#mayHaveMore = false // before the look: what comes during it pokes
    const { pool, now } = this.#services
    const found = await dueDeliveries(pool, this.#subscription, {
      now: new Date(now()).toISOString(),
      except: [...this.#inFlight.keys(), ...this.#storing.keys(), ...this.#setAside],
      limit: READ_MAX,
    })
    this.#read = [...found]
    this.#readAt = performance.now()
    if (found.length === READ_MAX) this.#mayHaveMore = true
  }

  /** Sends, and hands the outcome on to be stored. Never throws: with a fault of ours the delivery stays due. */
  async #attempt(due: DueDelivery): Promise<void> {
    const { sender, now, silence } = this.#services
    const timer = setTimeout(this.#onSilent, SILENT_AFTER_MS)
    try {
      if (due.body === null) return await this.#giveUp(due)
      const body = Buffer.from(due.body)
      const message = { url: due.url, headers: this.#headers(due, body), body }
      const attempt = await inAttemptSpan(this.#subscription, due, () => sender.send(message))
      silence.note(this.#subscription.subscriptionId, attempt.isSilent === true)
      if (!attempt.isSuccess) this.#onFailure(attempt)
      const stored = this.#store(due, attempt, now()).finally(() => this.#storing.delete(due.id))
      this.#storing.set(due.id, stored)
    } catch (error) {
      this.#putAside(due, error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** What was read is read again, since the failure may disable the subscription; after 410 it certainly does. */
  #onFailure(attempt: Attempt): void {
    this.#services.onFailure(this.#subscription.tenantId, this.#services.now())
    this.#read = []
    this.#mayHaveMore = true
    if (isGone(attempt)) this.stop()
  }

  async #store(due: DueDelivery, attempt: Attempt, at: number): Promise<void> {
    const { recorder, chance } = this.#services
    const { generation, attempts, roundAttempts } = due
    try {
      const outcome = { ...this.#subscription, deliveryId: due.id, generation, roundAttempts, attempt, at }
      const stored = await recorder.record({ ...outcome, chance: chance() })
      if (!stored) return this.#pause(due)
      this.#isTrusted = true
      this.#hasStored = true
      if (stored.waitMs !== null) await this.#noteRetry(at + stored.waitMs)
      if (stored.hasDisabled) this.#tellDisabled(attempt)
      webhookMetrics.attempt(stored.status === 'pending' ? 'retried' : stored.status, attempt.durationMs / 1_000)
      if (attempt.isSuccess && attempts === 0) webhookMetrics.delivered((at - Number(due.since)) / 1_000)
    } catch (error) {
      this.#putAside(due, error)
    }
  }

  #tellDisabled({ reason }: Attempt): void {
    webhookMetrics.disabled()
    const ids = { tenant_id: this.#subscription.tenantId, subscription_id: this.#subscription.subscriptionId }
    this.#services.log.info({ ...ids, reason }, 'webhook subscription disabled')
  }

  #pause(due: DueDelivery): void {
    this.#couldStore = false
    this.#setAside.add(due.id)
    this.stop()
  }

  #putAside(due: DueDelivery, error: unknown): void {
    this.#setAside.add(due.id)
    const ids = { tenant_id: this.#subscription.tenantId, delivery_id: due.id }
    this.#services.log.error({ err: error, ...ids }, 'a webhook could not be sent')
  }

  #headers(due: DueDelivery, body: Buffer): Record<string, string> {
    const { secrets, now } = this.#services
    const owner = secretOwner(this.#subscription.tenantId, this.#subscription.subscriptionId)
    const opened = (JSON.parse(due.secrets) as string[]).map(sealed => secrets.open(Buffer.from(sealed, 'hex'), owner))
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signedHeaders({ eventId: due.eventId, body }, opened, now()),
    }
  }

  /** Without Redis the sweep finds the attempt when it is due. */
  async #noteRetry(at: number): Promise<void> {
    await noteRetries(this.#services.redis, [{ ...this.#subscription, at }], this.#services.queue.cell).catch(() => {})
  }

  async #giveUp(due: DueDelivery): Promise<void> {
    const now = new Date(this.#services.now()).toISOString()
    await giveUpExpired(this.#services.pool, { tenantId: this.#subscription.tenantId, deliveryId: due.id, now })
  }
}
