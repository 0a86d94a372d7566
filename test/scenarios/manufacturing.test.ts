/**
 * Sequences of commands in a workshop. After each step the stock, its value and the cost are checked. Every figure is computed by hand, in
 * the comment beside it.
 */
import { costs, workshop } from '../manufacturing/workshop.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('three tables are made in two parts, and not a ten-thousandth of their cost is lost', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [table, board, leg] = [await shop.variant('TABLE'), await shop.variant('BOARD'), await shop.variant('LEG')]
  const saw = await shop.operation('Sawing', 36.5)

  // 10 boards at 7.25 and 20 legs at 1.1 are on the shelf.
  await shop.adjust([itemLine(board, 10, { unit_cost: 7.25 }), itemLine(leg, 20, { unit_cost: 1.1 })])
  t.deepEqual(await shop.shelf(), ['BOARD: 10 = 72.5', 'LEG: 20 = 22'])

  // A table takes 1.5 boards, 4 legs and 0.333333 hours at the saw.
  await shop.recipe(
    table,
    [
      [board, 1.5],
      [leg, 4],
    ],
    [[saw, 0.333333]],
  )

  // Three are ordered: 4.5 boards and 12 legs are reserved, 3 tables expected. The order has no cost yet.
  const order = await shop.order(table, 3)
  t.like(order, { number: 'MO-00001', status: 'NOT_STARTED', type: 'MAKE_TO_STOCK', started_at: null })
  t.deepEqual(columns(order.items, 'sku', 'quantity', 'actual_quantity'), [
    ['BOARD', 4.5, 0],
    ['LEG', 12, 0],
  ])
  t.is(costs(order), '0 + 0 = 0, posted 0, wip 0, each null')
  t.deepEqual(await shop.shelf(), [
    'BOARD: 10 (4.5 reserved, 0 expected) = 72.5',
    'LEG: 20 (12 reserved, 0 expected) = 22',
    'TABLE: 0 (0 reserved, 3 expected) = 0',
  ])

  // The order starts: 4.5 * 7.25 = 32.625 and 12 * 1.1 = 13.2 leave the stock, 45.825 in all. 3 * 0.333333 = 0.999999 hours at 36.5 are
  // 36.4999635, rounded to 36.5.
  const started = await shop.start(order)
  t.like(started, { status: 'IN_PROGRESS', started_at: shop.tenant.now })
  t.is(costs(started), '45.825 + 36.5 = 82.325, posted 0, wip 82.325, each null')
  t.deepEqual(columns(started.items, 'actual_quantity'), [[4.5], [12]])
  t.deepEqual(await shop.shelf(), ['BOARD: 5.5 = 39.875', 'LEG: 8 = 8.8', 'TABLE: 0 (0 reserved, 3 expected) = 0'])

  // One table is finished: a third of 82.325 is 27.44166..., rounded to 27.4417.
  const part = await shop.complete(order, { quantity: 1 })
  t.like(part, { status: 'PARTIALLY_DONE', released_quantity: 1, actual_quantity: 1, completed_at: null })
  t.is(costs(part), '45.825 + 36.5 = 82.325, posted 27.4417, wip 54.8833, each 27.4417')
  t.deepEqual((await shop.shelf()).at(-1), 'TABLE: 1 (0 reserved, 2 expected) = 27.4417')

  // The other two take the rest, 54.8833. The average is 82.325 / 3 = 27.44166... -> 27.4417.
  const done = await shop.complete(order)
  t.like(done, { status: 'DONE', released_quantity: 3, actual_quantity: 3, completed_at: shop.tenant.now })
  t.is(costs(done), '45.825 + 36.5 = 82.325, posted 82.325, wip 0, each 27.4417, final')
  t.deepEqual(await shop.shelf(), ['BOARD: 5.5 = 39.875', 'LEG: 8 = 8.8', 'TABLE: 3 = 82.325'])
  t.deepEqual(columns(await shop.movements({ source_type: 'MANUFACTURING_ORDER' }), 'kind', 'quantity', 'value'), [
    ['MANUFACTURING_WRITE_OFF', -4.5, -32.625],
    ['MANUFACTURING_WRITE_OFF', -12, -13.2],
    ['MANUFACTURING_OUTPUT', 1, 27.4417],
    ['MANUFACTURING_OUTPUT', 2, 54.8833],
  ])
})

test('a bicycle is built of a wheel that was built before: its cost rolls up', async t => {
  const shop = await workshop(bench)
  await shop.place('Works')
  const [bike, wheel, spoke] = [await shop.variant('BIKE'), await shop.variant('WHEEL'), await shop.variant('SPOKE')]
  const [truing, assembly] = [await shop.operation('Truing', 24), await shop.operation('Assembly', 30)]
  await shop.recipe(wheel, [[spoke, 32]], [[truing, 0.5]])
  await shop.recipe(bike, [[wheel, 2]], [[assembly, 1.25]])
  await shop.adjust([itemLine(spoke, 100, { unit_cost: 0.07 })])

  // Two wheels: 64 spokes at 0.07 are 4.48, and an hour of truing is 24.
  const wheels = await shop.order(wheel, 2)
  await shop.start(wheels)
  t.is(costs(await shop.complete(wheels)), '4.48 + 24 = 28.48, posted 28.48, wip 0, each 14.24, final')

  // The bicycle: both wheels with their 28.48, and 1.25 hours at 30 are 37.5.
  const bikes = await shop.order(bike, 1)
  await shop.start(bikes)
  t.is(costs(await shop.complete(bikes)), '28.48 + 37.5 = 65.98, posted 65.98, wip 0, each 65.98, final')
  t.deepEqual(await shop.shelf(), ['BIKE: 1 = 65.98', 'SPOKE: 36 = 2.52', 'WHEEL: 0 = 0'])
})

test('coffee is roasted from the batch that expires first, never from what has expired or is in quarantine', async t => {
  const shop = await workshop(bench)
  const roastery = await shop.place('Roastery')
  const tracked = { batch_tracked: true }
  const green = await shop.variant('GREEN', { ...tracked, type: 'MATERIAL' })
  const roast = await shop.variant('ROAST', { ...tracked, shelf_life_days: 270 })
  await shop.recipe(roast, [[green, 1.2]])
  const lot = (batch: string, expiry: string | null, quantity: number, cost: number) => ({
    item_variant_id: green,
    batch_number: batch,
    expiry_date: expiry,
    quantity,
    unit_cost: cost,
  })
  await shop.adjust([
    lot('LATE', '2027-12-31', 10, 6),
    lot('SOON', '2027-01-31', 5, 6),
    lot('OLD', '2026-11-20', 7, 6),
    lot('ENDLESS', null, 3, 6),
    lot('HELD', '2026-12-31', 4, 6),
  ])
  const rows = await shop.stock({ item_variant_id: green })
  const held = rows.find(row => row.batch_number === 'HELD')
  await shop.transfer({
    from_storage_place_id: roastery,
    to_storage_place_id: roastery,
    items: [itemLine(green, 4, { batch_id: held.batch_id, to_quarantine: true })],
  })

  // 10 kg need 12 of green: 5 of SOON, then 7 of LATE. There are 29, of which 7 are expired and 4 in quarantine.
  const order = await shop.order(roast, 10)
  t.is(
    await shop.start.refused(await shop.order(roast, 20)),
    'unprocessable not enough GREEN at Roastery: 24 needed, 29 on hand, of which 18 can be taken',
  )
  await shop.start(order)
  t.deepEqual(columns(await shop.stock({ item_variant_id: green }), 'batch_number', 'quantity'), [
    ['LATE', 3],
    ['SOON', 0],
    ['OLD', 7],
    ['ENDLESS', 3],
    ['HELD', 4],
    [null, 0],
  ])

  // OLD is used like any other batch if the start is dated before its expiry, and it is used first.
  const earlier = await shop.order(roast, 5)
  await shop.start(earlier, { started_at: '2026-11-20' })
  const old = (await shop.stock({ item_variant_id: green })).find(row => row.batch_number === 'OLD')
  t.is(old.quantity, 1)

  // The output is a batch with the order's number, which expires 270 days after its manufacture. The command may name another batch.
  const part = await shop.complete(order, { quantity: 4, output_manufacture_date: '2026-11-21' })
  t.like(part, {
    output_batch_number: 'MO-00001',
    output_manufacture_date: '2026-11-21',
    output_expiry_date: '2027-08-18',
  })
  await shop.complete(order, { quantity: 5 })
  const done = await shop.complete(order, { output_batch_number: 'SPECIAL', quarantine: true })
  t.like(done, { output_batch_number: 'SPECIAL', output_expiry_date: null, released_quantity: 10, actual_quantity: 9 })
  t.deepEqual(
    columns(
      await shop.stock({ item_variant_id: roast }),
      'batch_number',
      'quantity',
      'quarantine_quantity',
      'expiry_date',
    ),
    [
      [null, 0, 0, null],
      ['MO-00001', 9, 0, '2027-08-18'],
      ['SPECIAL', 1, 1, null],
    ],
  )
})

test('what the work really took replaces the plan, and what is left at the end is not lost', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  const [cut, glue] = [await shop.operation('Cutting', 20), await shop.operation('Gluing', 15)]
  await shop.adjust([itemLine(sheet, 10, { unit_cost: 2 })])
  await shop.recipe(
    box,
    [[sheet, 1]],
    [
      [cut, 0.5],
      [glue, 0.25],
    ],
  )

  // Four boxes: 4 sheets are 8. Planned are 2 hours at 20 and 1 hour at 15, 55 in all.
  const order = await shop.order(box, 4)
  const tasks = await shop.tasks(order)
  const task = ['operation_title', 'status', 'planned_duration', 'planned_cost', 'actual_duration', 'actual_cost']
  t.deepEqual(columns(tasks, ...task), [
    ['Cutting', 'NOT_STARTED', 2, 40, null, null],
    ['Gluing', 'NOT_STARTED', 1, 15, null, null],
  ])
  // Five sheets are used instead of four: 10.
  const started = await shop.start(order, { items: [{ id: order.items[0].id, quantity: 5 }], notes: 'One was torn' })
  t.is(started.notes, 'One was torn')
  t.is(costs(started), '10 + 55 = 65, posted 0, wip 65, each null')

  // Cutting took 1.5 hours, 30 instead of 40: 55 in all, of which one box of four takes 13.75.
  const [cutting, gluing] = tasks
  const first = await shop.complete(order, { quantity: 1, tasks: [{ id: cutting.id, actual_duration: 1.5 }] })
  t.is(costs(first), '10 + 45 = 55, posted 13.75, wip 41.25, each 13.75')
  t.deepEqual(columns(await shop.tasks(order), ...task), [
    ['Cutting', 'IN_PROGRESS', 2, 40, 1.5, 30],
    ['Gluing', 'IN_PROGRESS', 1, 15, null, null],
  ])

  // Durations that would make the total less than the posted cost are refused: 10 + 0 + 3.75 = 13.7475 < 13.75.
  const cheap = [
    { id: cutting.id, actual_duration: 0 },
    { id: gluing.id, actual_duration: 0.2498 },
  ]
  t.is(
    await shop.complete.refused(order, { quantity: 1, tasks: cheap }),
    'validation_failed tasks: the total cost would be 13.747, of which 13.75 is posted',
  )

  // Two more: 41.25 * 2 / 3 = 27.5. Then the last box is cancelled, and its 13.75 are added to the three in stock.
  await shop.complete(order, { quantity: 2 })
  t.deepEqual(await shop.shelf(), ['BOX: 3 (0 reserved, 1 expected) = 41.25', 'SHEET: 5 = 10'])
  const done = await shop.complete(order, { quantity: 0, is_final: true })
  t.like(done, { status: 'DONE', quantity: 4, released_quantity: 3 })
  // 55 / 3 = 18.33333...
  t.is(costs(done), '10 + 45 = 55, posted 55, wip 0, each 18.3333, final')
  t.deepEqual(await shop.shelf(), ['BOX: 3 = 55', 'SHEET: 5 = 10'])
  const last = (await shop.movements({ item_variant_id: box })).at(-1)
  t.like(last, { kind: 'MANUFACTURING_OUTPUT', quantity: 0, value: 13.75, quantity_after: 3 })
  t.deepEqual(columns(await shop.tasks(order), 'status', 'completed_at'), [
    ['DONE', shop.tenant.now],
    ['DONE', shop.tenant.now],
  ])
})

test('cost that no stock is left to carry is expensed', async t => {
  const shop = await workshop(bench)
  const [works, store] = [await shop.place('Works'), await shop.place('Store')]
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.adjust([itemLine(sheet, 2, { unit_cost: 5 })])
  await shop.recipe(box, [[sheet, 1]])
  const order = await shop.order(box, 2)
  await shop.start(order)
  await shop.complete(order, { quantity: 1, storage_place_id: store })
  await shop.adjust([itemLine(box, -1)], { storage_place_id: store })
  const done = await shop.complete(order, { quantity: 0, is_final: true })
  t.is(costs(done), '10 + 0 = 10, posted 10, wip 0, each 10, final')
  t.deepEqual(await shop.shelf(), ['BOX: 0 = 0', 'BOX: 0 = 0', 'SHEET: 0 = 0'])
  t.is((await shop.movements({ item_variant_id: box })).length, 2)
  t.truthy(works)
})

test('an order that is blocked keeps its reservations, and one that is deleted gives them back', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [table, board] = [await shop.variant('TABLE'), await shop.variant('BOARD')]
  await shop.adjust([itemLine(board, 10, { unit_cost: 1 })])
  await shop.recipe(table, [[board, 2]])
  const order = await shop.order(table, 3)
  const reserved = ['BOARD: 10 (6 reserved, 0 expected) = 10', 'TABLE: 0 (0 reserved, 3 expected) = 0']
  t.deepEqual(await shop.shelf(), reserved)

  const blocked = await shop.block.run(order, { reason: 'No glue' })
  t.like(blocked.body, { status: 'BLOCKED', block_reason: 'No glue' })
  t.deepEqual(columns(blocked.events, 'type', 'previous'), [
    ['manufacturing_order.blocked', { status: 'NOT_STARTED', block_reason: null }],
  ])
  t.deepEqual(await shop.shelf(), reserved)
  for (const move of [shop.start, shop.complete, shop.block, shop.remove])
    t.regex(await move.refused(order), /^manufacturing_order_invalid_status .*MO-00001 is BLOCKED/)

  t.like(await shop.unblock(order), { status: 'NOT_STARTED', block_reason: null })
  await shop.start(order)
  await shop.complete(order, { quantity: 1 })
  await shop.block(order)
  t.like(await shop.unblock(order), { status: 'PARTIALLY_DONE' })
  t.regex(
    await shop.remove.refused(order),
    /^manufacturing_order_invalid_status .* is PARTIALLY_DONE and cannot be deleted/,
  )

  const other = await shop.order(table, 1)
  const before = await shop.read(other)
  const gone = await shop.remove.run(other)
  t.is(gone.body, null)
  t.deepEqual(column(gone.events, 'type'), ['stock.changed', 'stock.changed', 'manufacturing_order.deleted'])
  t.deepEqual(gone.events.at(-1), { type: 'manufacturing_order.deleted', data: before, previous: null })
  t.deepEqual(await shop.shelf(), ['BOARD: 4 = 4', 'TABLE: 1 (0 reserved, 2 expected) = 2'])
  t.like(await shop.read(other), { refusal: 'not_found' })
})

test('what half of the output did not need comes back, and the other half is cheaper', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(box, [[sheet, 2]], [[await shop.operation('Folding', 10), 1]])
  await shop.adjust([itemLine(sheet, 10, { unit_cost: 1.5 })])
  const move = (quantity: number) => ({ items: [itemLine(sheet, quantity)] })

  // Four boxes: 8 sheets at 1.5 are 12, and 4 hours at 10 are 40. Two boxes take half of the 52.
  const order = await shop.order(box, 4)
  await shop.start(order)
  t.is(costs(await shop.complete(order, { quantity: 2 })), '12 + 40 = 52, posted 26, wip 26, each 13')

  // Three sheets are returned: 3 * 12 / 8 = 4.5. The posted cost stays.
  t.is(costs(await shop.materials(order, move(-3))), '7.5 + 40 = 47.5, posted 26, wip 21.5, each 13')
  t.deepEqual(await shop.shelf(), ['BOX: 2 (0 reserved, 2 expected) = 26', 'SHEET: 5 = 7.5'])

  // One more box takes half of the 21.5, and the last one the other half: 47.5 / 4 = 11.875.
  t.is(costs(await shop.complete(order, { quantity: 1 })), '7.5 + 40 = 47.5, posted 36.75, wip 10.75, each 12.25')
  t.is(costs(await shop.complete(order)), '7.5 + 40 = 47.5, posted 47.5, wip 0, each 11.875, final')
  t.deepEqual(await shop.shelf(), ['BOX: 4 = 47.5', 'SHEET: 5 = 7.5'])
})

test('goods that left in two moves at different costs come back at the mean of both, to the last ten-thousandth', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(box, [[sheet, 2]])
  await shop.adjust([itemLine(sheet, 10, { unit_cost: 1 })])
  const move = (...quantities: number[]) => ({ items: quantities.map(quantity => itemLine(sheet, quantity)) })

  // 4 sheets at 1. Then 6 more are added at 3: 12 sheets are worth 24, and 3 of them leave at 2.
  const order = await shop.order(box, 2)
  await shop.start(order)
  await shop.adjust([itemLine(sheet, 6, { unit_cost: 3 })])
  t.is(costs(await shop.materials(order, move(3))), '10 + 0 = 10, posted 0, wip 10, each null')

  // 7 sheets are worth 10. Two are returned at 2 * 10 / 7 = 2.857142... -> 2.8571. The rest, 7.1429, is the value of 5.
  t.is(costs(await shop.materials(order, move(-2))), '7.1429 + 0 = 7.1429, posted 0, wip 7.1429, each null')
  // Two lines, one after another: 1 * 7.1429 / 5 = 1.42858 -> 1.4286, then 2 * 5.7143 / 4 = 2.85715 -> 2.8572.
  t.is(costs(await shop.materials(order, move(-1, -2))), '2.8571 + 0 = 2.8571, posted 0, wip 2.8571, each null')
  // All remaining sheets are returned with all of the remaining value.
  const empty = await shop.materials(order, move(-2))
  t.is(costs(empty), '0 + 0 = 0, posted 0, wip 0, each null')
  t.deepEqual(columns(empty.items, 'quantity', 'actual_quantity'), [[4, 0]])
  t.deepEqual(columns(await shop.movements({ source_type: 'MANUFACTURING_ORDER' }), 'kind', 'quantity', 'value'), [
    ['MANUFACTURING_WRITE_OFF', -4, -4],
    ['MANUFACTURING_WRITE_OFF', -3, -6],
    ['MANUFACTURING_RETURN', 2, 2.8571],
    ['MANUFACTURING_RETURN', 1, 1.4286],
    ['MANUFACTURING_RETURN', 2, 2.8572],
    ['MANUFACTURING_RETURN', 2, 2.8571],
  ])
  t.deepEqual(await shop.shelf(), ['BOX: 0 (0 reserved, 2 expected) = 0', 'SHEET: 16 = 28'])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('no more value comes back than is in progress: what the output took stays with the output', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(box, [[sheet, 2]])
  await shop.adjust([itemLine(sheet, 8, { unit_cost: 1.5 })])
  const back = (quantity: number) => ({ items: [itemLine(sheet, quantity)] })

  // Four boxes cost 12. Three take 9 of it, and 3 are in progress.
  const order = await shop.order(box, 4)
  await shop.start(order)
  await shop.complete(order, { quantity: 3 })
  // One sheet is worth 12 / 8 = 1.5. The other seven would be worth 10.5, but only 1.5 are left.
  t.is(costs(await shop.materials(order, back(-1))), '10.5 + 0 = 10.5, posted 9, wip 1.5, each 3')
  t.is(costs(await shop.materials(order, back(-7))), '9 + 0 = 9, posted 9, wip 0, each 3')
  t.deepEqual(await shop.shelf(), ['BOX: 3 (0 reserved, 1 expected) = 9', 'SHEET: 8 = 3'])
  t.deepEqual(await bench.faults(shop.tenant.id), [])

  // One sheet leaves again, at 3 / 8 = 0.375. With it the whole net write-off of 9.375 could be returned, and 0.375 is in progress.
  t.is(costs(await shop.materials(order, back(1))), '9.375 + 0 = 9.375, posted 9, wip 0.375, each 3')
  t.is(costs(await shop.materials(order, back(-1))), '9 + 0 = 9, posted 9, wip 0, each 3')
  t.is(costs(await shop.complete(order)), '9 + 0 = 9, posted 9, wip 0, each 2.25, final')
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('an order that is given up without output ends with its cost expensed', async t => {
  const shop = await workshop(bench)
  await shop.place('Workshop')
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(box, [[sheet, 2]], [[await shop.operation('Folding', 10), 1]])
  await shop.adjust([itemLine(sheet, 10, { unit_cost: 1.5 }), itemLine(box, 1, { unit_cost: 4 })])
  const order = await shop.order(box, 2)
  await shop.start(order)
  // Three of the four sheets come back: 6 - 4.5 = 1.5. Half an hour of the two was worked: 5.
  await shop.materials(order, { items: [itemLine(sheet, -3)] })
  const [task] = await shop.tasks(order)
  const { body, events } = await shop.complete.run(order, {
    quantity: 0,
    is_final: true,
    tasks: [{ id: task.id, actual_duration: 0.5 }],
  })
  t.like(body, { status: 'DONE', released_quantity: 0, completed_at: shop.tenant.now })
  t.is(costs(body), '1.5 + 5 = 6.5, posted 6.5, wip 0, each null, final')
  t.deepEqual(column(events, 'type'), ['stock.changed', 'manufacturing_order.done'])
  // The box that was there before carries nothing of it.
  t.deepEqual(await shop.shelf(), ['BOX: 1 = 4', 'SHEET: 9 = 13.5'])
  t.deepEqual(await shop.movements({ item_variant_id: box, source_type: 'MANUFACTURING_ORDER' }), [])
  t.deepEqual(await shop.read(order), body)
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})
