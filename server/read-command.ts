/**
 * Makes the command of a write, whether it came as a request or as an entry of a bulk: the body checked against its schema, the
 * fingerprint, and what the worker must know. It decides nothing about stock or documents.
 */
import { hash } from 'node:crypto'
import type { Context } from 'koa'
import type { Access } from '../lib/access/access.ts'
import { quotaDay } from '../lib/access/document-quota.ts'
import { BODY_BYTES_MAX } from '../lib/kit/api/body-limit.ts'
import type { CommandEndpoint, Params } from '../lib/kit/api/endpoint.ts'
import { invalid, isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { readIfMatch, takesNoIfMatch } from '../lib/kit/api/if-match.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { type Command, dryRunKey } from '../lib/pipeline/command.ts'
import { MAIN } from '../lib/platform/cells.ts'
import { canonicalJson, type JsonObject } from '../lib/platform/json.ts'
import { traceParent } from '../lib/platform/tracing/tracing.ts'
import { acceptedNow } from './deadlines.ts'
import { givenTimes } from './given-times.ts'
import { withBody } from './read-body.ts'
import type { Services } from './services.ts'

const IDEMPOTENCY_KEY_LENGTH_MAX = 200

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A write as it was sent. */
export type Sent = {
  readonly requestId: string
  readonly endpoint: CommandEndpoint
  /** The concrete path, base and all. */
  readonly path: string
  readonly params: Params
  readonly body: JsonObject | undefined
  /** Without meaning where it is run dry. */
  readonly idempotencyKey: string
  readonly isDryRun: boolean
  readonly ifMatch: string | undefined
  /** When the server took it, in ms since 1970. */
  readonly acceptedAt: number
}

/** The command of a request, or why it is none. */
export async function readCommand(
  ctx: Context,
  endpoint: CommandEndpoint,
  services: Services,
): Promise<Command | Refusal> {
  const read = (body: JsonObject | undefined) => readWith(ctx, endpoint, body, services)
  const command = endpoint.body ? await withBody(ctx, { bytesMax: BODY_BYTES_MAX }, services, read) : read(undefined)
  return isRefusal(command) ? command : ((await refuseByCheck(command, endpoint, services)) ?? command)
}

function readWith(
  ctx: Context,
  endpoint: CommandEndpoint,
  body: JsonObject | undefined,
  services: Services,
): Command | Refusal {
  const unknown = refuseQuery(ctx)
  if (unknown) return unknown
  const { requestId, access, isDryRun } = ctx.state
  const idempotencyKey = isDryRun ? '' : readIdempotencyKey(ctx)
  if (typeof idempotencyKey !== 'string') return idempotencyKey
  const ifMatch = ifMatchOf(ctx, endpoint)
  if (isRefusal(ifMatch)) return ifMatch
  const sent = { requestId, endpoint, path: ctx.path, params: ctx.params, body, idempotencyKey, isDryRun, ifMatch }
  return commandOf({ ...sent, acceptedAt: acceptedNow(ctx) }, access, services)
}

/** What its endpoint finds wrong with a command's body by settings and the network. */
export const refuseByCheck = async (
  { body }: Command,
  endpoint: CommandEndpoint,
  { config }: Services,
): Promise<Refusal | undefined> => endpoint.check?.(config, body as never)

/** No write takes a query. */
export const refuseQuery = (ctx: Context): Refusal | undefined =>
  ctx.querystring === '' ? undefined : invalid(ctx.querystring.split(/[=&]/)[0] || 'query', 'is not a known parameter')

/** Refuses `validation_failed` for what its schema does not take; `refuseByCheck` comes after it. */
export function commandOf(sent: Sent, access: Access, services: Services): Command | Refusal {
  const { endpoint, requestId, isDryRun, ifMatch, params, acceptedAt } = sent
  const body = endpoint.body ? validate(endpoint.body, sent.body, 'body') : null
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
    quota: endpoint.countsAsDocument ? { group: access.quotaGroup, day: quotaDay(new Date(acceptedAt)) } : null,
    acceptedAt,
    ...(endpoint.showsSecret && !isDryRun ? { replyKeys: services.replyOptions.secrets.marks() } : {}),
    ...(trace === undefined ? {} : { trace }),
  }
}

/** Whose command it is, and who waits for it. Of the main cell nothing need be said. */
export const senderOf = (
  { tenantId, cell, keyId, userName }: Access,
  { replies, queues }: Services,
): Pick<Command, 'tenantId' | 'cell' | 'actor' | 'replyTo'> => ({
  tenantId,
  ...(cell === MAIN ? {} : { cell }),
  actor: { keyId, userName },
  replyTo: replies.addressOf(queues.tagOf(tenantId)),
})

function readIdempotencyKey(ctx: Context): string | Refusal {
  const given = givenTimes(ctx, 'idempotency-key')
  if (given.length > 1) return invalid('Idempotency-Key', 'is given more than once')
  const key = inUtf8(given[0] ?? '').trim()
  if (key === '') return invalid('Idempotency-Key', 'is required')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX && [...key].length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return invalid('Idempotency-Key', `must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  return key
}

/** Headers are read as Latin-1. One in UTF-8, as curl sends it, must be the same key as in the JSON of a bulk. */
function inUtf8(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header)) return header
  try {
    return utf8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

function ifMatchOf(ctx: Context, endpoint: CommandEndpoint): string | undefined | Refusal {
  const given = givenTimes(ctx, 'if-match')
  const [first] = given
  if (first === undefined) return undefined
  if (!endpoint.takesIfMatch) return takesNoIfMatch('If-Match')
  return given.length > 1 ? invalid('If-Match', 'is given more than once') : readIfMatch('If-Match', first)
}

/** SHA-256 over method, concrete path and canonical body. */
function fingerprintOf(method: string, path: string, body: JsonObject | undefined): string {
  return hash('sha256', `${method} ${path}\n${body ? canonicalJson(body) : ''}`)
}
