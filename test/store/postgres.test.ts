/** Connections to PostgreSQL as the service opens them. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { statementsOf } from '../../lib/platform/postgres/distribute.ts'
import { listMigrations } from '../../lib/platform/postgres/migrate.ts'
import { createPool, type Pool, rows, statementName } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { databaseUrl } = await benchOfFile()

const limits = { size: 1, statementTimeoutMs: 5_000, idleInTransactionTimeoutMs: 5_000 }

async function settingsOf(pool: Pool): Promise<unknown> {
  return pool.one(rows(v.object({ plans: v.string(), memory: v.string() }))`
    select current_setting('plan_cache_mode') as plans, current_setting('work_mem') as memory`)
}

test('statements are planned once for all tenants, beside the options that the URL brings', async t => {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c work_mem=8MB')
  const pool = await createPool(url.href, limits)
  t.deepEqual(await settingsOf(pool), { plans: 'force_generic_plan', memory: '8MB' })
  await pool.end()
})

test('an operator may have it otherwise', async t => {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c plan_cache_mode=auto')
  const pool = await createPool(url.href, limits)
  t.like(await settingsOf(pool), { plans: 'auto' })
  await pool.end()
})

test('the name of a prepared statement means the same text in every process', t => {
  t.is(statementName('select 2'), `m_${createHash('sha256').update('select 2').digest('hex').slice(0, 40)}`)
  t.not(statementName('select 1'), statementName('select 2'))
})

test('statements of a migration are told apart by what is no text, name, comment or body', t => {
  const body = `create function f() returns text language sql as $$ select 'a;'; $$`
  const other = 'do $x$ begin perform $$;$$; end $x$'
  const text = `-- A first; one.\n${body};\n/* of; two */ ${other};\nalter table a rename to "b;c";\n-- end;`
  t.deepEqual(statementsOf(text), [body, other, 'alter table a rename to "b;c"'])
})

test('a migration behind 000010 keeps to what a distributed schema takes', async t => {
  const later = (await listMigrations()).filter(({ name }) => name > '000011')
  // On Citus each node would count separately. A body must be in $$, and a statement may drop one thing (CONTRIBUTING.md).
  const refused = [/default\s+nextval\s*\(/i, /begin\s+atomic/i, /^drop [^;]*,/im]
  t.deepEqual(
    later.filter(({ text }) => refused.some(form => form.test(text))).map(({ name }) => name),
    [],
  )
})
