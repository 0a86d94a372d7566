/**
 * A purchase from the order to the last receipt, over real HTTP and through the real queue, with every figure computed by hand, and the
 * races of many receipts at the same time.
 */
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

const pick = (row: Loose, ...names: string[]) => names.map(name => row[name] as unknown)

/** Runs `reconcile` for the tenant. It exits with 0 if the books agree. */
async function reconciled(tenantId: string): Promise<string> {
  const out: string[] = []
  const env = { DATABASE_URL: service.databaseUrl }
  const status = await runCommandLine(['reconcile', '--tenant', tenantId], {
    env,
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => out.push(text),
  })
  return status === 0 ? 'agrees' : out.join('\n')
}

test('timber is bought in dollars, comes in three deliveries, and the rest is called off', async t => {
  const client = await service.tenant()
  const yard = await client.made('/storage-places', { title: 'Yard' })
  const hall = await client.made('/storage-places', { title: 'Hall' })
  const oak = (await client.made('/products', { title: 'Oak board', sku: 'OAK', purchase_price: 9 })).variants[0].id
  const lacquer = (
    await client.made('/products', {
      title: 'Lacquer',
      sku: 'LAC',
      batch_tracked: true,
      shelf_life_days: 30,
      unit_name: 'l',
    })
  ).variants[0].id
  const freight = (await client.made('/products', { title: 'Freight', sku: 'FRT', type: 'SERVICE' })).variants[0].id
  await client.made('/stock-adjustments', { storage_place_id: hall.id, items: [itemLine(oak, 2, { unit_cost: 7.5 })] })

  // The supplier comes along with the order. A dollar is 0.8 euro on that day.
  const order = await client.made('/purchase-orders', {
    supplier: { title: 'Nordic Timber', country_code: 'NO', external_ref: 'vendor-1' },
    currency: 'USD',
    exchange_rate: 0.8,
    items: [
      itemLine(oak, 10, { price: 12.345, tax_rate: 25 }),
      itemLine(lacquer, 3, { price: 4.999 }),
      itemLine(freight, 1, { price: 40, tax_rate: 25 }),
    ],
  })
  // 123.45 + 15.00 (14.997) + 40 = 178.45, with tax 30.86 (30.8625) + 0 + 10 = 40.86.
  t.deepEqual(pick(order, 'total_amount', 'tax_amount', 'total_amount_with_tax'), [178.45, 40.86, 219.31])
  t.deepEqual(
    order.items.map((item: Loose) => pick(item, 'line_amount', 'line_tax_amount', 'line_amount_with_tax')),
    [
      [123.45, 30.86, 154.31],
      [15, 0, 15],
      [40, 10, 50],
    ],
  )
  const [oakLine, lacquerLine, freightLine] = order.items.map((item: Loose) => item.id)

  const stock = async () =>
    (await client.get('/stock')).body.data.map((row: Loose) =>
      [
        row.storage_place_id === yard.id ? 'yard' : 'hall',
        row.sku,
        ...(row.batch_number === null ? [] : [row.batch_number, row.expiry_date]),
        `${row.quantity}/${row.available_quantity}`,
        `expected ${row.expected_quantity}`,
        `worth ${row.stock_value}`,
      ].join(' '),
    )
  t.deepEqual(await stock(), [
    'hall OAK 2/2 expected 0 worth 15',
    'yard OAK 0/0 expected 10 worth 0',
    'yard LAC 0/0 expected 3 worth 0',
  ])

  // First lorry: 6 boards straight into the hall, one of them doubtful. 5 * 12.345 * 0.8 = 49.38; 1 * ... = 9.876.
  const first = await client.made(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: hall.id,
    items: [
      { purchase_order_item_id: oakLine, quantity: 5 },
      { purchase_order_item_id: oakLine, quantity: 1, quarantine: true },
    ],
  })
  // The amounts are in the order's dollars: 61.73 (61.725) + 12.35 (12.345).
  t.deepEqual(pick(first, 'number', 'total_amount'), ['PR-00001', 74.08])
  t.deepEqual(await stock(), [
    'hall OAK 8/7 expected 0 worth 74.256',
    'yard OAK 0/0 expected 4 worth 0',
    'yard LAC 0/0 expected 3 worth 0',
  ])

  // Second delivery: the lacquer, made five days ago, goes into the yard. 3 * 4.999 * 0.8 = 11.9976.
  const fiveDaysAgo = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
  const inAMonth = new Date(Date.parse(fiveDaysAgo) + 30 * 86_400_000).toISOString().slice(0, 10)
  const second = await client.made(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: yard.id,
    items: [{ purchase_order_item_id: lacquerLine, quantity: 3, manufacture_date: fiveDaysAgo }],
  })
  t.deepEqual(pick(second.items[0], 'batch_number', 'expiry_date', 'line_amount'), ['PR-00002', inAMonth, 15])
  t.deepEqual(await stock(), [
    'hall OAK 8/7 expected 0 worth 74.256',
    'yard OAK 0/0 expected 4 worth 0',
    'yard LAC 0/0 expected 0 worth 0',
    `yard LAC PR-00002 ${inAMonth} 3/3 expected 0 worth 11.9976`,
  ])

  // The freight is billed: counted, not stocked. Then the seller has no more oak.
  await client.made(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: yard.id,
    items: [{ purchase_order_item_id: freightLine, quantity: 1 }],
  })
  const before = (await client.get(`/purchase-orders/${order.id}`)).body
  t.deepEqual(pick(before, 'status', 'delivery_status'), ['OPEN', 'PARTIALLY_RECEIVED'])
  const closed = await client.post(`/purchase-orders/${order.id}/close`, { reason: 'Sold out' })
  t.is(closed.status, 200)
  t.deepEqual(pick(closed.body, 'status', 'delivery_status', 'close_reason'), [
    'DONE',
    'PARTIALLY_RECEIVED',
    'Sold out',
  ])
  t.is((await stock())[1], 'yard OAK 0/0 expected 0 worth 0')
  const late = await client.post(`/purchase-orders/${order.id}/receipts`, { storage_place_id: yard.id })
  t.deepEqual([late.status, late.body.error], [409, 'purchase_receipt_not_allowed'])
  const again = await client.post(`/purchase-orders/${order.id}/close`, {})
  t.deepEqual([again.status, again.body.error], [409, 'purchase_order_not_editable'])

  const receipts = (await client.get(`/purchase-orders/${order.id}/receipts`)).body.data
  t.deepEqual(column(receipts, 'number'), ['PR-00003', 'PR-00002', 'PR-00001'])
  t.deepEqual(receipts[2], first)
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('an order is changed on the telephone between its deliveries, and two people who change it at once do not mix it up', async t => {
  const client = await service.tenant()
  const yard = await client.made('/storage-places', { title: 'Yard' })
  const hall = await client.made('/storage-places', { title: 'Hall' })
  const variantOf = async (sku: string) => (await client.made('/products', { title: sku, sku })).variants[0].id
  const [oak, ash] = [await variantOf('OAK'), await variantOf('ASH')]
  const order = await client.made('/purchase-orders', {
    supplier: { title: 'Nordic Timber' },
    expected_date: '2099-01-20',
    items: [itemLine(oak, 10, { price: 2.5, tax_rate: 19 }), itemLine(ash, 4, { price: 1.125 })],
  })
  const path = `/purchase-orders/${order.id}`
  const [oakLine, ashLine] = order.items.map((item: Loose) => item.id)
  const expected = async () =>
    (await client.get('/stock')).body.data.map((row: Loose) =>
      [row.storage_place_id === yard.id ? 'yard' : 'hall', row.sku, row.quantity, row.expected_quantity].join(' '),
    )
  await client.made(`${path}/receipts`, {
    storage_place_id: yard.id,
    items: [{ purchase_order_item_id: oakLine, quantity: 6 }],
  })
  t.deepEqual(await expected(), ['yard OAK 6 4', 'yard ASH 0 4'])

  // The supplier offers two boards more, at a higher price, into the hall, and no ash. Two people read the same order, and the second one's
  // change is refused.
  const tag = (await client.get(path)).headers.get('etag') ?? ''
  const change = (body: object) => client.request('PATCH', path, { body, headers: { 'if-match': tag } })
  const changed = await change({
    storage_place_id: hall.id,
    items: [
      { id: oakLine, quantity: 12, price: 3, expected_date: '2099-01-10' },
      { id: ashLine, remove: true },
    ],
  })
  t.is(changed.status, 200, changed.text)
  // 12 * 3 = 36, tax 6.84.
  t.deepEqual(pick(changed.body, 'total_amount', 'tax_amount', 'status', 'delivery_status'), [
    ...[36, 6.84, 'OPEN', 'PARTIALLY_RECEIVED'],
  ])
  t.is((await change({ notes: 'Ring first' })).body.error, 'precondition_failed')
  t.deepEqual(await expected(), ['yard OAK 6 0', 'yard ASH 0 0', 'hall OAK 0 6'])

  // Ten boards are sold from the hall, so they are short there, and the shortage says when the rest arrives.
  await client.made('/sales-orders', {
    customer: { title: 'Shop' },
    items: [itemLine(oak, 10, { storage_place_id: hall.id })],
  })
  const [short] = (await client.get('/shortages')).body.data
  t.deepEqual(pick(short, 'sku', 'storage_place_id', 'short_quantity'), ['OAK', hall.id, 4])
  t.deepEqual(
    short.supply.map((one: Loose) => pick(one, 'number', 'quantity', 'expected_by')),
    [['PO-00001', 6, '2099-01-10T00:00:00.000Z']],
  )

  // In one bulk of mode `all`: two boards are received at the new price, and the rest is cancelled.
  const bulk = await client.request('POST', '/bulk', {
    key: null,
    body: {
      mode: 'all',
      requests: [
        {
          ...{ method: 'POST', path: `${path}/receipts`, idempotency_key: 'last-lorry' },
          body: { storage_place_id: hall.id, items: [{ purchase_order_item_id: oakLine, quantity: 2 }] },
        },
        { ...{ method: 'PATCH', path, idempotency_key: 'call-off' }, body: { items: [{ id: oakLine, quantity: 8 }] } },
      ],
    },
  })
  const [receipt, done] = bulk.body.results
  t.deepEqual([receipt.status, receipt.body.total_amount, done.status], [201, 6, 200])
  // 8 * 3 = 24, tax 4.56.
  t.deepEqual(pick(done.body, 'status', 'delivery_status', 'total_amount', 'tax_amount'), [
    'DONE',
    'RECEIVED',
    24,
    4.56,
  ])
  t.deepEqual(await expected(), ['yard OAK 6 0', 'yard ASH 0 0', 'hall OAK 2 0'])
  // 6 * 2.5 in the yard, 2 * 3 in the hall.
  t.deepEqual(column((await client.get('/stock')).body.data, 'stock_value'), [15, 0, 6])
  const late = await client.request('PATCH', path, { body: { expected_date: null } })
  t.deepEqual([late.status, late.body.error], [409, 'purchase_order_not_editable'])
  t.is((await client.request('PATCH', path, { body: { notes: 'Paid' } })).body.notes, 'Paid')
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('40 receipts at once on an order of 25 bring in 25, and 15 are refused', async t => {
  const client = await service.tenant()
  const place = await client.made('/storage-places', { title: 'Yard' })
  const oak = (await client.made('/products', { title: 'Oak', sku: 'OAK' })).variants[0].id
  const order = await client.made('/purchase-orders', {
    supplier: { title: 'Nordic Timber' },
    items: [itemLine(oak, 25, { price: 2 })],
  })
  const body = { storage_place_id: place.id, items: [{ purchase_order_item_id: order.items[0].id, quantity: 1 }] }
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => client.post(`/purchase-orders/${order.id}/receipts`, body)),
  )
  const answers = replies.map(({ status, body }) => (status === 201 ? 'received' : `${status} ${body.error}`))
  t.is(answers.filter(answer => answer === 'received').length, 25)
  t.is(answers.filter(answer => answer === '409 purchase_receipt_not_allowed').length, 15)
  t.is(new Set(replies.flatMap(({ body }) => body.number ?? [])).size, 25)
  const [row] = (await client.get('/stock')).body.data
  t.deepEqual(pick(row, 'quantity', 'expected_quantity', 'stock_value'), [25, 0, 50])
  t.deepEqual(pick((await client.get(`/purchase-orders/${order.id}`)).body, 'status', 'delivery_status'), [
    'DONE',
    'RECEIVED',
  ])
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('one receipt that is sent 20 times with one key comes in once', async t => {
  const client = await service.tenant()
  const place = await client.made('/storage-places', { title: 'Yard' })
  const oak = (await client.made('/products', { title: 'Oak', sku: 'OAK' })).variants[0].id
  const order = await client.made('/purchase-orders', {
    supplier: { title: 'Nordic Timber' },
    items: [itemLine(oak, 50)],
  })
  const body = { storage_place_id: place.id, items: [{ purchase_order_item_id: order.items[0].id, quantity: 1 }] }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => client.post(`/purchase-orders/${order.id}/receipts`, body, 'pallet-1')),
  )
  t.true(replies.every(({ status, text }) => status === 201 && text === replies[0]?.text))
  t.is(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  t.deepEqual(pick((await client.get('/stock')).body.data[0], 'quantity', 'expected_quantity'), [1, 49])
})

test('a last receipt against a close has one winner', async t => {
  const client = await service.tenant()
  const place = await client.made('/storage-places', { title: 'Yard' })
  const oak = (await client.made('/products', { title: 'Oak', sku: 'OAK' })).variants[0].id
  let received = 0
  for (let round = 0; round < 5; round++) {
    const order = await client.made('/purchase-orders', {
      supplier: { title: 'Nordic Timber', external_ref: 'v' },
      items: [itemLine(oak, 2)],
    })
    const [receipt, close] = await Promise.all([
      client.post(`/purchase-orders/${order.id}/receipts`, { storage_place_id: place.id }),
      client.post(`/purchase-orders/${order.id}/close`, {}),
    ])
    const outcome = `${receipt.status} ${close.status}`
    t.true(['201 409', '409 200'].includes(outcome), outcome)
    if (receipt.status === 201) received += 2
  }
  t.deepEqual(pick((await client.get('/stock')).body.data[0], 'quantity', 'expected_quantity'), [received, 0])
  t.is((await client.get('/suppliers')).body.data.length, 1)
  t.is(await reconciled(client.tenantId), 'agrees')
})

test('20 orders at once that bring the same new supplier along make it once', async t => {
  const client = await service.tenant()
  const oak = (await client.made('/products', { title: 'Oak', sku: 'OAK' })).variants[0].id
  const orders = await Promise.all(
    Array.from({ length: 20 }, () =>
      client.made('/purchase-orders', {
        supplier: { title: 'Nordic Timber', external_ref: 'vendor-1' },
        items: [itemLine(oak, 1)],
      }),
    ),
  )
  t.is(new Set(orders.map(order => order.supplier.id)).size, 1)
  t.is(new Set(orders.map(order => order.number)).size, 20)
  t.is((await client.get('/suppliers')).body.data.length, 1)
  t.deepEqual(pick((await client.get('/stock')).body.data[0], 'storage_place_id', 'expected_quantity'), [null, 20])
})

test('orders and receipts spend the daily quota, suppliers and closings do not', async t => {
  const { tenantId } = await service.tenant()
  const { client } = await service.key(tenantId, { dailyDocuments: 5 })
  const spent: string[] = []
  const post = async (path: string, body: unknown) => {
    const reply = await client.post(path, body)
    if (reply.status !== 429) return reply.body
    spent.push(`${path} ${reply.body.error}`)
    return null
  }
  const place = await post('/storage-places', { title: 'Yard' })
  const oak = (await post('/products', { title: 'Oak', sku: 'OAK' })).variants[0].id
  const supplier = await post('/suppliers', { title: 'Nordic Timber' })
  await post('/customers', { title: 'Harbour' })
  const body = { supplier_id: supplier.id, items: [itemLine(oak, 1)] }
  const [one, two, three] = [
    await post('/purchase-orders', body),
    await post('/purchase-orders', body),
    await post('/purchase-orders', body),
  ]
  await post(`/purchase-orders/${one.id}/receipts`, { storage_place_id: place.id })
  t.deepEqual(spent, [])
  await post(`/purchase-orders/${two.id}/close`, {})
  await post('/suppliers', { title: 'Another' })
  await post(`/purchase-orders/${three.id}/receipts`, { storage_place_id: place.id })
  await post('/purchase-orders', body)
  t.deepEqual(spent, [
    `/purchase-orders/${three.id}/receipts document_quota_exceeded`,
    '/purchase-orders document_quota_exceeded',
  ])
})
