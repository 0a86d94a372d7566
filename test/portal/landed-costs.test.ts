/** Landed costs in the portal, in a real browser: how a cost was divided, and its reversal. */

import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a landed cost shows where it went; its reversal says what will happen, and the stock gives back its part', async t => {
  const { shop, place, flourId } = await bakery(service)
  const { body: order } = await shop.post('/purchase-orders', {
    supplier: { title: 'Farm' },
    items: [{ item_variant_id: flourId, quantity: 10, price: 2, batch_number: 'L-1' }],
  })
  const { body: receipt } = await shop.post(`/purchase-orders/${order.id}/receipts`, { storage_place_id: place.id })
  const taken = [{ item_variant_id: flourId, quantity: -6, batch_id: receipt.items[0].batch_id }]
  await shop.post('/stock-adjustments', { storage_place_id: place.id, items: taken })
  const { body: stock } = await shop.get(`/stock?item_variant_id=${flourId}&storage_place_id=${place.id}`)
  const there = stock.data.reduce((sum: number, row: { quantity: number }) => sum + row.quantity, 0)
  const { body: landed } = await shop.post('/landed-costs', {
    purchase_receipt_id: receipt.id,
    items: [{ title: `Freight ${HOSTILE}`, amount: 40 }],
  })
  t.is(landed.stock_amount, 4 * Math.min(there, 10))

  const visit = await signedIn(browser, service, shop.token, `/purchase-orders/${order.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('table', { name: 'Receipts' }).getByRole('link', { name: landed.number }).click()
  await page.getByRole('heading', { name: landed.number }).waitFor()
  await page.getByRole('table', { name: 'Where it went' }).getByText('FLOUR').waitFor()
  await page.getByRole('table', { name: 'Costs' }).getByText(`Freight ${HOSTILE}`).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await page.getByRole('button', { name: `Reverse ${landed.number}` }).click()
  await form
    .getByRole('list', { name: 'What it does' })
    .getByText(/leaves the value of Flour, FLOUR at Mill/)
    .waitFor()
  await form.getByLabel('Reason').fill(`Not ours ${HOSTILE}`)
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText(/^Nothing stands in the way: the stock gives back its part/).waitFor()
  t.is((await shop.get(`/landed-costs/${landed.id}`)).body.reversed_at, null)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Reverse', exact: true }).click()
  await page.getByText(`: Not ours ${HOSTILE}`).first().waitFor()
  t.is(await page.getByRole('button', { name: `Reverse ${landed.number}` }).count(), 0)
  t.is((await shop.get(`/landed-costs/${landed.id}`)).body.reversal_reason, `Not ours ${HOSTILE}`)
  await page.goto(`${service.url}/portal/landed-costs`)
  await page.getByText(`: Not ours ${HOSTILE}`).first().waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token })
})
