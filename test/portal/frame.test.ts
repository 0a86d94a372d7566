/** What every screen of the portal shares, in a real browser: pickers, forms, failures, figures. */
import test from 'ava'
import type { Page, Route } from 'playwright-core'
import { keptToItself, signedIn } from '../support/portal.ts'
import { portalService } from './portal-service.ts'

const { service, browser } = await portalService()

type Shop = Awaited<ReturnType<typeof service.tenant>>

async function joinery(): Promise<Shop> {
  const shop = await service.tenant()
  await shop.post('/customers', { title: 'Inn' })
  for (const title of ['Oak table', 'Oak chair', 'Pine bench']) await shop.post('/products', { title, price: 5 })
  return shop
}

/** Holds answers of these addresses until the test lets them go. */
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
  t.timeout(3 * 60_000)
  const shop = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New sales order' }).click()
  const closed = () => form.locator('[role=combobox][aria-expanded=true]').waitFor({ state: 'detached' })
  const customer = form.getByLabel('Customer')
  await customer.pressSequentially('inn')
  await customer.press('Enter')
  await closed()
  t.is(await customer.inputValue(), 'Inn')

  const product = form.getByLabel('Product')
  await product.pressSequentially('oak')
  await page.getByRole('option', { name: 'Oak chair' }).waitFor()
  // The answer for "oak" is shown while that for "pine" is on its way.
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
  // The list closes before the form does.
  await product.press('Escape')
  t.is(await product.inputValue(), second ?? '')
  await form.waitFor()
  t.is(await form.getByText('choose a').count(), 0)
  t.is((await shop.get('/sales-orders')).body.data.length, 0)
  await form.getByLabel('Quantity').press('Enter')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})
