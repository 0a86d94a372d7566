/**
 * Counts the event streams of a key over all server processes (docs/rules/requests.md). Only Redis counts. An emptied Redis knows the
 * streams again when their processes have renewed their slots.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import { refusesWrites } from '../platform/redis/refused-writes.ts'

const STREAMS_MAX = 10
/** The slots of a killed process stay taken for this long. A running process renews its slots three times as often. */
const TTL_MS = 30_000
export const KEEP_EVERY_MS = TTL_MS / 3
const UNLIMITED = 1_000_000
/** A slot becomes free when another stream ends, at an unknown time. */
const RETRY_AFTER_S = 5

export const tooManyStreams: Refusal = refuse(
  'rate_limited',
  `The API key has ${STREAMS_MAX} event streams open, which is all that it may have`,
  { 'Retry-After': String(RETRY_AFTER_S) },
)

type Key = { readonly tenantId: string; readonly keyId: string }
/** The key in Redis that counts the streams of an API key. On a cluster it is on the node with the tenant's queue (hash tag `tag`). */
export const streamsKeyOf = ({ tenantId, keyId }: Key, tag: string): string => `${tag}:streams:${tenantId}:${keyId}`

export class StreamSlots {
  readonly #redis: Redis
  readonly #keyOf: (key: Key) => string
  readonly #take: Script<number>

  /** @param tagOf the hash tag of a tenant's shard */
  constructor(redis: Redis, tagOf: (tenantId: string) => string) {
    this.#redis = redis
    this.#keyOf = key => streamsKeyOf(key, tagOf(key.tenantId))
    this.#take = defineScript(redis, new URL('./stream-slots.lua', import.meta.url), 1, Number)
  }

  /**
   * Whether the key had a free slot. While Redis refuses writes every stream gets one, and counts once its slot is renewed. @throws if
   * Redis cannot be reached
   */
  async take(key: Key, stream: string): Promise<boolean> {
    try {
      return (await this.#take([this.#keyOf(key)], [STREAMS_MAX, TTL_MS, stream])) === 1
    } catch (error) {
      if (refusesWrites(error)) return true
      throw error
    }
  }

  /** Renews slots. @throws if Redis cannot be reached */
  async keep(key: Key, streams: readonly string[]): Promise<void> {
    await this.#take([this.#keyOf(key)], [UNLIMITED, TTL_MS, ...streams])
  }

  /** Frees a slot. @throws if Redis cannot be reached; the slot then expires */
  async leave(key: Key, stream: string): Promise<void> {
    await this.#redis.zrem(this.#keyOf(key), stream)
  }
}
