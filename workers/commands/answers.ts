/** Answers commands that have ended: claims are settled, jobs removed, callers told and those who wait with them. */
import {
  asReplay,
  type Command,
  type Ended,
  endedWith,
  isBulk,
  isDryRun,
  type Outcome,
} from '../../lib/pipeline/command.ts'
import { type Address, Claims } from '../../lib/pipeline/idempotency.ts'
import { type Reply, type ReplyOptions, sendReplies } from '../../lib/pipeline/replies.ts'
import type { QueuedCommand, TenantQueue } from '../../lib/pipeline/tenant-queues.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'

type AnswersOptions = {
  readonly redis: Redis
  readonly tagOf: (tenantId: string) => string
  readonly replayCacheSeconds: number
  readonly replyOptions: ReplyOptions
}

export class Answers {
  readonly #options: AnswersOptions
  readonly #claims: Claims

  constructor(options: AnswersOptions) {
    this.#options = options
    this.#claims = new Claims(options.redis, options.tagOf, options.replayCacheSeconds * 1_000)
  }

  /**
   * Answers the commands that ended, and removes their jobs from the queue.
   * @param queued what was taken from the queue; it may hold more. A job is removed only with the outcome of its own request.
   * @throws when Redis is away.
   */
  async send(queue: TenantQueue, queued: readonly QueuedCommand[], ended: readonly Ended[]): Promise<void> {
    if (ended.length === 0) return
    const { redis, replyOptions } = this.#options
    const own = ended.map(({ command, outcome }) => ({ to: command, outcome }))
    const tell = (replies: readonly Reply[]) => sendReplies(redis, replies, replyOptions)
    const [late] = await Promise.all([
      Promise.all(own.flatMap(({ to, outcome }) => this.#settleAll(to, outcome))),
      tell(own.filter(({ outcome }) => outcome.kind === 'done')),
      queue.finish(jobIdsOf(queued, ended)),
    ])
    // Whoever hears a refusal finds the key free: on a cluster the claim and the answer are on different nodes.
    await tell([...own.filter(({ outcome }) => outcome.kind === 'refused'), ...late.flat()])
  }

  /** A bulk in one transaction claims no key; those of what it did are settled, so that replays are quick. */
  #settleAll(command: Command, outcome: Outcome): Promise<{ to: Address; outcome: Outcome }[]>[] {
    if (!isBulk(command)) return [this.#settle(command, outcome)]
    // What its entries have spent was rolled back.
    if (isDryRun(command)) return []
    const done = endedWith({ command, outcome }).filter(of => of.outcome.kind === 'done')
    return done.map(entry => this.#settle(entry.command, entry.outcome))
  }

  /** Settles a claim; gives what the duplicates that waited are to hear. */
  async #settle(command: Command, outcome: Outcome): Promise<{ to: Address; outcome: Outcome }[]> {
    const heard = outcome.kind === 'done' ? asReplay(outcome) : outcome
    const waiters = await this.#claims.settle(
      command,
      // A dry run leaves no answer, and nothing that could be read.
      heard.kind === 'done' && outcome.kind === 'done' && !isDryRun(command)
        ? {
            outcome: outcome.replayed ? 'replayed' : 'done',
            status: heard.status,
            body: heard.body,
            transaction: outcome.transaction,
            cell: outcome.cell,
            generation: outcome.generation,
            spent: outcome.spent,
          }
        : { outcome: 'refused', generation: outcome.generation, spent: outcome.spent },
    )
    return waiters.map(to => ({ to, outcome: heard }))
  }
}

function jobIdsOf(queued: readonly QueuedCommand[], ended: readonly Ended[]): string[] {
  const requestIds = new Set(ended.map(({ command }) => command.requestId))
  return queued.filter(({ command }) => requestIds.has(command.requestId)).map(({ jobId }) => jobId)
}
