/** Owns trying what reconciling finds: a change of records behind the service's back, which is taken back after the proof. */
import { type Fragment, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { type Fault, reconcileIn } from '../../lib/tools/reconcile/reconcile.ts'

const TAKEN_BACK = new Error('taken back')

/** The faults of the tenant after the change, which nobody else sees. */
export async function faultsAfter(pool: Pool, tenantId: string, change: Fragment): Promise<readonly Fault[]> {
  let found: readonly Fault[] = []
  const tried = pool.transaction(async connection => {
    // Only so can a movement be changed: as the owner of the table, past the trigger.
    await connection.query(statement`set local session_replication_role = replica`)
    await connection.query(statement`${change}`)
    found = (await reconcileIn(connection, tenantId)).faults
    throw TAKEN_BACK
  })
  await tried.catch(error => {
    if (error !== TAKEN_BACK) throw error
  })
  return found
}

/** The names of the checks that found them, each once, sorted. */
export const checksOf = (faults: readonly Fault[]): string[] => [...new Set(faults.map(({ check }) => check))].sort()
