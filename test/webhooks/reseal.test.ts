/**
 * Changing WEBHOOK_SECRET_KEY: all stored secrets are encrypted with the newest key while everything runs, and then earlier keys are
 * removed.
 */
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { secretOwner } from '../../lib/webhooks/signature.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace, startWebhookProcess, subscribe } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const [old, current, lost] = [1, 2, 3].map(byte => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const keys = (...given: readonly Buffer[]) => ({
  WEBHOOK_SECRET_KEY: given.map(key => key.toString('hex')).join(),
  WEBHOOK_ALLOWED_NETWORKS: 'loopback',
})
const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
let pool: Pool
/** A service of which every process has both keys. */
let during: TestService
const services = ofTests(test, async () => {
  const own = await testServices()
  during = await startService(own, { env: keys(current, old) })
  pool = await createPool(own.databaseUrl, { ...timeouts, size: 2, checkRows: true })
  return {
    ...own,
    close: async () => {
      await during.close()
      await pool.end()
      await own.close()
    },
  }
})

async function run(command: string, env: Record<string, string>) {
  const [out, err, shown]: [string[], string[], string[]] = [[], [], []]
  const status = await runCommandLine(command.split(' '), {
    env: { DATABASE_URL: services.databaseUrl, ...env },
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => err.push(text),
    progress: { show: text => void shown.push(text), end: text => void shown.push(text) },
  })
  return { status, out: out.join('\n'), err: err.join('\n'), shown }
}

const reseal = async (env = keys(current, old)) => {
  const { status, out } = await run('webhook reseal --json', env)
  return { status, ...(JSON.parse(out) as { resealed: number; newest: number; earlier: number; unknown: number }) }
}

const examined = async (env: Record<string, string> = keys(current, old)) => {
  const { out } = await run('doctor --json', env)
  const { checks } = JSON.parse(out) as { checks: { check: string; status: string; found: string; advice?: string }[] }
  return checks.find(({ check }) => check === 'webhook secrets')
}

/** Adds this many unused secrets, encrypted with a key. */
async function sealMany(tenantId: string, subscriptionId: string, count: number, key: Buffer): Promise<void> {
  const owner = secretOwner(tenantId, subscriptionId)
  const sealed = Array.from({ length: count }, (_, n) =>
    secretBox([key]).seal(Buffer.alloc(32, n), owner).toString('hex'),
  )
  await pool.query(statement`
    insert into webhook_secrets (tenant_id, subscription_id, sealed, created_at, expires_at)
    select ${tenantId}::bigint, ${subscriptionId}::bigint, decode(value, 'hex'), now(), now() + interval '1 day'
    from jsonb_array_elements_text(${JSON.stringify(sealed)}::jsonb)`)
}

const forget = () => pool.query(statement`delete from webhook_secrets`)

test('after the reseal the old key is not needed: what was made before is signed as before', async t => {
  await during.close()
  await pool.query(statement`delete from service_key`)
  const before = await startService(services, { env: keys(old) })
  const [client, hook] = [await before.tenant(), await receiver()]
  const { id, secret } = await subscribe(client, hook.url)
  const rotated = (await client.post(`/webhook-subscriptions/${id}/rotate-secret`, {})).body.secret
  t.like(await examined(keys(old)), { status: 'ok', found: 'all 2 are sealed with the newest key' })
  t.like(await examined(), { status: 'warning', found: '2 of 2 are sealed with an earlier key' })
  t.regex((await examined())?.advice ?? '', /bin\/millrace webhook reseal/)
  t.deepEqual(await reseal(), { status: 0, resealed: 2, newest: 2, earlier: 0, unknown: 0 })
  t.deepEqual(await reseal(), { status: 0, resealed: 0, newest: 2, earlier: 0, unknown: 0 })
  t.like(await examined(), { status: 'ok' })
  t.like(await examined(keys(old)), { status: 'fault', found: '2 of 2 are sealed with a key that is not here' })
  const after = await startWebhookProcess(services, keys(current))
  await makePlace(client)
  const arrival = await eventually(() => hook.arrivals[0])
  for (const each of [secret, rotated])
    t.notThrows(() => new Webhook(each).verify(arrival.text, { ...arrival.headers }))
  await after.close()
  await hook.close()
  await forget()
  await before.close()
  during = await startService(services, { env: keys(current, old) })
})

test('many are sealed in steps with a bar, by several at once, each once, beside rotations', async t => {
  const client = await during.tenant()
  const { id } = await subscribe(client, 'https://example.com/many')
  await sealMany(client.tenantId, id, 1_000, old)
  const { id: second } = await subscribe(client, 'https://example.com/second')
  const [first, again, text] = await Promise.all([
    reseal(),
    reseal(),
    run('webhook reseal', keys(current, old)),
    ...Array.from({ length: 5 }, () =>
      client.post(`/webhook-subscriptions/${second}/rotate-secret`, { overlap_seconds: 60 }),
    ),
  ] as const)
  const byText = Number(/^(\d+) secrets were sealed anew/.exec(text.out)?.[1])
  t.is(first.resealed + again.resealed + byText, 1_000)
  t.regex(text.out, /Earlier keys are needed no more\.$/)
  t.true(text.shown.length > 0 && text.shown.every(line => line.startsWith('[')), text.shown.join('\n'))
  const box = secretBox([current])
  const kept = await pool.any(
    rows(v.object({ subscription: v.string(), sealed: v.string() }))`
      select subscription_id::text as subscription, encode(sealed, 'hex') as sealed from webhook_secrets`,
  )
  t.is(kept.length, 1_000 + 1 + 6)
  for (const { subscription, sealed } of kept)
    t.is(box.open(Buffer.from(sealed, 'hex'), secretOwner(client.tenantId, subscription)).length, 32)
  await forget()
})

test('what no key opens stays, is told, and holds nothing up; what has ended does not count', async t => {
  const client = await during.tenant()
  const { id } = await subscribe(client, 'https://example.com/lost')
  await sealMany(client.tenantId, id, 3, lost)
  t.deepEqual(await reseal(), { status: 1, resealed: 0, newest: 1, earlier: 0, unknown: 3 })
  t.regex(
    (await run('webhook reseal', keys(current, old))).out,
    /^3 are sealed with a key that WEBHOOK_SECRET_KEY does not hold/m,
  )
  t.deepEqual(await reseal(keys(current, old, lost)), { status: 0, resealed: 3, newest: 4, earlier: 0, unknown: 0 })
  await sealMany(client.tenantId, id, 2, lost)
  await pool.query(
    statement`update webhook_secrets set expires_at = now() where encode(substr(sealed, 2, 4), 'hex') = ${secretBox([lost]).marks()[0] ?? ''}`,
  )
  t.deepEqual(await reseal(), { status: 0, resealed: 0, newest: 4, earlier: 0, unknown: 0 })
  await forget()
})

test('without a key the command refuses and makes none, and the doctor says so where there are secrets', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-reseal-'))
  const env = { MILLRACE_DATA: folder }
  const { status, err } = await run('webhook reseal', env)
  t.is(status, 1)
  t.regex(err, /^millrace webhook reseal: WEBHOOK_SECRET_KEY is not set, and .*webhook-secret\.key is not there$/)
  t.like(await examined({ ...env, WEBHOOK_SECRET_KEY: '' }), { status: 'ok', found: 'there are none' })
  await subscribe(await during.tenant(), 'https://example.com/none')
  t.like(await examined({ ...env, WEBHOOK_SECRET_KEY: '' }), { status: 'warning' })
  t.deepEqual(await readdir(folder), [])
  await forget()
})
