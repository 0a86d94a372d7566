/**
 * A unit of work over 16 tenants, one of which deadlocks, waits, times out or brings 500 lines: the other 15 are answered while that one is
 * still held from outside, each exactly once.
 */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import * as v from 'valibot'
import { Customer } from '../../lib/domain/partners/noun.ts'
import { command as declare } from '../../lib/kit/documents/command.ts'
import { theRecord } from '../../lib/kit/documents/needs.ts'
import type { Command, Ended } from '../../lib/pipeline/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { commandBench } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { runs, type UnitRunner, unitRunner } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { anyCommand, commandOf as commandAsSent, commandEndpoints, unitSettings } from '../support/run-command.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** A unit that waits for a lock finds a deadlock before its statement times out (750 ms). */
const DEADLOCK_MS = 500
const OTHERS = 15
const LINES = 500

/** Services of its own: its PostgreSQL finds deadlocks sooner, and the deadlocks are counted for the whole server. */
const services = ofTests(test, testServices)
const bench = ofTests(test, () => commandBench(services.databaseUrl))
let outside: pg.Client
test.before(async () => {
  outside = new pg.Client(services.databaseUrl)
  await outside.connect()
  await outside.query(
    `alter database ${new URL(services.databaseUrl).pathname.slice(1)} set deadlock_timeout = ${DEADLOCK_MS}`,
  )
  await outside.query(`set deadlock_timeout = '1h'`) // the unit waits first, so it is the victim
})
test.after.always(() => outside.end())

const words = {
  tag: ['Test', 'For a test.'],
  scope: 'test',
  summary: 'Waits',
  method: 'POST',
  success: 201,
  countsAsDocument: false,
  refusals: [],
} as const
const probes = [
  declare({
    ...words,
    id: 'renameCustomer',
    path: '/rename-customer/{id}',
    ids: () => 0,
    needs: ({ params }) => ({ customer: theRecord(Customer, params['id']) }),
    decide: (_request, { customer }, { work }) => {
      if (customer === null) throw new Error('the customer is gone')
      work.change(Customer, { ...customer, title: `${customer.title}!` })
      return { body: '{}', events: [{ type: 'test.renamed', data: '{}', previous: null }] }
    },
  }),
  declare({
    ...words,
    id: 'askSlowly',
    path: '/ask-slowly',
    ids: () => 0,
    needs: () => ({ answer: runs('select pg_advisory_xact_lock_shared(1)::text as locked') }),
    decide: () => ({ body: '{}', events: [{ type: 'test.asked', data: '{}', previous: null }] }),
  }),
]
const newUnits = () => unitRunner(services.databaseUrl, [...commandEndpoints, ...probes])
let units: UnitRunner
test.beforeEach(() => {
  units = newUnits()
})
test.afterEach.always(() => units.close())

const commandOf = (tenantId: string, endpoint: string, { body, ...rest }: Partial<Command> = {}): Command => {
  const declared = commandEndpoints.find(({ id }) => id === endpoint)
  return declared
    ? commandAsSent(declared, { tenantId, ...rest, body: body ?? {} })
    : anyCommand({ tenantId, endpoint, ...rest })
}

const place = (tenantId: string): Command => commandOf(tenantId, 'createStoragePlace', { body: { title: 'Hall' } })
const answers = (ended: readonly Ended[] = []) =>
  ended.map(({ outcome }) =>
    outcome.kind === 'done' ? (outcome.replayed ? 'replayed' : outcome.status) : outcome.refusal.refusal,
  )

/** How often a tenant's commands had an effect: rows of the log, events, storage places. */
const tracesOf = (tenantId: string) =>
  bench.pool.one(rows(v.object({ log: v.string(), events: v.string(), sequences: v.string(), places: v.string() }))`
    select (select count(*) from commands where tenant_id = ${tenantId}) as log,
      (select count(*) from events where tenant_id = ${tenantId}) as events,
      (select coalesce(string_agg(sequence::text, ',' order by sequence), '') from events where tenant_id = ${tenantId}) as sequences,
      (select count(*) from storage_places where tenant_id = ${tenantId}) as places`)

const waitingForLocks = async (): Promise<number> => {
  const { n } = await bench.pool.one(rows(v.object({ n: v.string() }))`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return Number(n)
}

async function tenantWithCustomer() {
  const tenant = await bench.tenant()
  const [made] = await units.run({
    tenantId: tenant.id,
    commands: [commandOf(tenant.id, 'createCustomer', { body: { title: 'Ash' } })],
  })
  return { tenant, customerId: JSON.parse((made?.outcome.kind === 'done' && made.outcome.body) || '{}').id as string }
}

/**
 * Hands the bad command and those of 15 other tenants over at the same time, so that they share one unit. Proves that the others are
 * answered, once, before the bad one. Returns the promise of the bad one's answer.
 */
async function besideOthers(
  t: ExecutionContext,
  bad: { readonly commands: Command[]; readonly tenantId: string },
  meanwhile: () => Promise<void> = async () => {},
): Promise<{ readonly answer: Promise<readonly Ended[]>; readonly traces: () => Promise<void> }> {
  const others = await Promise.all(Array.from({ length: OTHERS }, async () => (await bench.tenant()).id))
  // A running unit, so that the following commands gather in the next one.
  const { id } = await bench.tenant()
  const busy = units.run({ tenantId: id, commands: [place(id)] })
  let isAnswered = false
  const answer = units.run(bad).finally(() => {
    isAnswered = true
  })
  const rest = Promise.all(others.map(tenantId => units.run({ tenantId, commands: [place(tenantId)] })))
  await busy
  await meanwhile()
  t.deepEqual(
    (await rest).map(answers),
    others.map(() => [201]),
    'the others are answered',
  )
  t.false(isAnswered, 'while the bad one still waits for what is held from outside')
  const traces = async () => {
    for (const other of others)
      t.deepEqual({ ...(await tracesOf(other)) }, { log: '1', events: '1', sequences: '1', places: '1' })
  }
  await traces()
  return { answer, traces }
}

test('a command that deadlocks with a transaction from outside', async t => {
  const { tenant, customerId } = await tenantWithCustomer()
  const deadlocks = async () => {
    const { n } = await bench.pool.one(
      rows(v.object({ n: v.string() }))`select deadlocks as n from pg_stat_database where datname = current_database()`,
    )
    return Number(n)
  }
  const before = await deadlocks()
  await outside.query('begin')
  await outside.query('select from customers where id = $1 for update', [customerId])
  const commands = [commandOf(tenant.id, 'renameCustomer', { params: { id: customerId } })]
  const { answer, traces } = await besideOthers(t, { tenantId: tenant.id, commands }, async () => {
    await eventually(async () => (await waitingForLocks()) > 0, { what: 'the unit waits for the customer' })
    // Each now waits for what the other holds. The unit is cancelled, so this transaction gets the lock.
    await outside.query('select from tenant_streams where tenant_id = $1 for update', [tenant.id])
  })
  await outside.query('rollback')
  t.deepEqual(answers(await answer), [201])
  t.like(await tracesOf(tenant.id), { log: '2', events: '2' })
  const { title } = await bench.pool.one(
    rows(v.object({ title: v.string() }))`select title from customers where id = ${customerId}`,
  )
  t.is(title, 'Ash!', 'it ran once')
  await traces()
  // A connection that ends reports its counts.
  await units.close()
  await eventually(async () => (await deadlocks()) > before, { what: 'Postgres found the deadlock' })
})

test('eight tenants of a unit that wait for rows held from outside keep the other eight waiting for none of them', async t => {
  const bad = await Promise.all(Array.from({ length: 8 }, tenantWithCustomer))
  const good = await Promise.all(Array.from({ length: 8 }, async () => (await bench.tenant()).id))
  await outside.query('begin')
  await outside.query('select from customers where id = any ($1) for update', [bad.map(({ customerId }) => customerId)])
  const { id } = await bench.tenant()
  const busy = units.run({ tenantId: id, commands: [place(id)] })
  let answered = 0
  const waiting = bad.map(({ tenant, customerId }) =>
    units
      .run({ tenantId: tenant.id, commands: [commandOf(tenant.id, 'renameCustomer', { params: { id: customerId } })] })
      .finally(() => answered++),
  )
  const rest = await Promise.all(good.map(tenantId => units.run({ tenantId, commands: [place(tenantId)] })))
  await busy
  t.deepEqual(
    rest.map(answers),
    good.map(() => [201]),
  )
  t.is(answered, 0, 'none of those that wait had to be given up first')
  await outside.query('rollback')
  t.deepEqual(
    (await Promise.all(waiting)).map(answers),
    bad.map(() => [201]),
  )
})

test('a command whose statement times out is 503, had no effect, and its retry finds it undone', async t => {
  const { id } = await bench.tenant()
  await outside.query('select pg_advisory_lock(1)')
  const command = commandOf(id, 'askSlowly')
  // A command that runs alone from the start: units must be cancelled long before it.
  const { id: lonely } = await bench.tenant()
  let isGivenUp = false
  const alone = units
    .run({ tenantId: lonely, commands: [commandOf(lonely, 'askSlowly')] }, { alone: true })
    .finally(() => {
      isGivenUp = true
    })
  const { answer, traces } = await besideOthers(t, { tenantId: id, commands: [command] })
  t.false(isGivenUp, 'a unit is given up sooner than a command by itself')
  t.deepEqual(answers(await alone), ['service_unavailable'])
  t.deepEqual(answers(await answer), ['service_unavailable'], 'its own statements are given up, too')
  t.like(await tracesOf(id), { log: '0', events: '0' })
  await outside.query('select pg_advisory_unlock(1)')
  const retry = () => units.run({ tenantId: id, commands: [{ ...command, requestId: `req_${randomUUID()}` }] })
  t.deepEqual(answers(await retry()), [201])
  t.deepEqual(answers(await retry()), ['replayed'])
  t.like(await tracesOf(id), { log: '1', events: '1' })
  await traces()
})

test('commands between which one waits keep their order, and are answered once', async t => {
  const { id } = await bench.tenant()
  await outside.query('select pg_advisory_lock(1)')
  const commands = [place(id), commandOf(id, 'askSlowly'), place(id)]
  const { answer, traces } = await besideOthers(t, { tenantId: id, commands })
  await outside.query('select pg_advisory_unlock(1)')
  t.deepEqual(answers(await answer), [201, 201, 201])
  t.deepEqual({ ...(await tracesOf(id)) }, { log: '3', events: '3', sequences: '1,2,3', places: '2' })
  const types = await bench.pool.any(
    rows(v.object({ type: v.string() }))`select type from events where tenant_id = ${id} order by sequence`,
  )
  t.deepEqual(column(types, 'type'), ['storage_place.created', 'test.asked', 'storage_place.created'])
  await traces()
})

test('an adjustment of 500 lines, one of whose rows is locked from outside', async t => {
  const tenant = await bench.tenant()
  const product = unitSettings.endpointById.get('createProduct') as never
  const variantIds: string[] = []
  while (variantIds.length < LINES) {
    const variants = Array.from({ length: 100 }, (_, n) => ({ title: `V${n}` }))
    const { variants: made } = await tenant.done(product, { title: 'Screw', variants })
    variantIds.push(...made.map((variant: { id: string }) => variant.id))
  }
  const adjust = () =>
    commandOf(tenant.id, 'createStockAdjustment', {
      body: { items: variantIds.map(item_variant_id => ({ item_variant_id, quantity: 2 })) },
    })
  t.deepEqual(answers(await units.run({ tenantId: tenant.id, commands: [adjust()] })), [201])
  const before = await tracesOf(tenant.id)
  await outside.query('begin')
  await outside.query('select from stock_balances where tenant_id = $1 and item_variant_id = $2 for update', [
    tenant.id,
    variantIds[LINES / 2],
  ])
  const { answer, traces } = await besideOthers(t, { tenantId: tenant.id, commands: [adjust()] })
  await outside.query('rollback')
  t.deepEqual(answers(await answer), [201])
  const after = await tracesOf(tenant.id)
  t.is(Number(after.log), Number(before.log) + 1)
  // One of the document, and one of each line's stock.
  t.is(Number(after.events), Number(before.events) * 2 - LINES / 100)
  const stock = await bench.pool.one(rows(v.object({ n: v.string(), least: v.string(), most: v.string() }))`
    select count(*) as n, min(quantity)::text as least, max(quantity)::text as most
    from stock_levels where tenant_id = ${tenant.id}`)
  t.deepEqual([Number(stock.n), Number(stock.least), Number(stock.most)], [LINES, 4, 4])
  await traces()
})
