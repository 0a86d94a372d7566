/** Reads one stream of answers until closed, and deletes what it has read. replies.ts interprets the answers. */
import type { Redis } from '../platform/redis/redis.ts'
import { within } from '../platform/within.ts'

const READ_BLOCK_MS = 2_000
const CLOSE_PATIENCE_MS = 500

export const streamOf = (replyTo: string): string => `replies:${replyTo}`

/** Entries of the stream: ids, each with request ids and their answers in turn. */
type Entries = readonly (readonly [id: string, fields: readonly string[]])[]

export class ReplyStream {
  readonly #redis: Redis
  readonly #stream: string
  readonly #onAnswer: (requestId: string, text: string) => void
  readonly #loop: Promise<void>
  #closed = false

  /** @param redis a connection of its own, since it blocks */
  constructor(redis: Redis, replyTo: string, onAnswer: (requestId: string, text: string) => void) {
    this.#redis = redis
    this.#stream = streamOf(replyTo)
    this.#onAnswer = onAnswer
    this.#loop = this.#read()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#redis.disconnect()
    // While Redis cannot be reached a waiting command never returns. Nothing depends on it any more.
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
          for (let at = 0; at + 1 < fields.length; at += 2) this.#onAnswer(fields[at] ?? '', fields[at + 1] ?? 'null')
        read = entries.map(([id]) => id)
      } catch {
        // The connection is lost, or Redis takes no writes. Waiting requests have their own deadline and ask the command log.
        if (!this.#closed) await new Promise(resolve => setTimeout(resolve, 100))
      }
    }
  }

  /**
   * The oldest entries, without a position: another Redis that takes over gives lower ids while its clock is behind. Reading an entry twice
   * does no harm.
   */
  async #next(): Promise<Entries> {
    const answer = await this.#redis.xread('COUNT', 200, 'BLOCK', READ_BLOCK_MS, 'STREAMS', this.#stream, '0-0')
    return (answer as [string, Entries][] | null)?.[0]?.[1] ?? []
  }
}
