/** Owns a clock of PostgreSQL that a test sets: statements of its connections find functions of the test's before `now()`. */

import { readAddress, withOptions } from '../../lib/platform/postgres/address.ts'
import { type Pool, statement } from '../../lib/platform/postgres/postgres.ts'

/** Citus plans statements on other nodes, which do not know the functions. */
export const hasDatabaseClock = (databaseUrl: string): boolean => !readAddress(databaseUrl).isDistributed

/**
 * Makes the clock in the test's database. It is right at first.
 * @returns the address for those who are to run by the clock, and `set`, which moves it: `1 year`, `-2 minutes`.
 */
export async function databaseClock(databaseUrl: string, pool: Pool) {
  for (const make of [
    statement`create schema clock`,
    statement`create table clock.moved as select interval '0' as by`,
    statement`create function clock.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + (select by from clock.moved)'`,
    statement`create function clock.now() returns timestamptz language sql stable as
      'select pg_catalog.now() + (select by from clock.moved)'`,
    statement`alter table commands alter column created_at set default clock.now()`,
  ])
    await pool.query(make)
  return {
    url: withOptions(databaseUrl, 'search_path=clock,pg_catalog,public'),
    set: async (by: string) => void (await pool.query(statement`update clock.moved set by = ${by}::interval`)),
  }
}
