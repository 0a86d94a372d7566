/**
 * A command between the server process and the worker: the validated request, its sender, and where the answer is sent. It is plain JSON
 * and must never contain a secret.
 */
import type { Actor, CommandEndpoint, Endpoint, Params } from '../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import type { TraceParent } from '../platform/tracing/tracing.ts'

export type Command = {
  /** The quota counts by this id too: a repeated claim or settlement counts once. */
  readonly requestId: string
  readonly tenantId: string
  /** The cell where the tenant's key was found; absent: the main cell. */
  readonly cell?: string
  /**
   * The request that holds the claim, if this one waited for it and the command was lost. This command ends as that request's command does.
   */
  readonly continues?: string
  /** The id of its endpoint, or `BULK`. */
  readonly endpoint: string
  /** Whether the command decides and answers, and is then rolled back. */
  readonly isDryRun?: true
  readonly actor: Actor
  readonly idempotencyKey: string
  /** SHA-256 of method, concrete path and canonical body, in hex. */
  readonly fingerprint: string
  readonly params: Params
  /** The entity tag that the record must have, or `*` for any. */
  readonly ifMatch?: string
  readonly body: unknown
  /** The stream of the server process that waits for the answer. */
  readonly replyTo: string
  /**
   * The quota that a success spends (UTC day); null: the endpoint counts no documents. `ifMade`: only a success that makes a record spends
   * it.
   */
  readonly quota: { readonly group: string; readonly day: string; readonly ifMade?: true } | null
  /** When the server took the request, in ms since 1970. */
  readonly acceptedAt: number
  /** Names of the keys with which the server can decrypt answers. Only set if the answer shows a secret. */
  readonly replyKeys?: readonly string[]
  /** The request's span, while traces are on. */
  readonly trace?: TraceParent
  /** For a bulk in one transaction (its endpoint is BULK, and it has no key): its commands, in order. */
  readonly entries?: readonly Command[]
}

export type Bulk = Command & { readonly entries: readonly Command[] }

/** The endpoint of a bulk in one transaction. */
export const BULK = 'bulk'

export const isBulk = (command: Command): command is Bulk => command.entries !== undefined

/** Where an answer goes: the server process and the request that waits. */
export type Address = Pick<Command, 'replyTo' | 'requestId'>

/** The address as scripts store it. */
export const addressText = ({ replyTo, requestId }: Address): string => `${replyTo} ${requestId}`

export function parseAddress(text: string): Address {
  const [replyTo = '', requestId = ''] = text.split(' ')
  return { replyTo, requestId }
}

export const commandsById = (endpoints: readonly Endpoint[]): ReadonlyMap<string, CommandEndpoint> =>
  new Map(endpoints.filter(endpoint => endpoint.kind === 'command').map(endpoint => [endpoint.id, endpoint]))

/** The Idempotency-Key of a dry run. Callers cannot send it, because their keys are trimmed, so it never equals the key of a write. */
export const dryRunKey = (requestId: string): string => ` dry run of ${requestId}`

type DryAnswer = Pick<Done, 'status' | 'body'> & { readonly recordedBody?: string | null }

/** The answer of a dry run. It is never replayed. A secret is left out, because the real write makes another one. */
export const dryAnswer = ({ status, body, recordedBody = body }: DryAnswer): Done => ({
  kind: 'done',
  status,
  body: recordedBody,
  replayed: false,
})

/** The id of an entry's command. All ids of a bulk have the same length, so that none is the beginning of another. */
export const entryId = (requestId: string, at: number): string => `${requestId}.${String(at).padStart(3, '0')}`

/** About how many rows a command brings: the length of its longest list. For a bulk the sum of its commands. */
export function weightOf({ body, entries }: Command): number {
  if (entries) return entries.reduce((sum, entry) => sum + weightOf(entry), 0)
  let most = 1
  if (typeof body === 'object' && body !== null)
    for (const value of Object.values(body)) if (Array.isArray(value)) most = Math.max(most, value.length)
  return most
}

/** The claim under which a refusal is recorded: the same for all copies of a command and for the duplicates that waited for it. */
export const claimOf = ({ continues, requestId }: Command): string => continues ?? requestId

/** How a command ended, as sent to the server. */
export type Outcome = Done | Refused

export type Refused = {
  readonly kind: 'refused'
  readonly refusal: Refusal
  /** The same as in `Done`. */
  readonly generation?: number | undefined
  readonly spent?: number | undefined
}

/** A command with its outcome. They are passed together, so that an outcome cannot be given to another command. */
export type Ended = { readonly command: Command; readonly outcome: Outcome }

/** The outcome of a bulk's entry, with the request id of the entry's command. */
export type EntryOutcome = Outcome & { readonly requestId: string }

/** Done now, or found in the command log (`replayed`). */
export type Done = {
  readonly kind: 'done'
  readonly status: number
  /** JSON text; null for 204. */
  readonly body: string | null
  /** What replays show if the body contains a secret. */
  readonly recordedBody?: string
  readonly replayed: boolean
  /**
   * The PostgreSQL transaction that wrote the effects or found them (text of an xid8). A snapshot that includes this transaction shows
   * them.
   */
  readonly transaction?: string | undefined
  /** The cell of that transaction; absent: that of the command. They differ after the tenant has moved. */
  readonly cell?: string
  /** The generation of the database at that time (docs/operations.md, "Failover"). */
  readonly generation?: number | undefined
  /** How many documents the command's quota has spent so far, if the worker counted them. */
  readonly spent?: number | undefined
  /** For a bulk in one transaction: the outcomes of its commands, even if one was refused. */
  readonly entries?: readonly EntryOutcome[]
}

/** The outcome of a command that was not done and may be tried again. */
export const unavailable: Outcome = {
  kind: 'refused',
  refusal: refuse(
    'service_unavailable',
    'The service could not finish the request; a retry with the same Idempotency-Key is safe.',
    { 'Retry-After': '1' },
  ),
}

/**
 * A command that was accepted longer ago does not run, nor one from as far in the future. The web process's clock is compared with
 * PostgreSQL's, under the tenant's lock. Callers wait for a minute at most (COMMAND_DEADLINE_MS) and refusals are kept for an hour
 * (refused_commands), so that no refusal is deleted while its command can still run.
 */
export const COMMAND_AGE_MS_MAX = 5 * 60_000

/** The outcome of a command that comes too late. The command itself was not refused: nothing is recorded. */
export const tooLate: Refused = {
  kind: 'refused',
  refusal: refuse(
    'service_unavailable',
    'The request came too late to be run, and nothing was done; a retry with the same Idempotency-Key is safe.',
    { 'Retry-After': '1' },
  ),
}

/** `not_applied`: the outcome of the other entries when this one was refused. */
const notApplied = (at: number): Outcome => ({
  kind: 'refused',
  refusal: refuse('not_applied', `requests[${at}]: was refused, and so nothing of this bulk was done`),
})

/**
 * The outcome of a bulk in one transaction whose entry at `at` was refused. That entry gets its refusal. Entries with a recorded answer get
 * their replay. All others get `not_applied`.
 */
export const bulkRefused = (
  entries: readonly { readonly requestId: string; readonly replay: Outcome | undefined }[],
  { at, refusal }: { readonly at: number; readonly refusal: Refusal },
): Done =>
  bulkOf(
    entries.map(({ requestId, replay }, of) => {
      if (of === at) return { kind: 'refused', refusal, requestId }
      return { ...(replay?.kind === 'done' ? replay : notApplied(at)), requestId }
    }),
  )

/** The outcome of a bulk in one transaction whose entries were all done. */
export const bulkDone = (entries: readonly Ended[]): Done =>
  bulkOf(entries.map(({ command, outcome }) => ({ ...outcome, requestId: command.requestId })))

const bulkOf = (entries: readonly EntryOutcome[]): Done => ({
  kind: 'done',
  status: 200,
  body: null,
  replayed: false,
  entries,
})

/** An outcome from another cell than the command's. */
export const outcomeIn = (cell: string, outcome: Outcome): Outcome => {
  if (outcome.kind !== 'done') return outcome
  const { entries } = outcome
  const inCell = (each: EntryOutcome): EntryOutcome => ({ ...outcomeIn(cell, each), requestId: each.requestId })
  return { ...outcome, cell, ...(entries ? { entries: entries.map(inCell) } : {}) }
}

/** The commands that ended with this command: the entries of a bulk. If the bulk was refused as a whole, each entry gets that refusal. */
export function endedWith({ command, outcome }: Ended): readonly Ended[] {
  const { entries } = command
  if (entries === undefined) return [{ command, outcome }]
  if (outcome.kind === 'refused' || outcome.entries === undefined)
    return entries.map(entry => ({ command: entry, outcome }))
  const byId = new Map(outcome.entries.map(entry => [entry.requestId, entry]))
  return entries.map(entry => ({ command: entry, outcome: byId.get(entry.requestId) ?? unavailable }))
}

export const tenantGone: Outcome = {
  kind: 'refused',
  refusal: refuse('unauthorized', 'The tenant of this key is gone.'),
}

/** The answer to a bug. */
export const internalError = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/** The outcome's name in metrics: `done`, `replayed`, `dry_run`, or the code of the refusal. */
export function outcomeName({ command, outcome }: Ended): string {
  if (outcome.kind === 'refused') return outcome.refusal.refusal
  if (command.isDryRun) return 'dry_run'
  return outcome.replayed ? 'replayed' : 'done'
}

/** A success as all callers but the first get it. */
export function asReplay(done: Done): Done {
  const { status, body, recordedBody = body, transaction, cell } = done
  return { kind: 'done', status, body: recordedBody, replayed: true, transaction, ...(cell ? { cell } : {}) }
}
