/**
 * What migrations do to large tables: it is told before it begins, and what can be done while requests go on is done before or after the
 * migration's transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { statementsOf } from '../distribute.ts'
import { blockersOf, type Holder, LocksNotHad, wordsOf } from './holders.ts'
import { gaveWay } from './locks.ts'
import type { Migration, MigrationRun } from './migration.ts'
import { linesOf, type Work, workOf } from './work.ts'

const LOOK_MS = 200
/** Of a statement, as it is shown. */
const SHOWN_MAX = 100

type Size = { readonly name: string; readonly bytes: number; readonly isPartitioned: boolean }

/** Says what the migrations do to large tables, and whether requests wait for it. */
export async function tellWork(run: MigrationRun, migrations: readonly Migration[]): Promise<void> {
  for (const { name, text } of migrations) {
    const work = workOf(text)
    const large = await largeTables(run, work)
    const words = (isBeside: boolean) => {
      const told = work
        .filter(each => large.has(each.table) && canBeBeside(each, large) === isBeside)
        .map(({ does, table }) => `${does} ${table} (${shown(large.get(table)?.bytes ?? 0)})`)
      return [...new Set(told)].join(', ')
    }
    if (words(true) !== '') run.progress.end(`${name} ${words(true)}: requests go on meanwhile`)
    if (words(false) !== '') run.progress.end(`${name} ${words(false)}: requests that need these tables wait meanwhile`)
  }
}

/** A migration in its parts: statements that run one by one ahead of the transaction and after it, and the text of the transaction. */
export type Parts = { readonly ahead: readonly string[]; readonly text: string; readonly later: readonly string[] }

/** Where no table is large all is done in the transaction. */
export async function partsOf(run: MigrationRun, text: string): Promise<Parts> {
  const work = workOf(text)
  const large = await largeTables(run, work)
  const beside = work.flatMap(each => (each.beside !== undefined && canBeBeside(each, large) ? [each.beside] : []))
  if (beside.length === 0) return { ahead: [], text, later: [] }
  const left = new Set(beside.map(({ line }) => line))
  const lines = linesOf(text)
  const textsOf = (when: string) => beside.flatMap(each => (each.when === when ? [each.text] : []))
  return {
    ahead: textsOf('ahead'),
    text: statementsOf(text)
      .filter((_statement, at) => !left.has(lines[at] ?? ''))
      .join(';\n'),
    later: textsOf('later'),
  }
}

/** An index that is made later may be of a table that the migration fills from a large one. None is made so of a partitioned table. */
function canBeBeside({ beside, does, table }: Work, large: ReadonlyMap<string, Size>): boolean {
  if (beside === undefined || (does === 'builds an index of' && large.get(table)?.isPartitioned)) return false
  return large.has(table) || (beside.when === 'later' && large.size > 0)
}

/** Notes, in the transaction of the migration, what is to be made after it. */
export async function noteLater({ client }: MigrationRun, migration: string, later: readonly string[]): Promise<void> {
  if (later.length === 0) return
  await client.query(
    'create table if not exists migration_indexes_to_come (migration text, statement text primary key)',
  )
  await client.query('insert into migration_indexes_to_come select $1, unnest($2::text[])', [migration, later])
}

/** Makes what was noted, also by a run that broke off. */
export async function makeLater(run: MigrationRun): Promise<void> {
  const { client } = run
  const found = await client.query(`select from pg_class where oid = to_regclass('migration_indexes_to_come')`)
  if (found.rowCount === 0) return
  const { rows } = await client.query<{ migration: string; statement: string }>(
    'select migration, statement from migration_indexes_to_come order by migration',
  )
  for (const { migration, statement } of rows) {
    await runConcurrently(run, migration, statement)
    await client.query('delete from migration_indexes_to_come where statement = $1', [statement])
  }
  await client.query('drop table migration_indexes_to_come')
}

/**
 * Runs a statement that no transaction may hold, and that no request waits for: it may take long, and waits for transactions that are
 * older. What an interrupted one left is done away with first.
 */
export async function runConcurrently(run: MigrationRun, name: string, statement: string): Promise<void> {
  const { client, patienceMs } = run
  const began = performance.now()
  for (let tries = 1; ; tries++) {
    const looker = await lookOn(run, `${name}: ${statement.slice(0, SHOWN_MAX)}`)
    await client.query(`set lock_timeout = ${patienceMs}`)
    try {
      await dropInvalid(client, statement)
      await client.query(statement)
      return
    } catch (error) {
      if (!gaveWay(error)) throw new Error(`migration ${name} failed`, { cause: error })
      if (performance.now() - began > patienceMs) throw new LocksNotHad(name, tries, looker.seen())
    } finally {
      await looker.end()
      await client.query('reset lock_timeout')
    }
    await sleep(LOOK_MS)
  }
}

/** An index that an interrupted run left is not used, and its name is taken. */
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

/** Shows how far the statement is that runs on the connection, and what it waits for. */
async function lookOn(
  { client, connect, progress }: MigrationRun,
  what: string,
): Promise<{ seen(): readonly Holder[]; end(): Promise<void> }> {
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const { client: looker, end } = await connect()
  let holders: readonly Holder[] = []
  const look = async () => {
    holders = await blockersOf(looker, pid)
    const { rows } = await looker.query<{ phase: string; percent: number | null }>(
      `select phase, round(100.0 * blocks_done / nullif(blocks_total, 0))::int as percent
       from pg_stat_progress_create_index where pid = $1`,
      [pid],
    )
    const far = rows.map(({ phase, percent }) => (percent === null ? phase : `${phase}, ${percent} %`))
    const waits = holders.length === 0 ? [] : [`waits for ${wordsOf(holders)}`]
    progress.show([what, ...far, ...waits].join(': '))
  }
  const stop = new AbortController()
  const looking = async () => {
    progress.show(what)
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: stop.signal })
      await look()
    }
  }
  // Only what is shown depends on it.
  const looked = looking().catch(() => {})
  return {
    seen: () => holders,
    end: async () => {
      stop.abort()
      await looked
      await end()
    },
  }
}

async function largeTables({ client, largeBytes }: MigrationRun, work: readonly Work[]): Promise<Map<string, Size>> {
  const { rows } = await client.query<Size>(
    `select * from (
       select relname as name, relkind = 'p' as "isPartitioned", case relkind when 'r' then pg_table_size(oid)
         else (select coalesce(sum(pg_table_size(relid)), 0) from pg_partition_tree(oid)) end::float8 as bytes
       from pg_class
       where relname = any ($1) and relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
     ) sizes where bytes >= $2`,
    [work.map(({ table }) => table), largeBytes],
  )
  return new Map(rows.map(size => [size.name, size]))
}

const shown = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
