/** Looks for processes of earlier versions by their connections, before a migration takes away what these need. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isOlder } from '../../version.ts'
import type { MigrationRun } from './migration.ts'

const LOOK_EVERY_MS = 250

/** Processes of an earlier version serve; nothing was done. */
export class OlderProcesses extends Error {
  override name = 'OlderProcesses'

  constructor(migration: string, version: string, connections: readonly string[]) {
    super(
      `${migration} comes after the rollout of ${version}, and older processes are connected (${connections.join(', ')}): ` +
        'end them, and run it again',
    )
  }
}

/**
 * Looks for a while: connections that are idle are closed. A connection that the database address names tells nothing of its version.
 * @throws OlderProcesses
 */
export async function refuseOlder(
  { client, progress }: Pick<MigrationRun, 'client' | 'progress'>,
  { migration, version, lookMs }: { readonly migration: string; readonly version: string; readonly lookMs: number },
): Promise<void> {
  const endsAt = performance.now() + lookMs
  for (;;) {
    const { rows } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' order by 1`,
    )
    const older = rows.map(({ name }) => name).filter(name => isOlder(name, version))
    if (older.length > 0) throw new OlderProcesses(migration, version, older)
    if (performance.now() >= endsAt) return
    progress.show(`${migration}: looks for processes older than ${version}`)
    await sleep(LOOK_EVERY_MS)
  }
}
