/**
 * Look-ups of keys, remembered for less than five seconds per process, so that a busy key costs Postgres a query every few
 * seconds.
 */
import type { StoredKey } from './keys.ts'

/**
 * Counted from before the query, so that a revocation holds everywhere within 5 s even where no message arrives
 *; the second left over is for the query and the request itself.
 */
const KNOWN_TTL_MS = 4_000
/** Short, since nobody but a guesser gains from it; long enough to shield Postgres from one bad key in a loop. */
const UNKNOWN_TTL_MS = 1_000
const KNOWN_MAX = 10_000
const UNKNOWN_MAX = 1_000

type Found = StoredKey | null
type Entry = { readonly found: Found; readonly staleAt: number }

export type KeyCacheOptions = {
  /** Finds a key by its token's hash. */
  readonly find: (tokenHash: string) => Promise<Found>
  /** The same for a token that is probably a guess; it may take its time. Default: `find`. */
  readonly findSuspect?: (tokenHash: string) => Promise<Found>
  /** Milliseconds that never go backwards. */
  readonly clock?: () => number
}

export class KeyCache {
  readonly #options: KeyCacheOptions
  readonly #clock: () => number
  // Apart, so that a flood of guesses cannot push the real keys out.
  readonly #known = new Map<string, Entry>()
  readonly #unknown = new Map<string, Entry>()
  readonly #underWay = new Map<string, Promise<Found>>()

  constructor(options: KeyCacheOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /**
   * The key, or null where there is none. Look-ups of one hash at the same time are one.
   * @param isSuspect whether its sender tried many that were none; a key that was seen before is looked up like any other.
   * @throws what the look-up throws
   */
  async get(tokenHash: string, isSuspect = false): Promise<Found> {
    const known = this.#known.get(tokenHash)
    const entry = known ?? this.#unknown.get(tokenHash)
    if (entry !== undefined && this.#clock() < entry.staleAt) return entry.found
    const { find, findSuspect = find } = this.#options
    return this.#underWay.get(tokenHash) ?? this.#lookUp(tokenHash, isSuspect && !known ? findSuspect : find)
  }

  /** Forgets a key; a look-up that is under way still answers those who wait, and is not remembered. */
  evict(tokenHash: string): void {
    this.#known.delete(tokenHash)
    this.#unknown.delete(tokenHash)
    this.#underWay.delete(tokenHash)
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
    if (found === null) put(this.#unknown, UNKNOWN_MAX, tokenHash, { found, staleAt: begunAt + UNKNOWN_TTL_MS })
    else put(this.#known, KNOWN_MAX, tokenHash, { found, staleAt: begunAt + KNOWN_TTL_MS })
  }
}

/** Adds an entry; the one that was looked up longest ago makes room. */
function put(entries: Map<string, Entry>, sizeMax: number, tokenHash: string, entry: Entry): void {
  const oldest = entries.size >= sizeMax ? entries.keys().next().value : undefined
  if (oldest !== undefined) entries.delete(oldest)
  entries.set(tokenHash, entry)
}
