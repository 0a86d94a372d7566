/** Reconciling finds what was corrupted in manufacturing, and nothing in what the commands wrote. */
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { type Corruption, findsEach, rowsOf } from '../support/corrupted.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** Orders in every status, and every way to end one. */
async function busy(): Promise<Workshop> {
  const shop = await workshop(bench)
  const [, store] = [await shop.place('Home'), await shop.place('Store')]
  const [box, sheet] = [await shop.variant('BOX'), await shop.variant('SHEET')]
  await shop.recipe(
    box,
    [
      [sheet, 1],
      [sheet, 0.1],
    ],
    [[await shop.operation('Folding', 10), 0.333333]],
  )
  await shop.adjust([{ item_variant_id: sheet, quantity: 100, unit_cost: 3.333333 }])
  const orders = []
  for (let n = 0; n < 9; n++) orders.push(await shop.order(box, 3))
  const [, blockedEarly, running, blockedLate, part, done, quarantined, expensed, givenUp] = orders
  await shop.block(blockedEarly)
  for (const order of [running, blockedLate, part, done, quarantined, expensed, givenUp]) await shop.start(order)
  for (const order of [blockedLate, part]) await shop.complete(order, { quantity: 1 })
  await shop.block(blockedLate)
  const [task] = await shop.tasks(done)
  await shop.complete(done, { quantity: 4, tasks: [{ id: task.id, actual_duration: 1.5 }] })
  await shop.complete(quarantined, { quantity: 1, quarantine: true })
  await shop.complete(quarantined, { quantity: 0, is_final: true })
  await shop.complete(expensed, { quantity: 1, storage_place_id: store })
  await shop.adjust([{ item_variant_id: box, quantity: -1 }], { storage_place_id: store })
  await shop.complete(expensed, { quantity: 0, is_final: true })
  // One order gets all of its materials back. The other one ends without output.
  const back = (order: Loose) =>
    order.items.map((line: Loose) => ({ item_variant_id: line.item_variant_id, quantity: -line.quantity }))
  await shop.materials(part, { items: back(part) })
  await shop.materials(givenUp, { items: back(givenUp).slice(1) })
  await shop.complete(givenUp, { quantity: 0, is_final: true })
  await shop.remove(await shop.order(box, 3))
  return shop
}

let room: Workshop
test.before(async () => {
  room = await busy()
})

test('orders in every status reconcile', async t => {
  const { tenant } = room
  t.deepEqual(await bench.faults(tenant.id), [])
})

const DEMAND = 'listed demand = reserved quantity'
const OF_RECIPE = 'materials and durations of a recipe = its numbers for the quantity of the order'
const SUPPLY = 'listed supply = expected quantity'

const corruptions: readonly Corruption[] = [
  {
    what: 'a quantity that was released',
    how: rowsOf('manufacturing_orders', 'released_quantity = 2', "status = 'PARTIALLY_DONE'"),
    checks: ['manufacturing output = its movements', 'expected quantity = open remainders of orders', SUPPLY],
  },
  {
    what: 'a material line',
    how: rowsOf(
      'manufacturing_order_items',
      'actual_quantity = actual_quantity + 1, cost = cost + 1',
      'actual_quantity > 0',
    ),
    checks: [
      'manufacturing write-offs less what came back = their movements',
      'manufacturing cost = its materials and tasks, once started',
    ],
  },
  {
    what: 'a reserved line',
    how: rowsOf('manufacturing_order_items', 'quantity = quantity + 1', 'actual_quantity = 0'),
    checks: ['reserved quantity = open remainders of orders', DEMAND, OF_RECIPE],
  },
  {
    what: 'a planned duration',
    how: rowsOf('manufacturing_order_tasks', 'planned_duration = planned_duration + 0.000001'),
    checks: [OF_RECIPE],
  },
  {
    what: 'a task',
    how: rowsOf('manufacturing_order_tasks', 'actual_duration = 1, actual_cost = 1'),
    checks: ['manufacturing cost = its materials and tasks, once started'],
  },
  {
    what: 'an order that ended without its status',
    how: rowsOf(
      'manufacturing_orders',
      `status = 'DONE', completed_at = now(), posted_cost = materials_cost + operations_cost,
        expensed_cost = materials_cost + operations_cost`,
      "status = 'IN_PROGRESS'",
    ),
    checks: [
      'expected quantity = open remainders of orders',
      SUPPLY,
      'accounts of orders, receipts and landed costs = their documents; those of reversed documents are 0',
    ],
  },
]

findsEach(test, corruptions, () => ({ pool: bench.pool, id: room.tenant.id }))

test('the table itself refuses an order that is done with work in progress, or has posted more than it cost', async t => {
  const { tenant } = room
  for (const change of [
    rowsOf('manufacturing_orders', 'posted_cost = 0, expensed_cost = 0', "status = 'DONE'"),
    rowsOf('manufacturing_orders', 'posted_cost = 1000', "status = 'IN_PROGRESS'"),
    rowsOf('manufacturing_orders', "status = 'DONE'", "status = 'IN_PROGRESS'"),
    rowsOf('manufacturing_orders', 'status_before_block = null', "status = 'BLOCKED'"),
  ])
    await t.throwsAsync(bench.pool.query(statement`${change(tenant.id)}`))
})
