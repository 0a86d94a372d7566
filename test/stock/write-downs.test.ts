/** Changes of the value alone: write-downs, their reversals, and products that move into another category of the books. */
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAccountBalances } from '../../lib/domain/stock/books/balances.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const REVALUATION = { reason: 'REVALUATION' }
const why = { reason: 'worth it after all' }

async function lastLines({ tenant }: Stockroom): Promise<string[]> {
  const [entry] = (await tenant.page(endpointOf('listJournalEntries'), {
    limit: 1,
    order: 'desc',
  })) as unknown as Loose[]
  return entry?.lines.map(
    (line: Loose) => `${line.account} ${line.sku ?? '-'} ${line.category ?? '-'} ${line.debit || -line.credit}`,
  )
}
const worthOf = async (room: Stockroom, variant: string): Promise<number> =>
  (await room.stock({ item_variant_id: variant })).reduce((sum, row) => sum + row.stock_value, 0)

test('a write-down lowers the value alone, and its reversal brings it back', async t => {
  const room = await stockroom(bench)
  await room.place('North')
  const oak = await room.variant('OAK')
  await room.adjust([{ item_variant_id: oak, quantity: 4, unit_cost: 10 }])
  const made = await room.adjust([{ item_variant_id: oak, value_change: -12.3456 }], REVALUATION)
  t.like(made, { reason: 'REVALUATION', total_amount: -12.3456 })
  t.like(made.items[0], { quantity: 0, quantity_before: 4, quantity_after: 4, unit_cost: 10, amount: -12.3456 })
  t.is(await worthOf(room, oak), 27.6544)
  const [moved] = await room.movements({ source_id: made.id })
  t.like(moved, { kind: 'ADJUSTMENT', quantity: 0, value: -12.3456, quantity_after: 4 })
  t.deepEqual(await lastLines(room), ['INVENTORY OAK - -12.3456', 'STOCK_ADJUSTMENT OAK - 12.3456'])
  await room.tenant.done(reverseAdjustment, why, { id: made.id })
  t.is(await worthOf(room, oak), 40)
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('a reversal that finds no stock, or stock of less worth, books the rest as a difference', async t => {
  const room = await stockroom(bench)
  await room.place('North')
  const oak = await room.variant('OAK')
  await room.adjust([{ item_variant_id: oak, quantity: 4, unit_cost: 10 }])
  const down = await room.adjust([{ item_variant_id: oak, value_change: -20 }], REVALUATION)
  const up = await room.adjust([{ item_variant_id: oak, value_change: 15 }], REVALUATION)
  await room.adjust([{ item_variant_id: oak, quantity: -3 }])
  // 8.75 are left of 35.
  await room.tenant.done(reverseAdjustment, why, { id: up.id })
  t.deepEqual(await lastLines(room), [
    'INVENTORY OAK - -8.75',
    'STOCK_ADJUSTMENT OAK - 15',
    'VALUATION_DIFFERENCE - - -6.25',
  ])
  await room.adjust([{ item_variant_id: oak, quantity: -1 }])
  await room.tenant.done(reverseAdjustment, why, { id: down.id })
  t.deepEqual(await lastLines(room), ['STOCK_ADJUSTMENT OAK - -20', 'VALUATION_DIFFERENCE - - 20'])
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('a value below 0, a place without stock, another reason, 0, and a second figure are refused', async t => {
  const room = await stockroom(bench)
  await room.place('North')
  const [oak, pine] = [await room.variant('OAK'), await room.variant('PINE')]
  await room.adjust([{ item_variant_id: oak, quantity: 4, unit_cost: 10 }])
  const refused = (line: Loose, extra: Loose = REVALUATION) =>
    room.refusedAdjust([{ item_variant_id: oak, ...line }], extra)
  t.regex(await refused({ value_change: -40.0001 }), /^validation_failed items\[0\]\.value_change: .*worth 40/)
  t.regex(
    await refused({ value_change: 1, item_variant_id: pine }),
    /^validation_failed items\[0\]\.value_change: .*no stock/,
  )
  t.regex(await refused({ value_change: 1 }, { reason: 'OTHER' }), /^validation_failed reason: /)
  t.regex(await refused({ value_change: 0 }), /^validation_failed items\[0\]\.value_change: /)
  t.regex(await refused({ value_change: 1, quantity: 1 }), /^validation_failed items\[0\]\.quantity: /)
  t.regex(await refused({ value_change: 0.00001 }), /^validation_failed items\[0\]\.value_change: /)
  t.is(await refused({ value_change: -40 }), 'done')
  t.is(await worthOf(room, oak), 0)
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('a write-down of batches stands at a batch that is there', async t => {
  const room = await stockroom(bench)
  await room.place('North')
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([
    { item_variant_id: milk, quantity: 1, unit_cost: 4, batch_number: 'A' },
    { item_variant_id: milk, quantity: 2, unit_cost: 3, batch_number: 'B' },
  ])
  await room.adjust([{ item_variant_id: milk, quantity: -1, batch_number: 'A' }])
  const made = await room.adjust([{ item_variant_id: milk, value_change: -1 }], REVALUATION)
  t.is(made.items[0].batch_number, 'B')
  t.regex(
    await room.refusedAdjust([{ item_variant_id: milk, value_change: -1, batch_number: 'A' }], REVALUATION),
    /value_change/,
  )
  t.deepEqual(await bench.faults(room.tenant.id), [])
})

test('the stock value of a product goes with it into another category', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  await room.place('North')
  const oak = await room.variant('OAK', { category: 'Wood' })
  const [{ item_id: item }] = (await (async () => {
    await room.adjust([{ item_variant_id: oak, quantity: 4, unit_cost: 10 }])
    return room.stock({ item_variant_id: oak })
  })()) as [Loose]
  await tenant.done(changeProduct, { category: 'Tables' }, { id: item })
  t.deepEqual(await lastLines(room), ['INVENTORY OAK Tables 40', 'INVENTORY OAK Wood -40'])
  await room.adjust([{ item_variant_id: oak, quantity: -1 }])
  const { rows } = await tenant.read(getAccountBalances, {}, { through: tenant.now.slice(0, 10), by: 'category' })
  t.deepEqual(columns(rows, 'account', 'category', 'closing'), [
    ['INVENTORY', 'Tables', 30],
    ['INVENTORY', 'Wood', 0],
    ['STOCK_ADJUSTMENT', 'Tables', 10],
    ['STOCK_ADJUSTMENT', 'Wood', -40],
    ['VALUATION_DIFFERENCE', null, 0],
  ])
  t.deepEqual(await bench.faults(tenant.id), [])
})
