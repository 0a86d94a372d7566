/** What one command of a batch does to the others when Postgres gives it up. */
import test from 'ava'
import { Client } from 'pg'
import * as v from 'valibot'
import { type CommandEndpoint, defineCommand } from '../../lib/api/endpoint.ts'
import { shape, text } from '../../lib/api/fields.ts'
import type { Outcome } from '../../lib/pipeline/command.ts'
import { createPool, rows, statement } from '../../lib/postgres/postgres.ts'
import { secretBox } from '../../lib/secret-box.ts'
import { runBatch } from '../../workers/run-batch.ts'
import { createNotesTable, createNotesTenant, noteCommand, noteEndpoint, notesOf } from '../support/pipeline.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
let opened = 0
const pool = await createPool(services.databaseUrl, {
  size: 2,
  statementTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 30_000,
  checkRows: true,
  onStatement: ({ sql }) => {
    if (sql.includes('open_batch')) opened++
  },
})
await createNotesTable(pool)
test.after.always(async () => {
  await pool.end()
  await services.close()
})

const ignored = rows(v.looseObject({}))
/** Writes its note as `addNote` does, then has Postgres fail as its text says. */
const faults: Record<string, (context: Parameters<CommandEndpoint['execute']>[0]) => Promise<unknown>> = {
  slow: async ({ connection }) => {
    await connection.query(statement`set local statement_timeout = 20`)
    await connection.query(ignored`select pg_sleep(60)::text as slept`)
  },
  cancelled: ({ connection }) =>
    connection.query(ignored`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)::text`),
  deadlock: ({ connection }) =>
    connection.query(statement`do $$ begin raise exception 'on purpose' using errcode = 'deadlock_detected'; end $$`),
  lost: ({ connection }) => connection.query(ignored`select pg_terminate_backend(pg_backend_pid())`),
  bug: () => Promise.reject(new Error('a bug, on purpose')),
}
const endpoint = defineCommand({
  ...noteEndpoint,
  body: shape({ text: text() }),
  execute: async (context, { body }) => {
    const answer = await noteEndpoint.execute(context, { params: {}, body: { text: body.text } as never })
    await faults[body.text]?.(context)
    return answer
  },
}) as CommandEndpoint

function dependencies() {
  const faulty: string[] = []
  return {
    faulty,
    endpointById: new Map([[endpoint.id, endpoint]]),
    settings: { freePlanVariantsMax: 50, webhookSubscriptionsMax: 100, secrets: secretBox([Buffer.alloc(32)]) },
    onFault: (_error: unknown, { body }: { readonly body: unknown }) =>
      void faulty.push((body as { text: string }).text),
  }
}

const words = (outcomes: readonly Outcome[]) =>
  outcomes.map(outcome => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal))
const commands = (tenant: string, texts: string[]) => texts.map(each => noteCommand(tenant, 'nobody', each))

for (const fault of ['slow', 'cancelled', 'deadlock'])
  test.serial(
    `a command that Postgres gives up (${fault}) harms no other of its batch, and may be tried again`,
    async t => {
      const tenant = await createNotesTenant(pool)
      const given = dependencies()
      const batch = commands(tenant, ['a', 'b', fault, 'c'])
      t.deepEqual(words(await runBatch(pool, tenant, batch, given)), ['done', 'done', 'service_unavailable', 'done'])
      t.deepEqual(await notesOf(pool, tenant), ['a', 'b', 'c'])
      t.deepEqual(given.faulty, [fault])
      // Alone as well; and the others are known.
      const again = await runBatch(pool, tenant, batch.slice(2), given)
      t.deepEqual(words(again), ['service_unavailable', 'done'])
      t.deepEqual(words(await runBatch(pool, tenant, batch.slice(2, 3), given)), ['service_unavailable'])
      t.deepEqual(await notesOf(pool, tenant), ['a', 'b', 'c'])
    },
  )

test.serial('with the connection lost the rest is unavailable; what was done before keeps its answer', async t => {
  const tenant = await createNotesTenant(pool)
  const given = dependencies()
  const outcomes = await runBatch(pool, tenant, commands(tenant, ['a', 'lost', 'b']), given)
  t.deepEqual(words(outcomes), ['service_unavailable', 'service_unavailable', 'service_unavailable'])
  t.deepEqual(given.faulty, ['a', 'lost', 'b'], 'no replay')
  const replayed = await runBatch(pool, tenant, commands(tenant, ['a', 'bug', 'lost', 'b']), dependencies())
  t.deepEqual(words(replayed), ['done', 'internal_error', 'service_unavailable', 'service_unavailable'])
  t.deepEqual(await notesOf(pool, tenant), ['a'])
})

test.serial('a tenant whose lock is not to be had is waited for once, not once per command', async t => {
  const tenant = await createNotesTenant(pool)
  const given = dependencies()
  const holder = new Client({ connectionString: services.databaseUrl })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('begin')
  await holder.query('select from tenant_streams where tenant_id = $1 for update', [tenant])
  opened = 0
  const outcomes = await runBatch(pool, tenant, commands(tenant, ['a', 'b', 'c']), given)
  t.deepEqual(words(outcomes), ['service_unavailable', 'service_unavailable', 'service_unavailable'])
  t.is(opened, 1)
})

test.serial('a slow batch is told, and leaves what is not done for later', async t => {
  const tenant = await createNotesTenant(pool)
  const given = dependencies()
  let slow = 0
  const onSlow = () => void slow++
  const batch = commands(tenant, ['a', 'b', 'slow', 'c'])
  t.deepEqual(await runBatch(pool, tenant, batch, { ...given, onSlow, slowMs: 10 }), [])
  t.deepEqual([slow, given.faulty], [1, []])
  t.deepEqual(await notesOf(pool, tenant), [])
  // Alone, the slow one is over at its own patience.
  const alone = await runBatch(pool, tenant, batch.slice(2, 3), { ...given, onSlow, slowMs: 10 })
  t.deepEqual([words(alone), slow, given.faulty], [['service_unavailable'], 2, ['slow']])
  t.deepEqual(words(await runBatch(pool, tenant, batch.slice(3), { ...given, onSlow })), ['done'])
  t.is(slow, 2)
})

test.serial('what a replay has done is told before the next command begins', async t => {
  const tenant = await createNotesTenant(pool)
  const told: string[] = []
  const given = dependencies()
  const outcomes = await runBatch(pool, tenant, commands(tenant, ['a', 'b', 'slow', 'c']), {
    ...given,
    onFault: (_error, { body }) => void told.push(`fault ${(body as { text: string }).text}`),
    onReplayed: (outcome, at) => void told.push(`${at} ${words([outcome])[0]}`),
  })
  t.is(outcomes.length, 4)
  t.deepEqual(told, ['0 done', '1 done', 'fault slow', '2 service_unavailable', '3 done'])
})
