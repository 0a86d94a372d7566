/**
 * Brings a write from HTTP into its tenant's queue and its outcome back: wait for its share, claim and enqueue, await.
 * It decides nothing about stock or documents.
 */
import type { Context } from 'koa'
import { quotaExceeded } from '../lib/access/document-quota.ts'
import type { CommandEndpoint } from '../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { etagOf } from '../lib/kit/api/etag.ts'
import type { Command, Done, Outcome } from '../lib/pipeline/command.ts'
import { answerFromLog, findLogged, keyReused } from '../lib/pipeline/command-log.ts'
import type { Claim } from '../lib/pipeline/idempotency.ts'
import { httpMetrics } from '../lib/platform/telemetry/metrics.ts'
import { awaitReply } from './await-reply.ts'
import { byDeadline, notBegun, takeBackAt } from './deadlines.ts'
import { readCommand } from './read-command.ts'
import type { Services } from './services.ts'
import { whereItLives } from './where-it-lives.ts'

/** Claims outlive the deadline a little, so that a late answer still finds its record. */
const RUNNING_TTL_FACTOR = 1.3

/** What a command answered, or why not. */
export async function submitCommand(
  ctx: Context,
  endpoint: CommandEndpoint,
  services: Services,
): Promise<Done | Refusal> {
  const command = await readCommand(ctx, endpoint, services)
  if (isRefusal(command)) return command
  // The body is here: whoever sends slowly holds up nobody.
  return inShare(command, services, async () => {
    const waiting = services.replies.expect(command.requestId)
    try {
      const outcome = await claimAndRun(command, ctx.state.access.dailyDocuments, waiting.outcome, services)
      if (outcome.kind === 'done') return outcome
      services.quotaMails.note(command, outcome.refusal)
      return outcome.refusal
    } finally {
      waiting.forget()
    }
  })
}

type Share = { readonly tenantId: string; readonly acceptedAt: number; readonly count?: number }

/** Runs `count` commands of a tenant once its share has room, and answers by their deadline. */
export async function inShare<T>(
  { tenantId, acceptedAt, count = 1 }: Share,
  { fairShare, config }: Services,
  run: () => Promise<T>,
): Promise<T | Refusal> {
  const patienceMs = Math.max(0, takeBackAt(acceptedAt, config) - Date.now())
  if (!(await fairShare.enter(tenantId, patienceMs, count))) return notBegun.refusal
  try {
    return await byDeadline(acceptedAt, config, run)
  } finally {
    fairShare.leave(tenantId, count)
  }
}

async function claimAndRun(
  command: Command,
  dailyDocuments: number,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  const claim = await services.claims.claim(command, { dailyDocuments, runningTtlMs: runningTtlMs(services) })
  return followClaim(command, claim, reply, services)
}

export const runningTtlMs = ({ config }: Services): number => Math.round(config.commandDeadlineMs * RUNNING_TTL_FACTOR)

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
      // Whoever holds the claim may be the other request, and this one be in the log: a bulk of `all` claims no keys.
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

/** A replay spends no quota and needs no room: one that Redis has forgotten is looked up before the refusal. */
async function replayOrRefuse(command: Command, refusal: Refusal, services: Services): Promise<Outcome> {
  const logged = await findReplays([command], services)
  return logged.get(command.idempotencyKey) ?? { kind: 'refused', refusal }
}

/** What commands of one tenant hear whose keys the command log holds, by key. */
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
    // Whoever hears of a write may read it.
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

/** Status and ETag of what a command answered. `isTagged`: a success of this endpoint answers a record. */
export const headOf = ({ status, body, replayed }: Done, endpoint: CommandEndpoint | undefined, isTagged: boolean) => ({
  status: replayed ? (endpoint?.replay ?? status) : status,
  etag: isTagged && body !== null ? etagOf(body) : null,
})
