/** Reconciling finds rows that were changed without the ledger, and no fault in rows of the ledger. */

import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createCount } from '../../lib/domain/stock/counts/commands.ts'
import { completeCount } from '../../lib/domain/stock/counts/completion.ts'
import { reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { type Corruption, findsEach, firstRow, rowsOf } from '../support/corrupted.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

async function filled(): Promise<Stockroom> {
  const room = await stockroom(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const [milk, oak] = [await room.variant('MILK', { batch_tracked: true }), await room.variant('OAK')]
  await room.adjust([
    itemLine(milk, 1, { unit_cost: 4, batch_number: 'A' }),
    itemLine(milk, 2, { unit_cost: 3, batch_number: 'B' }),
    itemLine(oak, 5, { unit_cost: 3.333333 }),
    { item_variant_id: oak, counted_quantity: 5 },
    itemLine(milk, -1.5),
  ])
  await room.transfer({
    from_storage_place_id: north,
    to_storage_place_id: south,
    items: [itemLine(milk, 1, { to_quarantine: true }), itemLine(oak, 5)],
  })
  const pine = await room.variant('PINE')
  const adjusted = await room.adjust([itemLine(pine, 3, { unit_cost: 2 })])
  const moved = await room.transfer({
    from_storage_place_id: north,
    to_storage_place_id: south,
    items: [itemLine(pine, 1)],
  })
  await room.tenant.done(reverseTransfer, { reason: 'test' }, { id: moved.id })
  await room.tenant.done(reverseAdjustment, { reason: 'test' }, { id: adjusted.id })
  const elm = await room.variant('ELM')
  const items = [{ item_variant_id: elm, counted_quantity: 2 }]
  const { id } = await room.tenant.done(createCount, { items })
  await room.tenant.done(completeCount, {}, { id })
  return room
}

let room: Stockroom
test.before(async () => {
  room = await filled()
})

test('what the ledger wrote reconciles, for one tenant and for all', async t => {
  const { tenant } = room
  const one = await reconcile(bench.databaseUrl, tenant.id)
  t.is(one.tenants, 1)
  t.deepEqual(one.faults, [])
  t.true(one.checks.length >= 14)
  t.is((await reconcile(bench.databaseUrl, '1')).tenants, 0)
})

const ONE_LEVEL = `id = (
  select max(id) from stock_levels other
  where other.tenant_id = stock_levels.tenant_id and quantity > 0 and quarantine_quantity = 0)`

const INVENTORY = 'INVENTORY of a variant at a place = its stock value'
const CATEGORIES = 'INVENTORY of a category = the stock value of its products'

const corruptions: readonly Corruption[] = [
  {
    what: 'a quantity',
    how: rowsOf('stock_levels', 'quantity = quantity + 1', ONE_LEVEL),
    checks: ['level quantity = sum of its movements', 'balance quantity = sum of its levels'],
  },
  {
    what: 'a quarantined quantity',
    how: rowsOf('stock_levels', 'quarantine_quantity = quantity', ONE_LEVEL),
    checks: ['level quarantine = sum of its movements', 'balance quarantine = sum of its levels'],
  },
  {
    what: 'a value',
    how: rowsOf('stock_balances', 'value = value + 0.0001', 'quantity = 5'),
    checks: ['balance value = sum of its movements', INVENTORY, CATEGORIES],
  },
  {
    what: 'a lost balance',
    how: id => sql.fragment`delete from stock_balances where tenant_id = ${id}::bigint and quantity = 5`,
    checks: [
      'balance quantity = sum of its levels',
      'balance quarantine = sum of its levels',
      'balance value = sum of its movements',
      INVENTORY,
      CATEGORIES,
    ],
  },
  {
    what: 'a movement',
    how: firstRow('stock_movements', 'quantity = quantity + 1, value = value - 1'),
    checks: [
      'level quantity = sum of its movements',
      'balance value = sum of its movements',
      'quantity_after follows the movements and is never negative',
      'adjustment lines = their movements',
      INVENTORY,
      CATEGORIES,
    ],
  },
  {
    what: 'a minimum',
    how: rowsOf('item_variants', 'minimum_stock = 1'),
    checks: [
      'minimum of an entry without a batch = that of its variant',
      'variants with a minimum tell whether they have an entry at the main place',
    ],
  },
  {
    what: 'a line',
    how: firstRow('stock_adjustment_items', 'amount = amount + 1'),
    checks: ['adjustment lines = their movements', 'adjustment total_amount = sum of its lines'],
  },
  {
    what: "a transfer's line",
    how: id => sql.fragment`delete from stock_transfer_items where tenant_id = ${id}::bigint`,
    checks: ['transfer lines = their TRANSFER_IN movements', 'transfer lines = their TRANSFER_OUT movements'],
  },
  {
    what: 'a movement of a reversal',
    how: rowsOf('stock_movements', 'quantity = quantity + 1', "kind = 'REVERSAL' and source_type = 'STOCK_ADJUSTMENT'"),
    checks: [
      'level quantity = sum of its movements',
      'quantity_after follows the movements and is never negative',
      'movements of a reversed document sum to 0 in every stock entry',
    ],
  },
  {
    what: 'the value of a reversed transfer',
    how: rowsOf(
      'stock_movements',
      'value = value + 1',
      "kind = 'REVERSAL' and source_type = 'STOCK_TRANSFER' and quantity > 0",
    ),
    checks: [
      'balance value = sum of its movements',
      'movements of a reversed transfer sum to a value of 0',
      INVENTORY,
      CATEGORIES,
      'debits equal credits in each entry of the books',
    ],
  },
  {
    what: 'a reversal that its document does not know of',
    how: rowsOf('stock_adjustments', 'reversed = false', 'reversed'),
    checks: ['documents with movements of kind REVERSAL are reversed, and say when'],
  },
  {
    what: 'the number of lines of a count',
    how: rowsOf('stock_counts', 'line_count = 2'),
    checks: ['line_count and difference_count of a stock count = its lines'],
  },
  {
    what: 'the adjustment of a count',
    how: rowsOf('stock_counts', 'adjustment_id = null'),
    checks: ['a stock count that is done has an adjustment where lines differ, and no other count has one'],
  },
  {
    what: 'what a line of a count says was counted',
    how: rowsOf('stock_count_items', 'counted_quantity = 3, difference = 3'),
    checks: ["the adjustment of a stock count books its lines' differences"],
  },
  {
    what: 'a count that its adjustment does not name',
    how: rowsOf('stock_adjustments', 'stock_count_id = null'),
    checks: [
      'a stock count that is done has an adjustment where lines differ, and no other count has one',
      "the adjustment of a stock count books its lines' differences",
    ],
  },
  {
    what: 'an adjustment of a count that is not there',
    how: rowsOf('stock_adjustments', 'stock_count_id = 1', "stock_count_id is null and number = 'SA-00001'"),
    checks: ['a stock count that is done has an adjustment where lines differ, and no other count has one'],
  },
  {
    what: 'an event sequence',
    how: id => sql.fragment`
      delete from events where tenant_id = ${id}::bigint and sequence = 2`,
    checks: ['events have a sequence without gaps but those that are noted'],
  },
]

findsEach(test, corruptions, () => ({ pool: bench.pool, id: room.tenant.id }))

test('movements can be neither changed nor deleted', async t => {
  const { tenant } = room
  const change = sql.fragment`update stock_movements set quantity = 0 where tenant_id = ${tenant.id}::bigint`
  const removal = sql.fragment`delete from stock_movements where tenant_id = ${tenant.id}::bigint`
  for (const forbidden of [change, removal])
    await t.throwsAsync(bench.pool.query(statement`${forbidden}`), { message: /append-only|rejected|failed/i })
})
