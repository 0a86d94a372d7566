/** Expired goods in a real browser: no step takes them unless the person chooses them, and no screen counts them as available. */

import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('what has expired is moved only where its batch is chosen, and what it leaves short is told', async t => {
  const shop = await service.tenant()
  const { made } = shop
  const hall = await made('/storage-places', { title: 'Hall' })
  const yard = await made('/storage-places', { title: 'Yard' })
  const flour = await made('/products', { title: 'Flour', unit_name: 'kg', batch_tracked: true })
  const variant = flour.variants[0].id
  const item = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...{ item_variant_id: variant, batch_number, quantity, expiry_date },
  })
  await made('/stock-adjustments', {
    items: [item('OLD', 4, '2020-01-31'), item('GOOD', 8, '2099-01-31'), item('BEST', 2, '2099-03-31')],
  })
  await made('/sales-orders', { customer: { title: 'Inn' }, items: [{ item_variant_id: variant, quantity: 12 }] })

  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const short = page.getByRole('table', { name: 'Short', exact: true }).getByRole('row', { name: /Flour/ })
  await short.getByText('4 kg expired').waitFor()
  await short.getByRole('cell', { name: '2 kg', exact: true }).waitFor()
  await show(page, '/planner')
  const row = page.getByRole('row', { name: /Flour/ })
  for (const name of ['2 kg', '4 kg']) await row.getByRole('cell', { name, exact: true }).first().waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await show(page, `/storage-places/${hall.id}`)
  const old = page.getByRole('row', { name: /OLD/ })
  await old.getByText('expired').waitFor()
  await old.getByRole('cell', { name: '0 kg' }).last().waitFor()

  await show(page, `/stock/${flour.id}/${variant}`)
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Hold', exact: true }).click()
  await form.getByText('4 kg have expired: OLD on Jan 31, 2020.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Transfer', exact: true }).click()
  await form.getByText('There now: 14 kg. 4 kg have expired: OLD on Jan 31, 2020.').waitFor()
  await form.getByRole('combobox', { name: 'To' }).click()
  await page.getByRole('option', { name: 'Yard' }).click()
  await form.getByLabel('Quantity, kg').fill('11')
  await form.getByRole('button', { name: 'Transfer', exact: true }).click()
  await form.getByText('at most 10 kg, unless you choose a batch').waitFor()
  await form.getByLabel('Quantity, kg').fill('9')
  await form.getByRole('button', { name: 'Transfer', exact: true }).click()
  await page.getByText('Transferred with ST-00001').first().waitFor()
  const { body } = await shop.get(`/stock?storage_place_id=${yard.id}`)
  const moved = body.data.map(({ batch_number, quantity }: Record<string, unknown>) => `${batch_number} ${quantity}`)
  t.deepEqual(moved.sort(), ['BEST 1', 'GOOD 8'])
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what comes in without dates is good for its shelf life, from when it arrives or is made; a batch that is there keeps its dates', async t => {
  const shop = await service.tenant()
  const { made } = shop
  await made('/storage-places', { title: 'Hall' })
  const milk = await made('/products', { title: 'Milk', sku: 'MILK', batch_tracked: true, shelf_life_days: 10 })
  const item_variant_id = milk.variants[0].id
  const order = async () =>
    made('/purchase-orders', { supplier: { title: 'Dairy' }, items: [{ item_variant_id, quantity: 5 }] })
  const [first, second] = [await order(), await order()]
  const day = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10)
  const expiries = async () => {
    const { body } = await shop.get('/batches')
    return Object.fromEntries(
      body.data.map((batch: { number: string; expiry_date: string | null }) => [batch.number, batch.expiry_date]),
    )
  }
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = page.getByRole('dialog')
  const receive = async ({ id }: { id: string }, number: string) => {
    await page.goto(`${service.url}/portal/purchase-orders/${id}`)
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    await form.getByLabel('Batch', { exact: true }).fill(number)
    await form.getByLabel('Arrived on').fill(day(-3))
    await form.getByText(/^If empty .* by its shelf life$/).waitFor()
    t.deepEqual(await seriousFaults(page), [])
    await form.getByRole('button', { name: 'Receive', exact: true }).click()
    await page
      .getByText(/Received with PR-/)
      .first()
      .waitFor()
  }
  await receive(first, 'M-1')
  t.deepEqual(await expiries(), { 'M-1': day(7) })
  await made('/stock-adjustments', {
    items: [{ item_variant_id, quantity: 1, unit_cost: 1, batch_number: 'M-2', expiry_date: '2099-01-31' }],
  })
  await receive(second, 'M-2')
  t.deepEqual(await expiries(), { 'M-1': day(7), 'M-2': '2099-01-31' })

  const cheese = await made('/manufacturing-orders', { item_variant_id, quantity: 5 })
  await made(`/manufacturing-orders/${cheese.id}/start`, {})
  await page.goto(`${service.url}/portal/manufacturing-orders/${cheese.id}`)
  const complete = async (quantity: string) => {
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await form.getByLabel('Quantity').fill(quantity)
    await form.getByRole('button', { name: 'Complete', exact: true }).click()
  }
  await complete('2')
  await page.getByText('is done in part').waitFor()
  await form.waitFor({ state: 'detached' })
  t.is((await expiries())[cheese.number], day(10))
  // The rest goes into the same batch.
  await complete('3')
  await page.getByText(`${cheese.number} is done`, { exact: true }).waitFor()
  t.is((await expiries())[cheese.number], day(10))
  await keptToItself(t, visit, { service, token: shop.token })
})
