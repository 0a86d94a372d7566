/**
 * Executes the commands of one tenant that have an `execute` inside their transaction: lock, look up, execute in order, record
 * log and outbox at the end. Commands of the API run in units of work (unit-runner.ts); what tests declare may run this way.
 */
import { quotaExceeded } from '../lib/access/document-quota.ts'
import type { Answer, CommandContext, CommandEndpoint, DomainEvent } from '../lib/api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../lib/api/errors.ts'
import { eventBody, newEventId } from '../lib/documents/event-body.ts'
import { Quotas } from '../lib/documents/quotas.ts'
import { type Command, claimOf, type Outcome } from '../lib/pipeline/command.ts'
import {
  answerFromLog,
  type LockedTenant,
  type LogEntry,
  type LoggedCommand,
  type OutboxEntry,
  openBatch,
  type RefusedRow,
  recordBatch,
  recordRefusals,
} from '../lib/pipeline/command-log.ts'
import { isStatementFailure } from '../lib/postgres/failures.ts'
import type { Connection } from '../lib/postgres/postgres.ts'
import { inSpan, keptTraceParent, type TraceParent } from '../lib/tracing/tracing.ts'

export type ExecutionDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: CommandContext['settings']
}

export const unavailable: Outcome = {
  kind: 'refused',
  refusal: refuse(
    'service_unavailable',
    'The service could not finish the request; a retry with the same Idempotency-Key is safe.',
    { 'Retry-After': '1' },
  ),
}
const tenantGone: Outcome = { kind: 'refused', refusal: refuse('unauthorized', 'The tenant of this key is gone.') }

/** What the batch has done so far; written at its end. */
type Progress = {
  readonly connection: Connection
  readonly dependencies: ExecutionDependencies
  readonly tenant: LockedTenant
  readonly known: Map<string, LoggedCommand>
  /** By claim: those found, and those of this batch. */
  readonly refusals: Map<string, Refusal>
  readonly log: LogEntry[]
  readonly refused: RefusedRow[]
  readonly quotas: Quotas
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
  /** What commands hear instead of being run, unless they ended before. */
  readonly instead: Refusal | undefined
}

/** The tenant's lock was not to be had in time: no command is the cause, and each alone would wait as long again. */
export class TenantBusyError extends Error {
  override readonly name = 'TenantBusyError'
}

/**
 * The outcomes in the order of the commands; `hasNews`: the tenant's webhooks may have work to do after the commit. With
 * `instead` none is run: each is refused so, unless it ended before.
 * @throws TenantBusyError, and what else Postgres or a command throws.
 */
export async function executeBatch(
  connection: Connection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: ExecutionDependencies,
  instead?: Refusal,
): Promise<{ readonly outcomes: Outcome[]; readonly hasNews: boolean }> {
  const opened = await openBatch(connection, tenantId, commands).catch(cause => {
    throw isStatementFailure(cause) ? new TenantBusyError('the tenant was not locked', { cause }) : cause
  })
  if (!opened) return { outcomes: commands.map(() => tenantGone), hasNews: false }
  const { tenant, logged: known, refused: refusals, transaction } = opened
  const progress: Progress = {
    connection,
    dependencies,
    tenant,
    known,
    refusals,
    log: [],
    refused: [],
    quotas: new Quotas(opened.quotas),
    outbox: [],
    eventSequence: tenant.eventSequence,
    instead,
  }
  const outcomes: Outcome[] = []
  while (outcomes.length < commands.length)
    outcomes.push(...(await executeNext(commands.slice(outcomes.length), progress)))
  if (progress.log.length > 0)
    await recordBatch(connection, tenantId, { ...progress, now: tenant.now, documentCounts: tenant.documentCounts })
  else if (progress.refused.length > 0) await recordRefusals(connection, tenantId, progress.refused)
  return {
    outcomes: outcomes.map((outcome, at) => {
      const spent = progress.quotas.spentBy(commands[at] as Command)
      return outcome.kind === 'done' ? { ...outcome, transaction, spent } : { ...outcome, spent }
    }),
    hasNews: tenant.hasWebhooks && progress.log.length > 0,
  }
}

/** The outcome of the first command. */
async function executeNext(commands: readonly Command[], progress: Progress): Promise<Outcome[]> {
  const [first] = commands
  if (first === undefined) return []
  const earlier = endedBefore(first, progress)
  if (earlier) return [earlier]
  if (progress.instead) return [refused(first, progress.instead, progress)]
  const endpoint = progress.dependencies.endpointById.get(first.endpoint)
  if (progress.quotas.isSpent(first)) return [refused(first, quotaExceeded(new Date(progress.tenant.now)), progress)]
  // A newer server may send what an older worker does not know; the caller's retry reaches a newer worker.
  if (!endpoint) return [unavailable]
  return [await runAlone(first, endpoint, progress)]
}

/** A success of its key is a success of all that carry it; a refusal only ends those that share its claim. */
function endedBefore(command: Command, { known, refusals }: Progress): Outcome | undefined {
  const logged = known.get(command.idempotencyKey)
  if (logged) return answerFromLog(command, logged)
  const refusal = refusals.get(claimOf(command))
  return refusal && { kind: 'refused', refusal }
}

/** A command on its way, with what it emits and where its span is. */
type Running = {
  readonly command: Command
  readonly endpoint: CommandEndpoint
  readonly context: CommandContext
  readonly events: DomainEvent[]
  trace?: TraceParent | undefined
}

async function runAlone(command: Command, endpoint: CommandEndpoint, progress: Progress): Promise<Outcome> {
  const running = start(command, endpoint, progress)
  const options = { cause: command.trace, attributes: { 'millrace.request_id': command.requestId } }
  return inSpan(endpoint.id, options, async span => {
    running.trace = keptTraceParent(span)
    return finish(running, await endpoint.execute(running.context, requestOf(command)), progress)
  })
}

const requestOf = (command: Command) => ({ params: command.params, body: command.body as never })

function start(command: Command, endpoint: CommandEndpoint, progress: Progress): Running {
  const events: DomainEvent[] = []
  const context: CommandContext = {
    now: progress.tenant.now,
    tenant: progress.tenant,
    actor: command.actor,
    connection: progress.connection,
    settings: progress.dependencies.settings,
    lastEventSequence: progress.eventSequence.toString(),
    emit: event => void events.push(event),
  }
  return { command, endpoint, context, events }
}

/** What a success did goes into log and outbox; a refusal leaves nothing but itself. */
function finish(running: Running, answer: Answer | Refusal | undefined, progress: Progress): Outcome {
  const { command, endpoint, events } = running
  if (answer === undefined) throw new Error(`${endpoint.id} gave no answer`)
  if (isRefusal(answer)) return refused(command, answer, progress)
  progress.quotas.spend(command)
  for (const event of events) addToOutbox(event, running, progress)
  const { body, recordedBody } = answer
  const logged = {
    fingerprint: command.fingerprint,
    status: endpoint.success,
    body: recordedBody ?? body,
  }
  progress.log.push({
    ...logged,
    idempotency_key: command.idempotencyKey,
    endpoint: command.endpoint,
    key_id: command.actor.keyId,
    quota_group: command.quota?.group ?? null,
    quota_day: command.quota?.day ?? null,
    request_id: command.requestId,
  })
  progress.known.set(command.idempotencyKey, { ...logged, requestId: command.requestId })
  return {
    kind: 'done',
    status: endpoint.success,
    body,
    replayed: false,
    ...(recordedBody === undefined ? {} : { recordedBody }),
  }
}

function refused(command: Command, refusal: Refusal, { refusals, refused: rows }: Progress): Outcome {
  refusals.set(claimOf(command), refusal)
  rows.push({ claim_id: claimOf(command), refusal: JSON.stringify(refusal) })
  return { kind: 'refused', refusal }
}

function addToOutbox(event: DomainEvent, { context: { now }, trace }: Running, progress: Progress): void {
  progress.eventSequence += 1n
  const id = newEventId()
  const sequence = progress.eventSequence
  progress.outbox.push({
    sequence: sequence.toString(),
    id,
    type: event.type,
    body: eventBody(event, { id, timestamp: now, sequence }),
    created_at: now,
    trace_parent: trace,
  })
}
