/** Gives what the release before wrote its place in the books, tenant by tenant, in bounded steps (sql/000074_books_before.sql). */
import * as v from 'valibot'
import { type Pool, rows, sql } from '../../../platform/postgres/postgres.ts'

/** So many movements are entered together, in about a second: meanwhile the commands of the tenant wait. */
const MOVEMENTS_MAX = 5_000

/**
 * Enters the next movements of one tenant that has some without an entry, and behind the last of them books what its documents lack. It holds
 * the tenant's lock: entries of a tenant commit with rising ids.
 * @returns how many movements it entered; 0: there are none
 */
export async function enterBefore(pool: Pool): Promise<number> {
  const found = await pool.maybeOne(rows(v.object({ tenant_id: v.string() }))`
    select tenant_id::text as tenant_id from stock_movements where entry_id is null limit 1`)
  if (found === null) return 0
  return pool.transaction(async connection => {
    const living = await connection.maybeOne(rows(v.object({ tenant_id: v.string() }))`
      select tenant_id::text as tenant_id from tenant_streams where tenant_id = ${found.tenant_id}::bigint for update`)
    if (living === null) return 0
    const { entered } = await connection.one(rows(v.object({ entered: v.number() }))`
      select enter_movements(${found.tenant_id}::bigint, ${MOVEMENTS_MAX}) as entered`)
    const isLast = sql.fragment`not exists (select from stock_movements where tenant_id = ${found.tenant_id}::bigint and entry_id is null)`
    await connection.query(rows(v.unknown())`select book_documents(${found.tenant_id}::bigint) where ${isLast}`)
    return entered
  })
}
