import { Client as PgClient } from 'pg'
import * as v from 'valibot'
import { endpoints, due as everyDue } from '../../lib/nouns.ts'
import { type Command, commandsById } from '../../lib/pipeline/command.ts'
import { LimitedClient } from '../../lib/platform/postgres/client.ts'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripConnection } from '../../lib/platform/postgres/round-trip-pool.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { tenantsBehind } from '../../lib/webhooks/behind.ts'
import { relayTenant } from '../../lib/webhooks/relay.ts'
import { runUnit } from '../../lib/work/unit.ts'
import { type Scan, scansOf, tellPlans } from '../scaling/plans.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { anyCommand } from '../support/run-command.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { subscribe } from './bench.ts'

const test = testsOf(import.meta, { isSerial: true })

const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
let pool: Pool
// Without a webhook process: the test runs the rounds of the relay itself.
const service = ofTests(test, async () => {
  const own = await ownService()
  pool = await createPool(own.databaseUrl, { ...timeouts, size: 4, checkRows: true })
  return {
    ...own,
    close: async () => {
      await pool.end()
      await own.close()
    },
  }
})

const URL_ = 'https://example.com/hooks'

/**
 * Adds this many events of the tenant, one a second until now, every hundredth of another kind. `apart`: the distance between their
 * sequences.
 */
const fill = async ({ tenantId }: Client, count: number, apart = 1): Promise<void> => {
  await pool.query(statement`
    with made as (
      insert into events (tenant_id, sequence, type, body, created_at)
      select ${tenantId}::bigint, n * ${apart}::int, case when n % 100 = 0 then 'product.created' else 'stock.changed' end,
        '{"id":"evt_' || lpad(${tenantId}::text || '-' || n, 32, '0') || '"}', date_trunc('second', now()) - interval '1 second' * (${count}::int - n)
      from generate_series(1, ${count}::int) n
    )
    update tenant_streams set event_sequence = ${count * apart} where tenant_id = ${tenantId}::bigint`)
}

/**
 * Adds deliveries of every `each`th of the events from one sequence to another. Every third of the other events has a delivery that waits
 * or has failed.
 */
const deliver = ({ tenantId }: Client, id: string, upTo: number, each: number, from = 1) =>
  pool.query(statement`
    insert into webhook_deliveries (
      tenant_id, subscription_id, generation, event_id, event_type, sequence, status, next_attempt_at, created_at, completed_at
    )
    select tenant_id, ${id}::bigint, 1, substr(body, 8, 36), type, sequence, status,
      case when status = 'pending' then now() + interval '1 hour' end, now(), case when status <> 'pending' then now() end
    from (
      select *, case when sequence % ${each} = 0 then 'succeeded' when sequence % 2 = 0 then 'pending' else 'failed' end as status
      from events where tenant_id = ${tenantId}::bigint and sequence between ${from} and ${upTo} and (sequence % ${each} = 0 or sequence % 3 = 0)
    ) e`)

const timeOf = async ({ tenantId }: Client, sequence: number): Promise<string> =>
  (
    await pool.one(
      rows(v.object({ at: v.string() }))`
        select iso(created_at) as at from events where tenant_id = ${tenantId}::bigint and sequence = ${sequence}`,
    )
  ).at

const recover = (client: Client, id: string, since: string, key?: string) =>
  client.post(`/webhook-subscriptions/${id}/recover`, { since }, key)

/** Runs rounds of the relay until nothing is left to do. Returns how many there were. */
async function relayAll({ tenantId }: Client): Promise<number> {
  for (let rounds = 1; ; rounds++)
    if (!(await relayTenant(pool, tenantId, new Date().toISOString())).isBehind) return rounds
}

/** The sequences that are due now, in the order in which they are sent. */
const due = async ({ tenantId }: Client, id: string): Promise<number[]> => {
  const found = await pool.any(rows(v.object({ sequence: v.number() }))`
    select d.sequence::int as sequence
    from webhook_deliveries d join webhook_subscriptions s on s.tenant_id = d.tenant_id and s.id = d.subscription_id
    where d.tenant_id = ${tenantId}::bigint and d.subscription_id = ${id}::bigint and d.status = 'pending'
      and d.generation = s.generation and d.next_attempt_at <= now()
    order by d.next_attempt_at, d.id`)
  return found.map(({ sequence }) => sequence)
}

const numbers = (from: number, to: number, is = (_: number) => true): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at).filter(is)

test('a large recovery counts exactly what was not delivered, and all of it becomes due in order', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_)
  await fill(client, 28_000)
  await deliver(client, id, 10_000, 5)
  const missed = numbers(1_001, 28_000, n => n > 10_000 || n % 5 !== 0)
  const { status, body } = await recover(client, id, await timeOf(client, 1_001))
  t.is(status, 200)
  t.is(body.count, missed.length)
  t.true((await due(client, id)).length < missed.length, 'the command makes some of them')
  t.true((await Array.fromAsync(tenantsBehind(pool))).flat().includes(client.tenantId), 'the sweep finds the rest')
  await pool.query(
    statement`update webhook_relays set relayed_sequence = 28000 where tenant_id = ${client.tenantId}::bigint`,
  )
  t.true((await relayAll(client)) > 1)
  t.deepEqual(await due(client, id), missed)
  t.false((await Array.fromAsync(tenantsBehind(pool))).flat().includes(client.tenantId))
})

test('a large recovery of some kinds counts those', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_, { events: ['product.created'] })
  await fill(client, 30_000)
  await deliver(client, id, 10_000, 200)
  t.is((await recover(client, id, '2020-01-01')).body.count, 300 - 50)
  await relayAll(client)
  t.deepEqual(
    await due(client, id),
    numbers(1, 30_000, n => n % 100 === 0 && (n > 10_000 || n % 200 !== 0)),
  )
})

test('what is left of an earlier recovery is made with the later one, and a replay begins nothing', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_, { enabled: false })
  await fill(client, 12_000)
  const since = await timeOf(client, 1_001)
  t.is((await recover(client, id, since, 'first')).body.count, 11_000)
  t.is((await recover(client, id, await timeOf(client, 10_001))).body.count, 2_000)
  await relayAll(client)
  t.deepEqual(await due(client, id), numbers(1_001, 12_000))
  await pool.query(statement`
    update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where tenant_id = ${client.tenantId}::bigint`)
  const replay = await recover(client, id, since, 'first')
  t.deepEqual([replay.status, replay.body.count], [200, 11_000])
  t.is(await relayAll(client), 1)
  t.deepEqual(await due(client, id), [])
})

test('what is left of a recovery ends with the subscription that is switched off or deleted', async t => {
  for (const end of ['off', 'deleted'] as const) {
    const client = await service.tenant()
    const { id } = await subscribe(client, URL_)
    await fill(client, 8_000)
    t.is((await recover(client, id, '2020-01-01')).body.count, 8_000)
    if (end === 'off') await client.patch(`/webhook-subscriptions/${id}`, { enabled: false })
    else await client.request('DELETE', `/webhook-subscriptions/${id}`)
    await relayAll(client)
    t.deepEqual(await due(client, id), [])
    t.deepEqual(
      await pool.any(rows(v.unknown())`select from webhook_recoveries where tenant_id = ${client.tenantId}::bigint`),
      [],
    )
  }
})

/** The command as it is sent to a worker. */
const command = (client: Client, endpoint: string, params: Record<string, string>, body: unknown): Command =>
  anyCommand({ tenantId: client.tenantId, endpoint, params, body: body as never })

async function connected(databaseUrl: string, onNotice = (_message: string): void => {}): Promise<RoundTripConnection> {
  const types = { getTypeParser: () => (text: string) => text } as never
  const connection = new PgClient({ connectionString: databaseUrl, types })
  connection.on('notice', ({ message }) => onNotice(message ?? ''))
  await connection.connect()
  return new RoundTripConnection(new LimitedClient(connection))
}

/** The outcomes of one unit of work. */
async function run(connection: RoundTripConnection, { tenantId }: Client, commands: readonly Command[]) {
  const results = await runUnit(connection, [{ tenantId, commands }], {
    endpointById: commandsById(endpoints),
    due: everyDue,
    settings: { freePlanVariantsMax: 50, webhookSubscriptionsMax: 100, secrets: secretBox([Buffer.alloc(32)]) },
    waits: true,
  })
  const result = results.get(tenantId)
  if (result?.is !== 'ran') throw new Error('the commands were not run')
  return result.ended.map(({ outcome }) => outcome)
}

test('a recovery finds the events of its own batch', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_, { enabled: false })
  const place = {
    title: 'Place',
    code: null,
    manufacturing_allowed: true,
    sales_allowed: true,
    purchase_allowed: true,
    address: null,
    external_ref: null,
  }
  const commands = [
    command(client, 'createStoragePlace', {}, place),
    command(client, 'recoverWebhookSubscription', { id }, { since: '2020-01-01T00:00:00.000Z' }),
  ]
  const connection = await connected(service.databaseUrl)
  t.teardown(() => connection.end())
  const first = await run(connection, client, commands)
  t.like(first, [{ kind: 'done' }])
  t.is(first.length, 1, 'the recovery runs in the next unit of work, when the event is written')
  t.like(await run(connection, client, commands.slice(1)), [{ kind: 'done', body: '{"count":1}' }])
})

test('a clock that was set back hides no event', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_, { enabled: false })
  await fill(client, 4_000)
  const since = await timeOf(client, 2_001)
  await pool.query(statement`
    update events set created_at = created_at - interval '50 minutes' where tenant_id = ${client.tenantId}::bigint and sequence > 2500`)
  t.is((await recover(client, id, since)).body.count, 2_000)
})

test('a recovery reads what came since, and refuses what would take long, naming what can be done', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_, { enabled: false })
  const last = 510_000
  await fill(client, last / 10, 10)
  await deliver(client, id, last, 20, 250_010)
  await pool.query(statement`analyze events`)
  await pool.query(statement`analyze webhook_deliveries`)
  const admin = new PgClient({ connectionString: service.databaseUrl })
  await admin.connect()
  await tellPlans(admin)
  await admin.end()
  let scans: Scan[] = []
  const told = await connected(service.databaseUrl, message => void scans.push(...scansOf(message)))
  t.teardown(() => told.end())
  /** The answer to a recovery, and how many rows it read. */
  const measured = async (since: string) => {
    scans = []
    const [outcome] = await run(told, client, [command(client, 'recoverWebhookSubscription', { id }, { since })])
    const read = scans.reduce((sum, scan) => sum + scan.rows, 0)
    return { answer: outcome?.kind === 'done' ? JSON.parse(outcome.body ?? '').count : outcome?.refusal.message, read }
  }
  const recent = await measured(await timeOf(client, last - 990))
  t.is(recent.answer, 50)
  t.true(recent.read < 4_500, `${recent.read} rows for 100 events`)
  const many = await measured(await timeOf(client, last - 199_990))
  t.is(many.answer, 10_000)
  t.true(many.read < 2 * 20_000, `${many.read} rows for 20,000 events`)

  const all = await measured('2020-01-01')
  t.true(all.read < 4_000, `${all.read} rows for a refusal`)
  const [, from = '', after = ''] =
    /^since: 509991 events .* from (\S+) on, .* GET \/events\?after_sequence=(\d+)$/.exec(all.answer) ?? []
  t.is(after, '9', all.answer)
  const possible = await measured(from)
  // Of the last 45,000 events all before 250,010 are due, and half of the others.
  t.is(possible.answer, 19_000 + 13_000)
})
