/** Owns a revocation of which a message alone can tell: no server process finds a note of it in Postgres. */
import type { KeyChange } from '../../lib/access/key-changes.ts'
import { revokeKey } from '../../lib/access/keys.ts'
import { type Pool, statement } from '../../lib/platform/postgres/postgres.ts'

/** Revokes a key; gives what the message is to say. */
export const revokeUnnoted = (
  pool: Pool,
  { tenantId, keyId }: { readonly tenantId: string; readonly keyId: string },
): Promise<KeyChange> =>
  pool.transaction(async transaction => {
    const change = await revokeKey(transaction, keyId)
    if (change === null) throw new Error(`no key ${keyId}`)
    await transaction.query(statement`delete from key_changes where tenant_id = ${tenantId}::bigint`)
    return change
  })
