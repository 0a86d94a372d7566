/**
 * Each action of an operator is recorded with the operator, the time, the action and the change, and no statement can remove the record.
 */
import { hostname, userInfo } from 'node:os'
import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { typed } from '../support/millrace.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()

const millrace = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  typed(args, { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl, ...env })

async function trail(...args: string[]): Promise<Loose[]> {
  const { status, out, err } = await millrace(['audit', 'list', '--json', ...args])
  if (status !== 0) throw new Error(err)
  return JSON.parse(out).actions
}

const who = { system_user: userInfo().username, host: hostname() }

test('a change of a tenant says who, when, what, before and after', async t => {
  const { tenantId } = await service.tenant()
  await millrace(['tenant', 'update', tenantId, '--plan', 'free', '--by', 'Ada Okafor'])
  await millrace(['period', 'close', '--tenant', tenantId, '--through', '2026-01-31'], {
    MILLRACE_OPERATOR: 'night shift',
  })
  const [closed, updated, ...more] = await trail('--tenant', tenantId)
  t.deepEqual(more, [])
  t.like(updated, {
    ...{ ...who, tenant_id: tenantId, command: 'tenant update', outcome: 'done', given_name: 'Ada Okafor' },
    arguments: { argument: tenantId, plan: 'free' },
  })
  t.is(updated?.before.plan, 'pro')
  t.is(updated?.after.plan, 'free')
  t.true(updated?.begun_at <= updated?.ended_at)
  t.like(closed, { command: 'period close', given_name: 'night shift' })
  t.deepEqual([closed?.before.closed_through, closed?.after.closed_through], [null, '2026-01-31'])
  const { out } = await millrace(['audit', 'list', '--tenant', tenantId])
  t.regex(out, /Ada Okafor \(.*tenant update \d+ --plan free .* done .*plan: pro → free/)
})

test('the making of a tenant has its end, also when the tenant is erased', async t => {
  const { out } = await millrace(['tenant', 'create', '--name', 'Gone', '--owner-email', 'o@gone.example', '--json'])
  const { tenant_id: tenantId } = JSON.parse(out)
  const before = (await trail()).find(({ command }) => command === 'tenant create')
  t.like(before, { tenant_id: tenantId, outcome: 'done', after: { tenant_id: tenantId } })
  t.is((await millrace(['tenant', 'erase', '--tenant', tenantId, '--name', 'Gone'])).status, 0)
  const [erased, created] = await trail()
  t.like(erased, { command: 'tenant erase', outcome: 'done' })
  t.like(created, { tenant_id: null, command: 'tenant create', outcome: 'done', after: null })
  t.is(created?.begun_at, before?.begun_at)
  t.truthy(created?.ended_at)
})

test('the tenant sees in its telemetry what was done to it, and nobody else does', async t => {
  const [tenant, stranger] = [await service.tenant(), await service.tenant()]
  await millrace(['tenant', 'update', tenant.tenantId, '--plan', 'free', '--name', 'Renamed', '--by', 'Ada Okafor'])
  const start = new Date(Date.now() - 80_000_000)
  const window = `windowStart=${start.toISOString()}&windowEnd=${new Date(start.getTime() + 86_400_000).toISOString()}`
  const { body } = await tenant.get(`/security/telemetry?${window}`)
  t.deepEqual(
    body.operator_actions.map(({ operator, command, changed }: Loose) => ({ operator, command, changed })),
    [{ operator: 'Ada Okafor', command: 'tenant update', changed: ['name', 'plan'] }],
  )
  t.deepEqual((await stranger.get(`/security/telemetry?${window}`)).body.operator_actions, [])
})

test('keys are told with their tenant, and no secret stands anywhere', async t => {
  const { tenantId } = await service.tenant()
  const issued = JSON.parse((await millrace(['key', 'issue', '--tenant', tenantId, '--name', 'Sync', '--json'])).out)
  const rotated = JSON.parse((await millrace(['key', 'rotate', issued.key_id, '--json'])).out)
  await millrace(['key', 'update', rotated.key_id, '--burst', '77'])
  await millrace(['key', 'revoke', rotated.key_id])
  const actions = await trail('--tenant', tenantId)
  t.deepEqual(
    columns(actions, 'command', 'outcome'),
    ['key revoke', 'key update', 'key rotate', 'key issue'].map(command => [command, 'done']),
  )
  const [revoke, update] = actions
  t.deepEqual([revoke?.before.status, revoke?.after.status], ['valid', 'revoked'])
  t.is(update?.after.burst, 77)
  const { all } = await service.pool.one(rows(v.object({ all: v.string() }))`
    select string_agg(a::text, ' ') as all from operator_actions a`)
  for (const { token } of [issued, rotated]) t.false(all.includes(token))
})

test('a new tenant has its making in its trail, once it is there', async t => {
  const { out } = await millrace(['tenant', 'create', '--name', 'New', '--owner-email', 'o@new.example', '--json'])
  const { tenant_id: tenantId } = JSON.parse(out)
  const [made] = await trail('--tenant', tenantId)
  t.like(made, { command: 'tenant create', outcome: 'done', begun_at: null, after: { tenant_id: tenantId } })
})

test('what is refused is told, and what only reads, or is typed wrong, is not', async t => {
  const { tenantId } = await service.tenant()
  t.is((await millrace(['period', 'close', '--tenant', tenantId, '--through', '2999-01-01'])).status, 1)
  const [refused] = await trail()
  t.like(refused, { tenant_id: tenantId, outcome: 'refused', message: '--through 2999-01-01 is in the future' })
  for (const args of [
    ['tenant', 'list'],
    ['doctor', '--json'],
    ['key', 'list', '--tenant', tenantId],
    ['period', 'close'],
  ])
    await millrace(args)
  t.deepEqual((await trail())[0], refused)
  t.is((await trail('--tenant', tenantId)).length, 1)
  t.is((await millrace(['tenant', 'list', '--by', 'x'])).status, 2)
})

test('the trail is append-only', async t => {
  const { tenantId } = await service.tenant()
  await millrace(['tenant', 'update', tenantId, '--plan', 'free'])
  for (const change of [
    statement`update operator_actions set given_name = 'somebody'`,
    statement`delete from operator_actions where tenant_id = ${tenantId}::bigint`,
    statement`truncate operator_actions`,
  ])
    await t.throwsAsync(service.pool.query(change))
  t.is((await trail('--tenant', tenantId)).length, 1)
})

test('a database without the trail is migrated all the same, and says so afterwards', async t => {
  const url = new URL(service.databaseUrl)
  url.searchParams.set('schema', 'without')
  t.is((await millrace(['migrate', '--by', 'Ada Okafor'], { DATABASE_URL: url.href })).status, 0)
  const { out } = await millrace(['audit', 'list', '--json'], { DATABASE_URL: url.href })
  const [migrated] = JSON.parse(out).actions
  t.like(migrated, { tenant_id: null, command: 'migrate', outcome: 'done', given_name: 'Ada Okafor' })
  t.is(migrated.after.applied[0], '000001_tenants.sql')
})
