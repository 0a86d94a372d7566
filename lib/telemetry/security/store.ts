/**
 * The statements that write security telemetry: batches of counts, the daily keys of network hashes, retention. What is
 * counted, and when, is decided elsewhere.
 */
import * as v from 'valibot'
import {
  type Connection,
  jsonParameter,
  rows,
  sql,
  statement,
  type WritingConnection,
} from '../../postgres/postgres.ts'
import type { Batch } from './batch.ts'
import { countedMetrics } from './counted.ts'

const separator = sql.fragment`, `
const columns = sql.join(
  countedMetrics.map(metric => sql.identifier([metric])),
  separator,
)
const columnTypes = sql.join(
  countedMetrics.map(metric => sql.fragment`${sql.identifier([metric])} integer`),
  separator,
)
const columnSums = sql.join(
  countedMetrics.map(metric => {
    const column = sql.identifier([metric])
    return sql.fragment`${column} = t.${column} + excluded.${column}`
  }),
  separator,
)

/**
 * Adds a batch, once: false when this writer has added it before. One statement, so one transaction. A second try waits for
 * the first one's row lock on the writer, then finds the number taken. Rows are taken in the order of their primary keys, so
 * that processes which add to the same rows wait for each other instead of deadlocking.
 */
export async function addBatch(
  connection: Connection,
  writer: { readonly id: string; readonly batchNumber: number },
  batch: Batch,
): Promise<boolean> {
  const added = await connection.one(rows(v.object({ is_new: v.boolean() }))`
    with writer as (
      insert into security_writers (writer, last_batch) values (${writer.id}, ${writer.batchNumber})
      on conflict (writer) do update set last_batch = excluded.last_batch, written_at = now()
      where security_writers.last_batch < excluded.last_batch
      returning 1
    ), key_minutes as (
      insert into security_key_minutes as t (tenant_id, minute, key_id, ${columns}, seconds, metrics, counts)
      select tenant_id, minute, key_id, ${columns}, seconds, metrics, counts
      from jsonb_to_recordset(${jsonParameter(batch.keyMinutes)}::jsonb) as entry(
        tenant_id bigint, minute timestamptz, key_id bigint, ${columnTypes}, seconds smallint[], metrics smallint[], counts integer[])
      where exists (select from writer)
      order by tenant_id, minute, key_id
      on conflict (tenant_id, minute, key_id) do update set
        ${columnSums}, seconds = t.seconds || excluded.seconds, metrics = t.metrics || excluded.metrics,
        counts = t.counts || excluded.counts
    ), route_minutes as (
      insert into security_route_minutes as t (tenant_id, minute, method, route, requests, errors, seconds, second_requests, second_errors)
      select tenant_id, minute, method, route, requests, errors, seconds, second_requests, second_errors
      from jsonb_to_recordset(${jsonParameter(batch.routeMinutes)}::jsonb) as entry(
        tenant_id bigint, minute timestamptz, method text, route text, requests integer, errors integer,
        seconds smallint[], second_requests integer[], second_errors integer[])
      where exists (select from writer)
      order by tenant_id, minute, method, route
      on conflict (tenant_id, minute, method, route) do update set
        requests = t.requests + excluded.requests, errors = t.errors + excluded.errors,
        seconds = t.seconds || excluded.seconds, second_requests = t.second_requests || excluded.second_requests,
        second_errors = t.second_errors || excluded.second_errors
    ), networks as (
      insert into security_networks as t (tenant_id, day, key_id, network, network_before, first_seen, last_seen)
      select tenant_id, day, key_id, decode(network, 'hex'), decode(network_before, 'hex'), first_seen, last_seen
      from jsonb_to_recordset(${jsonParameter(batch.networks)}::jsonb) as entry(
        tenant_id bigint, day date, key_id bigint, network text, network_before text, first_seen timestamptz, last_seen timestamptz)
      where exists (select from writer)
      order by 1, 2, 3, 4
      on conflict (tenant_id, day, key_id, network) do update set
        first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)
      where excluded.first_seen < t.first_seen or excluded.last_seen > t.last_seen
    )
    select exists (select from writer) as is_new`)
  return added.is_new
}

const KeyRow = v.object({ day: v.string(), key: v.string() })

/**
 * The network keys (hex) of these days, by day (`2026-11-21`); `fresh` becomes the key of a day that has none. Two processes at
 * once agree on the first one's.
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

/** Weeks of partitions that are made ahead: housekeeping may fail for a month before counts are held back. */
const WEEKS_AHEAD = 5

/** Makes partitions from a day on (the writer's way out when housekeeping has not run for weeks). */
export async function makePartitions(connection: WritingConnection, fromDay: string): Promise<void> {
  await connection.query(statement`select from make_security_partitions(${fromDay}::date, ${WEEKS_AHEAD})`)
}

/**
 * Retention: partitions for the next weeks, none that is wholly older than 90 days, no network key older than 8, no writer
 * that has been silent for a day.
 * @returns what it removed, in tables and rows.
 */
export async function tidySecurityTelemetry(connection: Connection): Promise<number> {
  const { removed } = await connection.one(rows(v.object({ removed: v.number() }))`
    with made as materialized (
      select make_security_partitions((now() at time zone 'UTC')::date, ${WEEKS_AHEAD})
    ), dropped as materialized (
      -- A day more than 90, so that a window that began 90 days ago is whole.
      select drop_security_partitions((now() at time zone 'UTC')::date - 91) as count from made
    ), keys as (
      delete from security_network_keys where day <= (now() at time zone 'UTC')::date - 8 returning 1
    ), writers as (
      delete from security_writers where written_at < now() - interval '1 day' returning 1
    )
    select (select count from dropped) + (select count(*) from keys)::int + (select count(*) from writers)::int as removed`)
  return removed
}
