/** The guarantees of changing a manufacturing order: the effects of a change, what each status allows, and which changes have no effect. */
import { changeRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

type Boxes = Workshop & { box: string; sheet: string; glue: string; home: string; recipeOfBox: Loose }

/** A workshop where a BOX is made of 2 SHEETs (2000 in stock) and 0.333333 GLUE in 0.25 hours at 10 an hour. */
async function boxes(): Promise<Boxes> {
  const shop = await workshop(bench)
  const home = await shop.place('Home')
  const [box, sheet, glue] = [await shop.variant('BOX'), await shop.variant('SHEET'), await shop.variant('GLUE')]
  const folding = await shop.operation('Folding', 10)
  const recipeOfBox = await shop.recipe(
    box,
    [
      [sheet, 2],
      [glue, 0.333333],
    ],
    [[folding, 0.25]],
  )
  await shop.adjust([itemLine(sheet, 2000, { unit_cost: 1.5 })])
  return { ...shop, box, sheet, glue, home, recipeOfBox }
}

const lines = ({ items }: Loose) => columns(items, 'sku', 'quantity', 'quantity_per_unit')
const plan = async (shop: Workshop, order: Loose) =>
  columns(await shop.tasks(order), 'planned_duration', 'planned_cost')
const everything = async (shop: Workshop) => [await shop.stock(), await shop.movements(), await shop.orders()]

test('500 instead of 50: materials, hours, reservations and expected output follow', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 50)
  t.deepEqual(lines(order), [
    ['SHEET', 100, 2],
    ['GLUE', 16.66665, 0.333333],
  ])
  t.deepEqual(await plan(shop, order), [[12.5, 125]])
  shop.tenant.now = '2026-11-22T05:00:00.000Z'
  const { body, events } = await shop.change.run(order, { quantity: 500, notes: 'Ten times as many' })
  t.like(body, { quantity: 500, notes: 'Ten times as many', status: 'NOT_STARTED', updated_at: shop.tenant.now })
  t.deepEqual(lines(body), [
    ['SHEET', 1000, 2],
    ['GLUE', 166.6665, 0.333333],
  ])
  t.deepEqual(await plan(shop, order), [[125, 1250]])
  t.deepEqual(await shop.shelf(), [
    'BOX: 0 (0 reserved, 500 expected) = 0',
    'GLUE: 0 (166.6665 reserved, 0 expected) = 0',
    'SHEET: 2000 (1000 reserved, 0 expected) = 3000',
  ])
  t.deepEqual(
    events.map(({ type, data, previous }) => [type, data.sku, previous.expected_quantity, previous.reserved_quantity]),
    [
      ['stock.changed', 'BOX', 50, undefined],
      ['stock.changed', 'SHEET', undefined, 100],
      ['stock.changed', 'GLUE', undefined, 16.66665],
      ['manufacturing_order.updated', undefined, undefined, undefined],
    ],
  )
  const told = events.at(-1)
  t.deepEqual(told?.data, body)
  t.deepEqual(Object.keys(told?.previous).sort(), ['items', 'notes', 'quantity', 'updated_at'])
  t.deepEqual(await shop.read(order), body)
  await shop.adjust([itemLine(shop.glue, 200, { unit_cost: 0 })])
  const started = await shop.start(order)
  t.like(started.actual_cost, { materials_cost: 1500, operations_cost: 1250 })
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('needs follow from the quantity per unit, not from what was rounded before', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 0.000001)
  const shown = async (quantity: number) => lines(await shop.change(order, { quantity }))
  // 0.000001 * 0.333333 is less than half a millionth, and 0.000002 * 0.333333 is more. A need of less than half a millionth has no line,
  // and the line returns with a larger quantity.
  t.deepEqual(lines(order), [['SHEET', 0.000002, 2]])
  t.deepEqual((await shown(0.000002))[1], ['GLUE', 0.000001, 0.333333])
  // 0.1666665 and 0.4999995 are rounded half up.
  t.deepEqual((await shown(0.5))[1], ['GLUE', 0.166667, 0.333333])
  t.deepEqual((await shown(1.5))[1], ['GLUE', 0.5, 0.333333])
  t.deepEqual((await shown(3))[1], ['GLUE', 0.999999, 0.333333])
  t.deepEqual(await plan(shop, order), [[0.75, 7.5]])
  t.deepEqual(await shown(0.000001), [['SHEET', 0.000002, 2]])
  t.deepEqual((await shown(1))[1], ['GLUE', 0.333333, 0.333333])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('reservations and expected output move to another place, where the start then takes the materials', async t => {
  const shop = await boxes()
  const annex = await shop.place('Annex')
  const { id: shut } = await shop.tenant.done(createStoragePlace, { title: 'Shut', manufacturing_allowed: false })
  const order = await shop.order(shop.box, 3)
  await shop.adjust([itemLine(shop.sheet, 8, { unit_cost: 1 }), itemLine(shop.glue, 2, { unit_cost: 1 })], {
    storage_place_id: annex,
  })
  const claims = async () =>
    columns(await shop.stock(), 'sku', 'storage_place_id', 'reserved_quantity', 'expected_quantity')
      .filter(([, , reserved, expected]) => reserved !== 0 || expected !== 0)
      .sort()
  t.is(
    await shop.change.refused(order, { manufacturing_location_id: shut }),
    'validation_failed manufacturing_location_id: the storage place does not allow manufacturing',
  )
  t.is(
    await shop.change.refused(order, { manufacturing_location_id: '1' }),
    'validation_failed manufacturing_location_id: no such storage place',
  )
  const { body, events } = await shop.change.run(order, { manufacturing_location_id: annex, quantity: 4 })
  t.is(body.manufacturing_location_id, annex)
  t.deepEqual(await claims(), [
    ['BOX', annex, 0, 4],
    ['GLUE', annex, 1.333332, 0],
    ['SHEET', annex, 8, 0],
  ])
  t.deepEqual(
    events.map(({ data }) => [data.sku, data.storage_place_id]),
    [
      ...['BOX', 'SHEET', 'GLUE'].map(sku => [sku, shop.home]),
      ...['BOX', 'SHEET', 'GLUE'].map(sku => [sku, annex]),
      [undefined, undefined],
    ],
  )
  t.like((await shop.start(order)).actual_cost, { materials_cost: 9.3333 })
  t.deepEqual(await claims(), [['BOX', annex, 0, 4]])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('lines change, go and come after the quantity; what a caller gave stays, and all may go', async t => {
  const shop = await boxes()
  const [nail, service] = [await shop.variant('NAIL'), await shop.variant('ADVICE', { type: 'SERVICE' })]
  const order = await shop.order(shop.box, 5)
  const [sheets, glues] = order.items
  const before = await everything(shop)
  for (const [items, refusal] of [
    [[{ id: '1', quantity: 3 }], 'items[0].id: no such line of MO-00001'],
    [
      [
        { id: sheets.id, remove: true },
        { id: sheets.id, quantity: 1 },
      ],
      'items[1].id: the line appears twice',
    ],
    [[{ id: sheets.id, sku: 'NAIL' }], 'items[0].item_variant_id: cannot change: remove the line and add another'],
    [[{ id: sheets.id, remove: true, quantity: 1 }], 'items[0].remove: must not stand beside a change of the line'],
    [[{ item_variant_id: nail }], 'items[0].quantity: is required for a new line'],
    [[{ quantity: 1 }], 'items[0].item_variant_id: is required for a new line'],
    [[itemLine('1', 1)], 'items[0].item_variant_id: no such variant'],
    [[itemLine(service, 1)], 'items[0].item_variant_id: ADVICE is a service and holds no stock'],
    [[{ sku: 'NONE', quantity: 1 }], 'items[0].sku: is the sku of no unarchived variant'],
    [[{ id: sheets.id, quantity: 0 }], 'items[0].quantity: must be greater than 0'],
    [[], 'items: must have at least 1 entry'],
    [Array(501).fill(itemLine(nail, 1)), 'items: must have at most 500 entries'],
    [Array(499).fill(itemLine(nail, 1)), 'items: an order has at most 500 lines'],
  ] as const)
    t.is(await shop.change.refused(order, { items }), `validation_failed ${refusal}`)
  t.is(
    await shop.change.refused(order, { quantity: 600_000_000 }),
    'validation_failed quantity: needs 1000000000 of SHEET or more',
  )
  t.deepEqual(await everything(shop), before)

  const body = await shop.change(order, {
    quantity: 10,
    items: [
      { id: sheets.id, quantity: 7 },
      { id: glues.id, remove: true },
      { sku: 'NAIL', quantity: 40 },
      itemLine(shop.sheet, 1.5),
    ],
  })
  t.deepEqual(lines(body), [
    ['SHEET', 7, null],
    ['NAIL', 40, null],
    ['SHEET', 1.5, null],
  ])
  t.deepEqual(await shop.shelf(), [
    'BOX: 0 (0 reserved, 10 expected) = 0',
    'GLUE: 0 = 0',
    'NAIL: 0 (40 reserved, 0 expected) = 0',
    'SHEET: 2000 (8.5 reserved, 0 expected) = 3000',
  ])
  t.deepEqual(lines(await shop.change(order, { quantity: 20 })), lines(body))
  // A line whose given quantity equals its need stays a line of the recipe. A need beyond the limits is no fault if the same change removes
  // the line.
  const other = await shop.order(shop.box, 5)
  t.deepEqual(lines(await shop.change(other, { quantity: 6, items: [{ id: other.items[0].id, quantity: 12 }] }))[0], [
    'SHEET',
    12,
    2,
  ])
  const many = { quantity: 600_000_000, items: [{ id: other.items[0].id, remove: true }] }
  t.deepEqual(lines(await shop.change(other, many)), [['GLUE', 199_999_800, 0.333333]])
  const none = await shop.change(other, { items: [{ id: other.items[1].id, remove: true }] })
  t.deepEqual(none.items, [])
  t.is((await shop.start(other)).status, 'IN_PROGRESS')
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('materials that a caller gave a new order stay when the quantity changes, though its hours follow', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2, { items: [itemLine(shop.sheet, 4)] })
  t.deepEqual(lines(order), [['SHEET', 4, null]])
  t.deepEqual(lines(await shop.change(order, { quantity: 8 })), [['SHEET', 4, null]])
  t.deepEqual(await plan(shop, order), [[2, 20]])
})

test('a recipe that changes meanwhile changes no order', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2)
  await shop.tenant.done(
    changeRecipe,
    { materials: [itemLine(shop.sheet, 9)], operations: [] },
    { id: shop.recipeOfBox.id },
  )
  t.deepEqual(lines(await shop.change(order, { quantity: 3 })), [
    ['SHEET', 6, 2],
    ['GLUE', 0.999999, 0.333333],
  ])
  t.deepEqual(await plan(shop, order), [[0.75, 7.5]])
})

test('each status lets the fields of its own change, and no other', async t => {
  const shop = await boxes()
  await shop.adjust([itemLine(shop.glue, 100, { unit_cost: 0 })])
  const annex = await shop.place('Annex')
  const order = await shop.order(shop.box, 4)
  const always = [{ notes: 'n' }, { external_ref: 'e' }]
  const untilDone = [
    { priority: 7 },
    { planned_start_date: '2027-01-01' },
    { production_date: '2027-01-02' },
    { shipping_date: '2027-01-03' },
  ]
  const untilOutput = [{ output_batch_number: null }, { output_manufacture_date: null }, { output_expiry_date: null }]
  const untilStart = [{ quantity: 5 }, { manufacturing_location_id: annex }, { items: [itemLine(shop.sheet, 1)] }]
  const all = [...always, ...untilDone, ...untilOutput, ...untilStart]
  const allows = async (allowed: readonly object[], status: string) => {
    t.is((await shop.read(order)).status, status)
    for (const body of all) {
      const before = await everything(shop)
      const said = await shop.change.refused(order, body)
      const field = Object.keys(body)[0]
      if (allowed.includes(body)) t.is(said, 'done', `${status} ${field}`)
      else {
        t.regex(said, new RegExp(`^manufacturing_order_invalid_status ${field}: the manufacturing order MO-00001 is`))
        t.deepEqual(await everything(shop), before)
      }
    }
  }
  await shop.block(order)
  await allows(all, 'BLOCKED')
  await shop.change(order, { manufacturing_location_id: shop.home })
  await shop.unblock(order)
  await allows(all, 'NOT_STARTED')
  await shop.change(order, { manufacturing_location_id: shop.home })
  await shop.start(order)
  await allows([...always, ...untilDone, ...untilOutput], 'IN_PROGRESS')
  await shop.block(order)
  await allows([...always, ...untilDone, ...untilOutput], 'BLOCKED')
  await shop.unblock(order)
  await shop.complete(order, { quantity: 1 })
  await allows([...always, ...untilDone], 'PARTIALLY_DONE')
  await shop.block(order)
  await allows([...always, ...untilDone], 'BLOCKED')
  await shop.unblock(order)
  await shop.complete(order, {})
  await allows(always, 'DONE')
  t.is(
    await shop.change.refused(order, { notes: 'other', priority: 8 }),
    'manufacturing_order_invalid_status priority: the manufacturing order MO-00001 is DONE, and the field can only change until the order is DONE',
  )
  t.is((await shop.read(order)).notes, 'n')
})

test('naming what is so already changes nothing: no event, and updated_at stays', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 4, { notes: 'same', priority: 3, external_ref: 'mine' })
  const before = await everything(shop)
  shop.tenant.now = '2026-11-23T05:00:00.000Z'
  for (const body of [
    {},
    { notes: 'same', priority: 3, external_ref: 'mine', planned_start_date: null, output_batch_number: null },
    { quantity: 4, manufacturing_location_id: shop.home },
    { quantity: 4, items: [{ id: order.items[0].id, quantity: 8 }, { id: order.items[1].id }] },
  ]) {
    const outcome = await shop.change.run(order, body)
    t.deepEqual([outcome.body, outcome.events], [order, []])
  }
  t.deepEqual(await everything(shop), before)
})

test('what is said of the batch of the output must fit the product and a batch that is there', async t => {
  const shop = await boxes()
  const milk = await shop.variant('MILK', { batch_tracked: true })
  await shop.adjust([itemLine(milk, 1, { unit_cost: 1, batch_number: 'OLD', expiry_date: '2098-01-31' })])
  const order = await shop.order(milk, 2)
  t.regex(
    await shop.change.refused(order, { output_batch_number: 'OLD', output_expiry_date: '2098-02-01' }),
    /^validation_failed output_expiry_date: /,
  )
  const changed = await shop.change(order, { output_batch_number: 'OLD', output_expiry_date: '2098-01-31' })
  t.like(changed, { output_batch_number: 'OLD', output_expiry_date: '2098-01-31' })
  t.regex(
    await shop.change.refused(order, { output_expiry_date: '2098-02-01' }),
    /^validation_failed output_expiry_date: /,
  )
  t.like(await shop.change(order, { output_batch_number: null, output_expiry_date: '2098-02-01' }), {
    output_batch_number: null,
    output_expiry_date: '2098-02-01',
  })
  t.is(
    await shop.change.refused(await shop.order(shop.box, 1), { output_batch_number: 'X' }),
    'validation_failed output_batch_number: BOX is not batch-tracked',
  )
  await shop.start(order)
  await shop.complete(order, {})
  t.deepEqual(
    columns(await shop.stock(), 'batch_number', 'quantity').filter(([number]) => number !== null),
    [
      ['OLD', 1],
      [order.number, 2],
    ],
  )
})

test('an external_ref that another order has is refused; its own is not', async t => {
  const shop = await boxes()
  const [order, other] = [
    await shop.order(shop.box, 1, { external_ref: 'one' }),
    await shop.order(shop.box, 1, { external_ref: 'two' }),
  ]
  t.is(
    await shop.change.refused(order, { external_ref: 'two' }),
    `validation_failed external_ref: is taken by ${other.id}`,
  )
  t.is(await shop.change.refused(order, { external_ref: 'one', notes: 'x' }), 'done')
})

test('a closed accounting period stops no change', async t => {
  const shop = await workshop(bench, { closedThrough: '2026-11-20' })
  await shop.place('Home')
  const order = await shop.order(await shop.variant('BOX'), 1)
  shop.tenant.now = '2026-11-20T05:00:00.000Z'
  t.is(await shop.change.refused(order, { quantity: 2 }), 'done')
})
