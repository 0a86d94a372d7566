/** The event feed, as its list shows it. */
import * as v from 'valibot'
import type { Row } from '../kit/api/endpoint.ts'
import { type Beginning, direction } from '../kit/api/page-order.ts'
import { type Connection, rows, sql } from '../platform/postgres/postgres.ts'

const LAST_SEQUENCE = '9223372036854775807'

const EventRow = v.object({ id: v.string(), document: v.string() })

/** A page of the event feed, with bodies as delivered. The positions come from the index alone, so rare kinds are found quickly too. */
export async function listEvents(
  connection: Connection,
  page: Beginning & {
    readonly tenantId: string
    readonly types: readonly string[] | undefined
    readonly afterSequence: number | undefined
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const { tenantId, types, afterSequence, after, order, limit } = page
  const above = order === 'asc' ? (after ?? String(afterSequence ?? 0)) : String(afterSequence ?? 0)
  const below = order === 'asc' || after === null ? LAST_SEQUENCE : after
  const way = direction(order)
  const found =
    types === undefined
      ? sql.fragment`
        select tenant_id, sequence, created_at from events
        where tenant_id = ${tenantId}::bigint and sequence > ${above}::bigint and sequence < ${below}::bigint
        order by sequence ${way}
        limit ${limit}`
      : sql.fragment`
        select e.* from unnest(${sql.array([...types], 'text')}) k (type)
        cross join lateral (
          -- A kind stands in bounds and order, so that no other index than that of kinds serves.
          select tenant_id, sequence, created_at from events
          where tenant_id = ${tenantId}::bigint and (type, sequence) > (k.type, ${above}::bigint)
            and (type, sequence) < (k.type, ${below}::bigint)
          order by type ${way}, sequence ${way}
          limit ${limit}
        ) e
        order by e.sequence ${way}
        limit ${limit}`
  return connection.any(rows(EventRow)`
    with found as materialized (${found})
    select e.sequence::text as id, e.body as document
    from found
    -- Bounds of its time, so that a row is looked for in its period only; no index by time serves them.
    join events e on e.tenant_id = found.tenant_id and e.sequence = found.sequence
      and e.created_at >= found.created_at and e.created_at <= found.created_at
    order by e.sequence ${way}`)
}
