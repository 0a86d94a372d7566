/**
 * Ends commands and answers their callers. One call of end-commands.lua for all tenants of a shard settles claims, removes jobs, and takes
 * the next commands of a tenant or ends its lease.
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
/** How long an answer stays in Redis by default. After that the command log answers. */
const ANSWER_TTL_MS = 3_600_000
/** Larger answers are replayed from the command log. So a key with the default rate keeps at most 100 MB in an hour. */
const KEPT_BYTES_MAX = 2 * 1024
/** Longer JSON is not compressed, because it would hardly fit. An order of 50 lines has 14 KB, 2 KB deflated. */
const BODY_BYTES_MAX = 32 * 1024
/**
 * An answer of 1,000 bytes becomes 470 bytes in 14 us of processor time. Its buffer is a part of Node's pool. A buffer of the default size
 * (16 KB) takes 6 us, and 64 MB of such buffers make the garbage collector search the whole heap.
 */
const DEFLATE = { level: 1, memLevel: 4, chunkSize: KEPT_BYTES_MAX } as const

/** The right to drain a tenant: it belongs to the worker that took the tenant's job of the ready queue, while the lease is kept. */
export type Lease = { readonly tenantId: string; readonly jobId: string; readonly token: string }

type Ending = {
  readonly tenantId: string
  /** Commands whose claims are settled with their outcomes, after their transaction. */
  readonly settled?: readonly Ended[]
  readonly jobIds?: readonly string[]
  /** What to take next, as in take.lua. Absent: nothing, and the lease continues. */
  readonly next?: { readonly max: number; readonly abandoned: Abandoned } | undefined
  /** Ends if nothing is taken. The tenant is ready again if commands wait. Absent: the caller holds the tenant. */
  readonly lease?: Lease | undefined
}

/** What was taken next, and the duplicates that wait for each settled command. */
type EndedCommands = { readonly taken: Taken; readonly waiting: readonly (readonly Address[])[] }

export type EndCommands = (ending: Ending) => Promise<EndedCommands>

/** Each call has a name. Redis recognises a call that is repeated because its answer was lost (take.lua). */
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

/** The script's arguments for a command that ended, in order. A dry run leaves no answer and no written transaction. */
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

/** An answer in the form that Redis keeps; undefined: it is too long. */
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

/** What the same step does next: takes the next commands, or ends the lease. */
export type Next = { readonly lease: Lease; readonly max: number; readonly abandoned: Abandoned }

/** Answers commands that have ended: settles their claims, removes their jobs, and replies to callers and to waiting duplicates. */
export class Answers {
  /** Not awaited: on a cluster a server's stream may be on a silent node. The server looks up a lost answer. */
  readonly #reply: (replies: readonly Reply[]) => void

  constructor(redis: Redis, options: ReplyOptions) {
    const send = replySender(redis, options)
    this.#reply = replies => void send(replies).catch(() => {})
  }

  /**
   * Answers the commands that ended, and removes their jobs from the queue. @param queued the commands taken from the queue, possibly more.
   * A job is removed only with the outcome of its own request. @returns what was taken next; nothing without `next` @throws if Redis cannot
   * be reached
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
    // A caller that gets a refusal finds the key free.
    this.#reply([...own.filter(({ outcome }) => outcome.kind === 'refused'), ...late])
    return taken
  }
}

/**
 * The commands whose claims are settled. A bulk in one transaction has no claim. The claims of its done entries are settled, so that
 * replays are quick.
 */
function settledBy({ command, outcome }: Ended): readonly Ended[] {
  if (!isBulk(command)) return [{ command, outcome }]
  // The quota spent by its entries was rolled back.
  if (command.isDryRun) return []
  return endedWith({ command, outcome }).filter(of => of.outcome.kind === 'done')
}

function jobIdsOf(queued: readonly QueuedCommand[], ended: readonly Ended[]): string[] {
  const requestIds = new Set(ended.map(({ command }) => command.requestId))
  return queued.filter(({ command }) => requestIds.has(command.requestId)).map(({ jobId }) => jobId)
}
