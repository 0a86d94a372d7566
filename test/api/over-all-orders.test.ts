/**
 * The guarantees of the lists over all orders: receipts, shipments and tasks are shown as under single orders, and deliveries can be
 * filtered by status.
 */
import { createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { blockOrder, completeOrder, startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder as createMake } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { listAllProductionTasks, listProductionTasks } from '../../lib/domain/manufacturing/orders/endpoints.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { createOrder as createPurchase } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { getReceipt, listAllReceipts, listReceipts } from '../../lib/domain/purchasing/receipts/endpoints.ts'
import { getShipment, listAllShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose, TestTenant } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const ids = (rows: Loose[]): string[] => rows.map(({ id }) => id)
/** All rows, read in pages of one. */
async function paged(tenant: TestTenant, list: Endpoint, positionOf: (row: Loose) => string, options: Loose) {
  const found: Loose[] = []
  for (let page = await tenant.page(list, { ...options, limit: 1 }); page.length > 0; ) {
    found.push(...page)
    page = await tenant.page(list, { ...options, limit: 1, after: positionOf(page[0]) })
  }
  return found
}

test('receipts of all orders are those of each, and are found by reference, order, place and day of receipt', async t => {
  const { tenant, place, variant } = await salesroom(bench)
  const [main, side] = [await place('Main'), await place('Side')]
  const oak = await variant('OAK')
  const orders: Loose[] = []
  for (const title of ['Mill', 'Forge'])
    orders.push(await tenant.done(createPurchase, { supplier: { title }, items: [itemLine(oak, 9, { price: 2 })] }))
  const receive = (order: Loose, storage_place_id: string, day: string) =>
    tenant.done(
      createReceipt,
      {
        storage_place_id,
        external_ref: `note-${day}`,
        received_date: `2026-11-${day}`,
        items: [{ purchase_order_item_id: order.items[0].id, quantity: 2 }],
      },
      { id: order.id },
    )
  const a = await receive(orders[0], main, '10')
  const b = await receive(orders[1], side, '05')
  const c = await receive(orders[0], side, '07')
  const of = (filters: Record<string, string>) => tenant.page(listAllReceipts, { filters })
  t.deepEqual(await of({}), [a, b, c])
  t.deepEqual(await tenant.page(listReceipts, { params: { id: orders[0].id } }), [c, a])
  t.deepEqual(await of({ purchase_order_id: orders[0].id }), [a, c])
  t.deepEqual(await of({ storage_place_id: side }), [b, c])
  t.deepEqual(await of({ received_after: '2026-11-07' }), [a, c])
  t.deepEqual(await of({ received_after: '2026-11-05', received_before: '2026-11-07' }), [b])
  t.deepEqual(await of({ storage_place_id: side, purchase_order_id: orders[0].id, received_before: '2026-11-08' }), [c])
  t.deepEqual(await of({ purchase_order_id: '-5' }), [])
  t.deepEqual(await of({ external_ref: 'note-05' }), [b])
  t.deepEqual(await of({ external_ref: 'note-05', storage_place_id: main }), [])
  t.deepEqual(await tenant.page(listAllReceipts, { order: 'desc', limit: 2 }), [c, b])
  t.deepEqual(await tenant.read(getReceipt, { id: b.id }), b)
  t.is((await (await bench.tenant()).read(getReceipt, { id: b.id })).refusal, 'not_found')
})

test('shipments of all orders are those of each, and are found by reference, order, what a line holds and creation', async t => {
  const { tenant, variant, adjust, order, ship, shipments } = await salesroom(bench)
  const [oak, milk] = [await variant('OAK'), await variant('MILK', { batch_tracked: true })]
  const stock = await adjust([
    itemLine(oak, 50),
    itemLine(milk, 3, { batch_number: 'A' }),
    itemLine(milk, 50, { batch_number: 'B' }),
  ])
  const [batchA, batchB] = [stock.items[1].batch_id, stock.items[2].batch_id]
  const both = await order([itemLine(oak, 4), itemLine(milk, 5)])
  const plain = await order([itemLine(oak, 6), itemLine(oak, 1)])
  const first = await ship(both)
  tenant.now = '2026-11-22T05:00:00.000Z'
  const second = await ship(plain, {
    external_ref: 'parcel',
    items: [{ sales_order_item_id: plain.items[0].id, quantity: 2 }],
  })
  const third = await ship(plain)
  const of = (filters: Record<string, string>, order: 'asc' | 'desc' = 'asc') =>
    tenant.page(listAllShipments, { filters, order })
  t.deepEqual(await of({}), [first, second, third])
  t.deepEqual(await shipments(plain), [second, third])
  t.deepEqual(await of({ sales_order_id: plain.id }), [second, third])
  t.deepEqual(await of({ item_variant_id: oak }), [first, second, third], 'once each, whatever lines it has')
  t.deepEqual(await of({ item_variant_id: oak }, 'desc'), [third, second, first])
  t.deepEqual(await of({ item_variant_id: milk }), [first])
  t.deepEqual(await of({ batch_id: batchA }), [first])
  t.deepEqual(await of({ external_ref: 'parcel', item_variant_id: oak }), [second])
  t.deepEqual(await of({ external_ref: 'parcel', item_variant_id: milk }), [])
  t.deepEqual(await of({ batch_id: batchB, item_variant_id: milk, sales_order_id: both.id }), [first])
  t.deepEqual(await of({ batch_id: batchB, item_variant_id: oak }), [], 'one line must have both')
  t.deepEqual(await of({ sales_order_id: plain.id, item_variant_id: milk }), [])
  t.deepEqual(await of({ created_after: '2026-11-22' }), [second, third])
  t.deepEqual(await of({ created_before: '2026-11-22', item_variant_id: oak }), [first])
  t.deepEqual(await paged(tenant, listAllShipments, row => row.id, { filters: { item_variant_id: oak } }), [
    first,
    second,
    third,
  ])
  t.deepEqual(await tenant.read(getShipment, { id: first.id }), first)
  t.is((await (await bench.tenant()).read(getShipment, { id: first.id })).refusal, 'not_found')
})

test('tasks of all orders are those of each, order by order, and are found by status, operation and order', async t => {
  const { tenant, place, variant } = await salesroom(bench)
  await place('Main')
  const [chair, bare] = [await variant('CHAIR'), await variant('BARE')]
  const operation = async (title: string) => (await tenant.done(createOperation, { title, cost_per_hour: 10 })).id
  const [saw, glue] = [await operation('Saw'), await operation('Glue')]
  const steps = [glue, saw].map((operation_id, n) => ({ operation_id, duration: 1, position: 2 - n }))
  await tenant.done(createRecipe, { item_variant_id: chair, materials: [], operations: steps })
  const make = async (id = chair) => (await tenant.done(createMake, { item_variant_id: id, quantity: 2 })).id
  await make(bare)
  const [open, started, partly, blocked, done] = [await make(), await make(), await make(), await make(), await make()]
  await make(bare)
  for (const id of [started, partly, done]) await tenant.done(startOrder, {}, { id })
  await tenant.done(completeOrder, { quantity: 1 }, { id: partly })
  await tenant.done(completeOrder, {}, { id: done })
  await tenant.done(blockOrder, { reason: 'x' }, { id: blocked })
  const each: Record<string, Loose[]> = {}
  for (const id of [open, started, partly, blocked, done])
    each[id] = await tenant.page(listProductionTasks, { params: { id } })
  const tasksOf = (...orders: string[]) => orders.flatMap(id => each[id] ?? [])
  const of = (filters: Record<string, string>) => tenant.page(listAllProductionTasks, { filters })
  const all = tasksOf(open, started, partly, blocked, done)
  t.is(all.length, 10)
  t.deepEqual(await of({}), all)
  t.deepEqual(
    ids(all),
    ids(all).toSorted((a, b) => Number(a) - Number(b)),
  )
  const cases: [Record<string, string>, Loose[]][] = [
    [{ status: 'NOT_STARTED' }, tasksOf(open)],
    [{ status: 'IN_PROGRESS' }, tasksOf(started, partly)],
    [{ status: 'DONE,BLOCKED,NOT_STARTED' }, tasksOf(open, blocked, done)],
    [{ operation_id: saw }, all.filter(task => task.operation_id === saw)],
    [
      { operation_id: glue, status: 'IN_PROGRESS' },
      tasksOf(started, partly).filter(task => task.operation_id === glue),
    ],
    [{ operation_id: glue, status: 'DONE,BLOCKED' }, tasksOf(blocked, done).filter(task => task.operation_id === glue)],
    [{ manufacturing_order_id: partly }, tasksOf(partly)],
    [{ manufacturing_order_id: partly, status: 'DONE' }, []],
    [{ manufacturing_order_id: partly, operation_id: saw, status: 'IN_PROGRESS' }, tasksOf(partly).slice(0, 1)],
    [{ operation_id: '-1' }, []],
  ]
  const positionOf = (task: Loose) => `${task.manufacturing_order_id}_${task.id}`
  for (const [filters, expected] of cases) {
    t.deepEqual(await of(filters), expected, JSON.stringify(filters))
    for (const order of ['asc', 'desc'])
      t.deepEqual(
        ids(await paged(tenant, listAllProductionTasks, positionOf, { filters, order })),
        order === 'asc' ? ids(expected) : ids(expected).toReversed(),
        `${JSON.stringify(filters)} ${order}`,
      )
  }
  for (const status of ['', 'DONE,', 'PARTIALLY_DONE', 'DONE,DONE'])
    t.is((await of({ status })).refusal, 'validation_failed', status)
  t.deepEqual(await (await bench.tenant()).page(listAllProductionTasks, { filters: { operation_id: saw } }), [])
})

test('deliveries are found by the status that they show: what an earlier disabling dropped is failed', async t => {
  const tenant = await bench.tenant()
  const endpointOf = (id: string) => endpoints.find(each => each.id === id) as Endpoint
  const body = { url: 'https://example.com/hook', events: ['*'] }
  const { id } = await tenant.done(endpointOf('createWebhookSubscription'), body)
  const list = endpointOf('listWebhookDeliveries')
  await bench.pool.query(statement`
    update webhook_subscriptions set generation = 3, disabled_at = now() where tenant_id = ${tenant.id}::bigint and id = ${id}::bigint`)
  await bench.pool.query(statement`
    insert into webhook_deliveries
      (tenant_id, id, subscription_id, generation, event_id, event_type, sequence, status, next_attempt_at, created_at, completed_at)
    select ${tenant.id}::bigint, 1000 + n, ${id}::bigint, generation, 'evt_' || n, 'product.created', n, status,
      case when status = 'pending' then now() end, now(), case when status <> 'pending' then now() end
    from (values
      (1, 3, 'succeeded'), (2, 1, 'pending'), (3, 3, 'pending'), (4, 2, 'failed'), (5, 2, 'pending'), (6, 3, 'pending'), (7, 1, 'succeeded')
    ) d (n, generation, status)`)
  const of = async (status: string | undefined, options: Loose = {}) => {
    const filters = status === undefined ? {} : { status }
    const rows = await tenant.page(list, { params: { id }, filters, ...options })
    return rows.map((row: Loose) => `${row.sequence} ${row.status}`)
  }
  const all = ['1 succeeded', '2 failed', '3 pending', '4 failed', '5 failed', '6 pending', '7 succeeded']
  t.deepEqual(await of(undefined), all)
  for (const status of ['pending', 'succeeded', 'failed', 'failed,pending', 'pending,succeeded,failed']) {
    const expected = all.filter(row => status.split(',').includes(row.split(' ')[1] ?? ''))
    t.deepEqual(await of(status), expected, status)
    t.deepEqual(await of(status, { order: 'desc' }), expected.toReversed(), status)
    t.deepEqual(await of(status, { after: '1003', limit: 1 }), expected.filter(row => row > '4').slice(0, 1), status)
  }
  t.is((await tenant.page(list, { params: { id }, filters: { status: 'sent' } })).refusal, 'validation_failed')
  t.is((await tenant.page(list, { params: { id: '1' }, filters: { status: 'failed' } })).refusal, 'not_found')
})
