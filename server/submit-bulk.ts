/**
 * Brings the writes of a bulk into their tenant's queue together and their outcomes back (docs/rules/requests.md, "Bulk writes"). What
 * a single one of them goes through is submit-command.ts's business.
 */
import type { Context } from 'koa'
import { checkScope } from '../lib/access/access.ts'
import { rateHeaders, rateRefusal } from '../lib/access/rate.ts'
import { BODY_BYTES_MAX } from '../lib/api/body-limit.ts'
import { API_PREFIX, answersRecord, type BulkEndpoint, type CommandEndpoint } from '../lib/api/endpoint.ts'
import { invalid, isRefusal, type Refusal, statusOf } from '../lib/api/errors.ts'
import { etagOf } from '../lib/api/etag.ts'
import { readIfMatch, takesNoIfMatch } from '../lib/api/if-match.ts'
import { canonicalJson, JsonNumber, type JsonObject } from '../lib/api/json.ts'
import { validate } from '../lib/api/validate.ts'
import { BULK_NESTING_MAX, NewBulk } from '../lib/bulk/schemas.ts'
import {
  BULK,
  type Bulk,
  bulkRefused,
  type Command,
  entryId,
  type Outcome,
  unavailable,
} from '../lib/pipeline/command.ts'
import { answerFromLog, findLogged } from '../lib/pipeline/command-log.ts'
import { isDependencyFailure } from '../lib/postgres/failures.ts'
import { awaitReply, notBegun } from './await-reply.ts'
import { errorJson } from './error-reply.ts'
import { type MatchWrite, matchWrites } from './match-write.ts'
import { readBody, tooLarge } from './read-body.ts'
import { cellPart, commandOf, refuseQuery } from './read-command.ts'
import type { Services } from './services.ts'
import { followClaim, readable, runningTtlMs } from './submit-command.ts'

type Entry = NewBulk['requests'][number]
/** An entry with the command that it is, or why it is none. */
type Read = {
  readonly entry: Entry
  readonly endpoint: CommandEndpoint | undefined
  readonly command: Command | Refusal
}

/** What answers bulks; the JSON of the answer, or the refusal of the whole. */
export function bulkSubmitter(endpoint: BulkEndpoint, { endpoints }: Pick<Services, 'endpoints'>) {
  const match = matchWrites(endpoints)
  const withETag = new Set(endpoints.filter(each => each.kind === 'command' && answersRecord(each, endpoints)))
  return async (ctx: Context, services: Services): Promise<string | Refusal> => {
    const acceptedAt = Date.now()
    const bulk = await readBulk(ctx, endpoint)
    if (isRefusal(bulk)) return bulk
    const overRate = await takeRate(ctx, bulk.requests.length, services)
    if (overRate) return overRate
    const reads = await Promise.all(
      bulk.requests.map((entry, at) => readEntry(ctx, { entry, at, acceptedAt }, { match, services })),
    )
    const outcomes = await inShare(ctx, reads.length, services, () =>
      bulk.mode === 'all' ? runAll(ctx, reads, acceptedAt, services) : runEach(reads, services),
    )
    if (isRefusal(outcomes)) return outcomes
    noteOutcomes(ctx, { mode: bulk.mode, reads, outcomes }, services)
    const results = reads.map((read, at) => resultJson(ctx, read, outcomes[at] ?? unavailable, withETag))
    return `{"mode":"${bulk.mode}","results":[${results.join(',')}]}`
  }
}

// ---- the whole

async function readBulk(ctx: Context, { bytesMax }: BulkEndpoint): Promise<NewBulk | Refusal> {
  const raw = await readBody(ctx, { bytesMax, nestingMax: BULK_NESTING_MAX })
  if (isRefusal(raw)) return raw
  // Entries have conditions of their own.
  const conditional = ctx.get('If-Match') === '' ? undefined : takesNoIfMatch('If-Match')
  const bulk = refuseQuery(ctx) ?? conditional ?? validate(NewBulk, raw, 'body')
  if (isRefusal(bulk)) return bulk
  const { requests } = bulk
  const firstWith = new Map<string, number>()
  for (const [at, { idempotency_key: key }] of requests.entries()) {
    const first = firstWith.get(key)
    if (first !== undefined) return invalid(`requests[${at}].idempotency_key`, `is that of requests[${first}] too`)
    firstWith.set(key, at)
  }
  const { burst } = ctx.state.access
  if (requests.length > burst)
    return invalid('requests', `must have at most ${burst} entries, the burst of the API key`)
  return bulk
}

/** The request itself has taken one of the rate already. */
async function takeRate(ctx: Context, count: number, { access }: Services): Promise<Refusal | undefined> {
  if (count === 1) return undefined
  const decision = await access.rate.takeInstead(ctx.state.access, count)
  ctx.set(rateHeaders(decision))
  return rateRefusal(decision)
}

async function inShare<T>(
  ctx: Context,
  count: number,
  services: Services,
  run: () => Promise<T>,
): Promise<T | Refusal> {
  const { tenantId } = ctx.state.access
  const { fairShare, config } = services
  if (!(await fairShare.enter(tenantId, config.commandDeadlineMs, count))) return notBegun.refusal
  try {
    return await run()
  } finally {
    fairShare.leave(tenantId, count)
  }
}

// ---- an entry

async function readEntry(
  ctx: Context,
  { entry, at, acceptedAt }: { readonly entry: Entry; readonly at: number; readonly acceptedAt: number },
  { match, services }: { readonly match: MatchWrite; readonly services: Services },
): Promise<Read> {
  const { access, requestId } = ctx.state
  const found = entry.path.includes('?') ? invalid('path', 'must have no query') : match(entry.method, entry.path)
  if (isRefusal(found)) return { entry, endpoint: undefined, command: found }
  const { endpoint, params } = found
  const read = (command: Command | Refusal): Read => ({ entry, endpoint, command })
  const forbidden = checkScope(access, endpoint.scope)
  if (forbidden) return read(forbidden)
  const body = bodyIn(ctx, entry, endpoint)
  if (isRefusal(body)) return read(body)
  const ifMatch = ifMatchIn(entry, endpoint)
  if (isRefusal(ifMatch)) return read(ifMatch)
  const path = API_PREFIX + entry.path
  const ids = { requestId: entryId(requestId, at), idempotencyKey: entry.idempotency_key, acceptedAt }
  return read(await commandOf({ ...ids, endpoint, path, params, body, ifMatch }, access, services))
}

function bodyIn(ctx: Context, { body }: Entry, { body: schema }: CommandEndpoint): JsonObject | undefined | Refusal {
  if (!schema) return body == null ? undefined : invalid('body', 'is not taken by this endpoint')
  if (body === undefined) return invalid('body', 'is required')
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof JsonNumber)
    return invalid('body', 'must be a JSON object')
  // No part of a short bulk is longer.
  const isShort = ctx.request.length <= BODY_BYTES_MAX && ctx.get('Content-Encoding') === ''
  return isShort || Buffer.byteLength(canonicalJson(body as JsonObject)) <= BODY_BYTES_MAX
    ? (body as JsonObject)
    : tooLarge(BODY_BYTES_MAX)
}

function ifMatchIn({ if_match: given }: Entry, { takesIfMatch }: CommandEndpoint): string | undefined | Refusal {
  if (given == null) return undefined
  if (!takesIfMatch) return takesNoIfMatch('if_match')
  return typeof given === 'string' ? readIfMatch('if_match', given) : invalid('if_match', 'must be a string')
}

// ---- running them

/** Every entry as the command that it would be alone; those that are none are refused, and the others run. */
async function runEach(reads: readonly Read[], services: Services): Promise<Outcome[]> {
  const commands = reads.flatMap(({ command }) => (isRefusal(command) ? [] : [command]))
  const waiting = commands.map(({ requestId }) => services.replies.expect(requestId))
  try {
    const claims =
      commands.length === 0 ? [] : await services.claims.claimAll(commands, { runningTtlMs: runningTtlMs(services) })
    const outcomes = await Promise.all(
      commands.map(async (command, at) => {
        const [claim, reply] = [claims[at], waiting[at]]
        if (!claim || !reply) return unavailable
        try {
          return await followClaim(command, claim, reply.outcome, services)
        } catch (error) {
          // The others have their answers; this one's outcome a retry finds.
          if (!isDependencyFailure(error)) services.log.error({ err: error, request_id: command.requestId }, 'an entry')
          return unavailable
        }
      }),
    )
    return reads.map(({ command }) =>
      isRefusal(command) ? { kind: 'refused', refusal: command } : (outcomes.shift() ?? unavailable),
    )
  } finally {
    for (const { forget } of waiting) forget()
  }
}

/** All entries as one command; nothing runs where one of them is none. */
async function runAll(
  ctx: Context,
  reads: readonly Read[],
  acceptedAt: number,
  services: Services,
): Promise<readonly Outcome[] | Refusal> {
  const { requestId, access } = ctx.state
  const at = reads.findIndex(({ command }) => isRefusal(command))
  const refusal = reads[at]?.command
  if (isRefusal(refusal))
    return bulkRefused(await replaysOf(reads, access.tenantId, services), { at, refusal }).entries ?? []
  const bulk: Bulk = {
    requestId,
    tenantId: access.tenantId,
    ...cellPart(access),
    endpoint: BULK,
    actor: { keyId: access.keyId, userName: access.userName },
    idempotencyKey: '',
    fingerprint: '',
    params: {},
    body: null,
    replyTo: services.serverId,
    quota: null,
    acceptedAt,
    entries: reads.map(({ command }) => command as Command),
  }
  const waiting = services.replies.expect(requestId)
  try {
    await services.queues.enqueue(bulk, requestId)
    const outcome = await readable(bulk, await awaitReply(bulk, requestId, waiting.outcome, services), services)
    return outcome.kind === 'refused' ? outcome.refusal : (outcome.entries ?? [])
  } finally {
    waiting.forget()
  }
}

/** What was recorded of the entries before, by entry. */
async function replaysOf(
  reads: readonly Read[],
  tenantId: string,
  services: Services,
): Promise<readonly (Outcome | undefined)[]> {
  const keys = reads.map(({ entry }) => entry.idempotency_key)
  const logged = await findLogged(services.pool, tenantId, keys)
  if (logged.size > 0) await services.reads.noteWrite(tenantId, undefined)
  return reads.map(({ command }) => {
    const found = isRefusal(command) ? undefined : logged.get(command.idempotencyKey)
    return found && answerFromLog(command as Command, found)
  })
}

// ---- the answer

/** Of each entry what a request of its own would leave behind: its refusal for the telemetry, and the mail for a spent quota. */
function noteOutcomes(
  ctx: Context,
  {
    mode,
    reads,
    outcomes,
  }: { readonly mode: string; readonly reads: readonly Read[]; readonly outcomes: readonly Outcome[] },
  services: Services,
): void {
  for (const [at, outcome] of outcomes.entries()) {
    const command = reads[at]?.command
    if (
      outcome.kind === 'refused' &&
      outcome.refusal.refusal === 'document_quota_exceeded' &&
      command &&
      !isRefusal(command)
    )
      services.quotaMails.note(command)
  }
  ctx.state.bulk = {
    mode,
    entries: outcomes.map(outcome =>
      outcome.kind === 'done'
        ? { status: outcome.status, refusal: undefined, replayed: outcome.replayed }
        : { status: statusOf(outcome.refusal), refusal: outcome.refusal, replayed: false },
    ),
  }
}

function resultJson(ctx: Context, { entry, endpoint }: Read, outcome: Outcome, withETag: ReadonlySet<unknown>): string {
  const head = (status: number, replayed: boolean, etag: string | null) =>
    `{"idempotency_key":${JSON.stringify(entry.idempotency_key)},"status":${status},"replayed":${replayed},"etag":${JSON.stringify(etag)}`
  if (outcome.kind === 'refused') {
    const { refusal } = outcome
    return `${head(statusOf(refusal), false, null)},"body":${errorJson(refusal, ctx.state.requestId)}}`
  }
  const { body, replayed } = outcome
  const status = replayed ? (endpoint?.replay ?? outcome.status) : outcome.status
  const etag = body !== null && withETag.has(endpoint) ? etagOf(body) : null
  return `${head(status, replayed, etag)},"body":${body}}`
}
