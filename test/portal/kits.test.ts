/** Kits in a real browser: their components, how many could be sold, and which component limits them. Lines of orders show their parts. */

import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a kit says how many could be sold and what is scarcest, and an order what its line is made of', async t => {
  const shop = await service.tenant()
  const { made } = shop
  await made('/storage-places', { title: 'Hall' })
  const [cup, tea] = [
    await made('/products', { title: 'Cup', sku: 'CUP' }),
    await made('/products', { title: 'Tea', sku: 'TEA' }),
  ]
  const kit = await made('/products', {
    title: 'Tea set',
    type: 'KIT',
    price: 20,
    components: [
      { sku: 'CUP', quantity: 2 },
      { sku: 'TEA', quantity: 0.25 },
    ],
  })
  const line = (product: { variants: { id: string }[] }, quantity: number) => ({
    item_variant_id: product.variants[0]?.id,
    quantity,
  })
  await made('/stock-adjustments', { items: [line(cup, 9), line(tea, 5)] })
  const order = await made('/sales-orders', { customer: { title: 'Inn' }, items: [line(kit, 1)] })

  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  await show(page, `/stock/${kit.id}/${kit.variants[0].id}`)
  const components = page.getByRole('table', { name: 'Components', exact: true })
  await components.getByRole('row', { name: /Tea/ }).getByText('0.25').waitFor()
  // 7 of 9 cups are left, which make 3 kits.
  const sold = page.getByRole('table', { name: 'Could be sold', exact: true }).getByRole('row', { name: /Hall/ })
  await sold.getByRole('cell', { name: '3', exact: true }).waitFor()
  await sold.getByRole('cell', { name: 'Cup, CUP', exact: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await show(page, `/sales-orders/${order.id}`)
  const row = page.getByRole('row', { name: /Tea set/ }).first()
  await row.getByText('2 × Cup, CUP').waitFor()
  await row.getByText('0.25 × Tea, TEA').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})
