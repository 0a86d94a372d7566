import { DemoRefused, type Send, sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()

type Row = Record<string, unknown>

/** All rows of a list: those of the demo fit on one page. */
async function list(send: Send, path: string): Promise<readonly Row[]> {
  const query = path.includes('?') ? '&limit=200' : '?limit=200'
  return ((await send('GET', path + query)) as { data: readonly Row[] }).data
}

const counts = {
  '/products': 10,
  '/storage-places': 3,
  '/stock-adjustments': 7,
  '/stock-transfers': 5,
  '/stock-counts': 3,
  '/suppliers': 5,
  '/supplier-items': 2,
  '/purchase-orders': 5,
  '/purchase-receipts': 6,
  '/landed-costs': 2,
  '/operations': 3,
  '/recipes': 4,
  '/manufacturing-orders': 6,
  '/customers': 5,
  '/reservations': 1,
  '/sales-orders': 7,
  '/sales-returns': 4,
}

/** A demo that is made once, for all tests that read it. */
let tenantId: string
let send: Send
const refusals: string[] = []
test.before(async () => {
  const demo = await createDemo(service.databaseUrl)
  tenantId = demo.tenantId
  send = sendOver(service.url, demo.token)
  await fillDemo(send, line => refusals.push(line))
})

test('the demo tenant is filled through the API, reconciles, and filling it again changes nothing', async t => {
  t.regex(tenantId, /^\d+$/)
  t.deepEqual(refusals, [])
  const paths = [...Object.keys(counts), '/stock', '/stock-movements']
  const read = () => Promise.all(paths.map(path => list(send, path)))
  const filled = await read()
  t.deepEqual(Object.fromEntries(Object.keys(counts).map((path, n) => [path, filled[n]?.length])), counts)
  const { tenants, faults } = await reconcile(service.databaseUrl, tenantId)
  t.deepEqual({ tenants, faults }, { tenants: 1, faults: [] })

  const written: string[] = []
  await fillDemo(
    (method, path, ...rest) => {
      if (method === 'POST') written.push(path)
      return send(method, path, ...rest)
    },
    line => t.fail(line),
  )
  t.deepEqual(written, [])
  t.deepEqual(await read(), filled)
})

test('the demo shows orders at every stage, with figures that hold together', async t => {
  const states = async (path: string) =>
    (await list(send, path)).map(row => [row['status'], row['delivery_status']].filter(Boolean).join(' '))
  t.deepEqual(await states('/purchase-orders'), [
    'DONE RECEIVED',
    'OPEN PARTIALLY_RECEIVED',
    'OPEN NOT_RECEIVED',
    'OPEN PARTIALLY_RECEIVED',
    'DONE RECEIVED',
  ])
  t.deepEqual(await states('/manufacturing-orders'), [
    'DONE',
    'DONE',
    'PARTIALLY_DONE',
    'IN_PROGRESS',
    'NOT_STARTED',
    'BLOCKED',
  ])
  t.deepEqual(await states('/sales-orders'), [
    'DONE SHIPPED',
    'OPEN PARTIALLY_SHIPPED',
    'OPEN NOT_SHIPPED',
    'OPEN NOT_SHIPPED',
    'OPEN NOT_SHIPPED',
    'DONE SHIPPED',
    'DONE SHIPPED',
  ])
  // 2 * 28.56 + 2.50 + 4.90 - 5 with tax; one of the two pieces and the shipping go back: 28.56 + 4.90, of it 4.56 + 0.78 tax.
  const [shop] = await list(send, '/sales-orders?external_ref=SHOP-1007')
  t.like(shop, { total_amount_with_tax: 59.52, tax_amount: 9.5, total_amount: 50.02 })
  t.like(await list(send, '/sales-returns?external_ref=demo-refund'), [
    { sales_return: { status: 'RETURNED', refund_amount_with_tax: 33.46, refund_tax_amount: 5.34 } },
  ])
  // 40 dollars at 0.90 euros; 6 of the 12 drippers are left.
  const [duty, freight] = await list(send, '/landed-costs')
  t.like(duty, { total_amount: 14.2, reversal_reason: 'Goods of the Union: no duty' })
  t.like(freight, { total_amount: 36, stock_amount: 18, expensed_amount: 18, reversed_at: null })
  // The books have operations, goods of which half are sold, and drippers that are worth 22.50 less. The accountant's numbers are shown
  // beside the accounts.
  const { rows: books } = (await send('GET', '/account-balances?through=9999-12-31')) as { rows: Row[] }
  const account = (name: string) => books.find(row => row['account'] === name)
  t.like(account('INVENTORY'), { account_code: '1140' })
  t.like(account('PRODUCTION_COSTS_ABSORBED'), { account_code: null, closing: -81.98 })
  t.like(account('LANDED_COST_EXPENSED'), { closing: 18 })
  const [writtenDown] = await list(send, '/journal-entries?order=desc')
  t.like(writtenDown, {
    reason: 'REVALUATION',
    lines: [
      { account: 'INVENTORY', account_code: '1140', credit: 22.5, sku: 'DRP-WHT' },
      { account: 'STOCK_ADJUSTMENT', account_code: '5880', debit: 22.5, sku: 'DRP-WHT' },
    ],
  })
  t.like(await list(send, '/sales-returns'), [{ sales_return: { status: 'RETURNED', refund_amount: 27.41 } }])

  const stock = await list(send, '/stock')
  const [roastery] = await list(send, '/storage-places')
  const level = (sku: string, field: string) =>
    stock
      .filter(row => row['sku'] === sku && row['storage_place_id'] === roastery?.['id'])
      .reduce((sum, row) => sum + Number(row[field]), 0)
  // 50 kg were roasted: 20 for 80 bags of beans, 10 for 40 of ground coffee. 15 are reserved for the next 60 bags and 5 for the blocked 20.
  t.is(level('RST-ESP', 'quantity'), 20)
  t.is(level('RST-ESP', 'reserved_quantity'), 20)
  // 120 at first, 40 transferred to the shop, 80 made, 30 and 25 shipped, 2 returned to quarantine. 15, 8 and 320 are sold and not shipped.
  t.is(level('ESP-BEAN', 'quantity'), 107)
  t.is(level('ESP-BEAN', 'quarantine_quantity'), 2)
  t.is(level('ESP-BEAN', 'reserved_quantity'), 343)
  // 80 bags are being made. Of the filter roast 35 are being made, 34.5 are in stock, 90 are sold, and 4 more are sold in sets.
  const short = (await list(send, '/shortages')).map(row => [row['sku'], row['short_quantity']])
  t.deepEqual(short, [
    ['ESP-BEAN', 158],
    ['FIL-SID', 24.5],
  ])
  t.is(level('BAG-250', 'expected_quantity'), 3_000)
  // 120 kg at 6 dollars, at 0.88 euros each on the day of the receipt.
  t.true(stock.some(row => row['batch_number'] === 'SAN-26-2' && row['quantity'] === 120))
  const [receipt] = (await list(send, '/stock-movements')).filter(row => row['kind'] === 'PURCHASE_RECEIPT')
  t.like(receipt, { quantity: 120, value: 633.6 })

  // A recall of green coffee finds bags two levels above it, at customers and in stock.
  const [green] = await list(send, '/batches?number=SID-26-1')
  const { rows } = (await send('GET', `/batches/${green?.['id']}/trace?direction=forward`)) as {
    rows: { level: number; kind: string; sku: string; quantity: number; partner: { title: string } | null }[]
  }
  t.deepEqual(
    rows
      .filter(({ level, sku }) => level === 2 && sku === 'ESP-BEAN')
      .map(({ kind, quantity, partner }) => [kind, quantity, partner?.title]),
    [
      ['PRODUCED', 80, undefined],
      ['SHIPPED', 30, 'Café am Osterdeich'],
      ['RETURNED', 2, 'Café am Osterdeich'],
      ['SHIPPED', 25, 'Hotel Schlachte'],
      ['IN_STOCK', 27, undefined],
    ],
  )
})

test('the demo shows a shortage that passes, promises of each basis, and a proposal over three levels', async t => {
  const idOf = async (sku: string) => {
    const [product] = (await list(send, `/products?sku=${sku}`)) as { variants: { id: string; sku: string }[] }[]
    return product?.variants.find(variant => variant.sku === sku)?.id
  }
  const [beans, ground, labels] = [await idOf('ESP-BEAN'), await idOf('ESP-GRND'), await idOf('LBL-01')]

  // 25 are sold for the festival, 40 are made four days after it.
  const { days, first_short_date } = (await send('GET', `/projection?item_variant_id=${ground}`)) as Row & {
    days: { projected_quantity: number }[]
  }
  t.deepEqual(column(days, 'projected_quantity'), [0, -25, 15])
  t.regex(String(first_short_date), /^2031-06-14/)

  const basis = async (id: string | undefined, quantity: number) =>
    ((await send('GET', `/promise?item_variant_id=${id}&quantity=${quantity}`)) as Row)['basis']
  t.is(await basis(labels, 100), 'STOCK')
  t.is(await basis(labels, 3_600), 'SUPPLY')
  t.is(await basis(beans, 200), 'LEAD_TIME')

  const { rows } = (await send('GET', `/replenishment?item_variant_id=${beans}`)) as { rows: Row[] }
  t.deepEqual(
    rows.map(row => [row['action'], row['sku'], row['net_quantity'], row['order_quantity'], row['lead_time_days']]),
    [
      ['MAKE', 'ESP-BEAN', 158, 158, 2],
      // Roasted in drums of 10 kg: 28.8 kg of the one and 19.2 kg of the other green coffee.
      ['MAKE', 'RST-ESP', 39.5, 40, 1],
      ['BUY', 'GRN-SID', 51.2, 60, 21],
      ['BUY', 'GRN-SAN', 124.8, 180, 35],
    ],
  )
})

test('a demo that was broken off is filled to its end', async t => {
  const { token } = await createDemo(service.databaseUrl)
  const sendWhole = sendOver(service.url, token)
  const fill = (send: Send) => fillDemo(send, line => t.fail(line))
  // A second run continues where the first one failed.
  for (const writes of [4, 30]) {
    let left = writes
    const breaking: Send = async (method, ...rest) => {
      if (method === 'POST' && left-- === 0) throw new Error('broken off')
      return sendWhole(method, ...rest)
    }
    await t.throwsAsync(fill(breaking), { message: 'broken off' })
  }
  await fill(sendWhole)
  for (const [path, count] of Object.entries(counts)) t.is((await list(sendWhole, path)).length, count, path)
})

test('a refused step of the demo ends only itself, and is told of', async t => {
  const { token } = await createDemo(service.databaseUrl)
  const send = sendOver(service.url, token)
  const lines: string[] = []
  const refusing: Send = (method, path, body, key) =>
    method === 'POST' && path === '/operations' ? send(method, path, {}, key) : send(method, path, body, key)
  await fillDemo(refusing, line => lines.push(line))
  t.is(lines.length, 1, lines.join('\n'))
  t.regex(lines[0] ?? '', /^manufacturing not filled: POST \/operations answered 400: .*title/)
  t.is((await list(send, '/manufacturing-orders')).length, 0)
  t.is((await list(send, '/sales-orders')).length, 7)
})

test('a request that is refused rejects with its answer', async t => {
  const { token } = await createDemo(service.databaseUrl)
  const send = sendOver(service.url, token)
  await t.throwsAsync(send('POST', '/products', {}, 'x'), {
    instanceOf: DemoRefused,
    message: /POST \/products answered 400: .*title/,
  })
})
