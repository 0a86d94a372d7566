/**
 * Counts for the security telemetry in this process, and writes the counts every few seconds, so that no request waits. A stop writes the
 * rest; a killed process loses one interval. No address may be kept beyond a flush.
 */
import { randomBytes } from 'node:crypto'
import type { Place } from '../access/cells/directory.ts'
import { utcDay } from '../kit/days.ts'
import { MAIN } from '../platform/cells.ts'
import { isDependencyFailure } from '../platform/postgres/failures.ts'
import type { Pool } from '../platform/postgres/postgres.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { securityMetrics } from '../platform/telemetry/metrics.ts'
import { type Batch, batchesOf, dayOf } from './batch.ts'
import { type Answered, causeOf, classOf, codeOf } from './counted.ts'
import { networkOf } from './network.ts'
import { addBatch, networkKeys } from './store.ts'
import { Tally } from './tally.ts'

const FLUSH_EVERY_MS = 4_000
/** A tally with this many cells is written at once, so that its memory and the work of PostgreSQL stay bounded. */
const FLUSH_CELLS = 10_000
/** A stop gives up after CLOSE_FAILURES_MAX failures. A batch is dropped after PostgreSQL has refused it BATCH_REFUSALS_MAX times. */
const CLOSE_FAILURES_MAX = 2
const BATCH_REFUSALS_MAX = 20
const DAY_S = 86_400

/** One answered request of a tenant. */
export type AnsweredRequest = Answered & {
  readonly tenantId: string
  readonly keyId: string
  readonly method: string
  /** The route template, never a path with ids. */
  readonly route: string
  /** As `callerAddress` spells it. */
  readonly address: string
  /** When the request arrived, in ms since 1970. */
  readonly receivedAt: number
  /** How the entries of a bulk ended. A bulk counts as one request, with the causes of all entries. */
  readonly entries?: readonly Answered[] | undefined
}

/** The counts of the cell where a tenant lives; 'later': the tenant is moving; undefined: the tenant lives nowhere else. */
export type CountsOf = (tenantId: string) => Promise<SecurityCounts | 'later' | undefined>

/** As `CountsOf`, by the directory of cells and the counts `in` each cell. The cell `from` asks. */
export function countsByPlace(
  placeOf: (tenantId: string) => Promise<Place<string | null>>,
  inCell: (cell: string) => SecurityCounts | undefined,
): (from: string) => CountsOf {
  return from => async tenantId => {
    const { cell, isMoving } = await placeOf(tenantId)
    if ((cell ?? MAIN) !== from) return inCell(cell ?? MAIN)
    return isMoving ? 'later' : undefined
  }
}

export class SecurityCounts {
  readonly #pool: Pool
  readonly #log: Log
  readonly #countsOf: CountsOf
  /** Names this writer. It is new at every start, because batch numbers begin at 1. */
  readonly #writer = randomBytes(12).toString('hex')
  readonly #timer: NodeJS.Timeout
  /** The present tally, then the tally that is being cut, then the rows that PostgreSQL does not have yet. */
  #tally = new Tally()
  #taken: Tally | undefined
  #batches: Batch[] = []
  /** Rows of tenants that have moved here, or are moving. The next flush writes them. */
  #given: Batch[] = []
  #batchNumber = 0
  #refusals = 0
  /** Network keys of the last flush, by day since 1970. */
  #keys: ReadonlyMap<number, Buffer> = new Map()
  #running: Promise<boolean> | undefined

  constructor(services: {
    readonly pool: Pool
    readonly log: Log
    readonly flushEveryMs?: number
    /** Set where there are several cells. */
    readonly countsOf?: CountsOf
  }) {
    this.#pool = services.pool
    this.#log = services.log
    this.#countsOf = services.countsOf ?? (async () => undefined)
    this.#timer = setInterval(() => void this.flush(), services.flushEveryMs ?? FLUSH_EVERY_MS)
    this.#timer.unref()
  }

  /** Counts an answered request in a microsecond. Never throws. */
  request(request: AnsweredRequest): void {
    this.#tally.request({
      tenantId: request.tenantId,
      keyId: request.keyId,
      method: request.method,
      route: request.route,
      second: Math.floor(request.receivedAt / 1000),
      classCode: classOf(request.status),
      causeCodes: [request, ...(request.entries ?? [])].flatMap(answered => causeOf(answered) ?? []),
      network: networkOf(request.address),
    })
    if (this.#tally.size >= FLUSH_CELLS && this.#running === undefined) void this.flush()
  }

  /** Counts a failed attempt at a delivery of the tenant (for the webhook process). */
  webhookFailed(tenantId: string, at: number): void {
    this.#tally.own(tenantId, codeOf.webhook_failures, Math.floor(at / 1000))
  }

  /** Writes what was counted so far. False when PostgreSQL did not accept it; the next flush continues. Never throws. */
  flush(): Promise<boolean> {
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Stops after everything that was counted is written, or given up and logged when PostgreSQL is away. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (let failures = 0; !this.#isWritten && failures < CLOSE_FAILURES_MAX; ) if (!(await this.flush())) failures++
    if (!this.#isWritten) this.#log.error('security telemetry of the last seconds was lost')
  }

  get #isWritten(): boolean {
    return [this.#tally.size, this.#batches.length, this.#given.length].every(size => size === 0) && !this.#taken
  }

  async #write(): Promise<boolean> {
    try {
      // A batch keeps its number until PostgreSQL has it, so that a repeated batch counts once. The next tally is cut only then.
      await this.#send()
      await this.#cut()
      await this.#send()
      this.#batches = this.#given.splice(0)
      await this.#send()
      return this.#given.length === 0
    } catch (error) {
      await this.#onFailure(error)
      return false
    }
  }

  /** Cuts the tally into batches. When the keys cannot be fetched, the next flush cuts it. */
  async #cut(): Promise<void> {
    if (this.#taken === undefined) {
      if (this.#tally.size === 0) return
      this.#taken = this.#tally
      this.#tally = new Tally()
    }
    const taken = this.#taken
    const days = taken.cells.filter(({ network }) => network !== undefined).map(dayOf)
    this.#keys = await this.#keysOf(new Set([...new Set(days)].flatMap(day => [day - 1, day])))
    this.#batches = batchesOf(taken, day => this.#keyOf(day))
    this.#taken = undefined
    this.#reportDropped(taken.dropped)
  }

  async #send(): Promise<void> {
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      const { isNew, elsewhere } = await addBatch(
        this.#pool,
        { id: this.#writer, batchNumber: this.#batchNumber + 1 },
        batch,
      )
      this.#forgetBatch()
      if (isNew) for (const tenantId of elsewhere) await this.#handOver(tenantId, batch)
    }
  }

  /** Gives rows of a tenant that has moved to the counts of its cell. */
  async #handOver(tenantId: string, batch: Batch): Promise<void> {
    const counts = await this.#countsOf(tenantId).catch(() => 'later' as const)
    const to = counts === 'later' ? this : counts
    if (to !== undefined) to.#given.push(batch.filter(row => row['tenant_id'] === tenantId))
  }

  #forgetBatch(): void {
    this.#batches.shift()
    this.#batchNumber++
    this.#refusals = 0
  }

  async #keysOf(days: ReadonlySet<number>): Promise<ReadonlyMap<number, Buffer>> {
    if ([...days].every(day => this.#keys.has(day))) return this.#keys
    const fresh = [...days].map(day => ({ day: dayText(day), fresh: randomBytes(32).toString('hex') }))
    const found = await networkKeys(this.#pool, fresh)
    return new Map([...found].map(([day, key]) => [Date.parse(day) / 1000 / DAY_S, Buffer.from(key, 'hex')]))
  }

  #keyOf(day: number): Buffer {
    const key = this.#keys.get(day)
    if (key === undefined) throw new Error(`no network key of day ${day}`)
    return key
  }

  /** Waits for a database that is away. Drops a batch that PostgreSQL refuses again and again, to make room for the next. */
  async #onFailure(error: unknown): Promise<void> {
    this.#log.warn({ err: error }, 'security telemetry waits')
    if (isDependencyFailure(error)) return
    const [batch] = this.#batches
    if (batch === undefined || ++this.#refusals < BATCH_REFUSALS_MAX) return
    this.#reportDropped(batch.length)
    this.#forgetBatch()
  }

  #reportDropped(count: number): void {
    if (count === 0) return
    securityMetrics.dropped(count)
    this.#log.error({ dropped: count }, 'security telemetry was dropped')
  }
}

const dayText = (day: number): string => utcDay(day * DAY_S * 1000)
