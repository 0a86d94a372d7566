/** What a read asks with on a pool of its own, where no process serves. */
import type { Reader } from '../../lib/kit/api/endpoint.ts'
import { readerOver } from '../../lib/kit/api/look-up.ts'
import { type Pool, statement } from '../../lib/platform/postgres/postgres.ts'

export const readerOn = (pool: Pool, tenantId: string): Reader => ({
  ...readerOver(pool, tenantId),
  snapshot: work =>
    pool.transaction(async connection => {
      await connection.query(statement`set transaction isolation level repeatable read, read only`)
      return work(readerOver(connection, tenantId))
    }),
})

/**
 * The same, sending each text once: of a tenant without rows the answer is the same whatever values are bound. What is asked in a
 * snapshot is sent again.
 */
export function askingOnce(reader: Reader): Reader {
  const answers = new Map<string, Promise<unknown>>()
  const once = <Ask extends Reader['any' | 'one' | 'maybeOne']>(ask: Ask) =>
    ((query: Parameters<Ask>[0]) => {
      const answer = answers.get(query.sql) ?? ask(query)
      answers.set(query.sql, answer)
      return answer
    }) as Ask
  return { ...reader, any: once(reader.any), one: once(reader.one), maybeOne: once(reader.maybeOne) }
}
