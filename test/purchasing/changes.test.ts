/** The guarantees of changed purchase orders: amounts, expected stock, statuses and later receipts, and what a PATCH refuses. */
import * as v from 'valibot'
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { PurchaseOrder } from '../../lib/domain/purchasing/orders/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Event, Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const types = (events: readonly Event[]) => events.map(({ type }) => type)
/** `sku@place quantity +expected`, of entries with stock or expected stock. */
const standing = async (room: Buying, places: Record<string, string>) => {
  const names = new Map(Object.entries(places).map(([name, id]) => [id, name]))
  return (await room.stock())
    .filter(row => row.quantity + row.expected_quantity > 0)
    .map(
      row =>
        `${row.sku}@${names.get(row.storage_place_id) ?? 'none'} ${row.quantity} +${row.expected_quantity} = ${row.stock_value}`,
    )
    .sort()
}
const reconciled = (room: Buying) => bench.faults(room.tenant.id)
const part = (line: Loose, quantity: number) => ({ purchase_order_item_id: line.id, quantity })
const later = (room: Buying) => {
  room.tenant.now = new Date(Date.parse(room.tenant.now) + 60_000).toISOString()
}

test('lines are changed, removed and added by one PATCH: amounts, totals and expected stock follow, and one event tells', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const [oak, ash, lime] = [await room.variant('OAK'), await room.variant('ASH'), await room.variant('LIME')]
  await room.variant('BIRCH', { purchase_price: 7.25 })
  const order = await room.order([
    itemLine(oak, 10, { price: 3.335, tax_rate: 19 }),
    itemLine(ash, 2.5, { price: 0.1 }),
    itemLine(lime, 4, { price: 1 }),
  ])
  later(room)
  const { body, events } = await room.tryChange(order, {
    expected_date: '2026-12-01',
    notes: 'Gate 3',
    external_ref: 'po-7',
    items: [
      { id: order.items[2].id, remove: true },
      { sku: 'BIRCH', quantity: 2, tax_rate: 7, expected_date: '2026-12-05' },
      { id: order.items[0].id, quantity: 3 },
      { id: order.items[1].id, price: 0.2, tax_rate: 10, expected_date: '2026-12-04' },
    ],
  })
  t.is(v.safeParse(replyOf(PurchaseOrder), body).issues, undefined)
  // 3 * 3.335 = 10.005 -> 10.01, 19 % of it 1.9019 -> 1.90; 2.5 * 0.2 = 0.50, 10 % 0.05; 2 * 7.25 = 14.50, 7 % 1.015 -> 1.02.
  t.deepEqual(columns(body.items, 'sku', 'quantity', 'price', 'line_amount', 'line_tax_amount', 'expected_date'), [
    ['OAK', 3, 3.335, 10.01, 1.9, null],
    ['ASH', 2.5, 0.2, 0.5, 0.05, '2026-12-04T00:00:00.000Z'],
    ['BIRCH', 2, 7.25, 14.5, 1.02, '2026-12-05T00:00:00.000Z'],
  ])
  t.like(body, {
    status: 'OPEN',
    delivery_status: 'NOT_RECEIVED',
    expected_date: '2026-12-01T00:00:00.000Z',
    notes: 'Gate 3',
    external_ref: 'po-7',
    updated_at: room.tenant.now,
    storage_place_id: main,
    total_amount: 25.01,
    tax_amount: 2.97,
    total_amount_with_tax: 27.98,
  })
  t.deepEqual(await room.read(order), body)
  t.deepEqual(types(events).sort(), [...Array(3).fill('stock.changed'), 'purchase_order.updated'].sort())
  const told = events.at(-1)
  t.deepEqual([told?.type, told?.data], ['purchase_order.updated', body])
  t.like(told?.previous, { notes: null, total_amount: 37.6, tax_amount: 6.34 })
  t.deepEqual(await standing(room, { main }), ['ASH@main 0 +2.5 = 0', 'BIRCH@main 0 +2 = 0', 'OAK@main 0 +3 = 0'])
  t.deepEqual(await reconciled(room), [])
})

test('a new place moves what is still expected, with or without changed lines, and receipts lower it there', async t => {
  const room = await buying(bench)
  const places = { main: await room.place('Main'), side: await room.place('Side') }
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  const freight = await room.variant('FREIGHT', { type: 'SERVICE' })
  const order = await room.order([
    itemLine(oak, 10, { price: 1 }),
    itemLine(ash, 4, { price: 1 }),
    itemLine(oak, 1, { price: 1 }),
    itemLine(freight, 1, { price: 1 }),
  ])
  await room.receive(order, { storage_place_id: places.main, items: [part(order.items[0], 3)] })
  t.deepEqual(await standing(room, places), ['ASH@main 0 +4 = 0', 'OAK@main 3 +8 = 3'])
  const { body, events } = await room.tryChange(order, {
    storage_place_id: places.side,
    items: [{ id: order.items[0].id, quantity: 8 }, { id: order.items[2].id, remove: true }, itemLine(ash, 2)],
  })
  t.is(body.storage_place_id, places.side)
  // Outstanding are 8 - 3 of oak, and 4 and 2 of ash.
  t.deepEqual(await standing(room, places), ['ASH@side 0 +6 = 0', 'OAK@main 3 +0 = 3', 'OAK@side 0 +5 = 0'])
  t.deepEqual(types(events), [...Array(4).fill('stock.changed'), 'purchase_order.updated'])
  await room.change(order, { storage_place_id: null })
  t.deepEqual(await standing(room, places), ['ASH@none 0 +6 = 0', 'OAK@main 3 +0 = 3', 'OAK@none 0 +5 = 0'])
  await room.receive(order, { storage_place_id: places.side, items: [part(order.items[0], 2)] })
  t.deepEqual(await standing(room, places), [
    ...['ASH@none 0 +6 = 0', 'OAK@main 3 +0 = 3', 'OAK@none 0 +3 = 0', 'OAK@side 2 +0 = 2'],
  ])
  t.deepEqual(await reconciled(room), [])
  await room.close(order)
  t.deepEqual(await standing(room, places), ['OAK@main 3 +0 = 3', 'OAK@side 2 +0 = 2'])
  t.deepEqual(await reconciled(room), [])
})

test('what is received stays as it was posted, and later receipts take the price and batch as they then are', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const order = await room.order(
    [itemLine(milk, 10, { price: 2, tax_rate: 10, batch_number: 'A', expiry_date: '2027-01-01' })],
    { currency: 'USD', exchange_rate: 0.8 },
  )
  const [line] = order.items
  const first = await room.receive(order, { storage_place_id: main, items: [part(line, 4)] })
  const change = { price: 2.555, tax_rate: 20, batch_number: 'B', expiry_date: '2027-02-02' }
  const changed = await room.change(order, { items: [{ id: line.id, ...change }] })
  // The whole line at the new price: 25.55, 20 % of it 5.11.
  t.like(changed, { total_amount: 25.55, tax_amount: 5.11, currency: 'USD', exchange_rate: 0.8 })
  t.like(changed.items[0], { ...change, quantity: 10, received_quantity: 4 })
  await room.receive(order, { storage_place_id: main })
  const [before, after] = await room.receipts(order).then(receipts => receipts.toReversed())
  t.deepEqual(before, first)
  t.like(after?.items[0], {
    quantity: 6,
    price: 2.555,
    line_amount: 15.33,
    batch_number: 'B',
    expiry_date: '2027-02-02',
  })
  // 4 * 2 * 0.8 = 6.4 and 6 * 2.555 * 0.8 = 12.264. Both batches have the average of both.
  t.is(
    (await room.movements()).reduce((sum: number, { value }: Loose) => sum + value * 1e4, 0),
    186_640,
  )
  t.deepEqual(await reconciled(room), [])
})

test('an order of which nothing is outstanding any more is RECEIVED and DONE', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const lines = [itemLine(oak, 10, { price: 1 }), itemLine(oak, 5, { price: 1 })]
  const received = async () => {
    const order = await room.order(lines)
    await room.receive(order, { storage_place_id: main, items: [part(order.items[0], 4)] })
    later(room)
    return { order, lines: order.items as Loose[] }
  }
  const { order, lines: of } = await received()
  const [first, second] = [of[0]?.id, of[1]?.id]
  t.is(
    await room.refusedChange(order, { items: [{ id: first, quantity: 3.999999 }] }),
    'validation_failed items[0].quantity: must be 4 or more: so much is received',
  )
  t.is(
    await room.refusedChange(order, { items: [{ id: first, remove: true }] }),
    'validation_failed items[0].remove: 4 of the line are received: it must stay',
  )
  const partly = await room.tryChange(order, { items: [{ id: first, quantity: 4 }] })
  t.like(partly.body, { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED', completed_at: null })
  const { body, events } = await room.tryChange(order, { items: [{ id: second, remove: true }] })
  t.like(body, {
    ...{ status: 'DONE', delivery_status: 'RECEIVED', completed_at: room.tenant.now, close_reason: null },
    total_amount: 4,
  })
  t.deepEqual(types(events), ['stock.changed', 'purchase_order.done'])
  t.is(
    await room.refusedReceipt(order, { storage_place_id: main }),
    `purchase_receipt_not_allowed the purchase order ${order.number} is done`,
  )
  // If the same PATCH adds a line, something is outstanding again.
  const other = await received()
  const kept = await room.change(other.order, {
    items: [{ id: other.lines[0]?.id, quantity: 4 }, { id: other.lines[1]?.id, remove: true }, itemLine(oak, 1)],
  })
  t.like(kept, { status: 'OPEN', delivery_status: 'PARTIALLY_RECEIVED' })
  t.deepEqual(await standing(room, { main }), ['OAK@main 8 +1 = 8'])
  // Without a receipt something is always outstanding.
  const fresh = await room.order(lines)
  t.is((await room.change(fresh, { items: [{ id: fresh.items[0].id, remove: true }] })).status, 'OPEN')
  t.deepEqual(await reconciled(room), [])
})

test('naming what is so already changes nothing and tells nothing', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const facts = { expected_date: '2026-12-01', notes: 'N', external_ref: 'E', storage_place_id: main }
  const line = { quantity: 3, price: 1.5, tax_rate: 7, expected_date: '2026-12-02', batch_number: 'B' }
  const order = await room.order([{ item_variant_id: milk, ...line, expiry_date: '2027-01-01' }], facts)
  later(room)
  const same = { ...facts, supplier_id: room.supplier, expected_date: '2026-12-01T00:00:00+00:00' }
  const lines = [{ id: order.items[0].id, ...line, price: 1.5, expiry_date: '2027-01-01' }]
  for (const body of [{}, same, { items: lines }, { ...same, items: lines }, { items: [{ id: order.items[0].id }] }])
    t.deepEqual(await room.tryChange(order, body), { body: order, events: [] })
  // The change does not check again what may have changed since: the place, the supplier, the variant.
  const change = (id: string, endpoint: string, body: object) => room.tenant.done(endpointOf(endpoint), body, { id })
  await change(main, 'updateStoragePlace', { purchase_allowed: false })
  await change(room.supplier, 'updateSupplier', { archived: true })
  await change(order.items[0].item_id, 'updateProduct', { archived: true })
  t.deepEqual(await room.tryChange(order, { ...same, items: lines }), { body: order, events: [] })
  t.is((await room.change(order, { items: [{ id: order.items[0].id, quantity: 4 }] })).items[0].quantity, 4)
})

test('of an order that is done only notes, external_ref and metadata change', async t => {
  const room = await buying(bench)
  const main = await room.place('Main')
  const line = [itemLine(await room.variant('OAK'), 1)]
  const [received, closed] = [await room.order(line), await room.order(line)]
  await room.receive(received, { storage_place_id: main })
  await room.close(closed)
  for (const order of [received, closed]) {
    const before = await room.read(order)
    for (const body of [
      { storage_place_id: main },
      { expected_date: null },
      { supplier_id: room.supplier },
      { notes: 'N', items: [{ id: order.items[0].id }] },
    ])
      t.is(
        await room.refusedChange(order, body),
        `purchase_order_not_editable the purchase order ${order.number} is done: only notes, external_ref and metadata change`,
      )
    later(room)
    const said = { notes: 'Late', external_ref: order.number, metadata: { why: 'storm' } }
    const { body, events } = await room.tryChange(order, said)
    t.deepEqual(body, { ...before, ...said, updated_at: room.tenant.now })
    t.deepEqual(types(events), ['purchase_order.updated'])
    t.deepEqual(await room.tryChange(order, { notes: 'Late' }), { body, events: [] })
    t.is((await room.change(order, { notes: null, external_ref: null })).notes, null)
  }
  t.deepEqual(await reconciled(room), [])
})

test('the supplier changes until the first receipt, and no price with it', async t => {
  const [room, stranger] = [await buying(bench), await buying(bench)]
  const main = await room.place('Main')
  const order = await room.order([itemLine(await room.variant('OAK'), 2, { price: 3 })])
  const made = (title: string) => room.tenant.done(supplierEndpoints.create, { title })
  const [other, old] = [await made('Other'), await made('Old')]
  await room.tenant.done(supplierEndpoints.update, { archived: true }, { id: old.id })
  const refused = (supplier_id: string | null) => room.refusedChange(order, { supplier_id })
  t.is(await refused('1'), 'validation_failed supplier_id: no such supplier')
  t.is(await refused(stranger.supplier), 'validation_failed supplier_id: no such supplier')
  t.is(await refused(old.id), 'validation_failed supplier_id: the supplier is archived')
  t.is(await refused(null), 'validation_failed supplier_id: must not be null')
  const { body, events } = await room.tryChange(order, { supplier_id: other.id })
  t.deepEqual(body, { ...order, supplier: { id: other.id, title: 'Other', country_code: null } })
  t.deepEqual(events[0]?.previous, { supplier: order.supplier })
  t.deepEqual(await room.read(order), body)
  await room.receive(order, { storage_place_id: main, items: [part(order.items[0], 1)] })
  t.is(await refused(room.supplier), 'validation_failed supplier_id: cannot change: goods of the order were received')
  t.is((await room.change(order, { supplier_id: other.id })).supplier.id, other.id)
})

test('entries that name no line, one twice, nothing that lines change, or too much are refused, and nothing changes', async t => {
  const room = await buying(bench, { closedThrough: '2026-10-31' })
  const [main, shop] = [await room.place('Main'), await room.place('Shop')]
  await room.tenant.done(endpointOf('updateStoragePlace'), { purchase_allowed: false }, { id: shop })
  const [oak, milk] = [await room.variant('OAK'), await room.variant('MILK', { batch_tracked: true })]
  const own = await room.variant('OWN', { is_purchasable: false })
  await room.adjust([itemLine(milk, 1, { batch_number: 'A', expiry_date: '2027-01-01' })])
  const order = await room.order([
    itemLine(oak, 1),
    itemLine(milk, 1, { batch_number: 'B', expiry_date: '2027-03-03' }),
  ])
  const other = await room.order([itemLine(oak, 1)], { external_ref: 'other' })
  const [first, second] = order.items.map((line: Loose) => line.id)
  const [before, stock] = [await room.read(order), await room.stock()]
  const added = itemLine(oak, 1)
  const cases: [Record<string, unknown>, string][] = [
    [{ items: [] }, 'items: must have at least 1 entry'],
    [{ items: Array(1001).fill(added) }, 'items: must have at most 1000 entries'],
    [{ items: Array(499).fill(added) }, 'items: an order has at most 500 lines'],
    [{ items: [first, second].map(id => ({ id, remove: true })) }, 'items: an order keeps at least one line'],
    [{ items: [{ id: first }, { id: first, quantity: 2 }] }, 'items[1].id: the line appears twice'],
    [{ items: [{ id: other.items[0].id, quantity: 2 }] }, 'items[0].id: no such line of this order'],
    [{ items: [{ quantity: 2 }] }, 'items[0].item_variant_id: is required for a new line'],
    [{ items: [{ item_variant_id: oak }] }, 'items[0].quantity: is required, or purchase_quantity'],
    [{ items: [{ ...added, sku: 'OAK' }] }, 'items[0].sku: must not stand beside item_variant_id'],
    [{ items: [{ sku: 'ASH', quantity: 1 }] }, 'items[0].sku: is the sku of no unarchived variant'],
    [
      { items: [{ id: first, item_variant_id: milk }] },
      'items[0].item_variant_id: cannot change: remove the line and add another',
    ],
    [{ items: [{ id: first, quantity: 0 }] }, 'items[0].quantity: must be greater than 0'],
    [
      { items: [{ id: first, remove: true, quantity: 2 }] },
      'items[0].remove: must not stand beside a change of the line',
    ],
    [{ items: [itemLine(own, 1)] }, 'items[0].item_variant_id: OWN is not purchasable'],
    [{ items: [{ id: first, batch_number: 'A' }] }, 'items[0].batch_number: OAK is not batch-tracked'],
    [{ items: [{ id: first, expiry_date: '2027-01-01' }] }, 'items[0].expiry_date: is only for a batch'],
    [{ items: [{ id: second, batch_number: 'A' }] }, 'items[0].expiry_date: the batch A has 2027-01-01'],
    [{ storage_place_id: shop }, 'storage_place_id: the storage place does not allow purchases'],
    [{ storage_place_id: '1' }, 'storage_place_id: no such storage place'],
    [{ external_ref: 'other' }, `external_ref: is taken by ${other.id}`],
    [{ currency: 'EUR' }, 'currency: is not a known field'],
    [{ exchange_rate: 1 }, 'exchange_rate: is not a known field'],
    [{ number: 'PO-9' }, 'number: is not a known field'],
  ]
  for (const [body, message] of cases) t.is(await room.refusedChange(order, body), `validation_failed ${message}`)
  t.deepEqual([await room.read(order), await room.stock()], [before, stock])
  const stranger = await buying(bench)
  t.is(await stranger.refusedChange(order, { notes: 'N' }), 'not_found no such purchase order')
  // 500 lines remain of 502 entries and 2 lines, in a closed period.
  const old = await room.order([added, added], { date: '2026-11-01' })
  await room.tenant.done(endpointOf('updateStoragePlace'), { purchase_allowed: true }, { id: shop })
  await bench.pool.query(statement`
    update tenants set closed_through = '2026-11-20' where tenant_id = ${room.tenant.id}::bigint`)
  const many = await room.change(old, {
    storage_place_id: shop,
    items: [...old.items.map(({ id }: Loose) => ({ id, remove: true })), ...Array(500).fill(added)],
  })
  t.is(many.items.length, 500)
  t.like(
    (await room.stock()).find(row => row.storage_place_id === shop),
    { expected_quantity: 500 },
  )
  t.is(
    (await room.stock()).find(row => row.item_variant_id === oak && row.storage_place_id === main)?.expected_quantity,
    2,
  )
})

test('a batch of a line may change to a known one with its dates, and what it said before may stay', async t => {
  const room = await buying(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const { items } = await room.adjust([itemLine(milk, 1, { batch_number: 'A', expiry_date: '2027-01-01' })])
  const order = await room.order([
    itemLine(milk, 1, { batch_number: 'B', expiry_date: '2027-03-03' }),
    itemLine(milk, 1, { batch_number: 'A' }),
  ])
  const [first, second] = order.items.map((line: Loose) => line.id)
  t.is(
    await room.refusedChange(order, { items: [{ id: second, expiry_date: '2027-01-02' }] }),
    'validation_failed items[0].expiry_date: the batch A has 2027-01-01',
  )
  await room.change(order, { items: [{ id: first, batch_number: 'A', expiry_date: '2027-01-01' }] })
  await room.change(order, { items: [{ id: first, expiry_date: null }] })
  const product = items[0].item_id
  await room.adjust([{ item_variant_id: milk, counted_quantity: 0, batch_number: 'A' }])
  await room.tenant.done(endpointOf('updateProduct'), { batch_tracked: false }, { id: product })
  const kept = await room.change(order, { items: [{ id: first, quantity: 2 }] })
  t.like(kept.items[0], { quantity: 2, batch_number: 'A', expiry_date: null })
  t.is((await room.change(order, { items: [{ id: first, batch_number: null }] })).items[0].batch_number, null)
  t.is(
    await room.refusedChange(order, { items: [{ id: first, batch_number: 'A' }] }),
    'validation_failed items[0].batch_number: MILK is not batch-tracked',
  )
})
