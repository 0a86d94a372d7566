/** The new ids of an imported tenant's records: each old id has one, and they rise in the same order. */

import { takeIds } from '../../platform/postgres/ids.ts'
import type { WritingConnection } from '../../platform/postgres/postgres.ts'

const FIRST_PLACES = 1_024
const TAKEN_AT_ONCE = 10_000
/** The key of no place or batch. */
const NONE = 0n

/** Uses 16 bytes for each old id. */
export class NewIds {
  #old = new BigInt64Array(FIRST_PLACES)
  #new = new BigInt64Array()
  #noted = 0

  /** Notes an old id. It may be noted already. */
  note(id: string): void {
    const old = BigInt(id)
    if (old === NONE) return
    if (this.#noted === this.#old.length) this.#makeRoom()
    this.#old[this.#noted++] = old
  }

  /** Takes a new id for each noted one. */
  async take(connection: WritingConnection): Promise<void> {
    this.#sort()
    this.#new = new BigInt64Array(this.#noted)
    for (let at = 0; at < this.#noted; at += TAKEN_AT_ONCE) {
      const taken = await takeIds(connection, Math.min(TAKEN_AT_ONCE, this.#noted - at))
      this.#new.set(taken.map(BigInt), at)
    }
    this.#new.sort()
  }

  /** @throws Error for an id that was not noted */
  of(id: string): string {
    const old = BigInt(id)
    if (old === NONE) return id
    let [from, to] = [0, this.#noted]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#old[middle] ?? NONE) < old) from = middle + 1
      else to = middle
    }
    if (this.#old[from] !== old) throw new Error(`the id ${id} was not noted`)
    return String(this.#new[from])
  }

  #makeRoom(): void {
    this.#sort()
    if (this.#noted * 2 <= this.#old.length) return
    const more = new BigInt64Array(this.#old.length * 2)
    more.set(this.#old)
    this.#old = more
  }

  /** Sorts the ids and keeps each once. */
  #sort(): void {
    const sorted = this.#old.subarray(0, this.#noted).sort()
    this.#noted = 0
    for (const id of sorted) if (this.#noted === 0 || this.#old[this.#noted - 1] !== id) this.#old[this.#noted++] = id
  }
}
