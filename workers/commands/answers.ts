/** Answers commands that have ended: claims are settled, jobs removed, callers told and those who wait with them. */
import { asReplay, type Ended, endedWith, isBulk } from '../../lib/pipeline/command.ts'
import type { Lease } from '../../lib/pipeline/end-commands.ts'
import { type Reply, type ReplyOptions, replySender } from '../../lib/pipeline/replies.ts'
import type { Abandoned, QueuedCommand, Taken } from '../../lib/pipeline/taken.ts'
import type { TenantQueue } from '../../lib/pipeline/tenant-queues.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'

/** What is done in the same step as the answers: the next commands are taken, or the lease is ended. */
export type Next = { readonly lease: Lease; readonly max: number; readonly abandoned: Abandoned }

export class Answers {
  /** Nobody waits for it: on a cluster the stream of a server may lie on a node that is silent, and what is lost the server looks up. */
  readonly #reply: (replies: readonly Reply[]) => void

  constructor(redis: Redis, options: ReplyOptions) {
    const send = replySender(redis, options)
    this.#reply = replies => void send(replies).catch(() => {})
  }

  /**
   * Answers the commands that ended, and removes their jobs from the queue.
   * @param queued what was taken from the queue; it may hold more. A job is removed only with the outcome of its own request.
   * @returns what was taken next; nothing where `next` was not asked for.
   * @throws when Redis is away.
   */
  async send(
    queue: TenantQueue,
    queued: readonly QueuedCommand[],
    ended: readonly Ended[],
    next?: Next,
  ): Promise<Taken> {
    const own = ended.map(({ command, outcome }) => ({ to: command, outcome }))
    const settled = ended.flatMap(settledBy)
    this.#reply(own.filter(({ outcome }) => outcome.kind === 'done'))
    const { taken, waiting } = await queue.end({
      settled,
      jobIds: jobIdsOf(queued, ended),
      next,
      lease: next?.lease,
    })
    const late = settled.flatMap(({ outcome }, at) =>
      (waiting[at] ?? []).map(to => ({ to, outcome: outcome.kind === 'done' ? asReplay(outcome) : outcome })),
    )
    // Whoever hears a refusal finds the key free.
    this.#reply([...own.filter(({ outcome }) => outcome.kind === 'refused'), ...late])
    return taken
  }
}

/** Whose claims are settled. A bulk in one transaction claims no key; those of what it did are settled, so that replays are quick. */
function settledBy({ command, outcome }: Ended): readonly Ended[] {
  if (!isBulk(command)) return [{ command, outcome }]
  // What its entries have spent was rolled back.
  if (command.isDryRun) return []
  return endedWith({ command, outcome }).filter(of => of.outcome.kind === 'done')
}

function jobIdsOf(queued: readonly QueuedCommand[], ended: readonly Ended[]): string[] {
  const requestIds = new Set(ended.map(({ command }) => command.requestId))
  return queued.filter(({ command }) => requestIds.has(command.requestId)).map(({ jobId }) => jobId)
}
