/**
 * The command log and the tenant's stream row in Postgres: the lock that makes a tenant's writes serial, the memory of what
 * was done and (for a while) of what was refused, the outbox.
 */
import * as v from 'valibot'
import type { Tenant } from '../api/endpoint.ts'
import { type Refusal, refuse } from '../api/errors.ts'
import { type Connection, jsonParameter, rows, sql, statement } from '../postgres/postgres.ts'
import { type Command, claimOf, type Outcome } from './command.ts'

export type LockedTenant = Tenant & {
  readonly eventSequence: bigint
  /** The time of the batch's commands, by the database's clock; later than that of every batch before. */
  readonly now: string
  readonly documentCounts: Readonly<Record<string, number>>
  /** Whether it has, or once had, webhook subscriptions. */
  readonly hasWebhooks: boolean
}

/** A finished command as the log holds it. */
export type LoggedCommand = {
  readonly fingerprint: string
  readonly status: number
  readonly body: string | null
  readonly requestId: string
}

/** What a command hears when the log holds its key: the answer (a replay, unless it was this very request), or a conflict. */
export function answerFromLog(command: Command, logged: LoggedCommand): Outcome {
  if (logged.fingerprint !== command.fingerprint) return { kind: 'refused', refusal: keyReused }
  const replayed = logged.requestId !== command.requestId
  return { kind: 'done', status: logged.status, body: logged.body, replayed }
}

/** `conflict`: one key for two requests. */
export const keyReused = refuse('conflict', 'Idempotency-Key: was used before for another request')

const OpenedRow = v.object({
  plan: v.picklist(['free', 'pro']),
  currency: v.string(),
  closed_through: v.nullable(v.string()),
  event_sequence: v.string(),
  now: v.string(),
  document_counts: v.string(),
  has_webhooks: v.boolean(),
  logged: v.string(),
  refused: v.string(),
  quotas_spent: v.string(),
  transaction: v.string(),
})

/** What a quota had spent before the batch, and the limit of a key that counts on it. */
export type QuotaSpent = {
  readonly key_id: string
  readonly quota_group: string
  readonly quota_day: string
  readonly spent: number
  readonly daily_documents: number
}

/** A tenant that is locked until the transaction ends, and how commands of the batch have ended before. */
export type OpenedBatch = {
  readonly tenant: LockedTenant
  /** Successes by idempotency key. */
  readonly logged: Map<string, LoggedCommand>
  /** Refusals by claim. */
  readonly refused: Map<string, Refusal>
  /** The quotas on which the batch's commands count, one entry per key and day. */
  readonly quotas: readonly QuotaSpent[]
  /** This transaction's id; it is above the ids of all that held the lock before. */
  readonly transaction: string
}

/**
 * Takes the tenant's lock and looks the commands up; null when the tenant is gone. It must be the first statement of its
 * transaction (sql/000007_open_batch.sql says why it is a function, sql/000021_times.sql what time it gives).
 */
export async function openBatch(
  connection: Connection,
  tenantId: string,
  commands: readonly Command[],
): Promise<OpenedBatch | null> {
  const keys = commands.map(({ idempotencyKey }) => idempotencyKey)
  const row = await connection.maybeOne(rows(OpenedRow)`
    select *, last_command_at as now, pg_current_xact_id()::text as transaction
    from open_batch(
      ${tenantId}::bigint, ${jsonParameter(keys)}::jsonb, ${jsonParameter(commands.map(claimOf))}::jsonb,
      ${jsonParameter(quotasOf(commands))}::jsonb)`)
  if (!row) return null
  const tenant: LockedTenant = {
    id: tenantId,
    plan: row.plan,
    currency: row.currency,
    closedThrough: row.closed_through,
    eventSequence: BigInt(row.event_sequence),
    now: row.now,
    documentCounts: JSON.parse(row.document_counts) as Record<string, number>,
    hasWebhooks: row.has_webhooks,
  }
  return {
    tenant,
    logged: byKey(JSON.parse(row.logged) as LoggedRow[]),
    refused: new Map(
      (JSON.parse(row.refused) as RefusedRow[]).map(({ claim_id, refusal }) => [
        claim_id,
        JSON.parse(refusal) as Refusal,
      ]),
    ),
    quotas: JSON.parse(row.quotas_spent) as QuotaSpent[],
    transaction: row.transaction,
  }
}

function quotasOf(commands: readonly Command[]) {
  const quotas = new Map<string, { key_id: string; quota_group: string; quota_day: string }>()
  for (const { quota, actor } of commands)
    if (quota)
      quotas.set(`${actor.keyId} ${quota.group} ${quota.day}`, {
        key_id: actor.keyId,
        quota_group: quota.group,
        quota_day: quota.day,
      })
  return [...quotas.values()]
}

const LoggedRow = v.object({
  idempotency_key: v.string(),
  fingerprint: v.string(),
  status: v.number(),
  body: v.nullable(v.string()),
  request_id: v.string(),
})
type LoggedRow = v.InferOutput<typeof LoggedRow>

/** What the log holds of this idempotency key, without any lock. */
export async function findLogged(
  connection: Connection,
  tenantId: string,
  idempotencyKey: string,
): Promise<LoggedCommand | undefined> {
  const found = await connection.any(rows(LoggedRow)`
    select idempotency_key, encode(fingerprint, 'hex') as fingerprint, status, body, request_id
    from commands
    where tenant_id = ${tenantId}::bigint and idempotency_key = ${idempotencyKey}`)
  return byKey(found).get(idempotencyKey)
}

/** How a command ended, as Postgres knows it without any lock: in the log, or refused. */
export async function findOutcome(connection: Connection, command: Command): Promise<Outcome | undefined> {
  const logged = await findLogged(connection, command.tenantId, command.idempotencyKey)
  if (logged) return answerFromLog(command, logged)
  const refused = await connection.maybeOne(rows(v.object({ refusal: v.string() }))`
    select refusal from refused_commands
    where tenant_id = ${command.tenantId}::bigint and claim_id = ${claimOf(command)}`)
  return refused ? { kind: 'refused', refusal: JSON.parse(refused.refusal) as Refusal } : undefined
}

function byKey(found: readonly LoggedRow[]): Map<string, LoggedCommand> {
  return new Map(
    found.map(({ idempotency_key, request_id, ...row }) => [idempotency_key, { ...row, requestId: request_id }]),
  )
}

/** One success, as it goes into the log. */
export type LogEntry = {
  readonly idempotency_key: string
  readonly fingerprint: string
  readonly endpoint: string
  readonly status: number
  readonly body: string | null
  readonly key_id: string
  readonly quota_group: string | null
  readonly quota_day: string | null
  readonly request_id: string
}

/** A refusal as it is kept for a while: `refusal` is JSON text. */
export type RefusedRow = { readonly claim_id: string; readonly refusal: string }

/** One event of the outbox; `body` is what every delivery sends. */
export type OutboxEntry = {
  readonly sequence: string
  readonly id: string
  readonly type: string
  readonly body: string
  /** The timestamp in the body, by which a recovery finds it. */
  readonly created_at: string
  /** The command's span, while its trace is kept. */
  readonly trace_parent?: string | undefined
}

const insertRefusals = (tenantId: string, refused: readonly RefusedRow[]) => sql.fragment`
  insert into refused_commands (tenant_id, claim_id, refusal)
  select ${tenantId}::bigint, claim_id, refusal
  from jsonb_to_recordset(${jsonParameter(refused)}::jsonb) as entry(claim_id text, refusal text)`

/** Closes a batch without any success. */
export async function recordRefusals(
  connection: Connection,
  tenantId: string,
  refused: readonly RefusedRow[],
): Promise<void> {
  await connection.query(statement`${insertRefusals(tenantId, refused)}`)
}

/** Closes a batch: log, refusals, outbox and counters in one statement. */
export async function recordBatch(
  connection: Connection,
  tenantId: string,
  batch: {
    readonly log: readonly LogEntry[]
    readonly refused: readonly RefusedRow[]
    readonly outbox: readonly OutboxEntry[]
    readonly eventSequence: bigint
    /** Of the batch: the tenant's next one is later. */
    readonly now: string
    readonly documentCounts: Readonly<Record<string, number>>
  },
): Promise<void> {
  await connection.query(statement`
    with logged as (
      insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, quota_group, quota_day, request_id)
      select ${tenantId}::bigint, idempotency_key, decode(fingerprint, 'hex'), endpoint, status, body, key_id, quota_group, quota_day, request_id
      from jsonb_to_recordset(${jsonParameter(batch.log)}::jsonb) as entry(
        idempotency_key text, fingerprint text, endpoint text, status smallint, body text, key_id bigint, quota_group bigint, quota_day date, request_id text)
    ), refused as (
      ${insertRefusals(tenantId, batch.refused)}
    ), sent as (
      insert into events (tenant_id, sequence, id, type, body, created_at, trace_parent)
      select ${tenantId}::bigint, sequence, id, type, body, created_at, trace_parent
      from jsonb_to_recordset(${jsonParameter(batch.outbox)}::jsonb) as entry(sequence bigint, id text, type text, body text, created_at timestamptz, trace_parent text)
    )
    update tenant_streams
    set event_sequence = ${batch.eventSequence.toString()}, last_command_at = ${batch.now}::timestamptz, document_counts = ${jsonParameter(batch.documentCounts)}::jsonb
    where tenant_id = ${tenantId}`)
}

/** How many documents of this quota were spent on this day, by the command log. */
export async function spentDocuments(
  connection: Connection,
  tenantId: string,
  quota: { readonly group: string; readonly day: string },
): Promise<number> {
  const { spent } = await connection.one(rows(v.object({ spent: v.number() }))`
    select documents_spent(${tenantId}::bigint, ${quota.group}::bigint, ${quota.day}::date) as spent`)
  return spent
}
