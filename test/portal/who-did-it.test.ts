/** Who did it, in the portal: every record says who made and last changed it, its history and the live events say who. */

import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a record shows who made and last changed it and its metadata, its history and the live events who did it', async t => {
  const ada = await service.tenant({ key: { userName: 'Ada' } })
  const { client: bob } = await service.key(ada.tenantId, { userName: `Bob ${HOSTILE}` })
  const { body: product } = await ada.post('/products', { title: 'Mug', sku: 'MUG', metadata: { origin: 'Meissen' } })
  const items = [{ item_variant_id: product.variants[0].id, quantity: 2 }]
  const { body: counted } = await ada.post('/stock-adjustments', { items, metadata: { sheet: '4' } })
  const { body: order } = await ada.post('/sales-orders', {
    ...{ customer: { title: 'Inn' }, items },
    metadata: { channel: 'web', note: HOSTILE },
  })
  await bob.patch(`/stock-adjustments/${counted.id}`, { notes: 'Counted again' })
  await bob.patch(`/products/${product.id}`, { category: 'Cups' })
  await bob.post(`/sales-orders/${order.id}/shipments`, {})

  const visit = await signedIn(browser, service, ada.token, `/sales-orders/${order.id}`)
  const { page } = visit
  const fact = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  const shows = async (metadata: readonly string[]) => {
    await fact('Created by').getByText('Ada').waitFor()
    await fact('Last changed by').getByText(`Bob ${HOSTILE}`).waitFor()
    const rows = page.getByRole('table', { name: 'Metadata' }).getByRole('row')
    t.deepEqual(await rows.allInnerTexts(), metadata)
    t.deepEqual(await seriousFaults(page), [])
  }
  await shows([`note\t${HOSTILE}`, 'channel\tweb'])
  const happened = page.getByRole('region', { name: 'What happened' })
  await happened.getByText(/, Ada$/).waitFor()
  await happened.getByText(`, Bob ${HOSTILE}`).waitFor()

  await page.goto(`${service.url}/portal/stock-adjustments/${counted.id}`)
  await shows(['sheet\t4'])
  await page.getByText('Counted again').waitFor()
  await page.goto(`${service.url}/portal/stock/${product.id}`)
  await shows(['origin\tMeissen'])
  await page.goto(`${service.url}/portal/webhooks/live`)
  await page
    .getByText(/^Bob .* · \d+ · /)
    .first()
    .waitFor()
  await page
    .getByText(/^Ada · \d+ · /)
    .first()
    .waitFor()
  await keptToItself(t, visit, { service, token: ada.token })
})
