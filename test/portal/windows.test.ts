/** Two windows of the portal with one record, in the language of the browser. Part of torture (test/run.ts). */

import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('what one window changes shows in another by itself, a form that was open there says what changed, and decimals are those of the browser', async t => {
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: 'Oak', price: 1234.56789 })
  const { body: order } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: product.variants[0].id, quantity: 2.000001 }],
  })
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: product.variants[0].id, quantity: 2 }] })
  const path = `/sales-orders/${order.id}`
  const visit = await signedIn(browser, service, shop.token, path, { locale: 'de-DE' })
  const { page } = visit
  const edit = async (window: Page, label: string, text: string) => {
    await window.getByRole('button', { name: 'Edit' }).click()
    await window.getByRole('dialog').getByLabel(label).fill(text)
  }
  await page.getByText('Live').waitFor()
  await page.getByRole('cell', { name: '2,000001 pcs', exact: true }).waitFor()
  await page.getByRole('cell', { name: /^1\.234,56789\s€$/ }).waitFor()
  await edit(page, 'Priority', '9')

  const second = await page.context().newPage()
  await second.goto(page.url())
  // A second tab beside one that is signed in needs no key.
  await second.getByRole('button', { name: 'Sign out' }).waitFor()
  await edit(second, 'Notes', 'Ring twice')
  await second.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Ring twice', { exact: true }).waitFor()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('notes: empty → Ring twice').waitFor()
  t.is((await shop.get(path)).body.priority, 0)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Apply again' }).click()
  await form.waitFor({ state: 'hidden' })
  t.is((await shop.get(path)).body.priority, 9)

  // A refusal shows its reason and the request's id.
  await page.getByRole('button', { name: 'Ship' }).click()
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await form.getByText(/req_/).waitFor()
  await form.getByLabel('Quantity of Oak').fill('1.5')
  await form.getByRole('button', { name: 'Try again' }).click()
  await form.getByText('a number like 1,5, without grouping').waitFor()
  await form.getByLabel('Quantity of Oak').fill('1,000001')
  await form.getByRole('button', { name: 'Try again' }).click()
  await form.waitFor({ state: 'hidden' })
  t.is((await shop.get(path)).body.items[0].shipped_quantity, 1.000001)

  // All windows share one event stream. When the window that reads it is closed, another one reads it.
  const streams = () => visit.requests.filter(url => url.includes('/events/stream')).length
  t.is(streams(), 1)
  await page.close()
  await shop.patch(path, { notes: 'Ring thrice' })
  await second.getByText('Ring thrice', { exact: true }).waitFor()
  t.is(streams(), 2)
  await keptToItself(t, { ...visit, page: second }, { service, token: shop.token, expected: /status of (412|409)/ })
})
