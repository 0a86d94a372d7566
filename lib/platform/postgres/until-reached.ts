/** Waits at the start of a process until PostgreSQL answers, as for Redis. */
import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionError } from 'slonik'
import type { CellSetting } from '../config.ts'
import { refusalOf } from '../redis/refusals.ts'
import { openClient } from './client.ts'
import { errorClass, isDependencyFailure } from './failures.ts'

const TRY_AGAIN_MS = 500
/** PgBouncer's code for requests that it does not know. */
const PROTOCOL_VIOLATION = '08P01'

/**
 * Resolves when all databases have answered.
 * @param onAway called at each failed try
 * @throws failures that waiting does not repair: a refused user, a certificate, a missing database, SharedSessions
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
    // A failure of unknown kind became a ConnectionError (connect.ts).
    const isAway = isDependencyFailure(error) && !(error instanceof ConnectionError) && refusalOf(error) === undefined
    if (!isAway || errorClass(error) === PROTOCOL_VIOLATION) throw error
    onAway(error)
    return false
  }
}
