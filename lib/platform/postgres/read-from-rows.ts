/** A condition that prevents answers from an index alone. */
import { type Fragment, sql } from './postgres.ts'

/**
 * True for every row, and needs the row itself. Without it PostgreSQL may answer from an index that contains all columns of a statement,
 * although it must then read every entry of the tenant: `(tenant_id, item_id, id)` for the item of a variant's id. For an average tenant
 * with few entries that is cheaper than a read of one row. For a huge tenant it is far too slow.
 */
export const readFromRows = (alias: string): Fragment => sql.fragment`${sql.identifier([alias, 'ctid'])} <> '(0,0)'`
