/**
 * The statements that write security telemetry: batches of counts, the daily keys of network hashes, retention. Other files decide what is
 * counted, and when.
 */
import * as v from 'valibot'
import {
  type Connection,
  jsonParameter,
  rows,
  statement,
  type WritingConnection,
} from '../platform/postgres/postgres.ts'
import type { Batch } from './batch.ts'

/** The result of a batch. `isNew` is false when this writer has added it before. Rows of tenants that do not live here are left out. */
export type Added = { readonly isNew: boolean; readonly elsewhere: readonly string[] }

const AddedRow = v.object({ is_new: v.boolean(), elsewhere: v.string() })

/**
 * Adds a batch once. It is one statement, so one transaction. A second try waits for the first one's row lock on the writer, then finds the
 * number used. Rows are only inserted, so that processes never wait for each other; the hash only tells batches apart.
 */
export async function addBatch(
  connection: Connection,
  writer: { readonly id: string; readonly batchNumber: number },
  batch: Batch,
): Promise<Added> {
  const added = await connection.one(rows(AddedRow)`
    with writer as (
      insert into security_writers (writer, last_batch, written_at) select ${writer.id}, ${writer.batchNumber}, now()
      on conflict (writer) do update set last_batch = excluded.last_batch, written_at = excluded.written_at
      where security_writers.last_batch < excluded.last_batch
      returning 1
    ), tenants_here as materialized (
      select q.tenant_id, s.is_here
      from (select distinct tenant_id from jsonb_to_recordset(${jsonParameter(batch)}::jsonb) as entry (tenant_id bigint)) q
      left join lateral (select true as is_here from tenant_streams where tenant_id = q.tenant_id limit 1) s on true
    ), counts as (
      insert into security_recent
        (tenant_id, hour, batch, place, second, key_id, metric, method, route, count, network, network_before)
      select tenant_id, hour, hashtextextended(${writer.id}, ${writer.batchNumber}), place, second, key_id, metric, method,
        route, count, decode(network, 'hex'), decode(network_before, 'hex')
      from rows from (
        jsonb_to_recordset(${jsonParameter(batch)}::jsonb) as (
          tenant_id bigint, hour integer, second smallint, key_id bigint, metric smallint, method text, route text,
          count integer, network text, network_before text)
      ) with ordinality as entry(
        tenant_id, hour, second, key_id, metric, method, route, count, network, network_before, place)
      where exists (select from writer) and tenant_id in (select tenant_id from tenants_here where is_here)
    )
    select exists (select from writer) as is_new, (
      select coalesce(json_agg(tenant_id::text), '[]')::text from tenants_here where is_here is null
    ) as elsewhere`)
  return { isNew: added.is_new, elsewhere: JSON.parse(added.elsewhere) as string[] }
}

const KeyRow = v.object({ day: v.string(), key: v.string() })

/**
 * The network keys (hex) of these days, by day (`2026-11-21`). `fresh` becomes the key of a day that has none. Of two processes at once the
 * first one's key counts.
 */
export async function networkKeys(
  connection: WritingConnection,
  days: readonly { readonly day: string; readonly fresh: string }[],
): Promise<ReadonlyMap<string, string>> {
  await connection.query(statement`
    insert into security_network_keys (day, key)
    select day, decode(fresh, 'hex') from jsonb_to_recordset(${jsonParameter(days)}::jsonb) as entry(day date, fresh text)
    order by day
    on conflict (day) do nothing`)
  // A statement of its own: it sees what another process has just committed.
  const found = await connection.any(rows(KeyRow)`
    select day::text as day, encode(key, 'hex') as key from security_network_keys
    where day in (select day from jsonb_to_recordset(${jsonParameter(days)}::jsonb) as entry(day date))`)
  return new Map(found.map(({ day, key }) => [day, key]))
}

/** Weeks of partitions made in advance: housekeeping may fail for a month before one is missing. */
const WEEKS_AHEAD = 5
/** One day more than 90, so that a window that began 90 days ago is complete. */
export const KEPT_DAYS = 91

/**
 * Removes the keys of network hashes that are older than 8 days: without its key a hash cannot be traced to a network. A chore of its own,
 * so that nothing else can delay it.
 * @returns how many
 */
export async function forgetNetworkKeys(connection: WritingConnection): Promise<number> {
  const { rowCount } = await connection.query(statement`
    delete from security_network_keys where day <= (now() at time zone 'UTC')::date - 8`)
  return rowCount
}

/**
 * Retention of the counts: makes partitions for the next weeks, removes writers that were silent for a day, and drops partitions wholly
 * older than 90 days. Each is a statement of its own. Dropping comes last, because it waits for readers and may wait long.
 * @returns what it removed, in tables and rows
 */
export async function tidySecurityTelemetry(connection: WritingConnection): Promise<number> {
  await connection.query(statement`
    select from make_security_partitions((now() at time zone 'UTC')::date, ${WEEKS_AHEAD})`)
  const { rowCount } = await connection.query(statement`
    delete from security_writers where written_at < now() - interval '1 day'`)
  const { dropped } = await connection.one(rows(v.object({ dropped: v.number() }))`
    select drop_security_partitions((now() at time zone 'UTC')::date - ${KEPT_DAYS}::int) as dropped`)
  return rowCount + dropped
}
