/**
 * Stores the outcomes of attempts in batches: while one batch is being written, the next one gathers, so that a quiet service
 * waits for nothing and a busy one shares transactions.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { type Outcome, type Stored, storeOutcomes } from '../../lib/webhooks/outcomes.ts'

const BATCH_MAX = 200
/** A failing database is tried again; what cannot be stored at all is sent again later. */
const TRIES_MAX = 4
const TRY_GAP_MS = 500

type Waiting = { readonly outcome: Outcome; readonly resolve: (stored: Stored | null) => void }

export class Recorder {
  readonly #pool: Pool
  readonly #log: Log
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(services: { readonly pool: Pool; readonly log: Log }) {
    this.#pool = services.pool
    this.#log = services.log
  }

  /** Resolves when the outcome is stored; with null when it could not be (then the delivery is still due). */
  record(outcome: Outcome): Promise<Stored | null> {
    const { promise, resolve } = Promise.withResolvers<Stored | null>()
    this.#waiting.push({ outcome, resolve })
    if (!this.#isWriting) void this.#write()
    return promise
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX)
      const stored = await this.#store(batch.map(({ outcome }) => outcome))
      batch.forEach(({ resolve }, at) => {
        resolve(stored?.[at] ?? null)
      })
    }
    this.#isWriting = false
  }

  async #store(outcomes: readonly Outcome[]): Promise<readonly Stored[] | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await storeOutcomes(this.#pool, outcomes)
      } catch (error) {
        this.#log.warn({ err: error, count: outcomes.length }, 'outcomes of webhooks could not be stored')
        if (tries === TRIES_MAX) return null
        await delay(TRY_GAP_MS * tries)
      }
    }
  }
}
