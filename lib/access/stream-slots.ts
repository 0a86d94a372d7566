/**
 * Event streams of a key, counted over all server processes (docs/rules/requests.md). It counts in Redis only: an emptied
 * Redis knows the streams again once their processes have kept their slots.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import { refusesWrites } from '../platform/redis/refused-writes.ts'

const STREAMS_MAX = 10
/** A killed process leaves its slots taken for so long. Those who live keep theirs three times as often. */
const TTL_MS = 30_000
export const KEEP_EVERY_MS = TTL_MS / 3
const UNLIMITED = 1_000_000
/** A slot falls free when another stream ends, which nobody knows. */
const RETRY_AFTER_S = 5

export const tooManyStreams: Refusal = refuse(
  'rate_limited',
  `The API key has ${STREAMS_MAX} event streams open, which is all that it may have`,
  { 'Retry-After': String(RETRY_AFTER_S) },
)

type Key = { readonly tenantId: string; readonly keyId: string }
/** What counts the streams of a key in Redis, on the node of a cluster that has the tenant's queue (hash tag `tag`). */
export const streamsKeyOf = ({ tenantId, keyId }: Key, tag: string): string => `${tag}:streams:${tenantId}:${keyId}`

export class StreamSlots {
  readonly #redis: Redis
  readonly #keyOf: (key: Key) => string
  readonly #take: Script<number>

  /** @param tagOf the hash tag of a tenant's shard. */
  constructor(redis: Redis, tagOf: (tenantId: string) => string) {
    this.#redis = redis
    this.#keyOf = key => streamsKeyOf(key, tagOf(key.tenantId))
    this.#take = defineScript(redis, new URL('./stream-slots.lua', import.meta.url), 1, Number)
  }

  /**
   * Whether the key had a slot free. While Redis refuses writes a key has one: the stream is counted once its slot is kept.
   * @throws when Redis is away.
   */
  async take(key: Key, stream: string): Promise<boolean> {
    try {
      return (await this.#take([this.#keyOf(key)], [STREAMS_MAX, TTL_MS, stream])) === 1
    } catch (error) {
      if (refusesWrites(error)) return true
      throw error
    }
  }

  /** Keeps slots for as long again. @throws when Redis is away. */
  async keep(key: Key, streams: readonly string[]): Promise<void> {
    await this.#take([this.#keyOf(key)], [UNLIMITED, TTL_MS, ...streams])
  }

  /** @throws when Redis is away; the slot then falls free by itself. */
  async leave(key: Key, stream: string): Promise<void> {
    await this.#redis.zrem(this.#keyOf(key), stream)
  }
}
