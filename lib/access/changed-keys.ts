/** Finds the tenants whose keys changed since a moment. A key cache calls this once for all its keys. */
import * as v from 'valibot'
import { generationOf } from '../platform/postgres/generation.ts'
import { type Connection, rows } from '../platform/postgres/postgres.ts'

/**
 * A point up to which changes of keys are known: all transactions below `transaction` in this generation of the database. `at`: ms since
 * 1970 by PostgreSQL's clock.
 */
export type KeyMark = { readonly generation: number; readonly transaction: bigint; readonly at: number }

/** Tenants whose keys changed since a mark, and the next mark. Null: the keys of any tenant may have changed. */
export type ChangedKeys = { readonly mark: KeyMark; readonly tenantIds: readonly string[] | null }

/** Changes are kept for a day (sql/000001_tenants.sql). A mark is valid for half a day. */
const MARK_MS_MAX = 12 * 3_600_000
/** A number instead of null: for a part without rows Citus asks no node, and the coordinator's own transaction numbers would count. */
const ABOVE_ALL = 2n ** 63n - 1n

/**
 * The tenants whose keys changed in commits that the statement of `since` did not see. Also finds out whether the database now runs on
 * another server (sql/000002_commands.sql).
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
    // A database that was restored without notice has lower numbers.
    mark.transaction >= since.transaction &&
    mark.at - since.at < MARK_MS_MAX
  return { mark, tenantIds: isGood ? (JSON.parse(found.tenantIds) as string[]) : null }
}
