/**
 * Connections that send several statements in one round trip (round-trip.ts), shared in a pool. Slonik's tags make the texts; Slonik itself
 * waits for each answer.
 */
import pg from 'pg'
import type { Slots } from '../limits/slots.ts'
import { readAddress } from './address.ts'
import { connectLimited, type LimitedClient, type LimitedClientOptions } from './client.ts'
import { connectionSlots } from './pool-slots.ts'
import { type KnownStatements, type Query, RoundTrip, type TextRow } from './round-trip.ts'

export type RoundTripOptions = {
  /** The name of these connections in PostgreSQL (`web.1 reads`), unless the address names one. */
  readonly name?: string | undefined
  readonly size: number
  readonly statementTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /** How long a statement waits for a lock; undefined: unlimited. */
  readonly lockTimeoutMs?: number
  /** Columns arrive as `pg` and Slonik read them (integers as numbers, bigint and numeric as text) instead of all as text. */
  readonly typed?: boolean
}

/** How many connections are in use and free, and how many callers wait. */
export type PoolState = { readonly active: number; readonly idle: number; readonly waiting: number }

/** A connection. `isLost`: it must not be used again. */
export class RoundTripConnection {
  readonly #limited: LimitedClient
  readonly #known: KnownStatements
  /** Whether rows must bring their ids, because the node of the schema gives none (lib/platform/postgres/address.ts). */
  readonly isDistributed: boolean
  /** When its server was last asked where the database lives, in ms of this process's clock (lib/work/open.ts). */
  serverAskedAt = Number.NEGATIVE_INFINITY

  constructor(
    limited: LimitedClient,
    {
      typed = false,
      isDistributed = false,
    }: Pick<RoundTripOptions, 'typed'> & { readonly isDistributed?: boolean } = {},
  ) {
    this.#limited = limited
    this.isDistributed = isDistributed
    this.#known = {
      columns: new Map(),
      uncertain: new Set(),
      ...(typed ? { readerOf: type => pg.types.getTypeParser(type) } : {}),
    }
  }

  get isLost(): boolean {
    return this.#limited.isLost
  }

  /**
   * The rows of each statement, in order. When one statement fails PostgreSQL skips the later ones.
   * @throws the error of the failed statement; SilentConnection when one overran its limit on this side
   */
  send(queries: readonly Query[]): Promise<readonly (readonly TextRow[])[]> {
    const { client, limit } = this.#limited
    return client.query(new RoundTrip(queries, this.#known, limit)).answer
  }

  end(): Promise<void> {
    return this.#limited.end()
  }
}

/** A few connections, each opened when first needed. */
export class RoundTripPool {
  readonly #databaseUrl: string
  readonly #client: LimitedClientOptions
  readonly #options: RoundTripOptions & { readonly isDistributed: boolean }
  readonly #slots: Slots
  readonly #idle: RoundTripConnection[] = []
  #isEnded = false

  constructor(databaseUrl: string, options: RoundTripOptions) {
    this.#databaseUrl = databaseUrl
    this.#options = { ...options, isDistributed: readAddress(databaseUrl).isDistributed }
    this.#slots = connectionSlots(options.size)
    this.#client = {
      isPooled: true,
      fallback_application_name: options.name,
      statementTimeoutMs: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
      ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
      types: { getTypeParser: () => (text: string) => text } as never,
    }
  }

  /**
   * Runs `use` on a connection of its own. An error that lost the connection removes it from the pool. @throws NoSlot when none becomes
   * free in time
   */
  use<T>(use: (connection: RoundTripConnection) => Promise<T>): Promise<T> {
    return this.#slots.in(async () => {
      const connection = this.#idleOne() ?? (await this.#open())
      try {
        return await use(connection)
      } finally {
        if (this.#isEnded) await connection.end()
        else if (!connection.isLost) this.#idle.push(connection)
      }
    })
  }

  get state(): PoolState {
    const idle = this.#idle.filter(({ isLost }) => !isLost).length
    return { active: this.#slots.taken, idle, waiting: this.#slots.waiting }
  }

  /** Closes idle connections. A connection in use is closed when it becomes free. */
  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(this.#idle.splice(0).map(connection => connection.end()))
  }

  #idleOne(): RoundTripConnection | undefined {
    let idle = this.#idle.pop()
    while (idle?.isLost) idle = this.#idle.pop()
    return idle
  }

  async #open(): Promise<RoundTripConnection> {
    return new RoundTripConnection(await connectLimited(this.#databaseUrl, this.#client), this.#options)
  }
}
