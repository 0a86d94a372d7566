/** The batches that wait for a unit of work with others, and what of them fits into the next one. */
import { type Command, isBulk, weightOf } from '../../lib/pipeline/command.ts'

/** Commands of one unit of work, at most. 16 share nearly all that can be shared; see docs/performance.md. */
export const COMMANDS_MAX = 32
/** Those of one tenant that nobody waits beside: the entries of a bulk, which come together. */
const COMMANDS_MAX_OF_ONE = 128
/** Rows that the commands of one unit bring along, at most; one that brings more runs by itself. */
const ROWS_MAX = 400

export type Fitting<P> = { readonly batch: P; readonly commands: readonly Command[] }

export class WaitingBatches<P extends { readonly tenantId: string; readonly left: readonly Command[] }> {
  /** In the order in which they go next. */
  #batches: P[] = []

  get isEmpty(): boolean {
    return this.#batches.length === 0
  }

  add(batch: P): void {
    this.#batches.push(batch)
  }

  /** Whether they fill a unit. */
  get isFull(): boolean {
    const unit = new Room(COMMANDS_MAX)
    return this.#batches.some(({ left }) => left.some(command => !unit.take(command) || unit.isFull))
  }

  /**
   * Takes out those that have a part in the next unit: as much as fits, of each no more than its share while others wait. A tenant has
   * one batch in a unit at most, and none overtakes an earlier one of its tenant.
   */
  take(): Fitting<P>[] {
    const countMax = this.#batches.length === 1 ? COMMANDS_MAX_OF_ONE : COMMANDS_MAX
    const share = Math.max(1, Math.floor(countMax / this.#batches.length))
    const unit = new Room(countMax)
    const taken: Fitting<P>[] = []
    const others: P[] = []
    const seen = new Set<string>()
    for (const batch of this.#batches) {
      const commands: Command[] = []
      if (seen.has(batch.tenantId)) {
        others.push(batch)
        continue
      }
      seen.add(batch.tenantId)
      for (const command of batch.left) {
        // A bulk has a transaction of its own.
        if (commands.length === share || isBulk(command) || !unit.take(command)) break
        commands.push(command)
      }
      if (commands.length > 0) taken.push({ batch, commands })
      else others.push(batch)
    }
    this.#batches = others
    return taken
  }
}

/** What is free in a unit. */
class Room {
  readonly #countMax: number
  #count = 0
  #rows = 0

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get isFull(): boolean {
    return this.#count >= this.#countMax || this.#rows >= ROWS_MAX
  }

  /** Whether there was room for it. */
  take(command: Command): boolean {
    const rows = weightOf(command)
    if (this.isFull || (this.#count > 0 && this.#rows + rows > ROWS_MAX)) return false
    this.#count++
    this.#rows += rows
    return true
  }
}
