/** Kits in a real browser, from the form that makes one to a return with missing parts. */

import { fitsAll, formOf, keptToItself, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** 20 cups, and tea in two batches. */
async function teaShop() {
  const shop = await service.tenant()
  const { made } = shop
  await made('/storage-places', { title: 'Hall' })
  const cup = await made('/products', { title: 'Cup', sku: 'CUP' })
  const tea = await made('/products', { title: 'Tea', sku: 'TEA', batch_tracked: true })
  await made('/products', { title: 'Milk', sku: 'MILK' })
  await made('/customers', { title: 'Inn' })
  const of = (product: { variants: { id: string }[] }) => ({ item_variant_id: product.variants[0]?.id })
  const batch = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...of(tea),
    ...{ batch_number, quantity, expiry_date },
  })
  await made('/stock-adjustments', {
    items: [{ ...of(cup), quantity: 20 }, batch('T-1', 3, '2091-05-01'), batch('T-2', 5, '2091-06-01')],
  })
  const onHand = async (product: { variants: { id: string }[] }) =>
    (await shop.get(`/availability?item_variant_id=${product.variants[0]?.id}`)).body.data[0].quantity
  return { shop, cup, tea, onHand }
}

test('a kit is made, changed, held, sold, picked, packed, shipped from chosen batches and returned with parts missing', async t => {
  const { shop, cup, tea, onHand } = await teaShop()
  const visit = await signedIn(browser, service, shop.token, '/products', { height: 1200 })
  const { page } = visit
  const form = formOf(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const send = (name: string) => form.getByRole('button', { name, exact: true }).last().click()
  const idle = () => form.waitFor({ state: 'detached' })
  const field = (name: string) => form.getByLabel(new RegExp(`^${name}( \\*)?$`))
  const choose = async (label: string, text: string, option: string | RegExp = text) => {
    await field(label).fill(text)
    await page.getByRole('option', { name: option }).click()
  }
  const component = async (n: number, text: string, quantity: string) => {
    await form.getByRole('button', { name: 'Add a component' }).click()
    await choose(`Component ${n}`, text)
    await field(`In one kit, component ${n}`).fill(quantity)
  }

  // The kit is made. The form does not ask for stock values.
  await button('New product').click()
  await field('Name').fill('Tea set')
  await form.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Kit', exact: true }).click()
  t.is(await form.getByLabel('Minimum stock').count(), 0)
  await field('SKU').fill('SET')
  await field('Price').fill('20')
  await send('Create')
  await form.getByText('say what one kit is made of').waitFor()
  await component(1, 'Cup', '2')
  await component(2, 'Tea', '0.5')
  await component(3, 'Cup', '1')
  await send('Create')
  await form.getByText('Cup is there twice').waitFor()
  await form.getByRole('button', { name: 'Remove component 3' }).click()
  await fitsAll(t, page)
  await send('Create')
  await page.getByRole('heading', { name: 'Tea set' }).waitFor()
  const [kit] = (await shop.get('/products?type=KIT')).body.data
  t.like(kit.variants[0], { sku: 'SET', components: [{ quantity: 2 }, { quantity: 0.5 }] })
  await page.getByRole('row', { name: /SET.*2 × Cup, 0.5 × Tea.*10 pcs.*CUP/ }).waitFor()
  await fitsAll(t, page)

  // The kit is changed: 20 cups make 6 kits of 3, and 8 of tea make 16.
  const kitPage = `/stock/${kit.id}/${kit.variants[0].id}`
  await show(page, kitPage)
  await button('Edit').click()
  await field('In one kit, component 1').fill('3')
  await component(3, 'Milk', '1')
  await form.getByRole('button', { name: 'Remove component 3' }).click()
  await form.getByRole('button', { name: 'Add a component' }).click()
  await field('Component 3').fill('SET')
  await page.getByRole('option', { name: /is a kit/ }).waitFor()
  await field('Component 3').press('Escape')
  await form.getByRole('button', { name: 'Remove component 3' }).click()
  await send('Save')
  await idle()
  const sold = page.getByRole('table', { name: 'Could be sold', exact: true }).getByRole('row', { name: /Hall/ })
  await sold.getByRole('cell', { name: '6', exact: true }).waitFor()
  await sold.getByRole('cell', { name: 'Cup, CUP', exact: true }).waitFor()
  t.deepEqual(
    (await shop.get(`/products/${kit.id}`)).body.variants[0].components.map(
      ({ quantity }: { quantity: number }) => quantity,
    ),
    [3, 0.5],
  )
  await fitsAll(t, page)

  // The kit is held.
  await button('Hold').click()
  await form.getByText('A kit: 6 could be sold now').waitFor()
  await send('Hold')
  await page.getByRole('heading', { name: 'RV-00001' }).waitFor()
  await page
    .getByRole('row', { name: /Tea set/ })
    .getByText('3 × Cup, CUP')
    .waitFor()
  await button('Release').click()
  await send('Release')
  await page.getByText('RV-00001 is released').waitFor()

  // The kit is sold.
  await show(page, '/sales-orders')
  await page.getByRole('link', { name: 'New sales order' }).click()
  await choose('Customer', 'Inn')
  await choose('Product', 'Tea set', /Tea set/)
  await form.getByText('A kit: 6 could be sold now').waitFor()
  await field('Quantity, pcs').fill('4')
  await fitsAll(t, page)
  await send('Create')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  const line = page.getByRole('row', { name: /Tea set/ }).first()
  await line.getByText('12 × Cup, CUP', { exact: true }).waitFor()
  await line.getByText('2 × Tea, TEA', { exact: true }).waitFor()
  await line.getByText('In stock').waitFor()
  await fitsAll(t, page)
  const [order] = (await shop.get('/sales-orders')).body.data

  // The order is picked: the parts are listed below their kit, by place and batch.
  await show(page, `/print/pick-lists/${order.id}`)
  const picks = page.getByRole('table', { name: 'To pick' })
  await picks.getByText('T-1').waitFor()
  t.deepEqual(
    (await picks.getByRole('row').allInnerTexts()).slice(1).map(text => text.replaceAll(/\s+/g, ' ').trim()),
    ['Hall Tea set SET a kit of: – 4 pcs', 'Hall Cup CUP – 12 pcs', 'Hall Tea TEA T-1 to May 1, 2091 2 pcs'],
  )
  await fitsAll(t, page)

  // The order is packed, in kits.
  await show(page, `/sales-orders/${order.id}`)
  await button('Pack').click()
  await field('Quantity of Tea set').fill('1')
  await button('What will happen?').click()
  await form.getByText('1 pcs × Tea set').waitFor()
  await fitsAll(t, page)
  await send('Pack')
  await page.getByText('Packed with').first().waitFor()
  await idle()

  // The order is shipped: three kits take 1.5 of tea, from batches that the person chooses.
  await button('Ship').click()
  await field('Quantity of Tea set').fill('3')
  await form.getByText('9 × Cup').waitFor()
  await form.getByText('1.5 × Tea').waitFor()
  const batch = async (name: string, option: RegExp) => {
    await form.getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await batch('Batch of Tea', /^T-2/)
  await form.getByRole('button', { name: 'Another batch of Tea' }).click()
  await batch('Batch of Tea, part 2', /^T-1/)
  await field('Quantity of Tea').fill('1')
  await field('Quantity of Tea, part 2').fill('1')
  await send('Ship')
  await form.locator('.mantine-InputWrapper-error').getByText('must be 1.5 together, not 2').waitFor()
  await field('Quantity of Tea, part 2').fill('')
  await fitsAll(t, page)
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText('0.5 pcs × Tea (Tea set), batch T-1').waitFor()
  await send('Ship')
  await page.getByText('Shipped with SH-00001').first().waitFor()
  await idle()
  await line.getByText('12 × Cup, CUP, 9 shipped').waitFor()
  await page.getByText('1 × Tea, TEA, batch T-2').waitFor()
  t.deepEqual([await onHand(cup), await onHand(tea)], [11, 6.5])
  await fitsAll(t, page)
  const [shipment] = (await shop.get('/sales-shipments')).body.data
  await show(page, `/print/packing-slips/${shipment.id}`)
  await page.getByRole('row', { name: /Tea set.*9 × Cup, CUP.*0.5 × Tea, TEA, batch T-1.*3 pcs/ }).waitFor()

  // Two kits come back, and one of their cups is missing.
  await show(page, `/sales-orders/${order.id}`)
  await button('Return').click()
  await field('Quantity of Tea set').fill('2')
  await form.getByLabel('Parts of Tea set are missing').click()
  await field('Cup that came back').fill('7')
  await send('Create')
  await form.getByText('at most 6').waitFor()
  await field('Cup that came back').fill('5')
  await fitsAll(t, page)
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText('5 × Cup, CUP').waitFor()
  await send('Create')
  await page.getByRole('heading', { name: 'SR-00001' }).waitFor()
  const back = page.getByRole('row', { name: /Tea set/ }).first()
  await back.getByText('5 × Cup, CUP').waitFor()
  await button('Receive').click()
  await button('What will happen?').click()
  await form.getByText('5 pcs × Cup (Tea set)').waitFor()
  await send('Receive')
  await page.getByText('SR-00001 is back in stock').waitFor()
  t.deepEqual([await onHand(cup), await onHand(tea)], [16, 7.5])
  await fitsAll(t, page)
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('a file of kits is checked before their components are there, and imported', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  const choose = (...lines: readonly string[]) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'sets.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['title,type,sku,component_sku,component_quantity', ...lines].join('\n')),
    })
  const press = (name: RegExp) => page.getByRole('button', { name }).click()
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const goods = ['Cup,,CUP,,', 'Tea,,TEA,,']
  await choose(...goods, 'Set,KIT,SET,CUP,2', ',,SET,TEA,0.5', 'Lid,KIT,LID,NONE,1')
  await press(/^Check all lines/)
  await said('5 of 5 lines: 4 can be made, 1 refused.')
  await page.getByRole('row', { name: /^6 component_sku is the sku of no unarchived variant/ }).waitFor()
  await fitsAll(t, page)
  await press(/^Import 5 lines/)
  await said('5 of 5 lines: 4 made, 1 refused.')
  const [set, ...others] = (await shop.get('/products?type=KIT')).body.data
  t.deepEqual(others, [])
  t.like(set.variants[0], {
    sku: 'SET',
    components: [
      { sku: 'CUP', quantity: 2 },
      { sku: 'TEA', quantity: 0.5 },
    ],
  })
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})
