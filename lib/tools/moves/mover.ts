/**
 * Decides who may move a tenant: one mover at a time, for as long as the main cell hears from it. It knows nothing of the steps of a move.
 *
 * A mover writes only over its own sessions. Each session holds a lock of the tenant: one in the main cell's database, which decides, and
 * one in each cell that the mover writes in. A mover that freezes loses its session in `main` first. The next holder of that lock ends the
 * frozen mover's sessions in the cells before its first write there. So a mover that comes back has no session left to write over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { MAIN } from '../../platform/cells.ts'
import { errorClass } from '../../platform/postgres/failures.ts'
import { cellNamed, connected, type MovingCell, type MovingCells, NotMoved } from './reach.ts'

/** A mover of a tenant holds this advisory lock of the main cell's database, with the tenant's `lockKeyOf`. */
export const MOVING_LOCK = 7_236_121
/**
 * Also held by a mover that takes up a move that broke off, until the tenant is served again. The move counts as broken off for that time.
 */
export const TAKING_UP_LOCK = 7_236_122
export const lockKeyOf = (tenantId: string): string => String(BigInt(tenantId) % 2_147_483_647n)

/** The lock of the tenant $1 in a cell. Two cells may be schemas of one database, which share its locks. */
const CELL_LOCK = `hashtextextended('the move of ' || $1 || ' in ' || current_schema(), 0)`
/** The held advisory locks of this database. */
const HELD = `locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`
/** A session that was ended needs some milliseconds, or longer to roll a copy back. */
const CELL_LOCK_MS_MAX = 20_000
const CELL_LOCK_EVERY_MS = 50

/** After this silence PostgreSQL ends the session of a mover in `main`. */
const SILENCE_MS = 15_000
/** A healthy mover is heard this many times in that time. */
const HEARD_TIMES = 5
/**
 * With these codes PostgreSQL answers a statement whose session it ends: another session asked for that, or the session was silent. The
 * connection ends afterwards.
 */
const SESSION_ENDS: readonly string[] = ['57P01', '57P05', '25P03']
/** A cell without traffic for this long does not answer any more. Checks of foreign keys after a large copy take minutes. */
const CELL_SILENCE_MS = 600_000

export type MoverOptions = MovingCells & {
  /** Ends running work: the move breaks off where it is. */
  readonly signal?: AbortSignal
  readonly silenceMs?: number
}

/** The used part of a client's connection. */
type Stream = { readonly bytesRead: number; readonly bytesWritten: number; destroy(): void }
const streamOf = (client: pg.Client): Stream =>
  (client as unknown as { connection: { stream: Stream } }).connection.stream

type Session = { readonly stream: Stream; bytes: number; changedAt: number }

/** A mover that moves a tenant now. */
export class Mover {
  readonly #tenantId: string
  readonly #main: pg.Client
  readonly #silenceMs: number
  readonly #sessions = new Set<Session>()
  #turn: Promise<unknown> = Promise.resolve()
  #answeredAt = performance.now()
  #end: string | undefined

  #takesUp: boolean

  constructor(
    main: pg.Client,
    {
      tenantId,
      silenceMs,
      takesUp,
    }: { readonly tenantId: string; readonly silenceMs: number; readonly takesUp: boolean },
  ) {
    this.#main = main
    this.#tenantId = tenantId
    this.#silenceMs = silenceMs
    this.#takesUp = takesUp
  }

  /** Why nothing more can be written; undefined: nothing is wrong. */
  get end(): string | undefined {
    return this.#end
  }

  /** Writes in `main`. Fails once another mover may move the tenant. */
  inMain<T>(work: (main: pg.Client) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => work(this.#main))
    this.#turn = done.then(
      () => {
        this.#answeredAt = performance.now()
      },
      () => {},
    )
    return done
  }

  /** Writes in a cell, where no earlier mover of the tenant writes any more. */
  connected<T>(cell: MovingCell, work: (client: pg.Client) => Promise<T>): Promise<T> {
    return connected(cell, async client => {
      const session = { stream: streamOf(client), bytes: 0, changedAt: performance.now() }
      this.#sessions.add(session)
      try {
        await this.#lockIn(cell, client)
        // The lock in the cell is worthless if this mover has lost the one in main meanwhile.
        await this.inMain(main => main.query('select'))
        return await work(client)
      } finally {
        this.#sessions.delete(session)
      }
    })
  }

  async #lockIn({ name }: MovingCell, client: pg.Client): Promise<void> {
    const end = performance.now() + CELL_LOCK_MS_MAX
    for (;;) {
      const { rows } = await client.query<{ is_mine: boolean }>(
        `select pg_try_advisory_lock(${CELL_LOCK}) as is_mine`,
        [this.#tenantId],
      )
      if (rows[0]?.is_mine) return
      if (performance.now() > end)
        throw new Error(`the session of an earlier move of tenant ${this.#tenantId} in ${name} does not end`)
      // A frozen client keeps its session for hours, also within a copy.
      await client.query(
        `select pg_terminate_backend(pid) from pg_locks
         where ${HELD} and objsubid = 1 and (classid::bigint << 32) | objid::bigint = ${CELL_LOCK}`,
        [this.#tenantId],
      )
      await delay(CELL_LOCK_EVERY_MS)
    }
  }

  /** The tenant is served again, whatever is left to do: its move no longer counts as broken off. */
  async noteServed(): Promise<void> {
    if (!this.#takesUp) return
    this.#takesUp = false
    await this.inMain(main =>
      main.query('select pg_advisory_unlock($1, $2)', [TAKING_UP_LOCK, lockKeyOf(this.#tenantId)]),
    )
  }

  /** Signals `main` that the mover lives. Ends the move where `main` or a cell does not answer. */
  async beat(): Promise<void> {
    const now = performance.now()
    if (now - this.#answeredAt > this.#silenceMs) this.breakOff(`${MAIN} does not answer`)
    for (const session of this.#sessions) {
      const bytes = session.stream.bytesRead + session.stream.bytesWritten
      if (bytes !== session.bytes) Object.assign(session, { bytes, changedAt: now })
      else if (now - session.changedAt > CELL_SILENCE_MS) this.breakOff('a cell does not answer')
    }
    await this.inMain(main => main.query('select'))
  }

  /** Destroys the connections: an orderly end would wait for an answer. */
  breakOff(why: string): void {
    this.#end ??= why
    for (const { stream } of this.#sessions) stream.destroy()
    streamOf(this.#main).destroy()
  }
}

/** Another mover moves the tenant. */
export class MovedByAnother extends NotMoved {
  constructor(tenantId: string) {
    super(`another is moving the tenant ${tenantId} now, perhaps a worker process`)
  }
}

/**
 * Does the work as the tenant's only mover. `takesUp`: the tenant's move broke off. `ousts`: ends the present mover.
 * @throws MovedByAnother
 */
export async function alone<T>(
  options: MoverOptions,
  {
    tenantId,
    takesUp = false,
    ousts = false,
  }: { readonly tenantId: string; readonly takesUp?: boolean; readonly ousts?: boolean },
  work: (mover: Mover) => Promise<T>,
): Promise<T> {
  const { signal, silenceMs = SILENCE_MS } = options
  return connected(cellNamed(options, MAIN), async client => {
    for (const silence of ['idle_session_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`set ${silence} = ${silenceMs}`)
    for (const lock of takesUp ? [TAKING_UP_LOCK, MOVING_LOCK] : [MOVING_LOCK])
      if (!(await hasLock(client, [lock, lockKeyOf(tenantId)], ousts))) throw new MovedByAnother(tenantId)
    const mover = new Mover(client, { tenantId, silenceMs, takesUp })
    const stop = () => mover.breakOff('it was told to stop')
    const ended = () => mover.breakOff('PostgreSQL has ended its session, so that another may go on with it')
    client.once('end', ended)
    signal?.addEventListener('abort', stop)
    const beating = setInterval(() => mover.beat().catch(() => {}), silenceMs / HEARD_TIMES)
    try {
      signal?.throwIfAborted()
      return await work(mover)
    } catch (error) {
      if (SESSION_ENDS.includes(errorClass(error))) ended()
      throw mover.end === undefined ? error : new Error(`the move was ended: ${mover.end}`, { cause: error })
    } finally {
      clearInterval(beating)
      signal?.removeEventListener('abort', stop)
    }
  })
}

async function hasLock(client: pg.Client, lock: readonly [number, string], ousts: boolean): Promise<boolean> {
  const end = performance.now() + (ousts ? CELL_LOCK_MS_MAX : 0)
  for (;;) {
    const tried = 'select pg_try_advisory_lock($1, $2) as is_mine'
    const { rows } = await client.query<{ is_mine: boolean }>(tried, [...lock])
    if (rows[0]?.is_mine) return true
    if (performance.now() >= end) return false
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks
       where ${HELD} and objsubid = 2 and classid = $1::bigint::oid and objid = $2::bigint::oid`,
      [...lock],
    )
    await delay(CELL_LOCK_EVERY_MS)
  }
}
