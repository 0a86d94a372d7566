/** Whose keys have changed since a moment: what a cache of keys asks, for all of them at once. */
import * as v from 'valibot'
import { generationOf } from '../platform/postgres/generation.ts'
import { type Connection, rows } from '../platform/postgres/postgres.ts'

/**
 * Up to where changes of keys are known: all transactions below `transaction` of this generation of the database are. `at`: when,
 * in ms since 1970 of Postgres's clock.
 */
export type KeyMark = { readonly generation: number; readonly transaction: bigint; readonly at: number }

/** Tenants whose keys changed since a mark, and the next mark. Null: it is not known which, any may have. */
export type ChangedKeys = { readonly mark: KeyMark; readonly tenantIds: readonly string[] | null }

/** Changes are kept for a day (sql/000001_tenants.sql), so that a mark is good for half of one. */
const MARK_MS_MAX = 12 * 3_600_000
/** Not null: of what can have no rows Citus asks no node, and the coordinator counts transactions on its own. */
const ABOVE_ALL = 2n ** 63n - 1n

/**
 * Whose keys changed by commits that the statement which gave `since` did not show. It also learns whether the database lives
 * elsewhere now (sql/000002_commands.sql).
 */
export async function changedKeys(connection: Connection, since: KeyMark | null): Promise<ChangedKeys> {
  const generation = await generationOf(connection)
  const Row = v.object({ transaction: v.string(), at: v.string(), tenantIds: v.string() })
  const found = await connection.one(rows(Row)`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, iso(now()) as at, (
      select coalesce(json_agg(distinct tenant_id::text), '[]')::text from key_changes
      where changed_by >= ${String(since?.transaction ?? ABOVE_ALL)}::xid8
    ) as "tenantIds"`)
  const mark = {
    generation,
    transaction: BigInt(found.transaction),
    at: Date.parse(found.at),
  }
  const isGood =
    since !== null &&
    mark.generation === since.generation &&
    // Of a database that was set back unnoticed the numbers are lower.
    mark.transaction >= since.transaction &&
    mark.at - since.at < MARK_MS_MAX
  return { mark, tenantIds: isGood ? (JSON.parse(found.tenantIds) as string[]) : null }
}
