/**
 * A sale from the order to the last return, over real HTTP and through the real queue, with every figure computed by hand, and the races of
 * many orders at the same time.
 */
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

async function made(client: Client, path: string, body: unknown, status = 201): Promise<Loose> {
  const reply = await client.post(path, body)
  if (reply.status !== status) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
  return reply.body
}

const pick = (row: Loose, ...names: string[]) => names.map(name => row[name] as unknown)

/** Runs `reconcile` for the tenant. It exits with 0 if the books agree. */
async function reconciled(tenantId: string): Promise<string> {
  const out: string[] = []
  const status = await runCommandLine(['reconcile', '--tenant', tenantId], {
    env: { DATABASE_URL: service.databaseUrl },
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => out.push(text),
  })
  return status === 0 ? 'agrees' : out.join('\n')
}

/** `OAK main 7/5 worth 28`: quantity and available quantity. */
async function stockOf(client: Client, places: Record<string, string>): Promise<string[]> {
  const { body } = await client.get('/stock?limit=200')
  return body.data.map((row: Loose) =>
    [
      row.sku,
      places[row.storage_place_id] ?? 'nowhere',
      ...(row.batch_number === null ? [] : [row.batch_number]),
      `${row.quantity}/${row.available_quantity}`,
      ...(row.quarantine_quantity === 0 ? [] : [`quarantine ${row.quarantine_quantity}`]),
      `worth ${row.stock_value}`,
    ].join(' '),
  )
}

test('tables and lacquer are sold, changed, packed, shipped in two parcels, and one table comes back', async t => {
  const client = await service.tenant({ key: { userName: 'Ada' } })
  const hall = await made(client, '/storage-places', { title: 'Hall' })
  const shop = await made(client, '/storage-places', { title: 'Shop' })
  const places = { [hall.id]: 'hall', [shop.id]: 'shop' }
  const variantOf = async (product: Record<string, unknown>) =>
    (await made(client, '/products', product)).variants[0].id
  const table = await variantOf({ title: 'Oak table', sku: 'TABLE', price: 249 })
  const lacquer = await variantOf({ title: 'Lacquer', sku: 'LAC', price: 19.99, batch_tracked: true, unit_name: 'l' })
  const setup = await variantOf({ title: 'Setting up', sku: 'SETUP', price: 60, type: 'SERVICE' })
  // 5 tables for 100 each. Lacquer: 2 litres at 8 and 3 at 9, together 43, so 8.6 a litre.
  await made(client, '/stock-adjustments', {
    items: [
      { item_variant_id: table, quantity: 5, unit_cost: 100 },
      { item_variant_id: lacquer, quantity: 2, unit_cost: 8, batch_number: 'JAN', expiry_date: '2027-01-31' },
      { item_variant_id: lacquer, quantity: 3, unit_cost: 9, batch_number: 'FEB', expiry_date: '2027-02-28' },
    ],
  })

  // An order without backorder.
  const order = await made(client, '/sales-orders', {
    customer: { title: 'Harbour Furniture', country_code: 'DE', external_ref: 'shop-17' },
    allow_backorder: false,
    items: [
      { item_variant_id: table, quantity: 3, tax_rate: 19 },
      { item_variant_id: lacquer, quantity: 3.5, tax_rate: 19 },
      { item_variant_id: setup, quantity: 1, tax_rate: 19 },
    ],
  })
  // 747 + 69.97 (69.965) + 60 = 876.97; tax 141.93 + 13.29 (13.2943) + 11.40 = 166.62.
  t.deepEqual(pick(order, 'total_amount', 'tax_amount', 'total_amount_with_tax'), [876.97, 166.62, 1043.59])
  t.deepEqual(await stockOf(client, places), [
    'TABLE hall 5/2 worth 500',
    'LAC hall JAN 2/2 worth 17.2',
    'LAC hall FEB 3/3 worth 25.8',
    'LAC hall 0/-3.5 worth 0',
  ])
  const [tables, litres, setups] = order.items.map((item: Loose) => item.id)
  const path = `/sales-orders/${order.id}`

  // Another customer gets no third table, and this one cannot have six.
  const second = { customer: { title: 'Late' }, allow_backorder: false }
  const late = await client.post('/sales-orders', { ...second, items: [{ item_variant_id: table, quantity: 3 }] })
  t.deepEqual(
    [late.status, late.body.error, late.body.message],
    [
      409,
      'insufficient_stock',
      'items[0].quantity: not enough TABLE at Hall: 3 needed, 5 on hand, of which 2 can be taken',
    ],
  )
  const six = await client.patch(path, { items: [{ id: tables, quantity: 6 }] })
  t.deepEqual([six.status, six.body.message], [409, 'not enough TABLE at Hall: 6 needed, 5 on hand'])

  // The customer takes a fourth table, at a discount.
  const changed = await client.patch(path, { items: [{ id: tables, quantity: 4, price: 240.5 }], priority: 5 })
  t.deepEqual(pick(changed.body, 'total_amount', 'priority'), [1091.97, 5])

  // Two tables and the lacquer are packed and shipped: January's lacquer first.
  const packing = await made(client, `${path}/packings`, {
    items: [
      { sales_order_item_id: tables, quantity: 2 },
      { sales_order_item_id: litres, quantity: 3.5 },
    ],
  })
  t.is(packing.number, 'PK-00001')
  t.is((await client.get(path)).body.delivery_status, 'PARTIALLY_PACKED')
  const parcel = await made(client, `${path}/shipments`, {
    items: packing.items.map(({ sales_order_item_id, quantity }: Loose) => ({ sales_order_item_id, quantity })),
  })
  t.deepEqual(
    parcel.items.map((item: Loose) => pick(item, 'sales_order_item_id', 'quantity')),
    [
      [tables, 2],
      [litres, 2],
      [litres, 1.5],
    ],
  )
  // 3.5 of 5 litres worth 43: 2 take 17.2, then 1.5 of 25.8 take 12.9.
  t.deepEqual(await stockOf(client, places), [
    'TABLE hall 3/1 worth 300',
    'LAC hall JAN 0/0 worth 0',
    'LAC hall FEB 1.5/1.5 worth 12.9',
    'LAC hall 0/0 worth 0',
  ])
  const part = (await client.get(path)).body
  t.deepEqual(pick(part, 'status', 'delivery_status', 'shipped_at'), ['OPEN', 'PARTIALLY_SHIPPED', null])
  t.is((await client.patch(path, { status: 'CANCELLED' })).body.error, 'sales_order_not_editable')

  // The rest, a service, is shipped.
  const done = (await client.patch(path, { delivery_status: 'SHIPPED' })).body
  t.deepEqual(pick(done, 'status', 'delivery_status'), ['DONE', 'SHIPPED'])
  t.not(done.shipped_at, null)
  t.deepEqual(
    done.items.map((item: Loose) => pick(item, 'id', 'packed_quantity', 'shipped_quantity')),
    [
      [tables, 2, 4],
      [litres, 3.5, 3.5],
      [setups, 0, 1],
    ],
  )
  t.is((await client.get(`${path}/shipments`)).body.data.length, 2)
  t.is((await client.patch(path, { notes: 'too late' })).body.error, 'sales_order_not_editable')

  // One scratched table returns into the shop's quarantine, and half a litre into the batch that was shipped last.
  const announced = await made(client, '/sales-returns', {
    sales_order_id: order.id,
    external_return_ref: 'RMA-1',
    items: [
      { sales_order_item_id: tables, quantity: 1, reason: 'scratched', quarantine: true, storage_place_id: shop.id },
      { sales_order_item_id: litres, quantity: 0.5 },
      { sales_order_item_id: setups, quantity: 1, unit_price: 30 },
    ],
  })
  // 240.50 + 10.00 (9.995) + 30.
  t.deepEqual(pick(announced.sales_return, 'status', 'sales_order_number', 'refund_amount'), [
    'NOT_RETURNED',
    'SO-00001',
    280.5,
  ])
  const returned = await made(client, `/sales-returns/${announced.sales_return.id}/receive`, {}, 200)
  t.is(returned.sales_return.status, 'RETURNED')
  t.deepEqual((await client.get(`/sales-returns/${announced.sales_return.id}`)).body, returned)
  // A quarter of 400. 0.5 * 30.1 / 3.5 = 4.3.
  t.deepEqual(await stockOf(client, places), [
    'TABLE hall 1/1 worth 100',
    'LAC hall JAN 0/0 worth 0',
    'LAC hall FEB 2/2 worth 17.2',
    'LAC hall 0/0 worth 0',
    'TABLE shop 1/0 quarantine 1 worth 100',
  ])
  const again = await client.post('/sales-returns', {
    sales_order_id: order.id,
    items: [{ sales_order_item_id: tables, quantity: 3.5 }],
  })
  t.is(again.body.message, 'items[0].quantity: at most 3 of TABLE are shipped and not returned')

  // A cancelled order names who ended it.
  const unwanted = await made(client, '/sales-orders', { ...second, items: [{ item_variant_id: table, quantity: 1 }] })
  const cancelled = await client.patch(`/sales-orders/${unwanted.id}`, {
    status: 'CANCELLED',
    cancel_reason: 'no reply',
  })
  t.deepEqual(pick(cancelled.body, 'status', 'cancelled_by_user_name', 'cancel_reason'), [
    'CANCELLED',
    'Ada',
    'no reply',
  ])
  t.is((await stockOf(client, places))[0], 'TABLE hall 1/1 worth 100')
  t.is(await reconciled(client.tenantId), 'agrees')
})

/** A tenant with this quantity of one variant. */
async function shelf(quantity: number): Promise<{ client: Client; item_variant_id: string }> {
  const client = await service.tenant()
  await made(client, '/storage-places', { title: 'Main' })
  const product = await made(client, '/products', { title: 'Lamp', sku: 'LAMP', price: 10 })
  const item_variant_id = product.variants[0].id
  await made(client, '/stock-adjustments', { items: [{ item_variant_id, quantity, unit_cost: 4 }] })
  return { client, item_variant_id }
}

const statuses = (replies: readonly { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('40 orders at once on a stock of 25 without backorder: 25 are made, 15 are refused', async t => {
  const { client, item_variant_id } = await shelf(25)
  const buyer = (n: number) => ({
    customer: { title: `Buyer ${n}`, external_ref: `buyer-${n}` },
    allow_backorder: false,
    items: [{ item_variant_id, quantity: 1 }],
  })
  const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => client.post('/sales-orders', buyer(n))))
  t.deepEqual(statuses(replies), { 201: 25, 409: 15 })
  for (const reply of replies.filter(({ status }) => status === 409)) t.is(reply.body.error, 'insufficient_stock')
  const [row] = (await client.get('/stock')).body.data
  t.deepEqual(pick(row, 'quantity', 'reserved_quantity', 'available_quantity'), [25, 25, 0])
  const numbers = (await client.get('/sales-orders?limit=200')).body.data.map((order: Loose) => order.number)
  t.deepEqual(
    numbers,
    Array.from({ length: 25 }, (_, n) => `SO-${String(n + 1).padStart(5, '0')}`),
  )
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('orders with backorder share the stock at shipping: 40 shipments at once on a stock of 25 ship 25', async t => {
  const { client, item_variant_id } = await shelf(25)
  const order = { customer: { title: 'Buyer' }, items: [{ item_variant_id, quantity: 1 }] }
  const orders = await Promise.all(Array.from({ length: 40 }, () => made(client, '/sales-orders', order)))
  const replies = await Promise.all(
    orders.map(({ id }, n) =>
      n % 2 === 0
        ? client.patch(`/sales-orders/${id}`, { delivery_status: 'SHIPPED' })
        : client.post(`/sales-orders/${id}/shipments`, {}),
    ),
  )
  t.is(replies.filter(({ status }) => status < 300).length, 25)
  for (const reply of replies.filter(({ status }) => status >= 300)) t.is(reply.body.error, 'insufficient_stock')
  const [row] = (await client.get('/stock')).body.data
  t.deepEqual(pick(row, 'quantity', 'reserved_quantity', 'stock_value'), [0, 15, 0])
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('cancel against ship at once has one winner, twenty times', async t => {
  const { client, item_variant_id } = await shelf(20)
  const order = { customer: { title: 'Buyer' }, items: [{ item_variant_id, quantity: 1 }] }
  const orders = await Promise.all(Array.from({ length: 20 }, () => made(client, '/sales-orders', order)))
  const outcomes = await Promise.all(
    orders.map(async ({ id }, n) => {
      const cancel = () => client.patch(`/sales-orders/${id}`, { status: 'CANCELLED' })
      const ship = () => client.post(`/sales-orders/${id}/shipments`, {})
      const replies = await Promise.all(n % 2 === 0 ? [cancel(), ship()] : [ship(), cancel()])
      t.is(replies.filter(({ status }) => status < 300).length, 1)
      const loser = replies.find(({ status }) => status >= 300)
      t.deepEqual([loser?.status, loser?.body.error], [409, 'sales_order_not_editable'])
      return (await client.get(`/sales-orders/${id}`)).body.status
    }),
  )
  const shipped = outcomes.filter(status => status === 'DONE').length
  t.is(outcomes.filter(status => status === 'CANCELLED').length, 20 - shipped)
  const [row] = (await client.get('/stock')).body.data
  t.deepEqual(pick(row, 'quantity', 'reserved_quantity'), [20 - shipped, 0])
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('a line is shipped and returned no more than there is of it, however many ask at once', async t => {
  const { client, item_variant_id } = await shelf(50)
  const items = [{ item_variant_id, quantity: 7 }]
  const order = await made(client, '/sales-orders', { customer: { title: 'Buyer' }, items })
  const line = { sales_order_item_id: order.items[0].id, quantity: 1 }
  const parcels = await Promise.all(
    Array.from({ length: 12 }, () => client.post(`/sales-orders/${order.id}/shipments`, { items: [line] })),
  )
  t.deepEqual(statuses(parcels), { 201: 7, 409: 5 })
  const returns = await Promise.all(
    Array.from({ length: 12 }, () => client.post('/sales-returns', { sales_order_id: order.id, items: [line] })),
  )
  t.deepEqual(statuses(returns), { 201: 7, 400: 5 })
  const first = returns.find(({ status }) => status === 201)?.body.sales_return.id
  const moves = await Promise.all(
    Array.from({ length: 10 }, (_, n) => client.post(`/sales-returns/${first}/${n % 2 ? 'receive' : 'cancel'}`, {})),
  )
  t.deepEqual(statuses(moves), { 200: 1, 409: 9 })
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('an order sent twenty times with one key is made once', async t => {
  const { client, item_variant_id } = await shelf(5)
  const body = { customer: { title: 'Buyer' }, items: [{ item_variant_id, quantity: 2 }], allow_backorder: false }
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/sales-orders', body, 'the-one')))
  t.deepEqual(statuses(replies), { 201: 20 })
  t.is(new Set(replies.map(({ text }) => text)).size, 1)
  t.is(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 19)
  t.is((await client.get('/stock')).body.data[0].reserved_quantity, 2)
})

test('orders, shipments and returns spend the document quota; packings, PATCH, receiving and cancelling do not', async t => {
  const { client, item_variant_id } = await shelf(50)
  const { client: limited } = await service.key(client.tenantId, { dailyDocuments: 3 })
  const items = [{ item_variant_id, quantity: 3 }]
  const order = await made(limited, '/sales-orders', { customer: { title: 'Buyer' }, items })
  const path = `/sales-orders/${order.id}`
  const line = { sales_order_item_id: order.items[0].id, quantity: 1 }
  await made(limited, `${path}/packings`, { items: [line] })
  await made(limited, `${path}/shipments`, { items: [line] })
  const back = await made(limited, '/sales-returns', { sales_order_id: order.id, items: [line] })
  await made(limited, `/sales-returns/${back.sales_return.id}/receive`, {}, 200)
  t.is((await limited.patch(path, { delivery_status: 'SHIPPED' })).status, 200)
  const over = await limited.post('/sales-orders', { customer: { title: 'Buyer' }, items })
  t.deepEqual([over.status, over.body.error], [429, 'document_quota_exceeded'])
})
