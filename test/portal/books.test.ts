/**
 * The books in a real browser: balances, their comparison with the stock and the orders, the last year, entries with their documents, and
 * files with every digit.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, showWhole, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** Two months ago, on a day that every month has. */
const earlier = new Date()
earlier.setUTCDate(15)
earlier.setUTCMonth(earlier.getUTCMonth() - 2)
const MONTH = earlier.toISOString().slice(0, 7)

/**
 * 10 oak were bought at 2.3333 two months ago. An order of two tables (4 oak and an hour of work at 10) is started, and one table is done
 * and sold.
 */
async function joinery() {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const { body: oak } = await shop.post('/products', { title: 'Oak', sku: 'OAK', type: 'MATERIAL', category: 'Timber' })
  const { body: table } = await shop.post('/products', { title: 'Table', sku: 'TABLE', price: 90 })
  const [oakId, tableId] = [oak.variants[0].id, table.variants[0].id]
  const { body: gluing } = await shop.post('/operations', { title: 'Gluing', cost_per_hour: 10 })
  await shop.post('/recipes', {
    item_variant_id: tableId,
    materials: [{ item_variant_id: oakId, quantity: 2 }],
    operations: [{ operation_id: gluing.id, duration: 0.5 }],
  })
  await shop.post('/stock-adjustments', {
    date: earlier.toISOString(),
    reason: 'INITIAL',
    items: [{ item_variant_id: oakId, quantity: 10, unit_cost: 2.3333 }],
  })
  const { body: order } = await shop.post('/manufacturing-orders', { item_variant_id: tableId, quantity: 2 })
  await shop.post(`/manufacturing-orders/${order.id}/start`, {})
  await shop.post(`/manufacturing-orders/${order.id}/complete`, { quantity: 1 })
  const { body: sale } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: tableId, quantity: 1 }],
  })
  await shop.post(`/sales-orders/${sale.id}/shipments`, {})
  return shop
}

async function csv(page: Page, name: string): Promise<string[]> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: new RegExp(`^${name} as CSV$`) }).click()
  const text = await readFile(await (await coming).path(), 'utf8')
  return text.replace('\uFEFF', '').trimEnd().split('\r\n')
}

test('the books show what was booked, that it ties, and the documents behind it, at each width and in both colours', async t => {
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/books')
  const { page } = visit
  const cells = (table: string, row: RegExp) =>
    page.getByRole('table', { name: table }).getByRole('row', { name: row }).getByRole('cell').allInnerTexts()

  await page.getByRole('table', { name: 'What ties to what' }).waitFor()
  t.is(await page.getByText('Ties', { exact: true }).count(), 3)
  // 23.333 - 4 * 2.3333 + 9.6666 - 9.6666. Half of the order's 9.3332 + 10 is still work in progress.
  t.deepEqual((await cells('What ties to what', /Inventory/)).slice(1, 4), [
    '€13.9998',
    'value of the stock',
    '€13.9998',
  ])
  t.deepEqual((await cells('What ties to what', /Work in progress/))[1], '€9.6666')
  t.deepEqual((await cells('What ties to what', /All accounts/))[1], '€0.00')
  await page.getByText('SH-00001').waitFor()

  const [heading, ...balances] = await csv(page, 'Balances of .*')
  t.is(heading, 'Account,Code,Before,Debit,Credit,Balance,To book')
  t.deepEqual(balances, [
    'INVENTORY,,23.333,9.6666,18.9998,13.9998,-9.33',
    'WORK_IN_PROGRESS,,0,19.3332,9.6666,9.6666,9.67',
    'PRODUCTION_COSTS_ABSORBED,,0,0,10,-10,-10',
    'COST_OF_GOODS_SOLD,,0,9.6666,0,9.6666,9.67',
    'STOCK_ADJUSTMENT,,-23.333,0,0,-23.333,0',
    'VALUATION_DIFFERENCE,,0,0,0,0,-0.01',
  ])

  const year = page.getByRole('region', { name: 'The last twelve months' })
  await year.getByRole('img').waitFor()
  for (const size of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      for (const path of ['/books', '/books/entries']) {
        await showWhole(page, path)
        t.deepEqual(await seriousFaults(page), [], `${path} ${size.width} ${colorScheme}`)
        t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} ${size.width}`)
      }
    }
  await page.setViewportSize({ width: 1280, height: 900 })

  await showWhole(page, '/books')
  await year.getByText('Table', { exact: true }).click()
  const months = await year.getByRole('row').allInnerTexts()
  t.is(months.length, 13)
  t.deepEqual(
    [9, 10, 11, 12].map(row => months[row]?.split('\t').slice(1)),
    [
      ['€0.00', '€0.00', '€0.00'],
      ['€0.00', '€23.333', '€0.00'],
      ['€0.00', '€23.333', '€0.00'],
      ['€9.6666', '€13.9998', '€9.6666'],
    ],
  )

  await page.getByRole('link', { name: 'Cost of goods sold' }).click()
  await page.getByRole('heading', { name: 'Entries of the books' }).waitFor()
  const entries = await csv(page, 'Entries of the books')
  t.is(entries[0], 'Day,Booked,Document,Kind,Account,Code,Debit,Credit,SKU,Place,Category')
  t.deepEqual(
    entries.slice(1).map(line => line.split(',').slice(2).join()),
    [
      'SH-00001,SALES_SHIPMENT,INVENTORY,,0,9.6666,TABLE,Hall,',
      'SH-00001,SALES_SHIPMENT,COST_OF_GOODS_SOLD,,9.6666,0,TABLE,Hall,',
    ],
  )
  await page.getByRole('link', { name: 'SH-00001' }).first().click()
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()

  await showWhole(page, '/books/entries')
  await page.getByText('10 in all').waitFor()
  await page.getByLabel('To day').fill(`${MONTH}-28`)
  await page.getByText('2 in all').waitFor()
  await page.getByText('Initial').first().waitFor()
  t.is(await page.getByRole('link', { name: 'SA-00001' }).count(), 2)
  await page.getByLabel('From day').fill(`${MONTH}-16`)
  await page.getByText('Nothing matches these filters').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a month before the books says so, as does a tenant without entries; a month that cannot be read can be tried again', async t => {
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/books')
  const { page } = visit
  await page.getByRole('table', { name: /^Balances of/ }).waitFor()
  await page.getByRole('combobox', { name: 'Month' }).click()
  const before = new Date(earlier)
  before.setUTCMonth(before.getUTCMonth() - 1)
  const name = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(before)
  await page.getByRole('option', { name }).click()
  await page.getByText('Nothing was booked up to the end of this month').waitFor()
  t.true(page.url().endsWith(`/books?month=${before.toISOString().slice(0, 7)}`))
  t.deepEqual(await seriousFaults(page), [])
  await page.goto(`${service.url}/portal/books?month=0000-01`)
  await page.getByRole('alert').getByText(/req_/).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByRole('table', { name: 'What ties to what' }).waitFor()
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })

  const empty = await service.tenant()
  const first = await signedIn(browser, service, empty.token, '/books')
  await first.page.getByText('Nothing was booked up to the end of this month').waitFor()
  await first.page.getByText('Nothing can be compared').waitFor()
  t.is(await first.page.getByRole('region', { name: 'The last twelve months' }).count(), 0)
  await showWhole(first.page, '/books/entries')
  await first.page.getByText('Nothing is booked yet').waitFor()
  t.deepEqual(await seriousFaults(first.page), [])
  await keptToItself(t, first, { service, token: empty.token })
})

test('a key without read:accounting does not see the books; one with it alone sees them without stock and orders', async t => {
  const shop = await joinery()
  const { token: closed } = await service.key(shop.tenantId, { scopes: ['read:stock'] })
  const outside = await signedIn(browser, service, closed, '/books')
  await outside.page.getByText('Closed to this key').waitFor()
  await outside.page.getByRole('link', { name: /Books closed: needs read:accounting/ }).waitFor()
  t.deepEqual(
    outside.requests.filter(url => url.includes('account-balances')),
    [],
  )
  await keptToItself(t, outside, { service, token: closed })

  const { token } = await service.key(shop.tenantId, { scopes: ['read:accounting'] })
  const visit = await signedIn(browser, service, token, '/books')
  const { page } = visit
  await page.getByRole('table', { name: 'What ties to what' }).waitFor()
  t.is(await page.getByText('Ties', { exact: true }).count(), 1)
  await page.getByRole('note').getByText('read:manufacturing').waitFor()
  await page.getByRole('note').getByText('read:stock').waitFor()
  await keptToItself(t, visit, { service, token })
})
