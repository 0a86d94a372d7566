/** What all lists of the portal do, in a real browser: order, sorting, filters on a phone, and all rows as a file. */
import { readFile } from 'node:fs/promises'
import { keptToItself, seriousFaults, showWhole, signedIn } from '../support/portal.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const COUNT = 60
const FORMULA = '=HYPERLINK("https://example.com","Inn, ""the old""")'

/** Sixty orders, which are more than a list reads first. The amounts have no exact floats. */
async function orders(shop: Client): Promise<void> {
  const { body: product } = await shop.post('/products', { title: 'Bread', sku: 'BREAD' })
  const { body: customer } = await shop.post('/customers', { title: FORMULA })
  const { body } = await shop.post('/bulk', {
    mode: 'each',
    requests: Array.from({ length: COUNT }, (_, n) => ({
      method: 'POST',
      path: '/sales-orders',
      idempotency_key: `order-${n}`,
      body: {
        customer_id: customer.id,
        items: [{ item_variant_id: product.variants[0].id, quantity: 1, price: n === 0 ? 100_000_000_000.01 : 60 - n }],
      },
    })),
  })
  if (body.results.some(({ status }: { status: number }) => status !== 201)) throw new Error(JSON.stringify(body))
}

test('a list is shown in either order, sorted by any column over all of its pages, and folds its filters on a phone', async t => {
  const shop = await service.tenant()
  await orders(shop)
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const table = page.getByRole('table', { name: 'Sales orders' })
  const first = () => table.getByRole('row').nth(1).getByRole('link').first().textContent()
  const rowIs = (number: string) => table.getByRole('row').nth(1).getByRole('link', { name: number }).waitFor()
  await rowIs('SO-00060')
  await page.getByRole('button', { name: 'Newest first' }).focus()
  await page.keyboard.press('Enter')
  await rowIs('SO-00001')
  t.regex(page.url(), /order=asc/)
  // The first row of a sorted list is known only after all rows are read, so sorting reads the whole list.
  await page.getByText('The first 50', { exact: true }).waitFor()
  const total = table.getByRole('columnheader', { name: 'Total' })
  await total.getByRole('button').focus()
  await page.keyboard.press('Enter')
  t.is(await total.getAttribute('aria-sort'), 'ascending')
  await page.getByText('60 in all').waitFor()
  await rowIs('SO-00060')
  t.is(await total.getAttribute('aria-sort'), 'ascending')
  await page.keyboard.press('Enter')
  t.is(await total.getAttribute('aria-sort'), 'descending')
  t.is(await first(), 'SO-00001')
  t.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Enter')
  t.is(await total.getAttribute('aria-sort'), null)

  await page.setViewportSize({ width: 390, height: 844 })
  const number = page.getByLabel('Number', { exact: true })
  await number.waitFor({ state: 'hidden' })
  const filters = page.getByRole('button', { name: /^Filters/ })
  t.is(await filters.getAttribute('aria-expanded'), 'false')
  await filters.click()
  await number.fill('SO-00007')
  await number.press('Enter')
  await page.getByText('1 in all').waitFor()
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await number.waitFor({ state: 'hidden' })
  t.regex(page.url(), /order=asc/)
  t.deepEqual(await seriousFaults(page), [])
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
  await keptToItself(t, visit, { service, token: shop.token })
})

test('all rows of a list become a file without formulas and with every digit, and reading them can be stopped', async t => {
  const shop = await service.tenant()
  await orders(shop)
  const visit = await signedIn(browser, service, shop.token, '/sales-orders?order=asc')
  const { page } = visit
  const csv = page.getByRole('button', { name: 'Sales orders as CSV' })
  // The second page of the file is held back until the person has stopped it.
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/sales-orders\?.*limit=200/, async route => {
    await held
    await route.continue().catch(() => {})
  })
  await csv.click()
  await page.getByText('0 rows read').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await csv.waitFor()
  release()
  await page.unroute(/sales-orders\?.*limit=200/)

  const coming = page.waitForEvent('download')
  await csv.click()
  const download = await coming
  t.is(download.suggestedFilename(), 'sales-orders.csv')
  const text = await readFile(await download.path(), 'utf8')
  t.true(text.startsWith('\uFEFF'))
  const lines = text.slice(1).split('\r\n')
  t.is(lines.length, 1 + COUNT + 1)
  t.is(lines[0], 'Number,Customer,Status,Delivery,Due,Created,Total,"Total, currency"')
  t.regex(
    lines[1] ?? '',
    /^SO-00001,"'=HYPERLINK\(""https:\/\/example\.com"",""Inn, """"the old""""""\)",OPEN,NOT_SHIPPED,,\d{4}-\d\d-\d\dT[\d:.]+Z,100000000000\.01,EUR$/,
  )
  t.deepEqual(new Set(lines.slice(1, -1).map(line => line.split(',')[0])).size, COUNT)
  await keptToItself(t, visit, { service, token: shop.token })
})

/** Cells that are cut, that break a date, or that are wider than their table. */
const faultsOfTables = `(() => {
  const out = [...document.querySelectorAll('main [class*=ScrollArea-viewport]')].filter(box => box.scrollWidth > box.clientWidth)
  const cut = [...document.querySelectorAll('main td .cell, main td a')].filter(cell => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth)
  const broken = [...document.querySelectorAll('main .whole')].filter(day => day.getClientRects().length > 1)
  return [...out, ...cut, ...broken].map(element => element.outerHTML.slice(0, 200))
})()`

/** The elements of the page that a message covers. */
const coveredBySaid = `(() => {
  const said = document.querySelector('.toast').getBoundingClientRect()
  return [...document.querySelectorAll('header button, h1, main button, main dl, main table')].filter(element => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return right > said.left && left < said.right && bottom > said.top && top < said.bottom
  }).map(element => element.outerHTML.slice(0, 200))
})()`

test('at 1280 pixels amounts are in the window, names are whole, dates take a line, and what is said covers nothing', async t => {
  const shop = await service.tenant({ key: { userName: 'Wilhelmina' } })
  const title = 'Kaffeekontor am Osterdeich zu Bremen'
  const { body: place } = await shop.post('/storage-places', { title: 'Main warehouse' })
  const { body: product } = await shop.post('/products', { title: 'Harbour Espresso, whole beans, 250 g' })
  const line = { item_variant_id: product.variants[0].id, quantity: 4, price: 104_304.6 }
  const date = '2031-11-29'
  const { body: sold } = await shop.post('/sales-orders', { customer: { title }, items: [line], delivery_date: date })
  const { body: bought } = await shop.post('/purchase-orders', {
    ...{ supplier: { title }, expected_date: date },
    items: [{ ...line, batch_number: undefined }],
  })
  await shop.post(`/purchase-orders/${bought.id}/receipts`, { storage_place_id: place.id })
  const made = await shop.post(`/sales-orders/${sold.id}/shipments`, {
    items: [{ sales_order_item_id: sold.items[0].id, quantity: 2 }],
  })
  t.is(made.status, 201)
  await shop.post('/stock-transfers', {
    ...{ from_storage_place_id: place.id, to_storage_place_id: place.id },
    items: [{ item_variant_id: line.item_variant_id, quantity: 1, to_quarantine: true }],
  })
  const visit = await signedIn(browser, service, shop.token, '/nowhere')
  const { page } = visit
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of [
    ...['/sales-orders', `/sales-orders/${sold.id}`, '/purchase-orders', `/purchase-orders/${bought.id}`],
    ...['/sales-shipments', '/purchase-receipts', '/stock-transfers', '/products', '/customers', '/requests', '/books'],
  ]) {
    await showWhole(page, path)
    t.deepEqual(await page.evaluate(faultsOfTables), [], path)
  }
  await showWhole(page, '/stock-transfers')
  await page.getByRole('row', { name: /Main warehouse Into or out of quarantine there/ }).waitFor()

  await showWhole(page, `/sales-orders/${sold.id}`)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Notes').fill('Ring twice')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'SO-00001' }).waitFor()
  t.deepEqual(await page.evaluate(coveredBySaid), [])
  await keptToItself(t, visit, { service, token: shop.token })
})
