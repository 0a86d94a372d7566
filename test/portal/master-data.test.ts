/** Master data in the portal: a person is guided from an empty tenant to its first order, by the keyboard. */

import { eventually } from '../support/eventually.ts'
import { formOf, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('an empty tenant is led to a place, a product, a customer and its first order, with the keyboard alone', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = formOf(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const press = async (name: string) => {
    await steps.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, text: string) => {
    await form
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .focus()
    await page.keyboard.type(text)
  }
  const create = () => page.keyboard.press('Enter')
  /** Enter takes the first result for the typed text, which may arrive later. */
  const choose = async (label: string, text: string, taken: string) => {
    await type(label, text)
    await page.keyboard.press('Enter')
    const field = form.getByLabel(new RegExp(`^${label}`)).first()
    await eventually(async () => (await field.inputValue()) === taken)
  }

  await press('New storage place')
  await type('Name', 'Mill')
  await type('Country code', 'de')
  await create()
  await page.getByText('Mill is made').waitFor()

  await press('New product')
  t.deepEqual(await seriousFaults(page), [])
  await type('Name', 'Oak bench')
  await type('SKU', 'OAK')
  await type('Price', '149.95')
  await create()
  await page.getByText('Oak bench is made').waitFor()

  await press('New customer')
  await type('Name', 'Inn')
  await type('Currency', 'eur')
  await create()
  await page.getByText('Inn is made').waitFor()

  t.deepEqual(await seriousFaults(page), [])
  await steps.getByRole('link', { name: 'New sales order' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('input:focus').and(form.getByLabel('Customer')).waitFor()
  await choose('Customer', 'inn', 'Inn')
  await choose('Product', 'oak', 'Oak bench')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  const { body } = await shop.get('/sales-orders')
  t.like(body.data[0], { customer: { title: 'Inn' }, total_amount: 149.95 })
  t.is((await shop.get('/storage-places')).body.data[0].address.country_code, 'DE')

  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('region', { name: 'To ship' }).getByText('Inn').waitFor()
  t.is(await steps.count(), 0)
  await keptToItself(t, visit, { service, token: shop.token })
})
