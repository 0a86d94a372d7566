/**
 * The locks of a migration: which tables of the database they are on, and how all of them are had within a bounded time. Every request
 * that needs such a table waits behind a lock that is waited for.
 */
import type pg from 'pg'
import { type Locked, MODES, type Mode } from './work.ts'

/** The error codes of a lock that was not had in time, and of a deadlock. */
const GAVE_WAY = new Set(['55P03', '40P01'])
/**
 * For so long a try waits for its locks at most. It is less than `deadlock_timeout` (1 s), after which PostgreSQL would end a request
 * that waits for the migration while the migration waits for the request.
 */
const LOCKS_MS_MAX = 800
/** For so long it waits for one of them: a request behind it may hold another one that the migration needs. */
const ONE_LOCK_MS_MAX = 100
/** For a lock that no statement named. */
const LATE_LOCK_MS_MAX = 500

/** Units of work lock their tenant's row of this table first: while it is locked none of them holds any other table. */
const FIRST: Locked = { by: 'table', name: 'tenant_streams', mode: 'exclusive' }

export type TableLock = { readonly id: string; readonly name: string; readonly mode: Mode }

export const gaveWay = (error: unknown): boolean => GAVE_WAY.has(String((error as { code?: unknown }).code))

/** The tables that are there, in the order in which they are to be locked. */
export async function tableLocks(client: pg.Client, locked: readonly Locked[]): Promise<TableLock[]> {
  const wanted = locked.length > 1 ? [...locked, FIRST] : locked
  const { rows } = await client.query<TableLock>(
    `with wanted as (select * from unnest($1::text[], $2::text[], $3::int[]) as w (by, name, strength)),
     found as (
       select c.oid, w.strength from wanted w join pg_class c on w.by = 'table' and c.relname = w.name
       where c.relnamespace = current_schema()::regnamespace
       union all
       select i.indrelid, w.strength from wanted w join pg_class c on w.by = 'index' and c.relname = w.name
       join pg_index i on i.indexrelid = c.oid where c.relnamespace = current_schema()::regnamespace
       union all
       select k.confrelid, w.strength from wanted w join pg_constraint k on w.by = 'key' and k.conname = w.name
       where k.connamespace = current_schema()::regnamespace
     )
     select c.oid::text as id, c.relname as name, ($4::text[])[max(f.strength)] as mode
     from found f join pg_class c using (oid) where c.relkind in ('r', 'p')
     group by c.oid, c.relname order by c.relname <> $5, c.relname`,
    [
      wanted.map(({ by }) => by),
      wanted.map(({ name }) => name),
      wanted.map(({ mode }) => MODES.indexOf(mode) + 1),
      MODES,
      FIRST.name,
    ],
  )
  return rows
}

/** Takes all of the locks in a transaction, or gives way: requests have waited for `LOCKS_MS_MAX` at most then. */
export async function takeLocks(client: pg.Client, locks: readonly TableLock[]): Promise<void> {
  await client.query(`set local lock_timeout = ${LATE_LOCK_MS_MAX}`)
  if (locks.length > 0) await client.query(takingAll(locks.map(({ name, mode }) => `${name} in ${mode} mode`)))
}

/**
 * One statement, so that no round trip adds to the time. The first lock is waited for while no other is held, and kept. Those behind it
 * are had together or not at all: a sub-transaction that fails gives them back.
 */
const takingAll = (locks: readonly string[]): string => `do $locks$
  declare
    ends timestamptz := clock_timestamp() + interval '${LOCKS_MS_MAX} ms';
    others text[] := array[${locks.slice(1).map(lock => `'${lock}'`)}]::text[];
    each text;
  begin
    perform set_config('lock_timeout', '${LOCKS_MS_MAX}', true);
    lock table ${locks[0]};
    loop
      begin
        foreach each in array others loop
          perform set_config('lock_timeout', greatest(1, least(${ONE_LOCK_MS_MAX},
            extract(epoch from ends - clock_timestamp()) * 1000))::integer::text, true);
          execute 'lock table ' || each;
        end loop;
        exit;
      exception when lock_not_available or deadlock_detected then
        if clock_timestamp() > ends then
          raise;
        end if;
        perform pg_sleep(0.01);
      end;
    end loop;
    perform set_config('lock_timeout', '${LATE_LOCK_MS_MAX}', true);
  end $locks$`
