/**
 * Recognises a PostgreSQL that answers but refuses writes: its disk is full, or it is read-only (a standby,
 * `default_transaction_read_only`). It changes nothing.
 */
import * as v from 'valibot'
import { errorClass } from './failures.ts'
import { type Pool, rows, statement } from './postgres.ts'

export type RefusedWrites = 'disk full' | 'read-only'

const DISK_FULL = '53100'
/** Rows of 1,000 bytes. A full table is extended by at least this much. A write into free space of a page would prove nothing. */
const PROBE_ROWS = 1_024

/**
 * Why PostgreSQL refuses writes; undefined: it does not. The check is a read that writes a temporary file of 1 MiB (4 ms) on the database's
 * volume, so it leaves nothing in the catalogue or the write-ahead log.
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
