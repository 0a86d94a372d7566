/**
 * Answers on their way back: one Redis stream per server process, written by workers, read by one connection, which deletes what
 * it has read. A lost answer loses nothing, since the server asks the command log.
 */

import type { Redis } from '../platform/redis/redis.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { within } from '../platform/within.ts'
import type { Command, Outcome } from './command.ts'
import { gathered } from './gathered.ts'
import type { Address } from './reply-address.ts'
import { formReply, readReply } from './reply-form.ts'

const STREAM_TTL_MS = 60_000
/** Answers that a stream keeps at most; more means that its reader is gone. */
const STREAM_LENGTH_MAX = 10_000
const READ_BLOCK_MS = 2_000
const CLOSE_PATIENCE_MS = 500

const streamOf = (replyTo: string): string => `replies:${replyTo}`

/** An answer and who waits for it: the command's own server, or a duplicate's, whose answer shows no secret. */
export type Reply = { readonly to: Address & Pick<Command, 'replyKeys' | 'entries'>; readonly outcome: Outcome }

/** What seals and opens answers that show a secret; `onFault` hears where that fails. It must not throw. */
export type ReplyOptions = {
  readonly secrets: SecretBox
  readonly onFault: (error: Error, requestId: string) => void
}

/** Sends outcomes to the server processes that wait for them: those of one turn in one entry for each process. */
export function replySender(
  redis: Redis,
  { secrets, onFault }: ReplyOptions,
): (replies: readonly Reply[]) => Promise<void> {
  const send = gathered(async (replyTo, fields: readonly (readonly [requestId: string, form: string])[]) => {
    const stream = streamOf(replyTo)
    await Promise.all([
      redis.xadd(stream, 'MAXLEN', '~', STREAM_LENGTH_MAX, '*', ...fields.flat()),
      redis.pexpire(stream, STREAM_TTL_MS),
    ])
    return fields
  }, process.nextTick)
  return async replies => {
    const sent = replies.map(({ to, outcome }) => {
      const form = formReply(outcome, to, { secrets, onFault: error => onFault(error, to.requestId) })
      return send(to.replyTo, [to.requestId, form])
    })
    await Promise.all(sent)
  }
}

/** Of the stream: ids with request ids and their answers, in turn. */
type Entries = readonly (readonly [id: string, fields: readonly string[]])[]

/** The server's side: resolves each waiting request when its outcome arrives. */
export class ReplyReader {
  readonly #redis: Redis
  readonly #stream: string
  readonly #options: ReplyOptions
  readonly #waiting = new Map<string, (outcome: Outcome) => void>()
  #closed = false
  #loop: Promise<void> = Promise.resolve()

  /** @param redis a connection of its own, since it blocks. */
  constructor(redis: Redis, serverId: string, options: ReplyOptions) {
    this.#redis = redis
    this.#options = options
    this.#stream = streamOf(serverId)
  }

  start(): void {
    this.#loop = this.#read()
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Registers a request before it is claimed, so that no answer can come too early. */
  expect(requestId: string): { readonly outcome: Promise<Outcome>; readonly forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#waiting.set(requestId, resolve)
    return { outcome: promise, forget: () => void this.#waiting.delete(requestId) }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#redis.disconnect()
    // While Redis is away, a command that waits for it is never answered; nothing depends on it any more.
    await within(CLOSE_PATIENCE_MS, this.#loop).catch(() => {})
  }

  async #read(): Promise<void> {
    let read: readonly string[] = []
    while (!this.#closed) {
      try {
        const deleting = read.length > 0 ? this.#redis.xdel(this.#stream, ...read) : undefined
        read = []
        const [entries] = await Promise.all([this.#next(), deleting])
        for (const [, fields] of entries)
          for (let at = 0; at + 1 < fields.length; at += 2) this.#answer(fields[at] ?? '', fields[at + 1] ?? 'null')
        read = entries.map(([id]) => id)
      } catch {
        // The connection is away, or Redis takes no writes; waiting requests have their own deadline and ask the command log.
        if (!this.#closed) await new Promise(resolve => setTimeout(resolve, 100))
      }
    }
  }

  /**
   * The oldest entries, without a position: a Redis that took the place of another gives lower ids while its clock is behind. An entry
   * that is read twice answers nobody.
   */
  async #next(): Promise<Entries> {
    const answer = await this.#redis.xread('COUNT', 200, 'BLOCK', READ_BLOCK_MS, 'STREAMS', this.#stream, '0-0')
    return (answer as [string, Entries][] | null)?.[0]?.[1] ?? []
  }

  #open(text: string, requestId: string): Outcome {
    const { secrets, onFault } = this.#options
    return readReply(text, requestId, { secrets, onFault: error => onFault(error, requestId) })
  }

  #answer(requestId: string, text: string): void {
    try {
      this.#waiting.get(requestId)?.(this.#open(text, requestId))
      this.#waiting.delete(requestId)
    } catch (error) {
      // No answer that can be read: the request asks the command log.
      this.#options.onFault(error as Error, requestId)
    }
  }
}
