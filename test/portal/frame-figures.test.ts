/** How every screen of the portal shows days, figures, names and refusals, in a real browser. */

import { eventually } from '../support/eventually.ts'
import { fitsAll, keptToItself, seriousFaults, show, signedIn, signIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

type Metric = { readonly name: string; readonly level: string }

const LONG = 'W'.repeat(80)

test('in Auckland a list and its page show the same moment, names of 80 letters leave the table whole, and totals are rounded', async t => {
  const shop = await service.tenant()
  const { body: place } = await shop.post('/storage-places', { title: 'Barn' })
  const { body: product } = await shop.post('/products', { title: LONG, price: 1.2345, purchase_price: 1 })
  const variant = product.variants[0].id
  const { status } = await shop.post('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: variant, quantity: 1.1, unit_cost: 1.2345 }],
  })
  t.is(status, 201)
  const { body: order } = await shop.post('/sales-orders', {
    customer: { title: LONG },
    items: [{ item_variant_id: variant, quantity: 2.2 }],
  })
  const visit = await signedIn(browser, service, shop.token, '/sales-orders', { timezoneId: 'Pacific/Auckland' })
  const { page } = visit
  const created = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Pacific/Auckland',
  }).format(new Date(order.created_date))
  await page.getByText(/^Times are of Pacific\/Auckland\. Dates of documents are days of UTC\.$/).waitFor()
  await page.getByRole('cell', { name: created, exact: true }).waitFor()
  const overflow = "(node => node.scrollWidth - node.clientWidth)(document.querySelector('main [role=region]'))"
  t.is(await page.evaluate(overflow), 0)
  await page.getByRole('link', { name: order.number }).click()
  await page.getByRole('definition').filter({ hasText: created }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await show(page, '/stock')
  await page.getByTitle('More is promised than there is').getByText('-1.1').waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await show(page, '/')
  const total = page.getByRole('button', { name: '≈ €1.36' })
  await total.press('Enter')
  await page.getByRole('button', { name: /^€1\.35\d+$/, pressed: true }).waitFor()

  const { body: bought } = await shop.post('/purchase-orders', {
    supplier: { title: 'Mill' },
    items: [{ item_variant_id: variant, quantity: 10, price: 1 }],
    storage_place_id: place.id,
  })
  await show(page, `/purchase-orders/${bought.id}`)
  await page.getByRole('button', { name: 'Receive' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Quantity').fill('11')
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await form.getByText('at most 10').waitFor()
  t.is(await form.getByLabel('Quantity').getAttribute('aria-invalid'), 'true')
  t.notRegex((await form.textContent()) ?? '', /items\[/)
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 4/ })
})

test('a key that was not copied whole is refused in words, and a first day is not judged', async t => {
  const shop = await service.tenant()
  const visit = await browser.visit(`${service.url}/portal/security`)
  const { page } = visit
  await page.getByLabel('API key').fill(`${shop.token.slice(0, 12)}…`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('This is not a whole key').waitFor()
  for (let count = 0; count < 10; count++)
    await Promise.all(Array.from({ length: 11 }, () => shop.get('/sales-orders/1')))
  await eventually(async () => {
    const [windowStart, windowEnd] = [Date.now() - 86_400_000, Date.now()].map(at => new Date(at).toISOString())
    const { body } = await shop.get(`/security/telemetry?windowStart=${windowStart}&windowEnd=${windowEnd}`)
    return body.metrics.some(({ name, level }: Metric) => name === 'not_found' && level === 'ELEVATED')
  })
  await signIn(page, shop.token)
  await page.getByText('Too few to judge').first().waitFor()
  t.is(await page.getByText('Elevated').count(), 0)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what a key may do and what was asked stand in words beside their names in the interface', async t => {
  const shop = await service.tenant({ key: { userName: 'jane', name: 'office' } })
  const { body: place } = await shop.post('/storage-places', { title: 'Barn' })
  const { body: product } = await shop.post('/products', { title: 'Oak' })
  const { body: adjustment } = await shop.post('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: product.variants[0].id, quantity: 1 }],
  })
  await shop.post(`/stock-adjustments/${adjustment.id}/reverse`, { reason: 'Counted twice' })
  const visit = await signedIn(browser, service, shop.token, '/requests')
  const { page } = visit
  await page.getByRole('row', { name: /jane Product Oak: created Done POST \/products / }).waitFor()
  await page
    .getByRole('row', { name: /Stock adjustment SA-00001: reversed .*POST \/stock-adjustments\/\d+\/reverse / })
    .waitFor()
  await page.getByRole('link', { name: 'API keys' }).first().click()
  await page.getByRole('link', { name: 'office' }).click()
  await page.getByText('create sales orders write:sales.order.create').waitFor()
  t.deepEqual(await seriousFaults(page), [])

  const { token } = await service.key(shop.tenantId, { scopes: ['read:stock'] })
  const other = await signedIn(browser, service, token)
  // The note is shown once for the whole screen, however many parts are left out.
  const note = other.page.getByRole('main').getByText('read:sales')
  await note.waitFor()
  t.is(await note.count(), 1)
  t.is(await other.page.getByRole('region', { name: 'To ship' }).count(), 0)
  t.deepEqual(await seriousFaults(other.page), [])
  await keptToItself(t, other, { service, token })
})

test('Today shows sales with their margin, what is late to ship and to make, and the value of the stock on any day', async t => {
  const shop = await service.tenant()
  const { body: place } = await shop.post('/storage-places', { title: 'Barn' })
  const { body: product } = await shop.post('/products', { title: 'Oak bench', price: 5 })
  const item_variant_id = product.variants[0].id
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const counted = await shop.post('/stock-adjustments', {
    ...{ storage_place_id: place.id, date: ago(5) },
    items: [{ item_variant_id, quantity: 10, unit_cost: 2 }],
  })
  t.is(counted.status, 201)
  const order = (quantity: number, more: object) =>
    shop.post('/sales-orders', { customer: { title: 'Inn' }, items: [{ item_variant_id, quantity }], ...more })
  const { body: sold } = await order(4, { currency: 'USD', exchange_rate: 0.5 })
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})
  const { body: taken } = await order(1, {})
  const { body: shipment } = await shop.post(`/sales-orders/${taken.id}/shipments`, {})
  await shop.post(`/sales-shipments/${shipment.id}/reverse`, { reason: 'Never left' })
  await order(3, { delivery_date: '2020-01-01' })
  const dates = { production_date: '2020-01-01', manufacturing_location_id: place.id }
  t.is((await shop.post('/manufacturing-orders', { item_variant_id, quantity: 7, ...dates })).status, 201)

  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const part = (name: string) => page.getByRole('region', { name, exact: true }).first()
  const asTable = async (name: string) => {
    await part(name)
      .getByRole('img', { name: new RegExp(`^${name}: a plot`) })
      .waitFor()
    await part(name).getByText('Table', { exact: true }).click()
  }
  await asTable('Sales and margin')
  // Four at 5 dollars are 10 euros, and they cost 8. Reversed shipments do not count as sold.
  await part('Sales and margin')
    .getByRole('row', { name: /€10\.00 €2\.00$/ })
    .waitFor()
  await asTable('To ship and to make')
  await part('To ship and to make').getByRole('row', { name: 'Late 1 1' }).waitFor()
  await part('To ship and to make')
    .getByText(/1 are due later or have no day/)
    .waitFor()
  // Its axis counts whole orders.
  await page.evaluate('CanvasRenderingContext2D.prototype.fillText = text => (window.labels ??= []).push(text)')
  await part('To ship and to make').getByText('Plot', { exact: true }).click()
  await eventually(() => page.evaluate<boolean>('window.labels?.includes("Late") === true'))
  t.deepEqual(await page.evaluate<string[]>('labels.filter(text => text.includes("."))'), [])
  await part('To make')
    .getByRole('row', { name: /^MO-00001 Oak bench.* 7 pcs .*\(late\)$/ })
    .waitFor()
  const value = part('Value of the stock')
  await value.getByText('€12.00').waitFor()
  await value.getByLabel('At the end of the day').fill(ago(2))
  await value.getByText('€20.00').waitFor()
  await value.getByLabel('At the end of the day').fill(ago(9))
  await value.getByText('€0.00').waitFor()
  await fitsAll(t, page)
  await keptToItself(t, visit, { service, token: shop.token })
})
