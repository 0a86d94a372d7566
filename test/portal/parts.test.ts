/** One line taken from several batches, in a real browser: shipped and issued in parts whose sum is checked. */

import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a line is shipped and issued from two batches with a quantity each, and their sum is checked', async t => {
  const shop = await service.tenant()
  const { made } = shop
  await made('/storage-places', { title: 'Hall' })
  const flour = await made('/products', { title: 'Flour', price: 2, batch_tracked: true })
  const bread = await made('/products', { title: 'Bread', price: 7 })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  const item = (batch_number: string, quantity: number) => ({ item_variant_id: flourId, batch_number, quantity })
  await made('/stock-adjustments', { items: [item('F-1', 10), item('F-2', 10), item('F-3', 10)] })
  const line = { item_variant_id: flourId, quantity: 8 }
  const sold = await made('/sales-orders', { customer: { title: 'Inn' }, items: [line] })
  const baked = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 2, items: [line] })
  await made(`/manufacturing-orders/${baked.id}/start`, {})

  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  await chosen(page, 'Batch of Flour', /^F-3/)
  await form.getByLabel('Quantity of Flour').fill('5')
  await form.getByRole('button', { name: 'Another batch of Flour' }).click()
  // The form fills in what the first part leaves.
  const rest = form.getByLabel('Quantity of Flour, part 2')
  t.is(await rest.inputValue(), '3')
  await chosen(page, 'Batch of Flour, part 2', /^F-2/)
  await rest.fill('4')
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await form.getByText('at most 8 in all').first().waitFor()
  await rest.fill('2')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await page.getByText('Shipped with SH-00001').first().waitFor()

  await show(page, `/manufacturing-orders/${baked.id}`)
  await page.getByRole('button', { name: 'Issue materials' }).click()
  const part = (name: string) => form.getByRole('group', { name, exact: true })
  await part('Flour').getByLabel('Quantity').fill('1')
  await part('Flour').getByRole('combobox', { name: 'Batch' }).click()
  await page.getByRole('option', { name: /^F-3/ }).click()
  await form.getByRole('button', { name: 'Another batch of Flour' }).click()
  await part('Flour, part 2').getByLabel('Quantity').fill('2.5')
  await part('Flour, part 2').getByRole('combobox', { name: 'Batch' }).click()
  await page.getByRole('option', { name: /^F-2/ }).click()
  await form.getByRole('button', { name: 'Another batch of Flour' }).click()
  await form.getByRole('button', { name: 'Remove Flour, part 3' }).click()
  await form.getByRole('button', { name: 'Issue', exact: true }).click()
  await page.getByText('Issued to MO-00001').first().waitFor()

  const { body } = await shop.get(`/stock?item_variant_id=${flourId}`)
  t.deepEqual(
    body.data
      .filter((row: { batch_id: string | null }) => row.batch_id !== null)
      .map(({ batch_number, quantity }: Record<string, unknown>) => `${batch_number} ${quantity}`),
    ['F-1 2', 'F-2 5.5', 'F-3 4'],
  )
  await keptToItself(t, visit, { service, token: shop.token })
})

async function chosen(page: Page, input: string, option: RegExp) {
  await page.getByRole('dialog').getByRole('combobox', { name: input, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}
