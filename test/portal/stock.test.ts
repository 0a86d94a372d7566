/** The screens of stock and planning in a real browser: finding, looking, adjusting, transferring, and ordering what is short. */

import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('stock is found by whatever names it, counted once, not counted over what changed meanwhile, and moved', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/stock')
  const { page } = visit
  await page.getByText('There are no products yet').waitFor()
  await page.getByText('Live').waitFor()

  const { body: hall } = await shop.post('/storage-places', { title: `Hall ${HOSTILE}` })
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const { body: oak } = await shop.post('/products', {
    title: `Oak ${HOSTILE}`,
    type: 'MATERIAL',
    batch_tracked: true,
    variants: [
      { title: 'Plank', sku: 'OAK-1', barcode: '4012345678901', purchase_price: 3, minimum_stock: 500 },
      { title: 'Beam', sku: 'OAK-2' },
    ],
  })
  const [plank] = oak.variants
  const { body: chair } = await shop.post('/products', { title: 'Chair', sku: 'CHAIR', price: 80 })
  await shop.post('/recipes', {
    item_variant_id: chair.variants[0].id,
    materials: [{ item_variant_id: plank.id, quantity: 2.5 }],
  })
  await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: plank.id, quantity: 10, unit_cost: 2, batch_number: 'B-7', expiry_date: '2031-05-01' },
      { item_variant_id: plank.id, quantity: 0.5, batch_number: 'B-8' },
    ],
  })
  const { body: order } = await shop.post('/manufacturing-orders', {
    item_variant_id: chair.variants[0].id,
    quantity: 2,
  })
  const { body: purchase } = await shop.post('/purchase-orders', {
    supplier: { title: 'Mill' },
    items: [{ item_variant_id: plank.id, quantity: 40 }],
  })

  const search = page.getByLabel('Name, SKU, barcode or batch')
  const find = async (q: string) => {
    await search.fill(q)
    await search.press('Enter')
  }
  const row = page.getByRole('row', { name: /Plank/ })
  await page.reload()
  await row.getByRole('cell', { name: /^Hall/ }).waitFor()
  t.regex((await row.textContent()) ?? '', /OAK-1.*Hall.*10\.5 pcs0 pcs0 pcs5 pcs40 pcs5\.5 pcs$/)
  await find('nothing like it')
  await page.getByText('Nothing has this in its name').waitFor()
  await find('678901')
  await row.waitFor()
  t.is(await page.getByRole('row', { name: /Beam|Chair/ }).count(), 0)
  await find('B-7')
  await row.getByText('Batch B-7').waitFor()
  t.regex(page.url(), /q=B-7$/)
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: 'By place and batch' }).click()
  await page.getByLabel('Batch number').fill('B-8')
  await page.getByLabel('Batch number').press('Enter')
  await page.getByText('1 in all').waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await page.getByRole('link', { name: /Plank/ }).click()
  await page.getByRole('heading', { name: `Oak ${HOSTILE} – Plank` }).waitFor()
  await page.getByRole('img', { name: /^On hand: a plot of/ }).waitFor()
  const demand = page.getByRole('table', { name: 'Open demand' })
  t.is(
    await demand.getByRole('link', { name: order.number }).getAttribute('href'),
    `/portal/manufacturing-orders/${order.id}`,
  )
  t.is(
    await page
      .getByRole('table', { name: 'Open supply' })
      .getByRole('link', { name: purchase.number })
      .getAttribute('href'),
    `/portal/purchase-orders/${purchase.id}`,
  )
  t.regex(
    (await page.getByRole('table', { name: 'Batches' }).getByRole('link').first().getAttribute('href')) ?? '',
    /^\/portal\/trace\/\d+$/,
  )
  t.deepEqual(await seriousFaults(page), [])

  // A count of the shown stock is booked once.
  const form = page.getByRole('dialog')
  const stock = async () => (await shop.get(`/stock?item_variant_id=${plank.id}`)).body.data
  const ofBatch = async (number: string) =>
    (await stock()).filter((entry: { batch_number: string }) => entry.batch_number === number)
  const openCount = async (counted: string) => {
    await page.getByRole('button', { name: 'Adjust stock' }).click()
    await form.getByRole('combobox', { name: 'Batch', exact: true }).click()
    await page.getByRole('option', { name: /^B-7/ }).click()
    await form.getByText(/^On hand as you opened this: 1\d/).waitFor()
    await form.getByLabel(/^Counted/).fill(counted)
  }
  await openCount('12.000001')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Adjust', exact: true }).dblclick()
  await page.getByText('Adjusted with SA-00002').first().waitFor()
  await form.waitFor({ state: 'hidden' })
  t.is((await ofBatch('B-7'))[0].quantity, 12.000001)
  t.is((await shop.get('/stock-adjustments')).body.data.length, 2)
  await page.getByRole('table', { name: 'Movements' }).getByText('+2.000001').waitFor()

  // A count that was opened before another movement does not match the current stock.
  await openCount('9')
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: plank.id, quantity: -1, batch_number: 'B-7' }] })
  await form.getByRole('button', { name: 'Adjust', exact: true }).click()
  await form.getByText(/req_/).waitFor()
  t.is((await ofBatch('B-7'))[0].quantity, 11.000001)
  await form.getByRole('button', { name: 'Back' }).click()
  await form.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Transfer' }).click()
  await form.getByRole('combobox', { name: 'To', exact: true }).click()
  await page.getByRole('option', { name: 'Yard' }).click()
  await form.getByLabel(/^Quantity/).fill('0.25')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Transfer', exact: true }).click()
  await page.getByText('Transferred with ST-00001').first().waitFor()
  const there = (await stock()).filter(
    (entry: { storage_place_id: string; quantity: number }) => entry.storage_place_id === yard.id && entry.quantity > 0,
  )
  t.deepEqual(
    there.map(({ batch_number, quantity }: { batch_number: string; quantity: number }) => [batch_number, quantity]),
    [['B-7', 0.25]],
  )
  t.is((await shop.get(`/availability?storage_place_id=${hall.id}`)).body.data[0].quantity, 11.250001)

  await page.getByRole('definition').getByRole('link').first().click()
  await page.getByRole('table', { name: 'Variants' }).getByRole('cell', { name: '11.500001 pcs' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 409/ })
})

test('what is short names its orders, and what making needs is told, made and bought', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const variant = async (body: object) => (await shop.post('/products', body)).body.variants[0].id as string
  const oak = await variant({ title: 'Oak', sku: 'OAK', type: 'MATERIAL', purchase_price: 3.1 })
  const screw = await variant({ title: `Screw ${HOSTILE}`, sku: 'SCREW', type: 'MATERIAL', minimum_stock: 9_000 })
  const seat = await variant({ title: 'Seat', sku: 'SEAT' })
  const chair = await variant({ title: 'Chair', sku: 'CHAIR', price: 80 })
  await shop.post('/recipes', { item_variant_id: seat, materials: [{ item_variant_id: oak, quantity: 1.5 }] })
  await shop.post('/recipes', {
    item_variant_id: chair,
    materials: [
      { item_variant_id: seat, quantity: 1 },
      { item_variant_id: screw, quantity: 8 },
    ],
  })
  await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: oak, quantity: 30, unit_cost: 2.5 },
      { item_variant_id: screw, quantity: 5_000, unit_cost: 0.01 },
    ],
  })
  const { body: mill } = await shop.post('/suppliers', { title: 'Mill' })
  await shop.post('/supplier-items', {
    ...{ supplier_id: mill.id, item_variant_id: oak, is_preferred: true },
    ...{ purchase_unit_name: 'bundle', conversion_rate: 9 },
  })
  const { body: sale } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: chair, quantity: 3 }],
  })

  const visit = await signedIn(browser, service, shop.token, '/planner')
  const { page } = visit
  const row = page.getByRole('row', { name: /Chair/ })
  const entry = row.getByRole('link', { name: sale.number })
  t.is(await entry.getAttribute('href'), `/portal/sales-orders/${sale.id}`)
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('combobox', { name: 'Short is what is' }).click()
  await page.getByRole('option', { name: 'below minimum' }).click()
  await page.getByRole('row', { name: /Screw/ }).getByText('4,000').waitFor()
  t.regex(page.url(), /below=minimum$/)

  await page.getByRole('link', { name: 'Can we make it?' }).click()
  await page.getByLabel('What', { exact: true }).fill('cha')
  await page.getByRole('option', { name: /^Chair/ }).click()
  await page.getByLabel('How many').fill('none')
  await page.getByLabel('How many').press('Enter')
  await page.getByText('a number like 1.5').waitFor()
  await page.getByLabel('How many').fill('50')
  await page.getByLabel('How many').press('Enter')
  await page.getByText('Not yet: 20 of 50 pcs can be made from what is there').waitFor()
  const table = page.getByRole('table', { name: 'What it would take' })
  const cells = async (name: RegExp) =>
    (await table.getByRole('row', { name }).getByRole('cell').allTextContents()).slice(1)
  await table.getByRole('link', { name: 'Mill' }).waitFor()
  await table.getByText('75 pcs').waitFor()
  t.deepEqual(await cells(/Oak.*45 pcs/), ['2', '75 pcs', '30 pcs', '45 pcs', 'Buy', 'Mill', '€2.50', '€112.50'])
  t.deepEqual(await cells(/Seat.*50 pcs/), ['1', '50 pcs', '0 pcs', '50 pcs', 'Make', '–', '–', '–'])
  t.deepEqual(await cells(/Screw.*400 pcs/), ['1', '400 pcs', '5,000 pcs', '0 pcs', 'In stock', '–', '–', '–'])
  t.deepEqual(await seriousFaults(page), [])

  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New purchase order' }).click()
  await form.getByLabel('Supplier').fill('mi')
  await page.getByRole('option', { name: 'Mill' }).click()
  t.is(await form.getByLabel('Product').inputValue(), 'Oak')
  // The planner's quantity is in stock units and stays so. The supplier's unit is offered.
  const unit = form.getByRole('combobox', { name: 'Counted in' })
  await unit.waitFor()
  t.deepEqual([await form.getByLabel('Quantity').inputValue(), await unit.inputValue()], ['45', 'stock units'])
  await form.getByLabel('Price').fill('3.123456')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.waitForURL(/\/portal\/purchase-orders\/\d+$/)
  const { body: purchases } = await shop.get('/purchase-orders')
  t.deepEqual(
    purchases.data.map(({ items }: { items: { quantity: number; price: number }[] }) =>
      items.map(({ quantity, price }) => [quantity, price]),
    ),
    [[[45, 3.123456]]],
  )

  await page.goBack()
  await page.getByRole('button', { name: 'New manufacturing order' }).click()
  await form.getByLabel('Quantity').fill('20')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/portal\/manufacturing-orders\/\d+$/)
  const { body: orders } = await shop.get('/manufacturing-orders')
  t.deepEqual(
    orders.data.map(({ item_variant, quantity }: { item_variant: { id: string }; quantity: number }) => [
      item_variant.id,
      quantity,
    ]),
    [[chair, 20]],
  )

  // The recipe with the stock of its materials, and an order that takes goods which are not short.
  const product = (await shop.get('/products?sku=SCREW')).body.data[0].id
  const { page: screws } = visit
  await screws.goto(`${service.url}/portal/stock/${product}/${screw}`)
  await screws.getByRole('table', { name: 'Open demand' }).getByText('160').waitFor()
  for (const [scheme, width] of [
    ['light', 390],
    ['dark', 390],
    ['dark', 1400],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    for (const path of [
      '/stock',
      `/stock/${product}/${screw}`,
      '/planner?below=minimum',
      `/planner/requirements?item_variant_id=${chair}&quantity=50`,
      '/planner/replenishment',
    ]) {
      await page.goto(`${service.url}/portal${path}`)
      await page.getByText(/Screw/).first().waitFor()
      t.deepEqual(await seriousFaults(page), [], `${path} ${scheme} ${width}`)
      t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${path} ${width}`)
    }
  }

  // Everything that is missing is ordered and made in one step.
  const proposals = page.getByRole('table', { name: 'Proposals' })
  const proposed = async (name: RegExp) =>
    (await proposals.getByRole('row', { name }).getByRole('cell').allTextContents()).slice(2)
  await proposals.getByText('20 pcs').first().waitFor()
  t.deepEqual(await proposed(/Seat.*20 pcs/), ['Make', '–', '-20 pcs', '0 pcs', '20 pcs', '20 pcs', '–', '–'])
  t.deepEqual(await proposed(/Screw.*4,160 pcs/), [
    'Buy',
    '–',
    '4,840 pcs',
    '0 pcs',
    '4,160 pcs',
    '4,160 pcs',
    '–',
    '€41.60',
  ])
  await page.getByRole('button', { name: 'Order and make' }).click()
  await form.getByLabel('Supplier').fill('mi')
  await page.getByRole('option', { name: 'Mill' }).click()
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText(/20 pcs × Seat are to be made/).waitFor()
  await form.getByText(/to Mill: 1 line/).waitFor()
  t.is((await shop.get('/manufacturing-orders')).body.data.length, 1)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Order and make' }).dblclick()
  await page.getByText('Nothing is short').waitFor()
  const made = (await shop.get('/manufacturing-orders?order=desc&limit=1')).body.data[0]
  t.deepEqual([made.item_variant.id, made.quantity], [seat, 20])
  const bought = (await shop.get('/purchase-orders?order=desc&limit=1')).body.data[0]
  t.deepEqual([bought.supplier.title, bought.items[0].item_variant_id, bought.items[0].quantity], ['Mill', screw, 4160])
  await page.goto(`${service.url}/portal/stock/${product}/${screw}`)
  await page.getByRole('table', { name: 'What changes it' }).getByText('+4,160').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a key that reads stock alone finds it by sku, and sees what is closed to it', async t => {
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: 'Oak', sku: 'OAK' })
  const item_variant_id = product.variants[0].id
  await shop.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 3 }] })
  const { token } = await service.key(shop.tenantId, { scopes: ['read:stock'] })
  const visit = await signedIn(browser, service, token, '/stock?q=OAK')
  await visit.page.getByRole('row', { name: /Oak/ }).getByRole('cell', { name: 'No place' }).waitFor()
  t.deepEqual(await seriousFaults(visit.page), [])
  await visit.page.getByRole('link', { name: 'Oak' }).click()
  await visit.page.getByText('it lacks the scope read:catalog').waitFor()
  await keptToItself(t, visit, { service, token })

  const { token: looking } = await service.key(shop.tenantId, { scopes: ['read:stock', 'read:catalog'] })
  const look = await signedIn(browser, service, looking, `/stock/${product.id}/${item_variant_id}`)
  t.true(await look.page.getByRole('button', { name: 'Adjust stock' }).isDisabled())
  await look.page.getByRole('note').getByText('read:manufacturing').waitFor()
  t.is(await look.page.getByRole('region', { name: 'Recipe' }).count(), 0)
  await keptToItself(t, look, { service, token: looking })
})
