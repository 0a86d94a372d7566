/** On a phone: work on the shop floor is started, paused, continued, and completed with the hours of its tasks. Tables fit the screen. */
import { fitsAll, keptToItself, showWhole, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, everyScreen } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('work is started, paused with a reason, goes on and is done from the shop floor, each in two clicks', async t => {
  const { shop, flourId, breadId } = await bakery(service)
  const made = async (path: string, body: object) => (await shop.post(path, body)).body
  await made('/stock-adjustments', {
    items: [{ item_variant_id: flourId, quantity: 40, unit_cost: 1, batch_number: 'F-1', expiry_date: '2099-01-31' }],
  })
  const { body: roll } = await shop.post('/products', { title: 'Roll', sku: 'ROLL' })
  const rolls = await made('/manufacturing-orders', { item_variant_id: roll.variants[0].id, quantity: 6 })
  const order = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 5, notes: 'For the fair' })
  const visit = await signedIn(browser, service, shop.token, '/manufacturing-orders', { width: 390, height: 844 })
  const { page } = visit
  await page.getByRole('link', { name: 'Shop floor' }).click()
  const card = page
    .getByRole('region', { name: order.number })
    .or(page.locator(`section[aria-label="${order.number}"]`))
  const form = page.getByRole('dialog')
  let clicks = 0
  const step = async (name: string, says: string) => {
    await card.getByRole('button', { name, exact: true }).click()
    clicks++
    if (name === 'Pause') await form.getByLabel('Reason').fill('The oven is cold')
    if (name === 'Done') await form.getByLabel(/^Baking/).fill('3')
    await form.getByRole('button', { name, exact: true }).click()
    clicks++
    await page.getByText(says).first().waitFor()
    await form.waitFor({ state: 'detached' })
  }
  // Orders without a task are listed too. One that the filter by operation excludes is not.
  await page.locator(`section[aria-label="${rolls.number}"]`).waitFor()
  await card.getByText('Baking').waitFor()
  await card.getByText('For the fair').waitFor()
  await fitsAll(t, page)
  await page.setViewportSize({ width: 390, height: 844 })
  await step('Start', `${order.number} is started`)
  await step('Pause', `${order.number} is paused`)
  await card.getByText('The oven is cold').waitFor()
  t.is((await shop.get(`/manufacturing-orders/${order.id}`)).body.status, 'BLOCKED')
  await step('Go on', `${order.number} is in work again`)
  // Orders in progress come before those that wait.
  t.is(await page.locator('section').first().getAttribute('aria-label'), order.number)
  await step('Done', `${order.number} is done`)
  await card.waitFor({ state: 'detached' })
  t.is(clicks, 8)
  t.like((await shop.get(`/manufacturing-orders/${order.id}/tasks`)).body.data[0], { actual_duration: 3 })
  await page.goto(`${service.url}/portal/shop-floor?operation_id=1`)
  await page.getByText('No work waits here').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('no table of the warehouse is scrolled sideways on a phone', async t => {
  const { shop, screens } = await everyScreen(service)
  const { page } = await signedIn(browser, service, shop.token, '/', { width: 390, height: 844 })
  const isOfWarehouse =
    /^\/(stock|sales-orders|purchase-orders|manufacturing-orders|production-tasks|trace$|shop-floor|print\/pick)/
  for (const [path] of screens.filter(([path]) => isOfWarehouse.test(path))) {
    await showWhole(page, path)
    const cut = await page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('[role=region]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(element => element.ariaLabel ?? 'the page')`)
    t.deepEqual(cut, [], path)
  }
})
