/**
 * Runs a batch of one tenant's commands in one Postgres transaction: lock, look up, execute, record (design, "A write, one
 * way through"). A batch that throws is replayed one by one, so that one broken command harms no other.
 */
import type { DatabasePoolConnection } from 'slonik'
import type { CommandContext, CommandEndpoint, DomainEvent } from '../lib/api/endpoint.ts'
import { isRefusal, refuse } from '../lib/api/errors.ts'
import type { Command, Outcome } from '../lib/store/command.ts'
import {
  answerFromLog,
  type LockedTenant,
  type LogEntry,
  type LoggedCommand,
  type OutboxEntry,
  openBatch,
  recordBatch,
} from '../lib/store/command-log.ts'
import { type DocumentKind, documentNumber } from '../lib/store/document-number.ts'
import { isDependencyFailure } from '../lib/store/failures.ts'
import type { Connection, Pool } from '../lib/store/postgres.ts'
import { inSpan, keptTraceParent, type SpanOptions, type TraceParent } from '../lib/telemetry/tracing.ts'
import { eventBody, newEventId } from '../lib/webhooks/event-body.ts'

export type BatchSettings = CommandContext['settings']

export type BatchDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: BatchSettings
  /** Reports what should not happen; it must not throw. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after the commit of a batch when the tenant's webhooks may have work to do; it must not throw. */
  readonly onNews?: (tenantId: string) => void
}

const unavailable = refuse(
  'service_unavailable',
  'The service could not finish the request; a retry with the same Idempotency-Key is safe.',
  { 'Retry-After': '1' },
)
const tenantGone: Outcome = { kind: 'refused', refusal: refuse('unauthorized', 'The tenant of this key is gone.') }
const internal = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/**
 * The outcomes in the order of the commands. It never throws: a failing database makes them `service_unavailable`, which
 * leaves it to the caller to repeat with the same key.
 */
export async function runBatch(
  pool: Pool,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  try {
    return await pool.connect(connection => attempt(connection, tenantId, commands, dependencies))
  } catch (error) {
    for (const command of commands) dependencies.onFault(error, command)
    return commands.map(() => ({ kind: 'refused', refusal: unavailable }))
  }
}

/** @throws a dependency's failure, so that the pool drops the connection; every other fault becomes an outcome. */
async function attempt(
  connection: DatabasePoolConnection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  try {
    const { outcomes, hasNews } = await connection.transaction(transaction =>
      executeAll(transaction, tenantId, commands, dependencies),
    )
    if (hasNews) dependencies.onNews?.(tenantId)
    return outcomes
  } catch (error) {
    const [only, ...others] = commands
    if (!only) return []
    if (isDependencyFailure(error)) throw error
    if (others.length > 0) return attemptOneByOne(connection, tenantId, commands, dependencies)
    dependencies.onFault(error, only)
    return [{ kind: 'refused', refusal: internal }]
  }
}

async function attemptOneByOne(
  connection: DatabasePoolConnection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(...(await attempt(connection, tenantId, [command], dependencies)))
  return outcomes
}

/** What the batch has done so far; written at its end. */
type Progress = {
  readonly tenant: LockedTenant
  readonly known: Map<string, LoggedCommand>
  readonly log: LogEntry[]
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
  lastCommandAt: string | null
  documentCounts: Partial<Record<DocumentKind, number>>
}

async function executeAll(
  connection: Connection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<{ readonly outcomes: Outcome[]; readonly hasNews: boolean }> {
  const opened = await openBatch(
    connection,
    tenantId,
    commands.map(command => command.idempotencyKey),
  )
  if (!opened) return { outcomes: commands.map(() => tenantGone), hasNews: false }
  const { tenant, logged: known, transaction } = opened
  const progress: Progress = {
    tenant,
    known,
    log: [],
    outbox: [],
    eventSequence: tenant.eventSequence,
    lastCommandAt: tenant.lastCommandAt,
    documentCounts: { ...tenant.documentCounts },
  }
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(await executeOne(connection, command, progress, dependencies))
  if (progress.log.length > 0) await recordBatch(connection, tenantId, progress)
  return {
    outcomes: outcomes.map(outcome => (outcome.kind === 'done' ? { ...outcome, transaction } : outcome)),
    hasNews: tenant.hasWebhooks && progress.log.length > 0,
  }
}

async function executeOne(
  connection: Connection,
  command: Command,
  progress: Progress,
  dependencies: BatchDependencies,
): Promise<Outcome> {
  const earlier = progress.known.get(command.idempotencyKey)
  if (earlier) return answerFromLog(command, earlier)
  const endpoint = dependencies.endpointById.get(command.endpoint)
  // A newer server may send what an older worker does not know; the caller's retry reaches a newer worker.
  if (!endpoint) return { kind: 'refused', refusal: unavailable }

  const events: DomainEvent[] = []
  const counts = { ...progress.documentCounts }
  const context = contextOf(connection, command, progress, dependencies.settings, events, counts)
  let trace: TraceParent | undefined
  const answer = await inSpan(endpoint.id, spanOf(command), span => {
    trace = keptTraceParent(span)
    return endpoint.execute(context, { params: command.params, body: command.body as never })
  })
  if (isRefusal(answer)) return { kind: 'refused', refusal: answer }

  progress.documentCounts = counts
  progress.lastCommandAt = context.now
  for (const event of events) addToOutbox(event, context.now, progress, trace)
  const recorded = answer.recordedBody ?? answer.body
  progress.log.push({
    idempotency_key: command.idempotencyKey,
    fingerprint: command.fingerprint,
    endpoint: command.endpoint,
    status: endpoint.success,
    body: recorded,
    key_id: command.actor.keyId,
    quota_group: command.quota?.group ?? null,
    quota_day: command.quota?.day ?? null,
    request_id: command.requestId,
  })
  progress.known.set(command.idempotencyKey, {
    fingerprint: command.fingerprint,
    status: endpoint.success,
    body: recorded,
    requestId: command.requestId,
  })
  const { body, recordedBody } = answer
  return {
    kind: 'done',
    status: endpoint.success,
    body,
    replayed: false,
    ...(recordedBody === undefined ? {} : { recordedBody }),
  }
}

const spanOf = (command: Command): SpanOptions => ({
  cause: command.trace,
  attributes: { 'millrace.request_id': command.requestId },
})

function contextOf(
  connection: Connection,
  command: Command,
  { tenant, lastCommandAt, eventSequence }: Progress,
  settings: BatchSettings,
  events: DomainEvent[],
  counts: Partial<Record<DocumentKind, number>>,
): CommandContext {
  return {
    tenant,
    actor: command.actor,
    connection,
    now: commandTime(lastCommandAt),
    settings,
    lastEventSequence: eventSequence.toString(),
    emit: event => void events.push(event),
    nextNumber: async kind => {
      const count = (counts[kind] ?? 0) + 1
      counts[kind] = count
      return documentNumber(kind, count)
    },
  }
}

/** A clock that is ahead by more than this was wrong, and is not followed. */
const CLOCK_SKEW_MS_MAX = 300_000

/** Now, but never before the tenant's last command: a poller by `updated_after` must not miss what a slow clock stamps. */
function commandTime(lastCommandAt: string | null): string {
  const now = Date.now()
  const last = lastCommandAt === null ? now : Date.parse(lastCommandAt)
  return new Date(last > now && last - now <= CLOCK_SKEW_MS_MAX ? last : now).toISOString()
}

function addToOutbox(event: DomainEvent, timestamp: string, progress: Progress, trace: TraceParent | undefined): void {
  progress.eventSequence += 1n
  const id = newEventId()
  const sequence = progress.eventSequence
  progress.outbox.push({
    sequence: sequence.toString(),
    id,
    type: event.type,
    body: eventBody(event, { id, timestamp, sequence }),
    created_at: timestamp,
    trace_parent: trace,
  })
}
