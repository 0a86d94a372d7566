/**
 * Caches look-ups of keys in each process until the key changes. One query asks for the changes of all keys, so no key needs a query of its
 * own, however often it is used.
 */
import { setBounded } from '../platform/bounded-map.ts'
import type { ChangedKeys, KeyMark } from './changed-keys.ts'
import type { StoredKey } from './stored-keys.ts'

/**
 * How long a key is served after its look-up, or after the last query for changes, counted from before the query. So a revocation is
 * effective everywhere within 5 s, even if no message arrives. The fifth second is for the query and the request.
 */
const KNOWN_TTL_MS = 4_000
/** While keys are used, the next query for changes is sent this long after the last one. No request waits for it. */
const ASK_AFTER_MS = 2_000
/** Short, because only a guesser gains from it, but long enough to protect PostgreSQL from one wrong key in a loop. */
const UNKNOWN_TTL_MS = 1_000
/** The most known keys in the cache, about 25 MB. */
const KNOWN_MAX = 50_000
const UNKNOWN_MAX = 1_000

type Found = StoredKey | null
type Entry<F extends Found> = { readonly found: F; readonly begunAt: number }

export type KeyCacheOptions = {
  /** Finds a key by its token's hash. */
  readonly find: (tokenHash: string) => Promise<Found>
  /** As `find`, for a token that is probably a guess. It may be slow. Default: `find`. */
  readonly findSuspect?: (tokenHash: string) => Promise<Found>
  /** The tenants whose keys have changed since a mark. */
  readonly changes: (since: KeyMark | null) => Promise<ChangedKeys>
  /** Called with the generation of the first answer, and with each other generation later. It must not throw. */
  readonly onGeneration?: (generation: number) => void
  /** A clock in milliseconds that never goes backwards. */
  readonly clock?: () => number
}

export class KeyCache {
  readonly #options: KeyCacheOptions
  readonly #clock: () => number
  // Two maps, so that many guesses cannot remove known keys.
  readonly #known = new Map<string, Entry<StoredKey>>()
  readonly #unknown = new Map<string, Entry<null>>()
  readonly #underWay = new Map<string, Promise<Found>>()
  #mark: KeyMark | null = null
  /** When the last answered query for changes was sent. */
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(options: KeyCacheOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /**
   * The key, or null if there is none. Look-ups of one hash at the same time share one query.
   * @param isSuspect whether the sender tried many invalid keys. A key that was seen before is looked up as any other.
   * @throws what the look-up or the query for changes throws
   */
  async get(tokenHash: string, isSuspect = false): Promise<Found> {
    if (this.#mark === null) await this.#ask()
    const known = this.#known.get(tokenHash)
    if (known !== undefined) {
      if (this.#age(known) >= KNOWN_TTL_MS) await this.#ask()
      else if (this.#age(known) >= ASK_AFTER_MS) this.#ask().catch(() => {}) // a request that needs the answer repeats the query
      const still = this.#known.get(tokenHash)
      if (still !== undefined && this.#age(still) < KNOWN_TTL_MS) return still.found
    }
    const unknown = this.#unknown.get(tokenHash)
    if (unknown !== undefined && this.#clock() < unknown.begunAt + UNKNOWN_TTL_MS) return null
    const { find, findSuspect = find } = this.#options
    const begunAt = this.#clock()
    const found = await (this.#underWay.get(tokenHash) ??
      this.#lookUp(tokenHash, isSuspect && !known ? findSuspect : find))
    // The process may have been suspended since PostgreSQL answered.
    return found !== null && this.#clock() - begunAt >= KNOWN_TTL_MS ? this.#lookUp(tokenHash, find) : found
  }

  /** Removes a key. A running look-up still answers its callers, but is not cached. */
  evict(tokenHash: string): void {
    this.#known.delete(tokenHash)
    this.#unknown.delete(tokenHash)
    this.#underWay.delete(tokenHash)
  }

  #age({ begunAt }: Entry<StoredKey>): number {
    return this.#clock() - Math.max(begunAt, this.#askedAt)
  }

  /** One query at a time. All that need its answer share it. */
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
      // Running look-ups may have found a key before its change.
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
