/** The units of work of one cell: gathers what is ready of many tenants; a second unit only when it is full. */
import type { Portion } from '../../lib/work/tenant-run.ts'
import { type Care, promptly, type Run, type Units } from './jobs.ts'
import { Transactions, type TransactionsOptions, UNITS_MAX } from './transactions.ts'
import { type Fitting, WaitingPortions } from './waiting-portions.ts'

type Waiting = {
  readonly tenantId: string
  readonly portion: Portion
  readonly left: Portion['commands']
  readonly resolve: (run: Run) => void
}

export class UnitsOfCell implements Units {
  readonly #transactions: Transactions
  readonly #waiting = new WaitingPortions<Waiting>()
  #running = 0
  #isSettling = false

  constructor(options: TransactionsOptions) {
    this.#transactions = new Transactions(options)
  }

  /** Once nothing runs any more. */
  close(): Promise<void> {
    return this.#transactions.close()
  }

  isResting(): boolean {
    return this.#transactions.isResting()
  }

  /** Does what is due of the tenants, without commands: together, and where that fails each by itself. Tenants that another holds are left out. */
  async doDue(tenantIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    const portions = tenantIds.map(tenantId => ({ tenantId, commands: [] }))
    const runs = await this.#transactions.runTogether(portions)
    if (!runs.values().some(({ is }) => is === 'failed')) return runs
    const alone = new Map<string, Run>()
    for (const portion of portions) alone.set(portion.tenantId, await this.#transactions.runAlone(portion, promptly))
    return alone
  }

  run(portion: Portion, care: Care): Promise<Run> {
    if (care.by === 'itself') return this.#transactions.runAlone(portion, care)
    const { promise, resolve } = Promise.withResolvers<Run>()
    this.#waiting.add({ tenantId: portion.tenantId, portion, left: portion.commands, resolve })
    this.#start()
    return promise
  }

  /** A second unit only when it is full, since few large ones cost less than many small ones. */
  #start(): void {
    while (this.#mayStart()) {
      this.#running++
      void this.#runTogether(this.#waiting.take())
    }
  }

  #mayStart(): boolean {
    if (this.#isSettling || this.#waiting.isEmpty) return false
    return this.#running === 0 || (this.#running < UNITS_MAX && this.#waiting.isFull)
  }

  async #runTogether(unit: readonly Fitting<Waiting>[]): Promise<void> {
    const portions = unit.map(({ portion: { portion }, commands }) => ({ ...portion, commands }))
    const runs = await this.#transactions.runTogether(portions)
    for (const { portion: waiting } of unit) waiting.resolve(runs.get(waiting.tenantId) ?? { is: 'held', ms: 0 })
    this.#isSettling = true
    // Run after these tenants have queued their remaining commands again, which takes some microtasks.
    process.nextTick(() => {
      this.#isSettling = false
      this.#running--
      this.#start()
    })
  }
}
