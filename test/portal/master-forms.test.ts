/** Every form of master data in the portal, in a real browser: the service keeps what people make and change there. */

import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** The steps of a person in the open form. */
const handsOn = (page: Page) => {
  const form = page.getByRole('dialog').last()
  return {
    form,
    press: (name: string) => page.getByRole('button', { name, exact: true }).first().click(),
    fill: (label: string | RegExp, text: string) => form.getByLabel(label).first().fill(text),
    choose: async (label: string, q: string, option: RegExp) => {
      await form.getByLabel(label).first().fill(q)
      await page.getByRole('option', { name: option }).click()
    },
    send: (name: string) => form.getByRole('button', { name, exact: true }).last().click(),
    said: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  }
}

test('products and variants are made, changed and archived, and a refusal stands at its field', async t => {
  const { shop } = await bakery(service)
  const visit = await signedIn(browser, service, shop.token, '/stock')
  const { page } = visit
  const { form, press, fill, send, said } = handsOn(page)

  await press('New product')
  await send('Create')
  await form.getByText('is needed').waitFor()
  await fill(/^Name/, `Jam ${HOSTILE}`)
  const isMade = form.getByLabel('It is made')
  await fill('Category', 'Spreads')
  await form.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Material' }).click()
  await isMade.and(page.locator(':not(:checked)')).waitFor()
  await form.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Product' }).click()
  await isMade.and(page.locator(':checked')).waitFor()
  await fill(/^Unit/, 'jar')
  await fill('Shelf life', '365')
  await form.getByLabel('Its stock is kept by batch').check()
  await isMade.uncheck()
  await press('Add to metadata')
  await fill('Metadata, name 1', 'colour')
  await fill('Metadata, text 1', 'red')
  await press('Add a variant')
  const [first, second] = [0, 1].map(index => form.getByRole('group', { name: `Variant ${index + 1}` }))
  if (!first || !second) throw new Error('two variants')
  await first.getByLabel('Name of the variant').fill('Small')
  await first.getByLabel('SKU').fill('JAM-S')
  await first.getByLabel('Price', { exact: true }).fill('3.999999')
  await first.getByLabel('Minimum order').fill('0')
  await second.getByLabel('SKU').fill('FLOUR')
  t.deepEqual(await seriousFaults(page), [])
  await send('Create')
  await form.getByText('must be greater than 0').waitFor()
  await first.getByLabel('Minimum order').fill('12')
  await send('Create')
  await second.getByText(/FLOUR/).first().waitFor()
  await second.getByLabel('SKU').fill('JAM-L')
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  await page.getByRole('heading', { name: /^Jam/ }).waitFor()
  const path = `/products/${page.url().split('/').at(-1)}`
  const product = async () => (await shop.get(path)).body
  t.like(await product(), {
    category: 'Spreads',
    unit_name: 'jar',
    shelf_life_days: 365,
    batch_tracked: true,
    is_producible: false,
    metadata: { colour: 'red' },
  })
  t.like((await product()).variants[0], { title: 'Small', sku: 'JAM-S', price: 3.999999, minimum_order_quantity: 12 })

  // If two people change it at the same time, the second one sees the change of the first.
  await press('Edit')
  await fill('Category', '')
  await press('Metadata: remove colour')
  await shop.patch(path, { description: 'Sweet' })
  await send('Save')
  await form.getByText('description: empty → Sweet').waitFor()
  await form.getByRole('button', { name: 'Apply again' }).click()
  await said('is saved')
  t.like(await product(), { category: null, description: 'Sweet', metadata: {} })

  await press('Add a variant')
  await fill('SKU', 'JAM-S')
  await send('Add')
  await form.getByText(/JAM-S/).first().waitFor()
  await fill('SKU', 'JAM-M')
  await form.getByRole('button', { name: 'Try again' }).click()
  await said('The variant is added')
  t.is((await product()).variants.length, 3)

  await page.getByRole('link', { name: 'Small' }).click()
  await page.getByRole('heading', { name: /Small$/ }).waitFor()
  await press('Edit')
  await fill('Purchase price', '1.5')
  await fill('Lead time', '4')
  await fill('Minimum order', '')
  await press('Add to attributes')
  await fill('Attributes, name 1', 'size')
  await fill('Attributes, text 1', HOSTILE)
  await send('Save')
  await said('Small is saved')
  await press('Archive')
  await send('Archive')
  await said('Small is archived')
  t.like((await product()).variants[0], {
    purchase_price: 1.5,
    lead_time_days: 4,
    minimum_order_quantity: null,
    attributes: { size: HOSTILE },
    archived: true,
  })
  await press('Use again')
  await send('Use again')
  await said('Small is in use again')
  await page.locator('dd a').first().click()
  await press('Archive')
  await send('Archive')
  await page.getByText('Archived', { exact: true }).first().waitFor()
  t.true((await product()).archived)
  // The list of archived products shows it, and it is brought back into use.
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByRole('combobox', { name: 'In use' }).click()
  await page.getByRole('option', { name: 'Archived' }).click()
  await page.getByText('1 in all').waitFor()
  await page.getByRole('link', { name: /^Jam/ }).click()
  await press('Use again')
  await send('Use again')
  await said(/^Jam.*is in use again/)
  t.false((await product()).archived)
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|412)/ })
})

test('places, customers and suppliers are made, changed and archived, with their addresses', async t => {
  const { shop } = await bakery(service)
  const visit = await signedIn(browser, service, shop.token, '/storage-places')
  const { page } = visit
  const { form, press, fill, send, said } = handsOn(page)
  const idOf = () => page.url().split('/').at(-1)

  await press('New storage place')
  await fill(/^Name/, `Cellar ${HOSTILE}`)
  await fill('Code', 'C')
  await form.getByLabel('Manufacturing orders may use it').uncheck()
  await fill('Town', 'Ghent')
  t.deepEqual(await seriousFaults(page), [])
  await send('Create')
  await page.getByRole('heading', { name: /^Cellar/ }).waitFor()
  await said('Nothing was ever there')
  await press('Edit')
  await fill('Town', '')
  await form.getByLabel('Receipts may go there').uncheck()
  await send('Save')
  await said(/is saved/)
  const place = `/storage-places/${idOf()}`
  t.like((await shop.get(place)).body, {
    code: 'C',
    purchase_allowed: false,
    manufacturing_allowed: false,
    address: null,
  })
  await press('Archive')
  await send('Archive')
  await said(/is archived/)
  t.true((await shop.get(place)).body.archived)
  await page.goto(`${service.url}/portal/storage-places?archived=in_use`)
  await page.getByRole('link', { name: /^Mill/ }).click()
  t.true(await page.getByRole('button', { name: 'Archive' }).isDisabled())

  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await press('New customer')
  await fill(/^Name/, `Café ${HOSTILE}`)
  await fill(/^Currency/, 'eur')
  await form.getByRole('group', { name: 'Ship to' }).getByLabel('Address line 1').fill('Mill Lane 1')
  const country = form.getByRole('group', { name: 'Ship to' }).getByLabel(/^Country/)
  await country.fill('b1')
  t.deepEqual(await seriousFaults(page), [])
  await send('Create')
  await country.and(page.locator('[aria-invalid=true]')).waitFor()
  await country.fill('be')
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  await page.getByRole('heading', { name: /^Café/ }).waitFor()
  const customer = `/customers/${idOf()}`
  t.like((await shop.get(customer)).body, {
    currency: 'EUR',
    shipping_address: { line_1: 'Mill Lane 1', country_code: 'BE' },
    billing_address: null,
  })
  await said('It has ordered nothing yet')
  await press('Edit')
  await fill('E-mail', 'cafe@example.com')
  await form.getByRole('group', { name: 'Ship to' }).getByLabel('Address line 1').fill('')
  await form
    .getByRole('group', { name: 'Ship to' })
    .getByLabel(/^Country/)
    .fill('')
  await send('Save')
  await said(/is saved/)
  t.like((await shop.get(customer)).body, { email: 'cafe@example.com', shipping_address: null })
  await press('Archive')
  await send('Archive')
  await said(/is archived/)
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await page.getByLabel('Name or e-mail').fill('cafe@')
  await page.getByLabel('Name or e-mail').press('Enter')
  await page.getByRole('row', { name: /^Café.*Archived/ }).waitFor()
  t.is(await page.getByRole('row', { name: /^Inn/ }).count(), 0)

  await page.getByRole('link', { name: 'Suppliers', exact: true }).click()
  await press('New supplier')
  await fill(/^Name/, 'Orchard')
  await form.getByRole('group', { name: 'Address' }).getByLabel('Town').fill('Bruges')
  await send('Create')
  await page.getByRole('heading', { name: 'Orchard' }).waitFor()
  await press('Edit')
  await fill('Phone', '+32 9 1')
  await send('Save')
  await said('Orchard is saved')
  t.like((await shop.get(`/suppliers/${idOf()}`)).body, { phone: '+32 9 1', address: { city: 'Bruges' } })
  await press('Archive')
  await send('Archive')
  await said('Orchard is archived')
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('a recipe is costed while it is typed, exactly, and its operations are made beside it', async t => {
  const { shop, flourId, breadId, breadItemId } = await bakery(service)
  await shop.patch(`/products/${(await shop.get('/products?sku=FLOUR')).body.data[0].id}`, { purchase_price: 0.1 })
  const visit = await signedIn(browser, service, shop.token, `/stock/${breadItemId}/${breadId}`)
  const { page } = visit
  const { form, press, choose, send, said } = handsOn(page)

  await press('New recipe')
  await choose('Material', 'flour', /^Flour/)
  await form.getByLabel('Quantity').fill('3')
  const cost = form.getByRole('status')
  // Floats would give 0.30000000000000004.
  await form.getByLabel('Quantity, pcs').waitFor()
  await cost.getByText('€0.30', { exact: true }).waitFor()
  await press('New operation')
  const inner = page.getByRole('dialog', { name: 'New operation' })
  await inner.getByLabel(/^Name/).fill('Kneading')
  await inner.getByLabel(/^Cost per hour/).fill('20.05')
  await inner.getByRole('button', { name: 'Create' }).click()
  await said('Kneading is made')
  await form.getByLabel('Hours').fill('0.1')
  await cost.getByText('€2.305', { exact: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByLabel('Per hour').fill('30')
  await cost.getByText('€3.30', { exact: true }).waitFor()
  await send('Create')
  await page.getByRole('heading', { name: /^Bread/ }).waitFor()
  await page.getByText('Newest', { exact: true }).waitFor()
  await page.getByRole('main').getByText('1 pcs', { exact: true }).waitFor()
  const recipe = async () => (await shop.get(`/recipes/${page.url().split('/').at(-1)}`)).body
  t.like(await recipe(), { item_variant_id: breadId })
  t.like((await recipe()).operations[0], { operation_title: 'Kneading', duration: 0.1, cost_per_hour: 30 })

  await press('Edit')
  await press('Add a material')
  await send('Save')
  await form.getByText('choose a material').waitFor()
  await press('Remove material 2')
  await form.getByLabel('Quantity').fill('4')
  await send('Save')
  await said(/^The recipe of .* is saved/)
  t.like((await recipe()).materials[0], { item_variant_id: flourId, quantity: 4 })
  t.like((await recipe()).operations[0], { cost_per_hour: 30 })

  // A variant cannot contain itself: the refusal is shown at the material.
  await press('Edit')
  await press('Add a material')
  await form
    .getByRole('combobox', { name: /^Material/ })
    .nth(1)
    .fill('bread')
  await page.getByRole('option', { name: /^Bread/ }).click()
  await send('Save')
  await form.getByRole('alert').getByText(/req_/).waitFor()
  await send('Back')
  await send('Discard')

  await page.getByRole('link', { name: 'Recipes', exact: true }).click()
  await page.getByText('4 pcs × Flour').waitFor()
  await press('New recipe')
  await choose('Makes', 'bread', /^Bread/)
  await form.getByLabel('It is for every variant').check()
  await choose('Material', 'flour', /^Flour/)
  await send('Create')
  await page.getByRole('heading', { name: /every variant$/ }).waitFor()
  t.like(await recipe(), { item_id: breadItemId, item_variant_id: null })
  await page.getByRole('link', { name: 'Recipes', exact: true }).click()
  await page.getByRole('link', { name: 'Operations' }).click()
  await page.getByRole('link', { name: 'Kneading' }).click()
  await press('Edit')
  await form.getByLabel(/^Cost per hour/).fill('21')
  await send('Save')
  await said('Kneading is saved')
  t.is((await shop.get('/operations')).body.data.at(-1).cost_per_hour, 21)
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('lists and steps say what comes first, and what a key may not do is closed', async t => {
  const shop = await service.tenant()
  const { token } = await service.key(shop.tenantId, {
    scopes: ['read:catalog', 'read:stock', 'read:sales', 'read:purchase', 'read:manufacturing'],
  })
  const visit = await signedIn(browser, service, token, '/')
  const { page } = visit
  await page.getByRole('region', { name: 'First steps' }).waitFor()
  t.true(await page.getByRole('button', { name: 'New storage place' }).isDisabled())
  for (const [path, words] of [
    ['/stock', 'There are no products yet'],
    ['/products', 'There are no products yet'],
    ['/storage-places', 'There are no storage places yet'],
    ['/customers', 'There are no customers yet'],
    ['/suppliers', 'There are no suppliers yet'],
    ['/recipes', 'There are no recipes yet'],
    ['/operations', 'There are no operations yet'],
  ] as const) {
    await page.goto(`${service.url}/portal${path}`)
    await page.getByText(words).waitFor()
    t.deepEqual(await seriousFaults(page), [], path)
    t.true(await page.getByRole('button', { name: /^New / }).isDisabled(), path)
  }
  await keptToItself(t, visit, { service, token })
})
