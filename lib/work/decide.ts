/**
 * How the commands of a tenant decide in a unit of work: one after another, on the same records. A success goes into the log and the
 * outbox. A refusal undoes the command's changes. Meanwhile PostgreSQL is asked only for further ids.
 */
import { quotaExceeded } from '../access/document-quota.ts'
import type { CommandEndpoint } from '../kit/api/endpoint.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../kit/api/errors.ts'
import { etagOf } from '../kit/api/etag.ts'
import { type Deciding, type Decision, namedUser } from '../kit/documents/command.ts'
import { seeAll } from '../kit/documents/needs.ts'
import { NextUnit, NotLoaded, OutOfIds } from '../kit/documents/next-unit.ts'
import { notFound } from '../kit/documents/reads.ts'
import type { Work } from '../kit/documents/work.ts'
import {
  BULK,
  COMMAND_AGE_MS_MAX,
  type Command,
  claimOf,
  dryAnswer,
  type Outcome,
  tooLate,
} from '../pipeline/command.ts'
import { answerFromLog } from '../pipeline/command-log.ts'
import { requestIdAt } from '../pipeline/requests/request-number.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { inSpan, keptTraceParent, type TraceParent } from '../platform/tracing/tracing.ts'
import { eventActor, publish } from './events.ts'
import { freshIds } from './lock-tenants.ts'
import type { RefusedRow, RequestRow } from './log.ts'
import type { Prepared, TenantRun, UnitOptions } from './tenant-run.ts'

type Settings = Pick<Deciding, 'settings'>

/** How many ids are taken when a command has too few. */
const IDS_MORE = 64

/** Decides the tenant's commands in order, up to the first that needs another unit of work, or whose outcome must be the last. */
export async function decideAll(
  run: TenantRun,
  connection: RoundTripConnection,
  {
    isLast = () => false,
    oneByOne = false,
    ...settings
  }: Settings & Pick<UnitOptions, 'oneByOne'> & { readonly isLast?: (outcome: Outcome) => boolean },
): Promise<void> {
  publish(run, run.work.turn(), { actor: null })
  for (const [at, { command }] of run.commands.entries()) {
    try {
      const outcome = await decideWithIds(run, at, connection, settings)
      run.ended.push({ command, outcome })
      if (isLast(outcome)) return
    } catch (error) {
      run.work.undoAll()
      if (error instanceof NextUnit && run.ended.length > 0) return
      // The first command of a unit saw the database itself: a need is missing, which is a fault, or the need was loaded up to a limit.
      if (!(error instanceof NotLoaded)) throw error
      run.isTooLarge = !oneByOne
      if (oneByOne) run.ended.push({ command, outcome: refused(run, command, error.refusal) })
      return
    }
  }
}

/**
 * Runs the command again with more ids if it had too few. How many batches a pick touches is known only after the pick. Later commands get
 * new ids too, so that ids rise from command to command.
 */
async function decideWithIds(
  run: TenantRun,
  at: number,
  connection: RoundTripConnection,
  settings: Settings,
): Promise<Outcome> {
  const [prepared, ...behind] = run.commands.slice(at) as [Prepared, ...Prepared[]]
  for (;;) {
    try {
      return await decide(run, prepared, settings)
    } catch (error) {
      if (!(error instanceof OutOfIds)) throw error
      run.work.undoAll()
      const more = Math.max(IDS_MORE, prepared.ids.length)
      const fresh = await freshIds(
        connection,
        behind.reduce((sum, { ids }) => sum + ids.length, more),
      )
      let taken = more
      prepared.ids = [...prepared.ids, ...fresh.slice(0, more)]
      for (const next of behind) {
        next.ids = fresh.slice(taken, taken + next.ids.length)
        taken += next.ids.length
      }
    }
  }
}

async function decide(run: TenantRun, prepared: Prepared, { settings }: Settings): Promise<Outcome> {
  const { command } = prepared
  const earlier = run.known.get(command.idempotencyKey)
  if (earlier) return answerFromLog(command, earlier)
  // A recorded success counts for every command with the key. A recorded refusal counts only for commands that share its claim.
  const refusal = run.refusals.get(claimOf(command))
  if (refusal) return { kind: 'refused', refusal }
  if (isTooLate(run, command)) return tooLate
  if (run.forcedRefusal) return refused(run, command, run.forcedRefusal)
  const isSpent = run.quotas.isSpent(command)
  if (isSpent && !command.quota?.ifMade) return refused(run, command, quotaExceeded(new Date(run.work.now)))
  const { work } = run
  work.begin(prepared.ids, namedUser({ actor: command.actor, tenant: work.tenant }))
  const options = { cause: command.trace, attributes: { 'millrace.request_id': command.requestId } }
  return inSpan(prepared.endpoint.id, options, async span => {
    const unknown = refuseNames(prepared, work)
    if (unknown) return refused(run, command, unknown)
    const facts = { ...seeAll(prepared.needs, work), ...seeAll(prepared.more, work) }
    const deciding: Deciding = {
      tenant: work.tenant,
      actor: command.actor,
      requestId: command.requestId,
      now: work.now,
      settings,
      lastEventSequence: run.eventSequence.toString(),
      work,
    }
    const decided = refuseOther(prepared, work) ?? prepared.unit.decide(prepared.request, facts, deciding)
    const decision = isRefusal(decided) ? decided : (work.refuse() ?? decided)
    if (isSpent && !isRefusal(decision) && decision.status === 201) {
      work.undoAll()
      return refused(run, command, quotaExceeded(new Date(work.now)))
    }
    if (!isRefusal(decision))
      return command.isDryRun ? tryOut(run, prepared, decision) : finish(run, prepared, decision, keptTraceParent(span))
    work.undoAll()
    return refused(run, command, decision)
  })
}

/**
 * Whether the command comes from a process that slept. A refusal of the command, or of its key, may have been recorded and deleted since;
 * or its key was refused after the command was accepted (docs/rules/idempotency.md).
 */
function isTooLate({ opened, refusedKeys }: TenantRun, { acceptedAt, idempotencyKey }: Command): boolean {
  if (Math.abs(opened.clockMs - acceptedAt) > COMMAND_AGE_MS_MAX) return true
  return acceptedAt <= (refusedKeys.get(idempotencyKey) ?? 0)
}

/**
 * Refuses texts that name no record. @throws NextUnit if an earlier command of the unit changed which record a text names: the wrong
 * records were loaded then
 */
function refuseNames({ names }: Prepared, work: Work): Refusal | null {
  if (names === null) return null
  const now = names.resolve(seeAll(names.needs, work))
  if (JSON.stringify(now) !== JSON.stringify(names.found)) throw new NextUnit('other records have these names now')
  return isRefusal(now) ? now : null
}

/**
 * Refuses `precondition_failed` if the record differs from `If-Match` or no record has the reference, and `not_found` if the record is
 * gone.
 */
function refuseOther({ command: { ifMatch }, request: { params }, unit }: Prepared, work: Work): Refusal | null {
  const document = unit.ifMatch
  if (ifMatch === undefined || document === undefined) return null
  const id = params['id']
  if (id === undefined) return refuse('precondition_failed', `If-Match: there is no such ${document.noun}`)
  const record = work.find(document, id)
  if (record === null) return notFound(document)
  if (ifMatch === '*' || etagOf(work.render(document, record)) === ifMatch) return null
  return refuse('precondition_failed', `If-Match: the ${document.noun} has changed; read it again`)
}

/**
 * Undoes the command's changes and records the refusal: after a caller got it, no copy of the command may succeed. A dry run records
 * nothing.
 */
function refused(run: TenantRun, command: Command, refusal: Refusal): Outcome {
  if (command.isDryRun) return { kind: 'refused', refusal }
  run.refusals.set(claimOf(command), refusal)
  run.refusedKeys.set(command.idempotencyKey, run.opened.clockMs)
  run.refused.push(refusedRow(run, command, refusal))
  return { kind: 'refused', refusal }
}

/** The answer of a dry run. All its changes are undone, including the stock's events. */
function tryOut({ work }: TenantRun, { endpoint }: Prepared, decision: Decision): Outcome {
  work.undoAll()
  return dryAnswer({ status: endpoint.success, ...decision })
}

/** Adds a success to log and outbox. */
function finish(
  run: TenantRun,
  { command, endpoint }: Prepared,
  decision: Decision,
  trace: TraceParent | undefined,
): Outcome {
  const { work } = run
  const { status = endpoint.success } = decision
  const quota = command.quota?.ifMade && status !== 201 ? null : command.quota
  if (quota) run.quotas.spend(command)
  const before = run.outbox.length
  const actor = eventActor({ actor: command.actor, tenant: work.tenant, requestId: command.requestId })
  const { body, recordedBody } = decision
  const logged = { fingerprint: command.fingerprint, status, body: recordedBody ?? body }
  const sent = publish(run, [...work.takeEvents(), ...decision.events], { actor, trace })
  const holder = sent.findLast(({ data }) => data === logged.body)?.sequence
  run.log.push({
    ...requestRow(run, command, status),
    ...logged,
    ...(holder === undefined ? { body_sequence: null } : { body: null, body_sequence: holder }),
    endpoint: endpoint.id,
    quota_group: quota?.group ?? null,
    quota_day: quota?.day ?? null,
    first_sequence: run.outbox[before]?.sequence ?? null,
    last_sequence: run.outbox[before] ? run.eventSequence.toString() : null,
  })
  run.known.set(command.idempotencyKey, { ...logged, requestId: command.requestId })
  return {
    kind: 'done',
    status,
    body,
    replayed: false,
    ...(recordedBody === undefined ? {} : { recordedBody }),
  }
}

/** What the list of requests needs of a tenant's run (docs/rules/requests.md, "The list of requests"). */
type Requests = Pick<TenantRun, 'opened' | 'log' | 'refused' | 'endpointById'>

/** The row of a command that succeeds with this status. */
function requestRow(run: Requests, command: Command, status: number): RequestRow {
  const { opened, log, refused, endpointById } = run
  const { actor, requestId, idempotencyKey } = command
  return {
    id: requestIdAt(opened.now, log.length + refused.length),
    request_id: requestId,
    key_id: actor.keyId,
    user_name: namedUser({ actor, tenant: opened.tenant }),
    ...targetOf(command, endpointById.get(command.endpoint)),
    idempotency_key: idempotencyKey,
    status,
  }
}

export function refusedRow(run: Requests, command: Command, refusal: Refusal): RefusedRow {
  const { refusal: error, message } = refusal
  return {
    ...requestRow(run, command, statusOf(refusal)),
    claim_id: claimOf(command),
    refusal: JSON.stringify(refusal),
    scope: run.endpointById.get(command.endpoint)?.scope ?? null,
    error,
    message,
  }
}

/** The method, and the path after the API's prefix. */
function targetOf({ endpoint: id, params }: Command, endpoint: CommandEndpoint | undefined) {
  if (id === BULK) return { method: 'POST', path: '/bulk' }
  if (endpoint === undefined) return { method: null, path: null }
  return {
    method: endpoint.method,
    path: endpoint.path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
  }
}
