/** The wait of a process that starts while PostgreSQL is away, as it waits for Redis. */
import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionError } from 'slonik'
import type { CellSetting } from '../config.ts'
import { openClient } from './client.ts'
import { errorClass, isDependencyFailure } from './failures.ts'

const TRY_AGAIN_MS = 500
/** PgBouncer refuses what it does not know with this code. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * Resolves when all databases have answered.
 * @param onAway told at each try that fails.
 * @throws what no waiting mends: a refused user, a certificate, a database that is not there, SharedSessions.
 */
export async function untilReached(
  cells: readonly CellSetting[],
  onAway: (error: unknown, cell: string) => void,
): Promise<void> {
  const reach = async ({ name, databaseUrl }: CellSetting) => {
    while (!(await answers(databaseUrl, error => onAway(error, name)))) await delay(TRY_AGAIN_MS)
  }
  await Promise.all(cells.map(reach))
}

async function answers(databaseUrl: string, onAway: (error: unknown) => void): Promise<boolean> {
  try {
    const { end } = await openClient(databaseUrl, { fallback_application_name: 'millrace start' })
    await end()
    return true
  } catch (error) {
    // What is not known to be an absence was made a ConnectionError (connect.ts).
    const isAway = isDependencyFailure(error) && !(error instanceof ConnectionError)
    if (!isAway || errorClass(error) === PROTOCOL_VIOLATION) throw error
    onAway(error)
    return false
  }
}
