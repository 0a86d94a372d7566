/** Purchasing reconciles, and reconciling finds changed rows. */

import { createLandedCost, reverseLandedCost } from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { sql } from '../../lib/platform/postgres/postgres.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { type Corruption, findsEach, firstRow, rowsOf } from '../support/corrupted.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/**
 * An order received in part at two places, one closed short, one done, and one untouched that is older than the first place. The done one
 * has freight, some of it reversed.
 */
async function filled(): Promise<Buying> {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const service = await room.variant('FREIGHT', { type: 'SERVICE' })
  const lines = [
    { item_variant_id: oak, quantity: 10, price: 1.3333, tax_rate: 7 },
    { item_variant_id: milk, quantity: 7, price: 0.777777 },
    { item_variant_id: service, quantity: 1, price: 5 },
    { item_variant_id: oak, purchase_quantity: 2, conversion_rate: 2.5, purchase_price: 7 },
  ]
  await room.order(lines)
  const main = await room.place('Main')
  const other = await room.place('Other')
  const [open, closed, done] = [
    await room.order(lines, { currency: 'USD', exchange_rate: 0.91 }),
    await room.order(lines),
    await room.order(lines),
  ]
  for (const order of [open, closed]) {
    const [oakLine, milkLine] = order.items
    await room.receive(order, {
      storage_place_id: other,
      items: [
        { purchase_order_item_id: oakLine.id, quantity: 3 },
        { purchase_order_item_id: milkLine.id, quantity: 0.7, quarantine: true },
        { purchase_order_item_id: milkLine.id, quantity: 0.7, batch_number: 'B' },
      ],
    })
  }
  await room.close(closed)
  const { id } = await room.receive(done, { storage_place_id: main })
  await room.adjust([{ item_variant_id: oak, quantity: -4 }], { storage_place_id: main })
  const freight = { purchase_receipt_id: id, items: [{ title: 'Freight', amount: 33.3333 }] }
  const { id: mistake } = await room.tenant.done(createLandedCost, freight)
  await room.tenant.done(createLandedCost, freight)
  await room.tenant.done(reverseLandedCost, { reason: 'twice' }, { id: mistake })
  return room
}

let room: Buying
test.before(async () => {
  room = await filled()
})

test('what orders and receipts wrote reconciles', async t => {
  const { tenant } = room
  const { checks, faults } = await reconcile(bench.databaseUrl, tenant.id)
  t.deepEqual(faults, [])
  t.true(checks.includes('expected quantity = open remainders of orders'))
})

const EXPECTED = 'expected quantity = open remainders of orders'
const LISTED = 'listed supply = expected quantity'
const RECEIVED = 'received_quantity = sum of the receipts'
const RECEIVED_EXACTLY = 'received purchase units = sum of the receipts, before rounding'
const BOOKED = 'accounts of orders, receipts and landed costs = their documents; those of reversed documents are 0'
const LANDED_TOTALS = 'landed cost totals = sums of their costs and allocations'
const LANDED_SHARES = 'allocations of landed costs bear their share'
const LANDED_STOCK = 'what a landed cost brings to the stock follows the quantity that was there'
const LANDED_MOVEMENTS = 'allocations of landed costs = their movements'

const corruptions: readonly Corruption[] = [
  {
    what: 'an expected quantity',
    how: firstRow('stock_levels', 'expected_quantity = expected_quantity + 1', 'expected_quantity > 0'),
    checks: [EXPECTED, LISTED],
  },
  {
    what: 'a received quantity',
    how: firstRow('purchase_order_items', 'received_quantity = received_quantity - 1', 'received_quantity = 3'),
    checks: [EXPECTED, LISTED, RECEIVED, RECEIVED_EXACTLY],
  },
  {
    what: 'what was received before rounding',
    how: firstRow('purchase_order_items', 'received_rest = 0.0000001', 'received_quantity = 3'),
    checks: [RECEIVED_EXACTLY],
  },
  {
    what: "a receipt's tax",
    how: firstRow('purchase_receipts', 'tax_amount = tax_amount + 0.01'),
    checks: ['amounts of a receipt = sum of its lines'],
  },
  {
    what: 'a line in purchase units',
    how: firstRow('purchase_order_items', 'conversion_rate = 2', 'purchase_quantity = 2'),
    checks: ['quantity = purchase_quantity * conversion_rate, rounded'],
  },
  {
    what: "an order's total",
    how: firstRow('purchase_orders', 'tax_amount = tax_amount + 0.01'),
    checks: ['purchase order totals = sums of the lines'],
  },
  {
    what: 'a delivery status',
    how: firstRow(
      'purchase_orders',
      "delivery_status = 'NOT_RECEIVED'",
      "status = 'OPEN' and delivery_status = 'PARTIALLY_RECEIVED'",
    ),
    checks: ['purchase delivery_status follows the lines'],
  },
  {
    what: "a receipt's line",
    how: firstRow('purchase_receipt_items', 'stock_value = stock_value + 0.0001', 'stock_value is not null'),
    checks: ['receipt lines = their movements', BOOKED, 'stock_amount of a receipt = the sum of its lines'],
  },
  {
    what: "a landed cost's total",
    how: firstRow('landed_costs', 'total_amount = total_amount + 0.0001, expensed_amount = expensed_amount + 0.0001'),
    checks: [LANDED_TOTALS],
  },
  {
    what: "a landed cost's amount",
    how: firstRow('landed_cost_items', 'amount = amount + 1'),
    checks: [LANDED_SHARES, LANDED_TOTALS],
  },
  {
    what: 'where a landed cost went',
    how: id => sql.fragment`
      update landed_cost_allocations set stock_amount = stock_amount - 0.0001, expensed_amount = expensed_amount + 0.0001
      where tenant_id = ${id}::bigint
        and landed_cost_id = (select max(id) from landed_costs where tenant_id = ${id}::bigint)
        and id = (select min(id) from landed_cost_allocations where tenant_id = ${id}::bigint)`,
    checks: [LANDED_MOVEMENTS, LANDED_STOCK, LANDED_TOTALS],
  },
  {
    what: 'a landed cost that says it was reversed, and was not',
    how: rowsOf('landed_costs', 'reversed = not reversed, reversed_at = case when reversed then null else now() end'),
    checks: ['documents with movements of kind REVERSAL are reversed, and say when', BOOKED],
  },
  {
    what: 'the order of a landed cost',
    how: firstRow(
      'landed_costs',
      'purchase_order_id = (select min(o.id) from purchase_orders o where o.tenant_id = landed_costs.tenant_id)',
    ),
    checks: ['landed costs stand on receipts of their order, and not on reversed ones'],
  },
]

findsEach(test, corruptions, () => ({ pool: bench.pool, id: room.tenant.id }))
