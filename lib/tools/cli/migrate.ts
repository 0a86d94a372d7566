/**
 * `migrate`: brings the database, or all cells, to this version.
 */

import { CellNotMigrated, migrateCells } from '../../access/cells/migrate-cells.ts'
import { inCell } from '../../platform/cells.ts'
import type { Progress } from '../../platform/postgres/migrations/migration.ts'
import { OlderProcesses } from '../../platform/postgres/migrations/older.ts'
import { type CliCommand, Refused } from './command.ts'
import { explain } from './explain.ts'

export const migrateCommands: readonly CliCommand[] = [
  {
    words: ['migrate'],
    summary: 'Bring the database to this version: all cells, one after another',
    options: {
      finish: { help: 'also what the version before could not serve beside: once all processes are of this version' },
    },
    details: [
      'The version before may go on serving. A migration that finds a table held gives way within a second and is tried again for',
      'ten minutes; standard error says who holds it, and before it begins what it does to large tables.',
      'With --finish it looks for ten seconds whether older processes are connected, and refuses while one is. A new database needs',
      'no --finish. After it, do not go back to the version before.',
    ],
    changes: {},
    examples: ['migrate', 'migrate --json', 'migrate --finish'],
    run: async (input, world) => {
      const shown = lastShown(world.progress)
      const migrated = await migrateCells(await world.cells(), {
        progress: shown.progress,
        ...(input.options['finish'] !== undefined && { finishes: true }),
      }).catch(error => {
        shown.end()
        if (error instanceof OlderProcesses) throw new Refused(error.message)
        if (error instanceof CellNotMigrated) throw new Refused(`${error.message}: ${explain(error.cause)}`)
        throw error
      })
      const applied = migrated.flatMap(({ cell, applied }) => applied.map(name => inCell(cell, name)))
      shown.end(`${applied.length} migrations applied`)
      const upToDate = migrated.length === 1 ? 'The database is up to date.' : 'All cells are up to date.'
      const waiting = [...new Set(migrated.flatMap(cell => cell.waiting))]
      return {
        json: { applied, waiting },
        text: [
          ...(applied.length === 0 ? [upToDate] : applied.map(name => `applied ${name}`)),
          ...waiting.map(name => `${name} waits: run migrate --finish once all processes are of this version`),
        ].join('\n'),
      }
    },
  },
]

/** Progress whose last line ends before anything else is printed; where nothing was shown, nothing is. */
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
