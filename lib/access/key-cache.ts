/**
 * Look-ups of keys, remembered per process until the key changes. Which have changed is asked for all of them at once, so that
 * neither a busy key nor one that comes once a minute costs Postgres a query of its own.
 */
import { setBounded } from '../platform/bounded-map.ts'
import type { ChangedKeys, KeyMark } from './changed-keys.ts'
import type { StoredKey } from './stored-keys.ts'

/**
 * How long a key is served after its look-up, or after changes were asked for. Counted from before the query, so that a revocation
 * holds everywhere within 5 s even where no message arrives; the second left over is for the query and the request itself.
 */
const KNOWN_TTL_MS = 4_000
/** Changes are asked for this long after the last time, while keys are served: nobody waits for it. */
const ASK_AFTER_MS = 2_000
/** Short, since nobody but a guesser gains from it; long enough to shield Postgres from one bad key in a loop. */
const UNKNOWN_TTL_MS = 1_000
/** Some 25 MB. */
const KNOWN_MAX = 50_000
const UNKNOWN_MAX = 1_000

type Found = StoredKey | null
type Entry<F extends Found> = { readonly found: F; readonly begunAt: number }

export type KeyCacheOptions = {
  /** Finds a key by its token's hash. */
  readonly find: (tokenHash: string) => Promise<Found>
  /** The same for a token that is probably a guess; it may take its time. Default: `find`. */
  readonly findSuspect?: (tokenHash: string) => Promise<Found>
  /** Whose keys have changed since a mark. */
  readonly changes: (since: KeyMark | null) => Promise<ChangedKeys>
  /** Told which generation of the database the first answer is of, and again when it is another. It must not throw. */
  readonly onGeneration?: (generation: number) => void
  /** Milliseconds that never go backwards. */
  readonly clock?: () => number
}

export class KeyCache {
  readonly #options: KeyCacheOptions
  readonly #clock: () => number
  // Apart, so that a flood of guesses cannot push the real keys out.
  readonly #known = new Map<string, Entry<StoredKey>>()
  readonly #unknown = new Map<string, Entry<null>>()
  readonly #underWay = new Map<string, Promise<Found>>()
  #mark: KeyMark | null = null
  /** When changes were asked for, the last time that it was answered. */
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(options: KeyCacheOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /**
   * The key, or null where there is none. Look-ups of one hash at the same time are one.
   * @param isSuspect whether its sender tried many that were none; a key that was seen before is looked up like any other.
   * @throws what the look-up throws, or the question for changes
   */
  async get(tokenHash: string, isSuspect = false): Promise<Found> {
    if (this.#mark === null) await this.#ask()
    const known = this.#known.get(tokenHash)
    if (known !== undefined) {
      if (this.#age(known) >= KNOWN_TTL_MS) await this.#ask()
      else if (this.#age(known) >= ASK_AFTER_MS) this.#ask().catch(() => {}) // who needs the answer asks again
      const still = this.#known.get(tokenHash)
      if (still !== undefined && this.#age(still) < KNOWN_TTL_MS) return still.found
    }
    const unknown = this.#unknown.get(tokenHash)
    if (unknown !== undefined && this.#clock() < unknown.begunAt + UNKNOWN_TTL_MS) return null
    const { find, findSuspect = find } = this.#options
    const begunAt = this.#clock()
    const found = await (this.#underWay.get(tokenHash) ??
      this.#lookUp(tokenHash, isSuspect && !known ? findSuspect : find))
    // The process may have slept since PostgreSQL answered.
    return found !== null && this.#clock() - begunAt >= KNOWN_TTL_MS ? this.#lookUp(tokenHash, find) : found
  }

  /** Forgets a key; a look-up that is under way still answers those who wait, and is not remembered. */
  evict(tokenHash: string): void {
    this.#known.delete(tokenHash)
    this.#unknown.delete(tokenHash)
    this.#underWay.delete(tokenHash)
  }

  #age({ begunAt }: Entry<StoredKey>): number {
    return this.#clock() - Math.max(begunAt, this.#askedAt)
  }

  /** One question at a time, for all who need its answer. */
  #ask(): Promise<void> {
    this.#asking ??= this.#forgetChanged().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #forgetChanged(): Promise<void> {
    const begunAt = this.#clock()
    const { mark, tenantIds } = await this.#options.changes(this.#mark)
    if (tenantIds === null || tenantIds.length > 0) {
      const changed = new Set(tenantIds)
      // Also what was found before the change, and is not here yet.
      this.#underWay.clear()
      for (const [tokenHash, { found }] of this.#known)
        if (tenantIds === null || changed.has(found.access.tenantId)) this.#known.delete(tokenHash)
    }
    if (mark.generation !== this.#mark?.generation) this.#options.onGeneration?.(mark.generation)
    this.#mark = mark
    this.#askedAt = begunAt
  }

  async #lookUp(tokenHash: string, find: KeyCacheOptions['find']): Promise<Found> {
    const begunAt = this.#clock()
    const lookUp = find(tokenHash)
    this.#underWay.set(tokenHash, lookUp)
    try {
      const found = await lookUp
      if (this.#underWay.get(tokenHash) === lookUp) this.#remember(tokenHash, found, begunAt)
      return found
    } finally {
      if (this.#underWay.get(tokenHash) === lookUp) this.#underWay.delete(tokenHash)
    }
  }

  #remember(tokenHash: string, found: Found, begunAt: number): void {
    this.evict(tokenHash)
    if (found === null) setBounded(this.#unknown, UNKNOWN_MAX, tokenHash, { found, begunAt })
    else setBounded(this.#known, KNOWN_MAX, tokenHash, { found, begunAt })
  }
}
