/**
 * `migrate`: brings the database to this version.
 */
import { migrate } from '../postgres/migrate.ts'
import type { CliCommand } from './command.ts'

export const migrateCommands: readonly CliCommand[] = [
  {
    words: ['migrate'],
    summary: 'Bring the database to this version',
    options: {},
    examples: ['migrate', 'migrate --json'],
    run: async (_input, world) => {
      const { applied } = await migrate(await world.databaseUrl())
      return {
        json: { applied },
        text: applied.length === 0 ? 'The database is up to date.' : applied.map(name => `applied ${name}`).join('\n'),
      }
    },
  },
]
