/**
 * Sends answers to server processes: one Redis stream for each process, and on a cluster one for each process and node. Workers write, and
 * one connection for each stream reads (reply-stream.ts). A lost answer loses nothing: the server asks the command log.
 */

import { gathered } from '../platform/limits/gathered.ts'
import { nodeOf, type Redis } from '../platform/redis/redis.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Address, Command, Outcome } from './command.ts'
import { formReply, readReply } from './reply-form.ts'
import { ReplyStream, streamOf } from './reply-stream.ts'

const STREAM_TTL_MS = 60_000
/** The most answers in a stream. More mean that its reader is gone. */
const STREAM_LENGTH_MAX = 10_000
/**
 * The most unanswered calls of a stream. With more its node is silent: further answers are dropped, and the server asks the command log.
 */
const UNANSWERED_MAX = 1_000

/** An answer and its receiver: the command's own server, or a duplicate's, whose answer shows no secret. */
export type Reply = { readonly to: Address & Pick<Command, 'replyKeys' | 'entries'>; readonly outcome: Outcome }

/** Encrypts and decrypts answers that show a secret. `onFault` is called if that fails. It must not throw. */
export type ReplyOptions = {
  readonly secrets: SecretBox
  readonly onFault: (error: Error, requestId: string) => void
}

/** Sends outcomes to the server processes that wait for them. Outcomes of one turn share one entry per process. */
export function replySender(
  redis: Redis,
  { secrets, onFault }: ReplyOptions,
): (replies: readonly Reply[]) => Promise<void> {
  const unanswered = new Map<string, number>()
  const send = gathered(async (replyTo, fields: readonly (readonly [requestId: string, form: string])[]) => {
    const stream = streamOf(replyTo)
    const before = unanswered.get(stream) ?? 0
    if (before >= UNANSWERED_MAX) return fields
    unanswered.set(stream, before + 1)
    try {
      await Promise.all([
        redis.xadd(stream, 'MAXLEN', '~', STREAM_LENGTH_MAX, '*', ...fields.flat()),
        redis.pexpire(stream, STREAM_TTL_MS),
      ])
    } finally {
      const left = (unanswered.get(stream) ?? 1) - 1
      if (left > 0) unanswered.set(stream, left)
      else unanswered.delete(stream)
    }
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

/** The server's side: resolves each waiting request when its outcome arrives. */
export class ReplyReader {
  readonly #redis: Redis
  readonly #serverId: string
  readonly #options: ReplyOptions
  readonly #waiting = new Map<string, (outcome: Outcome) => void>()
  /** The streams that are read, by address. */
  readonly #streams = new Map<string, ReplyStream>()
  #closed = false
  /** On a cluster, by node: the tag of the node's stream. */
  readonly #tags = new Map<string, string>()

  /** @param redis a connection of its own, since it blocks. On a cluster it only finds the nodes, and each stream has a copy of it. */
  constructor(redis: Redis, serverId: string, options: ReplyOptions) {
    this.#redis = redis
    this.#serverId = serverId
    this.#options = options
  }

  /**
   * @param tags those of the shards. On a cluster their streams are read as soon as the cluster answers, and other streams from their first
   * command on.
   */
  start(tags: readonly string[] = []): void {
    if (nodeOf(this.#redis, '') === undefined) this.#follow(this.#serverId, this.#redis)
    else
      this.#redis.once('ready', () => {
        for (const tag of tags) this.addressOf(tag)
      })
  }

  /**
   * Where answers to the commands of a shard are sent (`replyTo`). On a cluster that is a stream on the node with the shard's queues. A
   * silent node then loses only answers of commands that do not run anyway. One stream serves all shards of a node.
   */
  addressOf(tag: string): string {
    const node = nodeOf(this.#redis, tag)
    if (node === undefined) return this.#serverId
    const known = this.#tags.get(node)
    // Slots may have moved to another node since then.
    const tagThere = known !== undefined && nodeOf(this.#redis, known) === node ? known : tag
    this.#tags.set(node, tagThere)
    const address = `${this.#serverId}${tagThere}`
    if (!this.#streams.has(address)) this.#follow(address, this.#redis.duplicate() as Redis)
    return address
  }

  #follow(address: string, redis: Redis): void {
    if (this.#closed) return
    redis.on('error', () => {}) // the original connection logs outages
    this.#streams.set(address, new ReplyStream(redis, address, (requestId, text) => this.#answer(requestId, text)))
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Registers a request before its claim, so that no answer comes too early. */
  expect(requestId: string): { readonly outcome: Promise<Outcome>; readonly forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#waiting.set(requestId, resolve)
    return { outcome: promise, forget: () => void this.#waiting.delete(requestId) }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#redis.disconnect()
    await Promise.all([...this.#streams.values()].map(stream => stream.close()))
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
      // The answer is unreadable: the request asks the command log.
      this.#options.onFault(error as Error, requestId)
    }
  }
}
