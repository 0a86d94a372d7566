/**
 * Stores the outcomes of attempts in batches. While one batch is written, the next one is collected. So a quiet service does not wait, and
 * a busy one shares transactions.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Batcher } from '../../lib/platform/limits/batcher.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { type Locked, type Outcome, type Stored, storeOutcomes } from '../../lib/webhooks/outcomes.ts'

const BATCH_MAX = 200
/**
 * Outcomes of the whole process that wait to be stored. If the process is killed, their deliveries and those in flight are sent again. Two
 * batches and a half suffice for 1,000 deliveries a second.
 */
export const WAITING_MAX = 500
/** How often a delivery's outcome is tried while the database fails. A delivery whose outcome cannot be stored is sent again later. */
const TRIES_MAX = 4
const TRY_GAP_MS = 500
/** A unit of work locks a subscription for some milliseconds, a bulk in one transaction for up to 15 s. */
const LOCKED_AGAIN_MS = 100
const LOCKED_MS_MAX = 60_000

type Services = { readonly pool: Pool; readonly log: Log }

export class Recorder {
  readonly #batcher: Batcher<Outcome, Stored | Locked | null>
  #waiting = 0
  #freed = Promise.withResolvers<void>()

  constructor(services: Services) {
    this.#batcher = new Batcher({ askAll: take => store(services, take()), max: BATCH_MAX })
  }

  /**
   * Resolves when the outcome is stored, or with null when it could not be stored (the delivery is then still due). If another transaction
   * has locked the subscription, it is tried again later, so that the outcomes of other subscriptions do not wait.
   */
  async record(outcome: Outcome): Promise<Stored | null> {
    const end = performance.now() + LOCKED_MS_MAX
    for (;;) {
      const stored = await this.#ask(outcome)
      if (stored !== 'locked') return stored
      if (performance.now() > end) return null
      await delay(LOCKED_AGAIN_MS)
    }
  }

  /** Whether no further request may begin. Outcomes of a locked subscription do not count, because other subscriptions must continue. */
  get isFull(): boolean {
    return this.#waiting >= WAITING_MAX
  }

  /** Resolves when another request may begin. */
  async room(): Promise<void> {
    while (this.isFull) await this.#freed.promise
  }

  async #ask(outcome: Outcome): Promise<Stored | Locked | null> {
    this.#waiting++
    try {
      return await this.#batcher.ask(outcome)
    } finally {
      this.#waiting--
      this.#freed.resolve()
      this.#freed = Promise.withResolvers()
    }
  }
}

async function store(
  { pool, log }: Services,
  outcomes: readonly Outcome[],
): Promise<readonly (Stored | Locked | null)[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await storeOutcomes(pool, outcomes)
    } catch (error) {
      log.warn({ err: error, count: outcomes.length }, 'outcomes of webhooks could not be stored')
      if (tries === TRIES_MAX) return outcomes.map(() => null)
      await delay(TRY_GAP_MS * tries)
    }
  }
}
