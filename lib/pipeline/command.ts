/**
 * A command as it travels from the server process to the worker: the validated request, who sent it, and where the answer
 * goes. It is plain JSON and must never hold a secret.
 */
import type { Actor, CommandEndpoint, Endpoint, Params } from '../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import type { TraceParent } from '../platform/tracing/tracing.ts'

export type Command = {
  /** Also the id under which the quota counts it: a resent claim or settlement counts once. */
  readonly requestId: string
  readonly tenantId: string
  /** Where the tenant's key was found; absent: in the main cell. */
  readonly cell?: string
  /** The request that claimed the key, where this one waited with it until it was lost; it ends as that one does. */
  readonly continues?: string
  /** The id of its endpoint, or `BULK`. */
  readonly endpoint: string
  /** Whether the command decides and answers, and is then undone. */
  readonly isDryRun?: true
  readonly actor: Actor
  readonly idempotencyKey: string
  /** SHA-256 of method, concrete path and canonical body, in hex. */
  readonly fingerprint: string
  readonly params: Params
  /** The entity tag that the record must have, or `*` for any. */
  readonly ifMatch?: string
  readonly body: unknown
  /** The server process that waits for the answer. */
  readonly replyTo: string
  /** The quota that a success spends (UTC day), or null where the endpoint counts no document. */
  readonly quota: { readonly group: string; readonly day: string } | null
  /** When the server took the request, in ms since 1970. */
  readonly acceptedAt: number
  /** Marks of the keys under which the server opens sealed answers; only where the answer shows a secret. */
  readonly replyKeys?: readonly string[]
  /** The request's span, while traces are on. */
  readonly trace?: TraceParent
  /** Of a bulk in one transaction (its endpoint is BULK, its key none): its commands, in their order. */
  readonly entries?: readonly Command[]
}

export type Bulk = Command & { readonly entries: readonly Command[] }

/** What a bulk in one transaction is queued as. */
export const BULK = 'bulk'

export const isBulk = (command: Command): command is Bulk => command.entries !== undefined

/** Where an answer goes: the server process and the request that waits there. */
export type Address = Pick<Command, 'replyTo' | 'requestId'>

/** As the scripts keep it. */
export const addressText = ({ replyTo, requestId }: Address): string => `${replyTo} ${requestId}`

export function parseAddress(text: string): Address {
  const [replyTo = '', requestId = ''] = text.split(' ')
  return { replyTo, requestId }
}

/** The endpoints that take commands, by their ids. */
export const commandsById = (endpoints: readonly Endpoint[]): ReadonlyMap<string, CommandEndpoint> =>
  new Map(endpoints.filter(endpoint => endpoint.kind === 'command').map(endpoint => [endpoint.id, endpoint]))

/** The Idempotency-Key of a dry run. No caller can send it, because keys are trimmed: it never meets the record of a write. */
export const dryRunKey = (requestId: string): string => ` dry run of ${requestId}`

type DryAnswer = Pick<Done, 'status' | 'body'> & { readonly recordedBody?: string | null }

/** What a dry run answers: nothing is replayed, and a secret would be another one in the real write. */
export const dryAnswer = ({ status, body, recordedBody = body }: DryAnswer): Done => ({
  kind: 'done',
  status,
  body: recordedBody,
  replayed: false,
})

/** The id of an entry's command: of one length for all of a bulk, so that none begins another's. */
export const entryId = (requestId: string, at: number): string => `${requestId}.${String(at).padStart(3, '0')}`

/** How many rows a command brings along, roughly: the entries of its longest list; a bulk those of all its commands. */
export function weightOf({ body, entries }: Command): number {
  if (entries) return entries.reduce((sum, entry) => sum + weightOf(entry), 0)
  let most = 1
  if (typeof body === 'object' && body !== null)
    for (const value of Object.values(body)) if (Array.isArray(value)) most = Math.max(most, value.length)
  return most
}

/** Under what a refusal is remembered: alike for all copies of a command, and for the duplicates that waited with it. */
export const claimOf = ({ continues, requestId }: Command): string => continues ?? requestId

/** How a command ended, as the server hears it. */
export type Outcome = Done | Refused

export type Refused = {
  readonly kind: 'refused'
  readonly refusal: Refusal
  /** As of `Done`. */
  readonly generation?: number | undefined
  readonly spent?: number | undefined
}

/** A command with its outcome. The two travel together, so that no outcome can be taken for another command's. */
export type Ended = { readonly command: Command; readonly outcome: Outcome }

/** The outcome of a bulk's entry, with the request id of the entry's command. */
export type EntryOutcome = Outcome & { readonly requestId: string }

/** Done now, or found in the command log (`replayed`). */
export type Done = {
  readonly kind: 'done'
  readonly status: number
  /** JSON text; null for 204. */
  readonly body: string | null
  /** What replays show where the body holds a secret. */
  readonly recordedBody?: string
  readonly replayed: boolean
  /** The Postgres transaction that wrote it, or found it written (text of an xid8): who knows that can read it. */
  readonly transaction?: string | undefined
  /** The cell of that transaction, where it is not the command's: its tenant has moved. */
  readonly cell?: string
  /** The generation of the database in which it was done or found (docs/operations.md, "Failover"). */
  readonly generation?: number | undefined
  /** How many documents the command's quota has spent by now, where the worker counted them. */
  readonly spent?: number | undefined
  /** Of a bulk in one transaction: what became of its commands, also where one was refused. */
  readonly entries?: readonly EntryOutcome[]
}

/** What is heard of a command that was not done, and may be tried again. */
export const unavailable: Outcome = {
  kind: 'refused',
  refusal: refuse(
    'service_unavailable',
    'The service could not finish the request; a retry with the same Idempotency-Key is safe.',
    { 'Retry-After': '1' },
  ),
}

/**
 * A command that was accepted longer ago is not run, nor one from as far ahead: that is the web process's clock against PostgreSQL's, under
 * the tenant's lock. Callers wait for a minute at most (COMMAND_DEADLINE_MS), and refusals are remembered for an hour
 * (refused_commands), so that none is forgotten while its command can still run.
 */
export const COMMAND_AGE_MS_MAX = 5 * 60_000

/** What is heard of a command that comes too late to be run. It is no refusal of the command: nothing is remembered. */
export const tooLate: Refused = {
  kind: 'refused',
  refusal: refuse(
    'service_unavailable',
    'The request came too late to be run, and nothing was done; a retry with the same Idempotency-Key is safe.',
    { 'Retry-After': '1' },
  ),
}

/** `not_applied`: what the others hear when this entry was refused. */
const notApplied = (at: number): Outcome => ({
  kind: 'refused',
  refusal: refuse('not_applied', `requests[${at}]: was refused, and so nothing of this bulk was done`),
})

/**
 * How a bulk in one transaction ended in which the entry at `at` was refused. That entry hears why. Entries that were recorded
 * before hear their replay. All others hear that nothing was done.
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

/** How a bulk in one transaction ended whose entries were all done. */
export const bulkDone = (entries: readonly Ended[]): Done =>
  bulkOf(entries.map(({ command, outcome }) => ({ ...outcome, requestId: command.requestId })))

const bulkOf = (entries: readonly EntryOutcome[]): Done => ({
  kind: 'done',
  status: 200,
  body: null,
  replayed: false,
  entries,
})

/** An outcome of another cell than the command's. */
export const outcomeIn = (cell: string, outcome: Outcome): Outcome => {
  if (outcome.kind !== 'done') return outcome
  const { entries } = outcome
  const inCell = (each: EntryOutcome): EntryOutcome => ({ ...outcomeIn(cell, each), requestId: each.requestId })
  return { ...outcome, cell, ...(entries ? { entries: entries.map(inCell) } : {}) }
}

/** What ended with a command: a bulk's entries, each as the bulk did where the bulk was refused as a whole. */
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

/** What a bug is answered with. */
export const internalError = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/** `done`, `replayed`, `dry_run`, or the code of the refusal: as metrics name it. */
export function outcomeName({ command, outcome }: Ended): string {
  if (outcome.kind === 'refused') return outcome.refusal.refusal
  if (command.isDryRun) return 'dry_run'
  return outcome.replayed ? 'replayed' : 'done'
}

/** What everybody but the first caller hears of a success. */
export function asReplay(done: Done): Done {
  const { status, body, recordedBody = body, transaction, cell } = done
  return { kind: 'done', status, body: recordedBody, replayed: true, transaction, ...(cell ? { cell } : {}) }
}
