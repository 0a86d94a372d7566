/**
 * Tells a PostgreSQL that is there and takes no writes: its disk is full, or it is read-only (a standby, `default_transaction_read_only`).
 * It changes nothing.
 */
import * as v from 'valibot'
import { errorClass } from './failures.ts'
import { type Pool, rows, statement } from './postgres.ts'

export type RefusedWrites = 'disk full' | 'read-only'

const DISK_FULL = '53100'
/** Of 1,000 bytes: a table that is full of rows is given at least so much anew. What has room in a page tells nothing. */
const PROBE_ROWS = 1_024

/**
 * Why it takes no writes; undefined: it takes them. A statement that reads writes a temporary file of 1 MiB (4 ms) on the volume of the
 * database, so that nothing is left in the catalogue or the write-ahead log.
 */
export async function refusedWrites(pool: Pool): Promise<RefusedWrites | undefined> {
  try {
    const { isReadOnly } = await pool.transaction(async connection => {
      await connection.query(statement`set local work_mem = '64kB'`)
      return connection.one(rows(v.object({ isReadOnly: v.boolean() }))`
        with file as materialized (select repeat('x', 1000) from generate_series(1, ${PROBE_ROWS}::integer))
        select current_setting('transaction_read_only') = 'on' as "isReadOnly" from file group by 1`)
    })
    return isReadOnly ? 'read-only' : undefined
  } catch (error) {
    if (errorClass(error) === DISK_FULL) return 'disk full'
    throw error
  }
}
