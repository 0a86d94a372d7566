/** What a read asks with on a pool of its own, where no process serves. */
import type { Reader } from '../../lib/api/endpoint.ts'
import { readerOver } from '../../lib/api/look-up.ts'
import { type Pool, statement } from '../../lib/postgres/postgres.ts'

export const readerOn = (pool: Pool, tenantId: string): Reader => ({
  ...readerOver(pool, tenantId),
  snapshot: work =>
    pool.transaction(async connection => {
      await connection.query(statement`set transaction isolation level repeatable read, read only`)
      return work(readerOver(connection, tenantId))
    }),
})
