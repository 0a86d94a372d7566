import * as v from 'valibot'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { analyzeGrown } from '../../workers/commands/statistics-watch.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta, { isSerial: true })

const services = ofTests(test, testServices)
let pool: Pool
test.before(async () => {
  pool = await createPool(services.databaseUrl, { size: 2, ...within(10_000) })
})
test.after.always(() => pool.end())

const write = (count: number) => pool.query(statement`insert into grown select generate_series(1, ${count}::integer)`)

const changesOf = async (name: string) => {
  const { changes } = await pool.one(rows(v.object({ changes: v.number() }))`
    select n_mod_since_analyze::integer as changes from pg_stat_user_tables where relname = ${name}`)
  return changes
}

test('a table that grows is analyzed each time its size has doubled, and not in between', async t => {
  const name = 'grown'
  await pool.query(statement`create table grown (n integer) with (autovacuum_enabled = off)`)
  await write(40)
  t.false((await analyzeGrown(pool)).includes(name), 'a handful of rows')
  await write(60)
  // Sessions report their changes to the statistics within a second.
  await eventually(async () => (await analyzeGrown(pool)).includes(name))
  t.false((await analyzeGrown(pool)).includes(name))
  const { tuples } = await pool.one(rows(v.object({ tuples: v.number() }))`
    select reltuples::float8 as tuples from pg_class where oid = 'grown'::regclass`)
  t.is(tuples, 100)
  for (let round = 0; round < 3; round++) await pool.query(statement`update grown set n = n + 1`)
  await eventually(async () => (await changesOf(name)) === 300)
  t.false((await analyzeGrown(pool)).includes(name), 'rows that change')
  await write(150)
  await eventually(async () => (await analyzeGrown(pool)).includes(name))
})
