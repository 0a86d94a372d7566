/**
 * Waits for a command's outcome until the deadline, and looks after a command whose queue was lost meanwhile. An answer
 * that does not come is looked up in the command log before it is given up.
 */
import { type Command, claimOf, type Outcome, outcomeIn } from '../lib/pipeline/command.ts'
import { findOutcome } from '../lib/pipeline/command-log.ts'
import { within } from '../lib/platform/within.ts'
import { notBegun, outcomeOpen, takeBackAt } from './deadlines.ts'
import type { Services } from './services.ts'
import { whereItLives } from './where-it-lives.ts'

/** A waiting command is looked after this often: a quick answer never sees it. */
const LOOK_AFTER_MS = 2_000

/** The outcome. Shortly before the deadline of the request (setting COMMAND_DEADLINE_MS) it is given up. */
export async function awaitReply(
  command: Command,
  jobId: string,
  reply: Promise<Outcome>,
  services: Services,
): Promise<Outcome> {
  const outcome = await outcomeOf(command, jobId, reply, services)
  if (outcome.kind === 'done' && !command.isDryRun) {
    // Before the caller hears of a write, all server processes must know of it: it may be read through any of them.
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
  const deadline = takeBackAt(command.acceptedAt, services.config)
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
 * Still in the queue: make sure that somebody drains it. Gone without an answer: Postgres has the outcome, or the command was
 * lost (Redis was emptied).
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

/** How it ended, as Postgres knows it. A refusal frees the key, since its worker may have died before it did so. */
async function findEnd(command: Command, services: Services): Promise<Outcome | undefined> {
  const outcome = await whereItLives(command.tenantId, services, async ({ name, pool }) => {
    const found = await findOutcome(pool, command)
    return found && name !== services.name ? outcomeIn(name, found) : found
  })
  if (outcome?.kind === 'refused') await services.claims.release({ ...command, requestId: claimOf(command) })
  return outcome
}

/** Postgres makes it safe: should the lost one turn up, the one that ends first decides for both. */
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

/** Past the deadline: take it back when it has not begun, else ask Postgres once. */
async function giveUp(command: Command, jobId: string, services: Services): Promise<Outcome> {
  try {
    // Only the one who enqueued it may take it back; a duplicate that waited with it just leaves.
    const waiters = jobId.startsWith(command.requestId) ? await services.claims.takeBack(command, jobId) : null
    if (waiters) {
      // One that was queued again may have begun before it was lost.
      const outcome = jobId === command.requestId ? notBegun : outcomeOpen
      await services.tellWaiting(waiters.map(to => ({ to, outcome })))
      return outcome
    }
    return (await findEnd(command, services)) ?? outcomeOpen
  } catch (error) {
    services.log.warn({ err: error, request_id: command.requestId }, 'giving up on a command failed')
    return outcomeOpen
  }
}
