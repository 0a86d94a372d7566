/**
 * The connections of reads. Each statement of a tenant's read returns the tenant's last event in the same round trip
 * (docs/rules/requests.md, "Following the changes").
 */

import type { Reader } from '../lib/kit/api/endpoint.ts'
import { type LastEvent, lastEvent, readerOver } from '../lib/kit/api/look-up.ts'
import { TenantNotHere } from '../lib/platform/cells.ts'
import { TenantSlots } from '../lib/platform/limits/tenant-slots.ts'
import { type Connection, withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { queriesOver } from '../lib/platform/postgres/queries-over.ts'
import type { Query } from '../lib/platform/postgres/round-trip.ts'
import { type PoolState, type RoundTripOptions, RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'
import { lookUpsOver } from './look-ups.ts'

/** How long a read waits for other reads of its tenant. It is refused before its deadline (deadlines.ts). */
const PATIENCE_MS = 4_000
/** The number of connections that are reserved for look-ups. */
const LOOK_UP_CONNECTIONS = 2
/** The most look-ups that run at the same time. They share statements. */
const LOOK_UPS_MAX = 64

/** Too many reads of the tenant run already. */
export class ReadsAreBusy extends Error {
  override name = 'ReadsAreBusy'
}

/** How many connections and look-ups of a process the reads of each tenant may use. */
export class ReadShares {
  readonly #statements: TenantSlots
  readonly #lookUps = new TenantSlots(LOOK_UPS_MAX)

  /** @param connections the connections of reads */
  constructor(connections: number) {
    this.#statements = new TenantSlots(Math.max(1, connections - LOOK_UP_CONNECTIONS))
  }

  get waiting(): number {
    return this.#statements.waiting + this.#lookUps.waiting
  }

  statement<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return inTurn(this.#statements, tenantId, work)
  }

  lookUp<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return inTurn(this.#lookUps, tenantId, work)
  }
}

/** @throws ReadsAreBusy */
async function inTurn<T>(slots: TenantSlots, tenantId: string, work: () => Promise<T>): Promise<T> {
  const slot = slots.enter(tenantId, PATIENCE_MS)
  if (slot !== true && !(await slot)) throw new ReadsAreBusy()
  try {
    return await work()
  } finally {
    slots.leave(tenantId)
  }
}

/** The queries of one tenant's read, and the last event that all its answers include. */
export type TenantReader = Reader & { eventSequence(): Promise<string> }

const beginSnapshot: Query = { text: 'begin isolation level repeatable read, read only', values: [] }

type Rows = readonly object[]
type ReadPoolOptions = RoundTripOptions & { readonly shares: ReadShares; readonly checkRows: boolean }

/** A pool of connections that all reads share. Queries on the pool itself belong to no tenant. */
export class ReadPool implements Connection {
  readonly #trips: RoundTripPool
  readonly #lookUp: ReturnType<typeof lookUpsOver>
  readonly #options: ReadPoolOptions
  readonly any: Connection['any']
  readonly one: Connection['one']
  readonly maybeOne: Connection['maybeOne']

  constructor(databaseUrl: string, options: ReadPoolOptions) {
    this.#options = options
    this.#trips = new RoundTripPool(withPlansByKey(databaseUrl), { ...options, typed: true })
    this.#lookUp = lookUpsOver(this.#trips)
    const methods = queriesOver({ ...options, send: async query => (await this.#send([query]))[0] ?? [] })
    this.any = methods.any
    this.one = methods.one
    this.maybeOne = methods.maybeOne
  }

  get state(): PoolState {
    return this.#trips.state
  }

  end(): Promise<void> {
    return this.#trips.end()
  }

  /** The queries for one read of a tenant. */
  readerOf(tenantId: string): TenantReader {
    const { shares, checkRows } = this.#options
    let known: string | undefined
    // After a move the tenant has no row here: the rows that came with this answer are out of date.
    const note = (last: Partial<LastEvent> | null | undefined) => {
      const sequence = last?.event_sequence ?? null
      if (sequence === null) throw new TenantNotHere()
      if (known === undefined || BigInt(sequence) < BigInt(known)) known = sequence
    }
    // The last event is read first: the statement after it sees the same state or a later one, on a replica too.
    const send = (query: Query): Promise<Rows> =>
      shares.statement(tenantId, async () => {
        if (known !== undefined) return (await this.#send([query]))[0] ?? []
        const [[last] = [], rows = []] = await this.#send([lastEvent(tenantId), query])
        note(last)
        return rows
      })
    return {
      ...queriesOver({ send, checkRows }),
      lookUp: (text, id) =>
        shares.lookUp(tenantId, async () => {
          const found = await this.#lookUp(text, { tenantId, id })
          note(found)
          return found.document
        }),
      snapshot: work =>
        shares.statement(tenantId, () =>
          this.#trips.use(async connection => {
            const [, [last] = []] = await connection.send([beginSnapshot, lastEvent(tenantId)])
            const queries = queriesOver({ send: async query => (await connection.send([query]))[0] ?? [], checkRows })
            try {
              note(last)
              return await work(readerOver(queries, tenantId))
            } finally {
              await connection.send([{ text: 'rollback', values: [] }]).catch(() => connection.end())
            }
          }),
        ),
      eventSequence: async () => {
        if (known === undefined) await send(lastEvent(tenantId))
        return known ?? '0'
      },
    }
  }

  #send(queries: readonly Query[]): Promise<readonly Rows[]> {
    return this.#trips.use(connection => connection.send(queries))
  }
}
