/** Orders in the portal, in a real browser: how they end, what is missing, and their lists on a phone. */

import { eventually } from '../support/eventually.ts'
import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, everyScreen, HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('what is over can be deleted or closed, and what is not there says so', async t => {
  const { shop, place, flourId, breadId } = await bakery(service)
  const line = { item_variant_id: flourId, quantity: 3 }
  const { body: bought } = await shop.post('/purchase-orders', { supplier: { title: 'Farm' }, items: [line] })
  await shop.post(`/purchase-orders/${bought.id}/receipts`, {
    storage_place_id: place.id,
    items: [{ purchase_order_item_id: bought.items[0].id, quantity: 1 }],
  })
  const { body: made } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 1 })
  const { body: kept } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 2 })
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: breadId, quantity: 5, batch_number: 'B' }] })
  const sale = { customer: { title: 'Inn' }, items: [{ item_variant_id: breadId, quantity: 2 }] }
  const { body: sold } = await shop.post('/sales-orders', sale)
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})
  const returned = { sales_order_item_id: sold.items[0].id, quantity: 1, reason: HOSTILE }
  await shop.post('/sales-returns', { sales_order_id: sold.id, items: [returned] })

  const visit = await signedIn(browser, service, shop.token, `/manufacturing-orders/${made.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete' }).click()
  await form.getByRole('button', { name: 'Delete' }).dblclick()
  await page.getByText('MO-00001 is deleted').waitFor()
  await page.getByRole('link', { name: 'MO-00002' }).waitFor()
  await page.getByRole('link', { name: 'MO-00001' }).waitFor({ state: 'detached' })
  t.is((await shop.get(`/manufacturing-orders/${made.id}`)).status, 404)

  const goto = (path: string) => page.goto(`${service.url}/portal${path}`)
  await goto(`/purchase-orders/${bought.id}`)
  await page.getByRole('button', { name: 'Close order' }).click()
  await form.getByLabel('Reason').fill(HOSTILE)
  await form.getByRole('button', { name: 'Close order' }).dblclick()
  await page.getByText('Closed', { exact: true }).waitFor()
  t.like((await shop.get(`/purchase-orders/${bought.id}`)).body, { status: 'DONE', close_reason: HOSTILE })

  const stranger = await service.tenant()
  const foreign = `/portal/manufacturing-orders/${kept.id}`
  const other = await signedIn(browser, service, stranger.token, foreign.replace('/portal', ''))
  await other.page.getByRole('alert').getByText(/req_/).waitFor()
  t.false((await other.page.content()).includes('MO-00002'))
  t.deepEqual(await seriousFaults(other.page), [])
  await other.page.context().close()
  for (const [path, reason] of [
    ['/purchase-orders/999999999', /req_/],
    ['/sales-returns/none', 'not an id'],
  ] as const) {
    await goto(path)
    await page.getByRole('alert').getByText(reason).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  }

  for (const path of ['/manufacturing-orders', '/purchase-orders', '/purchase-receipts', '/sales-returns']) {
    // Parameters that are no filters of the list are not sent.
    await goto(`${path}?number=NONE&received_after=2999-01-01`)
    await page.getByText('Nothing matches these filters').waitFor()
  }
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 404/ })
})

test('every screen fits a phone and dark colours', async t => {
  const { shop, screens } = await everyScreen(service)
  const visit = await signedIn(browser, service, shop.token, '/nowhere', { width: 390, height: 844 })
  const { page } = visit
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const [path] of screens) {
    await show(page, path)
    await eventually(() => page.evaluate(`!document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root')`))
    t.deepEqual(await seriousFaults(page), [], path)
    t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), path)
  }
  await keptToItself(t, visit, { service, token: shop.token })
})
