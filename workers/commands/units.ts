/**
 * The units of work of each cell (docs/decisions/0010): gathers the ready batches of many tenants and gives each tenant a share. A second
 * unit starts only when it is full.
 */
import { placeOfTenant } from '../../lib/access/cells/directory.ts'
import { type Command, isBulk, weightOf } from '../../lib/pipeline/command.ts'
import { inCell, MAIN } from '../../lib/platform/cells.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import type { TenantBatch, UnitDependencies } from '../../lib/work/tenant-run.ts'
import type { Cells } from '../worker-process.ts'
import {
  alone,
  aloneAndWaiting,
  type Run,
  type RunMode,
  Transactions,
  type TransactionsOptions,
  UNITS_MAX,
} from './transactions.ts'

/** The most commands of one unit of work. 16 commands already share nearly all that can be shared; see docs/performance.md. */
export const COMMANDS_MAX = 32
/** The most commands of one tenant if no other tenant waits. Entries of a bulk stay together. */
const COMMANDS_MAX_OF_ONE = 128
/** The most rows that the commands of one unit may bring. A command that brings more runs alone. */
const ROWS_MAX = 400

type CellsOptions = {
  readonly cells: Cells
  readonly log: Log
  readonly units: UnitDependencies
  readonly processName: string
}

/** Where commands run: the units of work of each cell, and the cell of a tenant. */
export class WorkerCells {
  readonly #options: CellsOptions
  readonly #units: ReadonlyMap<string, UnitsOfCell>

  constructor(options: CellsOptions) {
    const { cells, units, processName } = options
    this.#options = options
    const coolsDown = cells.length > 1
    this.#units = new Map(
      cells.map(({ name, databaseUrl }) => [
        name,
        new UnitsOfCell({ ...units, databaseUrl, coolsDown, processName: inCell(name, processName) }),
      ]),
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.#units.values()].map(units => units.close()))
  }

  get isOne(): boolean {
    return this.#units.size === 1
  }

  /** `isKnown` for the endpoints of this process. */
  knows(command: Command): boolean {
    return isKnown(command, this.#options.units)
  }

  home(command: Command | undefined): string {
    return command?.cell ?? MAIN
  }

  unitsOf(cell: string): UnitsOfCell | undefined {
    return this.#units.get(cell)
  }

  /** The cell of a tenant; undefined: the directory cannot be reached. */
  async placeOf(tenantId: string): Promise<{ readonly cell: string; readonly isMoving: boolean } | undefined> {
    const { cells, log } = this.#options
    return placeOfTenant(cells[0].pool, tenantId).then(
      ({ cell, isMoving }) => ({ cell: cell ?? MAIN, isMoving }),
      error => {
        log.warn({ err: error, tenant_id: tenantId }, 'the directory of cells is away')
        return undefined
      },
    )
  }
}

/**
 * Whether this process knows the endpoint of the command; of a bulk, the endpoints of its entries. A process of a later release may have
 * queued an unknown one.
 */
export const isKnown = (command: Command, { endpointById }: Pick<UnitDependencies, 'endpointById'>): boolean =>
  (command.entries ?? [command]).every(({ endpoint }) => endpointById.has(endpoint))

/** The part of WorkerCells that running commands needs. */
export type UnitsByCell = Pick<WorkerCells, 'isOne' | 'knows' | 'home' | 'placeOf'> & {
  readonly unitsOf: (cell: string) => Pick<UnitsOfCell, 'isCoolingDown' | 'run'> | undefined
}

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

  /** Call it when nothing runs any more. */
  close(): Promise<void> {
    return this.#transactions.close()
  }

  /**
   * Whether the next batch must be refused because the database was disconnected a moment ago. After the cool-down the next batch is the
   * trial.
   */
  isCoolingDown(): boolean {
    return this.#transactions.isCoolingDown()
  }

  /**
   * Does the due work of the tenants, without commands: together, and if that fails for each tenant alone. Locked tenants are left out, or
   * with `waits` waited for.
   */
  async doDue(tenantIds: readonly string[], { waits }: { readonly waits: boolean }): Promise<ReadonlyMap<string, Run>> {
    const batches = tenantIds.map(tenantId => ({ tenantId, commands: [] }))
    const runs = await this.#transactions.runShared(batches)
    const isAgain = runs.values().some(({ is }) => is === 'failed')
      ? () => true
      : (tenantId: string) => waits && runs.get(tenantId)?.is === 'locked'
    const mode = waits ? aloneAndWaiting : alone
    const each = new Map(runs)
    for (const batch of batches)
      if (isAgain(batch.tenantId)) each.set(batch.tenantId, await this.#transactions.runAlone(batch, mode))
    return each
  }

  /** The result of the batch, or of its first commands. Never rejects. */
  run(batch: TenantBatch, mode: RunMode): Promise<Run> {
    if (mode.by === 'itself') return this.#transactions.runAlone(batch, mode)
    const { promise, resolve } = Promise.withResolvers<Run>()
    this.#waiting.add({ tenantId: batch.tenantId, batch, left: batch.commands, resolve })
    this.#start()
    return promise
  }

  /** A second unit starts only when it is full: few large units cost less than many small ones. */
  #start(): void {
    while (this.#mayStart()) {
      this.#running++
      void this.#runShared(this.#waiting.take())
    }
  }

  #mayStart(): boolean {
    if (this.#isSettling || this.#waiting.isEmpty) return false
    return this.#running === 0 || (this.#running < UNITS_MAX && this.#waiting.isFull)
  }

  async #runShared(unit: readonly Fitting<Waiting>[]): Promise<void> {
    const batches = unit.map(({ batch: { batch }, commands }) => ({ ...batch, commands }))
    const runs = await this.#transactions.runShared(batches)
    for (const { batch: waiting } of unit) waiting.resolve(runs.get(waiting.tenantId) ?? { is: 'locked', ms: 0 })
    this.#isSettling = true
    // Runs after these tenants have queued their remaining commands again, which takes some microtasks.
    process.nextTick(() => {
      this.#isSettling = false
      this.#running--
      this.#start()
    })
  }
}

type Fitting<P> = { readonly batch: P; readonly commands: readonly Command[] }

/** The batches that wait for a unit with others, and the choice of what fits into the next unit. */
export class WaitingBatches<P extends { readonly tenantId: string; readonly left: readonly Command[] }> {
  /** In the order of the next units. */
  #batches: P[] = []

  get isEmpty(): boolean {
    return this.#batches.length === 0
  }

  add(batch: P): void {
    this.#batches.push(batch)
  }

  /** Whether the waiting batches fill a unit. */
  get isFull(): boolean {
    const unit = new UnitSpace(COMMANDS_MAX)
    return this.#batches.some(({ left }) => left.some(command => !unit.add(command) || unit.isFull))
  }

  /**
   * Removes and returns the commands of the next unit: as many as fit, and no more per tenant than its share while others wait. A tenant
   * has at most one batch in a unit, and no batch overtakes an earlier one of its tenant.
   */
  take(): Fitting<P>[] {
    const countMax = this.#batches.length === 1 ? COMMANDS_MAX_OF_ONE : COMMANDS_MAX
    const share = Math.max(1, Math.floor(countMax / this.#batches.length))
    const unit = new UnitSpace(countMax)
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
        if (commands.length === share || isBulk(command) || !unit.add(command)) break
        commands.push(command)
      }
      if (commands.length > 0) taken.push({ batch, commands })
      else others.push(batch)
    }
    this.#batches = others
    return taken
  }
}

/** The space that is left in a unit. */
class UnitSpace {
  readonly #countMax: number
  #count = 0
  #rows = 0

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get isFull(): boolean {
    return this.#count >= this.#countMax || this.#rows >= ROWS_MAX
  }

  /** Whether the command fits. If so, it is counted. */
  add(command: Command): boolean {
    const rows = weightOf(command)
    if (this.isFull || (this.#count > 0 && this.#rows + rows > ROWS_MAX)) return false
    this.#count++
    this.#rows += rows
    return true
  }
}
