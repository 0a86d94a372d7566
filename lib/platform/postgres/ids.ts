/** Takes ids before their rows are written, where a statement cannot take them itself, as on Citus (docs/decisions/0010). */
import * as v from 'valibot'
import { type Connection, rows } from './postgres.ts'

/** New ids, rising. */
export async function takeIds(connection: Connection, count: number): Promise<readonly string[]> {
  if (count === 0) return []
  const taken = await connection.any(rows(v.object({ id: v.string() }))`
    select nextval('ids') as id from generate_series(1, ${count}::integer)`)
  return taken.map(({ id }) => id)
}

/** A new id. */
export async function takeId(connection: Connection): Promise<string> {
  const [id = ''] = await takeIds(connection, 1)
  return id
}
