/** Counts of stock: what a line keeps, what the completion books, and when it is refused. Figures are computed by hand. */

import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { changeStoragePlace } from '../../lib/domain/places/commands.ts'
import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAdjustment, listAdjustments } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { cancelCount, changeCount, createCount } from '../../lib/domain/stock/counts/commands.ts'
import { completeCount } from '../../lib/domain/stock/counts/completion.ts'
import { getCount, listCountItems, listCounts } from '../../lib/domain/stock/counts/endpoints.ts'
import type { Outcome } from '../../lib/pipeline/command.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'
import { type Stockroom, stockroom, untouched } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()
/** The number of races of a completion. Torture runs more. */
const RACES = Number(process.env['RACES'] ?? 10)

const count = (room: Stockroom, items: Loose[], fields: object = {}): Promise<Loose> =>
  room.tenant.done(createCount, { ...fields, items })
const recount = (room: Stockroom, { id }: Loose, items: Loose[]): Promise<Loose> =>
  room.tenant.done(changeCount, { items }, { id })
const complete = (room: Stockroom, { id }: Loose, body: object = {}): Promise<Loose> =>
  room.tenant.done(completeCount, body, { id })
const refusedComplete = (room: Stockroom, { id }: Loose): Promise<string> =>
  room.tenant.refusal(completeCount, {}, { id })
const lines = (room: Stockroom, { id }: Loose, filters: Record<string, string> = {}): Promise<Loose[]> =>
  room.tenant.page(listCountItems, { params: { id }, filters, limit: 200 })
/** Expected, counted and difference of each line. */
const figures = async (room: Stockroom, of: Loose) =>
  columns(await lines(room, of), 'expected_quantity', 'counted_quantity', 'difference')
const held = async (room: Stockroom, variant: string) =>
  columns(await room.stock({ item_variant_id: variant }), 'quantity', 'quarantine_quantity', 'stock_value')

/** The outcomes of commands that are sent together, in as few units of work as they need. */
async function inUnits({ tenant }: Stockroom, steps: readonly Step[]): Promise<Outcome[]> {
  const ended: Outcome[] = []
  while (ended.length < steps.length) {
    const commands = steps.slice(ended.length).map(step => commandOf(tenant.id, step))
    const [some = []] = await units.outcomesOf([{ tenantId: tenant.id, commands }])
    ended.push(...some)
  }
  return ended
}

/** The faults that `reconcile` finds. */
const faults = ({ tenant }: Stockroom) => bench.faults(tenant.id)

test('10 are there and 7 are counted; 2 leave before the completion, which leaves 5', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 10, { unit_cost: 2 })])
  const { body: made, events: begun } = await tenant.run(createCount, {
    title: 'Shelf A',
    items: [{ item_variant_id: oak, counted_quantity: 7 }],
  })
  t.deepEqual(made, {
    id: made.id,
    number: 'SC-00001',
    title: 'Shelf A',
    storage_place_id: null,
    status: 'OPEN',
    notes: null,
    external_ref: null,
    ...untouched,
    line_count: 1,
    difference_count: 1,
    adjustment_id: null,
    created_at: tenant.now,
    updated_at: tenant.now,
    completed_at: null,
  })
  t.deepEqual(columns(begun, 'type', 'data', 'previous'), [['stock_count.created', made, null]])
  const [line] = await lines(room, made)
  t.deepEqual(line, {
    id: line.id,
    item_id: line.item_id,
    item_variant_id: oak,
    sku: 'OAK',
    title: 'Item OAK',
    batch_id: null,
    batch_number: null,
    expected_quantity: 10,
    counted_quantity: 7,
    difference: -3,
    counted_at: tenant.now,
    counted_by_user_name: 'tester',
  })
  await room.adjust([itemLine(oak, -2)])
  const countedAt = tenant.now
  tenant.now = '2026-11-21T09:00:00.000Z'
  const { body: done, events } = await tenant.run(completeCount, {}, { id: made.id })
  t.deepEqual(done, {
    ...made,
    status: 'DONE',
    adjustment_id: done.adjustment_id,
    updated_at: tenant.now,
    completed_at: tenant.now,
  })
  t.deepEqual(await tenant.read(getCount, { id: made.id }), done)
  t.deepEqual(await held(room, oak), [[5, 0, 10]])
  const adjustment = await tenant.read(getAdjustment, { id: done.adjustment_id })
  t.like(adjustment, {
    reason: 'COUNT',
    stock_count_id: made.id,
    number: 'SA-00003',
    date: tenant.now,
    total_amount: -6,
  })
  t.deepEqual(columns(adjustment.items, 'quantity', 'quantity_before', 'quantity_after', 'unit_cost', 'amount'), [
    [-3, 8, 5, 2, -6],
  ])
  t.deepEqual(
    events.map(({ type, data, previous }) => [type, data.id, previous]),
    [
      ['stock.changed', undefined, { quantity: 8, available_quantity: 8 }],
      ['stock_adjustment.created', adjustment.id, null],
      [
        'stock_count.completed',
        made.id,
        { status: 'OPEN', adjustment_id: null, updated_at: countedAt, completed_at: null },
      ],
    ],
  )
  t.deepEqual(columns(await room.movements(), 'kind', 'quantity', 'value', 'source_id').at(-1), [
    ...['ADJUSTMENT', -3, -6],
    adjustment.id,
  ])
  const [first] = await tenant.page(listAdjustments, { limit: 1 })
  t.is(first.stock_count_id, null)
  t.deepEqual(await faults(room), [])
})

test('counted anew, a line keeps what is there then; a line that is not named stays', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  await room.adjust([itemLine(oak, 10, { unit_cost: 2 })])
  const made = await count(room, [
    { sku: 'OAK', counted_quantity: 7 },
    { item_variant_id: ash, counted_quantity: 0 },
  ])
  t.like(made, { line_count: 2, difference_count: 1 })
  const [before, other] = await lines(room, made)
  await room.adjust([itemLine(oak, -2)])
  tenant.now = '2026-11-21T09:00:00.000Z'
  tenant.actor = { ...tenant.actor, userName: 'Ada' }
  const again = await tenant.run(changeCount, { items: [{ sku: 'OAK', counted_quantity: 8 }] }, { id: made.id })
  t.deepEqual(again.body, { ...made, difference_count: 0, updated_at: tenant.now, updated_by_user_name: 'Ada' })
  t.deepEqual(columns(again.events, 'type', 'previous'), [
    ['stock_count.updated', { difference_count: 1, updated_at: made.updated_at, updated_by_user_name: 'tester' }],
  ])
  t.deepEqual(await lines(room, made), [
    {
      ...before,
      expected_quantity: 8,
      counted_quantity: 8,
      difference: 0,
      counted_at: tenant.now,
      counted_by_user_name: 'Ada',
    },
    other,
  ])
  const found = await recount(room, made, [{ item_variant_id: ash, counted_quantity: 1.5 }])
  t.like(found, { line_count: 2, difference_count: 1 })
  t.deepEqual(await lines(room, made, { item_variant_id: `${ash},1` }), (await lines(room, made)).slice(1))
})

test('a line can go; a count without differences books nothing', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const made = await count(room, [
    { item_variant_id: oak, counted_quantity: 3 },
    { item_variant_id: milk, batch_number: 'B1', counted_quantity: 0 },
    { item_variant_id: milk, batch_number: 'B2', counted_quantity: 2 },
  ])
  t.like(made, { line_count: 3, difference_count: 2 })
  const batch = (await lines(room, made))[2].batch_id
  t.like(
    await recount(room, made, [
      { item_variant_id: oak, remove: true },
      { item_variant_id: milk, batch_id: batch, remove: true },
    ]),
    { line_count: 1, difference_count: 0 },
  )
  t.is(
    await tenant.refusal(changeCount, { items: [{ sku: 'OAK', remove: true }] }, { id: made.id }),
    'validation_failed items[0]: no such line of this count',
  )
  const { body, events } = await tenant.run(completeCount, {}, { id: made.id })
  t.like(body, { status: 'DONE', adjustment_id: null, line_count: 1 })
  t.deepEqual(column(events, 'type'), ['stock_count.completed'])
  t.deepEqual(await tenant.page(listAdjustments), [])
  t.deepEqual(await faults(room), [])
})

test('what is found comes in at the average, at an empty place at the purchase price; an unknown batch is made', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const oak = await room.variant('OAK', { purchase_price: 4 })
  const ash = await room.variant('ASH', { purchase_price: 4 })
  const milk = await room.variant('MILK', { batch_tracked: true, shelf_life_days: 10 })
  await room.adjust([itemLine(oak, 3, { unit_cost: 2.5 })])
  const made = await count(room, [
    { item_variant_id: oak, counted_quantity: 5 },
    { item_variant_id: ash, counted_quantity: 2 },
    { item_variant_id: milk, batch_number: 'NEW', manufacture_date: '2030-01-01', counted_quantity: 6 },
  ])
  t.deepEqual(await figures(room, made), [
    [3, 5, 2],
    [0, 2, 2],
    [0, 6, 6],
  ])
  const [, , fresh] = await lines(room, made)
  t.is(fresh.batch_number, 'NEW')
  const { adjustment_id } = await complete(room, made)
  const { items, total_amount } = await tenant.read(getAdjustment, { id: adjustment_id })
  t.deepEqual(columns(items, 'quantity', 'unit_cost', 'amount', 'batch_id'), [
    [2, 2.5, 5, null],
    [2, 4, 8, null],
    [6, 0, 0, fresh.batch_id],
  ])
  t.is(total_amount, 13)
  t.like(
    (await room.stock({ item_variant_id: milk })).find(({ batch_id }) => batch_id !== null),
    { batch_number: 'NEW', expiry_date: '2030-01-11', quantity: 6 },
  )
  t.deepEqual(await faults(room), [])
})

test('quarantined stock is counted, and taken after the other', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 10, { unit_cost: 2 })])
  const quarantine = { from_storage_place_id: main, to_storage_place_id: main }
  await room.transfer({ ...quarantine, items: [itemLine(oak, 4, { to_quarantine: true })] })
  const made = await count(room, [{ item_variant_id: oak, counted_quantity: 3 }])
  t.is(made.storage_place_id, main)
  t.deepEqual(await figures(room, made), [[10, 3, -7]])
  const { adjustment_id } = await complete(room, made)
  t.deepEqual(await held(room, oak), [[3, 3, 6]])
  const adjustment = await tenant.read(getAdjustment, { id: adjustment_id })
  t.deepEqual(columns(adjustment.items, 'quantity', 'quantity_before', 'quantity_after', 'amount'), [
    [-6, 10, 4, -12],
    [-1, 4, 3, -2],
  ])
  // An ordinary adjustment may not.
  t.regex(await room.refusedAdjust([itemLine(oak, -1)]), /^validation_failed .*of which 0 can be taken/)
  await tenant.done(reverseAdjustment, { reason: 'miscounted' }, { id: adjustment_id })
  t.deepEqual(await held(room, oak), [[10, 4, 20]])
  t.like(await tenant.read(getCount, { id: made.id }), { status: 'DONE', adjustment_id })
  t.deepEqual(await faults(room), [])
})

test('batches are counted one by one, by id or by number', async t => {
  const room = await stockroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const { items } = await room.adjust([
    itemLine(milk, 5, { unit_cost: 1, batch_number: 'B1' }),
    itemLine(milk, 8, { unit_cost: 1, batch_number: 'B2', expiry_date: '2020-01-01' }),
  ])
  const [b1, b2] = items.map(({ batch_id }: Loose) => batch_id as string)
  const made = await count(room, [{ item_variant_id: milk, batch_id: b1, counted_quantity: 4 }])
  await recount(room, made, [{ item_variant_id: milk, batch_number: 'B2', counted_quantity: 9 }])
  await recount(room, made, [{ item_variant_id: milk, batch_number: 'B1', counted_quantity: 3 }])
  t.deepEqual(columns(await lines(room, made), 'batch_id', 'batch_number', 'expected_quantity', 'difference'), [
    [b1, 'B1', 5, -2],
    [b2, 'B2', 8, 1],
  ])
  await complete(room, made)
  t.deepEqual(
    columns(await room.stock({ item_variant_id: milk }), 'batch_number', 'quantity').filter(([number]) => number),
    [
      ['B1', 3],
      ['B2', 9],
    ],
  )
  t.deepEqual(await faults(room), [])
})

test('a completion that would bring a stock below 0 is refused, naming line, sku and place, and books nothing', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  await room.place('Main')
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([itemLine(oak, 10, { unit_cost: 2 }), itemLine(milk, 5, { unit_cost: 1, batch_number: 'B1' })])
  const made = await count(room, [
    { item_variant_id: ash, counted_quantity: 4 },
    { item_variant_id: oak, counted_quantity: 3 },
    { item_variant_id: milk, batch_number: 'B1', counted_quantity: 0 },
  ])
  await room.adjust([itemLine(oak, -4), itemLine(milk, -1)])
  const [, short, drunk] = await lines(room, made)
  t.is(
    await refusedComplete(room, made),
    `insufficient_stock line ${short.id}: not enough OAK at Main: 7 needed, 6 on hand; ` +
      `line ${drunk.id}: not enough MILK (batch B1) at Main: 5 needed, 4 on hand`,
  )
  t.deepEqual(await held(room, oak), [[6, 0, 12]])
  t.deepEqual(await held(room, ash), [])
  t.is((await tenant.read(getCount, { id: made.id })).status, 'OPEN')
  await recount(room, made, [
    { item_variant_id: oak, counted_quantity: 3 },
    { item_variant_id: milk, batch_number: 'B1', counted_quantity: 0 },
  ])
  await complete(room, made)
  t.deepEqual(await held(room, oak), [[3, 0, 6]])
  t.deepEqual(await faults(room), [])
})

test('a count that is done or cancelled changes only in notes, external_ref and metadata', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  const done = await complete(room, await count(room, [{ item_variant_id: oak, counted_quantity: 1 }]))
  const { id } = await count(room, [{ item_variant_id: oak, counted_quantity: 5 }])
  const { body: cancelled, events } = await tenant.run(cancelCount, {}, { id })
  t.like(cancelled, { status: 'CANCELLED', adjustment_id: null, completed_at: null })
  t.deepEqual(columns(events, 'type', 'previous'), [['stock_count.cancelled', { status: 'OPEN' }]])
  t.is((await lines(room, cancelled)).length, 1)
  t.deepEqual(await held(room, oak), [[1, 0, 0]])
  for (const [ended, word] of [
    [done, 'SC-00001 is done'],
    [cancelled, 'SC-00002 is cancelled'],
  ]) {
    const refusal = `stock_count_not_editable the stock count ${word}`
    const path = { id: ended.id }
    const only = ': only notes, external_ref and metadata change'
    t.is(await tenant.refusal(changeCount, { title: 'Other' }, path), refusal + only)
    t.is(
      await tenant.refusal(changeCount, { notes: 'x', items: [{ sku: 'OAK', counted_quantity: 1 }] }, path),
      refusal + only,
    )
    t.is(await tenant.refusal(completeCount, {}, path), refusal)
    t.is(await tenant.refusal(cancelCount, {}, path), refusal)
    const noted = { notes: 'By two', external_ref: `sheet ${ended.id}`, metadata: { sheet: '4' } }
    t.deepEqual(await tenant.done(changeCount, noted, path), { ...ended, ...noted })
    t.deepEqual(await tenant.done(changeCount, noted, path), { ...ended, ...noted })
  }
  t.deepEqual(columns(await tenant.page(listCounts, { filters: { status: 'DONE,OPEN' } }), 'id'), [[done.id]])
  t.deepEqual(await faults(room), [])
})

test('a body that counts wrongly is refused, naming the field', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const work = await room.variant('WORK', { type: 'SERVICE' })
  const { items } = await room.adjust([itemLine(milk, 1, { batch_number: 'B1', expiry_date: '2030-01-01' })])
  const batch_id = items[0].batch_id
  const { id } = await count(room, [])
  const one = { item_variant_id: oak, counted_quantity: 1 }
  for (const [item, refusal] of [
    [{ item_variant_id: oak }, 'items[0].counted_quantity: is required'],
    [{ item_variant_id: oak, counted_quantity: null }, /^items\[0\].counted_quantity: /],
    [{ item_variant_id: oak, counted_quantity: -1 }, 'items[0].counted_quantity: must be 0 or more'],
    [{ item_variant_id: oak, counted_quantity: 0.0000001 }, /^items\[0\].counted_quantity: /],
    [{ ...one, remove: true }, 'items[0].counted_quantity: must not stand beside remove'],
    [{ item_variant_id: oak, expiry_date: '2030-01-01', remove: true }, 'items[0].expiry_date: is only for a batch'],
    [{ ...one, sku: 'OAK' }, 'items[0].sku: must not stand beside item_variant_id'],
    [{ counted_quantity: 1 }, 'items[0].item_variant_id: is required, or sku'],
    [{ sku: 'NONE', counted_quantity: 1 }, 'items[0].sku: is the sku of no unarchived variant'],
    [{ ...one, item_variant_id: '1' }, /^items\[0\].item_variant_id: no such variant/],
    [{ ...one, item_variant_id: work }, 'items[0].item_variant_id: WORK is a service and holds no stock'],
    [{ ...one, item_variant_id: milk }, /^items\[0\].counted_quantity: MILK is batch-tracked: name the batch/],
    [{ ...one, batch_number: 'X' }, 'items[0].batch_number: OAK is not batch-tracked'],
    [{ ...one, batch_id }, 'items[0].batch_id: no such batch of OAK'],
    [{ ...one, expiry_date: '2030-01-01' }, 'items[0].expiry_date: is only for a batch'],
    [{ ...one, item_variant_id: milk, batch_id, batch_number: 'B1' }, /^items\[0\].batch_number: give only one/],
    [
      { ...one, item_variant_id: milk, batch_number: 'B1', expiry_date: '2031-01-01' },
      'items[0].expiry_date: the batch B1 has 2030-01-01',
    ],
  ] as const) {
    const said = await tenant.refusal(changeCount, { items: [item] }, { id })
    const expected = typeof refusal === 'string' ? `validation_failed ${refusal}` : refusal
    if (typeof expected === 'string') t.is(said, expected)
    else t.regex(said.replace('validation_failed ', ''), expected)
    if ('remove' in item) continue
    t.is(await tenant.refusal(createCount, { items: [item] }), said)
  }
  const twice = 'validation_failed items[1].item_variant_id: OAK stands twice'
  t.is(await tenant.refusal(createCount, { items: [one, { sku: 'OAK', counted_quantity: 2 }] }), twice)
  const bothWays = [
    { item_variant_id: milk, batch_id, counted_quantity: 1 },
    { item_variant_id: milk, batch_number: 'B1', counted_quantity: 1 },
  ]
  t.is(
    await tenant.refusal(changeCount, { items: bothWays }, { id }),
    'validation_failed items[1].item_variant_id: MILK (batch B1) stands twice',
  )
  const fresh = { item_variant_id: milk, batch_number: 'FRESH', counted_quantity: 1 }
  t.is(
    await tenant.refusal(changeCount, { items: [fresh, fresh] }, { id }),
    'validation_failed items[1].item_variant_id: MILK (batch FRESH) stands twice',
  )
  t.regex(await tenant.refusal(changeCount, { items: [] }, { id }), /^validation_failed items: /)
  t.is(
    await tenant.refusal(createCount, { storage_place_id: '1' }),
    'validation_failed storage_place_id: no such storage place',
  )
  t.regex(await tenant.refusal(createCount, { number: 'SC-00001' }), /^validation_failed number: is taken by /)
  t.like(await tenant.read(getCount, { id }), { line_count: 0, difference_count: 0 })
  t.is((await tenant.page(endpointOf('listBatches'))).length, 1)
  t.deepEqual(await faults(room), [])
})

test('a line whose difference is more than the stock can keep is named as any other line', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const made = await count(room, [{ item_variant_id: oak, counted_quantity: 999999999 }])
  await room.adjust([itemLine(oak, 100, { unit_cost: 0 })])
  const [line] = await lines(room, made)
  t.is(
    await refusedComplete(room, made),
    `conflict line ${line.id}: the stock would reach 1000000000, or its value more than can be kept`,
  )
  t.deepEqual(await held(room, oak), [[100, 0, 0]])
})

test('a completion asks the accounting period, the place, and whether batches are known', async t => {
  const room = await stockroom(bench, { closedThrough: '2026-10-31' })
  const { tenant } = room
  await room.place('Main')
  const side = await room.place('Side')
  const oak = await tenant.done(endpointOf('createProduct'), { title: 'Oak', sku: 'OAK' })
  const item = { item_variant_id: oak.variants[0].id, counted_quantity: 2 }
  const made = await count(room, [item], { storage_place_id: side })
  t.regex(await tenant.refusal(completeCount, { date: '2026-10-31' }, { id: made.id }), /^unprocessable date: /)
  t.regex(await tenant.refusal(completeCount, { date: '2026-11-22' }, { id: made.id }), /^unprocessable date: /)
  await tenant.done(changeStoragePlace, { archived: true }, { id: side })
  t.is(await refusedComplete(room, made), 'conflict the storage place Side is archived')
  await tenant.done(changeStoragePlace, { archived: false }, { id: side })
  await tenant.done(changeProduct, { batch_tracked: true }, { id: oak.id })
  const [line] = await lines(room, made)
  t.is(await refusedComplete(room, made), `conflict line ${line.id}: OAK is batch-tracked now; count its batches`)
  await recount(room, made, [{ item_variant_id: item.item_variant_id, remove: true }])
  await recount(room, made, [{ ...item, batch_number: 'B1' }])
  const { adjustment_id, completed_at } = await complete(room, made, { date: '2026-11-01' })
  t.is(completed_at, tenant.now)
  t.is((await tenant.read(getAdjustment, { id: adjustment_id })).date, '2026-11-01T00:00:00.000Z')
  t.deepEqual(await faults(room), [])
})

test('a count that is completed while goods go out at once never brings the stock below 0, whoever comes first', async t => {
  const seen = new Set<string>()
  for (let run = 0; run < RACES; run++) {
    const room = await stockroom(bench)
    const oak = await room.variant('OAK')
    await room.adjust([itemLine(oak, 10, { unit_cost: 2 })])
    const { id } = await count(room, [{ item_variant_id: oak, counted_quantity: 4 }])
    const out: Step = ['createStockAdjustment', { items: [itemLine(oak, -2)] }]
    const again: Step = ['updateStockCount', { items: [{ item_variant_id: oak, counted_quantity: 3 }] }, id]
    const end: Step = ['completeStockCount', {}, id]
    const orders: Step[][] = [[out, out, end], [end, out], run % 2 === 0 ? [out, again, end] : [out, end]]
    const outcomes = await Promise.all(
      orders.map(async steps => {
        const ended = await inUnits(room, steps)
        return ended.map((outcome, at) => ({ endpoint: steps[at]?.[0], outcome }))
      }),
    )
    const done = (endpoint: string) =>
      outcomes.flat().filter(each => each.endpoint === endpoint && each.outcome.kind === 'done')
    t.true(done('completeStockCount').length <= 1)
    const [line] = await lines(room, { id })
    const booked = done('completeStockCount').length === 1 ? line.difference : 0
    const left = 10 - 2 * done('createStockAdjustment').length + booked
    t.true(left >= 0)
    t.deepEqual(columns(await room.stock(), 'quantity'), [[left]])
    t.deepEqual(await faults(room), [])
    for (const { outcome } of outcomes.flat()) seen.add(outcome.kind === 'done' ? 'done' : outcome.refusal.refusal)
  }
  t.true(seen.has('stock_count_not_editable'))
})

test('of 16 completions of one count one books it, and entries of one variant at once leave one line', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const { id } = await count(room, [])
  const atOnce = async (step: Step) => {
    const batches = Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => commandOf(room.tenant.id, step)))
    const outcomes = await Promise.all(
      batches.map(async commands => (await units.outcomesOf([{ tenantId: room.tenant.id, commands }])).flat()),
    )
    return outcomes.flat().map(outcome => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal))
  }
  const entry = { items: [{ item_variant_id: oak, counted_quantity: 2 }] }
  t.deepEqual([...new Set(await atOnce(['updateStockCount', entry, id]))], ['done'])
  t.like(await room.tenant.read(getCount, { id }), { line_count: 1, difference_count: 1 })
  const completions = await atOnce(['completeStockCount', {}, id])
  t.deepEqual(completions.toSorted(), ['done', ...Array(completions.length - 1).fill('stock_count_not_editable')])
  t.deepEqual(await held(room, oak), [[2, 0, 0]])
  t.deepEqual(await faults(room), [])
})

test('a completion books what the command before it counted, in one unit of work too', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const { id } = await count(room, [])
  const items = [{ item_variant_id: oak, counted_quantity: 2 }]
  const steps: Step[] = [
    ['createStockAdjustment', { items: [itemLine(oak, 5)] }],
    ['updateStockCount', { items }, id],
    ['completeStockCount', {}, id],
    ['updateStockCount', { items }, id],
  ]
  const outcomes = await inUnits(room, steps)
  t.deepEqual(
    outcomes.map(outcome => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal)),
    ['done', 'done', 'done', 'stock_count_not_editable'],
  )
  t.deepEqual(await figures(room, { id }), [[5, 2, -3]])
  t.deepEqual(await held(room, oak), [[2, 0, 0]])
  t.deepEqual(await faults(room), [])
})

test('a line that is taken out and counted again at once stands once, under its id or its number', async t => {
  const room = await stockroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const { items } = await room.adjust([itemLine(milk, 5, { unit_cost: 1, batch_number: 'B1' })])
  const byNumber = { item_variant_id: milk, batch_number: 'B1' }
  const byId = { item_variant_id: milk, batch_id: items[0].batch_id }
  const { id } = await count(room, [{ ...byNumber, counted_quantity: 4 }])
  const change = (item: object): Step => ['updateStockCount', { items: [item] }, id]
  const steps = [
    change({ ...byNumber, remove: true }),
    change({ ...byId, counted_quantity: 5 }),
    change({ ...byId, remove: true }),
    change({ ...byNumber, counted_quantity: 3 }),
    change({ ...byId, counted_quantity: 2 }),
  ]
  for (const outcome of await inUnits(room, steps)) t.is(outcome.kind, 'done')
  t.deepEqual(await figures(room, { id }), [[5, 2, -3]])
  t.like(await room.tenant.read(getCount, { id }), { line_count: 1, difference_count: 1 })
  t.deepEqual(await faults(room), [])
})

test('a count of another tenant is not there', async t => {
  const [own, other] = [await stockroom(bench), await stockroom(bench)]
  const { id } = await count(other, [])
  const missing = 'not_found no such stock count'
  for (const endpoint of [changeCount, completeCount]) t.is(await own.tenant.refusal(endpoint, {}, { id }), missing)
  t.is(await own.tenant.refusal(cancelCount, {}, { id }), missing)
  t.like(await own.tenant.page(listCountItems, { params: { id } }), { refusal: 'not_found' })
})
