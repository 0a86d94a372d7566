/** Where commands run: the units of work of each cell, and the cell of a tenant (docs/decisions/0010). */

import { placeOfTenant } from '../../lib/access/cells/directory.ts'
import type { Command } from '../../lib/pipeline/command.ts'
import { inCell, MAIN } from '../../lib/platform/cells.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import type { UnitDependencies } from '../../lib/work/tenant-run.ts'
import type { Cells } from '../worker-process.ts'
import { UnitsOfCell } from './units.ts'

type Options = {
  readonly cells: Cells
  readonly log: Log
  readonly units: UnitDependencies
  readonly processName: string
}

export class WorkerCells {
  readonly #options: Options
  readonly #units: ReadonlyMap<string, UnitsOfCell>

  constructor(options: Options) {
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

  /** As `isKnown`, of the endpoints of this process. */
  knows(command: Command): boolean {
    return isKnown(command, this.#options.units)
  }

  home(command: Command | undefined): string {
    return command?.cell ?? MAIN
  }

  unitsOf(cell: string): UnitsOfCell | undefined {
    return this.#units.get(cell)
  }

  /** Where the tenant lives; undefined: the directory is away. */
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

/** Whether the endpoint of the command, of a bulk those of its entries, is known: a process of a later release may have queued another. */
export const isKnown = (command: Command, { endpointById }: Pick<UnitDependencies, 'endpointById'>): boolean =>
  (command.entries ?? [command]).every(({ endpoint }) => endpointById.has(endpoint))

/** What running commands needs of it. */
export type UnitsByCell = Pick<WorkerCells, 'isOne' | 'knows' | 'home' | 'placeOf'> & {
  readonly unitsOf: (cell: string) => Pick<UnitsOfCell, 'isCoolingDown' | 'run'> | undefined
}
