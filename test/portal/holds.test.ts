/** Holds in a real browser: they are made, extended, used by an order, released, and expire while a person looks at them. */

import { formOf, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const DAY_MS = 86_400_000

/** Ten oak boards, and an inn that buys them. */
async function timberYard() {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const { body: oak } = await shop.post('/products', { title: 'Oak', sku: 'OAK', price: 30 })
  const oakId: string = oak.variants[0].id
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: oakId, quantity: 10, unit_cost: 2 }] })
  const { body: inn } = await shop.post('/customers', { title: 'Inn' })
  const reserved = async () => {
    const { data } = (await shop.get(`/availability?item_variant_id=${oakId}`)).body
    return data[0].reserved_quantity
  }
  return { shop, oak, oakId, inn, reserved }
}

test('a hold is made, lasts longer and becomes an order; another one is released', async t => {
  const { shop, oak, oakId, inn, reserved } = await timberYard()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const dialog = formOf(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const choose = async (label: string, text: string) => {
    await dialog.getByLabel(label).fill(text)
    await page.getByRole('option', { name: text }).click()
  }

  await page.getByRole('link', { name: 'Holds' }).click()
  await page.getByText('Nothing is held').waitFor()
  await button('New hold').click()
  await choose('Product', 'Oak')
  await dialog.getByLabel('Quantity').fill('11')
  await dialog.getByText('10 now, no day can be promised').waitFor()
  await dialog.getByRole('button', { name: '1 hour from now' }).click()
  t.deepEqual(await seriousFaults(page), [])
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
  await dialog
    .getByRole('alert')
    .getByText(/insufficient|not enough|available/i)
    .first()
    .waitFor()
  await dialog.getByLabel('Quantity').fill('3')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'RV-00001' }).waitFor()
  const [made] = (await shop.get('/reservations')).body.data
  t.like(made, { status: 'HELD', customer_id: null, items: [{ item_variant_id: oakId, quantity: 3 }] })
  t.is(await reserved(), 3)
  await page.locator(`dd time[datetime="${made.expires_at}"]`).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await button('Edit').click()
  await dialog.getByLabel('Ends').fill('2999-01-01T12:00:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The refusal is shown at its field.
  await dialog.locator('.mantine-InputWrapper-error').getByText('must be at most 30 days ahead').waitFor()
  await dialog.getByRole('button', { name: '1 day from now' }).click()
  await dialog.getByLabel('Notes').fill('For the bar')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('RV-00001 is saved').waitFor()
  const { body: longer } = await shop.get(`/reservations/${made.id}`)
  t.is(longer.notes, 'For the bar')
  t.true(Date.parse(longer.expires_at) - Date.parse(made.expires_at) > DAY_MS / 2)
  // Fields that the person does not change are not sent.
  await button('Edit').click()
  await dialog.getByLabel('Notes').fill('For the bar room')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.locator('dd').getByText('For the bar room').waitFor()
  t.is((await shop.get(`/reservations/${made.id}`)).body.expires_at, longer.expires_at)

  await page.goto(`${service.url}/portal/stock/${oak.id}/${oakId}`)
  await page.getByRole('table', { name: 'Open demand' }).getByRole('link', { name: 'RV-00001' }).click()
  await page.getByRole('link', { name: 'Make an order' }).click()
  await dialog.getByText('3 held at Hall').waitFor()
  t.is(await dialog.getByLabel('Quantity').inputValue(), '3')
  await choose('Customer', 'Inn')
  t.deepEqual(await seriousFaults(page), [])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  const [order] = (await shop.get('/sales-orders')).body.data
  t.like(order, { customer: { id: inn.id }, items: [{ item_variant_id: oakId, quantity: 3 }] })
  t.like((await shop.get(`/reservations/${made.id}`)).body, { status: 'CONSUMED', sales_order_id: order.id })
  t.is(await reserved(), 3)
  await page.goBack()
  await page.getByText('Consumed', { exact: true }).waitFor()
  await page.locator('dd').getByRole('link', { name: 'SO-00001' }).waitFor()
  t.is(await button('Release').count(), 0)

  await page.goto(`${service.url}/portal/stock/${oak.id}/${oakId}`)
  await button('Hold').click()
  await choose('Customer (if known)', 'Inn')
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
  await page.getByRole('heading', { name: 'RV-00002' }).waitFor()
  t.is(await reserved(), 5)
  await button('Release').click()
  await dialog.getByRole('button', { name: 'What will happen?' }).click()
  await dialog.getByText('2 pcs × Oak').waitFor()
  t.is(await reserved(), 5)
  await dialog.getByRole('button', { name: 'Release', exact: true }).click()
  await page.getByText('RV-00002 is released').waitFor()
  t.is(await reserved(), 3)

  await page.goto(`${service.url}/portal/reservations?status=RELEASED&customer_id=${inn.id}&item_variant_id=${oakId}`)
  await page.getByRole('row', { name: /RV-00002.*Inn.*2 pcs × Oak/ }).waitFor()
  t.is(await page.getByRole('link', { name: 'RV-00001' }).count(), 0)

  // Changes by others are shown without a reload.
  const { body: third } = await shop.post('/reservations', {
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    items: [{ item_variant_id: oakId, quantity: 1 }],
  })
  await page.goto(`${service.url}/portal/reservations/${third.id}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await button('Release').waitFor()
  await shop.post(`/reservations/${third.id}/release`, {})
  await page.getByText('Would have ended').waitFor()
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 4(00|09)/ })
})

test('a hold that ends by its time shows so on its open page, also to a key that may not read events', async t => {
  const { shop, oakId } = await timberYard()
  const { token } = await service.key(shop.tenantId, { scopes: ['read:sales'] })
  const visit = await signedIn(browser, service, token, '/reservations')
  const { page } = visit
  const { body: hold } = await shop.post('/reservations', {
    expires_at: new Date(Date.now() + 15_000).toISOString(),
    items: [{ item_variant_id: oakId, quantity: 4 }],
  })
  await page.goto(`${service.url}/portal/reservations/${hold.id}`)
  await page.getByText('Held', { exact: true }).first().waitFor()
  await page.getByText('Would have ended').waitFor({ timeout: 90_000 })
  await page.getByText('Expired').first().waitFor()
  t.is((await shop.get(`/reservations/${hold.id}`)).body.status, 'EXPIRED')
  await keptToItself(t, visit, { service, token })
})
