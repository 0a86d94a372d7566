/** The portal in a real browser with a tenant of ten thousand orders. */

import { Client } from 'pg'
import { keptToItself, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** Copies the tenant's one order until there are ten thousand. */
const orders = `
  insert into sales_orders
  select copy.* from generate_series(2, 10000) n, sales_orders o, jsonb_populate_record(
    o, jsonb_build_object('id', nextval('ids'), 'number', 'SO-' || lpad(n::text, 5, '0'))
  ) copy
  where o.tenant_id = $1`
const lines = `
  insert into sales_order_items
  select copy.* from sales_orders o, sales_order_items i, jsonb_populate_record(
    i, jsonb_build_object('id', nextval('ids'), 'sales_order_id', o.id)
  ) copy
  where o.tenant_id = $1 and i.tenant_id = $1 and o.id <> i.sales_order_id`

/** Scrolls to the end. Returns the greatest number of rows that were drawn at the same time, and the number of all rows. */
const scrolled = `(async () => {
  const drawn = { most: 0, all: 0 }
  const isRow = node => node.localName === 'tr'
  const observer = new MutationObserver(changes => {
    drawn.all += changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(isRow).length
    drawn.most = Math.max(drawn.most, document.querySelectorAll('tbody tr').length)
  })
  observer.observe(document.querySelector('tbody'), { childList: true })
  // The first one says how many are chosen.
  const status = [...document.querySelectorAll('main [role=status]')].at(-1)
  while (!status.textContent.endsWith('in all')) {
    const told = new Promise(resolve =>
      new MutationObserver(resolve).observe(status, { characterData: true, childList: true, subtree: true }))
    scrollTo(0, document.documentElement.scrollHeight)
    await told
  }
  scrollTo(0, document.documentElement.scrollHeight)
  observer.disconnect()
  return drawn
})()`

test('of ten thousand orders few are drawn at once, each page is asked for once, and filters ask for what they show', async t => {
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: 'Oak', price: 5 })
  await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: product.variants[0].id, quantity: 2 }],
  })
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    for (const statement of [orders, lines]) await client.query(statement, [shop.tenantId])
  } finally {
    await client.end()
  }

  const visit = await signedIn(browser, service, shop.token, '/nowhere')
  const { page } = visit
  // The portal asks again for what a busy machine answers too late.
  const answered: string[] = []
  page.on('response', response => response.ok() && answered.push(response.url()))
  const lists = () => answered.filter(url => url.includes('/v1/sales-orders?'))
  await show(page, '/sales-orders')
  await page.getByText('The first 50').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('The first 250').waitFor()
  const drawn = await page.evaluate<{ most: number; all: number }>(scrolled)
  await page.getByText('10,000 in all').waitFor()
  const pages = 1 + Math.ceil((10_000 - 50) / 200)
  t.is(lists().length, pages)
  t.is(new Set(lists()).size, pages)
  t.true(drawn.most < 200, `${drawn.most} rows at once`)
  t.true(drawn.all < 10_000, `${drawn.all} rows in all`)
  await page.getByRole('link', { name: 'SO-00001' }).waitFor()

  await page.evaluate('scrollTo(0, 0)')
  await page.getByLabel('Number').fill('SO-07654')
  await page.getByLabel('Number').press('Enter')
  await page.getByText('1 in all').waitFor()
  await page.getByRole('link', { name: 'SO-07654' }).waitFor()
  t.is(lists().length, pages + 1)
  // Lists that were read are shown at once, and are not read again page by page.
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('10,000 in all').waitFor()
  await page.getByRole('link', { name: 'SO-10000' }).waitFor()
  t.is(lists().length, pages + 1)
  await keptToItself(t, visit, { service, token: shop.token })
})
