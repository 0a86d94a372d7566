/** The event feed, as its list shows it. */
import * as v from 'valibot'
import type { Row } from '../api/endpoint.ts'
import { type Connection, rows, sql } from '../postgres/postgres.ts'

const EventRow = v.object({ id: v.string(), document: v.string() })

/** A page of the event feed: bodies as delivered. The positions come from the index alone, also where few are of the kind. */
export async function listEvents(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly type: string | undefined
    readonly afterSequence: string
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const ofType = page.type === undefined ? sql.fragment`` : sql.fragment`and type = ${page.type}`
  return connection.any(rows(EventRow)`
    with found as materialized (
      select tenant_id, sequence from events
      where tenant_id = ${page.tenantId}::bigint and sequence > ${page.afterSequence}::bigint ${ofType}
      order by sequence
      limit ${page.limit}
    )
    select e.sequence::text as id, e.body as document
    from found join events e using (tenant_id, sequence)
    order by e.sequence`)
}
