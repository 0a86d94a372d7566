/** Look-ups of keys by the hashes of their tokens, gathered into few statements. */
import { Batcher } from '../platform/batcher.ts'

/** Hashes of one statement; a look-up of so many takes Postgres some milliseconds. */
const HASHES_MAX = 1_000

type FindAll<Found> = (tokenHashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>

export class KeyLookUps<Found> {
  readonly #batcher: Batcher<string, Found | null>

  /** @param pauseMs how long Postgres is left alone after each statement. */
  constructor(findAll: FindAll<Found>, { pauseMs = 0 }: { readonly pauseMs?: number } = {}) {
    this.#batcher = new Batcher<string, Found | null>({
      askAll: async hashes => {
        const found = await findAll(hashes)
        return hashes.map(hash => found.get(hash) ?? null)
      },
      max: HASHES_MAX,
      pauseMs,
    })
  }

  /** What is found of this token hash, or null. @throws what the statement throws that asked for it. */
  find(tokenHash: string): Promise<Found | null> {
    return this.#batcher.ask(tokenHash)
  }
}
