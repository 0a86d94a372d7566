/** Migrates all cells to this version, one after another, the main cell first. A run that was interrupted continues at the next start. */

import { MAIN } from '../../platform/cells.ts'
import type { CellSetting } from '../../platform/config.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import type { Progress } from '../../platform/postgres/migrations/run.ts'

export type MigratedCell = { readonly cell: string; readonly applied: readonly string[] }

/** A further cell could not be migrated. The cells before it are migrated. The cause says why. */
export class CellNotMigrated extends Error {
  override name = 'CellNotMigrated'

  constructor(cell: string, cause: unknown) {
    super(`the cell ${cell} could not be migrated (run it again to go on from there)`, { cause })
  }
}

export type MigrateCellsOptions = {
  readonly onCell?: (migrated: MigratedCell) => void
  readonly progress?: Progress
}

/** @throws CellNotMigrated; for the main cell what `migrate` throws */
export async function migrateCells(
  cells: readonly Pick<CellSetting, 'name' | 'databaseUrl'>[],
  { onCell, progress }: MigrateCellsOptions = {},
): Promise<readonly MigratedCell[]> {
  const done: MigratedCell[] = []
  for (const { name: cell, databaseUrl } of cells) {
    const words = (text: string) => (cell === MAIN ? text : `cell ${cell}: ${text}`)
    const named = progress && {
      show: (text: string) => progress.show(words(text)),
      end: (text: string) => progress.end(words(text)),
    }
    try {
      const applied = await migrate(databaseUrl, { ...(named && { progress: named }) })
      done.push({ cell, applied })
      onCell?.({ cell, applied })
    } catch (error) {
      if (cell === MAIN) throw error
      throw new CellNotMigrated(cell, error)
    }
  }
  return done
}
