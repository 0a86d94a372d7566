/** Runs commands where their tenant lives: a unit of work holds tenants of one cell (docs/decisions/0010). */
import { MAIN } from '../../lib/cells/cells.ts'
import { type Place, placeOfTenant } from '../../lib/cells/directory.ts'
import type { Portion } from '../../lib/documents/unit-of-work.ts'
import { type Ended, outcomeIn, unavailable } from '../../lib/pipeline/command.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import type { Cells } from '../worker-process.ts'
import type { RunOptions } from './unfinished-portion.ts'
import { UnitRunner, type UnitRunnerOptions } from './unit-runner.ts'

type Options = {
  readonly cells: Cells
  readonly log: Log
  /** What the units of a cell are run with. */
  readonly optionsOf: (cell: string) => Omit<UnitRunnerOptions, 'databaseUrl' | 'rests'>
}

export class CellRunners {
  readonly #options: Options
  readonly #runners: ReadonlyMap<string, UnitRunner>

  constructor(options: Options) {
    const { cells, optionsOf } = options
    this.#options = options
    this.#runners = new Map(
      cells.map(({ name, databaseUrl }) => [
        name,
        new UnitRunner({ ...optionsOf(name), databaseUrl, rests: cells.length > 1 }),
      ]),
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runners.values()].map(runner => runner.close()))
  }

  /** As `UnitRunner.run`: where the tenant's key was found, else where the directory says. */
  async run(portion: Portion, options: RunOptions): Promise<readonly Ended[]> {
    const cell = portion.commands[0]?.cell ?? MAIN
    if (this.#runners.size === 1) return this.#runIn(cell, portion, options)
    let isGone = false
    const onGone = () => {
      isGone = true
    }
    const ended = await this.#runIn(cell, portion, { ...options, onGone })
    if (!isGone) return ended
    const place = await this.#placeOf(portion.tenantId)
    const rest = { ...portion, commands: portion.commands.slice(ended.length) }
    if (place === undefined) return [...ended, ...refuseAll(rest, options)]
    const others = await this.#runIn(place.cell, rest, {
      ...options,
      onEnded: others =>
        options.onEnded?.(others.map(({ command, outcome }) => ({ command, outcome: outcomeIn(place.cell, outcome) }))),
      // On its way it may be in neither cell for a moment.
      ...(place.isMoving && options.onMoving ? { onGone: options.onMoving } : {}),
    })
    return [...ended, ...others]
  }

  async #runIn(cell: string, portion: Portion, options: RunOptions): Promise<readonly Ended[]> {
    return this.#runners.get(cell)?.run(portion, options) ?? refuseAll(portion, options)
  }

  /** Undefined: the directory is away. */
  async #placeOf(tenantId: string): Promise<Place | undefined> {
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

/** The cell is not there for this process, or nobody can say which it is: a retry may find it. */
function refuseAll({ commands }: Portion, { onEnded }: RunOptions): readonly Ended[] {
  const ended = commands.map(command => ({ command, outcome: unavailable }))
  onEnded?.(ended)
  return ended
}
