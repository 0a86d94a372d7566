/** The effect of one command on the others of its tenant when PostgreSQL cancels one of its statements. */

import { Client } from 'pg'
import type { Needs } from '../../lib/kit/documents/needs.ts'
import { ofTests, serviceOfFile } from '../support/of-file.ts'
import {
  createNotesTable,
  createNotesTenant,
  noteCommand,
  noteEndpointThat,
  notesOf,
  type RunOptions,
  runs,
  testEndpoints,
  unitRunner,
  wordsOf,
} from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile({ endpoints: testEndpoints })
const { pool } = service
await createNotesTable(pool)

/** What PostgreSQL does before a note of this text is decided. */
const faults: Readonly<Record<string, Needs>> = {
  'timed out': {
    patience: runs(`select set_config('statement_timeout', '20', true)`),
    sleep: runs('select pg_sleep(60)'),
  },
  cancelled: { cancel: runs('select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)') },
  deadlock: { lose: runs(`do $$ begin raise exception 'on purpose' using errcode = 'deadlock_detected'; end $$`) },
  slow: { sleep: runs('select pg_sleep(60)') },
  bug: { divide: runs('select 1 / 0') },
  lost: { end: runs('select pg_terminate_backend(pg_backend_pid())') },
}
const endpoint = noteEndpointThat({ asks: text => faults[text] ?? {} })

let told: string[] = []
const units = ofTests(test, async () =>
  unitRunner(service.databaseUrl, [endpoint], {
    onFault: (_error, { body }) => void told.push(`fault ${(body as { text: string }).text}`),
  }),
)
test.beforeEach(() => {
  told = []
})

const commandsOf = (tenantId: string, texts: readonly string[]) =>
  texts.map(text => noteCommand(tenantId, 'nobody', text))
const run = async (tenantId: string, texts: readonly string[], options?: RunOptions) =>
  wordsOf(await units.run({ tenantId, commands: commandsOf(tenantId, texts) }, options))

for (const fault of ['timed out', 'cancelled', 'deadlock'])
  test(`a command that Postgres gives up (${fault}) harms no other of its tenant, and may be tried again`, async t => {
    const tenantId = await createNotesTenant(pool)
    const commands = commandsOf(tenantId, ['a', 'b', fault, 'c'])
    t.deepEqual(wordsOf(await units.run({ tenantId, commands })), ['done', 'done', 'service_unavailable', 'done'])
    t.deepEqual(await notesOf(pool, tenantId), ['a', 'b', 'c'])
    t.deepEqual(told, [`fault ${fault}`])
    // Alone as well; and the others are known.
    const again = await units.run({ tenantId, commands: commands.slice(2) })
    t.deepEqual(wordsOf(again), ['service_unavailable', 'done'])
    t.deepEqual(await run(tenantId, [fault]), ['service_unavailable'])
    t.deepEqual(await notesOf(pool, tenantId), ['a', 'b', 'c'])
  })

test('with the connection lost the rest is unavailable; what was done before keeps its answer', async t => {
  const tenantId = await createNotesTenant(pool)
  const outcomes = await run(tenantId, ['a', 'lost', 'b'])
  t.deepEqual(outcomes, ['service_unavailable', 'service_unavailable', 'service_unavailable'])
  t.deepEqual(told, ['fault a', 'fault lost', 'fault b'], 'none ran again')
  const oneByOne = await run(tenantId, ['a', 'bug', 'lost', 'b'])
  t.deepEqual(oneByOne, ['done', 'internal_error', 'service_unavailable', 'service_unavailable'])
  t.deepEqual(await notesOf(pool, tenantId), ['a'])
  t.deepEqual(await run(tenantId, ['c']), ['done'], 'another connection took its place')
})

test('a tenant whose lock is not to be had is waited for once, not once per command', async t => {
  const tenantId = await createNotesTenant(pool)
  const holder = new Client({ connectionString: service.databaseUrl })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('begin')
  await holder.query('select from tenant_streams where tenant_id = $1 for update', [tenantId])
  const onSlow = () => void told.push('slow')
  const outcomes = await run(tenantId, ['a', 'b', 'c'], { onSlow })
  t.deepEqual(outcomes, ['service_unavailable', 'service_unavailable', 'service_unavailable'])
  t.deepEqual(told, ['fault a', 'fault b', 'fault c'], 'no command was slow')
  await holder.query('rollback')
  t.deepEqual(await run(tenantId, ['d']), ['done'])
  t.deepEqual(await notesOf(pool, tenantId), ['d'])
})

test('a tenant whose lock is not to be had lets no other tenant of its cell wait', async t => {
  const inCell = unitRunner(service.databaseUrl, [endpoint], { coolsDown: true })
  t.teardown(() => inCell.close())
  const [held, other] = [await createNotesTenant(pool), await createNotesTenant(pool)]
  const holder = new Client({ connectionString: service.databaseUrl })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('begin')
  await holder.query('select from tenant_streams where tenant_id = $1 for update', [held])
  const refused = await inCell.run({ tenantId: held, commands: commandsOf(held, ['a']) })
  t.deepEqual(wordsOf(refused), ['service_unavailable'])
  const next = await inCell.run({ tenantId: other, commands: commandsOf(other, ['b']) })
  t.deepEqual(wordsOf(next), ['done'], 'the cell does not rest')
})

test('slow commands are told, and leave what is not done for later', async t => {
  const [one, other] = [await createNotesTenant(pool), await createNotesTenant(pool)]
  const slow: string[] = []
  const [whole, alone] = await Promise.all([
    run(one, ['a', 'b', 'slow', 'c'], { onSlow: () => void slow.push('whole') }),
    run(other, ['slow', 'c'], { alone: true, onSlow: () => void slow.push('alone') }),
  ])
  t.deepEqual(whole, ['done', 'done', 'service_unavailable'], 'those before it are done, one by one')
  t.deepEqual(alone, ['service_unavailable'], 'by itself it is over at its own patience')
  t.deepEqual(slow.sort(), ['alone', 'whole'])
  t.deepEqual(told, ['fault slow', 'fault slow'])
  t.deepEqual(await run(one, ['c'], { alone: true, onSlow: () => void slow.push('calm') }), ['done'])
  t.is(slow.length, 2)
  t.deepEqual([await notesOf(pool, one), await notesOf(pool, other)], [['a', 'b', 'c'], []])
})

test('what is done one by one is told before the next command begins', async t => {
  const tenantId = await createNotesTenant(pool)
  const outcomes = await run(tenantId, ['a', 'b', 'timed out', 'c'], {
    onEnded: some => void told.push(...wordsOf(some)),
  })
  t.is(outcomes.length, 4)
  t.deepEqual(told, ['done', 'done', 'fault timed out', 'service_unavailable', 'done'])
})
