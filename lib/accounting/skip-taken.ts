/**
 * Moves a tenant's counter past the numbers that callers took (contract 1, "Document numbers"). It must not load or write
 * any document.
 */
import * as v from 'valibot'
import type { CommandContext } from '../api/endpoint.ts'
import { type DocumentKind, documentPrefixes, documentTable, NUMBER_DIGITS_MIN } from '../store/document-number.ts'
import { rows, sql } from '../store/postgres.ts'

/**
 * Numbers that one statement walks over at most, so that it stays far from the statement timeout: 20,000 take about 90 ms.
 * Who migrated with more of them costs one more statement for each so many.
 */
const WALK_MAX = 20_000

const Walked = v.object({ used: v.number() })

/**
 * Uses up the next numbers as long as they are taken, so that the one after them is free. One round trip, which looks at the
 * taken ones one by one in the index: a tenant's numbers are text of any form, whose order says nothing about gaps.
 */
export async function skipTaken(
  { connection, tenant, numbers }: Pick<CommandContext, 'connection' | 'tenant' | 'numbers'>,
  kind: DocumentKind,
): Promise<void> {
  for (;;) {
    const before = numbers.used(kind)
    // A scalar subquery, not `exists`, which may be answered by hashing all documents of the tenant.
    const { used } = await connection.one(rows(Walked)`
      with recursive walk (used) as (
        select ${before}::int
        union all
        select used + 1 from walk
        where used < ${before + WALK_MAX}::int and (
          select true from ${sql.identifier([documentTable(kind)])}
          where tenant_id = ${tenant.id}::bigint and number = ${documentPrefixes[kind]} || '-'
            || lpad((used + 1)::text, greatest(length((used + 1)::text), ${NUMBER_DIGITS_MIN}::int), '0')
        )
      )
      select max(used) as used from walk`)
    numbers.skipTo(kind, used)
    if (used < before + WALK_MAX) return
  }
}
