/**
 * Checks a database by its own records: balances equal the movements, and the sums of its documents are right. It only reads. stock.ts has
 * the list of checks.
 */
import * as v from 'valibot'
import { type Connection, createPool, type Pool, rows, sql } from '../../platform/postgres/postgres.ts'
import { checks } from './stock.ts'

export type Fault = {
  readonly tenant_id: string
  /** Name of the check. */
  readonly check: string
  /** The record, as text. */
  readonly subject: string
  readonly expected: string
  readonly found: string
}

export type Reconciliation = {
  /** How many tenants were checked. */
  readonly tenants: number
  /** Names of the checks, in the order in which they ran. */
  readonly checks: readonly string[]
  /** At most `FAULTS_MAX` per check. */
  readonly faults: readonly Fault[]
}

export const FAULTS_MAX = 100
/** A check reads all movements once; a hundred million take minutes. */
export const STATEMENT_TIMEOUT_MS = 30 * 60 * 1000

export const FaultRow = v.object({
  tenant_id: v.string(),
  subject: v.string(),
  expected: v.string(),
  found: v.string(),
})

/** Runs every check on one tenant, or on all, in one snapshot: commands may run meanwhile. `tenants` is 0 when there is no such tenant. */
export async function reconcile(databaseUrl: string, tenantId?: string): Promise<Reconciliation> {
  const pool = await createPool(databaseUrl, {
    name: 'millrace reconcile',
    size: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    return await reconcileOn(pool, tenantId)
  } finally {
    await pool.end()
  }
}

/** The same on a pool that stays open: a connection that has run the checks before plans them in a tenth of the time. */
export const reconcileOn = (pool: Pool, tenantId?: string): Promise<Reconciliation> =>
  pool.connect(connection =>
    connection.transaction(async snapshot => {
      await snapshot.query(sql.type(v.object({}))`set transaction isolation level repeatable read, read only`)
      return reconcileIn(snapshot, tenantId)
    }),
  )

/** The same in a transaction: whether it sees one snapshot is up to the caller. */
export async function reconcileIn(snapshot: Connection, tenantId?: string): Promise<Reconciliation> {
  // A moving tenant has incomplete rows, or two copies. It is checked after its arrival.
  const stays = sql.fragment`tenant_id <> all (array(select tenant_id from tenants where moving is not null))`
  const only = tenantId === undefined ? stays : sql.fragment`tenant_id = ${tenantId}::bigint and ${stays}`
  const { tenants } = await snapshot.one(rows(v.object({ tenants: v.string() }))`
    select count(*) as tenants from tenants where ${only}
  `)
  const faults: Fault[] = []
  for (const { name, faultRows } of checks) {
    // Materialized: if the planner sees the order and the limit, it joins tenant by tenant, in quadratic time (2.9 million movements: 6 s
    // with it, minutes without).
    const found = await snapshot.any(rows(FaultRow)`
      with f as materialized (select * from (${faultRows}) found where ${only})
      select f.tenant_id::text as tenant_id, f.subject, coalesce(f.expected::text, 'none') as expected,
        coalesce(f.found::text, 'none') as found
      from f
      order by f.tenant_id, f.subject
      limit ${FAULTS_MAX}
    `)
    faults.push(...found.map(row => ({ check: name, ...row })))
  }
  return { tenants: Number(tenants), checks: checks.map(({ name }) => name), faults }
}
