/**
 * The guarantees of starting, completing and blocking: the table of status changes, what they refuse, and their events. The scenarios test
 * costs.
 */
import { orderStatuses } from '../../lib/domain/manufacturing/orders/noun.ts'
import { moves, refuseMove } from '../../lib/domain/manufacturing/orders/status-rules.ts'
import { valuesOf } from '../../lib/kit/api/fields.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { costs, type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** A workshop where a BOX is made of 2 SHEETs (1.5 each, 100 in stock) and an hour of work at 10. */
async function boxes(): Promise<Workshop & { box: string; sheet: string; home: string }> {
  const shop = await workshop(bench)
  const home = await shop.place('Home')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(box, [[sheet, 2]], [[await shop.operation('Folding', 10), 1]])
  await shop.adjust([{ item_variant_id: sheet, quantity: 100, unit_cost: 1.5 }])
  return { ...shop, box, sheet, home }
}

/** Everything that a refused command must leave as it was. */
const everything = async (shop: Workshop) => [await shop.stock(), await shop.movements(), await shop.orders()]

test('only the moves of the table are made', t => {
  const allowed = Object.keys(moves).flatMap(trigger =>
    valuesOf(orderStatuses)
      .filter(status => refuseMove({ number: 'X', status }, trigger as keyof typeof moves) === null)
      .map(status => `${status} ${trigger}`),
  )
  t.deepEqual(allowed, [
    'NOT_STARTED start',
    'NOT_STARTED block',
    'IN_PROGRESS block',
    'PARTIALLY_DONE block',
    'BLOCKED unblock',
    'IN_PROGRESS materials',
    'PARTIALLY_DONE materials',
    'IN_PROGRESS complete_part',
    'PARTIALLY_DONE complete_part',
    'IN_PROGRESS complete',
    'PARTIALLY_DONE complete',
    'NOT_STARTED delete',
  ])
})

test('an order that is started cannot be started, one that is not or is done cannot be completed', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2)
  const wrong = (words: string) => `manufacturing_order_invalid_status the manufacturing order MO-00001 is ${words}`
  t.is(await shop.complete.refused(order), wrong('NOT_STARTED and cannot be completed'))
  t.is(await shop.unblock.refused(order), wrong('NOT_STARTED and cannot be unblocked'))
  await shop.start(order)
  t.is(await shop.start.refused(order), wrong('IN_PROGRESS and cannot be started'))
  await shop.complete(order)
  t.is(await shop.complete.refused(order), wrong('DONE and cannot be completed'))
  t.is(await shop.block.refused(order), wrong('DONE and cannot be blocked'))
  t.is(await shop.remove.refused(order), wrong('DONE and cannot be deleted'))
})

test('a start without enough of everything names all that is short and changes nothing', async t => {
  const shop = await boxes()
  const glue = await shop.variant('GLUE')
  await shop.adjust([{ item_variant_id: glue, quantity: 0.5 }])
  const items = [
    { item_variant_id: shop.sheet, quantity: 60 },
    { item_variant_id: glue, quantity: 1 },
    { item_variant_id: shop.sheet, quantity: 60 },
    { item_variant_id: await shop.variant('NAIL'), quantity: 3 },
  ]
  const order = await shop.order(shop.box, 1, { items })
  const before = await everything(shop)
  const outcome = await shop.start.run(order)
  t.deepEqual(outcome.refusal, {
    refusal: 'unprocessable',
    message:
      'not enough SHEET at Home: 120 needed, 100 on hand; not enough GLUE at Home: 1 needed, 0.5 on hand; not enough NAIL at Home: 3 needed, 0 on hand',
  })
  t.deepEqual(outcome.events, [])
  t.deepEqual(await everything(shop), before)
})

test('the caller may say what is written off for a line: more, less, or nothing', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 3)
  const [line] = order.items
  const refused = async (items: Loose[], expected: string) => {
    const refusal = await shop.start.refused(order, { items })
    t.true(refusal.startsWith(`validation_failed ${expected}`), refusal)
  }
  await refused([{ id: order.id, quantity: 1 }], 'items[0].id: no such line of MO-00001')
  await refused(
    [
      { id: line.id, quantity: 1 },
      { id: line.id, quantity: 1 },
    ],
    'items[1].id: is named twice',
  )
  await refused([{ id: line.id, quantity: -1 }], 'items[0].quantity: must be 0 or more')
  await refused([{ id: line.id }], 'items[0].quantity: is required')
  t.regex(
    await shop.start.refused(order, { items: [{ id: line.id, quantity: 100.5 }] }),
    /SHEET at Home: 100.5 needed, 100 on hand/,
  )

  const more = await shop.start(order, { items: [{ id: line.id, quantity: 7.5 }] })
  t.deepEqual(columns(more.items, 'quantity', 'actual_quantity'), [[6, 7.5]])
  t.is(costs(more), '11.25 + 30 = 41.25, posted 0, wip 41.25, each null')
  t.deepEqual(await shop.shelf(), ['BOX: 0 (0 reserved, 3 expected) = 0', 'SHEET: 92.5 = 138.75'])

  const unused = await shop.order(shop.box, 1)
  const started = await shop.start(unused, { items: [{ id: unused.items[0].id, quantity: 0 }] })
  t.deepEqual(columns(started.items, 'quantity', 'actual_quantity'), [[2, 0]])
  t.is(started.actual_cost.materials_cost, 0)
  t.is((await shop.movements({ source_id: unused.id })).length, 0)
})

test('the document date of a move is the date of its stock movements', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2)
  await shop.start(order, { started_at: '2026-10-01' })
  await shop.complete(order, { quantity: 1, completed_at: '2026-10-02T03:04:05Z' })
  t.like(await shop.complete(order), { started_at: '2026-10-01T00:00:00.000Z', completed_at: shop.tenant.now })
  t.deepEqual(columns(await shop.movements({ source_id: order.id }), 'kind', 'document_date', 'source_type'), [
    ['MANUFACTURING_WRITE_OFF', '2026-10-01T00:00:00.000Z', 'MANUFACTURING_ORDER'],
    ['MANUFACTURING_OUTPUT', '2026-10-02T03:04:05.000Z', 'MANUFACTURING_ORDER'],
    ['MANUFACTURING_OUTPUT', shop.tenant.now, 'MANUFACTURING_ORDER'],
  ])
})

test('every move tells of itself once, after the stock, with the order as its GET shows it and what it was', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2)
  const steps = [
    ['started', () => shop.start.run(order), ['BOX', 'SHEET']],
    ['partially_done', () => shop.complete.run(order, { quantity: 0.5 }), ['BOX']],
    ['blocked', () => shop.block.run(order, { reason: 'Lunch' }), []],
    ['unblocked', () => shop.unblock.run(order), []],
    ['done', () => shop.complete.run(order), ['BOX']],
  ] as const
  let before = await shop.read(order)
  for (const [kind, run, changed] of steps) {
    shop.tenant.now = new Date(Date.parse(shop.tenant.now) + 1_000).toISOString()
    const { body, events } = await run()
    const after = await shop.read(order)
    t.deepEqual(body, after)
    t.deepEqual(
      events
        .slice(0, -1)
        .map(event => [event.type, event.data.sku])
        .sort(),
      changed.filter(sku => kind !== 'started' || sku === 'SHEET').map(sku => ['stock.changed', sku]),
    )
    const event = events.at(-1)
    t.is(event?.type, `manufacturing_order.${kind}`)
    t.deepEqual(event?.data, after)
    const differing = Object.keys(after).filter(key => JSON.stringify(after[key]) !== JSON.stringify(before[key]))
    t.deepEqual(event?.previous, Object.fromEntries(differing.map(key => [key, before[key]])))
    before = after
  }
})

test('a completion beyond the plan ends the order; so does is_final before it', async t => {
  const shop = await boxes()
  const over = await shop.order(shop.box, 2)
  await shop.start(over)
  t.like(await shop.complete(over, { quantity: 2.5, is_final: false }), {
    status: 'DONE',
    released_quantity: 2.5,
    quantity: 2,
  })
  const under = await shop.order(shop.box, 2)
  await shop.start(under)
  const done = await shop.complete(under, { quantity: 0.5, is_final: true })
  t.like(done, { status: 'DONE', released_quantity: 0.5 })
  t.is(costs(done), '6 + 20 = 26, posted 26, wip 0, each 52, final')
  t.deepEqual(await shop.shelf(), ['BOX: 3 = 52', 'SHEET: 92 = 138'])
})

test('output may go elsewhere; it is expected no longer where it was', async t => {
  const shop = await boxes()
  const store = await shop.place('Store')
  const order = await shop.order(shop.box, 4)
  await shop.start(order)
  await shop.complete(order, { quantity: 1, storage_place_id: store })
  const rows = async () =>
    columns(
      await shop.stock({ item_variant_id: shop.box }),
      'storage_place_id',
      'quantity',
      'expected_quantity',
      'stock_value',
    )
  t.deepEqual(await rows(), [
    [shop.home, 0, 3, 0],
    [store, 1, 0, 13],
  ])
  // The rest of the cost goes to the place of the last output, unless another place is named.
  await shop.complete(order, { quantity: 0, is_final: true })
  t.deepEqual(await rows(), [
    [shop.home, 0, 0, 0],
    [store, 1, 0, 52],
  ])
})

test('what a completion refuses changes nothing', async t => {
  const shop = await boxes()
  const order = await shop.order(shop.box, 2)
  await shop.start(order)
  const [task] = await shop.tasks(order)
  const before = await everything(shop)
  const cases: [object, string][] = [
    [{ quantity: 0 }, 'quantity: must be greater than 0, unless is_final is true'],
    [{ quantity: -1 }, 'quantity: must be 0 or more'],
    [{ quantity: 999_999_999.5, storage_place_id: shop.box }, 'storage_place_id: no such storage place'],
    [{ storage_place_id: null }, 'storage_place_id: must not be null'],
    [{ output_batch_number: 'B' }, 'output_batch_number: BOX is not batch-tracked'],
    [{ output_manufacture_date: '2026-11-21' }, 'output_manufacture_date: is only for a batch'],
    [{ quantity: 0, is_final: true, output_expiry_date: '2030-01-01' }, 'output_expiry_date: is only for output'],
    [{ tasks: [{ id: order.id, actual_duration: 1 }] }, 'tasks[0].id: no such task of MO-00001'],
    [
      {
        tasks: [
          { id: task.id, actual_duration: 1 },
          { id: task.id, actual_duration: 1 },
        ],
      },
      'tasks[1].id: is named twice',
    ],
    [{ tasks: [{ id: task.id, actual_duration: -1 }] }, 'tasks[0].actual_duration: must be 0 or more'],
    [{ is_final: null }, 'is_final: must not be null'],
  ]
  for (const [body, expected] of cases) {
    const refusal = await shop.complete.refused(order, { ...body })
    t.true(refusal.startsWith(`validation_failed ${expected}`), `${refusal} does not begin with ${expected}`)
  }
  t.deepEqual(await everything(shop), before)
})

test('quantities and values at the edge of what can be kept are refused, not lost', async t => {
  const shop = await boxes()
  await shop.adjust([{ item_variant_id: shop.box, quantity: 999_999_990, unit_cost: 999_999_999_999 }])
  const order = await shop.order(shop.box, 5)
  await shop.start(order)
  const [task] = await shop.tasks(order)
  const full = 'validation_failed quantity: the stock would reach 1000000000, or its value more than can be kept'
  t.is(await shop.complete.refused(order, { quantity: 10 }), full)
  t.like(await shop.complete(order, { tasks: [{ id: task.id, actual_duration: 999_999_999.999999 }] }), {
    status: 'DONE',
  })
})

test('an empty end adds its cost to the batch that came out last, if there is stock of it', async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const [wine, grape] = [
    await shop.variant('WINE', { batch_tracked: true, is_producible: true }),
    await shop.variant('GRAPE'),
  ]
  await shop.adjust([{ item_variant_id: grape, quantity: 10, unit_cost: 2 }])
  await shop.recipe(wine, [[grape, 2]])
  const order = await shop.order(wine, 3, { output_batch_number: 'V26', output_expiry_date: '2031-01-01' })
  await shop.start(order)
  await shop.complete(order, { quantity: 1 })
  await shop.complete(order, { quantity: 1, output_batch_number: 'V27' })
  await shop.complete(order, { quantity: 0, is_final: true })
  const rows = await shop.stock({ item_variant_id: wine })
  t.deepEqual(columns(rows, 'batch_number', 'expiry_date', 'quantity', 'average_cost'), [
    [null, null, 0, 6],
    ['V26', '2031-01-01', 1, 6],
    ['V27', null, 1, 6],
  ])
  const last = (await shop.movements({ item_variant_id: wine })).at(-1)
  t.like(last, { quantity: 0, value: 4, batch_id: rows.at(-1).batch_id })
})

test("other dates than a known batch has are refused, and the order's own dates are about its own batch", async t => {
  const shop = await workshop(bench)
  await shop.place('Home')
  const wine = await shop.variant('WINE', { batch_tracked: true, is_producible: true, shelf_life_days: 10 })
  await shop.adjust([{ item_variant_id: wine, quantity: 1, batch_number: 'V26', expiry_date: '2030-01-01' }])
  const order = await shop.order(wine, 3, { output_manufacture_date: '2026-11-01' })
  await shop.start(order)
  t.is(
    await shop.complete.refused(order, { output_batch_number: 'V26' }),
    'validation_failed output_manufacture_date: the batch V26 has none',
  )
  const first = await shop.complete(order, { quantity: 1 })
  t.like(first, { output_batch_number: 'MO-00001', output_expiry_date: '2026-11-11' })
  t.is(
    await shop.complete.refused(order, { output_batch_number: 'V26', output_expiry_date: '2030-01-02' }),
    'validation_failed output_expiry_date: the batch V26 has 2030-01-01',
  )
  t.like(await shop.complete(order, { quantity: 1, output_batch_number: 'V26' }), {
    output_batch_number: 'V26',
    output_manufacture_date: null,
    output_expiry_date: '2030-01-01',
  })
  t.is(
    await shop.complete.refused(order, { output_batch_number: 'LONG', output_manufacture_date: '9999-12-31' }),
    'validation_failed output_manufacture_date: with the shelf life it goes beyond the year 9999',
  )
})
