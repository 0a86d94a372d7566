/** The portal in a real browser: how it is served, and that the service books what people do there. */
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import Koa from 'koa'
import type { Page } from 'playwright-core'
import { portalRoutes } from '../../server/portal.ts'
import { formOf, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

type Shop = Awaited<ReturnType<typeof service.tenant>>

async function onStock(shop: Shop, variantId: string): Promise<number> {
  const { body } = await shop.get(`/availability?item_variant_id=${variantId}`)
  return body.data.reduce((sum: number, row: { quantity: number }) => sum + row.quantity, 0)
}

const choose = async (page: Page, label: string, q: string, option: RegExp) => {
  await formOf(page).getByLabel(label).fill(q)
  await page.getByRole('option', { name: option }).click()
}

test('the page may load and call its own server alone, and its files are kept for good', async t => {
  const page = await fetch(`${service.url}/portal/sales-orders/17`)
  t.is(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  t.regex(
    policy,
    /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'nonce-[^']+'; connect-src 'self'; img-src 'self' data:/,
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

test('a page that is open gets the files that it names, also when others are built meanwhile', async t => {
  const folder = await temporaryFolder()
  await mkdir(`${folder}/assets`)
  await writeFile(`${folder}/index.html`, '<script src="/portal/assets/one.js"></script>')
  await writeFile(`${folder}/assets/one.js`, 'one()')
  const server = new Koa().use(portalRoutes(pathToFileURL(`${folder}/`))).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.is((await fetch(`http://127.0.0.1:${port}/portal`)).status, 200)
  await rm(folder, { recursive: true })
  t.is(await (await fetch(`http://127.0.0.1:${port}/portal/assets/one.js`)).text(), 'one()')
})

test('people sign in, buy, make, sell and take back through the screens, and every step is booked once', async t => {
  const { shop, flourId, breadId } = await bakery(service)
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = formOf(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const said = (text: string) => page.getByText(text).first().waitFor()
  const ask = () => form.getByRole('button', { name: 'What will happen?' }).click()

  // Buying begins at the number that links to the list.
  await page.getByRole('link', { name: /Open purchase orders/ }).click()
  await said('Nothing matches these filters')
  await press('Clear filters')
  await said('There are no purchase orders yet')
  await press('New purchase order')
  await press('Create')
  await form.getByText('choose a supplier').waitFor()
  await choose(page, 'Supplier', 'farm', /^Farm/)
  await choose(page, 'Product', 'flour', /^Flour/)
  await form.getByLabel('Quantity').fill('10.5')
  await form.getByLabel('Price').fill('1.000001')
  t.deepEqual(await seriousFaults(page), [])
  await press('Create')
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  await said('Nothing has arrived yet')

  await press('Receive')
  await form.getByLabel('Quantity').fill('11')
  await ask()
  await form.getByText('at most 10.5').waitFor()
  await form.getByLabel('Quantity').fill('4')
  await form.getByLabel('Arrived on').fill('2099-01-01')
  await ask()
  await form.getByText('It would be refused').waitFor()
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await form.getByText(/req_/).waitFor()
  await form.getByLabel('Arrived on').fill('')
  await form.getByLabel('Batch').fill(`F1 ${HOSTILE}`.slice(0, 60))
  await form.getByLabel('Expires').fill('2099-01-31')
  await ask()
  await form.getByText(/^4 pcs × Flour, batch F1/).waitFor()
  await form.getByText('They cost €4.00 without tax.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is((await shop.get('/purchase-receipts')).body.data.length, 0)
  await form.getByRole('button', { name: /Receive|Try again/ }).dblclick()
  await said('Received with PR-00001')
  await said('Partially received')
  t.is(await onStock(shop, flourId), 4)

  // Without a connection nothing is booked. When the connection is back, the same form books it once.
  await press('Receive')
  await form.getByLabel('Quarantine').check()
  await page.context().setOffline(true)
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await page.getByText('You are offline').waitFor()
  await form.getByText('The service did not answer').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  await said('Received with PR-00002')
  await page.getByText('Done', { exact: true }).waitFor()
  const { body: receipts } = await shop.get('/purchase-receipts')
  t.deepEqual(
    receipts.data.map(({ items }: { items: { quantity: number; quarantine: boolean }[] }) =>
      items.map(({ quantity, quarantine }) => [quantity, quarantine]),
    ),
    [[[4, false]], [[6.5, true]]],
  )
  t.is(await page.getByRole('button', { name: 'Receive' }).count(), 0)

  // Making cannot use the quarantined flour.
  await page.getByRole('link', { name: 'Manufacturing', exact: true }).click()
  await said('Nothing is made yet')
  await press('New manufacturing order')
  await choose(page, 'Product', 'bread', /^Bread/)
  await form.getByLabel('Quantity').fill('3')
  await press('Create')
  await page.getByRole('heading', { name: 'MO-00001' }).waitFor()
  await page.getByRole('cell', { name: '€6.00', exact: true }).waitFor()
  await press('Start')
  await form.getByRole('button', { name: 'Start', exact: true }).click()
  await form.getByRole('alert').getByText(/FLOUR/).waitFor()
  await form.getByLabel('Quantity of Flour').fill('3.5')
  await ask()
  await form.getByText(/^3\.5 pcs × Flour/).waitFor()
  await form.getByText(/^The order is in progress then, and has cost €/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is(await onStock(shop, flourId), 10.5)
  await form.getByRole('button', { name: 'Start', exact: true }).dblclick()
  await said('MO-00001 is started')
  t.is(await onStock(shop, flourId), 7)

  await press('Block')
  await form.getByLabel('Reason').fill(HOSTILE)
  await form.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alert').getByText(HOSTILE).waitFor()
  t.is(await page.getByRole('button', { name: 'Complete' }).count(), 0)
  await press('Unblock')
  await form.getByRole('button', { name: 'Unblock', exact: true }).click()
  await press('Complete')
  await form.getByLabel('Quantity').fill('1')
  await form.getByLabel('Batch').fill('B-1')
  await form.getByLabel(/^Baking/).fill('0.75')
  await ask()
  await form.getByText(/^1 of 3 are in stock then.* The order goes on\.$/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Complete', exact: true }).dblclick()
  await said('MO-00001 is done in part')
  await page.getByRole('link', { name: 'B-1' }).waitFor()

  // A change by another person is shown before anything is booked.
  await press('Complete')
  const { body: made } = await shop.get('/manufacturing-orders')
  const order = made.data[0]
  await shop.post(`/manufacturing-orders/${order.id}/complete`, { quantity: 0.5, output_batch_number: 'B-1' })
  await form.getByRole('button', { name: 'Complete', exact: true }).click()
  await form.getByText('released quantity: 1 → 1.5').waitFor()
  t.is(await onStock(shop, breadId), 1.5)
  await form.getByLabel('Quantity').fill('1.5')
  await form.getByRole('button', { name: 'Apply again' }).click()
  await page.getByText('MO-00001 is done', { exact: true }).waitFor()
  const { body: done } = await shop.get(`/manufacturing-orders/${order.id}`)
  t.like(done, { status: 'DONE', released_quantity: 3, actual_cost: { total_cost: 11, wip_cost: 0, is_final: true } })
  await page.getByRole('cell', { name: '€11.00', exact: true }).first().waitFor()

  // Goods are sold and returned.
  await page.getByRole('link', { name: 'Sales orders', exact: true }).click()
  await page.getByRole('link', { name: 'New sales order' }).click()
  await choose(page, 'Customer', 'inn', /^Inn/)
  await choose(page, 'Product', 'bread', /^Bread/)
  await form.getByLabel('Quantity').fill('4')
  await form.getByText('3 now, no day can be promised for all of it').waitFor()
  await form.getByLabel('Quantity').fill('2')
  await form.getByText('In stock').waitFor()
  await press('Create')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  await press('Ship')
  await ask()
  await form.getByText(/^2 pcs × Bread.*, batch B-1$/).waitFor()
  await form.getByLabel(/^Quantity of Bread/).fill('1')
  await form.getByText(/^2 pcs × Bread/).waitFor({ state: 'detached' })
  await form.getByLabel(/^Quantity of Bread/).fill('2')
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await said('Shipped with SH-00001')
  t.is(await onStock(shop, breadId), 1)
  for (const quantity of ['0.5', '1.5']) {
    await press('Return')
    await form.getByLabel(/^Quantity of Bread/).fill(quantity)
    await form.getByLabel('Reason').fill(HOSTILE)
    if (quantity === '0.5') t.deepEqual(await seriousFaults(page), [])
    await form.getByRole('button', { name: 'Create' }).dblclick()
    await page.getByRole('heading', { name: /^SR-0000/ }).waitFor()
    if (quantity === '0.5') {
      await press('Cancel return')
      await form.getByRole('button', { name: 'Cancel return', exact: true }).click()
      await page.getByText('Cancelled', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'SO-00001' }).click()
    }
  }
  t.is(await onStock(shop, breadId), 1)
  await press('Receive')
  await ask()
  await form.getByText('These goods come back into the stock:').waitFor()
  await form.getByText(/^1\.5 pcs × Bread.*, batch B-1$/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is(await onStock(shop, breadId), 1)
  await form.getByRole('button', { name: 'Receive', exact: true }).dblclick()
  await said('SR-00002 is back in stock')
  await page.getByRole('cell', { name: '€10.50', exact: true }).waitFor()
  t.is(await onStock(shop, breadId), 2.5)
  const { body: returns } = await shop.get('/sales-returns')
  t.deepEqual(
    returns.data.map((one: { sales_return: { status: string } }) => one.sales_return.status),
    ['CANCELLED', 'RETURNED'],
  )
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, {
    service,
    token: shop.token,
    expected: /status of (400|409|412|422)|ERR_INTERNET_DISCONNECTED/,
  })
  await press('Sign out')
  await page.getByLabel('API key').waitFor()
  t.false((await visit.stored()).includes(shop.token))
  t.deepEqual(await seriousFaults(page), [])
})
