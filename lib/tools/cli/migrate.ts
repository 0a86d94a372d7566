/**
 * `migrate`: brings the database, or all cells, to this version.
 */

import { CellNotMigrated, migrateCells } from '../../access/cells/migrate-cells.ts'
import { inCell } from '../../platform/cells.ts'
import type { Progress } from '../../platform/postgres/migrations/run.ts'
import { type CliCommand, Refused } from './command.ts'
import { explain } from './explain.ts'

export const migrateCommands: readonly CliCommand[] = [
  {
    words: ['migrate'],
    summary: 'Bring the database to this version: all cells, one after another',
    options: {},
    details: [
      'The release before may go on serving. A migration that finds a table held gives way within half a second and is tried again for',
      'ten minutes; standard error says who holds it.',
    ],
    changes: {},
    examples: ['migrate', 'migrate --json'],
    run: async (_input, world) => {
      const shown = lastShown(world.progress)
      const migrated = await migrateCells(await world.cells(), { progress: shown.progress }).catch(error => {
        shown.end()
        if (error instanceof CellNotMigrated) throw new Refused(`${error.message}: ${explain(error.cause)}`)
        throw error
      })
      const applied = migrated.flatMap(({ cell, applied }) => applied.map(name => inCell(cell, name)))
      shown.end(`${applied.length} migrations applied`)
      const upToDate = migrated.length === 1 ? 'The database is up to date.' : 'All cells are up to date.'
      return {
        json: { applied },
        text: applied.length === 0 ? upToDate : applied.map(name => `applied ${name}`).join('\n'),
      }
    },
  },
]

/** Progress that ends its last line before anything else is printed. Prints nothing where nothing was shown. */
function lastShown(progress: Progress): { readonly progress: Progress; end(text?: string): void } {
  let last: string | undefined
  const show = (text: string) => {
    last = text
    progress.show(text)
  }
  return {
    progress: { ...progress, show },
    end: text => {
      if (last !== undefined) progress.end(text ?? last)
    },
  }
}
