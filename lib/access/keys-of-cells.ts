/**
 * Finds keys in any cell: first where the key was the last time, else in the main cell, else where the directory has it
 * (docs/decisions/0010). This file remembers the cells of keys. The cache of each cell knows what the keys may do.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { setBounded } from '../platform/bounded-map.ts'
import { MAIN, TenantNotHere, UnknownCell } from '../platform/cells.ts'
import { isDependencyFailure } from '../platform/postgres/failures.ts'
import type { Place } from './cells/directory.ts'
import type { KeyCache } from './key-cache.ts'
import type { StoredKey } from './stored-keys.ts'

/** A key whose tenant is moving is looked up again after AGAIN_MS, for PATIENCE_MS in total. */
const AGAIN_MS = 25
const PATIENCE_MS = 2_000
/** The most keys whose cells are remembered, 100 bytes each. */
const CELLS_MAX = 100_000

type KeysOfCellsOptions = {
  /** One cache for each cell, each with its own connections: a cell that cannot be reached delays no other. */
  readonly caches: ReadonlyMap<string, KeyCache>
  /** The cells of keys outside the main one. */
  readonly directory: (tokenHash: string) => Promise<Place | null>
}

export class KeysOfCells {
  readonly #options: KeysOfCellsOptions
  readonly #cells = new Map<string, string>()

  constructor(options: KeysOfCellsOptions) {
    this.#options = options
  }

  /**
   * As `KeyCache.get`. @throws if the key's cell, or a cell that may have it, cannot be reached; TenantNotHere when its tenant is moving
   */
  async get(tokenHash: string, isSuspect = false): Promise<StoredKey | null> {
    const end = performance.now() + PATIENCE_MS
    for (let tries = 1; ; tries++) {
      const found = await this.#look(tokenHash, isSuspect)
      if (found === null || 'access' in found) return found
      // The directory's cell has no such key, and the tenant is not moving. A second look-up makes sure that the tenant did not move in
      // between.
      if (!found.isMoving && tries > 1) return null
      if (performance.now() > end) throw new TenantNotHere()
      this.evict(tokenHash)
      if (tries > 1) await delay(AGAIN_MS)
    }
  }

  /** The key; or the place that the directory names, where the key was not found. */
  async #look(tokenHash: string, isSuspect: boolean): Promise<StoredKey | Place | null> {
    const place = this.#cells.get(tokenHash)
    const known = place === undefined ? null : await this.#getIn(place, tokenHash, isSuspect)
    if (known) return known
    let at: Place | null
    try {
      const own = await this.#getIn(MAIN, tokenHash, isSuspect)
      if (own) return own
      at = await this.#options.directory(tokenHash)
    } catch (error) {
      const found = isDependencyFailure(error) ? await this.#getInOthers(tokenHash, isSuspect) : null
      if (found) return found
      throw error
    }
    if (at === null) return null
    // The main cell's answer may be older than the directory's.
    if (at.cell === MAIN) this.evict(tokenHash)
    return (await this.#getIn(at.cell, tokenHash, isSuspect)) ?? at
  }

  evict(tokenHash: string): void {
    for (const cache of this.#options.caches.values()) cache.evict(tokenHash)
  }

  async #getIn(cell: string, tokenHash: string, isSuspect: boolean): Promise<StoredKey | null> {
    const cache = this.#options.caches.get(cell)
    if (cache === undefined) throw new UnknownCell(cell)
    const found = await cache.get(tokenHash, isSuspect)
    if (found === null) this.#cells.delete(tokenHash)
    else if (this.#cells.get(tokenHash) !== cell) setBounded(this.#cells, CELLS_MAX, tokenHash, cell)
    return found
  }

  /** While the directory cannot be reached, all other cells are asked. */
  async #getInOthers(tokenHash: string, isSuspect: boolean): Promise<StoredKey | null> {
    const others = [...this.#options.caches.keys()].filter(cell => cell !== MAIN)
    const found = await Promise.allSettled(others.map(cell => this.#getIn(cell, tokenHash, isSuspect)))
    return found.map(each => (each.status === 'fulfilled' ? each.value : null)).find(key => key !== null) ?? null
  }
}
