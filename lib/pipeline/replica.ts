/**
 * Chooses between the replica (DATABASE_READ_URL) and the primary for every read, so that a tenant always reads its own writes, through any
 * server process.
 */
import * as v from 'valibot'
import { TenantNotHere } from '../platform/cells.ts'
import { isDependencyFailure } from '../platform/postgres/failures.ts'
import { type Connection, rows } from '../platform/postgres/postgres.ts'
import type { Redis } from '../platform/redis/redis.ts'
import { within } from '../platform/within.ts'
import { WrittenNotes } from './last-writes.ts'

/** A replica may be at most twice as old as this. Writes without commands may be visible this late. */
const SAMPLE_EVERY_MS = 5_000
/** If the primary was not asked for this long, the age of the replica is unknown. */
const SAMPLE_STALE_MS = 60_000
/** If a read needs a newer position, the replica is asked for its position at most this often. */
const LOOK_EVERY_MS = 5
const LOOK_PATIENCE_MS = 1_000
/** A replica that failed is not asked for this long. */
const LOOK_AGAIN_MS = 1_000
/** The most samples of the primary that the replica has not reached. Beyond this number every second one is dropped. */
const BEHIND_MAX = 1_000

const Position = v.object({ position: v.string() })
const ReplicaPosition = v.object({ position: v.string(), generation: v.string() })

/** Where reads are sent. */
export type ReadRouter<Pool extends Connection> = {
  /** The pool of a tenant's read now. Never rejects. Call it when the request has arrived, not earlier. */
  poolFor(tenantId: string): Pool | Promise<Pool>
  /** Reads from the chosen pool. If the replica fails, the primary is read. */
  read<T>(pool: Pool, work: (pool: Pool) => Promise<T>): Promise<T>
  /** Must be called before a write is answered. `transaction` is undefined if only the command log has the write. */
  noteWrite(tenantId: string, transaction: string | undefined): Promise<void>
  /** The primary now has this generation (sql/000002_commands.sql). A replica of an earlier one is not used. */
  begin(generation: number): void
  /** For how many seconds the primary has had what the replica lacks, up to 5 s too many; undefined: there is no replica. */
  lagSeconds(): number | undefined
  close(): Promise<void>
}

/** Without a replica all reads go to the primary. */
export function primaryOnly<Pool extends Connection>(primary: Pool): ReadRouter<Pool> {
  return {
    poolFor: () => primary,
    read: (pool, work) => work(pool),
    noteWrite: async () => {},
    begin: () => {},
    lagSeconds: () => undefined,
    close: async () => {},
  }
}

type ReplicaOptions<Pool extends Connection> = {
  readonly primary: Pool
  readonly replica: Pool
  /** The connection that asks the primary for positions. Writes wait for it, so it must not queue with reads. Default: `primary`. */
  readonly positions?: Connection
  /** If this connection is lost, Redis may have lost the last notes. */
  readonly redis: Redis
  readonly tagOf: (tenantId: string) => string
  /** Default: the main cell. */
  readonly cell?: string
  readonly onChoice?: (from: 'replica' | 'primary') => void
  /** Called when a replica in use fails. */
  readonly onTrouble?: (error: unknown) => void
  /** For tests. */
  readonly sampleEveryMs?: number
}

/**
 * Positions are transaction ids. The replica's position is the xmin of a snapshot there: all transactions below it are finished, and
 * visible to every later snapshot. A tenant's read needs
 * - the tenant's last write, which Redis notes before the write is answered;
 * - where notes may be missing (a start, a lost connection, an emptied Redis): everything that was committed by then;
 * - everything that was committed five to ten seconds ago.
 *
 * A transaction that writes for long on the primary (a large migration) holds the replica's position back. Reads then go to the primary,
 * which is slower and never wrong.
 */
export class ReplicaRouter<Pool extends Connection> implements ReadRouter<Pool> {
  readonly #options: ReplicaOptions<Pool>
  readonly #notes: WrittenNotes
  /** Rises with every loss of the connection to Redis: an answer from before the loss says nothing about the time after it. */
  #generation = 0
  /** The generation of the primary. */
  #databaseGeneration = 1
  /** The position that every read needs; null while it is unknown. */
  #floor: bigint | null = null
  /** The primary's next transaction id at the last sample. */
  #sample: bigint | null = null
  #sampledAt = Number.NEGATIVE_INFINITY
  /** Samples of the primary that the replica has not reached, the oldest first. A replica that cannot be reached reaches none. */
  #behind: readonly { readonly next: bigint; readonly at: number }[] = []
  /** The replica's position; null: it cannot be reached. */
  #position: bigint | null = null
  #nextLookAt = 0
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout
  #closed = false
  readonly #underWay = new Set<Promise<void>>()

  constructor(options: ReplicaOptions<Pool>) {
    this.#options = options
    this.#notes = new WrittenNotes(options.redis, options.tagOf, options.cell)
    for (const event of ['close', 'node error', '-node']) options.redis.on(event, this.#onLoss)
    this.#timer = setInterval(() => this.#do(this.#raiseFloor()), options.sampleEveryMs ?? SAMPLE_EVERY_MS)
    this.#timer.unref()
    this.#do(this.#resetFloor())
  }

  async poolFor(tenantId: string): Promise<Pool> {
    const { primary, replica, onChoice } = this.#options
    const mayServe = await this.#mayServe(tenantId)
    onChoice?.(mayServe ? 'replica' : 'primary')
    return mayServe ? replica : primary
  }

  async read<T>(pool: Pool, work: (pool: Pool) => Promise<T>): Promise<T> {
    if (pool !== this.#options.replica) return work(pool)
    try {
      return await work(pool)
    } catch (error) {
      if (error instanceof TenantNotHere || !isDependencyFailure(error)) throw error
      this.#leaveReplica(error)
      return work(this.#options.primary)
    }
  }

  async noteWrite(tenantId: string, transaction: string | undefined): Promise<void> {
    await this.#notes.note(tenantId, transaction ?? ((await this.#nextTransaction()) - 1n).toString())
  }

  begin(generation: number): void {
    if (generation <= this.#databaseGeneration) return
    this.#databaseGeneration = generation
    this.#position = null
    this.#behind = []
    // A new generation may reuse transaction ids of the old one.
    this.#onLoss()
  }

  lagSeconds(): number {
    const [oldest] = this.#behind
    return oldest === undefined ? 0 : (performance.now() - oldest.at) / 1_000
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    for (const event of ['close', 'node error', '-node']) this.#options.redis.off(event, this.#onLoss)
    await Promise.all([this.#looking, ...this.#underWay])
  }

  async #mayServe(tenantId: string): Promise<boolean> {
    const generation = this.#generation
    if (this.#floor === null || performance.now() - this.#sampledAt > SAMPLE_STALE_MS) return false
    let needed: bigint | null
    try {
      needed = await this.#notes.neededBy(tenantId)
    } catch {
      return false
    }
    if (needed === null) this.#do(this.#beginNotes(tenantId))
    const floor = this.#floor
    if (needed === null || floor === null || generation !== this.#generation) return false
    if (this.#position !== null && this.#position >= needed && this.#position >= floor) return true
    this.#look()
    return false
  }

  async #beginNotes(tenantId: string): Promise<void> {
    await this.#notes.begin(tenantId, await this.#nextTransaction())
  }

  /** The next id of the primary: everything that was committed before this call has a lower one. */
  async #nextTransaction(): Promise<bigint> {
    const { primary, positions = primary } = this.#options
    const { position } = await positions.one(
      rows(Position)`select pg_snapshot_xmax(pg_current_snapshot())::text as position`,
    )
    return BigInt(position)
  }

  /** At the start and after a loss of notes, every read needs everything that was committed by now. */
  async #resetFloor(): Promise<void> {
    const generation = this.#generation
    const next = await this.#nextTransaction()
    if (generation !== this.#generation) return
    this.#floor = next
    this.#noteSample(next)
  }

  /** Uses the sample before the last one, so that the replica's age is limited for tenants without notes too. */
  async #raiseFloor(): Promise<void> {
    if (this.#floor === null) return this.#resetFloor()
    const next = await this.#nextTransaction()
    if (this.#floor !== null && this.#sample !== null && this.#sample > this.#floor) this.#floor = this.#sample
    this.#noteSample(next)
  }

  #noteSample(next: bigint): void {
    this.#sample = next
    this.#sampledAt = performance.now()
    if (this.#behind.length >= BEHIND_MAX) this.#behind = this.#behind.filter((_, n) => n % 2 === 0)
    this.#behind = [...this.#behind, { next, at: this.#sampledAt }]
    this.#look()
  }

  readonly #onLoss = (): void => {
    this.#generation++
    this.#floor = null
    this.#do(this.#resetFloor())
  }

  /** Asks the replica for its position, one question at a time. No read waits for the answer. */
  #look(): void {
    if (this.#looking || this.#closed || performance.now() < this.#nextLookAt) return
    this.#nextLookAt = performance.now() + LOOK_EVERY_MS
    this.#looking = this.#askReplica()
      .catch(error => this.#leaveReplica(error))
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #askReplica(): Promise<void> {
    const answer = this.#options.replica.one(
      rows(ReplicaPosition)`
        select pg_snapshot_xmin(pg_current_snapshot())::text as position, (
          select generation::text from generations order by generation desc limit 1
        ) as generation`,
    )
    const { position, generation } = await within(LOOK_PATIENCE_MS, answer)
    // A server that replaces the replica may be behind it. A replica of a lost primary may have writes that are lost.
    const reached = Number(generation) < this.#databaseGeneration ? null : BigInt(position)
    this.#position = reached
    if (reached !== null) this.#behind = this.#behind.filter(({ next }) => next > reached)
  }

  #leaveReplica(error: unknown): void {
    if (this.#position !== null) this.#options.onTrouble?.(error)
    this.#position = null
    this.#nextLookAt = performance.now() + LOOK_AGAIN_MS
  }

  /** Runs work in the background. While the primary or Redis cannot be reached, reads use the primary until the next try. */
  #do(work: Promise<void>): void {
    const quiet: Promise<void> = work.catch(() => {}).finally(() => this.#underWay.delete(quiet))
    this.#underWay.add(quiet)
  }
}
