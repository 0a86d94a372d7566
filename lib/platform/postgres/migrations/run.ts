/**
 * Runs one migration while the service runs: one transaction in short tries, each of which gives way to sessions that lock its tables. A
 * file whose first line begins with `-- no transaction` runs statement by statement, so that it may make indexes concurrently.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { runOnNodes, statementsOf } from '../distribute.ts'
import {
  type Holder,
  holdersBefore,
  isHeld,
  LocksNotHad,
  sendAutovacuumAway,
  stillHolding,
  wordsOf,
} from './holders.ts'

/** The longest that a migration waits for a lock. Other sessions wait for the migration meanwhile. */
const LOCK_MS_MAX = 500
const FIRST_PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000
const LOOK_MS = 100
/** The most characters of a statement that are shown. */
const SHOWN_MAX = 100

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

/** Progress for the operator: `show` replaces the last text, `end` leaves it. */
export type Progress = { readonly show: (text: string) => void; readonly end: (text: string) => void }

export type MigrationRun = {
  readonly client: pg.Client
  /** Opens a further connection to the same database. */
  readonly connect: () => Promise<{ readonly client: pg.Client; readonly end: () => Promise<void> }>
  readonly progress: Progress
  /** How long a migration is tried, in ms; also how long a concurrent index waits for one transaction. */
  readonly patienceMs: number
  /** The schema that Citus has distributed, if any. */
  readonly onNodes: string | null
}

/**
 * Applies the migration and notes it. @throws LocksNotHad, or Error with the fault as its cause. Its changes are then undone, except those
 * of a file without a transaction.
 */
export async function runMigration(run: MigrationRun, { name, text, checksum }: Migration): Promise<void> {
  const note = () => run.client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  const inTransaction = (work: () => Promise<unknown>) => () => transaction(run, work)
  if (!/^-- no transaction\b/.test(text)) {
    await inTries(
      run,
      name,
      name,
      inTransaction(() => execute(run, text).then(note)),
    )
    return
  }
  for (const statement of statementsOf(text)) {
    const shown = `${name}: ${statement.replace(/\s+/g, ' ').slice(0, SHOWN_MAX)}`
    const isAlone = /\bconcurrently\b|^vacuum\b/i.test(statement)
    await inTries(
      run,
      name,
      shown,
      isAlone ? () => alone(run, statement) : inTransaction(() => execute(run, statement)),
    )
  }
  await inTries(run, name, name, inTransaction(note))
}

async function execute({ client, onNodes }: MigrationRun, text: string): Promise<void> {
  if (onNodes === null) await client.query(text)
  else await runOnNodes(client, onNodes, text)
}

async function transaction({ client, onNodes }: MigrationRun, work: () => Promise<unknown>): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_MS_MAX}`)
  try {
    if (onNodes !== null) await client.query(`set local citus.propagate_set_commands = 'local'`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Runs a statement that cannot run in a transaction and that blocks no request. It may take long, and waits for older transactions. */
async function alone({ client, patienceMs }: MigrationRun, statement: string): Promise<void> {
  await client.query(`set lock_timeout = ${patienceMs}`)
  try {
    await dropInvalid(client, statement)
    await client.query(statement)
  } finally {
    await client.query('reset lock_timeout')
  }
}

/** An index that an interrupted run left is not used, but its name is taken. */
async function dropInvalid(client: pg.Client, statement: string): Promise<void> {
  const [, index] = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(statement) ?? []
  if (index === undefined) return
  const { rowCount } = await client.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace and not i.indisvalid`,
    [index],
  )
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`)
}

/** Tries until the locks are free. Between tries it waits for the sessions that had them, without blocking others. */
async function inTries(run: MigrationRun, name: string, shown: string, work: () => Promise<void>): Promise<void> {
  const { client, progress, patienceMs } = run
  const ends = performance.now() + patienceMs
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    let holders = await tried(run, tries === 1 ? shown : `${shown}: try ${tries}`, work).catch((error: unknown) => {
      throw new Error(`migration ${name} failed`, { cause: error })
    })
    if (holders === undefined) return
    await sendAutovacuumAway(client, holders)
    do {
      if (performance.now() > ends) throw new LocksNotHad(name, tries, holders)
      progress.show(`${shown}: try ${tries} waits: ${wordsOf(holders)}`)
      await sleep(Math.min(pauseMs, Math.max(0, ends - performance.now()) + 1))
      holders = await stillHolding(client, holders)
    } while (holders.length > 0)
  }
}

/** Does the work. @returns undefined when it is done. Else its changes are undone, and the result is the sessions that have its locks. */
async function tried(
  { client, connect, progress }: MigrationRun,
  shown: string,
  work: () => Promise<void>,
): Promise<readonly Holder[] | undefined> {
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const { client: looker, end } = await connect()
  const stop = new AbortController()
  let holders: readonly Holder[] = []
  const looking = async () => {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stop.signal })
      const found = await holdersBefore(looker, pid)
      if (found.length > 0) holders = found
      const { rows } = await looker.query<{ phase: string; percent: number | null }>(
        `select phase, round(100.0 * blocks_done / nullif(blocks_total, 0))::int as percent
         from pg_stat_progress_create_index where pid = $1`,
        [pid],
      )
      const far = rows.map(({ phase, percent }) => (percent === null ? phase : `${phase}, ${percent} %`))
      progress.show([shown, ...far, ...(found.length > 0 ? [`waits for ${wordsOf(found)}`] : [])].join(': '))
    }
  }
  progress.show(shown)
  // Only the shown text, and the sessions to wait for, depend on it.
  const looked = looking().catch(() => {})
  try {
    await work()
    return undefined
  } catch (error) {
    if (!isHeld(error)) throw error
    return holders
  } finally {
    stop.abort()
    await looked
    await end()
  }
}
