/** Units of work over many tenants: a command that fails, waits or is slow costs the other tenants only a repetition. */
import pg from 'pg'
import * as v from 'valibot'
import { Customer, customerFields } from '../../lib/domain/partners/noun.ts'
import { command as declare } from '../../lib/kit/documents/command.ts'
import { theRecord } from '../../lib/kit/documents/needs.ts'
import { defaultsOf } from '../../lib/kit/fields/bodies.ts'
import { BULK, type Command, type Ended, unavailable } from '../../lib/pipeline/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { runBatch } from '../../workers/commands/run-batch.ts'
import { eventually } from '../support/eventually.ts'
import { benchOfFile } from '../support/of-file.ts'
import { noteCommand, type UnitRunner, unitRunner } from '../support/pipeline.ts'
import { anyCommand, commandEndpoints } from '../support/run-command.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const TENANTS = 16
const words = {
  tag: ['Test', 'For a test.'],
  scope: 'test',
  summary: 'Fails',
  method: 'POST',
  success: 201,
  countsAsDocument: false,
  refusals: [],
} as const
const faulty = {
  throws: declare({
    ...words,
    id: 'throws',
    path: '/throws',
    ids: () => 0,
    needs: () => ({}),
    decide: () => {
      throw new Error('a bug')
    },
  }),
  violates: declare({
    ...words,
    id: 'violates',
    path: '/violates',
    ids: () => 1,
    needs: () => ({}),
    decide: (_request, _facts, { work }) => {
      const stamps = { created_at: work.now, updated_at: work.now, archived: false }
      const nothing = defaultsOf(customerFields)
      work.make(Customer, {
        ...stamps,
        ...nothing,
        id: work.newId(),
        title: 'X',
        country_code: 'not a country',
      } as never)
      return { body: '{}', events: [] }
    },
  }),
  needless: declare({
    ...words,
    id: 'needless',
    path: '/needless',
    ids: () => 0,
    needs: () => ({}),
    // The declaration does not load this record, which is a fault of the declaration.
    decide: (_request, _facts, { work }) => ({ body: JSON.stringify(work.find(Customer, '1')), events: [] }),
  }),
  slow: declare({
    ...words,
    id: 'slow',
    path: '/slow',
    ids: () => 0,
    needs: ({ params }) => ({ customer: theRecord(Customer, params['id']) }),
    decide: (_request, { customer }, { work }) => {
      if (customer === null) throw new Error('the customer is gone')
      work.change(Customer, { ...customer, title: 'changed' })
      return { body: '{}', events: [] }
    },
  }),
}

const faults: unknown[] = []
const runner = (): UnitRunner =>
  unitRunner(bench.databaseUrl, [...commandEndpoints, ...Object.values(faulty)], {
    onFault: error => void faults.push(error),
  })

const commandOf = (tenantId: string, endpoint: string, rest: Partial<Command> = {}): Command =>
  anyCommand({ tenantId, endpoint, ...rest })

const customer = (tenantId: string): Command =>
  commandOf(tenantId, 'createCustomer', {
    body: {
      title: 'Ash',
      country_code: null,
      email: null,
      phone: null,
      tax_number: null,
      currency: null,
      external_ref: null,
    },
  })

const tenants = (count: number) => Promise.all(Array.from({ length: count }, async () => (await bench.tenant()).id))

async function madeBy(tenantId: string): Promise<number> {
  const { n } = await bench.pool.one(
    rows(v.object({ n: v.string() }))`select count(*) as n from customers where tenant_id = ${tenantId}`,
  )
  return Number(n)
}

/** A first unit that fills the runner, so that the following commands share the next units. */
async function together(
  units: UnitRunner,
  batches: { tenantId: string; commands: Command[] }[],
): Promise<(readonly Ended[])[]> {
  const busy = (await tenants(1)).map(tenantId => units.run({ tenantId, commands: [customer(tenantId)] }))
  const outcomes = batches.map(batch => units.run(batch))
  await Promise.all(busy)
  return Promise.all(outcomes)
}

for (const [what, refusal] of [
  ['throws', 'internal_error'],
  ['violates', 'internal_error'],
  ['needless', 'internal_error'],
] as const) {
  test.serial(
    `a command that ${what} is refused alone: its neighbours and 15 other tenants are answered once`,
    async t => {
      const units = runner()
      t.teardown(() => units.close())
      const [bad = '', ...others] = await tenants(TENANTS)
      const batches = [
        { tenantId: bad, commands: [customer(bad), commandOf(bad, what), customer(bad)] },
        ...others.map(tenantId => ({ tenantId, commands: [customer(tenantId)] })),
      ]
      const [first = [], ...rest] = await together(units, batches)
      t.deepEqual(
        first.map(({ outcome }) => (outcome.kind === 'done' ? outcome.status : outcome.refusal.refusal)),
        [201, refusal, 201],
      )
      t.true(rest.every(([ended]) => ended?.outcome.kind === 'done' && !ended.outcome.replayed))
      t.is(await madeBy(bad), 2)
      for (const tenantId of others) t.is(await madeBy(tenantId), 1)
    },
  )
}

test.serial('a tenant whose row is locked from outside delays nobody, and is answered when it is free', async t => {
  const units = runner()
  t.teardown(() => units.close())
  const [held = '', ...others] = await tenants(TENANTS)
  const outside = new pg.Client(bench.databaseUrl)
  await outside.connect()
  t.teardown(() => outside.end())
  await outside.query('begin')
  await outside.query('select from tenant_streams where tenant_id = $1 for update', [held])
  let isAnswered = false
  const waiting = units.run({ tenantId: held, commands: [customer(held)] }).then(outcomes => {
    isAnswered = true
    return outcomes
  })
  const rest = await together(
    units,
    others.map(tenantId => ({ tenantId, commands: [customer(tenantId)] })),
  )
  t.true(rest.every(([ended]) => ended?.outcome.kind === 'done'))
  t.false(isAnswered, 'the others did not wait for it')
  const blocked = () =>
    bench.pool.maybeOne(rows(v.object({ query: v.string() }))`
      select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`)
  await eventually(blocked)
  // One query may show the wait with the statement before it. A blocked connection stays blocked.
  const { query } = await eventually(blocked)
  t.regex(query, /from tenant_streams .* for no key update/s, 'nothing of a tenant is read before its row is locked')
  await outside.query('rollback')
  t.is((await waiting)[0]?.outcome.kind, 'done')
  t.is(await madeBy(held), 1)
})

test.serial('a command that waits for a row locked from outside does not keep the others waiting', async t => {
  const units = runner()
  t.teardown(() => units.close())
  const [slow = '', ...others] = await tenants(TENANTS)
  const [made] = await units.run({ tenantId: slow, commands: [customer(slow)] })
  const { id } = JSON.parse((made?.outcome.kind === 'done' && made.outcome.body) || '{}')
  const outside = new pg.Client(bench.databaseUrl)
  await outside.connect()
  t.teardown(() => outside.end())
  await outside.query('begin')
  await outside.query('select from customers where id = $1 for update', [id])
  let isAnswered = false
  const batches = [
    { tenantId: slow, commands: [commandOf(slow, 'slow', { params: { id } })] },
    ...others.map(tenantId => ({ tenantId, commands: [customer(tenantId)] })),
  ]
  const [first, ...rest] = batches.map(batch => units.run(batch))
  void first?.then(() => {
    isAnswered = true
  })
  const answered = await Promise.all(rest)
  t.true(answered.every(([ended]) => ended?.outcome.kind === 'done' && !ended.outcome.replayed))
  t.false(isAnswered, 'the others did not wait for it')
  for (const tenantId of others) t.is(await madeBy(tenantId), 1)
  await outside.query('rollback')
  t.is((await first)?.[0]?.outcome.kind, 'done')
})

test.serial('many commands of one tenant leave room for one of another', async t => {
  const units = runner()
  t.teardown(() => units.close())
  const [busy = '', calm = ''] = await tenants(2)
  const flood = units.run({ tenantId: busy, commands: Array.from({ length: 1_000 }, () => customer(busy)) })
  let isFloodOver = false
  void flood.then(() => {
    isFloodOver = true
  })
  await eventually(async () => (await madeBy(busy)) > 0)
  t.is((await units.run({ tenantId: calm, commands: [customer(calm)] }))[0]?.outcome.kind, 'done')
  t.false(isFloodOver, 'the flood was still under way')
  t.is((await flood).length, 1_000)
  t.is(await madeBy(busy), 1_000)
})

test('commands of endpoints that this process does not know are refused with 503, and those between them are run', async t => {
  const { id: tenantId } = await bench.tenant()
  const runner = unitRunner(bench.databaseUrl, commandEndpoints)
  t.teardown(() => runner.close())
  const known = () => anyCommand({ tenantId, endpoint: 'createCustomer', body: { title: 'Known' } })
  const unknown = () => ({ ...known(), endpoint: 'createSomethingLater' })
  const bulk = { ...known(), endpoint: BULK, entries: [known(), unknown()] as const }
  const commands = [known(), unknown(), known(), bulk]
  const ended = await runner.run({ tenantId, commands })
  const outcomeOf = (command: Command) => ended.find(each => each.command === command)?.outcome
  t.deepEqual(
    commands.map(command => outcomeOf(command)?.kind),
    ['done', 'refused', 'done', 'refused'],
  )
  for (const command of [commands[1], commands[3]]) t.is(command && outcomeOf(command), unavailable)
  t.is(
    (
      await bench.pool.any(rows(v.object({ id: v.string() }))`
    select id::text from customers where tenant_id = ${tenantId}::bigint`)
    ).length,
    2,
  )
})

test('where no command of a batch is known, one answer for all of them is the last step', async t => {
  const commands = [noteCommand('1', 'nobody', 'a'), noteCommand('1', 'nobody', 'b')]
  const units = { isCoolingDown: () => true, run: async () => t.fail() as never }
  const cells = {
    isOne: true,
    knows: () => false,
    home: () => 'main',
    unitsOf: () => units,
    placeOf: async () => undefined,
  }
  const steps = await Array.fromAsync(runBatch({ tenantId: '1', commands, isSlow: false }, cells))
  t.is(steps.length, 1)
  t.deepEqual(steps[0]?.is === 'ended' && steps[0].ended.map(({ command }) => command), commands)
})
