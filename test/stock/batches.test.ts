/** Batches: their names and dates, and first-expired-first-out. */
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** Three batches of 2, 3 and 4, for which neither the order of ids nor that of numbers is the order of expiry. */
async function threeBatches(room: Stockroom): Promise<{ milk: string; batchId: Record<string, string> }> {
  const milk = await room.variant('MILK', { batch_tracked: true })
  const { items } = await room.adjust([
    itemLine(milk, 4, { unit_cost: 1, batch_number: 'NONE' }),
    itemLine(milk, 3, { unit_cost: 1, batch_number: 'LATE', expiry_date: '2027-05-01' }),
    itemLine(milk, 2, { unit_cost: 1, batch_number: 'GONE', expiry_date: '2026-01-01' }),
  ])
  return { milk, batchId: Object.fromEntries(items.map((item: Loose) => [item.batch_number, item.batch_id])) }
}

test('an outflow without a batch takes first expired first out, expired stock too, one line per batch', async t => {
  const room = await stockroom(bench)
  const { milk, batchId } = await threeBatches(room)
  const { items, total_amount } = await room.adjust([itemLine(milk, -7)])
  t.deepEqual(columns(items, 'batch_number', 'quantity', 'quantity_before', 'quantity_after', 'amount'), [
    ['GONE', -2, 2, 0, -2],
    ['LATE', -3, 3, 0, -3],
    ['NONE', -2, 4, 2, -2],
  ])
  t.is(total_amount, -7)
  t.deepEqual(columns((await room.movements()).slice(3), 'batch_id', 'quantity', 'quantity_after'), [
    [batchId['GONE'], -2, 0],
    [batchId['LATE'], -3, 0],
    [batchId['NONE'], -2, 2],
  ])
})

test('a named batch is taken and counted by itself, by id or by number', async t => {
  const room = await stockroom(bench)
  const { milk, batchId } = await threeBatches(room)
  const { items } = await room.adjust([
    itemLine(milk, -1, { batch_id: batchId['LATE'], expected_quantity: 3 }),
    { item_variant_id: milk, counted_quantity: 5, batch_number: 'NONE', expected_quantity: 4, unit_cost: 2 },
    { item_variant_id: milk, counted_quantity: 0, batch_number: 'GONE' },
    { item_variant_id: milk, counted_quantity: 0, batch_number: 'NEVER' },
    itemLine(milk, 1, { expected_quantity: 7 }),
  ])
  t.deepEqual(columns(items, 'batch_number', 'quantity', 'quantity_before', 'quantity_after', 'unit_cost', 'amount'), [
    ['LATE', -1, 3, 2, 1, -1],
    ['NONE', 1, 4, 5, 2, 2],
    ['GONE', -2, 2, 0, 1.1111, -2.2222],
    ['NEVER', 0, 0, 0, 1.1111, 0],
    ['SA-00002', 1, 0, 1, 1.1111, 1.1111],
  ])
  t.is((await room.stock()).length, 4)
})

test("a tracked inflow without a batch takes its document's number, and several lines share it", async t => {
  const { adjust, stock, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true, shelf_life_days: 30 })
  await adjust([itemLine(milk, 1, { manufacture_date: '2026-11-01' }), itemLine(milk, 2)], { number: 'COUNT-7' })
  t.deepEqual(columns(await stock(), 'batch_number', 'quantity', 'manufacture_date', 'expiry_date'), [
    ['COUNT-7', 3, '2026-11-01', '2026-12-01'],
  ])
})

test('an expiry date defaults to manufacture date plus shelf life; a given one or no manufacture date leaves it', async t => {
  const { adjust, stock, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true, shelf_life_days: 10 })
  const honey = await variant('HONEY', { batch_tracked: true })
  await adjust([
    itemLine(milk, 1, { batch_number: 'A', manufacture_date: '2024-02-25' }),
    {
      item_variant_id: milk,
      quantity: 1,
      batch_number: 'B',
      manufacture_date: '2024-02-25',
      expiry_date: '2024-03-01',
    },
    itemLine(milk, 1, { batch_number: 'C' }),
    itemLine(honey, 1, { batch_number: 'A', manufacture_date: '2024-02-25' }),
  ])
  t.deepEqual(columns(await stock(), 'sku', 'batch_number', 'manufacture_date', 'expiry_date'), [
    ['MILK', 'A', '2024-02-25', '2024-03-06'],
    ['MILK', 'B', '2024-02-25', '2024-03-01'],
    ['MILK', 'C', null, null],
    ['HONEY', 'A', '2024-02-25', null],
  ])
})

test('a known batch keeps its dates: the same are taken, others are refused', async t => {
  const { adjust, refusedAdjust, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true, shelf_life_days: 10 })
  const line = itemLine(milk, 1, { batch_number: 'A' })
  const { items } = await adjust([{ ...line, manufacture_date: '2026-11-01' }])
  await adjust([line, { ...line, manufacture_date: '2026-11-01', expiry_date: '2026-11-11' }])
  const { batch_id } = items[0]
  await adjust([itemLine(milk, -1, { batch_id, expiry_date: '2026-11-11' })])
  const wrong = await refusedAdjust([{ ...line, expiry_date: '2026-11-12' }])
  t.is(wrong, 'validation_failed items[0].expiry_date: the batch A has 2026-11-11')
  // The same within the command that makes the batch.
  const fresh = { ...line, batch_number: 'B' }
  const twice = await refusedAdjust([fresh, { ...fresh, manufacture_date: '2026-11-02' }])
  t.is(twice, 'validation_failed items[1].manufacture_date: the batch B has none')
})

test('a date that no batch would carry is refused', async t => {
  const room = await stockroom(bench)
  const { milk } = await threeBatches(room)
  const refusal = await room.refusedAdjust([itemLine(milk, -1, { expiry_date: '2027-05-01' })])
  t.is(refusal, 'validation_failed items[0].expiry_date: is only for a batch')
  const oats = await room.variant('OATS', { batch_tracked: true, shelf_life_days: 1 })
  const beyond = itemLine(oats, 1, { batch_number: 'X', manufacture_date: '9999-12-31' })
  t.is(
    await room.refusedAdjust([beyond]),
    'validation_failed items[0].manufacture_date: with the shelf life it goes beyond the year 9999',
  )
})

test('quarantined stock is never taken by an adjustment, and the refusal says so', async t => {
  const room = await stockroom(bench)
  const { milk, batchId } = await threeBatches(room)
  const held = itemLine(milk, 1, { batch_id: batchId['GONE'], to_quarantine: true })
  await room.transfer({ from_storage_place_id: null, to_storage_place_id: null, items: [held] })
  t.is(
    await room.refusedAdjust([itemLine(milk, -2, { batch_number: 'GONE' })]),
    'validation_failed items[0].quantity: not enough MILK (batch GONE): 2 needed, 2 on hand, of which 1 can be taken',
  )
  const { items } = await room.adjust([itemLine(milk, -8)])
  t.deepEqual(columns(items, 'batch_number', 'quantity', 'quantity_after'), [
    ['GONE', -1, 1],
    ['LATE', -3, 0],
    ['NONE', -4, 0],
  ])
})
