/** Sales reconcile, and reconciling finds changed rows. */

import { createReservation, releaseReservation } from '../../lib/domain/sales/reservations/commands.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { type Corruption, findsEach, firstRow, rowsOf } from '../support/corrupted.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Salesroom, salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/**
 * Orders with a discount and a charge: untouched, packed, shipped in part and in full, cancelled. One return received, one cancelled, one
 * open.
 */
async function filled(): Promise<Salesroom> {
  const room = await salesroom(bench)
  await room.place('Main')
  const oak = await room.variant('OAK')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const service = await room.variant('SERVICE', { type: 'SERVICE' })
  await room.adjust([
    itemLine(oak, 100, { unit_cost: 1.3333 }),
    itemLine(milk, 3, { unit_cost: 0.7777, batch_number: 'A' }),
    itemLine(milk, 100, { unit_cost: 0.3333, batch_number: 'B' }),
  ])
  const lines = [
    itemLine(oak, 3, { price: 9.99, tax_rate: 19 }),
    itemLine(milk, 7, { price: 1.005, discount_percent: 3.3333 }),
    itemLine(service, 1, { price: 5 }),
  ]
  await room.order(lines, { charges: [{ title: 'Shipping', amount: 4.995, tax_rate: 19 }] })
  await room.pack(await room.order(lines))
  const [part, full, cancelled] = [
    await room.order(lines),
    await room.order(lines, { charges: [{ title: 'Shipping', amount: 4.995, tax_rate: 19 }] }),
    await room.order(lines),
  ]
  await room.ship(part, { items: [{ sales_order_item_id: part.items[1].id, quantity: 4 }] })
  await room.change(full, { delivery_status: 'SHIPPED' })
  await room.change(cancelled, { status: 'CANCELLED' })
  const back = (at: number, quantity: number) => ({ sales_order_item_id: full.items[at].id, quantity })
  const charges = [{ sales_order_charge_id: full.charges[0].id }]
  await room.receive(await room.giveBack(full, [back(0, 1), back(1, 2), back(2, 1)], { charges }))
  await room.cancel(await room.giveBack(full, [back(0, 2)]))
  await room.giveBack(full, [back(0, 2)])
  const hold = (quantity: number) =>
    room.tenant.done(createReservation, {
      expires_at: '2026-12-01',
      items: [itemLine(oak, quantity), itemLine(milk, quantity)],
    })
  await hold(2)
  await room.tenant.done(releaseReservation, {}, { id: (await hold(3)).id })
  await room.order(lines, { reservation_id: (await hold(4)).id })
  return room
}

let room: Salesroom
test.before(async () => {
  room = await filled()
})

const RESERVED = 'reserved quantity = open remainders of orders'
const LISTED = 'listed demand = reserved quantity'
const HELD = 'open lines of reservations = lines of held reservations'
const TOTALS = 'sales order totals = sums of the lines and charges'
const REFUNDED = 'refunds of a line are at most what it cost'
const REFUNDED_ORDER = 'refunds of an order are at most what it came to'
const SHIPPED = 'shipped quantity and value = sums of the shipments'

test('what orders, shipments and returns wrote reconciles', async t => {
  const { tenant } = room
  const { checks, faults } = await reconcile(bench.databaseUrl, tenant.id)
  t.deepEqual(faults, [])
  t.true(checks.includes(RESERVED))
})

const corruptions: readonly Corruption[] = [
  {
    what: 'a reserved quantity',
    how: firstRow('stock_levels', 'reserved_quantity = reserved_quantity + 1', 'reserved_quantity > 0'),
    checks: [RESERVED, LISTED],
  },
  {
    what: 'an open line that shortages no longer find',
    how: firstRow('sales_order_items', 'is_open = false', 'shipped_quantity = 4'),
    checks: [LISTED],
  },
  {
    what: 'a hold that ended without releasing its goods',
    how: firstRow('reservations', "status = 'EXPIRED'", "status = 'HELD'"),
    checks: [RESERVED, LISTED, HELD],
  },
  {
    what: 'a held quantity',
    how: firstRow('reservation_items', 'quantity = quantity + 1', 'is_open'),
    checks: [RESERVED, LISTED],
  },
  {
    what: 'a line of a hold that shortages no longer find',
    how: firstRow('reservation_items', 'is_open = false', 'is_open'),
    checks: [LISTED, HELD],
  },
  {
    what: 'a shipped quantity',
    how: firstRow('sales_order_items', 'shipped_quantity = shipped_quantity - 1', 'shipped_quantity = 4'),
    checks: [RESERVED, LISTED, SHIPPED],
  },
  {
    what: "a shipment's value",
    how: firstRow('sales_shipment_items', 'value = value + 0.0001', 'value > 0'),
    checks: ['shipment lines = their movements', SHIPPED],
  },
  {
    what: "a return's value",
    how: firstRow('sales_return_items', 'value = value + 0.0001', 'value > 0'),
    checks: ['return lines = their movements'],
  },
  {
    what: 'a cancelled return that was opened again',
    how: firstRow('sales_returns', "status = 'NOT_RETURNED'", "status = 'CANCELLED'"),
    checks: ['returns hold no more than is shipped', REFUNDED, REFUNDED_ORDER],
  },
  {
    what: 'what a line refunds',
    how: firstRow('sales_return_items', 'refund_amount = refund_amount + 100', 'refund_amount > 0'),
    checks: ['return refunds = sums of lines and charges', REFUNDED, REFUNDED_ORDER],
  },
  {
    what: 'what a charge refunds',
    how: rowsOf('sales_return_charges', 'amount = amount + 0.01'),
    checks: ['return refunds = sums of lines and charges', 'refunds of a charge are at most the charge'],
  },
  { what: "an order's total", how: firstRow('sales_orders', 'tax_amount = tax_amount + 0.01'), checks: [TOTALS] },
  { what: 'a charge', how: rowsOf('sales_order_charges', 'amount = amount + 0.01'), checks: [TOTALS] },
  {
    what: 'a delivery status',
    how: firstRow('sales_orders', "delivery_status = 'NOT_SHIPPED'", "delivery_status = 'PACKED'"),
    checks: ['sales delivery_status follows the lines'],
  },
  {
    what: 'a shipped order that was opened again',
    how: firstRow('sales_orders', "status = 'OPEN'", "delivery_status = 'SHIPPED'"),
    checks: ['shipped sales orders are done, cancelled ones are not shipped'],
  },
]

findsEach(test, corruptions, () => ({ pool: bench.pool, id: room.tenant.id }))
