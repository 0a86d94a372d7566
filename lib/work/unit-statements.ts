/**
 * How a unit of work begins and ends in Postgres: the locks of its tenants, what the command log holds of its keys, the log,
 * the outbox and the counters.
 */
import type { Tenant } from '../kit/api/endpoint.ts'
import type { Due } from '../kit/documents/due.ts'
import { type LoggedCommand, loggedUnder } from '../pipeline/command-log.ts'
import { CLOCKS_APART_S_MAX } from '../platform/postgres/clock.ts'
import type { Query, TextRow } from '../platform/postgres/round-trip.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { inOneStatement, rowArrays } from '../platform/postgres/row-arrays.ts'
import type { QuotaSpent } from './quotas.ts'

/** A locked tenant as the unit of work finds it. */
export type OpenedTenant = {
  readonly tenant: Tenant
  readonly eventSequence: bigint
  /** How many numbers the tenant's next event leaves out, since lost commits may have given them (docs/operations.md, "Failover"). */
  readonly eventGap: bigint
  /** The generation of the database in which its commands run. */
  readonly generation: number
  /** When its commands run: this database's time, later with each unit of work (sql/000001_tenants.sql). */
  readonly now: string
  /** This database's time as it is, in ms since 1970: how old a command is (deciding.ts). */
  readonly clockMs: number
  readonly counts: Readonly<Record<string, number>>
  readonly hasWebhooks: boolean
  /** When the tenant has something to do by itself (due.ts); null: it has nothing to do. */
  readonly dueAt: string | null
  /** The transaction (text of an xid8): who knows it can read what it wrote. */
  readonly transaction: string
}

export const begin: Query = { text: 'begin', values: [] }
export const commit: Query = { text: 'commit', values: [] }
export const rollback: Query = { text: 'rollback', values: [] }
/** Takes back what was written since `keepLock`, while the tenants stay locked. */
export const keepLock: Query = { text: 'savepoint locked', values: [] }
export const rollbackToLock: Query = { text: 'rollback to savepoint locked', values: [] }

/**
 * Locks the tenants, in one order for all who do: NO KEY UPDATE, so that foreign keys to the row do not wait. Unless it
 * `waits`, those that another holds are left out. In READ COMMITTED what the statements behind it read is
 * newer than the last holder's commit.
 */
export const lockTenants = (tenantIds: readonly string[], { waits }: { readonly waits: boolean }): Query => ({
  text: `
    select tenant_id from tenant_streams where tenant_id = any ($1::bigint[]) order by tenant_id
    for no key update ${waits ? '' : 'skip locked'}`,
  values: [tenantIds],
})

/**
 * Begins a generation where the database lives elsewhere than before (docs/operations.md, "Failover"); so it goes before ids are taken. It takes
 * some microseconds. By itself, so that it runs where the connection is, also where tables lie on other nodes.
 */
export const askServer: Query = { text: 'select current_generation()', values: [] }

export const readTenants = (tenantIds: readonly string[], { next }: Pick<Due, 'next'>): Query => ({
  text: `
    select t.tenant_id, t.plan, t.owner_email, t.currency, t.closed_through::text, s.event_sequence, iso(greatest(date_trunc('milliseconds', clock_timestamp()), s.last_command_at + interval '1 millisecond')) as now,
      extract(epoch from clock_timestamp()) * 1000 as clock_ms, s.document_counts::text, s.has_webhooks, iso(${next}) as due_at, pg_current_xact_id()::text as transaction, g.generation,
      t.moving ->> 'rests' = 'writes' as rests,
      clock_timestamp() - $2::timestamptz not between '-${CLOCKS_APART_S_MAX} s' and '${CLOCKS_APART_S_MAX} s' as is_apart,
      s.event_gap + case when s.generation = g.generation then 0 else (
        select sum(event_gap)::bigint from generations where generation > s.generation
      ) end as event_gap
    from (select generation from generations order by generation desc limit 1) g
    cross join unnest($1::bigint[]) as q (tenant_id)
    cross join lateral (select * from tenants where tenant_id = q.tenant_id limit 1) t
    cross join lateral (select * from tenant_streams where tenant_id = q.tenant_id limit 1) s`,
  values: [tenantIds, new Date().toISOString()],
})

export function openedTenant(row: TextRow): OpenedTenant {
  return {
    tenant: {
      id: row['tenant_id'] ?? '',
      plan: row['plan'] as Tenant['plan'],
      ownerEmail: row['owner_email'] ?? '',
      currency: row['currency'] ?? '',
      closedThrough: row['closed_through'] ?? null,
    },
    eventSequence: BigInt(row['event_sequence'] ?? '0'),
    eventGap: BigInt(row['event_gap'] ?? '0'),
    generation: Number(row['generation']),
    now: row['now'] ?? '',
    clockMs: Number(row['clock_ms']),
    counts: JSON.parse(row['document_counts'] ?? '{}') as Record<string, number>,
    hasWebhooks: row['has_webhooks'] === 't',
    dueAt: row['due_at'] ?? null,
    transaction: row['transaction'] ?? '',
  }
}

/** Why the tenant's commands are not run now, though the tenant is locked. */
export function restOf(row: TextRow): 'moving' | 'apart' | undefined {
  if (row['rests'] === 't') return 'moving'
  return row['is_apart'] === 't' ? 'apart' : undefined
}

/** What the log holds of idempotency keys, by tenant. */
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
 * What was refused of claims, and when a key was last refused (ms since 1970), by tenant. A refusal of the future is of a clock that was set
 * back since: it says nothing of what was accepted before.
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

/** What the quotas of commands have spent, and the limits of the keys that count on them. */
export const readQuotas = (
  quotas: readonly (Omit<QuotaSpent, 'spent' | 'daily_documents'> & { readonly tenantId: string })[],
): Query => ({
  text: `
    select q.tenant_id, q.key_id, q.quota_group, q.quota_day, k.daily_documents, coalesce((
      select documents from spent_documents
      where tenant_id = q.tenant_id and quota_group = q.quota_group and quota_day = q.quota_day limit 1
    ), 0) as spent
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[]) as q (tenant_id, key_id, quota_group, quota_day)
    cross join lateral (
      select daily_documents from api_keys where tenant_id = q.tenant_id and id = q.key_id limit 1
    ) k`,
  values: [
    quotas.map(({ tenantId }) => tenantId),
    quotas.map(({ key_id }) => key_id),
    quotas.map(({ quota_group }) => quota_group),
    quotas.map(({ quota_day }) => quota_day),
  ],
})

export const quotaSpent = (row: TextRow): QuotaSpent => ({
  key_id: row['key_id'] ?? '',
  quota_group: row['quota_group'] ?? '',
  quota_day: row['quota_day'] ?? '',
  spent: Number(row['spent']),
  daily_documents: Number(row['daily_documents']),
})

/** Ids, which rise: for commands in the order in which they run. */
export const takeIds = (count: number): Query => ({
  text: `select nextval('ids') as id from generate_series(1, $1::integer)`,
  values: [count],
})

/** Ids now, where those that were taken did not suffice. */
export async function freshIds(connection: RoundTripConnection, count: number): Promise<readonly string[]> {
  const [fresh = []] = count === 0 ? [] : await connection.send([takeIds(count)])
  return fresh.map(row => row['id'] ?? '')
}

/** What the list of requests shows of a command, however it ended (docs/rules/requests.md, "The list of requests"). */
export type RequestRow = {
  readonly id: string
  readonly request_id: string
  readonly key_id: string
  readonly user_name: string | null
  /** Null where the endpoint is not known. */
  readonly method: string | null
  readonly path: string | null
  readonly idempotency_key: string
  readonly status: number
}

/** One success, as it goes into the log. */
export type LogEntry = RequestRow & {
  readonly fingerprint: string
  readonly endpoint: string
  /** Null where there is none, and where an event holds it. */
  readonly body: string | null
  /** Of the event whose data is the answer. */
  readonly body_sequence: string | null
  readonly quota_group: string | null
  readonly quota_day: string | null
  /** Of its events; null of none. */
  readonly first_sequence: string | null
  readonly last_sequence: string | null
}

/** What is kept of a refusal for a while: for copies of its command (`claim_id`; `refusal` is JSON text), and for earlier ones of its key. */
export type RememberedRow = Pick<RequestRow, 'idempotency_key'> & {
  readonly claim_id: string
  readonly refusal: string
}

/** A refusal that the list of requests shows, too. */
export type RefusedRow = RequestRow &
  RememberedRow & {
    /** Which a key needs to see the message. */
    readonly scope: string | null
    readonly error: string
    readonly message: string
  }

/** One event of the outbox; `body` is what every delivery sends. */
export type OutboxEntry = {
  readonly sequence: string
  readonly type: string
  readonly body: string
  /** The timestamp in the body, by which a recovery finds it. */
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

/** What successes move. */
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

/** Whether the parameter of `record` at this place holds numbers of events. */
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

/** A tenant's numbers of events that were left out, from behind `after` to `until`. */
type EventGap = { readonly tenant_id: string; readonly after: string; readonly until: string }

const gapRows = rowArrays({ tenant_id: bigint, after: bigint, until: bigint })
const gapsText = `
    insert into event_gaps (tenant_id, after_sequence, until_sequence)
    select * from ${gapRows.from} as gap (${gapRows.names})`

/** Notes them, so that whoever reads on from there finds the next event. */
export const noteGaps = (gaps: readonly EventGap[]): Query => ({ text: gapsText, values: gapRows.valuesOf(gaps) })
