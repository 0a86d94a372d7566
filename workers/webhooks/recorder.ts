/**
 * Stores the outcomes of attempts in batches: while one batch is being written, the next one gathers, so that a quiet service
 * waits for nothing and a busy one shares transactions.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Batcher } from '../../lib/batcher.ts'
import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { type Outcome, type Stored, storeOutcomes } from '../../lib/webhooks/outcomes.ts'

const BATCH_MAX = 200
/** A failing database is tried again; what cannot be stored at all is sent again later. */
const TRIES_MAX = 4
const TRY_GAP_MS = 500

type Services = { readonly pool: Pool; readonly log: Log }

export class Recorder {
  readonly #batcher: Batcher<Outcome, Stored | null>

  constructor(services: Services) {
    this.#batcher = new Batcher({ askAll: outcomes => store(services, outcomes), max: BATCH_MAX })
  }

  /** Resolves when the outcome is stored; with null when it could not be (then the delivery is still due). */
  record(outcome: Outcome): Promise<Stored | null> {
    return this.#batcher.ask(outcome)
  }
}

async function store({ pool, log }: Services, outcomes: readonly Outcome[]): Promise<readonly (Stored | null)[]> {
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
