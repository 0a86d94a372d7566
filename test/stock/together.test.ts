/** Commands that share load and store answer, tell and post as if each had run alone. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import * as v from 'valibot'
import type { CommandEndpoint } from '../../lib/api/endpoint.ts'
import { endpoints } from '../../lib/api/endpoints.ts'
import { isRefusal } from '../../lib/api/errors.ts'
import { shape } from '../../lib/api/fields.ts'
import { parseJson } from '../../lib/api/json.ts'
import { validate } from '../../lib/api/validate.ts'
import { customerEndpoints, supplierEndpoints } from '../../lib/partners/endpoints.ts'
import type { Command, Outcome } from '../../lib/store/command.ts'
import { createPool, rows, statement } from '../../lib/store/postgres.ts'
import { secretBox } from '../../lib/store/secret-box.ts'
import { runBatch } from '../../workers/run-batch.ts'
import { commandBench, type Loose } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'
import { stockroom } from './stockroom.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

const dependencies = {
  endpointById: new Map(endpoints.flatMap(each => (each.kind === 'command' ? [[each.id, each] as const] : []))),
  settings: { freePlanVariantsMax: 50, webhookSubscriptionsMax: 100, secrets: secretBox([Buffer.alloc(32)]) },
  onFault: (error: unknown) => {
    throw error
  },
}

/** What the commands of a run speak of, by name: the same names mean other ids in each tenant. */
type Names = Readonly<Record<string, string>>
type World = { readonly tenantId: string; readonly names: Names; readonly look: () => Promise<unknown> }

async function world(): Promise<World> {
  const { tenant, variant, place: makePlace, adjust, stock, movements } = await stockroom(bench)
  const main = await makePlace('Main')
  const side = await makePlace('Side')
  const [wood, milk, cream] = [
    await variant('WOOD', { purchase_price: 3 }),
    await variant('MILK', { batch_tracked: true, shelf_life_days: 10 }),
    await variant('CREAM', { batch_tracked: true }),
  ]
  const opening = await adjust(
    [
      { item_variant_id: wood, quantity: 200, unit_cost: 2.5 },
      { item_variant_id: milk, quantity: 60, unit_cost: 1.1, batch_number: 'OLD', expiry_date: '2027-01-31' },
    ],
    { storage_place_id: main, number: 'OPENING' },
  )
  await migrate(tenant.id)
  const customer = await tenant.done(customerEndpoints.create, { title: 'Known' })
  const supplier = await tenant.done(supplierEndpoints.create, { title: 'Known' })
  const names = {
    main,
    side,
    wood,
    milk,
    cream,
    old: opening.items[1].batch_id,
    customer: customer.id,
    supplier: supplier.id,
    nobody: '1',
  }
  // New rows of one round take their ids by variant, not by command; nothing else may differ.
  const place = (id: string | null) => (id === null ? '' : id === main ? 'main' : 'side')
  const name = (row: Loose) => `${row.sku} ${place(row.storage_place_id)} ${row.batch_number}`
  const look = async () => ({
    stock: (await stock()).sort((a, b) => (name(a) < name(b) ? -1 : 1)),
    movements: await movements(),
  })
  return { tenantId: tenant.id, names, look }
}

/** Makes documents with numbers that counting meets later: gaps of one and two, and more in a row than a round asks about. */
async function migrate(tenantId: string): Promise<void> {
  const numbers = [...[4, 6, 9], ...Array.from({ length: 40 }, (_, n) => 12 + n), 53].map(n =>
    String(n).padStart(5, '0'),
  )
  await bench.pool.query(statement`
    insert into stock_adjustments (tenant_id, id, number, date, reason, total_amount, created_at)
    select ${tenantId}::bigint, nextval('ids'), 'SA-' || n, now(), 'INITIAL', 0, now()
    from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) n`)
  await bench.pool.query(statement`
    insert into stock_transfers (tenant_id, id, number, date, created_at)
    select ${tenantId}::bigint, nextval('ids'), 'ST-' || n, now(), now()
    from jsonb_array_elements_text(${JSON.stringify(numbers.slice(2))}::jsonb) n`)
}

type Step = { readonly endpoint: string; readonly body: (names: Names) => Loose; readonly again: boolean }

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
/** Mostly null, at times one of few: so that they meet. */
const seldom = <T>(...values: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: oneOf(...values) })
const head = (prefix: string) => ({
  number: seldom(`${prefix}-00002`, `${prefix}-00005`, 'MINE'),
  external_ref: seldom('one', 'two'),
})
const variant = fc.oneof(
  { weight: 20, arbitrary: oneOf('wood', 'wood', 'milk', 'milk', 'cream') },
  { weight: 1, arbitrary: oneOf('nobody') },
)
const somewhere = oneOf('main', 'main', 'main', 'side', null)

const adjustment = fc
  .record({
    ...head('SA'),
    place: oneOf(undefined, 'main', 'side', null),
    items: fc.array(
      fc.record({
        variant,
        quantity: fc.integer({ min: -9, max: 9 }),
        counted: oneOf(true, false, false, false),
        expected: seldom(200, 0),
        cost: seldom(4.25, 0),
        batch: oneOf(null, null, null, 'OLD', 'NEW', 'SA-00003'),
        old: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ place, items, ...rest }) => ({
    endpoint: 'createStockAdjustment',
    body: (names: Names) => ({
      ...rest,
      ...(place === undefined ? {} : { storage_place_id: place === null ? null : names[place] }),
      items: items.map(({ variant: name, quantity, counted, expected, cost, batch, old }) => ({
        item_variant_id: names[name],
        ...(counted ? { counted_quantity: Math.abs(quantity) } : { quantity: quantity === 0 ? 1 : quantity }),
        ...(expected === null ? {} : { expected_quantity: expected }),
        ...(cost === null || counted || quantity < 0 ? {} : { unit_cost: cost }),
        ...(batch === null || name === 'wood' ? {} : { batch_number: batch }),
        ...(batch === null && old && name === 'milk' ? { batch_id: names['old'] } : {}),
      })),
    }),
  }))

const transfer = fc
  .record({
    ...head('ST'),
    from: somewhere,
    to: somewhere,
    items: fc.array(fc.record({ variant, quantity: fc.integer({ min: 1, max: 9 }), quarantine: fc.boolean() }), {
      minLength: 1,
      maxLength: 2,
    }),
  })
  .map(({ from, to, items, ...rest }) => ({
    endpoint: 'createStockTransfer',
    body: (names: Names) => ({
      ...rest,
      from_storage_place_id: from === null ? null : names[from],
      to_storage_place_id: to === null ? null : names[to],
      items: items.map(({ variant: name, quantity, quarantine }) => ({
        item_variant_id: names[name],
        quantity,
        to_quarantine: quarantine,
      })),
    }),
  }))

const order = (endpoint: string, prefix: string, partner: 'customer' | 'supplier') =>
  fc
    .record({
      ...head(prefix),
      who: oneOf('id', 'id', 'ref', 'ref', 'ref', 'new', 'new', 'nobody'),
      ref: oneOf('shop-1', 'shop-2'),
      backorder: fc.boolean(),
      items: fc.array(fc.record({ variant, quantity: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 3 }),
    })
    .map(({ who, ref, backorder, items, ...rest }) => ({
      endpoint,
      body: (names: Names) => ({
        ...rest,
        ...(partner === 'customer' ? { allow_backorder: backorder } : {}),
        ...(who === 'id' || who === 'nobody' ? { [`${partner}_id`]: names[who === 'id' ? partner : 'nobody'] } : {}),
        ...(who === 'ref' ? { [partner]: { title: `By ${ref}`, external_ref: ref } } : {}),
        ...(who === 'new' ? { [partner]: { title: 'New' } } : {}),
        items: items.map(({ variant: name, quantity }) => ({ item_variant_id: names[name], quantity, price: 2.35 })),
      }),
    }))

/** A command that runs alone, between others. */
const product = oneOf('X-1', 'X-2').map(sku => ({ endpoint: 'createProduct', body: () => ({ title: sku, sku }) }))

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: adjustment },
      { weight: 3, arbitrary: order('createSalesOrder', 'SO', 'customer') },
      { weight: 2, arbitrary: order('createPurchaseOrder', 'PO', 'supplier') },
      { weight: 2, arbitrary: transfer },
      { weight: 1, arbitrary: product },
    ),
    oneOf(true, ...Array.from({ length: 9 }, () => false)),
  )
  .map(([each, again]) => ({ ...each, again }))

/** The commands of a run; some have the key of the one before. */
function commandsOf({ tenantId, names }: Pick<World, 'tenantId' | 'names'>, steps: readonly Step[]): Command[] {
  const run = randomUUID()
  let key = ''
  return steps.flatMap((each, at) => {
    key = each.again && at > 0 ? key : `${run}-${at}`
    const endpoint = dependencies.endpointById.get(each.endpoint) as CommandEndpoint
    const text = JSON.stringify(each.body(names))
    const body = validate(endpoint.body ?? shape({}), parseJson(text), 'body')
    if (isRefusal(body)) return []
    const fingerprint = Buffer.from(`${each.endpoint}${JSON.stringify(each.body({}))}`).toString('hex')
    return [
      {
        requestId: `req_${randomUUID()}`,
        tenantId,
        endpoint: each.endpoint,
        actor: { keyId: '1', userName: 'test' },
        idempotencyKey: key,
        fingerprint,
        params: {},
        body: JSON.parse(JSON.stringify(body)),
        replyTo: '',
        quota: null,
        acceptedAt: Date.now(),
      },
    ]
  })
}

/** The same for every tenant: ids by the order of their first appearance, no times. */
function plain(value: unknown): unknown {
  const ids = new Map<string, string>()
  const stand = (id: string): string => {
    const known = ids.get(id) ?? `#${ids.size}`
    ids.set(id, known)
    return known
  }
  const walk = (each: unknown, key: string): unknown => {
    if (Array.isArray(each)) return each.map(entry => walk(entry, key))
    if (each !== null && typeof each === 'object')
      return Object.fromEntries(Object.entries(each).map(([name, entry]) => [name, walk(entry, name)]))
    if (/(_at|date|timestamp)$/.test(key) && key !== 'expiry_date') return null
    if (typeof each !== 'string') return each
    if (key === 'message') return each.replaceAll(/(?<=taken by |of product )\d+/g, stand)
    return /(^|_)id$/.test(key) ? stand(each) : each
  }
  return walk(value, '')
}

const parsed = (outcome: Outcome | undefined): unknown =>
  outcome?.kind === 'done'
    ? { status: outcome.status, replayed: outcome.replayed, body: JSON.parse(outcome.body ?? 'null') }
    : { error: outcome?.refusal.refusal, message: outcome?.refusal.message }

async function told({ tenantId }: World): Promise<unknown[]> {
  const events = await bench.pool.any(rows(v.object({ type: v.string(), body: v.string() }))`
    select type, body from events where tenant_id = ${tenantId} order by sequence`)
  return events.map(({ type, body }) => ({ type, ...JSON.parse(body) }))
}

test('random commands answer, tell and post the same in batches of any size as one by one', async t => {
  let together = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      fc.array(fc.integer({ min: 2, max: 32 }), { minLength: 20, maxLength: 20 }),
      async (steps, sizes) => {
        const [alone, batched] = [await world(), await world()]
        const single: Outcome[] = []
        for (const command of commandsOf(alone, steps))
          single.push(...(await runBatch(bench.pool, alone.tenantId, [command], dependencies)))
        const grouped: Outcome[] = []
        const commands = commandsOf(batched, steps)
        for (const size of sizes) {
          const batch = commands.slice(grouped.length, grouped.length + size)
          if (batch.length > 0) grouped.push(...(await runBatch(bench.pool, batched.tenantId, batch, dependencies)))
        }
        together += grouped.length
        refused += grouped.filter(({ kind }) => kind === 'refused').length
        t.deepEqual(plain(grouped.map(parsed)), plain(single.map(parsed)))
        t.deepEqual(plain(await told(batched)), plain(await told(alone)))
        t.deepEqual(plain(await batched.look()), plain(await alone.look()))
      },
    ),
    { numRuns: 30 },
  )
  t.log(`${together} commands in batches, ${refused} of them refused`)
  t.true(refused > 50 && together - refused > 100, 'the commands were both done and refused')
})

test('commands past thousands of taken numbers share one more statement and one more load, refused or not', async t => {
  const { tenantId, names } = await world()
  await bench.pool.query(statement`
    insert into stock_adjustments (tenant_id, id, number, date, reason, total_amount, created_at)
    select ${tenantId}::bigint, nextval('ids'), 'SA-' || lpad(n::text, 5, '0'), now(), 'INITIAL', 0, now()
    from generate_series(1, 3000) n on conflict do nothing`)
  let statements = 0
  const pool = await createPool(services.databaseUrl, {
    size: 1,
    statementTimeoutMs: 30_000,
    idleInTransactionTimeoutMs: 30_000,
    onStatement: () => void statements++,
  })
  t.teardown(() => pool.end())
  const run = async (quantities: number[]) => {
    const steps = quantities.map(quantity => ({
      endpoint: 'createStockAdjustment',
      body: ({ main, wood }: Names) => ({ storage_place_id: main, items: [{ item_variant_id: wood, quantity }] }),
      again: false,
    }))
    const before = statements
    const outcomes = await runBatch(pool, tenantId, commandsOf({ tenantId, names }, steps), dependencies)
    const numbers = outcomes.map(each => (each.kind === 'done' ? JSON.parse(each.body ?? '').number : 'refused'))
    return { numbers, statements: statements - before }
  }
  const refused = await run([-1_000])
  t.deepEqual(refused.numbers, ['refused'])
  t.true(refused.statements <= 4, `open, load, skip, load: ${refused.statements}`)
  const sixteen = await run([...Array.from({ length: 15 }, () => 1), -1_000])
  t.deepEqual(sixteen.numbers, [...Array.from({ length: 15 }, (_, n) => `SA-0${3_001 + n}`), 'refused'])
  t.true(sixteen.statements <= 6, `open, load, skip, load, store, record: ${sixteen.statements}`)
  t.deepEqual((await run([1])).numbers, ['SA-03016'])
})
