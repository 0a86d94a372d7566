/** Owns trying what reconciling finds: a change of records behind the service's back, which is taken back after the proof. */
import assert from 'node:assert/strict'
import { type Fragment, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { type Fault, reconcileIn } from '../../lib/tools/reconcile/reconcile.ts'
import { faultsOf } from '../../lib/tools/reconcile/slices.ts'
import { checks } from '../../lib/tools/reconcile/stock.ts'

const TAKEN_BACK = new Error('taken back')

/** The faults of the tenant after the change, which nobody else sees. */
export async function faultsAfter(pool: Pool, tenantId: string, change: Fragment): Promise<readonly Fault[]> {
  let found: readonly Fault[] = []
  const tried = pool.transaction(async connection => {
    // Only so can a movement be changed: as the owner of the table, past the trigger.
    await connection.query(statement`set local session_replication_role = replica`)
    await connection.query(statement`${change}`)
    found = (await reconcileIn(connection, tenantId)).faults
    for (const check of checks.filter(({ name }) => found.some(fault => fault.check === name))) {
      const expected = found.filter(fault => fault.check === check.name)
      // Beside traffic, the same check runs over several tenants.
      const beside = await faultsOf(connection, check, [tenantId, '1'])
      assert.deepEqual(
        beside.map(row => ({ check: check.name, ...row })),
        expected,
      )
    }
    throw TAKEN_BACK
  })
  await tried.catch(error => {
    if (error !== TAKEN_BACK) throw error
  })
  return found
}

/** The names of the checks that found them, each once, sorted. */
export const checksOf = (faults: readonly Fault[]): string[] => [...new Set(faults.map(({ check }) => check))].sort()
