/**
 * Records in Redis which PostgreSQL transaction was a tenant's last write, so that every server process knows whether a replica has
 * replayed it. Each record expires. A write without a record is then older than the time to live, and replica.ts depends on that.
 */
import { inCell, MAIN } from '../platform/cells.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import { writtenKey } from './redis-keys.ts'

/** Much longer than the time after which a replica is too far behind to be used (replica.ts, SAMPLE_STALE_MS). */
export const WRITTEN_TTL_MS = 600_000

/** The note that the shard's notes have begun. It is kept as long as they are, and is lost with them. */
const sinceKey = (tag: string, cell: string): string => inCell(cell, `${tag}:written:since`)

export class WrittenNotes {
  readonly #redis: Redis
  readonly #tagOf: (tenantId: string) => string
  readonly #cell: string
  readonly #note: Script

  constructor(redis: Redis, tagOf: (tenantId: string) => string, cell: string = MAIN) {
    this.#redis = redis
    this.#cell = cell
    this.#tagOf = tagOf
    this.#note = defineScript(redis, new URL('./last-writes.lua', import.meta.url), 1)
  }

  /** Records a write of a tenant (the text of an xid8). @throws if Redis cannot be reached */
  async note(tenantId: string, transaction: string): Promise<void> {
    await this.#note([writtenKey(this.#tagOf(tenantId), tenantId, this.#cell)], [transaction, WRITTEN_TTL_MS])
  }

  /**
   * The lowest transaction id that a replica need not have replayed to show all noted writes of a tenant; null: the shard's notes are gone
   * or have not begun. @throws if Redis cannot be reached
   */
  async neededBy(tenantId: string): Promise<bigint | null> {
    const tag = this.#tagOf(tenantId)
    const [written, since] = await this.#redis.mget(writtenKey(tag, tenantId, this.#cell), sinceKey(tag, this.#cell))
    if (!since) return null
    const begun = BigInt(since)
    if (!written) return begun
    const needed = BigInt(written) + 1n
    return needed > begun ? needed : begun
  }

  /** Begins the notes of a tenant's shard. Everything that was written before has an id below `next`. */
  async begin(tenantId: string, next: bigint): Promise<void> {
    await this.#redis.set(sinceKey(this.#tagOf(tenantId), this.#cell), next.toString(), 'NX')
  }
}
