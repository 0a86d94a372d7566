/** In which generation a database is: a new one begins where commits may be gone (sql/000002_commands.sql). */
import * as v from 'valibot'
import { type Connection, rows } from './postgres.ts'

/** The generation, begun now where the database lives elsewhere than before. @throws when Postgres is away. */
export async function generationOf(connection: Connection): Promise<number> {
  const { generation } = await connection.one(rows(v.object({ generation: v.string() }))`
    select current_generation(true)::text as generation`)
  return Number(generation)
}
