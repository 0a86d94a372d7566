/** The generation of a database. A new one begins where commits may be lost (sql/000002_commands.sql). */
import * as v from 'valibot'
import { type Connection, rows } from './postgres.ts'

/** The generation. Begins a new one where the database now lives on another server. @throws if PostgreSQL cannot be reached */
export async function generationOf(connection: Connection): Promise<number> {
  const { generation } = await connection.one(rows(v.object({ generation: v.string() }))`
    select current_generation(true)::text as generation`)
  return Number(generation)
}
