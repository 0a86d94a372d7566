/**
 * Connections that send several statements in one round trip (round-trip.ts), and a few of them to share. Slonik's tags make the
 * texts; Slonik itself waits for each answer.
 */
import pg from 'pg'
import { type KnownStatements, type Query, RoundTrip, type TextRow } from './round-trip.ts'

export type RoundTripOptions = {
  readonly size: number
  readonly statementTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /** How long a statement waits for a lock; not set: as long as it may take. */
  readonly lockTimeoutMs?: number
}

/** A connection, and whether it may be used again. */
export class RoundTripConnection {
  readonly #client: pg.Client
  readonly #known: KnownStatements = { columns: new Map(), uncertain: new Set() }
  isLost = false

  constructor(client: pg.Client) {
    this.#client = client
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
  readonly #size: number
  readonly #idle: RoundTripConnection[] = []
  readonly #waiting: ((connection: RoundTripConnection | null) => void)[] = []
  #open = 0

  constructor(databaseUrl: string, options: RoundTripOptions) {
    this.#size = options.size
    this.#config = {
      connectionString: databaseUrl,
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

  async end(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(connection => connection.end()))
  }

  async #take(): Promise<RoundTripConnection> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#open >= this.#size) {
      const { promise, resolve } = Promise.withResolvers<RoundTripConnection | null>()
      this.#waiting.push(resolve)
      const given = await promise
      if (given) return given
    }
    this.#open++
    try {
      const client = new pg.Client(this.#config)
      await client.connect()
      return new RoundTripConnection(client)
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
