/**
 * Connections whose statements travel in flights: all are sent at once and answered in order, so a flight costs one round
 * trip. Slonik's tags make their texts; Slonik itself waits for each answer.
 */
import pg from 'pg'
import { statementSpan } from '../tracing/trace-statements.ts'
import { failSpan } from '../tracing/tracing.ts'
import { statementName } from './postgres.ts'

/** A statement with `$1`, `$2`, ...; values are texts, numbers, or arrays of them. */
export type Query = { readonly text: string; readonly values: readonly unknown[] }
/** Every column as text. */
export type TextRow = Readonly<Record<string, string | null>>

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
  isLost = false

  constructor(client: pg.Client, onStatement?: FlightOptions['onStatement']) {
    this.#client = client
    this.#onStatement = onStatement
    client.on('error', () => {
      this.isLost = true
    })
  }

  /**
   * The rows of each statement, in order. When one fails those behind it ran all the same, so a flight that must be all or
   * nothing begins or continues a transaction.
   * @throws the first error, once all are answered.
   */
  async fly(queries: readonly Query[]): Promise<readonly (readonly TextRow[])[]> {
    const answers = await Promise.allSettled(
      queries.map(query => {
        this.#onStatement?.(query)
        return this.#send(query)
      }),
    )
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
    return answers.map(answer => (answer as PromiseFulfilledResult<pg.QueryResult<TextRow>>).value.rows)
  }

  async #send({ text, values }: Query): Promise<pg.QueryResult<TextRow>> {
    const span = statementSpan(text)
    const name = statementName(text)
    try {
      const result = await this.#client.query<TextRow>({
        ...(name === undefined ? {} : { name }),
        ...{ text, values: [...values] },
      })
      span?.setAttribute('db.response.returned_rows', result.rows.length)
      return result
    } catch (error) {
      if (span) failSpan(span, error)
      throw error
    } finally {
      span?.end()
    }
  }

  end(): Promise<void> {
    this.isLost = true
    return this.#client.end().catch(() => {})
  }
}

/** A few connections, opened when they are first needed. */
export class FlightPool {
  readonly #config: pg.ClientConfig & { readonly pipeline: true }
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
      pipeline: true,
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
