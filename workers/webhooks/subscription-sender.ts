/**
 * Sends a subscription's due deliveries in order, at most five at a time, until none is due or its time is over. read-ahead.ts picks the
 * next deliveries; attempts.ts makes an attempt.
 */
import { UnopenedSecret } from '../../lib/platform/secret-box.ts'
import { type DueDelivery, dueDeliveries } from '../../lib/webhooks/due-deliveries.ts'
import { isGone } from '../../lib/webhooks/health-rules.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import type { SendingEnd } from '../../lib/webhooks/queue.ts'
import type { Attempt } from '../../lib/webhooks/send.ts'
import { type AttemptServices, Attempts } from './attempts.ts'
import type { DeliveryRate } from './delivery-rate.ts'
import { ReadAhead } from './read-ahead.ts'

/** The most requests to one subscription at the same time. */
const IN_FLIGHT_MAX = 5
/** The most answered requests whose outcome is being stored. They do not count as in flight. */
const STORING_MAX = 100
/** A sender whose receiver has been silent for this long frees its slot, and continues. */
const SILENT_AFTER_MS = 1_000
/** How long a sender may keep its slot while others wait. */
const QUANTUM_MS = 10_000
/** After this many faults of this service in one run, the cause is not a single delivery. */
const SET_ASIDE_MAX = 20

export type SenderServices = AttemptServices & { readonly rate: DeliveryRate }

type Given = {
  /** Whether the last run could not store outcomes. Then this run sends one request first, to find out whether it can. */
  readonly isAfterPause: boolean
  /** Called when a request has had no answer for a second. */
  readonly onSilent: () => void
}

export class SubscriptionSender {
  readonly #services: SenderServices
  readonly #subscription: SubscriptionRef
  readonly #given: Given
  readonly #attempts: Attempts
  readonly #due: ReadAhead
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #storing = new Map<string, Promise<void>>()
  /** Deliveries that a fault of this service kept from being sent. Only the next run tries them again. */
  readonly #setAside = new Set<string>()
  #hasStored = false
  /** Why no further request begins. */
  #ending: SendingEnd | undefined

  constructor(services: SenderServices, subscription: SubscriptionRef, given: Given) {
    this.#services = services
    this.#subscription = subscription
    this.#given = given
    this.#attempts = new Attempts(services, subscription)
    this.#due = new ReadAhead(limit =>
      dueDeliveries(services.pool, subscription, {
        now: new Date(services.now()).toISOString(),
        except: [...this.#inFlight.keys(), ...this.#storing.keys(), ...this.#setAside],
        limit,
      }),
    )
  }

  /**
   * How the run ended. Unstored: outcomes could not be stored, or all deliveries failed through faults of this service (a missing key).
   * They are still due and must not be sent again at once.
   */
  get end(): SendingEnd {
    return this.#setAside.size > 0 && !this.#hasStored ? 'unstored' : (this.#ending ?? 'done')
  }

  /** Notes that another delivery is due: looks at once if one may be sent. */
  poke(): void {
    this.#due.poke()
  }

  /** Ends the run after the requests in flight. */
  stop(): void {
    this.#ending ??= 'done'
  }

  /** Sends until nothing is due. @throws if PostgreSQL cannot be reached, after the requests in flight have ended */
  async run(): Promise<void> {
    const quantumEnds = performance.now() + QUANTUM_MS
    try {
      for (;;) {
        if (performance.now() > quantumEnds) this.stop()
        await this.#fill()
        const isIdle = this.#inFlight.size === 0 && !this.#isStoringFull
        if (isIdle && (this.#ending || this.#due.isEmpty)) break
        await this.#change()
      }
    } finally {
      await Promise.all(this.#inFlight.values())
      await Promise.all(this.#storing.values())
    }
    if (this.#setAside.size === 0 && this.#ending !== 'over' && !this.#due.isEmpty)
      await this.#services.queue.wake([this.#subscription])
  }

  async #fill(): Promise<void> {
    while (this.#hasRoom) {
      if (this.#services.recorder.isFull) await this.#services.recorder.room()
      const next = await this.#due.next()
      if (next === undefined || !this.#hasRoom) return // an answer may have stopped the run meanwhile
      if (!this.#services.rate.take(this.#subscription.tenantId)) {
        this.#ending = 'over'
        return
      }
      this.#due.take()
      underWay(this.#inFlight, next, this.#attempt(next))
    }
  }

  /** Waits until an attempt ends or, if another may begin, a delivery is due. */
  async #change(): Promise<void> {
    const ends = (this.#isStoringFull ? this.#storing : this.#inFlight).values()
    await Promise.race(this.#hasRoom ? [...ends, this.#due.filled()] : ends)
  }

  get #hasRoom(): boolean {
    const isCareful = !this.#isTrusted || this.#services.silence.has(this.#subscription.subscriptionId)
    return !this.#ending && !this.#isStoringFull && this.#inFlight.size < (isCareful ? 1 : IN_FLIGHT_MAX)
  }

  get #isStoringFull(): boolean {
    return this.#storing.size >= (this.#isTrusted ? STORING_MAX : 1)
  }

  /** Whether outcomes can be stored, as far as this run knows. */
  get #isTrusted(): boolean {
    return this.#hasStored || !this.#given.isAfterPause
  }

  /** Sends, and passes the outcome on to be stored. Never throws: after a fault of this service the delivery stays due. */
  async #attempt(due: DueDelivery): Promise<void> {
    const timer = setTimeout(this.#given.onSilent, SILENT_AFTER_MS)
    try {
      const attempt = await this.#attempts.send(due)
      if (attempt === undefined) return
      if (!attempt.isSuccess) this.#due.forget() // a failure may disable the subscription, and 410 does
      if (isGone(attempt)) this.stop()
      underWay(this.#storing, due, this.#store(due, attempt))
    } catch (error) {
      this.#onFault(due, error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #store(due: DueDelivery, attempt: Attempt): Promise<void> {
    try {
      if (await this.#attempts.store(due, attempt)) this.#hasStored = true
      else {
        this.#setAside.add(due.id)
        this.#ending = 'unstored'
      }
    } catch (error) {
      this.#onFault(due, error)
    }
  }

  #onFault(due: DueDelivery, error: unknown): void {
    this.#setAside.add(due.id)
    // All deliveries of a subscription are signed with the same secrets, so none can be sent.
    if (this.#setAside.size >= SET_ASIDE_MAX || error instanceof UnopenedSecret) this.stop()
    const ids = { tenant_id: this.#subscription.tenantId, delivery_id: due.id }
    this.#services.log.error({ err: error, ...ids }, 'a webhook could not be sent')
  }
}

/** Counts an attempt as under way until it ends. */
function underWay(all: Map<string, Promise<void>>, { id }: DueDelivery, one: Promise<void>): void {
  all.set(
    id,
    one.finally(() => all.delete(id)),
  )
}
