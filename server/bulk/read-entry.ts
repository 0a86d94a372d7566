/** Makes the command of a bulk's entry, with the same checks as for a single request. It does not run the command. */
import type { Context } from 'koa'
import { checkScopes } from '../../lib/access/access.ts'
import { BODY_BYTES_MAX } from '../../lib/kit/api/body-limit.ts'
import { API_PREFIX, type CommandEndpoint, type Params } from '../../lib/kit/api/endpoint.ts'
import { invalid, isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { readIfMatch, takesNoIfMatch } from '../../lib/kit/api/if-match.ts'
import type { NewBulk } from '../../lib/pipeline/bulk/bulk-schemas.ts'
import { type Command, entryId, type Outcome } from '../../lib/pipeline/command.ts'
import { fitsInBytes, JsonNumber, type JsonObject } from '../../lib/platform/json.ts'
import type { MatchWrite } from '../match-write.ts'
import { tooLarge } from '../read-request.ts'
import type { Services } from '../services.ts'
import { commandOf, refuseByCheck } from '../write.ts'

type Sent = NewBulk['requests'][number]

/** An entry with its command, or the refusal. */
export type Entry = {
  /** Null for a dry run without a key. */
  readonly key: string | null
  /** undefined: no endpoint has the path and method. */
  readonly endpoint: CommandEndpoint | undefined
  readonly command: Command | Refusal
}

export type EndedEntry = Entry & { readonly outcome: Outcome }

type EntryOptions = {
  readonly at: number
  /** When the server took the bulk, in ms since 1970. */
  readonly acceptedAt: number
  /** The length of the bulk in bytes. */
  readonly bytes: number
  readonly match: MatchWrite
}

type Found = { readonly endpoint: CommandEndpoint; readonly params: Params }

/** Reads an entry. `checkEntry` runs the `check` of its endpoint. */
export function readEntry(ctx: Context, sent: Sent, options: EntryOptions, services: Services): Entry {
  const { method, path, idempotency_key } = sent
  const key = idempotency_key ?? null
  const found = path.includes('?') ? invalid('path', 'must have no query') : options.match(method, path)
  if (isRefusal(found)) return { key, endpoint: undefined, command: found }
  return { key, endpoint: found.endpoint, command: readCommand(ctx, sent, { ...options, ...found }, services) }
}

export async function checkEntry(entry: Entry, services: Services): Promise<Entry> {
  const { command, endpoint } = entry
  if (isRefusal(command) || endpoint === undefined) return entry
  const refusal = await refuseByCheck(command, endpoint, services)
  return refusal ? { ...entry, command: refusal } : entry
}

function readCommand(
  ctx: Context,
  sent: Sent,
  { at, acceptedAt, bytes, endpoint, params }: EntryOptions & Found,
  services: Services,
): Command | Refusal {
  const { access, requestId, isDryRun } = ctx.state
  const forbidden = checkScopes(access, endpoint)
  if (forbidden) return forbidden
  const body = readBody(sent, endpoint, bytes)
  if (isRefusal(body)) return body
  const ifMatch = readCondition(sent, endpoint)
  if (isRefusal(ifMatch)) return ifMatch
  const ids = { requestId: entryId(requestId, at), idempotencyKey: sent.idempotency_key ?? '', acceptedAt }
  return commandOf(
    { ...ids, isDryRun, endpoint, path: API_PREFIX + sent.path, params, body, ifMatch },
    access,
    services,
  )
}

function readBody(
  { body }: Sent,
  { body: schema }: CommandEndpoint,
  bulkBytes: number,
): JsonObject | undefined | Refusal {
  if (!schema) return body == null ? undefined : invalid('body', 'is not taken by this endpoint')
  if (body === undefined) return invalid('body', 'is required')
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof JsonNumber)
    return invalid('body', 'must be a JSON object')
  // An entry of a short bulk is short too.
  return bulkBytes <= BODY_BYTES_MAX || fitsInBytes(body as JsonObject, BODY_BYTES_MAX)
    ? (body as JsonObject)
    : tooLarge(BODY_BYTES_MAX)
}

function readCondition({ if_match: given }: Sent, { takesIfMatch }: CommandEndpoint): string | undefined | Refusal {
  if (given == null) return undefined
  if (!takesIfMatch) return takesNoIfMatch('if_match')
  return typeof given === 'string' ? readIfMatch('if_match', given) : invalid('if_match', 'must be a string')
}
