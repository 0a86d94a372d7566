/**
 * Brings a write from HTTP into its tenant's queue and its outcome back: validate, wait for its share, claim and enqueue, await.
 * It decides nothing about stock or documents.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'koa'
import { quotaDay, quotaExceeded } from '../lib/access/document-quota.ts'
import { bodyBytesMax } from '../lib/api/body-limit.ts'
import type { CommandEndpoint } from '../lib/api/endpoint.ts'
import { invalid, isRefusal, type Refusal } from '../lib/api/errors.ts'
import { canonicalJson, type JsonObject } from '../lib/api/json.ts'
import { validate } from '../lib/api/validate.ts'
import type { Command, Done, Outcome } from '../lib/pipeline/command.ts'
import { answerFromLog, findLogged, keyReused } from '../lib/pipeline/command-log.ts'
import type { Claim, ClaimOptions } from '../lib/pipeline/idempotency.ts'
import { httpMetrics } from '../lib/telemetry/metrics.ts'
import { traceParent } from '../lib/tracing/tracing.ts'
import { awaitReply, notBegun } from './await-reply.ts'
import { readBody } from './read-body.ts'
import type { Services } from './services.ts'

const IDEMPOTENCY_KEY_LENGTH_MAX = 200
/** Claims outlive the deadline a little, so that a late answer still finds its record. */
const RUNNING_TTL_FACTOR = 1.3
/** How long to wait at most before looking again whether a place in the quota fell free. */
const RESERVED_WAIT_MAX_MS = 100

/** What a command answered, or why not. */
export async function submitCommand(
  ctx: Context,
  endpoint: CommandEndpoint,
  services: Services,
): Promise<Done | Refusal> {
  const command = await readCommand(ctx, endpoint, services)
  if (isRefusal(command)) return command
  // The body is here: whoever sends slowly holds up nobody.
  if (!(await services.fairShare.enter(command.tenantId, services.config.commandDeadlineMs))) return notBegun.refusal
  const waiting = services.replies.expect(command.requestId)
  try {
    const outcome = await claimAndRun(command, ctx.state.access.dailyDocuments, waiting.outcome, services)
    if (outcome.kind === 'done') return outcome
    if (outcome.refusal.refusal === 'document_quota_exceeded') services.quotaMails.note(command)
    return outcome.refusal
  } finally {
    waiting.forget()
    services.fairShare.leave(command.tenantId)
  }
}

async function readCommand(ctx: Context, endpoint: CommandEndpoint, services: Services): Promise<Command | Refusal> {
  const raw = endpoint.body ? await readBody(ctx, bodyBytesMax(endpoint.body)) : undefined
  if (isRefusal(raw)) return raw
  if (ctx.querystring !== '') return invalid(ctx.querystring.split(/[=&]/)[0] || 'query', 'is not a known parameter')
  const idempotencyKey = readIdempotencyKey(ctx)
  if (isRefusal(idempotencyKey)) return idempotencyKey
  const body = endpoint.body ? validate(endpoint.body, raw, 'body') : null
  if (isRefusal(body)) return body
  const fault = await endpoint.check?.(services.config, body as never)
  if (fault) return fault
  const access = ctx.state.access
  const trace = traceParent()
  return {
    requestId: ctx.state.requestId,
    tenantId: access.tenantId,
    endpoint: endpoint.id,
    actor: { keyId: access.keyId, userName: access.userName },
    idempotencyKey,
    fingerprint: fingerprintOf(ctx.method, ctx.path, raw),
    params: ctx.params,
    body,
    replyTo: services.serverId,
    quota: endpoint.countsAsDocument ? { group: access.quotaGroup, day: quotaDay(new Date()) } : null,
    acceptedAt: Date.now(),
    ...(endpoint.showsSecret ? { replyKeys: services.replyOptions.secrets.marks() } : {}),
    ...(trace === undefined ? {} : { trace }),
  }
}

function readIdempotencyKey(ctx: Context): string | Refusal {
  // Node joins repeated headers; a comma-joined key would be another key, so look at what came.
  const given = ctx.req.headersDistinct['idempotency-key'] ?? []
  if (given.length > 1) return invalid('Idempotency-Key', 'is given more than once')
  const key = given[0]?.trim() ?? ''
  if (key === '') return invalid('Idempotency-Key', 'is required')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return invalid('Idempotency-Key', `must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  return key
}

/** SHA-256 over method, concrete path and canonical body. */
function fingerprintOf(method: string, path: string, body: JsonObject | undefined): string {
  const hash = createHash('sha256').update(`${method} ${path}\n`)
  if (body) hash.update(canonicalJson(body))
  return hash.digest('hex')
}

async function claimAndRun(
  command: Command,
  dailyDocuments: number,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  const jobId = command.requestId
  const options = {
    jobId,
    dailyDocuments,
    runningTtlMs: Math.round(services.config.commandDeadlineMs * RUNNING_TTL_FACTOR),
  }
  let claim = await services.claims.claim(command, options)
  if (claim.kind === 'quota_unknown' && command.quota) {
    const spent = await services.quotaCounts.spent(command.tenantId, command.quota)
    claim = await services.claims.claim(command, { ...options, spent })
  }
  if (claim.kind === 'quota_reserved') {
    const logged = await findReplay(command, services)
    if (logged) return logged
    claim = await claimReserved(command, options, services)
  }
  switch (claim.kind) {
    case 'finished':
      httpMetrics.replay('redis')
      return { kind: 'done', status: claim.status, body: claim.body, replayed: true }
    case 'mismatch':
      return { kind: 'refused', refusal: keyReused }
    case 'quota_exceeded':
      return replayOrRefuse(command, quotaExceeded(new Date()), services)
    case 'quota_reserved':
      return notBegun
    case 'quota_unknown':
      // Redis was emptied again, just now.
      return notBegun
    case 'running':
      return readable(
        command,
        await awaitReply({ ...command, continues: claim.jobId }, claim.jobId, reply, services),
        services,
      )
    case 'fresh':
      if (claim.isFirst) await services.queues.makeReady(command.tenantId)
      return readable(command, await awaitReply(command, jobId, reply, services), services)
  }
}

/** Claims again and again until the commands that hold the rest of the quota are done, or the deadline is here. */
async function claimReserved(command: Command, options: ClaimOptions, services: Services): Promise<Claim> {
  const deadline = command.acceptedAt + services.config.commandDeadlineMs
  for (let wait = 10; ; wait = Math.min(2 * wait, RESERVED_WAIT_MAX_MS)) {
    await delay(wait)
    const claim = await services.claims.claim(command, options)
    if (claim.kind !== 'quota_reserved' || Date.now() + wait > deadline) return claim
  }
}

async function replayOrRefuse(command: Command, refusal: Refusal, services: Services): Promise<Outcome> {
  const logged = await findReplay(command, services)
  if (logged) return logged
  return { kind: 'refused', refusal }
}

/** A replay spends no quota: one that Redis has forgotten is looked up before the refusal. */
async function findReplay(command: Command, services: Services): Promise<Outcome | undefined> {
  const logged = await findLogged(services.pool, command.tenantId, command.idempotencyKey)
  if (!logged) return undefined
  httpMetrics.replay('log')
  return readable(command, answerFromLog(command, logged), services)
}

/** Before the caller hears of a write, all server processes must know of it: it may be read through any of them. */
async function readable(command: Command, outcome: Outcome, services: Services): Promise<Outcome> {
  if (outcome.kind === 'done') await services.reads.noteWrite(command.tenantId, outcome.transaction)
  return outcome
}
