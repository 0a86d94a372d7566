/**
 * The queries of event streams: the tenant's last event, new events of many tenants at once, and stored events of one tenant. A tenant's
 * sequence commits in order, and its only gaps are noted ones. So a reader that has read up to a number has missed nothing.
 */

import * as v from 'valibot'
import { invalid, type Refusal } from '../kit/api/errors.ts'
import { type Connection, fixedFragment, jsonParameter, rows, sql } from '../platform/postgres/postgres.ts'

/** An event of a stream. `body` is the same as in `GET /events`. */
export type StreamEvent = { readonly sequence: number; readonly type: string; readonly body: string }

/** The most bodies of one tenant in one statement: those that begin within BYTES_MAX bytes, and at most EVENTS_MAX. */
const BYTES_MAX = 128 * 1024
const EVENTS_MAX = 200
/** Counting stops at this number of waiting events. Even with the smallest bodies, these are more than may wait for a stream. */
const MEASURED_MAX = 8_192

/** The limit is part of the text: for a bound parameter, PostgreSQL would plan for a tenth of the tenant's rows. */
const firstOf = (rowsMax: number) => fixedFragment(`order by sequence limit ${rowsMax}`)

/** A position of a stream: events of a tenant after a sequence, of some types or of all. */
export type Behind = {
  readonly tenantId: string
  readonly after: number
  readonly types: readonly string[] | undefined
}

/**
 * The first events after a sequence. Bounds and order contain the type, so that only the index of types fits. The limit of types is a
 * parameter: for a few rows PostgreSQL would sort all events of one period after the other, instead of beginning in each period.
 */
const behind = ({ tenantId, after, types }: Behind, rowsMax: number) =>
  types === undefined
    ? sql.fragment`(
        select * from events where tenant_id = ${tenantId}::bigint and sequence > ${after}::bigint ${firstOf(rowsMax)}
      )`
    : sql.fragment`(
        select e.* from unnest(${sql.array([...types], 'text')}) k (type)
        cross join lateral (
          select * from events
          where tenant_id = ${tenantId}::bigint and (type, sequence) > (k.type, ${after}::bigint)
            and (type, sequence) < (k.type, 9223372036854775807)
          order by type, sequence limit ${rowsMax}
        ) e
        order by e.sequence limit ${rowsMax}
      )`

/**
 * Whether the event after a sequence is still kept: it has the next number, or the first number after skipped ones
 * (sql/000002_commands.sql). The query uses a limit, because `exists` may read many rows.
 */
const isKept = (tenantId: string, after: number) => sql.fragment`
  coalesce((
    select true from events
    where tenant_id = ${tenantId}::bigint and sequence = 1 + coalesce((
      select until_sequence from event_gaps where tenant_id = ${tenantId}::bigint and after_sequence = ${after}::bigint limit 1
    ), ${after}::bigint)
    limit 1
  ), false)`

const Ends = v.object({ last: v.string(), isKept: v.boolean() })

/**
 * The tenant's last event (0: none yet), and whether a reader can continue after `after`: there are no later events, or all of them are
 * kept. Null for an unknown tenant.
 */
export async function eventsBehind(
  connection: Connection,
  { tenantId, after }: { readonly tenantId: string; readonly after: number },
): Promise<{ readonly last: number; readonly isKept: boolean } | null> {
  const found = await connection.maybeOne(rows(Ends)`
    select event_sequence::text as last, event_sequence <= ${after}::bigint or ${isKept(tenantId, after)} as "isKept"
    from tenant_streams where tenant_id = ${tenantId}::bigint`)
  return found && { last: Number(found.last), isKept: found.isKept }
}

const EventRow = v.object({
  last: v.string(),
  sequence: v.nullable(v.string()),
  type: v.nullable(v.string()),
  body: v.nullable(v.string()),
})
type EventRow = v.InferOutput<typeof EventRow>

const eventsOf = (found: readonly EventRow[]): StreamEvent[] =>
  found.flatMap(({ sequence, type, body }) =>
    sequence === null || type === null || body === null ? [] : [{ sequence: Number(sequence), type, body }],
  )

/** A tenant's last event, and its first events after the given sequence. */
export type News = { readonly tenantId: string; readonly last: number; readonly events: readonly StreamEvent[] }

/**
 * The new events of many tenants in one statement. Tenants without new events are left out. Without `wanted`, only the last sequence is
 * read.
 */
export async function newEvents(
  connection: Connection,
  tenants: readonly { readonly tenantId: string; readonly after: number; readonly isWanted: boolean }[],
): Promise<readonly News[]> {
  const asked = jsonParameter(
    tenants.map(({ tenantId, after, isWanted }) => ({ tenant_id: tenantId, after, wanted: isWanted })),
  )
  const found = await connection.any(rows(v.object({ tenantId: v.string(), ...EventRow.entries }))`
    select q.tenant_id::text as "tenantId", s.event_sequence::text as last, e.sequence::text as sequence, e.type, e.body
    from jsonb_to_recordset(${asked}::jsonb) as q (tenant_id bigint, after bigint, wanted boolean)
    cross join lateral (select event_sequence from tenant_streams where tenant_id = q.tenant_id limit 1) s
    left join lateral (
      select sequence, type, body from (
        select sequence, type, body, sum(octet_length(body)) over (order by sequence) - octet_length(body) as before
        from (
          select sequence, type, body from events
          where q.wanted and tenant_id = q.tenant_id and sequence > q.after ${firstOf(EVENTS_MAX)}
        ) next
      ) measured
      where before < ${BYTES_MAX}
    ) e on true
    where s.event_sequence <> q.after
    order by q.tenant_id, e.sequence`)
  return [...Map.groupBy(found, row => row.tenantId)].map(([tenantId, of]) => ({
    tenantId,
    last: Number(of[0]?.last),
    events: eventsOf(of),
  }))
}

/** A part of the stored events, and the sequence up to which the reader then has all of them. */
export type StoredPage = {
  readonly events: readonly StreamEvent[]
  readonly upTo: number
  readonly last: number
  /** False when events between `after` and the first event may be gone. */
  readonly isKept: boolean
}

/** The tenant's next stored events. Null for an unknown tenant. */
export async function storedEvents(connection: Connection, asked: Behind): Promise<StoredPage | null> {
  const { tenantId, after } = asked
  const Row = v.object({ ...EventRow.entries, isKept: v.boolean(), found: v.nullable(v.string()) })
  const page = await connection.any(rows(Row)`
    select s.event_sequence::text as last, s.event_sequence <= ${after}::bigint or ${isKept(tenantId, after)} as "isKept",
      e.found::text as found, e.sequence::text as sequence, e.type, e.body
    from tenant_streams s
    left join lateral (
      select sequence, type, body, found from (
        select sequence, type, body, count(*) over () as found,
          sum(octet_length(body)) over (order by sequence) - octet_length(body) as before
        from ${behind(asked, EVENTS_MAX)} next
      ) measured
      where before < ${BYTES_MAX}
    ) e on true
    where s.tenant_id = ${tenantId}::bigint
    order by e.sequence`)
  const [first] = page
  if (first === undefined) return null
  const events = eventsOf(page)
  const last = Number(first.last)
  const isAll = events.length === Number(first.found ?? 0) && events.length < EVENTS_MAX
  return { events, last, upTo: isAll ? last : (events.at(-1)?.sequence ?? after), isKept: first.isKept }
}

/** Bytes of the bodies after a sequence. Counting stops at `MEASURED_MAX` events. */
export async function bytesBehind(connection: Connection, asked: Behind): Promise<number> {
  const { bytes } = await connection.one(rows(v.object({ bytes: v.string() }))`
    select coalesce(sum(octet_length(body)), 0)::text as bytes from ${behind(asked, MEASURED_MAX)} waiting`)
  return Number(bytes)
}

/**
 * Refuses to begin after an event that does not exist yet, or that is followed by removed events.
 * @param field the field that names the beginning
 */
export function refuseBeginning(
  field: string,
  after: number,
  { last, isKept }: { readonly last: number; readonly isKept: boolean },
): Refusal | undefined {
  if (after > last) return invalid(field, `lies ahead of the last event, ${last}`)
  return isKept
    ? undefined
    : invalid(field, 'events behind it are no longer kept: read the records anew, and follow from there')
}
