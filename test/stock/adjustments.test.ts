/** Stock adjustments: lines, counts, costs, numbers, dates and refusals. */
import * as v from 'valibot'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAdjustment, listAdjustments } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { StockAdjustment } from '../../lib/domain/stock/adjustments/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom, unreversed, untouched } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('an adjustment answers its document, which GET, the list and the event show alike', async t => {
  const { tenant, place, tryAdjust, variant } = await stockroom(bench)
  const main = await place('Main')
  const oak = await variant('OAK')
  const { body, events } = await tryAdjust([{ item_variant_id: oak, quantity: 2.5, unit_cost: 4 }], {
    reason: 'INITIAL',
    notes: 'first',
    external_ref: 'ref-1',
    date: '2026-11-20',
  })
  t.deepEqual(body, {
    id: body.id,
    number: 'SA-00001',
    storage_place_id: main,
    date: '2026-11-20T00:00:00.000Z',
    reason: 'INITIAL',
    notes: 'first',
    external_ref: 'ref-1',
    ...untouched,
    stock_count_id: null,
    created_at: tenant.now,
    ...unreversed(tenant.now),
    total_amount: 10,
    items: [
      {
        id: body.items[0].id,
        item_id: body.items[0].item_id,
        item_variant_id: oak,
        sku: 'OAK',
        title: 'Item OAK',
        batch_id: null,
        batch_number: null,
        quantity: 2.5,
        quantity_before: 0,
        quantity_after: 2.5,
        unit_cost: 4,
        amount: 10,
      },
    ],
  })
  t.true(v.is(replyOf(StockAdjustment), body))
  t.deepEqual(await tenant.read(getAdjustment, { id: body.id }), body)
  t.deepEqual(await tenant.page(listAdjustments, { filters: { external_ref: 'ref-1' } }), [body])
  t.deepEqual(events.at(-1), { type: 'stock_adjustment.created', data: body, previous: null })
  t.like(await tenant.read(getAdjustment, { id: '1' }), { refusal: 'not_found' })
})

test('a changed quantity emits one stock.changed per variant and place, with the changed levels before', async t => {
  const { tenant, tryAdjust, place, variant } = await stockroom(bench)
  const main = await place('Main')
  const [oak, ash] = [await variant('OAK'), await variant('ASH')]
  const { events } = await tryAdjust([
    { item_variant_id: oak, quantity: 3, unit_cost: 5 },
    { item_variant_id: ash, quantity: 1 },
    { item_variant_id: oak, quantity: -1 },
    { item_variant_id: ash, quantity: -1 },
  ])
  t.deepEqual(column(events, 'type'), ['stock.changed', 'stock_adjustment.created'])
  t.deepEqual(events[0], {
    type: 'stock.changed',
    data: {
      item_variant_id: oak,
      sku: 'OAK',
      storage_place_id: main,
      is_kit: false,
      quantity: 2,
      quarantine_quantity: 0,
      expired_quantity: 0,
      reserved_quantity: 0,
      expected_quantity: 0,
      available_quantity: 2,
      average_cost: 5,
      updated_at: tenant.now,
    },
    previous: { quantity: 0, available_quantity: 0 },
  })
})

test('without storage_place_id the main place is adjusted, without places stock without a place', async t => {
  const { adjust, place, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  t.is((await adjust([{ item_variant_id: oak, quantity: 1 }])).storage_place_id, null)
  const main = await place('Main')
  await place('Other')
  t.is((await adjust([{ item_variant_id: oak, quantity: 2 }])).storage_place_id, main)
  const bare = await adjust([{ item_variant_id: oak, quantity: 4 }], { storage_place_id: null })
  t.is(bare.storage_place_id, null)
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity'), [
    [null, 5],
    [main, 2],
  ])
})

test('a count becomes the difference to the physical stock, and an equal count moves nothing', async t => {
  const { adjust, movements, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK', { purchase_price: 7 })
  const count = (counted_quantity: number, more = {}) =>
    adjust([{ item_variant_id: oak, counted_quantity, ...more }], { reason: 'COUNT' })
  const shown = async (adjustment: Promise<{ items: unknown[] }>) =>
    columns((await adjustment).items, 'quantity', 'quantity_before', 'quantity_after', 'unit_cost', 'amount')
  t.deepEqual(await shown(count(0)), [[0, 0, 0, 7, 0]])
  t.deepEqual(await stock(), [])
  t.deepEqual(await shown(count(4, { unit_cost: 2 })), [[4, 0, 4, 2, 8]])
  t.deepEqual(await shown(count(4)), [[0, 4, 4, 2, 0]])
  t.deepEqual(await shown(count(1.5)), [[-2.5, 4, 1.5, 2, -5]])
  t.is((await movements()).length, 2)
})

test('a line sees what the lines before it did', async t => {
  const { adjust, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const { items } = await adjust([
    { item_variant_id: oak, quantity: 5, expected_quantity: 0 },
    { item_variant_id: oak, quantity: -2, expected_quantity: 5 },
    { item_variant_id: oak, counted_quantity: 3 },
  ])
  t.deepEqual(columns(items, 'quantity', 'quantity_before', 'quantity_after'), [
    [5, 0, 5],
    [-2, 5, 3],
    [0, 3, 3],
  ])
  t.deepEqual(
    [...items].sort((a, b) => Number(a.id) - Number(b.id)),
    items,
  )
})

test('archived variants may be adjusted', async t => {
  const { tenant, adjust, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const { items } = await adjust([{ item_variant_id: oak, quantity: 1 }])
  await tenant.done(changeProduct, { archived: true }, { id: items[0].item_id })
  t.is((await adjust([{ item_variant_id: oak, quantity: -1 }])).items[0].quantity_after, 0)
})

test('counted numbers skip those that callers took', async t => {
  const { adjust, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const numbers: string[] = []
  for (const number of ['SA-00001', 'SA-00003', null, null, 'MINE']) {
    numbers.push((await adjust([{ item_variant_id: oak, quantity: 1 }], { number })).number)
  }
  t.deepEqual(numbers, ['SA-00001', 'SA-00003', 'SA-00002', 'SA-00004', 'MINE'])
})

test('refused adjustments name the line and change nothing', async t => {
  const { tenant, adjust, movements, place, refusedAdjust, stock, variant } = await stockroom(bench, {
    closedThrough: '2026-10-31',
  })
  await place('Main')
  const [oak, milk] = [await variant('OAK'), await variant('MILK', { batch_tracked: true })]
  const service = await variant('HELP', { type: 'SERVICE' })
  const { id: holder } = await adjust([{ item_variant_id: oak, quantity: 5 }], { number: 'N-1', external_ref: 'R-1' })
  const { items } = await adjust([{ item_variant_id: milk, quantity: 2, batch_number: 'B', expiry_date: '2027-01-01' }])
  const foreign = await stockroom(bench)
  const [foreignOak, foreignPlace] = [await foreign.variant('OAK'), await foreign.place('Elsewhere')]
  const before = [await stock(), await movements()]
  const one = { item_variant_id: oak, quantity: 1 }
  const batch = { item_variant_id: milk, quantity: 1 }
  const cases: [unknown[], Record<string, unknown>, string][] = [
    [[one, { item_variant_id: oak }], {}, 'validation_failed items[1].quantity: give exactly one'],
    [[{ ...one, counted_quantity: 1 }], {}, 'validation_failed items[0].quantity: give exactly one'],
    [[{ item_variant_id: oak, quantity: 0 }], {}, 'validation_failed items[0].quantity: must not be 0'],
    [
      [one, { ...one, quantity: -7 }],
      {},
      'validation_failed items[1].quantity: not enough OAK at Main: 7 needed, 6 on hand',
    ],
    [[{ ...one, quantity: -1, unit_cost: 0 }], {}, 'validation_failed items[0].unit_cost'],
    [[{ item_variant_id: oak, counted_quantity: 5, unit_cost: 1 }], {}, 'validation_failed items[0].unit_cost'],
    [[{ item_variant_id: oak, counted_quantity: 4, unit_cost: 1 }], {}, 'validation_failed items[0].unit_cost'],
    [[{ ...one, unit_cost: null }], {}, 'validation_failed items[0].unit_cost'],
    [
      [{ ...one, expected_quantity: 4 }],
      {},
      'stock_changed items[0].expected_quantity: OAK at Main: 4 expected, 5 on hand',
    ],
    [[{ ...one, quantity: 999999995 }], {}, 'validation_failed items[0].quantity: the stock would reach'],
    [[{ ...one, item_variant_id: foreignOak }], {}, 'validation_failed items[0].item_variant_id: no such variant'],
    [[{ ...one, item_variant_id: '1' }], {}, 'validation_failed items[0].item_variant_id: no such variant'],
    [[{ ...one, item_variant_id: service }], {}, 'validation_failed items[0].item_variant_id: HELP is a service'],
    [[one], { storage_place_id: foreignPlace }, 'validation_failed storage_place_id: no such storage place'],
    [[one], { storage_place_id: 1 }, 'validation_failed storage_place_id: no such storage place'],
    [[one], { number: 'N-1' }, `validation_failed number: is taken by ${holder}`],
    [[one], { external_ref: 'R-1' }, `validation_failed external_ref: is taken by ${holder}`],
    [[one], { date: '2026-10-31T23:59:59Z' }, 'unprocessable date'],
    [[one], { date: '2026-11-21T05:05:00.001Z' }, 'unprocessable date'],
    [[{ ...one, batch_number: 'X' }], {}, 'validation_failed items[0].batch_number: OAK is not batch-tracked'],
    [[{ ...one, expiry_date: '2027-01-01' }], {}, 'validation_failed items[0].expiry_date'],
    [[{ ...one, batch_id: items[0].batch_id }], {}, 'validation_failed items[0].batch_id: no such batch of OAK'],
    [[{ ...batch, batch_id: '1' }], {}, 'validation_failed items[0].batch_id: no such batch of MILK'],
    [[{ ...batch, batch_id: items[0].batch_id, batch_number: 'B' }], {}, 'validation_failed items[0].batch_number'],
    [[{ ...batch, batch_number: 'B', expiry_date: '2027-01-02' }], {}, 'validation_failed items[0].expiry_date'],
    [
      [{ ...batch, batch_id: items[0].batch_id, manufacture_date: '2026-01-01' }],
      {},
      'validation_failed items[0].manufa',
    ],
    [
      [{ item_variant_id: milk, counted_quantity: 2 }],
      {},
      'validation_failed items[0].counted_quantity: MILK is batch',
    ],
    [
      [{ ...batch, quantity: -1, batch_number: 'X' }],
      {},
      'validation_failed items[0].quantity: not enough MILK (batch X) at Main: 1 needed, 0 on hand',
    ],
    [
      [{ ...batch, quantity: -3 }],
      {},
      'validation_failed items[0].quantity: not enough MILK at Main: 3 needed, 2 on hand',
    ],
    [[], {}, 'validation_failed items'],
    [Array(501).fill(one), {}, 'validation_failed items'],
  ]
  for (const [lines, extra, expected] of cases) {
    const refusal = await refusedAdjust(lines, extra)
    t.true(refusal.startsWith(expected), `${refusal} does not begin with ${expected}`)
  }
  t.deepEqual([await stock(), await movements()], before)
  t.is((await tenant.page(listAdjustments)).length, 2)
})

test('a document may be dated five minutes ahead and the day after the closed period', async t => {
  const { adjust, variant } = await stockroom(bench, { closedThrough: '2026-10-31' })
  const oak = await variant('OAK')
  for (const date of ['2026-11-21T05:05:00Z', '2026-11-01'])
    t.is((await adjust([{ item_variant_id: oak, quantity: 1 }], { date })).items.length, 1)
})

test('quantities and costs at their limits are exact', async t => {
  const { tenant, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const line = `{"item_variant_id":"${oak}","quantity":999999999.999999,"unit_cost":999999999999.999999}`
  const { body } = await tenant.run(createAdjustment, `{"items":[${line}]}`)
  // The numbers are too large for a double, so the test compares the exact text.
  const found = await bench.pool.any(rows(v.object({ value: v.string() }))`
    select value::text as value from stock_balances where tenant_id = ${tenant.id}::bigint
  `)
  t.is(body.items.length, 1)
  t.deepEqual(found, [{ value: '999999999999998999000.0000' }])
})
