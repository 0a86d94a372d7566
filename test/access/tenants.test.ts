import test from 'ava'
import * as v from 'valibot'
import { createTenant, listTenants, setClosedThrough, tenantExists } from '../../lib/access/tenants.ts'
import { openBatch } from '../../lib/pipeline/command-log.ts'
import { createPool, rows } from '../../lib/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const pool = await createPool(services.databaseUrl, {
  size: 5,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 10_000,
  checkRows: true,
})
test.after.always(async () => {
  await pool.end()
  await services.close()
})

const acme = { name: 'Acme', ownerEmail: 'owner@acme.example', plan: 'pro', currency: 'USD' } as const

test('a new tenant is listed, can be locked by a command batch, and has no closed period', async t => {
  const tenantId = await createTenant(pool, acme)
  t.true(await tenantExists(pool, tenantId))
  t.like(
    (await listTenants(pool)).find(tenant => tenant.tenant_id === tenantId),
    {
      name: 'Acme',
      owner_email: 'owner@acme.example',
      plan: 'pro',
      currency: 'USD',
      closed_through: null,
    },
  )
  t.like((await openBatch(pool, tenantId, []))?.tenant, {
    id: tenantId,
    plan: 'pro',
    currency: 'USD',
    closedThrough: null,
  })
})

test('a period is closed, moved and opened; a tenant that is not there has none', async t => {
  const tenantId = await createTenant(pool, acme)
  for (const day of ['2026-10-31', '2026-09-30', null]) {
    t.true(await setClosedThrough(pool, tenantId, day))
    t.is((await openBatch(pool, tenantId, []))?.tenant.closedThrough, day)
  }
  t.false(await setClosedThrough(pool, '999', '2026-10-31'))
  t.false(await tenantExists(pool, '999'))
})

const waiting = async () =>
  (
    await pool.any(rows(v.object({ pid: v.number() }))`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length

test('a period closes after the batch that runs, and the batch that waits behind it sees the new day', async t => {
  const tenantId = await createTenant(pool, acme)
  const batchEnds = Promise.withResolvers<void>()
  const batchRuns = Promise.withResolvers<void>()
  const running = pool.transaction(async connection => {
    await openBatch(connection, tenantId, [])
    batchRuns.resolve()
    await batchEnds.promise
  })
  await batchRuns.promise
  const closing = setClosedThrough(pool, tenantId, '2026-10-31')
  await eventually(async () => (await waiting()) === 1)
  const next = pool.transaction(connection => openBatch(connection, tenantId, []))
  await eventually(async () => (await waiting()) === 2)
  batchEnds.resolve()
  await running
  t.true(await closing)
  t.is((await next)?.tenant.closedThrough, '2026-10-31')
})
