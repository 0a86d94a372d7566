/**
 * Detects a silent connection before its statements overrun their limit, or if they have none. When no byte comes, another connection asks
 * PostgreSQL whether the session still works.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { lookAgain, looksIn } from '../answer-limit.ts'

/** How long without a byte until PostgreSQL is asked, and how often it is asked again. */
const ASK_EVERY_MS = 2_000
const ASK_TIMEOUT_MS = 1_500

/** PostgreSQL's view of the session. `waiting`: PostgreSQL waits for more of the statement. */
type SessionState = 'working' | 'waiting' | 'idle' | 'gone' | 'unreachable'

/**
 * After this many equal answers in a row the connection is given up. One `idle` may come while the statement's answer is on its way. A copy
 * may wait for a slow source. A PostgreSQL that does not answer may be restarting.
 */
const ANSWERS_MAX: Readonly<Record<SessionState, number>> = {
  working: Number.POSITIVE_INFINITY,
  waiting: 150,
  idle: 2,
  gone: 2,
  unreachable: 30,
}

const reasons: Readonly<Record<SessionState, string>> = {
  working: 'PostgreSQL works on the statement',
  waiting: 'PostgreSQL has waited for the rest of a statement for five minutes',
  idle: 'PostgreSQL has no statement to work on, and no answer has arrived',
  gone: 'PostgreSQL has ended the session',
  unreachable: 'PostgreSQL has not answered over another connection either, for a minute',
}

/** Watches a client until `isOver`. Calls `onSilent` with the reason when the client must be given up. */
export function findSilence(
  client: pg.Client,
  {
    config,
    isOver,
    onSilent,
  }: { readonly config: pg.ClientConfig; readonly isOver: () => boolean; readonly onSilent: (reason: string) => void },
): void {
  let bytes = -1
  let quietLooks = 0
  let last: SessionState = 'working'
  let answers = 0
  const note = (state: SessionState, seen: number) => {
    if (isOver() || !isBusy(client) || bytesOf(client) !== seen) return
    answers = state === last ? answers + 1 : 1
    last = state
    if (answers >= ANSWERS_MAX[state]) onSilent(reasons[state])
  }
  lookAgain(() => {
    if (isOver()) return false
    const now = bytesOf(client)
    if (!isBusy(client) || now !== bytes) {
      bytes = now
      quietLooks = 0
      answers = 0
    } else if (++quietLooks % looksIn(ASK_EVERY_MS) === 0) void stateOf(config, client).then(state => note(state, now))
    return true
  })
}

/** Whether an answer is due. */
export const isBusy = (client: pg.Client): boolean =>
  !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery

const bytesOf = (client: pg.Client): number => {
  const { bytesRead, bytesWritten } = client.connection.stream as Socket
  return bytesRead + (bytesWritten ?? 0)
}

async function stateOf(config: pg.ClientConfig, asked: pg.Client): Promise<SessionState> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ own: number; pid: number | null; state: string; waits: boolean }>(
      `select pg_backend_pid() as own, pid, coalesce(state, '') as state, coalesce(wait_event = 'ClientRead', false) as waits
       from (select) asked left join pg_stat_activity on pid = $1`,
      [sessionOf(asked)],
    )
    const [session] = rows
    // A pooler gives connections numbers of its own, which are no session numbers of PostgreSQL.
    if (session?.own !== sessionOf(client)) return 'working'
    if (session.pid === null) return 'gone'
    if (session.state.startsWith('idle')) return 'idle'
    return session.state === 'active' && session.waits ? 'waiting' : 'working'
  } catch {
    return 'unreachable'
  } finally {
    client.connection.stream.destroy()
  }
}

/** The number of a session, as its connection received it. */
export const sessionOf = (client: pg.Client) => (client as unknown as { readonly processID: number }).processID
