/** The time of commands: it is the database's clock and never goes back, whatever other clocks show. */

import * as v from 'valibot'
import { command } from '../../lib/kit/documents/command.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { databaseClock, hasDatabaseClock } from '../support/database-clock.ts'
import { noteCommand, unitRunner } from '../support/pipeline.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const services = await testServices()
/** Without a worker: each test starts one whose clock the test sets. */
const service = await startService(services, { workers: 0 })
const { pool } = service
test.after.always(async () => {
  await service.close()
  await services.close()
})

/** Sets the clock of this process ahead. @returns a function that sets it right */
function clockAhead(aheadMs: number): () => void {
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...given: [] | [number]) {
      super(given[0] ?? Right.now() + aheadMs)
    }
    static override now = () => Right.now() + aheadMs
  } as typeof Date
  return () => {
    globalThis.Date = Right
  }
}

const databaseTime = async () =>
  (await pool.one(rows(v.object({ time: v.string() }))`select iso(clock_timestamp()) as time`)).time

async function adjust(
  client: Client,
  itemVariantId: string,
): Promise<{ id: string; created_at: string; date: string }> {
  return client.made('/stock-adjustments', { items: [{ item_variant_id: itemVariantId, quantity: 1 }] })
}

async function variantOf(client: Client): Promise<string> {
  return (await client.post('/products', { title: 'Screw' })).body.variants[0].id
}

const idsOf = async (client: Client, path: string) =>
  (await client.get(path)).body.data.map(({ id }: Loose) => id) as string[]

test('a worker whose clock is 30 s ahead stamps the time of the database', async t => {
  const client = await service.tenant()
  const setRight = clockAhead(30_000)
  t.teardown(setRight)
  const fast = await startService(services)
  const before = await databaseTime()
  const variant = await variantOf(client)
  const first = await adjust(client, variant)
  const after = await databaseTime()
  t.true(before <= first.created_at && first.created_at <= after, `${before} ${first.created_at} ${after}`)
  t.is(first.date, first.created_at)
  await fast.close()
  setRight()

  const right = await startService(services)
  t.teardown(() => right.close())
  const second = await adjust(client, variant)
  t.true(first.created_at < second.created_at)
  for (const list of ['/stock-adjustments', '/stock-movements']) {
    t.is((await idsOf(client, `${list}?created_after=${first.created_at}`)).length, 2)
    t.is((await idsOf(client, `${list}?created_after=${second.created_at}`)).length, 1)
    t.is((await idsOf(client, `${list}?created_before=${second.created_at}`)).length, 1)
  }
})

test('a tenant whose time is a day ahead of the clock goes on from there, and its lists skip nothing', async t => {
  const client = await service.tenant()
  const right = await startService(services)
  t.teardown(() => right.close())
  const variant = await variantOf(client)
  const ahead = new Date(Date.now() + 86_400_000).toISOString()
  await pool.query(
    statement`update tenant_streams set last_command_at = ${ahead}::timestamptz where tenant_id = ${client.tenantId}::bigint`,
  )
  const [first, second] = [await adjust(client, variant), await adjust(client, variant)]
  t.true(ahead < first.created_at && first.created_at < second.created_at)
  t.deepEqual(await idsOf(client, `/stock-adjustments?created_after=${ahead}`), [first.id, second.id])
  t.deepEqual(await idsOf(client, `/stock-adjustments?created_before=${second.created_at}`), [first.id])
  // "In the future" is what lies ahead of the tenant's time.
  const items = [{ item_variant_id: variant, quantity: 1 }]
  const later = (ms: number) => new Date(Date.parse(second.created_at) + ms).toISOString()
  t.is((await client.post('/stock-adjustments', { items, date: later(240_000) })).status, 201)
  t.is((await client.post('/stock-adjustments', { items, date: later(400_000) })).status, 422)
})

/** Answers with the time at which it runs. */
const tellTime = command({
  ...{
    id: 'tellTime',
    method: 'POST',
    path: '/times',
    tag: ['Test', 'For a test.'],
    scope: 'write:test',
    summary: 'Tells the time',
  },
  ...{ success: 201, countsAsDocument: false, refusals: [], ids: () => 0, needs: () => ({}) },
  decide: (_request, _facts, { now }) => ({ body: JSON.stringify(now), events: [] }),
})

test('units of work that follow each other within a millisecond have times of their own', async t => {
  const { tenantId: id } = await service.tenant()
  const units = unitRunner(services.databaseUrl, [tellTime])
  t.teardown(() => units.close())
  // The clock is behind the tenant's last command, as if no time passed.
  await pool.query(
    statement`update tenant_streams set last_command_at = clock_timestamp() + interval '1 hour' where tenant_id = ${id}::bigint`,
  )
  const times: string[] = []
  for (let unit = 0; unit < 50; unit++) {
    const [ended] = await units.run({ tenantId: id, commands: [noteCommand(id, '', '', { endpoint: tellTime.id })] })
    times.push(ended?.outcome.kind === 'done' ? JSON.parse(ended.outcome.body ?? '') : 'refused')
  }
  t.deepEqual(times, [...new Set(times)].sort())
  t.true(times.every(time => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)))
})

const withClock = hasDatabaseClock(services.databaseUrl) ? test : test.skip
withClock(
  'while the clocks of PostgreSQL and the worker are apart nothing is written, and then all goes on',
  async t => {
    const { tenantId: id } = await service.tenant()
    const clock = await databaseClock(services.databaseUrl, pool)
    const units = unitRunner(clock.url, [tellTime])
    t.teardown(() => units.close())
    const command = noteCommand(id, '', '', { endpoint: tellTime.id })
    const run = async () => (await units.run({ tenantId: id, commands: [command] })).map(({ outcome }) => outcome.kind)
    for (const by of ['1 year', '2 minutes', '-2 minutes', '-1 year']) {
      await clock.set(by)
      t.deepEqual(await run(), [], by)
    }
    const Stream = v.object({ last: v.nullable(v.string()) })
    const stream = () =>
      pool.one(rows(Stream)`
      select iso(last_command_at) as last from tenant_streams where tenant_id = ${id}::bigint`)
    t.deepEqual(await stream(), { last: null })
    await clock.set('30 seconds')
    t.deepEqual(await run(), ['done'])
    t.true(Date.parse((await stream()).last ?? '') < Date.now() + 60_000)
  },
)
