/**
 * Ends commands and answers their callers: claims are settled, jobs removed, and the tenant's next commands taken or its lease ended, by one call of end-commands.lua
 * for all tenants of a shard that are asked for in one turn.
 */
import { randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { gathered } from '../platform/limits/gathered.ts'
import { defineScript, type Redis } from '../platform/redis/redis.ts'
import { type Address, asReplay, type Ended, endedWith, isBulk, parseAddress } from './command.ts'
import { WRITTEN_TTL_MS } from './last-writes.ts'
import { claimKeys, inGeneration, READY_QUEUE, writtenKey } from './redis-keys.ts'
import { type Reply, type ReplyOptions, replySender } from './replies.ts'
import { type Abandoned, codeOf, type QueuedCommand, readTaken, type Taken } from './taken.ts'

const SPENT_TTL_MS = 48 * 3_600_000
/** How long a finished answer stays in Redis unless set otherwise; after that the command log answers. */
const ANSWER_TTL_MS = 3_600_000
/** Larger answers are replayed from the command log: a key of the default rate keeps 100 MB in an hour at most. */
const KEPT_BYTES_MAX = 2 * 1024
/** JSON that is longer is not deflated to see. An order of 50 lines has 14 KB, 2 KB deflated. */
const BODY_BYTES_MAX = 32 * 1024
/**
 * An answer of 1,000 bytes takes 470 so, in 14 us of processor time. Its buffer is a piece of Node's pool: one of the default size (16 KB)
 * takes 6 us, and 64 MB of them make the garbage collector look through all of the heap.
 */
const DEFLATE = { level: 1, memLevel: 4, chunkSize: KEPT_BYTES_MAX } as const

/** Who may drain a tenant: whoever took its job of the ready queue, as long as the lease is kept. */
export type Lease = { readonly tenantId: string; readonly jobId: string; readonly token: string }

type Ending = {
  readonly tenantId: string
  /** Commands whose claims are settled by their outcomes, after their transaction. */
  readonly settled?: readonly Ended[]
  readonly jobIds?: readonly string[]
  /** What to take next, as of take.lua; absent: nothing, and the lease goes on. */
  readonly next?: { readonly max: number; readonly abandoned: Abandoned } | undefined
  /** Ended where nothing is taken; the tenant is ready again where commands wait. Absent: whoever asks holds the tenant. */
  readonly lease?: Lease | undefined
}

/** What was taken next, and the duplicates that wait for the outcome of each settled command. */
type EndedCommands = { readonly taken: Taken; readonly waiting: readonly (readonly Address[])[] }

export type EndCommands = (ending: Ending) => Promise<EndedCommands>

/** Calls have names, so that Redis knows one that is sent again since its answer was lost (take.lua). */
const ofProcess = randomUUID().slice(-12)
let calls = 0

type Options = { readonly tagOf: (tenantId: string) => string; readonly answerTtlMs?: number | undefined }

export function endCommands(redis: Redis, { tagOf, answerTtlMs = ANSWER_TTL_MS }: Options): EndCommands {
  const script = defineScript(redis, new URL('./end-commands.lua', import.meta.url), 1, endedFrom)
  const end = gathered(
    (tag, endings: readonly { readonly weight: number; readonly args: readonly Arg[] }[]) => {
      const call = `${tag}:call:${ofProcess}-${(calls++).toString(36)}`
      const header = [tag, SPENT_TTL_MS, WRITTEN_TTL_MS, Date.now(), call]
      return script([`${tag}:${READY_QUEUE}:wait`], [...header, ...endings.flatMap(({ args }) => args)])
    },
    process.nextTick,
    ({ weight }) => weight,
  )
  return ({ tenantId, settled = [], jobIds = [], next, lease }) => {
    const tag = tagOf(tenantId)
    const nextArgs = [next ? codeOf[next.abandoned] : '', next?.max ?? 0, lease?.jobId ?? '', lease?.token ?? '']
    const settlements = settled.flatMap(ended => settlementOf(ended, tag, answerTtlMs))
    const args = [tenantId, ...nextArgs, settled.length, ...settlements, jobIds.length, ...jobIds]
    return end(tag, { weight: Math.max(1, settled.length), args })
  }
}

type Arg = string | number | Buffer

/** What the script is told of a command that ended, in its order. A dry run leaves no answer, and nothing that could be read. */
function settlementOf({ command, outcome }: Ended, tag: string, answerTtlMs: number): readonly Arg[] {
  const { record, quota } = claimKeys(tag, command)
  const done = outcome.kind === 'done' && !command.isDryRun ? asReplay(outcome) : undefined
  const kept = done && keptForm(done.body ?? '')
  return [
    command.requestId,
    command.fingerprint,
    done ? 'done' : 'refused',
    done?.status ?? 0,
    kept ?? '',
    kept === undefined ? 0 : answerTtlMs,
    done?.transaction ?? '',
    outcome.spent ?? '',
    record,
    quota,
    writtenKey(tag, command.tenantId, done?.cell ?? command.cell),
    inGeneration(outcome.generation ?? 1),
  ]
}

/** An answer as Redis keeps it; undefined where it is too large. */
function keptForm(body: string): Buffer | '' | undefined {
  if (body === '') return ''
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return undefined
  const deflated = deflateRawSync(body, DEFLATE)
  return deflated.length > KEPT_BYTES_MAX ? undefined : deflated
}

function endedFrom(raw: unknown): EndedCommands[] {
  return (raw as [unknown[], ...string[][]][]).map(([taken, ...waiting]) => ({
    taken: readTaken(taken),
    waiting: waiting.map(addresses => addresses.map(parseAddress)),
  }))
}

/** What is done in the same step as the answers: the next commands are taken, or the lease is ended. */
export type Next = { readonly lease: Lease; readonly max: number; readonly abandoned: Abandoned }

/** Answers commands that have ended: their claims are settled, their jobs removed, callers told and those who wait with them. */
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
    queue: { readonly end: (ending: Omit<Ending, 'tenantId'>) => Promise<EndedCommands> },
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
