/** The parts that all screens of the portal share, in a real browser: pickers, forms, failures, figures. */

import type { Page, Route } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { formOf, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

type Shop = Awaited<ReturnType<typeof service.tenant>>

async function joinery(): Promise<Shop> {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Barn' })
  await shop.post('/customers', { title: 'Inn' })
  for (const title of ['Oak table', 'Oak chair', 'Pine bench']) await shop.post('/products', { title, price: 5 })
  return shop
}

/** Holds the answers of these addresses back until the test releases them. */
async function heldBack(page: Page, address: RegExp) {
  const asked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  await page.route(address, async (route: Route) => {
    asked.resolve()
    await free.promise
    await route.continue()
  })
  return { asked: asked.promise, letGo: () => free.resolve() }
}

test('Enter in a picker takes the first record found for the text that stands there, and never sends the form', async t => {
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const form = formOf(page)
  await page.getByRole('link', { name: 'New sales order' }).click()
  const closed = () => form.locator('[role=combobox][aria-expanded=true]').waitFor({ state: 'detached' })
  const customer = form.getByLabel('Customer')
  await customer.pressSequentially('inn')
  await customer.press('Enter')
  await closed()
  t.is(await customer.inputValue(), 'Inn')

  const product = form.getByLabel('Product')
  await product.pressSequentially('oak')
  await page.getByRole('option', { name: 'Oak chair' }).waitFor()
  // The result for "oak" is shown until the answer for "pine" arrives.
  const pine = await heldBack(page, /\/v1\/products\?.*q=pine/)
  await product.fill('pine')
  await product.press('Enter')
  await pine.asked
  t.is(await product.inputValue(), 'pine')
  pine.letGo()
  await closed()
  t.is(await product.inputValue(), 'Pine bench')

  await product.fill('oak')
  const options = page.getByRole('option')
  await page.getByRole('option', { selected: true }).waitFor()
  const second = (await options.nth(1).textContent())?.trim()
  await product.press('ArrowDown')
  await page.getByRole('option', { selected: true, name: second ?? '' }).waitFor()
  t.is(
    await product.getAttribute('aria-activedescendant'),
    await page.getByRole('option', { selected: true }).getAttribute('id'),
  )
  await product.press('Enter')
  t.is(await product.inputValue(), second ?? '')
  await product.fill('nothing like it')
  await page.getByText('Nothing found').waitFor()
  await product.press('Enter')
  // Escape closes the list first and the form next.
  await product.press('Escape')
  t.is(await product.inputValue(), second ?? '')
  await form.waitFor()
  t.is(await form.getByText('choose a').count(), 0)
  t.is((await shop.get('/sales-orders')).body.data.length, 0)
  await form.getByLabel('Quantity').press('Control+Enter')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a whole sku or barcode that is typed is what Enter takes, among many that begin like it', async t => {
  const shop = await service.tenant()
  await shop.post('/customers', { title: 'Inn' })
  // More than a page of other products comes before it, by id.
  for (let n = 0; n < 22; n++)
    await shop.post('/products', { title: `Board ${n}`, sku: `OAK-${n}`, barcode: `4006${n}0` })
  await shop.post('/products', { title: 'Board itself', sku: 'OAK', barcode: '4006' })
  await shop.post('/products', {
    title: 'Plank',
    variants: [
      { title: 'Large', sku: 'PLK-L' },
      { title: 'Small', sku: 'PLK-S' },
    ],
  })
  await shop.post('/products', { title: 'Sawdust', sku: 'SAW', is_sellable: false })
  await shop.post('/products', { title: 'Saw blade', sku: 'SAW-1' })
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  await page.getByRole('link', { name: 'New sales order' }).click()
  const product = formOf(page).getByLabel('Product')
  const taken = async (text: string, title: string) => {
    await product.fill(text)
    await product.press('Enter')
    await eventually(async () => (await product.inputValue()) === title)
  }
  await taken('OAK', 'Board itself')
  await taken('OAK-7', 'Board 7')
  await taken('4006', 'Board itself')
  await taken('oak', 'Board itself')
  // The words are found in the product and its variant together: another variant is not offered, however late the answer comes.
  const late = await heldBack(page, /\/v1\/products\?.*q=plank/)
  await product.fill('plank small')
  await product.press('Enter')
  await late.asked
  late.letGo()
  await eventually(async () => (await product.inputValue()) === 'Plank – Small')
  // Goods that may not be sold are not replaced by others whose sku begins with the same letters.
  await product.fill('SAW')
  await page.getByRole('option', { name: /Sawdust SAW is not sold/ }).waitFor()
  await product.press('Enter')
  t.is(await product.inputValue(), 'SAW')
  await product.press('Escape')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { name: 'Sales orders' }).waitFor()

  await page.keyboard.press('Control+k')
  const find = page.getByRole('combobox', { name: 'Find' })
  await find.fill('OAK')
  await find.press('Enter')
  await page.getByRole('heading', { name: 'Board itself' }).waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what was filled in and not sent is asked about, survives a reload and the way back, and ends with the session', async t => {
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const question = form.getByText('What you filled in is not booked')
  await page.getByRole('link', { name: 'Purchase orders', exact: true }).click()
  await press('New purchase order')
  // An empty form is closed without a question.
  await press('Back')
  await form.waitFor({ state: 'detached' })
  await press('New purchase order')
  await form.getByLabel('Quantity').fill('17')
  await page.keyboard.press('Escape')
  await question.waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  t.is(await page.evaluate('document.activeElement.value'), '17')
  await page.goBack({ waitUntil: 'commit' }).catch(() => {})
  await question.waitFor()
  t.true(page.url().endsWith('/purchase-orders'))
  await press('Keep as a draft')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await page.goForward()

  await page.getByRole('button', { name: 'New purchase order Draft' }).click()
  await form.getByText(/^You filled this in at/).waitFor()
  t.is(await form.getByLabel('Quantity').inputValue(), '17')
  t.deepEqual(await seriousFaults(page), [])
  const asked: string[] = []
  page.on('dialog', dialog => {
    asked.push(dialog.type())
    dialog.accept()
  })
  await page.reload()
  t.deepEqual(asked, ['beforeunload'])
  await page.getByRole('button', { name: 'New purchase order Draft' }).click()
  await press('Discard the draft')
  await form.getByText(/^You filled this in at/).waitFor({ state: 'detached' })
  t.is(await form.getByLabel('Quantity').inputValue(), '1')
  await form.getByLabel('Quantity').fill('18')
  await press('Back')
  await press('Keep as a draft')
  await form.waitFor({ state: 'detached' })
  t.regex(await visit.stored(), /millrace\.draft/)
  t.is((await visit.stored()).split(shop.token).length, 2, 'the key stands where the session keeps it alone')
  await keptToItself(t, visit, { service, token: shop.token })
  await press('Sign out')
  await page.getByLabel('API key').waitFor()
  t.notRegex(await visit.stored(), /millrace\.draft/)
})

test('a form on a page of its own asks before it is left, and is one draft wherever the way to it stands', async t => {
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const form = page.getByRole('form', { name: 'New sales order' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const way = page.getByRole('link', { name: /^New sales order/ })
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  await way.click()
  await page.locator('input:focus').and(form.getByLabel('Customer')).waitFor()
  await button('Back').click()
  await heading('Sales orders')
  await way.click()
  await form.getByLabel('Quantity').fill('17')
  await page.getByRole('link', { name: 'Stock', exact: true }).click()
  await form.getByText('What you filled in is not booked').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await button('Go on').click()
  t.is(await form.getByLabel('Quantity').inputValue(), '17')
  await button('Back').click()
  await button('Keep as a draft').click()
  await page.getByRole('link', { name: 'New sales order Draft' }).click()
  await form.getByText(/^You filled this in at/).waitFor()
  t.is(await form.getByLabel('Quantity').inputValue(), '17')
  // The focus is on the field that was refused.
  await form.getByLabel('Quantity').fill('much')
  await page.keyboard.press('Control+Enter')
  await page.locator('input[aria-invalid=true]:focus').and(form.getByLabel('Customer')).waitFor()
  await button('Discard the draft').click()
  await page.locator('input:focus').and(form.getByLabel('Customer')).waitFor()
  t.is(await form.getByLabel('Quantity').inputValue(), '1')
  await button('Back').click()
  await heading('Sales orders')
  t.is(await way.textContent(), 'New sales order')
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a form whose answer was lost books once, also after a reload; a draft of a record that changed says what changed', async t => {
  const shop = await joinery()
  const { body: products } = await shop.get('/products')
  const { body: order } = await shop.post('/purchase-orders', {
    supplier: { title: 'Mill' },
    items: [{ item_variant_id: products.data[0].variants[0].id, quantity: 10, price: 1 }],
  })
  const visit = await signedIn(browser, service, shop.token, `/purchase-orders/${order.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const receipts = async () => (await shop.get('/purchase-receipts')).body.data.length
  await press('Receive')
  await form.getByLabel('Quantity').fill('4')
  const address = /\/receipts$/
  await page.route(address, async route => {
    await route.fetch()
    await route.abort()
  })
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await form.getByText('The service did not answer').waitFor()
  t.is(await receipts(), 1)
  await page.unroute(address)
  page.on('dialog', dialog => dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Receive Draft' }).click()
  await form.getByText(/no answer came/).waitFor()
  await form.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Received with PR-00001').first().waitFor()
  t.is(await receipts(), 1)

  await press('Receive')
  await form.getByLabel('Quantity').fill('5')
  await press('Back')
  await press('Keep as a draft')
  const { body: places } = await shop.get('/storage-places')
  const { status } = await shop.post(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: places.data[0].id,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 1 }],
  })
  t.is(status, 201)
  await page.getByRole('link', { name: 'PR-00002' }).or(page.getByText('PR-00002')).first().waitFor()
  await page.getByRole('button', { name: 'Receive Draft' }).click()
  await form.getByText(/received quantity: 4 → 5/).waitFor()
  t.is(await form.getByLabel('Quantity').inputValue(), '5')
  await form.getByRole('button', { name: 'Apply again' }).click()
  await page.getByText('Received with PR-00003').first().waitFor()
  t.is(await receipts(), 3)
  await keptToItself(t, visit, { service, token: shop.token, expected: /ERR_FAILED/ })
})

test('without a connection every screen stays in the page and comes back by itself; tabs share one sign-in and one sign-out', async t => {
  const shop = await joinery()
  const { body: order } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: (await shop.get('/products')).body.data[0].variants[0].id, quantity: 1 }],
  })
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const context = page.context()
  // The file of the screen is missing, however long the list takes: the preloading begins after two seconds.
  const part = /assets\/batch-screens-/
  await page.route(part, route => route.abort('internetdisconnected'))
  await page.getByRole('link', { name: order.number }).waitFor()
  const loaded: string[] = []
  page.on('requestfinished', request => loaded.push(request.url()))
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Trace', exact: true }).click()
  await page.getByRole('heading', { name: 'This screen cannot be shown' }).waitFor()
  await page.getByText('You are offline').first().waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.unroute(part)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Trace' }).waitFor()

  // Preloaded screens are there. Lists that must be read say that they wait.
  await eventually(() => loaded.some(url => /assets.security-/.test(url)))
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Manufacturing', exact: true }).click()
  await page.getByRole('heading', { name: 'Manufacturing orders' }).waitFor()
  await page.getByText('This is read when the connection is back').waitFor()
  await context.setOffline(false)
  await page.getByText('Nothing is made yet').waitFor()

  const second = await context.newPage()
  await second.goto(`${service.url}/portal/sales-orders/${order.id}`)
  await second.getByRole('heading', { name: order.number }).waitFor()
  await keptToItself(t, visit, {
    service,
    token: shop.token,
    expected: /ERR_INTERNET_DISCONNECTED|could not be loaded/,
  })
  await keptToItself(t, { ...visit, page: second }, { service, token: shop.token, expected: /./ })
  await second.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, second]) {
    await tab.getByLabel('API key').waitFor()
    t.false((await tab.evaluate<string>('JSON.stringify({ ...sessionStorage })')).includes(shop.token))
  }
})
