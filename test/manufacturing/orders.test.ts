/** The guarantees of making, reading and listing manufacturing orders. */
import * as v from 'valibot'
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { listManufacturingOrders } from '../../lib/domain/manufacturing/orders/endpoints.ts'
import { ManufacturingOrder, ProductionTask } from '../../lib/domain/manufacturing/orders/noun.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { changeOrder, createOrder as createSale } from '../../lib/domain/sales/orders/commands.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const place = async (shop: Workshop, title: string, manufacturing = true): Promise<string> =>
  (await shop.tenant.done(createStoragePlace, { title, manufacturing_allowed: manufacturing })).id

const sale = async (shop: Workshop, variant: string): Promise<string> =>
  (await shop.tenant.done(createSale, { customer: { title: 'Buyer' }, items: [itemLine(variant, 1)] })).id

test('an order answers its document, which its GET, the list and its event repeat', async t => {
  const shop = await workshop(bench)
  const home = await shop.place('Home')
  const [table, leg] = [await shop.variant('TABLE'), await shop.variant('LEG')]
  const recipe = await shop.recipe(table, [[leg, 4]], [[await shop.operation('Sawing', 30, { unit_name: 'saw' }), 0.5]])
  const given = {
    type: 'MAKE_TO_ORDER',
    priority: -3,
    planned_start_date: '2027-01-02T03:04:05.006Z',
    production_date: '2027-01-03',
    shipping_date: '2027-01-04T00:00:00+02:00',
    notes: 'Urgent',
    external_ref: 'shop-17',
    number: 'M-1',
  }
  const { body, events } = await shop.tryOrder(table, 2.5, given)
  t.is(v.safeParse(replyOf(ManufacturingOrder), body).issues, undefined)
  t.like(body, {
    ...given,
    status: 'NOT_STARTED',
    production_date: '2027-01-03T00:00:00.000Z',
    shipping_date: '2027-01-03T22:00:00.000Z',
    quantity: 2.5,
    actual_quantity: 0,
    released_quantity: 0,
    created_date: shop.tenant.now,
    manufacturing_location_id: home,
    recipe_id: recipe.id,
    sales_order_id: null,
    block_reason: null,
    item_variant: { id: table, item_id: recipe.item_id, item_title: 'Item TABLE', sku: 'TABLE', title: 'Item TABLE' },
  })
  t.deepEqual(columns(body.items, 'item_variant_id', 'sku', 'title', 'quantity', 'actual_quantity'), [
    [leg, 'LEG', 'Item LEG', 10, 0],
  ])
  t.deepEqual(await shop.read(body), body)
  t.deepEqual(await shop.orders(), [body])
  t.deepEqual(events.at(-1), { type: 'manufacturing_order.created', data: body, previous: null })
  t.deepEqual(
    events
      .slice(0, -1)
      .map(({ type, data, previous }) => [type, data.sku, data.reserved_quantity, data.expected_quantity, previous]),
    [
      ['stock.changed', 'TABLE', 0, 2.5, { expected_quantity: 0 }],
      ['stock.changed', 'LEG', 10, 0, { reserved_quantity: 0, available_quantity: 0 }],
    ],
  )
  const [task] = await shop.tasks(body)
  t.is(v.safeParse(replyOf(ProductionTask), task).issues, undefined)
  t.like(task, {
    manufacturing_order_id: body.id,
    operation_title: 'Sawing',
    status: 'NOT_STARTED',
    planned_duration: 1.25,
    planned_cost: 37.5,
    unit_name: 'saw',
    started_at: null,
  })
})

test("the newest recipe counts, the variant's before its item's; another may be named", async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const chair = await shop.tenant.done(createProduct, { title: 'Chair', variants: [{ sku: 'RED' }, { sku: 'BLUE' }] })
  const [red, blue] = chair.variants.map((one: { id: string }) => one.id)
  const [leg, seat] = [await shop.variant('LEG'), await shop.variant('SEAT')]
  const older = await shop.recipe(red, [[leg, 3]])
  const newest = await shop.recipe(red, [[leg, 4]])
  const ofItem = await shop.tenant.done(createRecipe, { item_id: chair.id, materials: [itemLine(seat, 1)] })
  t.is((await shop.order(red, 1)).recipe_id, newest.id)
  t.is((await shop.order(blue, 1)).recipe_id, ofItem.id)
  const named = await shop.order(red, 2, { recipe_id: older.id })
  t.deepEqual([named.recipe_id, columns(named.items, 'sku', 'quantity')], [older.id, [['LEG', 6]]])
  t.is((await shop.order(red, 1, { recipe_id: ofItem.id })).recipe_id, ofItem.id)
  t.is(
    await shop.refusedOrder(blue, 1, { recipe_id: older.id }),
    'validation_failed recipe_id: is not a recipe of BLUE',
  )
  t.is(await shop.refusedOrder(blue, 1, { recipe_id: red }), 'validation_failed recipe_id: no such recipe')
})

test("own items replace the recipe's materials but not its operations; none at all are allowed", async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const [table, leg, glue] = [await shop.variant('TABLE'), await shop.variant('LEG'), await shop.variant('GLUE')]
  await shop.recipe(table, [[leg, 4]], [[await shop.operation('Sawing', 30), 1]])
  const items = [itemLine(glue, 0.25), itemLine(leg, 9), itemLine(glue, 0.5)]
  const own = await shop.order(table, 2, { items })
  t.deepEqual(columns(own.items, 'sku', 'quantity'), [
    ['GLUE', 0.25],
    ['LEG', 9],
    ['GLUE', 0.5],
  ])
  t.is((await shop.tasks(own)).length, 1)
  t.deepEqual((await shop.order(table, 1, { items: [] })).items, [])
  const bare = await shop.order(leg, 5)
  t.like(bare, { recipe_id: null, items: [] })
  t.deepEqual(await shop.tasks(bare), [])
  await shop.start(bare)
  t.like(await shop.complete(bare), { status: 'DONE', released_quantity: 5 })
})

test('needs and durations are rounded half up to 6 decimals, and a need that rounds to nothing is no line', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const [pill, powder, dye] = [await shop.variant('PILL'), await shop.variant('POWDER'), await shop.variant('DYE')]
  await shop.recipe(
    pill,
    [
      [powder, 0.333333],
      [dye, 0.000001],
    ],
    [[await shop.operation('Pressing', 12), 0.000003]],
  )
  // 0.333333 * 0.1 = 0.0333333 -> 0.033333; 0.000001 * 0.1 -> 0; 0.000003 * 0.1 = 0.0000003 -> 0.
  const few = await shop.order(pill, 0.1)
  t.deepEqual(columns(few.items, 'quantity'), [[0.033333]])
  t.like((await shop.tasks(few))[0], { planned_duration: 0, planned_cost: 0 })
  // 0.333333 * 1.5 = 0.4999995 -> 0.5; 0.000001 * 1.5 -> 0.000002; 0.000003 * 1.5 = 0.0000045 -> 0.000005.
  const more = await shop.order(pill, 1.5)
  t.deepEqual(columns(more.items, 'quantity'), [[0.5], [0.000002]])
  t.is((await shop.tasks(more))[0].planned_duration, 0.000005)
  await shop.adjust([itemLine(powder, 1, { unit_cost: 1 })])
  t.like(await shop.start(few), { status: 'IN_PROGRESS' })
})

test("operations serve the order's type, in technology order", async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const [table, saw] = [await shop.variant('TABLE'), await shop.operation('Sawing', 30)]
  const step = (notes: string, position: number, type?: string) => ({
    operation_id: saw,
    duration: 1,
    notes,
    position,
    operation_type: type ?? null,
  })
  await shop.tenant.done(createRecipe, {
    item_variant_id: table,
    materials: [],
    operations: [
      step('last', 30),
      step('stock', 20, 'MAKE_TO_STOCK'),
      step('order', 20, 'MAKE_TO_ORDER'),
      step('first', -1),
      step('second', 5),
      step('third', 5),
    ],
  })
  const notes = async (extra: object) =>
    columns(await shop.tasks(await shop.order(table, 1, { ...extra })), 'notes').flat()
  t.deepEqual(await notes({}), ['first', 'second', 'third', 'stock', 'last'])
  t.deepEqual(await notes({ type: 'MAKE_TO_ORDER' }), ['first', 'second', 'third', 'order', 'last'])
  const sold = await sale(shop, table)
  t.deepEqual(await notes({ sales_order_id: sold }), ['first', 'second', 'third', 'order', 'last'])
  t.deepEqual(await notes({ sales_order_id: sold, type: 'MAKE_TO_STOCK' }), [
    'first',
    'second',
    'third',
    'stock',
    'last',
  ])
})

test('an order is made at the main place if that manufactures, else at the first that does', async t => {
  const shop = await workshop(bench)
  const table = await shop.variant('TABLE')
  const impossible =
    'manufacturing_order_transition_not_allowed the tenant has no storage place that allows manufacturing'
  t.is(await shop.refusedOrder(table, 1), impossible)
  const main = await place(shop, 'Main', false)
  t.is(await shop.refusedOrder(table, 1), impossible)
  t.is(
    await shop.refusedOrder(table, 1, { manufacturing_location_id: main }),
    'validation_failed manufacturing_location_id: the storage place does not allow manufacturing',
  )
  const [first, second] = [await place(shop, 'First'), await place(shop, 'Second')]
  t.is((await shop.order(table, 1)).manufacturing_location_id, first)
  t.is((await shop.order(table, 1, { manufacturing_location_id: second })).manufacturing_location_id, second)

  const other = await workshop(bench)
  const home = await place(other, 'Home')
  await place(other, 'Away')
  t.is((await other.order(await other.variant('X'), 1)).manufacturing_location_id, home)
})

test('what cannot be made is 422, what is not there or does not fit is 400, and neither leaves a trace', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const foreign = await (await workshop(bench)).variant('FOREIGN')
  const [table, leg] = [await shop.variant('TABLE'), await shop.variant('LEG')]
  const wine = await shop.variant('WINE', { batch_tracked: true, is_producible: true })
  const care = await shop.variant('CARE', { type: 'SERVICE' })
  const bought = await shop.variant('BOUGHT', { is_producible: false })
  const [old] = [await shop.tenant.done(createProduct, { title: 'Old', sku: 'OLD' })]
  await shop.tenant.done(changeProduct, { archived: true }, { id: old.id })
  const cancelled = await sale(shop, table)
  await shop.tenant.done(changeOrder, { status: 'CANCELLED' }, { id: cancelled })
  await shop.recipe(table, [[leg, 999_999_999]])
  const { id: holder } = await shop.order(leg, 1, { number: 'TAKEN', external_ref: 'taken' })
  await shop.adjust([itemLine(wine, 1, { batch_number: 'V26', expiry_date: '2030-01-01' })])
  const before = [await shop.shelf(), (await shop.orders()).length]

  const notAllowed = 'manufacturing_order_transition_not_allowed '
  const item = (id: string, quantity: unknown = 1) => ({ items: [itemLine(id, quantity)] })
  const cases: [string, unknown, object, string][] = [
    [care, 1, {}, `${notAllowed}item_variant_id: CARE is a service`],
    [bought, 1, {}, `${notAllowed}item_variant_id: BOUGHT is not producible`],
    [old.variants[0].id, 1, {}, `${notAllowed}item_variant_id: OLD is archived`],
    [leg, 1, { sales_order_id: cancelled }, `${notAllowed}sales_order_id: the sales order is CANCELLED`],
    [foreign, 1, {}, 'validation_failed item_variant_id: no such variant'],
    [leg, 0, {}, 'validation_failed quantity: must be greater than 0'],
    [leg, 1e9, {}, 'validation_failed quantity: must be less than 1000000000'],
    [table, 2, {}, 'validation_failed quantity: needs 1000000000 of LEG or more'],
    [
      leg,
      1,
      { manufacturing_location_id: foreign },
      'validation_failed manufacturing_location_id: no such storage place',
    ],
    [leg, 1, { manufacturing_location_id: null }, 'validation_failed manufacturing_location_id: must not be null'],
    [leg, 1, { sales_order_id: foreign }, 'validation_failed sales_order_id: no such sales order'],
    [leg, 1, item(foreign), 'validation_failed items[0].item_variant_id: no such variant'],
    [leg, 1, item(care), 'validation_failed items[0].item_variant_id: CARE is a service'],
    [leg, 1, item(table, 0), 'validation_failed items[0].quantity: must be greater than 0'],
    [leg, 1, { number: 'TAKEN' }, `validation_failed number: is taken by ${holder}`],
    [leg, 1, { external_ref: 'taken' }, `validation_failed external_ref: is taken by ${holder}`],
    [leg, 1, { priority: 2 ** 31 }, 'validation_failed priority: '],
    [leg, 1, { type: 'MAKE' }, 'validation_failed type: '],
    [leg, 1, { output_batch_number: 'B' }, 'validation_failed output_batch_number: LEG is not batch-tracked'],
    [leg, 1, { output_expiry_date: '2030-01-01' }, 'validation_failed output_expiry_date: is only for a batch'],
    [
      wine,
      1,
      { output_batch_number: 'V26', output_expiry_date: '2031-01-01' },
      'validation_failed output_expiry_date: the batch V26 has 2030-01-01',
    ],
  ]
  for (const [variant, quantity, extra, expected] of cases) {
    const refusal = await shop.refusedOrder(variant, quantity as number, { ...extra })
    t.true(refusal.startsWith(expected), `${refusal} does not begin with ${expected}`)
  }
  t.deepEqual([await shop.shelf(), (await shop.orders()).length], before)
})

test('counting skips numbers that callers took, and goes on after a deletion', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const leg = await shop.variant('LEG')
  await shop.order(leg, 1, { number: 'MO-00001' })
  const second = await shop.order(leg, 1)
  t.is(second.number, 'MO-00002')
  await shop.remove(second)
  t.is((await shop.order(leg, 1)).number, 'MO-00003')
  t.is((await shop.order(leg, 1, { number: 'MO-00002' })).number, 'MO-00002')
})

test('in a closed period nothing is created, started or completed', async t => {
  const shop = await workshop(bench, { closedThrough: '2026-11-20' })
  await shop.place('Home')
  const leg = await shop.variant('LEG')
  const order = await shop.order(leg, 2)
  const closed = (field: string) => `unprocessable ${field}: the accounting period is closed through 2026-11-20`
  const future = (field: string) => `unprocessable ${field}: must not be in the future`
  t.is(await shop.start.refused(order, { started_at: '2026-11-20T23:59:59.999Z' }), closed('started_at'))
  t.is(await shop.start.refused(order, { started_at: '2026-11-21T05:05:00.001Z' }), future('started_at'))
  t.like(await shop.start(order, { started_at: '2026-11-21T05:05:00Z' }), { started_at: '2026-11-21T05:05:00.000Z' })
  t.is(await shop.complete.refused(order, { completed_at: '2026-11-20' }), closed('completed_at'))
  t.is(await shop.complete.refused(order, { completed_at: '2027-01-01' }), future('completed_at'))
  t.is((await shop.read(order)).status, 'IN_PROGRESS')
  shop.tenant.now = '2026-11-20T12:00:00.000Z'
  t.is(await shop.refusedOrder(leg, 1), closed('created_date'))
})

test('the list filters by status, type, variant, sales order, time, number and external_ref', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const [leg, seat] = [await shop.variant('LEG'), await shop.variant('SEAT')]
  const sold = await sale(shop, leg)
  const a = await shop.order(leg, 1, { external_ref: 'a' })
  shop.tenant.now = '2026-11-21T06:00:00.000Z'
  const b = await shop.order(seat, 1, { sales_order_id: sold })
  shop.tenant.now = '2026-11-21T07:00:00.000Z'
  const c = await shop.order(seat, 1)
  await shop.start(c)
  const found = async (filters: Record<string, string>) => columns(await shop.orders(filters), 'id').flat()
  t.deepEqual(await found({}), [a.id, b.id, c.id])
  t.deepEqual(await found({ status: 'NOT_STARTED' }), [a.id, b.id])
  t.deepEqual(await found({ status: 'DONE' }), [])
  t.deepEqual(await found({ type: 'MAKE_TO_ORDER' }), [b.id])
  t.deepEqual(await found({ item_variant_id: seat, type: 'MAKE_TO_STOCK' }), [c.id])
  t.deepEqual(await found({ sales_order_id: sold }), [b.id])
  t.deepEqual(await found({ created_after: '2026-11-21T06:00:00Z' }), [b.id, c.id])
  t.deepEqual(await found({ created_before: '2026-11-21T06:00:00Z' }), [a.id])
  t.deepEqual(await found({ number: 'MO-00002' }), [b.id])
  t.deepEqual(await found({ external_ref: 'a' }), [a.id])
  t.deepEqual(await found({ item_variant_id: '1' }), [])
  t.like(await shop.tenant.page(listManufacturingOrders, { filters: { status: 'OPEN' } }), {
    refusal: 'validation_failed',
  })
})

test('an order of 60 materials, more than recipes usually have, is created, started and completed', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const table = await shop.variant('TABLE')
  const materials: [string, number][] = []
  for (let n = 0; n < 60; n++) materials.push([await shop.variant(`M${n}`), 1])
  await shop.recipe(table, materials, [[await shop.operation('Sawing', 30), 1]])
  await shop.adjust(materials.map(([id]) => itemLine(id, 5)))
  const order = await shop.order(table, 2)
  t.deepEqual(
    column(order.items, 'item_variant_id'),
    materials.map(([id]) => id),
  )
  t.is((await shop.tasks(order)).length, 1)
  const started = await shop.start(order)
  t.is(started.items.filter((item: { actual_quantity: number }) => item.actual_quantity === 2).length, 60)
  await shop.complete(order, { quantity: 1 })
  t.is((await shop.complete(order)).status, 'DONE')
})
