/** Changes that a move copies after the first copy: in whatever order they were made, both cells have the same rows afterwards. */

import pg from 'pg'
import { randomSource } from '../../bench/grow/plan.ts'
import { bringChanges, forgetChanges, InTheWay } from '../../lib/tools/moves/catch-up.ts'
import { PRESENCE } from '../../lib/tools/moves/tables.ts'
import { copying, copyTables, tablesOfBoth } from '../../lib/tools/moves/target.ts'
import { beginWatch, endWatch, isWatched } from '../../lib/tools/moves/watch.ts'
import { testDatabase } from '../support/database.ts'
import { servers } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'
import { rowsOf } from './rows-of.ts'

const test = testsOf(import.meta, { isOneStory: true })

const tenantId = '7'
const SUPPLIERS = 30
const ROUNDS = 8

const { databaseUrl, stop } = await servers()
const [here, there] = [await testDatabase(databaseUrl), await testDatabase(databaseUrl)]
const connect = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
const ends = { source: await connect(here.url), target: await connect(there.url) }
const { source, target } = ends
await source.query(`
  insert into tenants (tenant_id, name, owner_email) values (7, 'Acme', 'o@acme.example'), (8, 'Other', 'o@other.example');
  insert into tenant_streams (tenant_id) values (7), (8);
  alter table suppliers alter column created_at set default now(), alter column updated_at set default now();
  alter table operations alter column created_at set default now(), alter column updated_at set default now();
  insert into suppliers (tenant_id, id, title, external_ref)
  select tenant_id, id, 'S' || id, 'r' || id from unnest('{7, 8}'::bigint[]) tenant_id, generate_series(1, ${SUPPLIERS}) id`)
const tables = (await tablesOfBoth(ends)).filter(({ name }) => name !== PRESENCE)
const noted = { tenantId, tables, onRows: () => {} }

/** Makes the first copy, of a tenant that has no rows in the target. */
async function copyAnew(): Promise<void> {
  await target.query('delete from operations; delete from units; delete from suppliers; delete from tenants')
  await copying(ends, { tenantId, id: null }, () => copyTables(ends, noted))
}

/** @param meanwhile runs after the snapshot and before the watched changes that it contains are deleted. */
async function bring(meanwhile: () => Promise<unknown> = async () => {}): Promise<number> {
  let snapshot = ''
  const rows = await copying(ends, { tenantId, id: null }, async () => {
    snapshot = (await source.query('select pg_current_snapshot()::text as snapshot')).rows[0]?.snapshot
    return bringChanges(ends, noted)
  })
  await meanwhile()
  await forgetChanges(source, tenantId, snapshot)
  return rows
}

const compare = async () => [
  await rowsOf(there.url, tenantId, [PRESENCE]),
  await rowsOf(here.url, tenantId, [PRESENCE]),
]

await beginWatch(source, tenantId, tables)
await copyAnew()

test.after.always(async () => {
  await Promise.all([source.end(), target.end()])
  await Promise.all([here.close(), there.close()])
  await stop()
})

test('values that go from row to row, and lines that leave what is removed, come in any order', async t => {
  await source.query(`
    insert into units (tenant_id, id, name) values (7, 101, 'a'), (7, 102, 'b');
    insert into operations (tenant_id, id, title, unit_id, position, cost_per_hour) values (7, 201, 'mill', 101, 1, 10)`)
  t.is(await bring(), 3)
  await source.query(`
    update operations set unit_id = 102 where id = 201;
    delete from units where tenant_id = 7 and id = 101;
    update suppliers set external_ref = null where tenant_id = 7 and id = ${SUPPLIERS}`)
  // Each supplier takes the value of the next one.
  for (let id = SUPPLIERS - 1; id > 0; id--)
    await source.query('update suppliers set external_ref = $2 where tenant_id = 7 and id = $1', [id, `r${id + 1}`])
  await source.query(`
    delete from suppliers where tenant_id = 7 and id = 5;
    insert into suppliers (tenant_id, id, title, external_ref) values (7, 1005, 'new', 'r6');
    update suppliers set title = 'of another tenant' where tenant_id = 8`)
  t.is(await bring(), 3 + SUPPLIERS)
  t.deepEqual(...((await compare()) as [object, object]))
  t.is(await bring(), 0, 'what was brought is forgotten')
})

test('rows that exchanged their values are in the way of each other: all is copied anew then', async t => {
  await source.query(`
    update suppliers set external_ref = 'x' where tenant_id = 7 and id = 1;
    update suppliers set external_ref = 'r2' where tenant_id = 7 and id = 2;
    update suppliers set external_ref = 'r3' where tenant_id = 7 and id = 1`)
  await t.throwsAsync(bring(), { instanceOf: InTheWay })
  await copyAnew()
  t.deepEqual(...((await compare()) as [object, object]))
})

test('of random changes none is missed, whoever commits first', async t => {
  const random = randomSource(20_261_123)
  const other = await connect(here.url)
  let anew = 0
  const orAnew = (brought: Promise<unknown>) =>
    brought.catch(async error => {
      t.true(error instanceof InTheWay)
      anew++
      await copyAnew()
    })
  for (let round = 0; round < ROUNDS; round++) {
    await other.query('begin')
    await other.query(`insert into suppliers (tenant_id, id, title) values (7, ${5_000 + round}, 'late')`)
    for (let change = 0; change < 10; change++) {
      const id = 1 + Math.floor(random() * SUPPLIERS)
      const ref = `r${1 + Math.floor(random() * 2 * SUPPLIERS)}`
      const statements = [
        `delete from suppliers where tenant_id = 7 and id = ${id}`,
        `update suppliers set external_ref = '${ref}' where tenant_id = 7 and id = ${id}`,
        `update suppliers set title = title || '.', external_ref = null where tenant_id = 7 and id = ${id}`,
        `insert into suppliers (tenant_id, id, title, external_ref) values (7, ${id}, 'again', '${ref}') on conflict do nothing`,
      ]
      const text = statements[Math.floor(random() * statements.length)] ?? ''
      await source.query(text).catch(error => t.is(error.code, '23505'))
    }
    await orAnew(bring(() => other.query('commit')))
    if (other.getTransactionStatus() !== 'I') await other.query('commit')
    await orAnew(bring())
    t.deepEqual(...((await compare()) as [object, object]), `round ${round}`)
  }
  await other.end()
  t.true(anew < ROUNDS, `${anew} times anew`)
})

test('a table that is held for long keeps its triggers, which note nothing, until it is free', async t => {
  const holder = await connect(here.url)
  await holder.query('begin')
  await holder.query('select count(*) from suppliers')
  await holder.query('select pg_sleep(1.1)')
  await endWatch(source, tenantId)
  const left = () =>
    source.query(`select tgrelid::regclass::text as name from pg_trigger where tgname like 'move\\_7\\_%'`)
  t.deepEqual([...new Set((await left()).rows.map(({ name }) => name))], ['suppliers'])
  await source.query(`update suppliers set title = 'noted no more' where tenant_id = 7`)
  t.is((await source.query('select from tenant_changes')).rowCount, 0)
  t.is((await source.query('select from tenant_watches')).rowCount, 1)
  await holder.query('commit')
  await holder.end()
  await endWatch(source, tenantId)
  t.is((await left()).rowCount, 0)
  t.is((await source.query('select from tenant_watches')).rowCount, 0)
  t.false(await isWatched(source, tenantId, tables))
})
