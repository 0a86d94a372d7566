/**
 * Connections to PostgreSQL on which every wait ends, whatever the network does. A connection that overran its limit, or became silent, is
 * destroyed, and its statements fail.
 */
import pg from 'pg'
import { AnswerLimit, reportThrownAway, SilentConnection } from '../answer-limit.ts'
import { connectionString } from './address.ts'
import { connectByTls } from './connect.ts'
import { refuseSharedSessions } from './pooling.ts'
import { apartFromStart, SET_UP, type SessionSettings } from './session-settings.ts'
import { findSilence, isBusy, sessionOf } from './silence.ts'
import type { TlsWay } from './tls.ts'

const CONNECT_TIMEOUT_MS = 3_000
/**
 * PostgreSQL ends a statement that takes too long, and reports it. On this side a round trip may take the limits of all its statements plus
 * this margin, because PostgreSQL sends their answers together.
 */
const MARGIN_MS = 500
/** The limit of a statement that detects a pooler. */
const PROBE_TIMEOUT_MS = 3_000
/** How long the end of a connection may take. */
const END_TIMEOUT_MS = 1_000
/** TCP probes a silent peer after this time, and gives up ten seconds later. */
const KEEP_ALIVE_MS = 10_000

type Limits = {
  /** The longest time of one statement; undefined: unlimited. */
  readonly statementTimeoutMs?: number | undefined
  /** The connection may be closed while idle, because its pool opens another one. It then has no session lock. */
  readonly isPooled?: boolean | undefined
  /** Settings for the session, applied when it is open. */
  readonly settings?: SessionSettings | undefined
  /** Called at once when the connection is thrown away. */
  readonly onThrownAway?: ((error: Error) => void) | undefined
}

export type LimitedClientOptions = pg.ClientConfig & Limits

/** Opens a connection. Options in the address win. @throws an error that `isDependencyFailure` recognises; the connection is then closed */
export const connectLimited = (databaseUrl: string, options: LimitedClientOptions = {}): Promise<LimitedClient> =>
  connectByTls(databaseUrl, async ssl => {
    const limited = limitedClient(databaseUrl, ssl, options)
    await limited.connect()
    return limited
  })

/** The same for the first connection to an address. @throws SharedSessions for a pooler without a session per connection */
export async function connectOwnSession(
  databaseUrl: string,
  options: LimitedClientOptions = {},
): Promise<LimitedClient> {
  const limited = await connectLimited(databaseUrl, options)
  try {
    await refuseSharedSessions(limited, () => connectLimited(databaseUrl, { statementTimeoutMs: PROBE_TIMEOUT_MS }))
    return limited
  } catch (error) {
    await limited.end()
    throw error
  }
}

function limitedClient(
  databaseUrl: string,
  ssl: TlsWay,
  { statementTimeoutMs, isPooled, onThrownAway, ...given }: LimitedClientOptions,
): LimitedClient {
  const { config, settings } = apartFromStart({
    ssl,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    ...given,
    connectionString: connectionString(databaseUrl),
  })
  const limited = new LimitedClient(new pg.Client(config), { statementTimeoutMs, isPooled, settings, onThrownAway })
  const watched = {
    config,
    isOver: () => limited.isLost,
    onSilent: (reason: string) => limited.throwAway(reason),
  }
  limited.client.once('connect', () => findSilence(limited.client, watched))
  return limited
}

/** Connections of this process. */
const connected = new Set<LimitedClient>()

/** A client, and the limit of its answers. */
export class LimitedClient {
  readonly client: pg.Client
  /** Code that sends statements notes here when answers are due and when they have come. */
  readonly limit: AnswerLimit
  readonly #isPooled: boolean
  readonly #settings: SessionSettings
  readonly #onThrownAway: (error: Error) => void
  #isLost = false
  #isBehindPooler = false

  constructor(
    client: pg.Client,
    {
      statementTimeoutMs = Number.POSITIVE_INFINITY,
      isPooled = false,
      settings = [],
      onThrownAway = () => {},
    }: Limits = {},
  ) {
    this.client = client
    this.#isPooled = isPooled
    this.#settings = settings
    this.#onThrownAway = onThrownAway
    this.limit = new AnswerLimit({
      limitMs: statementTimeoutMs,
      marginMs: MARGIN_MS,
      onOverrun: () => this.throwAway(`no answer, though a statement may take ${statementTimeoutMs} ms`),
    })
    client.on('error', () => this.#lose())
  }

  /** Whether the connection must not be used again. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** A pooler gives connections numbers of its own. */
  get isBehindPooler(): boolean {
    return this.#isBehindPooler
  }

  /** `127.0.0.1:5432` */
  get address(): string {
    return `${this.client.host}:${this.client.port}`
  }

  /** @throws why there is no connection; it is then closed */
  async connect(): Promise<void> {
    const onOverrun = () => this.destroy(new SilentConnection(`PostgreSQL at ${this.address} gave no answer in time`))
    const limit = new AnswerLimit({ limitMs: CONNECT_TIMEOUT_MS, marginMs: 0, onOverrun })
    limit.begin(1)
    try {
      await this.client.connect()
      await this.#setUp()
      connected.add(this)
    } catch (error) {
      this.destroy()
      throw error
    } finally {
      limit.end(1)
    }
  }

  async #setUp(): Promise<void> {
    const [names, values] = [this.#settings.map(([name]) => name), this.#settings.map(([, value]) => value)]
    const { rows } = await this.client.query<{ pid: number | string }>(SET_UP, [names, values])
    this.#isBehindPooler = Number(rows[0]?.pid) !== sessionOf(this.client)
  }

  /** Sends a statement on the client with `send`. */
  async ask<T>(send: () => Promise<T>): Promise<T> {
    this.limit.begin(1)
    try {
      return await send()
    } finally {
      this.limit.end(1)
    }
  }

  /** Closes at once, without a message to the server. Waiting statements fail with the error. */
  destroy(error?: Error): void {
    this.#lose()
    this.client.connection.stream.destroy(error)
  }

  /** Closes with a message to the server, and waits only briefly. */
  async end(): Promise<void> {
    this.#lose()
    const timer = setTimeout(() => this.destroy(), END_TIMEOUT_MS)
    await this.client.end().catch(() => {})
    clearTimeout(timer)
  }

  /**
   * Call it when an answer does not come. The cause may affect all open connections to the same server. Idle ones are closed too, so that
   * no later request has to find out.
   */
  throwAway(reason: string): void {
    if (this.#isLost) return
    const error = new SilentConnection(`the connection to PostgreSQL at ${this.address} fell silent: ${reason}`)
    const beside = [...connected].filter(other => other !== this && other.address === this.address)
    const idle = beside.filter(other => other.#isPooled && other.#isIdle)
    for (const each of [this, ...idle]) {
      each.destroy(error)
      each.#onThrownAway(error)
    }
    reportThrownAway({ store: 'postgres', error, idle: idle.length })
  }

  /** Whether neither a statement nor a transaction is under way. */
  get #isIdle(): boolean {
    return !isBusy(this.client) && this.client.getTransactionStatus() === 'I'
  }

  #lose(): void {
    this.#isLost = true
    connected.delete(this)
  }
}

/**
 * Opens a connection for statements without a time limit. The caller closes it with `end`.
 * @throws the connection's failure; SharedSessions
 */
export async function openClient(
  databaseUrl: string,
  options: pg.ClientConfig = {},
): Promise<{ readonly client: pg.Client; readonly end: () => Promise<void> }> {
  const limited = await connectOwnSession(databaseUrl, options)
  return { client: limited.client, end: () => limited.end() }
}
