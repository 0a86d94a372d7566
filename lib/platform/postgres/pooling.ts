/**
 * Finds out whether a connection has a PostgreSQL session of its own. A pooler in transaction or statement mode changes the session each
 * time: prepared statements, time limits and locks would belong to others (docs/operations.md, "PgBouncer").
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { ConfigError } from '../config-error.ts'

/**
 * A pooler may give out the session that it got back last or first, and may consist of several processes. So a busy one is checked again,
 * each time on a new connection.
 */
const ROUNDS = 10

/** As in client.ts. */
type Connection = {
  readonly client: pg.Client
  readonly address: string
  readonly isBehindPooler: boolean
  readonly isLost: boolean
  ask<T>(send: () => Promise<T>): Promise<T>
  end(): Promise<void>
}

/** The address leads to a pooler that shares sessions between connections. */
export class SharedSessions extends ConfigError {
  override name = 'SharedSessions'
  readonly found: string
  readonly advice = 'set pool_mode = session in PgBouncer, or give the address of PostgreSQL itself'

  constructor(address: string) {
    const found = `the pooler at ${address} shares sessions of PostgreSQL between connections (transaction or statement pooling)`
    super(found)
    this.found = found
    this.message = `${found}: ${this.advice}`
  }
}

/**
 * Marks the session of a connection. The session is shared if another connection sees the mark, or if this one no longer sees it. With a
 * session per connection both are impossible. Without a pooler nothing is checked.
 * @param open opens another connection to the same address. If none is free in time, the check is skipped: sessions may be in use.
 * @throws SharedSessions
 */
export async function refuseSharedSessions(one: Connection, open: () => Promise<Connection>): Promise<void> {
  if (!one.isBehindPooler) return
  const mark = randomUUID()
  await one.ask(() => one.client.query(`set millrace.mark = '${mark}'`))
  for (let round = 0; round < ROUNDS; round++) {
    const other = await open().catch(() => undefined)
    if (other === undefined) return
    try {
      if (await meet(one, other, mark)) throw new SharedSessions(one.address)
    } catch (error) {
      if (error instanceof SharedSessions || one.isLost) throw error
      // PgBouncer refuses every transaction in this mode.
      if (/statement pooling/.test((error as Error).message)) throw new SharedSessions(one.address)
      return
    } finally {
      await other.end()
    }
  }
}

async function meet(one: Connection, other: Connection, mark: string): Promise<boolean> {
  if ((await markOf(other)) === mark) return true
  // The transaction keeps a session, so the pooler must use another one for the first connection.
  await other.ask(() => other.client.query('begin'))
  const isMet = (await markOf(other)) === mark || (await markOf(one)) !== mark
  await other.ask(() => other.client.query('rollback'))
  return isMet
}

async function markOf(limited: Connection): Promise<string | null> {
  const { rows } = await limited.ask(() =>
    limited.client.query<{ mark: string | null }>(`select current_setting('millrace.mark', true) as mark`),
  )
  return rows[0]?.mark ?? null
}
