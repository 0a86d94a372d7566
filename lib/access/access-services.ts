/** Builds what a server process needs to check access, once at its start. It opens no connection of its own. */

import { Batcher } from '../platform/limits/batcher.ts'
import type { Pool } from '../platform/postgres/postgres.ts'
import type { Redis } from '../platform/redis/redis.ts'
import { cellsOfKeys } from './cells/directory.ts'
import { changedKeys } from './changed-keys.ts'
import { FailedAttempts } from './failed-attempts.ts'
import type { Identifier } from './identify.ts'
import { KeyCache, type KeyCacheOptions } from './key-cache.ts'
import { onKeyChange } from './key-changes.ts'
import { KeysOfCells } from './keys-of-cells.ts'
import { RateLimit } from './rate.ts'
import { findKeys } from './stored-keys.ts'

/** The pause between look-ups of keys that are probably guesses. With it guesses cost PostgreSQL ten statements a second, not thousands. */
const SUSPECT_PAUSE_MS = 100
/** The most hashes in one statement. PostgreSQL looks up this many in some milliseconds. */
const HASHES_MAX = 1_000

export type AccessServices = Identifier & {
  readonly rate: RateLimit
  readonly trustProxy: boolean
}

type CellPool = { readonly name: string; readonly pool: Pool }

type AccessOptions = {
  /** The main cell comes first. */
  readonly cells: readonly [CellPool, ...CellPool[]]
  /** A connection whose commands fail at once while Redis cannot be reached, so that access never waits. */
  readonly redis: Redis
  /** As in `RateLimit`. */
  readonly tagOf: (tenantId: string) => string
  readonly subscriber: Redis
  readonly trustProxy: boolean
  /** As in `KeyCacheOptions`, for each cell. */
  readonly onGeneration?: (generation: number, cell: string) => void
}

export function createAccess(options: AccessOptions): AccessServices {
  const keys = openKeyCache(options.cells, options)
  onKeyChange(options.subscriber, change => keys.evict(change.tokenHash))
  return {
    keys,
    failedAttempts: new FailedAttempts(options.redis),
    rate: new RateLimit(options.redis, options.tagOf),
    trustProxy: options.trustProxy,
  }
}

type CacheOptions = Pick<AccessOptions, 'onGeneration'> & Pick<KeyCacheOptions, 'clock'>

/** Look-ups use at most two connections of a cell, however many callers there are: one of them is for probable guesses. */
export function openKeyCache(cells: AccessOptions['cells'], options: CacheOptions = {}): Identifier['keys'] {
  const [main] = cells
  const caches = new Map(cells.map(cell => [cell.name, openCache(cell, options)]))
  const only = caches.size === 1 ? caches.get(main.name) : undefined
  return only ?? new KeysOfCells({ caches, directory: lookUps(hashes => cellsOfKeys(main.pool, hashes)) })
}

function openCache({ name, pool }: CellPool, { onGeneration, clock }: CacheOptions): KeyCache {
  const findAll = (tokenHashes: readonly string[]) => findKeys(pool, tokenHashes, name)
  return new KeyCache({
    find: lookUps(findAll),
    findSuspect: lookUps(findAll, SUSPECT_PAUSE_MS),
    changes: since => changedKeys(pool, since),
    ...(onGeneration ? { onGeneration: generation => onGeneration(generation, name) } : {}),
    ...(clock ? { clock } : {}),
  })
}

/**
 * Look-ups by the hashes of tokens, batched into few statements.
 * @param pauseMs the pause after each statement
 */
function lookUps<Found>(
  findAll: (tokenHashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
  pauseMs = 0,
): (tokenHash: string) => Promise<Found | null> {
  const batcher = new Batcher<string, Found | null>({
    askAll: async take => {
      const hashes = take()
      const found = await findAll(hashes)
      return hashes.map(hash => found.get(hash) ?? null)
    },
    max: HASHES_MAX,
    pauseMs,
  })
  return tokenHash => batcher.ask(tokenHash)
}
