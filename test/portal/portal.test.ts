/** The portal in a real browser: how it is served, signing in, and the screens that every other follows. */
import test from 'ava'
import { openBrowser } from '../support/browser.ts'
import { builtPortal, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>alert(1)</script>`

const services = await testServices()
const service = await startService(services)
await builtPortal()
const browser = await openBrowser()
test.after.always(async () => {
  await browser.close()
  await service.close()
  await services.close()
})

test('the page may load and call its own server alone, and its files are kept for good', async t => {
  const page = await fetch(`${service.url}/portal/sales-orders/17`)
  t.is(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  t.regex(
    policy,
    /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+'; connect-src 'self'; img-src 'self' data:/,
  )
  t.regex(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
  t.is(page.headers.get('referrer-policy'), 'no-referrer')
  t.is(page.headers.get('x-content-type-options'), 'nosniff')
  t.is(page.headers.get('cache-control'), 'no-store')
  const html = await page.text()
  t.notRegex(html, /<script(?![^>]*\bsrc=)|<style|\{nonce\}/)

  const script = /src="(\/portal\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  const file = await fetch(`${service.url}${script}`, { headers: { 'accept-encoding': 'br' } })
  t.is(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.is(file.headers.get('content-encoding'), 'br')
  t.is(file.headers.get('content-type'), 'text/javascript; charset=utf-8')
  t.is((await fetch(`${service.url}/portal/assets/none.js`)).status, 404)
  t.is((await fetch(`${service.url}/portal`, { method: 'POST' })).status, 405)
})

test('people sign in, sell and ship; a double click ships once; titles of others are text', async t => {
  t.timeout(6 * 60_000)
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: `Oak ${HOSTILE}`, sku: 'OAK', price: 1234.56789 })
  const item_variant_id = product.variants[0].id
  await shop.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 99, unit_cost: 7 }] })
  await shop.post('/customers', { title: `Inn ${HOSTILE}` })

  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  await page
    .getByRole('link', { name: /Open sales orders/ })
    .getByText('0')
    .waitFor()
  await page.getByText('Nothing is short').waitFor()
  await page.getByRole('img', { name: /a plot of Requests/ }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await page.getByRole('link', { name: 'Sales orders', exact: true }).click()
  await page.getByText('There are no sales orders yet').waitFor()
  await page.getByRole('button', { name: 'New sales order' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('choose a customer').waitFor()
  await form.getByLabel('Customer').fill('inn')
  await page.getByRole('option', { name: /^Inn/ }).click()
  await form.getByLabel('Product').fill('oak')
  await page.getByRole('option', { name: /^Oak/ }).click()
  await form.getByLabel('Quantity').fill('1.000001')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).click()

  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  await page.getByRole('cell', { name: '1.000001', exact: true }).waitFor()
  await page.getByRole('cell', { name: '€1,234.56789', exact: true }).waitFor()
  t.true(await page.getByRole('cell', { name: `Oak ${HOSTILE}` }).isVisible())
  t.deepEqual(await seriousFaults(page), [])

  await page.getByRole('button', { name: 'Ship' }).click()
  await form.getByRole('button', { name: 'Ship', exact: true }).dblclick()
  await page.getByText('Shipped with SH-00001').first().waitFor()
  await page.getByText('Done', { exact: true }).waitFor()
  t.is(await page.getByRole('button', { name: 'Ship' }).count(), 0)
  const { body: shipments } = await shop.get('/sales-shipments')
  t.is(shipments.data.length, 1)
  const { body: stock } = await shop.get('/stock')
  t.is(stock.data[0].quantity, 97.999999)

  await page.getByRole('link', { name: 'Sales orders', exact: true }).click()
  await page.getByRole('link', { name: 'SO-00001' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.goto(`${service.url}/portal/sales-orders?status=CANCELLED`)
  await page.getByText('Nothing matches these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'SO-00001' }).waitFor()
  t.regex(await page.title(), /Sales orders/)
  for (const path of ['/', '/sales-orders']) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${service.url}/portal${path}`)
    await page.getByText('SO-00001').or(page.getByText('Nothing is waiting')).waitFor()
    t.deepEqual(await seriousFaults(page), [], `${path} in dark colours`)
  }
  await keptToItself(t, visit, { service, token: shop.token })

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  t.false((await visit.stored()).includes(shop.token))
  t.deepEqual(await seriousFaults(page), [])
})

test('a change from elsewhere shows by itself, and a form that was open says what changed before it is applied again', async t => {
  t.timeout(6 * 60_000)
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: 'Oak', price: 5 })
  const { body: order } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: product.variants[0].id, quantity: 2 }],
  })
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${order.id}`)
  const { page } = visit
  await page.getByText('Live').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Priority').fill('9')
  await shop.patch(`/sales-orders/${order.id}`, { notes: 'Ring twice' })
  await page.getByText('Ring twice').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('notes: empty → Ring twice').waitFor()
  t.is((await shop.get(`/sales-orders/${order.id}`)).body.priority, 0)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Apply again' }).click()
  await form.waitFor({ state: 'hidden' })
  t.is((await shop.get(`/sales-orders/${order.id}`)).body.priority, 9)

  // A refusal says why, and how the service calls the request.
  await page.getByRole('button', { name: 'Ship' }).click()
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await form.getByText(/req_/).waitFor()
  t.regex((await form.getByRole('alert').textContent()) ?? '', /needed|short|2/)
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (412|409)/ })
})

test('a key sees which screens are closed to it and why, and a wrong key is refused', async t => {
  t.timeout(6 * 60_000)
  const { tenantId } = await service.tenant()
  const { token } = await service.key(tenantId, { scopes: ['read:stock'] })
  const visit = await signedIn(browser, service, token)
  const { page } = visit
  await page.getByText('Needs read:sales').first().waitFor()
  await page.getByText('Nothing is short').waitFor()
  await page.getByRole('link', { name: /Sales orders closed/ }).click()
  // The first screen has parts that are closed, too.
  await page.getByRole('heading', { name: 'Today' }).waitFor({ state: 'detached' })
  await page.getByText('Closed to this key').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token })

  const other = await browser.visit(`${service.url}/portal`)
  await other.page.getByLabel('API key').fill('mrk_wrong')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByRole('alert').getByText(/req_/).waitFor()
  t.deepEqual(await seriousFaults(other.page), [])
})
