/**
 * Gathers look-ups: one statement is under way at a time, for all that wait for it, so that no number of callers takes more
 * than one connection.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** Hashes of one statement; a look-up of so many takes Postgres some milliseconds. */
const HASHES_MAX = 1_000

type FindAll<Found> = (tokenHashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>
type Waiting<Found> = {
  readonly tokenHash: string
  readonly resolve: (found: Found | null) => void
  readonly reject: (error: unknown) => void
}

export class KeyLookUps<Found> {
  readonly #findAll: FindAll<Found>
  readonly #pauseMs: number
  readonly #waiting: Waiting<Found>[] = []
  #isAsking = false

  /** @param pauseMs how long Postgres is left alone after each statement. */
  constructor(findAll: FindAll<Found>, { pauseMs = 0 }: { readonly pauseMs?: number } = {}) {
    this.#findAll = findAll
    this.#pauseMs = pauseMs
  }

  /** What is found of this token hash, or null. @throws what the statement throws that asked for it. */
  find(tokenHash: string): Promise<Found | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Found | null>()
    this.#waiting.push({ tokenHash, resolve, reject })
    if (!this.#isAsking) void this.#ask()
    return promise
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, HASHES_MAX)
      try {
        const found = await this.#findAll(asked.map(({ tokenHash }) => tokenHash))
        for (const { tokenHash, resolve } of asked) resolve(found.get(tokenHash) ?? null)
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
      // Nobody waits for the end of a process's last pause.
      if (this.#pauseMs > 0) await delay(this.#pauseMs, undefined, { ref: false })
    }
    this.#isAsking = false
  }
}
