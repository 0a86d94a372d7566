/** The SQL of what has expired: a batch, from the day behind its expiry date on. Days are UTC days. */
import type { Sql } from '../../kit/documents/sql.ts'

export const today: Sql = "(now() at time zone 'utc')::date"
