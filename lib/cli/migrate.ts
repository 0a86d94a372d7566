/**
 * `migrate`: brings the database, or all cells, to this version.
 */
import { inCell } from '../cells/cells.ts'
import { CellNotMigrated, migrateCells } from '../cells/migrate-cells.ts'
import { type CliCommand, Refused } from './command.ts'
import { explain } from './explain.ts'

export const migrateCommands: readonly CliCommand[] = [
  {
    words: ['migrate'],
    summary: 'Bring the database to this version: all cells, one after another',
    options: {},
    examples: ['migrate', 'migrate --json'],
    run: async (_input, world) => {
      const migrated = await migrateCells(await world.cells()).catch(error => {
        if (error instanceof CellNotMigrated) throw new Refused(`${error.message}: ${explain(error.cause)}`)
        throw error
      })
      const applied = migrated.flatMap(({ cell, applied }) => applied.map(name => inCell(cell, name)))
      const upToDate = migrated.length === 1 ? 'The database is up to date.' : 'All cells are up to date.'
      return {
        json: { applied },
        text: applied.length === 0 ? upToDate : applied.map(name => `applied ${name}`).join('\n'),
      }
    },
  },
]
