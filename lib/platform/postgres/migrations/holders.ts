/** The sessions that hold tables which a migration needs: who they are, as the operator is told, and when they are waited for. */
import type pg from 'pg'
import type { TableLock } from './locks.ts'
import type { Mode } from './work.ts'

/** A request's transaction is seldom older. */
const OLD_SECONDS = 1
/** Autovacuum gives way to a session that has waited for `deadlock_timeout`. */
const AUTOVACUUM_MS_MAX = 3_000
/** Of sessions, and of the tables of one. */
const TOLD_MAX = 3

/** A session that holds tables which a migration needs. What this user may not see of it is null. */
export type Holder = {
  readonly pid: number
  readonly application: string | null
  readonly isAutovacuum: boolean
  /** How old its transaction is. */
  readonly seconds: number | null
  readonly tables: readonly string[]
}

/** The modes of pg_locks, and the weakest that conflicts with each of ours. */
const HELD = [
  'AccessShare',
  'RowShare',
  'RowExclusive',
  'ShareUpdateExclusive',
  'Share',
  'ShareRowExclusive',
  'Exclusive',
  'AccessExclusive',
]
const CONFLICTS_FROM: Record<Mode, number> = {
  'share update exclusive': 4,
  share: 3,
  'share row exclusive': 3,
  exclusive: 2,
  'access exclusive': 1,
}

/** Other sessions that hold these tables, or parts of them, so that the locks cannot be had; the oldest first. */
export async function holdersOf(client: pg.Client, locks: readonly TableLock[]): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `with wanted as (select * from unnest($1::oid[], $2::int[]) as w (id, weakest)),
     parts as (select id, id as part, weakest from wanted union select id, relid, weakest from wanted, pg_partition_tree(id))
     select l.pid, nullif(a.application_name, '') as application, a.backend_type = 'autovacuum worker' as "isAutovacuum",
       extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds,
       array_agg(distinct p.id::regclass::text) as tables
     from parts p
     join pg_locks l on l.locktype = 'relation' and l.relation = p.part and l.granted and l.pid <> pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and array_position($3::text[], replace(l.mode, 'Lock', '')) >= p.weakest
     join pg_stat_activity a on a.pid = l.pid
     group by l.pid, a.application_name, a.backend_type, a.xact_start
     order by a.xact_start nulls last`,
    [locks.map(({ id }) => id), locks.map(({ mode }) => CONFLICTS_FROM[mode]), HELD],
  )
  return rows
}

/** Those that will not be gone in a moment: it is of no use to hold up requests behind them. */
export const old = (holders: readonly Holder[]): Holder[] =>
  holders.filter(({ seconds }) => seconds !== null && seconds > OLD_SECONDS)

/** Has autovacuum leave the tables, by a lock that no request waits behind. It comes back by itself. */
export async function sendAutovacuumAway(client: pg.Client, holders: readonly Holder[]): Promise<void> {
  const tables = new Set(holders.filter(({ isAutovacuum }) => isAutovacuum).flatMap(holder => holder.tables))
  for (const table of tables) {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${AUTOVACUUM_MS_MAX}`)
    // Where it must not be disturbed, it is in the way as anybody else is.
    await client.query(`lock table ${table} in share update exclusive mode`).catch(() => {})
    await client.query('rollback')
  }
}

/** The sessions that a waiting one waits for. */
export async function blockersOf(client: pg.Client, pid: number): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `select pid, nullif(application_name, '') as application, backend_type = 'autovacuum worker' as "isAutovacuum",
       extract(epoch from clock_timestamp() - xact_start)::float8 as seconds, '{}'::text[] as tables
     from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start nulls last`,
    [pid],
  )
  return rows
}

/** `pid 4711 (pg_dump, in a transaction for 25 s) holds sales_orders, items, batches and 30 more tables` */
export function wordsOf(holders: readonly Holder[]): string {
  if (holders.length === 0) return 'what held the tables is gone now'
  const words = holders.slice(0, TOLD_MAX).map(({ pid, application, isAutovacuum, seconds, tables }) => {
    const age = seconds === null ? '' : `, in a transaction for ${Math.round(seconds)} s`
    const more = tables.length > TOLD_MAX ? ` and ${tables.length - TOLD_MAX} more tables` : ''
    const holds = tables.length === 0 ? '' : ` holds ${tables.slice(0, TOLD_MAX).join(', ')}${more}`
    return `pid ${pid} (${isAutovacuum ? 'autovacuum' : (application ?? 'without a name')}${age})${holds}`
  })
  const others = holders.length - words.length
  return [...words, ...(others > 0 ? [`and ${others} more sessions`] : [])].join('; ')
}

/** The locks of a migration could not be had. Nothing of it is left in the database; the migrations before it are applied. */
export class LocksNotHad extends Error {
  override name = 'LocksNotHad'

  constructor(migration: string, tries: number, holders: readonly Holder[]) {
    super(
      `migration ${migration} had not all its locks in ${tries} tries: ${wordsOf(holders)}. Run it again: it goes on from there`,
    )
  }
}
