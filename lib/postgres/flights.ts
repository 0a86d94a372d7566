/**
 * Connections whose statements travel in flights: all are sent at once and answered in order, so a flight costs one round
 * trip. Slonik's tags make their texts; Slonik itself waits for each answer.
 */
import pg from 'pg'
import { type KnownStatements, type Query, RoundTrip, type TextRow } from './round-trip.ts'

export type { Query, TextRow } from './round-trip.ts'

export type FlightOptions = {
  readonly size: number
  readonly statementTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /** Told every statement before it is sent (the bench takes them down). */
  readonly onStatement?: (statement: Query) => void
}

/** A connection, and whether it may be used again. */
export class FlightConnection {
  readonly #client: pg.Client
  readonly #onStatement: FlightOptions['onStatement']
  readonly #known: KnownStatements = { columns: new Map(), uncertain: new Set() }
  isLost = false

  constructor(client: pg.Client, onStatement?: FlightOptions['onStatement']) {
    this.#client = client
    this.#onStatement = onStatement
    client.on('error', () => {
      this.isLost = true
    })
  }

  /**
   * The rows of each statement, in order. When one fails Postgres skips those behind it.
   * @throws the error of the one that failed.
   */
  fly(queries: readonly Query[]): Promise<readonly (readonly TextRow[])[]> {
    for (const query of queries) this.#onStatement?.(query)
    return this.#client.query(new RoundTrip(queries, this.#known)).answer
  }

  end(): Promise<void> {
    this.isLost = true
    return this.#client.end().catch(() => {})
  }
}

/** A few connections, opened when they are first needed. */
export class FlightPool {
  readonly #config: pg.ClientConfig
  readonly #size: number
  readonly #onStatement: FlightOptions['onStatement']
  readonly #idle: FlightConnection[] = []
  readonly #waiting: ((connection: FlightConnection | null) => void)[] = []
  #open = 0

  constructor(databaseUrl: string, options: FlightOptions) {
    this.#size = options.size
    this.#onStatement = options.onStatement
    this.#config = {
      connectionString: databaseUrl,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      types: { getTypeParser: () => (text: string) => text } as never,
    }
  }

  /** Runs `use` on a connection of its own. What throws with a lost connection costs the connection. */
  async use<T>(use: (connection: FlightConnection) => Promise<T>): Promise<T> {
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

  async #take(): Promise<FlightConnection> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#open >= this.#size) {
      const { promise, resolve } = Promise.withResolvers<FlightConnection | null>()
      this.#waiting.push(resolve)
      const given = await promise
      if (given) return given
    }
    this.#open++
    try {
      const client = new pg.Client(this.#config)
      await client.connect()
      return new FlightConnection(client, this.#onStatement)
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  #giveBack(connection: FlightConnection): void {
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
