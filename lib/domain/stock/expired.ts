/** The SQL of what has expired: a batch, from the day behind its expiry date on. Days are UTC days. */
import type { Sql } from '../../kit/documents/sql.ts'

export const today: Sql = "(now() at time zone 'utc')::date"

/** The expiry date of a stock entry's batch. Entries repeat it, but those that were stored before they did. */
export const expiryOf = (entry: Sql): Sql =>
  `coalesce(${entry}.expires_on, (
    select coalesce(expiry_date, 'infinity') from batches where tenant_id = ${entry}.tenant_id and id = ${entry}.batch_id limit 1
  ))`
