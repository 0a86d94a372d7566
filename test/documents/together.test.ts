/** The commands of several tenants in one unit of work have the same answers, events and postings as if each had run alone. */

import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { listOperations } from '../../lib/domain/manufacturing/operations/endpoints.ts'
import { startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder as createMake } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import {
  listManufacturingOrders as listMakes,
  listProductionTasks,
} from '../../lib/domain/manufacturing/orders/endpoints.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { listRecipes } from '../../lib/domain/manufacturing/recipes/endpoints.ts'
import { customerEndpoints, supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { listStoragePlaces } from '../../lib/domain/places/endpoints.ts'
import { createLandedCost } from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { createOrder as createPurchaseOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { createSupplierItem } from '../../lib/domain/purchasing/supplier-items/commands.ts'
import { levelsMax } from '../../lib/domain/stock/level-load.ts'
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { shape } from '../../lib/kit/api/fields.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { BULK, type Command, type Outcome } from '../../lib/pipeline/command.ts'
import { parseJson } from '../../lib/platform/json.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import type { TenantBatch } from '../../lib/work/tenant-run.ts'
import { salesroom } from '../sales/salesroom.ts'
import { usualLevels } from '../stock/usual-levels.ts'
import type { Loose, TestTenant } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { unitDependencies } from '../support/units.ts'
import { parsed, plain } from './comparable.ts'

const test = testsOf(import.meta)

/** `npm run torture` runs more. */
const RUNS = Number(process.env['TOGETHER_RUNS'] ?? 2)

const bench = await benchOfFile()
const units = await unitsOfFile()
test.afterEach.always(usualLevels)
/** The command as a caller sends it again after a refusal: a refusal stops commands that were accepted before it under its key. */
const acceptedAnew = (command: Command): Command => ({ ...command, acceptedAt: Date.now() + 60_000 })

/** The outcomes of the batches, each of another tenant, in one unit of work after the other until all are done. */
async function run(batches: readonly TenantBatch[]): Promise<Outcome[][]> {
  const outcomes = batches.map((): Outcome[] => [])
  for (;;) {
    const left = batches.flatMap(({ tenantId, commands }, at) => {
      const rest = commands.slice(outcomes[at]?.length).map(acceptedAnew)
      return rest.length === 0 ? [] : [{ at, batch: { tenantId, commands: rest } }]
    })
    if (left.length === 0) return outcomes
    const results = await units.outcomesOf(left.map(({ batch }) => batch))
    for (const [index, { at }] of left.entries()) outcomes[at]?.push(...(results[index] ?? []))
  }
}

/** The records of a run's commands, by name: the same name is another id in each tenant. */
type Names = Readonly<Record<string, string>>
type World = { readonly tenantId: string; readonly names: Names; readonly look: () => Promise<unknown> }

async function world(): Promise<World> {
  const {
    tenant,
    variant,
    place: makePlace,
    adjust,
    transfer,
    stock,
    movements,
    order,
    ship,
    giveBack,
  } = await salesroom(bench)
  const main = await makePlace('Main')
  const side = await makePlace('Side')
  const [wood, milk, cream] = [
    await variant('WOOD', { purchase_price: 3 }),
    await variant('MILK', { batch_tracked: true, shelf_life_days: 10 }),
    await variant('CREAM', { batch_tracked: true }),
  ]
  const opening = await adjust(
    [
      itemLine(wood, 200, { unit_cost: 2.5 }),
      itemLine(milk, 9, { unit_cost: 1.1, batch_number: 'OLD', expiry_date: '2097-01-31' }),
      ...smallBatches(milk),
    ],
    { storage_place_id: main, number: 'OPENING' },
  )
  await transfer({
    from_storage_place_id: main,
    to_storage_place_id: main,
    number: 'HELD',
    items: opening.items
      .filter((each: Loose) => each.batch_number?.startsWith('HELD'))
      .map(({ quantity, batch_id }: Loose) => itemLine(milk, quantity, { batch_id, to_quarantine: true })),
  })
  await migrate(tenant.id)
  const customer = await tenant.done(customerEndpoints.create, { title: 'Known' })
  const supplier = await tenant.done(supplierEndpoints.create, { title: 'Known' })
  const sold = []
  for (let n = 0; n < 3; n++)
    sold.push(
      await order([itemLine(wood, 30, { price: 4 }), itemLine(milk, 19, { price: 2 })], {
        customer_id: customer.id,
        allow_backorder: n > 0,
      }),
    )
  const shipped = []
  for (const { id, items } of sold.slice(0, 2))
    shipped.push(await ship({ id }, { items: [{ sales_order_item_id: items[0].id, quantity: 12 }] }))
  const held = []
  for (const quantity of [1, 3])
    held.push(
      await tenant.done(endpointOf('createReservation'), {
        expires_at: new Date(Date.parse(tenant.now) + 3_600_000),
        items: [itemLine(wood, quantity)],
      }),
    )
  await bench.pool.query(statement`
    update reservations set expires_at = now() + interval '20 days' where tenant_id = ${tenant.id}::bigint`)
  const back = await giveBack(sold[0], [{ sales_order_item_id: sold[0].items[0].id, quantity: 2 }])
  const maker = await tenant.done(supplierEndpoints.create, { title: 'Maker' })
  const item = (supplier_id: string, item_variant_id: string, extra: object = {}) =>
    tenant.done(createSupplierItem, { supplier_id, item_variant_id, ...extra })
  const supplied = [
    await item(supplier.id, wood, { conversion_rate: 12, price: 30, supplier_sku: 'W-12', is_preferred: true }),
    await item(maker.id, wood, { price: 3.5 }),
    await item(maker.id, milk, { conversion_rate: 6, currency: 'USD', price: 9 }),
  ]
  const bought = await tenant.done(createPurchaseOrder, {
    supplier_id: supplier.id,
    items: [
      itemLine(wood, 40, { price: 3 }),
      itemLine(cream, 20, { price: 1.5 }),
      { item_variant_id: wood, purchase_quantity: 6, conversion_rate: 7 },
    ],
  })
  const received = await tenant.done(
    createReceipt,
    { storage_place_id: main, items: [{ purchase_order_item_id: bought.items[0].id, quantity: 10 }] },
    { id: bought.id },
  )
  const again = await tenant.done(
    createReceipt,
    { storage_place_id: side, items: [{ purchase_order_item_id: bought.items[0].id, quantity: 3 }] },
    { id: bought.id },
  )
  const landed = await tenant.done(createLandedCost, {
    purchase_receipt_id: received.id,
    items: [{ title: 'Freight', amount: 7.77 }],
  })
  const adjusted = await adjust([itemLine(wood, 5, { unit_cost: 7 }), itemLine(milk, -2)], { storage_place_id: main })
  const moved = await transfer({ from_storage_place_id: main, to_storage_place_id: side, items: [itemLine(wood, 6)] })
  const counts: Loose[] = []
  for (const counted_quantity of [190, 7])
    counts.push(
      await tenant.done(endpointOf('createStockCount'), {
        storage_place_id: main,
        items: [{ item_variant_id: wood, counted_quantity }],
      }),
    )
  const [plain, pair] = [
    await tenant.done(createProduct, { title: 'Plain', sku: 'A', external_ref: 'p-1' }),
    await tenant.done(createProduct, { title: 'Pair', variants: [{ sku: 'B' }, { sku: 'C' }] }),
  ]
  await bench.pool.query(statement`update tenants set plan = 'free' where tenant_id = ${tenant.id}::bigint`)
  const hook = await tenant.done(endpointOf('createWebhookSubscription'), {
    url: 'https://example.com/0',
    events: ['product.updated', 'product.created'],
  })
  const names: Names = {
    ...(await workshop(tenant, { wood, milk })),
    ...Object.fromEntries(
      sold.flatMap((each, n) => [
        [`sold${n}`, each.id],
        [`sold${n}a`, each.items[0].id],
        [`sold${n}b`, each.items[1].id],
      ]),
    ),
    back: back.sales_return.id,
    shipped0: shipped[0]?.id,
    shipped1: shipped[1]?.id,
    received: received.id,
    received1: again.id,
    landed: landed.id,
    held0: held[0].id,
    held1: held[1].id,
    adjusted: adjusted.id,
    moved: moved.id,
    count0: counts[0].id,
    count1: counts[1].id,
    bought: bought.id,
    bought0: bought.items[0].id,
    bought1: bought.items[1].id,
    bought2: bought.items[2].id,
    maker: maker.id,
    ...Object.fromEntries(supplied.map(({ id }, n) => [`item${n}`, id])),
    main,
    side,
    wood,
    milk,
    cream,
    old: opening.items[1].batch_id,
    free: opening.items[2].batch_id,
    customer: customer.id,
    supplier: supplier.id,
    nobody: '1',
    plain: plain.id,
    plain0: plain.variants[0].id,
    pair: pair.id,
    pair0: pair.variants[0].id,
    pair1: pair.variants[1].id,
    woods: sold[0].items[0].item_id,
    milks: sold[0].items[1].item_id,
    creams: bought.items[1].item_id,
    hook: hook.id,
  }
  // The new rows of one round take their ids by variant and not by command. Nothing else may differ.
  const place = (id: string | null) => (id === null ? '' : id === main ? 'main' : 'side')
  const stocked = ['wood', 'milk', 'cream', 'plain0', 'table', 'red', 'blue'].map(each => names[each])
  const name = (row: Loose) =>
    `${stocked.indexOf(row.item_variant_id)} ${place(row.storage_place_id)} ${row.batch_number}`
  const look = async () => ({
    stock: (await stock()).sort((a, b) => (name(a) < name(b) ? -1 : 1)),
    movements: await movements(),
    products: await tenant.page(listProducts, { limit: 200 }),
    makes: await tenant.page(listMakes),
    recipes: await tenant.page(listRecipes),
    operations: await tenant.page(listOperations),
    places: await tenant.page(listStoragePlaces),
    purchases: await tenant.page(endpointOf('listPurchaseOrders')),
    supplied: await tenant.page(endpointOf('listSupplierItems')),
    landed: await tenant.page(endpointOf('listLandedCosts')),
    counts: await tenant.page(endpointOf('listStockCounts'), { limit: 200 }),
    counted: await Promise.all(
      counts.map(({ id }) => tenant.page(endpointOf('listStockCountItems'), { params: { id }, limit: 200 })),
    ),
    holds: await tenant.page(endpointOf('listReservations')),
    hooks: await tenant.page(endpointOf('listWebhookSubscriptions')),
    // Recoveries take their ids when they are written.
    deliveries: (await tenant.page(endpointOf('listWebhookDeliveries'), { params: { id: hook.id }, limit: 500 }))
      .map?.((each: Loose) => ({ ...each, id: null, event_id: null }))
      .sort((a: Loose, b: Loose) => (a.sequence ?? 0) - (b.sequence ?? 0)),
  })
  return { tenantId: tenant.id, names, look }
}

/**
 * Batches of which an outflow takes several: expired ones, ones that expire later, ones without an expiry, some to be quarantined, in no
 * order.
 */
const smallBatches = (variant: string) =>
  [
    '2020-01-31',
    null,
    '2098-03-01',
    '2020-02-01',
    '2096-01-01',
    '2098-02-01',
    null,
    '2020-01-30',
    '2097-01-31',
  ].flatMap((expiry_date, n) =>
    ['FREE', 'HELD'].map((name, odd) => ({
      item_variant_id: variant,
      quantity: 3 + ((n + odd) % 3),
      unit_cost: 1.3,
      batch_number: `${name}-${n}`,
      expiry_date,
    })),
  )

/** A product, its recipe, and three manufacturing orders of it, one of which is not started. */
async function workshop(tenant: TestTenant, { wood, milk }: Record<'wood' | 'milk', string>): Promise<Names> {
  const table = await tenant.done(createProduct, { title: 'Table', sku: 'TABLE' })
  const chair = await tenant.done(createProduct, { title: 'Chair', variants: [{ sku: 'RED' }, { sku: 'BLUE' }] })
  const saw = await tenant.done(createOperation, { title: 'Sawing', cost_per_hour: 31.7, unit_name: 'saw' })
  const materials = [itemLine(wood, 1.5)]
  const operations = [{ operation_id: saw.id, duration: 0.3 }]
  const recipes = [
    await tenant.done(createRecipe, { item_variant_id: table.variants[0].id, materials, operations }),
    await tenant.done(createRecipe, { item_id: chair.id, materials }),
  ]
  const make = (id: string, quantity: number, extra: object = {}) =>
    tenant.done(createMake, { item_variant_id: id, quantity, ...extra })
  const makes = [
    await make(table.variants[0].id, 3),
    await make(table.variants[0].id, 6),
    await make(milk, 5, { items: materials }),
  ]
  for (const { id } of makes.slice(1)) await tenant.done(startOrder, {}, { id })
  const [task] = await tenant.page(listProductionTasks, { params: { id: makes[1].id } })
  return {
    table: table.variants[0].id,
    chair: chair.id,
    red: chair.variants[0].id,
    blue: chair.variants[1].id,
    saw: saw.id,
    task: task.id,
    ...Object.fromEntries(recipes.map(({ id }, n) => [`recipe${n}`, id])),
    ...Object.fromEntries(
      makes.flatMap(({ id, items }, n) => [
        [`make${n}`, id],
        [`make${n}a`, items[0].id],
      ]),
    ),
  }
}

/**
 * Makes documents with numbers that the counter would use later: gaps of one and two, and more numbers in a row than one round asks for.
 */
async function migrate(tenantId: string): Promise<void> {
  const numbers = [...[4, 6, 9], ...Array.from({ length: 40 }, (_, n) => 12 + n), 53].map(n =>
    String(n).padStart(5, '0'),
  )
  await bench.pool.query(statement`
    insert into stock_adjustments (tenant_id, id, number, date, reason, total_amount, created_at, updated_at)
    select ${tenantId}::bigint, nextval('ids'), 'SA-' || n, now(), 'INITIAL', 0, now(), now()
    from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) n`)
  await bench.pool.query(statement`
    insert into stock_transfers (tenant_id, id, number, date, created_at, updated_at)
    select ${tenantId}::bigint, nextval('ids'), 'ST-' || n, now(), now(), now()
    from jsonb_array_elements_text(${JSON.stringify(numbers.slice(2))}::jsonb) n`)
}

type Step = {
  readonly endpoint: string
  readonly path?: string
  readonly body: (names: Names) => Loose
  readonly again: boolean
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
/** Mostly null, and now and then one of a few values, so that several commands use the same value. */
const seldom = <T>(...values: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: oneOf(...values) })
const head = (prefix: string) => ({
  number: seldom(`${prefix}-00002`, `${prefix}-00005`, 'MINE'),
  external_ref: seldom('one', 'two'),
})
const variant = fc.oneof(
  { weight: 20, arbitrary: oneOf('wood', 'wood', 'milk', 'milk', 'cream') },
  { weight: 1, arbitrary: oneOf('nobody', 'plain0') },
)
const somewhere = oneOf('main', 'main', 'main', 'side', null)

const adjustment = fc
  .record({
    ...head('SA'),
    place: oneOf(undefined, 'main', 'side', null),
    items: fc.array(
      fc.record({
        variant,
        quantity: fc.integer({ min: -19, max: 9 }),
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
    items: fc.array(
      fc.record({ variant, quantity: fc.integer({ min: 1, max: 19 }), out: seldom(true), quarantine: fc.boolean() }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ from, to, items, ...rest }) => ({
    endpoint: 'createStockTransfer',
    body: (names: Names) => ({
      ...rest,
      from_storage_place_id: from === null ? null : names[from],
      to_storage_place_id: to === null ? null : names[to],
      items: items.map(({ variant: name, quantity, out, quarantine }) => ({
        item_variant_id: names[name],
        quantity,
        from_quarantine: out ?? false,
        to_quarantine: quarantine,
      })),
    }),
  }))

const countedBatch = (names: Names, name: string, batch: string | null) => {
  if (name === 'wood' || batch === null) return {}
  return batch === 'id' ? { batch_id: names['old'] } : { batch_number: batch }
}

const count = fc
  .record({
    ...head('SC'),
    n: oneOf(null, 0, 0, 0, 1),
    items: fc.array(
      fc.record({
        variant: oneOf('wood', 'milk', 'milk', 'milk', 'cream'),
        counted: oneOf(0, 3, 9, 190),
        batch: oneOf(null, 'id', 'OLD', 'OLD', 'FREE-0', 'NEW'),
        removed: seldom(true, true),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ n, number, external_ref, items }) => ({
    endpoint: n === null ? 'createStockCount' : 'updateStockCount',
    ...(n === null ? {} : { path: `count${n}` }),
    body: (names: Names) => ({
      external_ref,
      ...(n === null ? { number } : {}),
      ...(n !== null && items.length === 0
        ? { title: 'Counted' }
        : {
            items: items.map(({ variant: name, counted, batch, removed }) => ({
              item_variant_id: names[name],
              ...countedBatch(names, name, batch),
              ...(removed && n !== null ? { remove: true } : { counted_quantity: counted }),
            })),
          }),
    }),
  }))

const endCount = oneOf(
  ['completeStockCount', 'count0'],
  ['completeStockCount', 'count0'],
  ['completeStockCount', 'count1'],
  ['cancelStockCount', 'count1'],
).map(([endpoint = '', path = '']) => ({ endpoint, path, body: () => ({}) }))

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString()
const shipping = { title: 'Shipping', amount: 4.995, tax_rate: 19 }

const order = (endpoint: string, prefix: string, partner: 'customer' | 'supplier') =>
  fc
    .record({
      ...head(prefix),
      who: oneOf('id', 'id', 'ref', 'ref', 'ref', 'new', 'new', 'nobody'),
      ref: oneOf('shop-1', 'shop-2'),
      backorder: fc.boolean(),
      hold: seldom('held0', 'held1', 'nobody'),
      discount_percent: oneOf(0, 0, 12.5),
      charged: fc.boolean(),
      items: fc.array(fc.record({ variant, quantity: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 3 }),
      units: oneOf('boxes', 'pieces', 'given'),
    })
    .map(({ who, ref, backorder, hold, discount_percent, charged, items, units, ...rest }) => ({
      endpoint,
      body: (names: Names) => ({
        ...rest,
        ...(partner === 'customer' ? { allow_backorder: backorder, charges: charged ? [shipping] : [] } : {}),
        ...(partner === 'customer' && hold !== null ? { reservation_id: names[hold] } : {}),
        ...(who === 'id' || who === 'nobody' ? { [`${partner}_id`]: names[who === 'id' ? partner : 'nobody'] } : {}),
        ...(who === 'ref' ? { [partner]: { title: `By ${ref}`, external_ref: ref } } : {}),
        ...(who === 'new' ? { [partner]: { title: 'New' } } : {}),
        items: items.map(({ variant: name, quantity }) => ({
          ...{ item_variant_id: names[name], discount_percent },
          ...(partner === 'supplier' && units === 'boxes' ? { purchase_quantity: quantity } : { quantity }),
          ...(partner === 'supplier' && units !== 'given' ? {} : { price: 2.35 }),
        })),
      }),
    }))

const newHold = fc
  .record({
    ...head('RV'),
    customer: oneOf(undefined, undefined, 'customer', 'nobody'),
    items: fc.array(fc.record({ variant, quantity: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ customer, items, ...rest }) => ({
    endpoint: 'createReservation',
    body: (names: Names) => ({
      ...rest,
      ...(customer === undefined ? {} : { customer_id: names[customer] }),
      expires_at: IN_A_DAY,
      items: items.map(({ variant: name, quantity }) => itemLine(names[name], quantity)),
    }),
  }))

const changeHold = fc
  .record({
    path: oneOf('held0', 'held1', 'nobody'),
    endpoint: oneOf('updateReservation', 'releaseReservation'),
    notes: seldom('x', 'y'),
    ref: seldom('one', 'two'),
    end: oneOf(undefined, IN_A_DAY, '2020-01-01T00:00:00.000Z'),
  })
  .map(({ path, endpoint, notes, ref, end }) => ({
    endpoint,
    path,
    body: () =>
      endpoint === 'releaseReservation'
        ? {}
        : {
            ...(notes === null ? {} : { notes }),
            ...(ref === null ? {} : { external_ref: ref }),
            ...(end === undefined ? {} : { expires_at: end }),
          },
  }))

const which = fc.integer({ min: 0, max: 2 })
const few = fc.integer({ min: 1, max: 14 })

const handling = fc
  .record({
    n: which,
    endpoint: oneOf('createShipment', 'createPacking'),
    items: fc.array(fc.record({ line: oneOf('a', 'b'), quantity: few, batch: seldom('old') }), {
      minLength: 1,
      maxLength: 2,
    }),
    all: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ n, endpoint, items, all }) => ({
    endpoint,
    path: `sold${n}`,
    body: (names: Names) =>
      all === 0
        ? {}
        : {
            items: items.map(({ line, quantity, batch }) => ({
              sales_order_item_id: names[`sold${n}${line}`],
              quantity,
              batch_id: batch === null ? null : names[batch],
            })),
          },
  }))

const change = fc
  .record({
    n: which,
    notes: seldom('x', 'y'),
    ref: seldom('one', 'two'),
    quantity: fc.integer({ min: 1, max: 60 }),
    line: oneOf('a', 'b'),
    place: oneOf(undefined, undefined, undefined, 'main', 'side', null),
    added: fc.boolean(),
    charges: oneOf(undefined, undefined, [], [shipping]),
    end: fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: oneOf(
          { status: 'CANCELLED' },
          { status: 'DONE' },
          { delivery_status: 'SHIPPED' },
          { delivery_status: 'PACKED' },
        ),
      },
    ),
  })
  .map(({ n, notes, ref, quantity, line, place, added, charges, end }) => ({
    endpoint: 'updateSalesOrder',
    path: `sold${n}`,
    body: (names: Names) => ({
      ...(notes === null ? {} : { notes }),
      ...(ref === null ? {} : { external_ref: ref }),
      items: [
        {
          id: names[`sold${n}${line}`],
          quantity,
          ...(place === undefined ? {} : { storage_place_id: place === null ? null : names[place] }),
        },
        ...(added ? [itemLine(names['milk'], 1)] : []),
      ],
      ...(charges === undefined ? {} : { charges }),
      ...end,
    }),
  }))

const parcel = fc
  .record({ path: oneOf('shipped0', 'shipped1', 'nobody'), carrier: oneOf('Post', null) })
  .map(given => ({ endpoint: 'updateSalesShipment', path: given.path, body: () => ({ carrier: given.carrier }) }))

const giveBack = fc
  .record({ n: which, line: oneOf('a', 'b'), quantity: few, batch: seldom('old') })
  .map(({ n, line, quantity, batch }) => ({
    endpoint: 'createSalesReturn',
    body: (names: Names) => ({
      sales_order_id: names[`sold${n}`],
      items: [
        { sales_order_item_id: names[`sold${n}${line}`], quantity, batch_id: batch === null ? null : names[batch] },
      ],
    }),
  }))

const endReturn = oneOf('receiveSalesReturn', 'cancelSalesReturn').map(endpoint => ({
  endpoint,
  path: 'back',
  body: () => ({}),
}))

const receipt = fc
  .record({
    line: oneOf('0', '1', '2'),
    boxes: fc.boolean(),
    quantity: few,
    batch: seldom('NEW', 'OLD'),
    ...head('PR'),
  })
  .map(({ line, boxes, quantity, batch, ...rest }) => ({
    endpoint: 'createPurchaseReceipt',
    path: 'bought',
    body: (names: Names) => ({
      ...rest,
      storage_place_id: names['main'],
      items: [
        {
          purchase_order_item_id: names[`bought${line}`],
          ...(boxes ? { purchase_quantity: quantity / 2 } : { quantity }),
          batch_number: line === '2' ? null : batch,
        },
      ],
    }),
  }))

const land = fc
  .record({
    ...head('LC'),
    place: oneOf(undefined, 'main', 'side', null),
    items: fc.array(
      fc.record({
        title: fc.constant('Freight'),
        amount: oneOf(0.0001, 3.3333, 50),
        distribution: oneOf('VALUE', 'QUANTITY'),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    to: oneOf('received', 'received', 'received1', 'nobody'),
  })
  .map(({ place, to, ...rest }) => ({
    endpoint: 'createLandedCost',
    body: (names: Names) => ({
      ...rest,
      purchase_receipt_id: names[to],
      ...(place === undefined ? {} : { storage_place_id: place === null ? null : names[place] }),
    }),
  }))

const amend = fc
  .record({
    ref: seldom('one', 'two'),
    who: seldom('supplier', 'maker', 'maker', 'nobody'),
    place: oneOf(undefined, undefined, 'main', 'side', null),
    line: oneOf('0', '0', '1', '2', undefined),
    boxed: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 60 }),
    price: oneOf(undefined, 1.25, 3),
    batch: oneOf(undefined, undefined, undefined, null, 'NEW', 'OLD'),
    added: oneOf(undefined, undefined, 'wood', 'cream'),
    removed: seldom(true),
  })
  .map(({ ref, who, place, line, boxed, quantity, price, batch, added, removed }) => ({
    endpoint: 'updatePurchaseOrder',
    path: 'bought',
    body: (names: Names) => {
      const inBoxes = { purchase_quantity: quantity / 4, purchase_price: price }
      const changed =
        line === '2' && boxed ? inBoxes : { quantity, price, ...(line === '1' ? { batch_number: batch } : {}) }
      const items = [
        ...(line === undefined ? [] : [{ id: names[`bought${line}`], ...(removed ? { remove: true } : changed) }]),
        ...(added === undefined
          ? []
          : [{ item_variant_id: names[added], [boxed ? 'purchase_quantity' : 'quantity']: 2 }]),
      ]
      return {
        ...(ref === null ? {} : { external_ref: ref }),
        ...(who === null ? {} : { supplier_id: names[who] }),
        ...(place === undefined ? {} : { storage_place_id: place === null ? null : names[place] }),
        ...(items.length === 0 ? {} : { items }),
      }
    },
  }))

const supplierItem = fc
  .record({
    ref: seldom('one', 'two'),
    who: oneOf('supplier', 'maker', 'maker', 'nobody'),
    variant: oneOf('wood', 'milk', 'cream'),
    rate: oneOf(12, 0.5),
    preferred: fc.boolean(),
  })
  .map(({ ref, who, variant: name, rate, preferred }) => ({
    endpoint: 'createSupplierItem',
    body: (names: Names) => ({
      ...{ supplier_id: names[who], item_variant_id: names[name], external_ref: ref },
      ...{ conversion_rate: rate, price: 7, is_preferred: preferred },
    }),
  }))

const changeItem = fc
  .record({
    path: oneOf('item0', 'item0', 'item1', 'item2'),
    price: oneOf(undefined, null, 8),
    preferred: oneOf(undefined, true, false),
    archived: oneOf(undefined, true, false, false),
    ref: seldom('one', 'two'),
  })
  .map(({ path, price, preferred, archived, ref }) => ({
    endpoint: 'updateSupplierItem',
    path,
    body: () => ({
      ...(price === undefined ? {} : { price }),
      ...(preferred === undefined ? {} : { is_preferred: preferred }),
      ...(archived === undefined ? {} : { archived }),
      ...(ref === null ? {} : { external_ref: ref }),
    }),
  }))

const close = fc.constant({ endpoint: 'closePurchaseOrder', path: 'bought', body: () => ({}) })

const reversal = oneOf(
  ['reverseSalesShipment', 'shipped0'],
  ['reverseSalesShipment', 'shipped1'],
  ['reversePurchaseReceipt', 'received'],
  ['reversePurchaseReceipt', 'received1'],
  ['reverseLandedCost', 'landed'],
  ['reverseStockAdjustment', 'adjusted'],
  ['reverseStockTransfer', 'moved'],
).map(([endpoint = '', path = '']) => ({ endpoint, path, body: () => ({ reason: 'a mistake' }) }))

const partner = fc
  .record({ ref: seldom('shop-1', 'shop-2'), title: oneOf('Ash', 'Birch'), city: oneOf('Bremen', 'Kiel') })
  .map(({ ref, title, city }) => ({
    endpoint: 'updateCustomer',
    path: 'customer',
    body: () => ({ title, shipping_address: { city }, ...(ref === null ? {} : { external_ref: ref }) }),
  }))

/** The main place may hold more, and the other one is empty now and then. */
const place = fc
  .record({
    path: oneOf('side', 'side', 'main'),
    manufacturing_allowed: oneOf(true, true, false),
    archived: oneOf(undefined, true, false, false),
    city: oneOf(undefined, 'Bremen', 'Kiel'),
  })
  .map(({ path, city, ...body }) => ({
    endpoint: 'updateStoragePlace',
    path,
    body: () => ({ ...body, ...(city === undefined ? {} : { address: { city } }) }),
  }))

const sku = oneOf(null, 'A', 'B', 'C', 'D', 'WOOD', 'WOOD')
const unit = oneOf(undefined, undefined, 'm', 'kg')

const newProduct = fc
  .record({
    unit,
    ref: seldom('p-1', 'p-2'),
    skus: fc.array(sku, { minLength: 1, maxLength: 2 }),
    attributes: oneOf({}, { size: 'L', colour: 'a "b"', 10: 'ten', 9: 'nine' }),
  })
  .map(({ unit, ref, skus, attributes }) => ({
    endpoint: 'createProduct',
    body: () => ({
      title: 'Made',
      external_ref: ref,
      ...(unit === undefined ? {} : { unit_name: unit }),
      variants: skus.map(each => ({ sku: each, attributes })),
    }),
  }))

const changeProduct = fc
  .record({
    product: oneOf('plain', 'plain', 'pair', 'pair', 'pair', 'woods', 'milks', 'creams', 'chair', 'chair'),
    redArchived: oneOf(undefined, undefined, true, false),
    unit,
    title: oneOf(undefined, 'Old', 'New'),
    ref: oneOf(undefined, undefined, null, 'p-1', 'p-2'),
    archived: oneOf(undefined, undefined, undefined, false, true),
    tracked: oneOf(undefined, undefined, undefined, undefined, true, false),
    variant: oneOf('0', '1', 'new', undefined),
    sku,
    variantArchived: oneOf(undefined, true, false),
  })
  .map(({ product, unit, title, ref, archived, tracked, variant: entry, sku, variantArchived, redArchived }) => ({
    endpoint: 'updateProduct',
    path: product,
    body: (names: Names) => ({
      ...(title === undefined ? {} : { title }),
      ...(unit === undefined ? {} : { unit_name: unit }),
      ...(ref === undefined ? {} : { external_ref: ref }),
      // Products that are sold and bought are archived rarely, so that most commands can sell and buy them.
      ...(archived === undefined || (archived && product.endsWith('s') && title !== 'Old') ? {} : { archived }),
      ...(tracked === undefined ? {} : { batch_tracked: tracked }),
      ...(entry === 'new' ? { variants: [{ sku }] } : {}),
      ...(product === 'chair' && entry === '0' && redArchived !== undefined
        ? { variants: [{ id: names['red'], archived: redArchived, title: `Red ${sku}` }] }
        : {}),
      ...(entry === undefined || entry === 'new' || names[`${product}${entry}`] === undefined
        ? {}
        : {
            variants: [
              {
                id: names[`${product}${entry}`],
                sku,
                ...(variantArchived === undefined ? {} : { archived: variantArchived }),
              },
            ],
          }),
    }),
  }))

const madeOf = fc.array(
  fc.record({
    variant: oneOf('wood', 'table', 'red', 'blue', 'milk', 'nobody'),
    quantity: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 0, maxLength: 2 },
)
const linesOf = (names: Names, lines: readonly { readonly variant: string; readonly quantity: number }[]) =>
  lines.map(({ variant: name, quantity }) => itemLine(names[name], quantity))

const make = fc
  .record({
    ...head('MO'),
    variant: oneOf('table', 'table', 'red', 'blue', 'milk', 'wood', 'nobody'),
    quantity: fc.integer({ min: 1, max: 4 }),
    place: oneOf(undefined, undefined, 'side'),
    recipe: oneOf(undefined, undefined, undefined, 'recipe0', 'recipe1'),
    sale: seldom('sold0', 'sold1'),
    items: fc.option(madeOf, { freq: 2, nil: undefined }),
    batch: seldom('NEW', 'OLD', 'MO-00005'),
  })
  .map(({ variant: name, place, recipe, sale, items, batch, ...rest }) => ({
    endpoint: 'createManufacturingOrder',
    body: (names: Names) => ({
      ...rest,
      item_variant_id: names[name],
      ...(place === undefined ? {} : { manufacturing_location_id: names[place] }),
      ...(recipe === undefined ? {} : { recipe_id: names[recipe] }),
      ...(sale === null ? {} : { sales_order_id: names[sale] }),
      ...(items === undefined ? {} : { items: linesOf(names, items) }),
      ...(batch === null || name !== 'milk' ? {} : { output_batch_number: batch }),
    }),
  }))

const complete = fc
  .record({
    n: which,
    quantity: oneOf(undefined, 0, 0, 1, 1, 2, 9),
    is_final: oneOf(true, false, false),
    quarantine: oneOf(true, false, false),
    place: oneOf(undefined, undefined, 'main', 'side'),
    hours: seldom(0, 0.7, 4),
    batch: seldom('NEW', 'OLD'),
  })
  .map(({ n, quantity, place, hours, batch, ...rest }) => ({
    endpoint: 'completeManufacturingOrder',
    path: `make${n}`,
    body: (names: Names) => ({
      ...rest,
      ...(quantity === undefined ? {} : { quantity }),
      ...(place === undefined ? {} : { storage_place_id: names[place] }),
      ...(hours === null ? {} : { tasks: [{ id: names['task'], actual_duration: hours }] }),
      ...(batch === null || n !== 2 ? {} : { output_batch_number: batch }),
    }),
  }))

const move = fc
  .record({
    n: which,
    endpoint: oneOf(
      'startManufacturingOrder',
      'startManufacturingOrder',
      'blockManufacturingOrder',
      'unblockManufacturingOrder',
      'deleteManufacturingOrder',
    ),
  })
  .map(({ n, endpoint }) => ({ endpoint, path: `make${n}`, body: () => ({}) }))

const changeMake = fc
  .record({
    n: which,
    notes: seldom('x', 'y'),
    ref: seldom('one', 'two'),
    quantity: oneOf(undefined, 1, 3, 0.333333),
    place: oneOf(undefined, undefined, undefined, 'main', 'side'),
    priority: seldom(1, 2),
    batch: seldom('NEW', 'OLD'),
    line: oneOf(undefined, 2, 5, null),
    added: oneOf(undefined, undefined, 'wood', 'milk', 'nobody'),
  })
  .map(({ n, notes, ref, quantity, place, priority, batch, line, added }) => ({
    endpoint: 'updateManufacturingOrder',
    path: `make${n}`,
    body: (names: Names) => {
      const items = [
        ...(line === undefined
          ? []
          : [{ id: names[`make${n}a`], ...(line === null ? { remove: true } : { quantity: line }) }]),
        ...(added === undefined ? [] : [itemLine(names[added], 2)]),
      ]
      return {
        ...(notes === null ? {} : { notes }),
        ...(ref === null ? {} : { external_ref: ref }),
        ...(quantity === undefined ? {} : { quantity }),
        ...(place === undefined ? {} : { manufacturing_location_id: names[place] }),
        ...(priority === null ? {} : { priority }),
        ...(batch === null || n !== 2 ? {} : { output_batch_number: batch }),
        ...(items.length === 0 ? {} : { items }),
      }
    },
  }))

const materials = fc
  .record({
    n: which,
    items: fc.array(
      fc.record({
        variant: oneOf('wood', 'wood', 'milk', 'milk', 'nobody'),
        quantity: oneOf(-3, -1, 1, 4),
        old: seldom(true),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ n, items }) => ({
    endpoint: 'moveMaterials',
    path: `make${n}`,
    body: (names: Names) => ({
      items: items.map(({ variant: name, quantity, old }) => ({
        item_variant_id: names[name],
        quantity,
        ...(old === null ? {} : { batch_id: names['old'] }),
      })),
    }),
  }))

const changeBatch = fc
  .record({
    path: oneOf('old', 'old', 'free', 'nobody'),
    number: oneOf(undefined, undefined, 'OLD', 'NEW', 'FREE-0'),
    expiry: oneOf(undefined, '2020-01-01', '2099-01-01', null),
  })
  .map(({ path, number, expiry }) => ({
    endpoint: 'updateBatch',
    path,
    body: () => ({
      ...(number === undefined ? {} : { number }),
      ...(expiry === undefined ? {} : { expiry_date: expiry }),
    }),
  }))

const recipe = fc
  .record({
    ref: seldom('one', 'two'),
    of: oneOf('table', 'red', 'blue', 'wood', 'chair'),
    materials: madeOf,
    works: fc.boolean(),
    change: oneOf(null, null, 'recipe0', 'recipe1'),
  })
  .map(({ ref, of, materials, works, change: changed }) => ({
    endpoint: changed === null ? 'createRecipe' : 'updateRecipe',
    ...(changed === null ? {} : { path: changed }),
    body: (names: Names) => ({
      external_ref: ref,
      materials: linesOf(names, materials),
      ...(works ? { operations: [{ operation_id: names['saw'], duration: 0.1 }] } : {}),
      ...(changed === null ? { [of === 'chair' ? 'item_id' : 'item_variant_id']: names[of] } : {}),
    }),
  }))

const operation = fc
  .record({ ref: seldom('one', 'two'), unit: oneOf('saw', 'bench', 'oven', null), isNew: fc.boolean() })
  .map(({ ref, unit, isNew }) => ({
    endpoint: isNew ? 'createOperation' : 'updateOperation',
    ...(isNew ? {} : { path: 'saw' }),
    body: () => ({ title: `At ${unit}`, cost_per_hour: 12.5, unit_name: unit, external_ref: ref }),
  }))

const target = fc.record({
  url: oneOf('https://example.com/0', 'https://example.com/1'),
  events: oneOf(['*'], ['product.updated', 'product.created'], ['stock.changed']),
})

const newHook = target.map(body => ({ endpoint: 'createWebhookSubscription', body: () => body }))

const hook = fc
  .tuple(
    target,
    oneOf(
      ...['updateWebhookSubscription', 'updateWebhookSubscription', 'rotateWebhookSecret', 'rotateWebhookSecret'],
      ...['testWebhookSubscription', 'recoverWebhookSubscription', 'recoverWebhookSubscription'],
      ...['deleteWebhookSubscription'],
    ),
    oneOf({}, { enabled: true }, { enabled: false }),
    fc.boolean(),
  )
  .map(([to, endpoint, switched, moves]) => ({
    endpoint,
    path: 'hook',
    body: () => {
      if (endpoint.startsWith('update')) return { ...(moves ? to : {}), ...switched }
      if (endpoint.startsWith('rotate')) return { overlap_seconds: moves ? 3600 : 0 }
      return endpoint.startsWith('recover') ? { since: '2020-01-01T00:00:00Z' } : {}
    },
  }))

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: adjustment },
      { weight: 3, arbitrary: order('createSalesOrder', 'SO', 'customer') },
      { weight: 3, arbitrary: newHold },
      { weight: 3, arbitrary: changeHold },
      { weight: 2, arbitrary: order('createPurchaseOrder', 'PO', 'supplier') },
      { weight: 2, arbitrary: transfer },
      { weight: 4, arbitrary: handling },
      { weight: 4, arbitrary: change },
      { weight: 2, arbitrary: giveBack },
      { weight: 1, arbitrary: endReturn },
      { weight: 3, arbitrary: receipt },
      { weight: 3, arbitrary: reversal },
      { weight: 3, arbitrary: land },
      { weight: 6, arbitrary: count },
      { weight: 1, arbitrary: endCount },
      { weight: 2, arbitrary: parcel },
      { weight: 3, arbitrary: amend },
      { weight: 1, arbitrary: close },
      { weight: 2, arbitrary: supplierItem },
      { weight: 3, arbitrary: changeItem },
      { weight: 1, arbitrary: partner },
      { weight: 2, arbitrary: place },
      { weight: 2, arbitrary: newProduct },
      { weight: 4, arbitrary: changeProduct },
      { weight: 1, arbitrary: newHook },
      { weight: 3, arbitrary: hook },
      { weight: 5, arbitrary: make },
      { weight: 5, arbitrary: complete },
      { weight: 4, arbitrary: move },
      { weight: 4, arbitrary: changeMake },
      { weight: 5, arbitrary: materials },
      { weight: 3, arbitrary: changeBatch },
      { weight: 3, arbitrary: recipe },
      { weight: 1, arbitrary: operation },
    ),
    oneOf(true, ...Array.from({ length: 9 }, () => false)),
  )
  .map(([each, again]) => ({ ...each, again }))

/** The commands of a run. Some have the key of the one before. */
function commandsOf({ tenantId, names }: Pick<World, 'tenantId' | 'names'>, steps: readonly Step[]): Command[] {
  const run = randomUUID()
  let key = ''
  return steps.flatMap((each, at) => {
    key = each.again && at > 0 ? key : `${run}-${at}`
    const endpoint = unitDependencies.endpointById.get(each.endpoint) as CommandEndpoint
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
        params: each.path === undefined ? {} : { id: names[each.path] ?? '' },
        body: JSON.parse(JSON.stringify(body)),
        replyTo: '',
        quota: null,
        acceptedAt: Date.now(),
      },
    ]
  })
}

async function told({ tenantId }: World): Promise<unknown[]> {
  const events = await bench.pool.any(rows(v.object({ type: v.string(), body: v.string() }))`
    select type, body from events where tenant_id = ${tenantId} order by sequence`)
  // Two commands of one unit run at the same time, so the second does not change updated_at, and perhaps changes nothing else.
  return events.map(({ type, body }) => {
    const event = JSON.parse(body)
    const { updated_at, ...previous } = event.previous ?? {}
    return { type, ...event, previous: Object.keys(previous).length === 0 ? null : previous }
  })
}

/**
 * The outcomes of the commands in bulks of one transaction each. If one command of a bulk is refused, nothing of the bulk may have
 * happened. The commands before it then run as a bulk and must all be done, and the refused one runs alone and must be refused again.
 */
async function runInBulks(commands: readonly Command[], sizes: Iterator<number>, t: ExecutionContext) {
  const outcomes: Outcome[] = []
  const runAll = async (given: readonly Command[], oneByOne: boolean): Promise<readonly Outcome[]> => {
    const entries = given.map(acceptedAnew)
    const bulk = { ...(entries[0] as Command), requestId: `req_${randomUUID()}`, endpoint: BULK, entries }
    const batch = { tenantId: bulk.tenantId, commands: [bulk] }
    const run = (await units.run([batch], { oneByOne })).get(bulk.tenantId)
    if (run?.is === 'too large') return runAll(entries, true)
    const outcome = run?.is === 'ran' ? run.ended[0]?.outcome : undefined
    return outcome?.kind === 'done' ? (outcome.entries ?? []) : []
  }
  while (outcomes.length < commands.length) {
    const size = sizes.next().value
    const entries = commands.slice(outcomes.length, outcomes.length + 1 + size)
    const results = await runAll(entries, size % 3 === 0)
    if (results.length === 0) throw new Error('a bulk has no outcomes')
    const refused = results.findIndex(each => each.kind === 'refused' && each.refusal.refusal !== 'not_applied')
    if (refused === -1) {
      outcomes.push(...results)
      continue
    }
    t.true(results.every((each, at) => at === refused || each.kind === 'refused' || each.replayed))
    let refusal = results[refused] as Outcome
    if (refused > 0) {
      const before = await runAll(entries.slice(0, refused), false)
      t.true(before.every(({ kind }) => kind === 'done'))
      outcomes.push(...before)
      // The command runs again as a request of its own: its first refusal may name a record that was rolled back, and that refusal is
      // remembered.
      const again = { ...(entries[refused] as Command), requestId: `req_${randomUUID()}` }
      refusal = (await runAll([again], false))[0] as Outcome
      t.is(refusal.kind, 'refused')
    }
    outcomes.push(refusal)
  }
  return outcomes
}

test('random commands of several tenants answer, tell and post the same in units of any size, and in bulks, as one by one', async t => {
  let together = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), { minLength: 3, maxLength: 3 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 12 })),
      async (stepsOf, sizes) => {
        const alone = await Promise.all(stepsOf.map(world))
        const units = await Promise.all(stepsOf.map(world))
        const inBulks = await world()
        const single: Outcome[][] = []
        levelsMax.together = 400
        for (const [at, each] of alone.entries()) {
          const outcomes: Outcome[] = []
          for (const command of commandsOf(each, stepsOf[at] ?? []))
            outcomes.push(...((await run([{ tenantId: each.tenantId, commands: [command] }]))[0] ?? []))
          single.push(outcomes)
        }
        // Commands that run together often lack stock levels.
        levelsMax.together = 6
        const commands = units.map((each, at) => commandsOf(each, stepsOf[at] ?? []))
        const grouped = units.map((): Outcome[] => [])
        while (grouped.some((outcomes, at) => outcomes.length < (commands[at]?.length ?? 0))) {
          const batches = units.flatMap(({ tenantId }, at) => {
            const begin = grouped[at]?.length ?? 0
            const some = (commands[at] ?? []).slice(begin, begin + (sizes.next().value ?? 1))
            return some.length === 0 ? [] : [{ at, batch: { tenantId, commands: some } }]
          })
          const outcomes = await run(batches.map(({ batch }) => batch))
          for (const [index, { at }] of batches.entries()) grouped[at]?.push(...(outcomes[index] ?? []))
        }
        const bulked = await runInBulks(commandsOf(inBulks, stepsOf[0] ?? []), sizes, t)
        t.deepEqual(plain(bulked.map(parsed)), plain(single[0]?.map(parsed)))
        t.deepEqual(plain(await told(inBulks)), plain(await told(alone[0] as World)))
        t.deepEqual(plain(await inBulks.look()), plain(await (alone[0] as World).look()))
        together += grouped.flat().length
        refused += grouped.flat().filter(({ kind }) => kind === 'refused').length
        for (const [at, each] of units.entries()) {
          const other = alone[at] as World
          t.deepEqual(plain(grouped[at]?.map(parsed)), plain(single[at]?.map(parsed)))
          t.deepEqual(plain(await told(each)), plain(await told(other)))
          t.deepEqual(plain(await each.look()), plain(await other.look()))
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  t.log(`${together} commands in units of work, ${refused} of them refused`)
  t.true(refused > 5 * RUNS && together - refused > 10 * RUNS, 'the commands were both done and refused')
})
