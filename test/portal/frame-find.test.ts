/** The search over all records of the portal, in a real browser. */

import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('the search finds orders, products, batches and partners, and Enter opens the first of them', async t => {
  const { shop, breadId, flourId, place } = await bakery(service)
  const { body: sold } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: breadId, quantity: 1 }],
  })
  const { body: bought } = await shop.post('/purchase-orders', {
    supplier: { title: 'Farm' },
    items: [{ item_variant_id: flourId, quantity: 3, batch_number: 'F-1' }],
  })
  const { body: received } = await shop.post(`/purchase-orders/${bought.id}/receipts`, {
    ...{ storage_place_id: place.id, external_ref: 'NOTE-77' },
  })
  t.is(received.number, 'PR-00001')
  const { body: adjustment } = await shop.post('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: flourId, quantity: 5, batch_number: 'LOT 7', unit_cost: 1 }],
  })
  t.is(adjustment.number, 'SA-00001')
  const visit = await signedIn(browser, service, shop.token, '/', { width: 390 })
  const { page } = visit
  const field = page.getByRole('combobox', { name: 'Find' })
  const find = async (text: string, heading: string | RegExp) => {
    await page.keyboard.press('/')
    await field.fill(text)
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Find' }).click()
  await field.fill('flour')
  await page.getByRole('option', { name: 'Flour FLOUR', selected: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await find('FLOUR', 'Flour')
  await find('so-00001', 'SO-00001')
  await find('LOT 7', /LOT 7/)
  await find(adjustment.number.toLowerCase(), adjustment.number)
  // A part of a number finds the newest records even where the API has no such filter.
  await find('t 7', /LOT 7/)
  await find('PR-0000', 'PO-00001')
  await find('NOTE-77', 'PO-00001')
  await shop.post('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: breadId, quantity: 1, batch_number: 'B-1', expiry_date: '2099-01-01' }],
  })
  const { status } = await shop.post(`/sales-orders/${sold.id}/shipments`, {
    tracking_number: 'JD014',
    items: [{ sales_order_item_id: sold.items[0].id, quantity: 1 }],
  })
  t.is(status, 201)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await find('jd014', 'SO-00001')
  await find('sh-00001', 'SO-00001')
  await page.keyboard.press('Control+k')
  await field.fill('inn')
  await page.getByRole('option', { name: /^SO-00001 Inn/, selected: true }).waitFor()
  await field.press('ArrowDown')
  await page.getByRole('option', { name: /^Inn /, selected: true }).waitFor()
  await field.press('Enter')
  await page.waitForURL(/customers\/\d+/)
  await keptToItself(t, visit, { service, token: shop.token })

  const { token } = await service.key(shop.tenantId, { scopes: ['read:catalog'] })
  const other = await signedIn(browser, service, token)
  await show(other.page, '/planner')
  await other.page.keyboard.press('Control+k')
  const asked = other.requests.length
  await other.page.getByRole('combobox', { name: 'Find' }).fill('flour')
  await other.page.getByRole('option', { name: 'Flour FLOUR' }).waitFor()
  t.deepEqual(
    other.requests
      .slice(asked)
      .filter(url => url.includes('/v1/'))
      .map(url => new URL(url).pathname.split('/').at(-1)),
    ['products'],
  )
  await other.page.getByRole('combobox', { name: 'Find' }).fill('SH-00001')
  await other.page.getByText('shipments and receipts are found by their number').waitFor()
  await keptToItself(t, other, { service, token })
})
