/** Buying by the box in the portal, in a real browser: from the supplier's item to the order, its receipt and the freight. */

import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('goods are ordered and received by the box of their supplier, and bear their freight', async t => {
  const shop = await service.tenant()
  const { body: place } = await shop.post('/storage-places', { title: 'Yard' })
  const { body: jar } = await shop.post('/products', { title: 'Jar', sku: 'JAR', purchase_price: 1 })
  await shop.post('/products', { title: 'Lid', sku: 'LID', purchase_price: 0.1 })
  const { body: farm } = await shop.post('/suppliers', { title: `Farm ${HOSTILE}` })
  const { body: mill } = await shop.post('/suppliers', { title: 'Mill' })
  const jarId = jar.variants[0].id
  await shop.post('/supplier-items', { supplier_id: mill.id, item_variant_id: jarId, is_preferred: true })

  const visit = await signedIn(browser, service, shop.token, `/stock/${jar.id}/${jarId}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  const pick = async (label: string, text: string, index = 0) => {
    await form.getByRole('combobox', { name: label, exact: true }).nth(index).fill(text)
    await page.getByRole('option', { name: new RegExp(`^${text}`) }).click()
  }
  const unit = form.getByRole('combobox', { name: 'Counted in' })

  // The page of the variant sets how the farm sells jars. The page of the farm then changes it and makes it the preferred item.
  const sold = page.getByRole('table', { name: 'Suppliers' })
  await sold.getByRole('row', { name: /^Mill Preferred/ }).waitFor()
  await page.getByRole('button', { name: 'Add a supplier' }).click()
  await button('Add').click()
  await form.getByText('choose a supplier').waitFor()
  await pick('Supplier', 'Farm')
  await form.getByLabel('Purchase unit', { exact: true }).fill('box of 12')
  await form.getByLabel('Stock units in one').fill('0')
  await form.getByLabel('Price of one').fill('9.50')
  await button('Add').click()
  await form.getByText('must be greater than 0').waitFor()
  await form.getByLabel('Stock units in one').fill('12')
  t.deepEqual(await seriousFaults(page), [])
  await button('Add').dblclick()
  await form.waitFor({ state: 'detached' })
  // The item's price is in the tenant's currency unless the person types another one.
  await sold.getByRole('row', { name: /^Farm.*box of 12: 12.*€9\.50/ }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await sold.getByRole('link', { name: /^Farm/ }).click()
  await page.getByRole('heading', { name: /^Farm/ }).waitFor()
  const sells = page.getByRole('table', { name: 'What it sells' })
  await sells.getByRole('link', { name: 'Jar' }).waitFor()
  await sells.getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Price of one').fill('10')
  await form.getByLabel('Currency of the price').fill('eur')
  await form.getByLabel('Lead time').fill('4000')
  await button('Save').click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Lead time').fill('3')
  await button('Try again').click()
  await form.waitFor({ state: 'detached' })
  await sells.getByText('€10.00').waitFor()
  await sells.getByRole('button', { name: 'Prefer' }).click()
  await button('Prefer').click()
  await sells.getByText('Preferred').waitFor()
  await form.waitFor({ state: 'detached' })
  t.deepEqual(await seriousFaults(page), [])
  const items = (await shop.get(`/supplier-items?item_variant_id=${jarId}`)).body.data
  t.is(items.length, 2)
  t.like(items[0], { supplier_id: mill.id, is_preferred: false })
  t.like(items[1], {
    ...{ supplier_id: farm.id, purchase_unit_name: 'box of 12', conversion_rate: 12, price: 10, currency: 'EUR' },
    ...{ lead_time_days: 3, is_preferred: true, minimum_quantity: null, archived: false },
  })
  // The planner offers the preferred supplier.
  await shop.patch(`/products/${jar.id}`, { variants: [{ id: jarId, minimum_stock: 5 }] })
  await page.goto(`${service.url}/portal/planner/replenishment`)
  await page.getByRole('table', { name: 'Proposals' }).getByRole('link', { name: /^Farm/ }).waitFor()

  await page.goto(`${service.url}/portal/purchase-orders`)
  await page.getByRole('button', { name: 'New purchase order' }).click()
  await pick('Supplier', 'Farm')
  await pick('Product', 'Jar')
  await form.getByText(/^12 pcs, usually €10\.00 for one box of 12$/).waitFor()
  await form.getByLabel('Quantity').fill('2')
  await form.getByText(/^24 pcs, usually €10\.00/).waitFor()
  // The same quantity in the other unit, and back.
  await unit.click()
  await page.getByRole('option', { name: 'pcs' }).click()
  t.is(await form.getByLabel('Quantity').inputValue(), '24')
  t.is(await form.getByText(/usually/).count(), 0)
  await unit.click()
  await page.getByRole('option', { name: 'box of 12' }).click()
  t.is(await form.getByLabel('Quantity').inputValue(), '2')
  t.deepEqual(await seriousFaults(page), [])
  // Goods for which the supplier has no unit stay in stock units.
  await form.getByRole('button', { name: 'Add a line' }).click()
  await pick('Product', 'Lid', 1)
  await form.getByLabel('Quantity').nth(1).fill('30')
  t.is(await unit.count(), 1)
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  const [order] = (await shop.get('/purchase-orders')).body.data
  const lines = (of: typeof order) =>
    of.items.map((line: typeof order) => [
      line.sku,
      line.purchase_quantity,
      line.purchase_unit_name,
      line.quantity,
      line.purchase_price,
      line.line_amount,
    ])
  t.deepEqual(lines(order), [
    ['JAR', 2, 'box of 12', 24, 10, 20],
    ['LID', null, null, 30, null, 3],
  ])

  await page.getByRole('cell', { name: '2 × box of 12 at €10.00' }).waitFor()
  await page.getByRole('link', { name: /^Farm/ }).click()
  await page.getByRole('table', { name: 'Open purchase orders' }).getByRole('link', { name: 'PO-00001' }).click()
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  const jars = form.getByRole('group', { name: 'Jar, 24 pcs left: 2 × box of 12' })
  t.is(await jars.getByLabel('Quantity').inputValue(), '2')
  t.is(await unit.count(), 1)
  t.deepEqual(await seriousFaults(page), [])
  await jars.getByLabel('Quantity').fill('3')
  await form.getByRole('group', { name: 'Lid, 30 pcs left' }).getByLabel('Quantity').fill('')
  await button('Receive').click()
  await jars.getByText('at most 2').waitFor()
  await jars.getByLabel('Quantity').fill('1')
  await button('What will happen?').click()
  await form.getByText('12 pcs × Jar').waitFor()
  await button('Receive').dblclick()
  await page.getByText('Received with PR-00001').first().waitFor()
  await form.waitFor({ state: 'detached' })
  const received = async () => (await shop.get(`/purchase-orders/${order.id}/receipts`)).body.data
  const [receipt] = await received()
  t.is(receipt.storage_place_id, place.id)
  t.deepEqual(
    receipt.items.map((line: typeof order) => [line.purchase_quantity, line.quantity, line.line_amount]),
    [[1, 12, 10]],
  )

  // The freight is added after a third of the jars is gone: what is booked is what the dry run showed.
  await shop.post('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: jarId, quantity: -4 }],
  })
  await page.getByRole('button', { name: 'Book a cost on PR-00001' }).click()
  await button('Book').click()
  await form.getByText('say what it is').waitFor()
  await form.getByLabel('What').fill(`Freight ${HOSTILE}`)
  await form.getByLabel('Amount').fill('5.00')
  await form.getByLabel('Currency').fill('usd')
  await form.getByLabel('Exchange rate').fill('0.9')
  await form.getByRole('combobox', { name: 'Spread' }).click()
  await page.getByRole('option', { name: 'by quantity' }).click()
  await button('What will happen?').click()
  await form.getByText('Of €4.50, €3.00 go into the value of the stock at Yard and €1.50 are expensed.').waitFor()
  await form
    .getByText('Jar, JAR bears €4.50: €3.00 go into the stock, €1.50 are expensed with the goods that are gone')
    .waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is((await shop.get('/landed-costs')).body.data.length, 0)
  await button('Book').dblclick()
  await page.getByText('Booked as LC-00001').waitFor()
  await form.waitFor({ state: 'detached' })
  const { data: booked } = (await shop.get('/landed-costs')).body
  t.is(booked.length, 1)
  t.like(booked[0], {
    purchase_receipt_id: receipt.id,
    storage_place_id: place.id,
    currency: 'USD',
    exchange_rate: 0.9,
    total_amount: 4.5,
    stock_amount: 3,
    expensed_amount: 1.5,
  })
  t.like(booked[0].items[0], { title: `Freight ${HOSTILE}`, amount: 5, distribution: 'QUANTITY' })
  const { body: worth } = await shop.get(`/stock?item_variant_id=${jarId}&storage_place_id=${place.id}`)
  // 8 jars at 10 / 12 each and 3 of freight: 9.6667.
  t.is(worth.data[0].stock_value, 9.6667)
  const receipts = page.getByRole('table', { name: 'Receipts' })
  await receipts.getByRole('link', { name: 'LC-00001' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  // A part of a box that has no exact number of six decimals is received in pieces.
  await shop.post(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: place.id,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 5 }],
  })
  await page.reload()
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  const rest = form.getByRole('group', { name: 'Jar, 7 pcs left', exact: true })
  t.is(await rest.getByLabel('Quantity').inputValue(), '7')
  await button('Receive').click()
  await page.getByText('Done', { exact: true }).first().waitFor()
  t.is((await received()).length, 3)
  t.like((await shop.get(`/purchase-orders/${order.id}`)).body, { delivery_status: 'RECEIVED' })
  // The form does not offer the unit of an archived item.
  await page.goto(`${service.url}/portal/suppliers/${farm.id}`)
  await sells.getByRole('button', { name: 'Archive' }).click()
  await button('Archive').click()
  await sells.getByText('Archived').waitFor()
  await sells.getByRole('button', { name: 'Use again' }).waitFor()
  t.true((await shop.get(`/supplier-items/${items[1].id}`)).body.archived)
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|409)/ })
})

test('another supplier, another unit: what was typed stays as many goods', async t => {
  const shop = await service.tenant()
  const { body: jar } = await shop.post('/products', { title: 'Jar', sku: 'JAR', purchase_price: 1 })
  const itemIds: string[] = []
  for (const [title, rate, price, currency] of [
    ['Farm', 12, 12.5, null],
    ['Mill', 24, 20, null],
    ['Glass', 6, 9, 'USD'],
  ] as const) {
    const { body: supplier } = await shop.post('/suppliers', { title })
    const { body: item } = await shop.post('/supplier-items', {
      supplier_id: supplier.id,
      item_variant_id: jar.variants[0].id,
      purchase_unit_name: `box of ${rate}`,
      conversion_rate: rate,
      ...{ price, currency },
    })
    itemIds.push(item.id)
  }
  const visit = await signedIn(browser, service, shop.token, '/purchase-orders')
  const { page } = visit
  const form = page.getByRole('dialog')
  const pick = async (label: string, text: string) => {
    await form.getByRole('combobox', { name: label, exact: true }).fill(text)
    await page.getByRole('option', { name: new RegExp(`^${text}`) }).click()
  }
  await page.getByRole('button', { name: 'New purchase order' }).click()
  await pick('Product', 'Jar')
  await pick('Supplier', 'Farm')
  await form.getByText(/^12 pcs, usually €12\.50 for one box of 12$/).waitFor()
  // A price without a currency is in the order's currency, as soon as this is known.
  await form.getByLabel('Currency').fill('US')
  await form.getByText(/^12 pcs$/).waitFor()
  await form.getByLabel('Currency').fill('EUR')
  await form.getByLabel('Quantity').fill('3')
  await form.getByText(/^36 pcs, usually/).waitFor()
  await pick('Supplier', 'Mill')
  const unit = form.getByRole('combobox', { name: 'Counted in' })
  // Choosing the chosen unit again changes nothing.
  for (let times = 0; times < 2; times++) {
    await unit.click()
    await page.getByRole('option', { name: 'box of 24' }).click()
    t.is(await form.getByLabel('Quantity').inputValue(), '1.5')
  }
  await form.getByText(/^36 pcs, usually €20\.00/).waitFor()
  // Another person changes the unit meanwhile: the line is ordered with the unit that this person saw.
  await page.getByText('Live', { exact: true }).waitFor()
  const reread = page.waitForResponse(/\/supplier-items\?/)
  await shop.patch(`/supplier-items/${itemIds[1]}`, { conversion_rate: 48 })
  await (await reread).finished()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByText(/^36 pcs, usually €20\.00/).waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  const [{ items }] = (await shop.get('/purchase-orders')).body.data
  t.like(items[0], { quantity: 36, purchase_quantity: 1.5, conversion_rate: 24, purchase_price: 24, line_amount: 36 })

  // An order is in the currency of the supplier's price.
  await page.goto(`${service.url}/portal/purchase-orders`)
  await page.getByRole('button', { name: 'New purchase order' }).click()
  await pick('Supplier', 'Glass')
  await pick('Product', 'Jar')
  await form.getByText(/^6 pcs, usually \$9\.00 for one box of 6$/).waitFor()
  await form.getByText('EUR for one USD').waitFor()
  await form.getByLabel('Exchange rate').fill('0.9')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'PO-00002' }).waitFor()
  t.like((await shop.get('/purchase-orders?number=PO-00002')).body.data[0], { currency: 'USD', total_amount: 9 })
  await keptToItself(t, visit, { service, token: shop.token })
})
