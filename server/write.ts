/**
 * A write from its request to its answer, from top to bottom: read, claim, await. It decides nothing about stock or documents. Entries of a
 * bulk (bulk/) take the same steps.
 */

import { hash } from 'node:crypto'
import type { Context } from 'koa'
import type { Access } from '../lib/access/access.ts'
import { quotaDay, quotaExceeded } from '../lib/access/document-quota.ts'
import { BODY_BYTES_MAX } from '../lib/kit/api/body-limit.ts'
import type { CommandEndpoint, Params } from '../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { etagOf } from '../lib/kit/api/etag.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { startOfDay } from '../lib/kit/days.ts'
import type { Claim } from '../lib/pipeline/claims.ts'
import { type Command, claimOf, type Done, dryRunKey, type Outcome, outcomeIn } from '../lib/pipeline/command.ts'
import { answerFromLog, findLogged, findOutcome, keyReused } from '../lib/pipeline/command-log.ts'
import { MAIN } from '../lib/platform/cells.ts'
import type { Config } from '../lib/platform/config.ts'
import { canonicalJson, type JsonObject } from '../lib/platform/json.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'
import { traceParent } from '../lib/platform/tracing/tracing.ts'
import { within } from '../lib/platform/within.ts'
import { answerJson } from './answer.ts'
import { acceptedNow, byDeadline, cancelAt, notBegun, outcomeOpen } from './deadlines.ts'
import { heardBy } from './dry-run.ts'
import { readCondition, readIdempotencyKey, refuseQuery, withBody } from './read-request.ts'
import type { Services } from './services.ts'
import { whereItLives } from './where-it-lives.ts'

/** Claims outlive the deadline a little, so that a late answer still finds the claim. */
const RUNNING_TTL_FACTOR = 1.3
/** A waiting command is checked this often. Most answers arrive before the first check. */
const LOOK_AFTER_MS = 2_000

/** `isTagged`: a success of the endpoint answers a record, so its answer has an ETag. */
type Written = { readonly endpoint: CommandEndpoint; readonly isTagged: boolean }

/** Answers a write, or returns the refusal. */
export async function answerWrite(
  ctx: Context,
  { endpoint, isTagged }: Written,
  services: Services,
): Promise<Refusal | undefined> {
  const done = await write(ctx, endpoint, services)
  if (isRefusal(done)) return heardBy(ctx, done)
  const { status, etag } = headOf(done, endpoint, isTagged)
  if (done.replayed) ctx.set('Idempotent-Replayed', 'true')
  // The record of a dry run cannot be read, so its ETag is useless.
  if (etag !== null && !ctx.state.isDryRun) ctx.set('ETag', etag)
  await answerJson(ctx, { status, body: done.body }, services.config)
  return undefined
}

/** Status and ETag of a command's answer. */
export const headOf = ({ status, body, replayed }: Done, endpoint: CommandEndpoint | undefined, isTagged: boolean) => ({
  status: replayed ? (endpoint?.replay ?? status) : status,
  etag: isTagged && body !== null ? etagOf(body) : null,
})

async function write(ctx: Context, endpoint: CommandEndpoint, services: Services): Promise<Done | Refusal> {
  const command = await readCommand(ctx, endpoint, services)
  if (isRefusal(command)) return command
  // The body has arrived, so a slow sender takes no share.
  return inShare(command, services, async () => {
    // Registered before the claim, so that no answer comes too early.
    const reply = services.replies.expect(command.requestId)
    try {
      const { dailyDocuments } = ctx.state.access
      const claim = await services.claims.claim(command, {
        dailyDocuments,
        runningTtlMs: runningTtlMs(services.config),
      })
      const outcome = await followClaim(command, claim, reply.outcome, services)
      if (outcome.kind === 'done') return outcome
      services.quotaMails.note(command, outcome.refusal)
      return outcome.refusal
    } finally {
      reply.forget()
    }
  })
}

// Read: from the request to the command.

/** Makes the command of a request: checks its body against the schema, then by settings and the network. */
async function readCommand(ctx: Context, endpoint: CommandEndpoint, services: Services): Promise<Command | Refusal> {
  const read = (body: JsonObject | undefined): Command | Refusal => {
    const { requestId, access, isDryRun } = ctx.state
    const unknown = refuseQuery(ctx)
    if (unknown) return unknown
    const idempotencyKey = isDryRun ? '' : readIdempotencyKey(ctx)
    if (isRefusal(idempotencyKey)) return idempotencyKey
    const ifMatch = readCondition(ctx, endpoint)
    if (isRefusal(ifMatch)) return ifMatch
    const sent = { requestId, endpoint, path: ctx.path, params: ctx.params, body, idempotencyKey, isDryRun, ifMatch }
    return commandOf({ ...sent, acceptedAt: acceptedNow(ctx) }, access, services)
  }
  const command = endpoint.body ? await withBody(ctx, { bytesMax: BODY_BYTES_MAX }, services, read) : read(undefined)
  return isRefusal(command) ? command : ((await refuseByCheck(command, endpoint, services)) ?? command)
}

/** A write as it was sent. */
type Sent = {
  readonly requestId: string
  readonly endpoint: CommandEndpoint
  /** The concrete path with the base. */
  readonly path: string
  readonly params: Params
  readonly body: JsonObject | undefined
  /** Not used for a dry run. */
  readonly idempotencyKey: string
  readonly isDryRun: boolean
  readonly ifMatch: string | undefined
  /** When the server took it, in ms since 1970. */
  readonly acceptedAt: number
}

/** A date in a body means the start of that day in the time zone of the tenant. */
export const daysOf = ({ timeZone }: Access) => ({ startOfDay: (day: string) => startOfDay(timeZone, day) })

/** Refuses `validation_failed` for a body that does not fit the schema. `refuseByCheck` comes after it. */
export function commandOf(sent: Sent, access: Access, services: Services): Command | Refusal {
  const { endpoint, requestId, isDryRun, ifMatch, params, acceptedAt } = sent
  const body = endpoint.body ? validate(endpoint.body, sent.body, 'body', daysOf(access)) : null
  if (isRefusal(body)) return body
  const trace = traceParent()
  return {
    requestId,
    ...senderOf(access, services),
    endpoint: endpoint.id,
    ...(isDryRun && { isDryRun }),
    idempotencyKey: isDryRun ? dryRunKey(requestId) : sent.idempotencyKey,
    fingerprint: fingerprintOf(endpoint.method, sent.path, sent.body),
    params,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    body,
    quota: quotaOf(endpoint, access, acceptedAt),
    acceptedAt,
    ...(endpoint.showsSecret && !isDryRun ? { replyKeys: services.replyOptions.secrets.marks() } : {}),
    ...(trace === undefined ? {} : { trace }),
  }
}

const quotaOf = (
  { countsAsDocument, mayMake }: CommandEndpoint,
  { quotaGroup: group }: Access,
  acceptedAt: number,
): Command['quota'] =>
  countsAsDocument ? { group, day: quotaDay(new Date(acceptedAt)), ...(mayMake && { ifMade: true }) } : null

/** The sender of a command: its tenant, key and user, and the server that waits. The main cell is not named. */
export const senderOf = (
  { tenantId, cell, keyId, userName }: Access,
  { replies, queues }: Services,
): Pick<Command, 'tenantId' | 'cell' | 'actor' | 'replyTo'> => ({
  tenantId,
  ...(cell === MAIN ? {} : { cell }),
  actor: { keyId, userName },
  replyTo: replies.addressOf(queues.tagOf(tenantId)),
})

/** SHA-256 of method, concrete path and canonical body. */
function fingerprintOf(method: string, path: string, body: JsonObject | undefined): string {
  return hash('sha256', `${method} ${path}\n${body ? canonicalJson(body) : ''}`)
}

/** The refusal of the endpoint's `check` (settings and the network), if any. */
export const refuseByCheck = async (
  { body }: Command,
  endpoint: CommandEndpoint,
  { config }: Services,
): Promise<Refusal | undefined> => endpoint.check?.(config, body as never)

// Claim: when the tenant's share has room, the key is claimed. The claim also queues the command.

type Share = { readonly tenantId: string; readonly acceptedAt: number; readonly count?: number }

/** Runs `count` commands of a tenant when its share has room, and answers by their deadline. */
export async function inShare<T>(
  { tenantId, acceptedAt, count = 1 }: Share,
  { fairShare, config }: Services,
  run: () => Promise<T>,
): Promise<T | Refusal> {
  const patienceMs = Math.max(0, cancelAt(acceptedAt, config) - Date.now())
  if (!(await fairShare.enter(tenantId, patienceMs, count))) return notBegun.refusal
  try {
    return await byDeadline(acceptedAt, config, run)
  } finally {
    fairShare.leave(tenantId, count)
  }
}

export const runningTtlMs = ({ commandDeadlineMs }: Config): number =>
  Math.round(commandDeadlineMs * RUNNING_TTL_FACTOR)

/** The outcome of a command whose key was claimed. */
export async function followClaim(
  command: Command,
  claim: Claim,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  switch (claim.kind) {
    case 'finished':
      httpMetrics.replay('redis')
      return { kind: 'done', status: claim.status, body: claim.body, replayed: true }
    case 'mismatch':
      // The claim may belong to the other request, and this one may be in the command log: a bulk of `all` claims no keys.
      return replayOrRefuse(command, keyReused, services)
    case 'full':
      services.log.warn({ request_id: command.requestId }, 'Redis is nearly full: a write was refused')
      return replayOrRefuse(command, notBegun.refusal, services)
    case 'quota_exceeded':
      return replayOrRefuse(command, quotaExceeded(new Date()), services)
    case 'running':
      return awaitReply({ ...command, continues: claim.jobId }, claim.jobId, reply, services)
    case 'fresh':
      if (claim.isUnready) await services.queues.makeReady(command.tenantId)
      return awaitReply(command, command.requestId, reply, services)
  }
}

/** Looks up a replay before it refuses: Redis may have forgotten the command. A replay spends no quota and needs no room. */
async function replayOrRefuse(command: Command, refusal: Refusal, services: Services): Promise<Outcome> {
  const logged = await findReplays([command], services)
  return logged.get(command.idempotencyKey) ?? { kind: 'refused', refusal }
}

/** The recorded answers of commands of one tenant, by idempotency key. */
export async function findReplays(
  commands: readonly Command[],
  services: Services,
): Promise<ReadonlyMap<string, Outcome>> {
  const [first] = commands
  if (first === undefined) return new Map()
  const { tenantId } = first
  const keys = commands.map(({ idempotencyKey }) => idempotencyKey)
  const logged = await whereItLives(tenantId, services, async ({ pool, reads }) => {
    const found = await findLogged(pool, tenantId, keys)
    // A caller that gets the answer of a write may read what was written.
    if (found.size > 0) await reads.noteWrite(tenantId, undefined)
    return found
  })
  const heard = new Map<string, Outcome>()
  for (const command of commands) {
    const found = logged.get(command.idempotencyKey)
    if (found === undefined) continue
    httpMetrics.replay('log')
    heard.set(command.idempotencyKey, answerFromLog(command, found))
  }
  return heard
}

// Await: until shortly before the deadline (setting COMMAND_DEADLINE_MS). A command whose queue was lost is queued again.

/** The outcome. A missing answer is looked up in the command log before the request gives up. */
export async function awaitReply(
  command: Command,
  jobId: string,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  const outcome = await outcomeOf(command, jobId, reply, services)
  if (outcome.kind === 'done' && !command.isDryRun) {
    // All server processes must know of a write before its caller gets the answer: the caller may read through any of them.
    const { reads } = outcome.cell === undefined ? services : services.in(outcome.cell)
    await reads.noteWrite(command.tenantId, outcome.transaction)
  }
  return outcome
}

async function outcomeOf(
  command: Command,
  jobId: string,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  const deadline = cancelAt(command.acceptedAt, services.config)
  let job = jobId
  let heard: Outcome | undefined
  void reply.then(outcome => {
    heard = outcome
  })
  for (;;) {
    const waitMs = Math.max(0, Math.min(LOOK_AFTER_MS, deadline - Date.now()))
    const outcome = await within(waitMs, reply).catch(() => undefined)
    if (outcome) return outcome
    if (Date.now() >= deadline) return giveUp(command, job, services)
    const found = await lookAfter(command, job, services)
    if (heard) return heard
    if (found === 'lost') job = await enqueueAgain(command, job, services)
    else if (found !== 'waiting') return found
  }
}

/**
 * Checks a command without an answer. If it is still in the queue, makes its tenant ready. If it is gone, PostgreSQL has the outcome, or
 * the command was lost (Redis was emptied).
 */
async function lookAfter(command: Command, jobId: string, services: Services): Promise<'waiting' | 'lost' | Outcome> {
  try {
    if (await services.queues.holds(command.tenantId, jobId)) {
      await services.queues.makeReady(command.tenantId)
      return 'waiting'
    }
    return (await findEnd(command, services)) ?? 'lost'
  } catch (error) {
    services.log.warn({ err: error, request_id: command.requestId }, 'looking after a command failed')
    return 'waiting'
  }
}

/**
 * Queues a lost command again. This is safe: if the lost command is found later, PostgreSQL keeps the outcome of the first that ends, for
 * both.
 */
async function enqueueAgain(command: Command, jobId: string, services: Services): Promise<string> {
  const again = `${command.requestId}-${Math.random().toString(36).slice(2, 8)}`
  try {
    await services.queues.enqueue(command, again)
    return again
  } catch (error) {
    services.log.warn({ err: error, request_id: command.requestId }, 'queueing a lost command failed')
    return jobId
  }
}

/** After the deadline: cancels the command if it has not begun, else asks PostgreSQL once. */
async function giveUp(command: Command, jobId: string, services: Services): Promise<Outcome> {
  try {
    // Only the request that queued the command may cancel it. A duplicate that waited for the same command only stops waiting.
    const waiters = jobId.startsWith(command.requestId) ? await services.claims.cancel(command, jobId) : null
    if (waiters) {
      // A command that was queued again may have begun before it was lost.
      const outcome = jobId === command.requestId ? notBegun : outcomeOpen
      await services.sendReplies(waiters.map(to => ({ to, outcome })))
      return outcome
    }
    return (await findEnd(command, services)) ?? outcomeOpen
  } catch (error) {
    services.log.warn({ err: error, request_id: command.requestId }, 'giving up on a command failed')
    return outcomeOpen
  }
}

/** The outcome in PostgreSQL. After a refusal the key is released: the worker may have died before it did so. */
async function findEnd(command: Command, services: Services): Promise<Outcome | undefined> {
  const outcome = await whereItLives(command.tenantId, services, async ({ name, pool }) => {
    const found = await findOutcome(pool, command)
    return found && name !== services.name ? outcomeIn(name, found) : found
  })
  if (outcome?.kind === 'refused') await services.queues.release({ ...command, requestId: claimOf(command) }, outcome)
  return outcome
}
