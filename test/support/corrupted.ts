/** Owns trying what reconciling finds: a change of records behind the service's back, which is taken back after the proof. */
import assert from 'node:assert/strict'
import { type Fragment, fixedFragment, type Pool, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { type Fault, reconcileIn } from '../../lib/tools/reconcile/reconcile.ts'
import { faultsOf } from '../../lib/tools/reconcile/slices.ts'
import { checks } from '../../lib/tools/reconcile/stock.ts'
import type { Tests } from './suite.ts'

const TAKEN_BACK = new Error('taken back')

/** What is changed of a tenant, and the checks that find it: all of them. */
export type Corruption = {
  readonly what: string
  readonly how: (tenantId: string) => Fragment
  readonly checks: readonly string[]
}

/** Sets columns of the tenant's rows, or of those that the condition takes. */
export const rowsOf =
  (table: string, set: string, where = 'true') =>
  (tenantId: string): Fragment =>
    sql.fragment`
      update ${sql.identifier([table])} set ${fixedFragment(set)}
      where tenant_id = ${tenantId}::bigint and ${fixedFragment(where)}`

/** The same of the first of these rows alone. */
export const firstRow =
  (table: string, set: string, where = 'true') =>
  (tenantId: string): Fragment =>
    sql.fragment`
      update ${sql.identifier([table])} set ${fixedFragment(set)} where tenant_id = ${tenantId}::bigint and id = (
        select min(id) from ${sql.identifier([table])} where tenant_id = ${tenantId}::bigint and ${fixedFragment(where)})`

/** A test for each: reconciling finds it, and tells it of nobody else. */
export function findsEach(
  test: Tests,
  corruptions: readonly Corruption[],
  tenant: () => { readonly pool: Pool; readonly id: string },
): void {
  for (const { what, how, checks } of corruptions)
    test.serial(`reconciling finds what was tampered with: ${what}`, async t => {
      const { pool, id } = tenant()
      const faults = await faultsAfter(pool, id, how(id))
      t.deepEqual(checksOf(faults), [...checks].sort())
      t.true(faults.every(fault => fault.tenant_id === id && fault.expected !== fault.found))
    })
}

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
