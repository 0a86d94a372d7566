/** A condition that keeps Postgres from answering out of an index alone. */
import { type Fragment, sql } from './postgres.ts'

/**
 * True of every row, and asks the row itself. Without it an index that happens to hold all columns that a statement asks for
 * answers alone, though their order makes it read every entry of the tenant: `(tenant_id, item_id, id)` for the item of a
 * variant's id. For the average tenant, who has few, that is cheaper than one look at a row; for a huge one it is ruin.
 */
export const readFromRows = (alias: string): Fragment => sql.fragment`${sql.identifier([alias, 'ctid'])} <> '(0,0)'`
