/** `settings forget`: the step between the old and the new value of a setting that all processes must share. */
import * as v from 'valibot'
import { forgetSettings } from '../../access/shared-settings.ts'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'
import { isOfService } from '../../platform/version.ts'
import { type CliCommand, Refused } from './command.ts'

const forget: CliCommand = {
  words: ['settings', 'forget'],
  summary: 'Forget the noted QUEUE_SHARDS and kind of Redis, to change them: once all processes are stopped',
  options: {},
  details: [
    'The first process that starts notes the settings that all processes must share; one with other values does not start. Between',
    'stopping all processes and starting them with a new value, this forgets what was noted. It refuses while a process is connected.',
  ],
  changes: {},
  examples: ['settings forget', 'settings forget --json'],
  run: async (_input, world) => {
    const pool = await world.pool()
    const running = await connected(pool)
    if (running.length > 0)
      throw new Refused(`processes are connected (${running.join(', ')}): stop all of them first, and run it again`)
    const forgotten = await forgetSettings(pool)
    return {
      json: { forgotten },
      text: `${forgotten} settings were forgotten: the next process to start notes its own.`,
    }
  },
}

/** The names of the service's connections to the database. */
async function connected(pool: Pool): Promise<readonly string[]> {
  const found = await pool.any(rows(v.object({ name: v.string() }))`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' order by 1`)
  return found.map(({ name }) => name).filter(isOfService)
}

export const settingsCommands: readonly CliCommand[] = [forget]
