import * as v from 'valibot'
import { createTenant, listTenants, setClosedThrough, tenantExists } from '../../lib/access/tenants.ts'
import { command } from '../../lib/kit/documents/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { begin, commit, lockTenants } from '../../lib/work/lock-tenants.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { noteCommand, unitRunner } from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const { pool, databaseUrl } = await serviceOfFile()
/** Answers with the tenant as commands see it. */
const tellTenant = command({
  ...{
    id: 'tellTenant',
    method: 'POST',
    path: '/told',
    tag: ['Test', 'For a test.'],
    scope: 'write:test',
    summary: 'Tells the tenant',
  },
  ...{ success: 201, countsAsDocument: false, refusals: [], ids: () => 0, needs: () => ({}) },
  decide: (_request, _facts, { tenant }) => ({ body: JSON.stringify(tenant), events: [] }),
})
const units = unitRunner(databaseUrl, [tellTenant])
const connections = new RoundTripPool(databaseUrl, { size: 1, ...within(10_000) })
test.after.always(async () => {
  await units.close()
  await connections.end()
})

async function toldTenant(tenantId: string) {
  const [ended] = await units.run({ tenantId, commands: [noteCommand(tenantId, '', '', { endpoint: tellTenant.id })] })
  if (ended?.outcome.kind !== 'done') throw new Error('the command was refused')
  return JSON.parse(ended.outcome.body ?? '')
}

const acme = { name: 'Acme', ownerEmail: 'owner@acme.example', plan: 'pro', currency: 'USD' } as const

test('a new tenant is listed, can run commands, and has no closed period', async t => {
  const tenantId = await createTenant(pool, acme)
  t.true(await tenantExists(pool, tenantId))
  t.like(
    (await listTenants(pool)).find(tenant => tenant.tenant_id === tenantId),
    { name: 'Acme', owner_email: 'owner@acme.example', plan: 'pro', currency: 'USD', closed_through: null },
  )
  t.deepEqual(await toldTenant(tenantId), {
    id: tenantId,
    ownerEmail: 'owner@acme.example',
    plan: 'pro',
    currency: 'USD',
    closedThrough: null,
    timeZone: 'UTC',
  })
})

test('a period is closed, moved and opened; a tenant that is not there has none', async t => {
  const tenantId = await createTenant(pool, acme)
  for (const day of ['2026-10-31', '2026-09-30', null]) {
    t.true(await setClosedThrough(pool, tenantId, day))
    t.is((await toldTenant(tenantId)).closedThrough, day)
  }
  t.false(await setClosedThrough(pool, '999999999', '2026-10-31'))
  t.false(await tenantExists(pool, '999999999'))
})

const waiting = async () =>
  (
    await pool.any(rows(v.object({ pid: v.number() }))`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length

test('a period closes after the unit of work that runs, and what waits behind it sees the new day', async t => {
  const tenantId = await createTenant(pool, acme)
  const closing = await connections.use(async running => {
    await running.send([begin, lockTenants([tenantId], { waits: true })])
    const closed = setClosedThrough(pool, tenantId, '2026-10-31')
    await eventually(async () => (await waiting()) === 1)
    const next = toldTenant(tenantId)
    await eventually(async () => (await waiting()) === 2)
    await running.send([commit])
    return { closed, next }
  })
  t.true(await closing.closed)
  t.is((await closing.next).closedThrough, '2026-10-31')
})
