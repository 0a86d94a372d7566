/**
 * Gathers what is ready of many tenants into units of work, and keeps them apart where one fails: a command that throws, times out
 * or waits for a lock costs the other tenants one repeat (alone.ts), never their answer.
 */
import type { Portion } from '../../lib/documents/unit-of-work.ts'
import { type Ended, isBulk, unavailable } from '../../lib/pipeline/command.ts'
import { turnsByKey } from '../turns.ts'
import { patiently, promptly, runAlone, singly } from './alone.ts'
import { type Listeners, type RunOptions, UnfinishedPortion } from './unfinished-portion.ts'
import { isLost, UNITS_MAX, UnitDatabase, type UnitDatabaseOptions } from './unit-database.ts'
import { type Fitting, WaitingPortions } from './waiting-portions.ts'

export type UnitRunnerOptions = UnitDatabaseOptions & Listeners

export class UnitRunner {
  readonly #listeners: Listeners
  readonly #database: UnitDatabase
  readonly #waiting = new WaitingPortions<UnfinishedPortion>()
  readonly #turns = turnsByKey()
  #running = 0

  constructor(options: UnitRunnerOptions) {
    this.#listeners = options
    this.#database = new UnitDatabase(options)
  }

  /** Once nothing runs any more. */
  close(): Promise<void> {
    return this.#database.close()
  }

  /**
   * The portion's commands with their outcomes, in their order: all of them, or the first ones where the portion was slow. It never
   * throws. A portion waits for the portions of its tenant that came before: a unit of work holds a tenant once, and whoever
   * drains the queues cannot promise it (Redis may lose the lease on a tenant).
   */
  run(portion: Portion, options: RunOptions = {}): Promise<readonly Ended[]> {
    return this.#turns(portion.tenantId, () => this.#run(portion, options))
  }

  #run(given: Portion, options: RunOptions): Promise<readonly Ended[]> {
    const portion = new UnfinishedPortion(given, { ...this.#listeners, ...options })
    if (this.#database.isResting()) portion.refuse(unavailable)
    else this.#goOn(portion)
    this.#start()
    return portion.ended
  }

  /** What is left of the portion goes where it belongs: a bulk has a transaction of its own. */
  #goOn(portion: UnfinishedPortion): void {
    const [next] = portion.left
    if (next === undefined) portion.end()
    else if (portion.options.alone) void runAlone(portion, this.#database, singly)
    else if (isBulk(next)) void runAlone(portion, this.#database, promptly)
    else this.#waiting.add(portion)
  }

  /** A second unit only when it is full, since few large ones cost less than many small ones. */
  #start(): void {
    while (!this.#waiting.isEmpty && (this.#running === 0 || (this.#running < UNITS_MAX && this.#waiting.isFull))) {
      this.#running++
      void this.#runTogether(this.#waiting.take()).finally(() => {
        this.#running--
        this.#start()
      })
    }
  }

  async #runTogether(unit: readonly Fitting<UnfinishedPortion>[]): Promise<void> {
    try {
      const results = await this.#database.runTogether(unit.map(({ portion, commands }) => portion.part(commands)))
      for (const { portion } of unit) {
        const result = results.get(portion.tenantId) ?? 'held'
        if (result === 'held') void runAlone(portion, this.#database, patiently)
        else if (result === 'gone' || result === 'moving') portion.leave(result)
        else {
          portion.add(result)
          this.#goOn(portion)
        }
      }
    } catch (error) {
      for (const { portion } of unit)
        if (isLost(error)) portion.giveUp(error)
        else void runAlone(portion, this.#database, promptly)
    }
  }
}
