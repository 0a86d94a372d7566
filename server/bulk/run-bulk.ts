/** Queues the commands of a bulk together and returns their outcomes in the order of the entries. */
import type { Context } from 'koa'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import type { Claim } from '../../lib/pipeline/claims.ts'
import {
  BULK,
  type Bulk,
  bulkRefused,
  type Command,
  type Ended,
  endedWith,
  entryId,
  type Outcome,
  unavailable,
} from '../../lib/pipeline/command.ts'
import { isDependencyFailure } from '../../lib/platform/postgres/failures.ts'
import type { Services } from '../services.ts'
import { awaitReply, findReplays, followClaim, runningTtlMs, senderOf } from '../write.ts'
import type { EndedEntry, Entry } from './read-entry.ts'

/** Runs each entry as a command of its own. A refused entry does not stop the others. */
export async function runEach(entries: readonly Entry[], services: Services): Promise<readonly EndedEntry[]> {
  const waiting = commandsOf(entries).map(command => ({ command, ...services.replies.expect(command.requestId) }))
  try {
    const commands = waiting.map(({ command }) => command)
    const claims = await services.claims.claimAll(commands, { runningTtlMs: runningTtlMs(services.config) })
    const ended = await Promise.all(
      waiting.map(async ({ command, outcome }, at) => ({
        command,
        outcome: await outcomeOf(command, claims[at], outcome, services),
      })),
    )
    return withOutcomes(entries, ended)
  } finally {
    for (const { forget } of waiting) forget()
  }
}

function withOutcomes(entries: readonly Entry[], ended: readonly Ended[]): readonly EndedEntry[] {
  const outcomes = new Map(ended.map(({ command, outcome }) => [command.requestId, outcome]))
  return entries.map(entry => ({
    ...entry,
    outcome: isRefusal(entry.command)
      ? { kind: 'refused', refusal: entry.command }
      : (outcomes.get(entry.command.requestId) ?? unavailable),
  }))
}

const commandsOf = (entries: readonly Entry[]): Command[] =>
  entries.flatMap(({ command }) => (isRefusal(command) ? [] : [command]))

async function outcomeOf(
  command: Command,
  claim: Claim | undefined,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  if (claim === undefined) return unavailable
  try {
    return await followClaim(command, claim, reply, services)
  } catch (error) {
    // The other entries have their answers. A retry finds the outcome of this one.
    if (!isDependencyFailure(error)) services.log.error({ err: error, request_id: command.requestId }, 'an entry')
    return unavailable
  }
}

/** Runs all entries as one command. An entry that is not valid refuses the whole bulk. */
export async function runAll(
  ctx: Context,
  entries: readonly Entry[],
  acceptedAt: number,
  services: Services,
): Promise<readonly EndedEntry[] | Refusal> {
  const commands = commandsOf(entries)
  const at = entries.findIndex(({ command }) => isRefusal(command))
  const refusal = entries[at]?.command
  const { requestId, access, isDryRun } = ctx.state
  if (isRefusal(refusal)) {
    const logged = await findReplays(commands, services)
    const replays = entries.map(({ command }, of) => ({
      requestId: entryId(requestId, of),
      replay: isRefusal(command) ? undefined : logged.get(command.idempotencyKey),
    }))
    const outcomes = bulkRefused(replays, { at, refusal }).entries ?? []
    return entries.map((entry, of) => ({ ...entry, outcome: outcomes[of] ?? unavailable }))
  }
  const bulk: Bulk = {
    requestId,
    ...senderOf(access, services),
    endpoint: BULK,
    ...(isDryRun && { isDryRun }),
    idempotencyKey: '',
    fingerprint: '',
    params: {},
    body: null,
    quota: null,
    acceptedAt,
    entries: commands,
  }
  const waiting = services.replies.expect(requestId)
  try {
    await services.queues.enqueue(bulk, requestId)
    const outcome = await awaitReply(bulk, requestId, waiting.outcome, services)
    return outcome.kind === 'refused' ? outcome.refusal : withOutcomes(entries, endedWith({ command: bulk, outcome }))
  } finally {
    waiting.forget()
  }
}
