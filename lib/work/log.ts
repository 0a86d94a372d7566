/** What a unit of work reads from the command log and the refusals under the lock, and what it writes: log, refusals, outbox, counters. */
import { type LoggedCommand, loggedUnder } from '../pipeline/command-log.ts'
import type { Query, TextRow } from '../platform/postgres/round-trip.ts'
import { inOneStatement, rowArrays } from '../platform/postgres/row-arrays.ts'

/** The log's rows of idempotency keys, by tenant. */
export const readLog = (keys: readonly { readonly tenantId: string; readonly idempotencyKey: string }[]): Query => ({
  text: `
    select q.tenant_id, q.idempotency_key, encode(c.fingerprint, 'hex') as fingerprint, c.status, c.body, c.request_id
    from unnest($1::bigint[], $2::text[]) as q (tenant_id, idempotency_key)
    cross join lateral ${loggedUnder('q.tenant_id', 'q.idempotency_key')} c`,
  values: [keys.map(({ tenantId }) => tenantId), keys.map(({ idempotencyKey }) => idempotencyKey)],
})

export const loggedCommand = (row: TextRow): LoggedCommand => ({
  fingerprint: row['fingerprint'] ?? '',
  status: Number(row['status']),
  body: row['body'] ?? null,
  requestId: row['request_id'] ?? '',
})

/**
 * The recorded refusals of claims, and when a key was last refused (ms since 1970), by tenant. A refusal in the future was recorded before
 * the clock was set back. It says nothing about commands that were accepted before.
 */
export const readRefusals = (
  claims: readonly { readonly tenantId: string; readonly claimId: string; readonly idempotencyKey: string }[],
): Query => ({
  text: `
    select r.tenant_id, r.claim_id, r.refusal, null as idempotency_key, null as refused_ms
    from unnest($1::bigint[], $2::text[]) as q (tenant_id, claim_id)
    cross join lateral (
      select * from refused_commands where tenant_id = q.tenant_id and claim_id = q.claim_id limit 1
    ) r
    union all
    select r.tenant_id, null, null, r.idempotency_key, floor(extract(epoch from r.created_at) * 1000)
    from unnest($1::bigint[], $3::text[]) as q (tenant_id, idempotency_key)
    cross join lateral (
      select * from refused_commands
      where tenant_id = q.tenant_id and idempotency_key = q.idempotency_key and created_at <= clock_timestamp()
      order by created_at desc limit 1
    ) r`,
  values: [
    claims.map(({ tenantId }) => tenantId),
    claims.map(({ claimId }) => claimId),
    claims.map(({ idempotencyKey }) => idempotencyKey),
  ],
})

/** What the list of requests shows of a command with any outcome (docs/rules/requests.md, "The list of requests"). */
export type RequestRow = {
  readonly id: string
  readonly request_id: string
  readonly key_id: string
  readonly user_name: string | null
  /** null: the endpoint is unknown. */
  readonly method: string | null
  readonly path: string | null
  readonly idempotency_key: string
  readonly status: number
}

/** A success in the log. */
export type LogEntry = RequestRow & {
  readonly fingerprint: string
  readonly endpoint: string
  /** null: the answer has no body, or an event contains it. */
  readonly body: string | null
  /** The event whose data is the answer. */
  readonly body_sequence: string | null
  readonly quota_group: string | null
  readonly quota_day: string | null
  /** The first and last sequence of its events; null: it has none. */
  readonly first_sequence: string | null
  readonly last_sequence: string | null
}

/**
 * What is kept of a refusal for a time: for copies of its command (`claim_id`; `refusal` is JSON text), and for earlier commands with its
 * key.
 */
export type RememberedRow = Pick<RequestRow, 'idempotency_key'> & {
  readonly claim_id: string
  readonly refusal: string
}

/** A refusal that the list of requests shows too. */
export type RefusedRow = RequestRow &
  RememberedRow & {
    /** The scope that a key needs to see the message. */
    readonly scope: string | null
    readonly error: string
    readonly message: string
  }

/** One event of the outbox. `body` is what every delivery sends. */
export type OutboxEntry = {
  readonly sequence: string
  readonly type: string
  readonly body: string
  /** The timestamp in the body. A recovery finds the event by it. */
  readonly created_at: string
  /** The command's span, while its trace is kept. */
  readonly trace_parent?: string | undefined
}

export type Records = {
  readonly log: readonly (LogEntry & { readonly tenant_id: string })[]
  readonly refused: readonly ((RefusedRow | RememberedRow) & { readonly tenant_id: string })[]
  readonly outbox: readonly (OutboxEntry & { readonly tenant_id: string })[]
  readonly streams: readonly ({
    readonly tenant_id: string
    readonly last_command_at: string
  } & Partial<Counters>)[]
}

/** The counters that successes change. */
type Counters = {
  readonly event_sequence: string
  readonly generation: number
  readonly document_counts: Readonly<Record<string, number>>
}

const bigint = 'bigint'
const logColumns = {
  tenant_id: bigint,
  idempotency_key: 'text',
  fingerprint: 'text',
  endpoint: 'text',
  status: 'smallint',
  body: 'json text',
  key_id: bigint,
  quota_group: bigint,
  quota_day: 'date',
  request_id: 'text',
  id: bigint,
  user_name: 'text',
  method: 'text',
  path: 'text',
  first_sequence: bigint,
  last_sequence: bigint,
  body_sequence: bigint,
}
const outboxColumns = {
  tenant_id: bigint,
  sequence: bigint,
  type: 'text',
  body: 'json text',
  created_at: 'timestamptz',
  trace_parent: 'text',
}
const streamColumns = {
  tenant_id: bigint,
  event_sequence: bigint,
  generation: bigint,
  last_command_at: 'timestamptz',
  document_counts: 'jsonb',
}
const refusedColumns = {
  tenant_id: bigint,
  claim_id: 'text',
  refusal: 'json text',
  id: bigint,
  request_id: 'text',
  key_id: bigint,
  user_name: 'text',
  method: 'text',
  path: 'text',
  scope: 'text',
  idempotency_key: 'text',
  status: 'smallint',
  error: 'text',
  message: 'text',
}
const recordColumns = [logColumns, outboxColumns, streamColumns, refusedColumns].flatMap(Object.keys)
const [logRows, outboxRows, streamRows, refusedRows] = inOneStatement(
  logColumns,
  outboxColumns,
  streamColumns,
  refusedColumns,
)

/** Whether the parameter of `record` at this position contains sequences of events. */
export const holdsSequences = (at: number): boolean => recordColumns[at]?.endsWith('sequence') === true

const recordText = `
    with logged as (
      insert into commands (
        tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, quota_group, quota_day, request_id,
        id, user_name, method, path, first_sequence, last_sequence, body_sequence
      )
      select
        tenant_id, idempotency_key, decode(fingerprint, 'hex'), endpoint, status, body, key_id, quota_group, quota_day, request_id,
        id, user_name, method, path, first_sequence, last_sequence, body_sequence
      from ${logRows.from} as entry (${logRows.names})
    ), refused as (
      insert into refused_commands (tenant_id, claim_id, refusal, idempotency_key)
      select tenant_id, claim_id, refusal, idempotency_key from ${refusedRows.from} as entry (${refusedRows.names})
    ), listed as (
      insert into refused_requests (
        tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message
      )
      select tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message
      from ${refusedRows.from} as entry (${refusedRows.names}) where id is not null
    ), sent as (
      insert into events (tenant_id, sequence, type, body, created_at, trace_parent)
      select tenant_id, sequence, type, body, created_at, trace_parent
      from ${outboxRows.from} as entry (${outboxRows.names})
    )
    update tenant_streams s
    set event_sequence = coalesce(r.event_sequence, s.event_sequence), last_command_at = r.last_command_at,
      document_counts = coalesce(r.document_counts, s.document_counts),
      -- Numbers are left out with the next event, not before there is one.
      generation = case when r.event_sequence > s.event_sequence then r.generation else s.generation end,
      event_gap = case when r.event_sequence > s.event_sequence then 0 else s.event_gap end
    from ${streamRows.from} as r (${streamRows.names})
    where s.tenant_id = r.tenant_id`

/** Writes log, refusals, outbox and counters of all tenants. */
export const record = ({ log, refused, outbox, streams }: Records): Query => ({
  text: recordText,
  values: [
    ...logRows.valuesOf(log),
    ...outboxRows.valuesOf(outbox),
    ...streamRows.valuesOf(streams),
    ...refusedRows.valuesOf(refused),
  ],
})

/** Sequences of a tenant that were skipped: after `after`, up to and including `until`. */
type EventGap = { readonly tenant_id: string; readonly after: string; readonly until: string }

const gapRows = rowArrays({ tenant_id: bigint, after: bigint, until: bigint })
const gapsText = `
    insert into event_gaps (tenant_id, after_sequence, until_sequence)
    select * from ${gapRows.from} as gap (${gapRows.names})`

/** Records the skipped sequences, so that a reader at one of them finds the next event. */
export const noteGaps = (gaps: readonly EventGap[]): Query => ({ text: gapsText, values: gapRows.valuesOf(gaps) })
