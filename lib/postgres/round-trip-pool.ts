/**
 * Connections that send several statements in one round trip (round-trip.ts), and a few of them to share. Slonik's tags make the
 * texts; Slonik itself waits for each answer.
 */
import pg from 'pg'
import { connectionString, readAddress } from './address.ts'
import { type KnownStatements, type Query, RoundTrip, type TextRow } from './round-trip.ts'

export type RoundTripOptions = {
  /** What PostgreSQL shows of these connections (`web.1 reads`), where the address names none itself. */
  readonly name?: string | undefined
  readonly size: number
  readonly statementTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /** How long a statement waits for a lock; not set: as long as it may take. */
  readonly lockTimeoutMs?: number
  /** Columns arrive as `pg` and Slonik read them (integers as numbers, bigint and numeric as text), not all as text. */
  readonly typed?: boolean
}

/** How many connections are in use and free, and who waits for one. */
export type PoolState = { readonly active: number; readonly idle: number; readonly waiting: number }

/** A connection, and whether it may be used again. */
export class RoundTripConnection {
  readonly #client: pg.Client
  readonly #known: KnownStatements
  /** Whether rows must bring their ids, since the node that keeps them gives none (lib/postgres/address.ts). */
  readonly isDistributed: boolean
  isLost = false
  /** When its server was last asked where the database lives, in ms of this process (lib/documents/opening.ts). */
  serverAskedAt = Number.NEGATIVE_INFINITY

  constructor(
    client: pg.Client,
    {
      typed = false,
      isDistributed = false,
    }: Pick<RoundTripOptions, 'typed'> & { readonly isDistributed?: boolean } = {},
  ) {
    this.#client = client
    this.isDistributed = isDistributed
    this.#known = {
      columns: new Map(),
      uncertain: new Set(),
      ...(typed ? { readerOf: type => pg.types.getTypeParser(type) } : {}),
    }
    client.on('error', () => {
      this.isLost = true
    })
  }

  /**
   * The rows of each statement, in order. When one fails Postgres skips those behind it.
   * @throws the error of the one that failed.
   */
  send(queries: readonly Query[]): Promise<readonly (readonly TextRow[])[]> {
    return this.#client.query(new RoundTrip(queries, this.#known)).answer
  }

  end(): Promise<void> {
    this.isLost = true
    return this.#client.end().catch(() => {})
  }
}

/** A few connections, opened when they are first needed. */
export class RoundTripPool {
  readonly #config: pg.ClientConfig
  readonly #options: RoundTripOptions & { readonly isDistributed: boolean }
  readonly #idle: RoundTripConnection[] = []
  readonly #waiting: ((connection: RoundTripConnection | null) => void)[] = []
  #open = 0

  constructor(databaseUrl: string, options: RoundTripOptions) {
    this.#options = { ...options, isDistributed: readAddress(databaseUrl).isDistributed }
    this.#config = {
      connectionString: connectionString(databaseUrl),
      fallback_application_name: options.name,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
      ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      types: { getTypeParser: () => (text: string) => text } as never,
    }
  }

  /** Runs `use` on a connection of its own. What throws with a lost connection costs the connection. */
  async use<T>(use: (connection: RoundTripConnection) => Promise<T>): Promise<T> {
    const connection = await this.#take()
    try {
      return await use(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  get state(): PoolState {
    const idle = this.#idle.length
    return { active: this.#open - idle, idle, waiting: this.#waiting.length }
  }

  async end(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(connection => connection.end()))
  }

  async #take(): Promise<RoundTripConnection> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) return idle
      this.#open--
    }
    if (this.#open >= this.#options.size) {
      const { promise, resolve } = Promise.withResolvers<RoundTripConnection | null>()
      this.#waiting.push(resolve)
      const given = await promise
      if (given) return given
    }
    this.#open++
    try {
      const client = new pg.Client(this.#config)
      await client.connect()
      return new RoundTripConnection(client, this.#options)
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  #giveBack(connection: RoundTripConnection): void {
    const next = connection.isLost ? undefined : this.#waiting.shift()
    if (connection.isLost) this.#leave()
    else if (next) next(connection)
    else this.#idle.push(connection)
  }

  /** A place fell free without a connection: whoever waits opens one. */
  #leave(): void {
    this.#open--
    this.#waiting.shift()?.(null)
  }
}
