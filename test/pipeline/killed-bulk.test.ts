/**
 * A worker is killed, or Redis emptied, in the middle of bulks: a bulk of mode `all` is done as a whole or not at all, and each entry of a
 * bulk of mode `each` is done once.
 */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { ask, type FleetTenant } from '../scaling/fleet.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { apart } from '../support/suite.ts'
import { heldFleet } from './held-fleet.ts'

const test = apart(import.meta, { isSerial: true })

const ENTRIES = 20

/** A trigger holds the commit of each command that makes a supplier, by a lock for which it waits. */
const {
  env,
  web,
  tenant: newTenant,
  startWorker,
  redis,
  hold,
} = await heldFleet(`
  create function hold_commit() returns trigger language plpgsql as $$
  begin
    perform set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock_shared(1);
    return null;
  end $$;
  create constraint trigger hold_commit after insert on suppliers deferrable initially deferred for each row execute function hold_commit()`)

const bulkOf = (mode: string) => ({
  mode,
  requests: Array.from({ length: ENTRIES }, (_, n) => ({
    method: 'POST',
    path: '/suppliers',
    idempotency_key: randomUUID(),
    body: { title: `S${n}` },
  })),
})
const send = (tenant: FleetTenant, body: object) => ask(web, tenant.token, '/bulk', { body })
const heldPids = async (): Promise<number[]> =>
  (
    await hold.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory' and query not like '%pg_stat%'",
    )
  ).rows.map(({ pid }) => pid)
const suppliersOf = async ({ id }: FleetTenant): Promise<number> =>
  Number((await hold.query('select count(*) as n from suppliers where tenant_id = $1', [id])).rows[0].n)

/** All entries were done once, were answered, and have the same answers when sent again. */
async function proveOnce(
  t: ExecutionContext,
  tenant: FleetTenant,
  body: object,
  answer: { text: string; body: unknown },
) {
  type Result = { status: number; body: { id: string } }
  const idsOf = ({ results }: { results: Result[] }) => results.map(({ status, body }) => `${status} ${body.id}`)
  const answered = idsOf(answer.body as { results: Result[] })
  t.true(
    answered.every(text => /^201 \d+$/.test(text)),
    answer.text,
  )
  t.is(new Set(answered).size, ENTRIES)
  t.is(await suppliersOf(tenant), ENTRIES)
  const again = await send(tenant, body)
  t.deepEqual(idsOf(again.body as { results: Result[] }), answered)
}

// The entries of a bulk of mode `each` are the same commands as alone, which killed-unit.test.ts tests.
for (const mode of ['all'])
  for (const doesCommit of [false, true])
    test(`a worker killed in a bulk (${mode}) ${doesCommit ? 'as it commits' : 'before it commits'}: it happens once`, async t => {
      const tenant = await newTenant()
      await hold.query('select pg_advisory_lock(1)')
      const worker = await startProcess('worker', env)
      const body = bulkOf(mode)
      const answering = send(tenant, body)
      const pids = await eventually(async () => {
        const found = await heldPids()
        return found.length > 0 && found
      })
      t.is(await worker.end('SIGKILL'), null)
      await redis.del(...(await redis.keys('{s0}:ready:*:lock')))
      t.is(await suppliersOf(tenant), 0, 'nothing shows before the commit')
      if (!doesCommit) await hold.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids])
      await hold.query('select pg_advisory_unlock(1)')
      await eventually(
        async () => (await hold.query('select from pg_stat_activity where pid = any ($1)', [pids])).rowCount === 0,
      )
      t.is(await suppliersOf(tenant), doesCommit ? ENTRIES : 0, 'the whole or nothing')
      await startWorker(t)
      await proveOnce(t, tenant, body, await answering)
    })

for (const mode of ['all', 'each'])
  test(`Redis is emptied while a bulk (${mode}) waits and while it runs: it happens once`, async t => {
    const tenant = await newTenant()
    const body = bulkOf(mode)
    const waiting = send(tenant, body)
    await eventually(async () => (await redis.llen(`{s0}:t${tenant.id}:wait`)) > 0)
    await redis.flushdb()
    await hold.query('select pg_advisory_lock(1)')
    await startWorker(t)
    await eventually(async () => (await heldPids()).length > 0, { what: 'the lost bulk runs' })
    await redis.flushdb()
    await hold.query('select pg_advisory_unlock(1)')
    await proveOnce(t, tenant, body, await waiting)
  })
