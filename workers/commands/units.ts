/** The units of work of one cell: gathers what is ready of many tenants; a second unit only when it is full. */
import type { TenantBatch } from '../../lib/work/tenant-run.ts'
import { alone, type Run, type RunMode, Transactions, type TransactionsOptions, UNITS_MAX } from './transactions.ts'
import { type Fitting, WaitingBatches } from './waiting-batches.ts'

type Waiting = {
  readonly tenantId: string
  readonly batch: TenantBatch
  readonly left: TenantBatch['commands']
  readonly resolve: (run: Run) => void
}

export class UnitsOfCell {
  readonly #transactions: Transactions
  readonly #waiting = new WaitingBatches<Waiting>()
  #running = 0
  #isSettling = false

  constructor(options: TransactionsOptions) {
    this.#transactions = new Transactions(options)
  }

  /** Once nothing runs any more. */
  close(): Promise<void> {
    return this.#transactions.close()
  }

  /** Whether the next batch must be refused, since the database was disconnected a moment ago. Where it need not be, it is the trial. */
  isCoolingDown(): boolean {
    return this.#transactions.isCoolingDown()
  }

  /** Does what is due of the tenants, without commands: together, and where that fails each by itself. Tenants that another has locked are left out. */
  async doDue(tenantIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    const batches = tenantIds.map(tenantId => ({ tenantId, commands: [] }))
    const runs = await this.#transactions.runTogether(batches)
    if (!runs.values().some(({ is }) => is === 'failed')) return runs
    const each = new Map<string, Run>()
    for (const batch of batches) each.set(batch.tenantId, await this.#transactions.runAlone(batch, alone))
    return each
  }

  /** What became of the batch, or of its first commands. It never rejects. */
  run(batch: TenantBatch, mode: RunMode): Promise<Run> {
    if (mode.by === 'itself') return this.#transactions.runAlone(batch, mode)
    const { promise, resolve } = Promise.withResolvers<Run>()
    this.#waiting.add({ tenantId: batch.tenantId, batch, left: batch.commands, resolve })
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
    const batches = unit.map(({ batch: { batch }, commands }) => ({ ...batch, commands }))
    const runs = await this.#transactions.runTogether(batches)
    for (const { batch: waiting } of unit) waiting.resolve(runs.get(waiting.tenantId) ?? { is: 'locked', ms: 0 })
    this.#isSettling = true
    // Run after these tenants have queued their remaining commands again, which takes some microtasks.
    process.nextTick(() => {
      this.#isSettling = false
      this.#running--
      this.#start()
    })
  }
}
