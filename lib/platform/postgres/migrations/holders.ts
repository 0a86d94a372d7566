/** The sessions that a migration waits for: their description for operators, and whether they still have their locks. */
import type pg from 'pg'

/** Autovacuum gives way to a session that has waited for `deadlock_timeout`. */
const AUTOVACUUM_MS_MAX = 3_000
const TOLD_MAX = 3
/** lock_not_available, deadlock_detected */
const HELD = ['55P03', '40P01']

/** Whether a statement failed because another session holds its lock. */
export const isHeld = (error: unknown): boolean => HELD.includes(String((error as { code?: unknown }).code))

/** A session that a migration waits for. Fields that this user may not see are null. */
export type Holder = {
  readonly pid: number
  readonly application: string | null
  readonly isAutovacuum: boolean
  /** When its transaction began, as PostgreSQL spells it, and its age in seconds. */
  readonly began: string | null
  readonly seconds: number | null
  /** The locked table, as SQL names it; null: the migration waits for the end of the transaction. */
  readonly table: string | null
}

const OF_SESSION = `a.pid, nullif(a.application_name, '') as application, a.backend_type = 'autovacuum worker' as "isAutovacuum",
  a.xact_start::text as began, extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds`

/** The sessions that session `pid` waits for now, the oldest first. */
export async function holdersBefore(client: pg.Client, pid: number): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `select ${OF_SESSION}, (
       select relation::regclass::text from pg_locks where pid = $1 and not granted and locktype = 'relation' limit 1
     ) as "table"
     from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.xact_start nulls last`,
    [pid],
  )
  return rows
}

/** The holders that are still in the same transaction, with its age now. */
export async function stillHolding(client: pg.Client, holders: readonly Holder[]): Promise<Holder[]> {
  if (holders.length === 0) return []
  const { rows } = await client.query<Omit<Holder, 'table'>>(
    `select ${OF_SESSION} from pg_stat_activity a
     join unnest($1::int[], $2::text[]) as h (pid, began) on a.pid = h.pid and a.xact_start::text = h.began
     order by a.xact_start`,
    [holders.map(({ pid }) => pid), holders.map(({ began }) => began)],
  )
  return rows.map(row => ({ ...row, table: holders.find(({ pid }) => pid === row.pid)?.table ?? null }))
}

/** Makes autovacuum leave the tables, with a lock that blocks no request. Autovacuum comes back later. */
export async function sendAutovacuumAway(
  client: pg.Client,
  holders: readonly Pick<Holder, 'isAutovacuum' | 'table'>[],
): Promise<void> {
  for (const { isAutovacuum, table } of holders) {
    if (!isAutovacuum || table === null) continue
    await client.query('begin')
    await client.query(`set local lock_timeout = ${AUTOVACUUM_MS_MAX}`)
    // Autovacuum that must not be interrupted keeps its lock as any session does.
    await client.query(`lock table ${table} in share update exclusive mode`).catch(() => {})
    await client.query('rollback')
  }
}

/** `pid 4711 (pg_dump, in a transaction for 25 s) holds sales_orders` */
export function wordsOf(holders: readonly Holder[]): string {
  if (holders.length === 0) return 'what held the tables is gone now'
  const words = holders.slice(0, TOLD_MAX).map(({ pid, application, isAutovacuum, seconds, table }) => {
    const age = seconds === null ? '' : `, in a transaction for ${Math.round(seconds)} s`
    const holds = table === null ? '' : ` holds ${table}`
    return `pid ${pid} (${isAutovacuum ? 'autovacuum' : (application ?? 'without a name')}${age})${holds}`
  })
  const others = holders.length - words.length
  return [...words, ...(others > 0 ? [`and ${others} more sessions`] : [])].join('; ')
}

/** A migration did not get its locks. Its changes are undone; the migrations before it are applied. */
export class LocksNotHad extends Error {
  override name = 'LocksNotHad'

  constructor(migration: string, tries: number, holders: readonly Holder[]) {
    super(
      `migration ${migration} had not all its locks in ${tries} tries: ${wordsOf(holders)}. Run it again: it goes on from there`,
    )
  }
}
