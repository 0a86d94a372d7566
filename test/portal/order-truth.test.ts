/**
 * What the forms of orders show before the order is made, in a real browser: what is missing, what is at another place, and from which
 * orders it takes goods.
 */

import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('the planner and the steps say what cannot be taken, where else it lies and for whom it is reserved', async t => {
  const shop = await service.tenant()
  const { body: mill } = await shop.post('/storage-places', { title: 'Mill' })
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const batched = { batch_tracked: true }
  const { body: flour } = await shop.post('/products', { title: 'Flour', sku: 'FLOUR', ...batched })
  const { body: bread } = await shop.post('/products', { title: 'Bread', sku: 'BREAD', price: 7 })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  await shop.post('/recipes', { item_variant_id: breadId, materials: [{ item_variant_id: flourId, quantity: 2 }] })
  const lay = (storage_place_id: string, quantity: number, batch_number: string, expiry_date: string) =>
    shop.post('/stock-adjustments', {
      storage_place_id,
      items: [{ item_variant_id: flourId, quantity, batch_number, expiry_date, unit_cost: 1 }],
    })
  await lay(mill.id, 400, 'OLD', '2020-01-31')
  await lay(mill.id, 5, 'HELD', '2099-01-01')
  await lay(yard.id, 30, 'NEW', '2099-01-01')
  const here = { from_storage_place_id: mill.id, to_storage_place_id: mill.id }
  const { data } = (await shop.get('/batches?number=HELD')).body
  await shop.post('/stock-transfers', {
    ...here,
    items: [{ item_variant_id: flourId, batch_id: data[0].id, quantity: 5, to_quarantine: true }],
  })
  const { body: first } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 10 })

  const path = `/manufacturing-orders/${first.id}`
  const visit = await signedIn(browser, service, shop.token, path)
  const { page } = visit
  const form = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Start')
  await form.getByText('Flour: 20 pcs wanted, 0 pcs can be taken. 400 pcs have expired: OLD on Jan 31, 2020.').waitFor()
  await form.getByText('5 pcs are in quarantine.').waitFor()
  await form.getByText('30 pcs can be taken at Yard.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Back' }).click()

  await show(page, `/planner/requirements?item_variant_id=${breadId}&quantity=5`)
  await page.getByText('Not yet: 0 of 5').waitFor()
  const row = page.getByRole('row', { name: /Flour/ })
  await row.getByText('400 pcs have expired').waitFor()
  await row.getByText('5 pcs are in quarantine').waitFor()
  await row.getByText('30 pcs can be taken at Yard').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await row.getByRole('button', { name: 'Transfer' }).click()
  t.is(await form.getByLabel('Quantity').inputValue(), '10')
  await form.getByLabel('Quantity').fill('30')
  await form.getByRole('button', { name: 'Transfer' }).dblclick()
  await page.getByText('Transferred with ST-00002').waitFor()
  await page.getByText('Yes: 5 pcs can be made').waitFor()
  const moved = (await shop.get('/stock-transfers?order=desc&limit=1')).body.data[0]
  t.like(moved, { from_storage_place_id: yard.id, to_storage_place_id: mill.id, items: [{ quantity: 30 }] })

  // Another order needs all 30, and this one takes 20 of them.
  await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 15 })
  await show(page, path)
  await press('Start')
  await form.getByText('Flour: 20 pcs of what is taken is reserved by MO-00002.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByLabel('Quantity of Flour').fill('0')
  await form.getByText(/is reserved by/).waitFor({ state: 'detached' })
  await keptToItself(t, visit, { service, token: shop.token })
})
