/** Goods that have expired, in a real browser: no step takes them unasked, and no screen counts them as there. */

import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('what has expired is moved only where its batch is chosen, and what it leaves short is told', async t => {
  const shop = await service.tenant()
  const made = async (path: string, body: object) => {
    const reply = await shop.post(path, body)
    t.true(reply.status < 300, reply.text)
    return reply.body
  }
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
