/** Orders in a real browser: made with all fields of the API, changed afterwards, and not overwritten by a second person. */

import type { Page } from 'playwright-core'
import { formOf, keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const DAY_MS = 86_400_000
const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

function walk(page: Page) {
  const form = formOf(page)
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  return {
    form,
    button,
    open: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    line: (name: string) => form.getByRole('group', { name }),
    choose: async (field: ReturnType<Page['getByRole']>, option: string) => {
      await field.click()
      await page.getByRole('option', { name: option, exact: true }).click()
    },
    pick: async (field: ReturnType<Page['getByRole']>, text: string) => {
      await field.fill(text)
      await page.getByRole('option', { name: new RegExp(`^${text}`) }).click()
    },
  }
}

async function bakery() {
  const shop = await service.tenant()
  const { body: mill } = await shop.post('/storage-places', { title: 'Mill' })
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const product = async (title: string, price: number, more = {}) =>
    (await shop.post('/products', { title, sku: title.toUpperCase(), price, purchase_price: price, ...more })).body
  const bread = await product('Bread', 10)
  const roll = await product('Roll', 1)
  const flour = await product('Flour', 2, { batch_tracked: true })
  const idOf = (of: typeof bread): string => of.variants[0].id
  return { shop, mill, yard, breadId: idOf(bread), rollId: idOf(roll), flourId: idOf(flour) }
}

test('a sales order is made with charges, discounts, tax, addresses and dates, and all of them are changed later', async t => {
  const { shop, mill, yard } = await bakery()
  const address = { name: `Inn ${HOSTILE}`, line_1: 'Main street 1', city: 'Town', country_code: 'DE' }
  await shop.post('/customers', { title: 'Inn', shipping_address: address, billing_address: { city: 'Port' } })
  await shop.post('/customers', { title: 'Bar', shipping_address: { city: 'Hill' } })

  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const { form, button, open, line, choose, pick } = walk(page)
  await page.getByRole('link', { name: 'New sales order' }).click()
  await pick(form.getByRole('combobox', { name: 'Customer' }), 'Inn')
  await form.getByText('Main street 1').waitFor()
  await form.getByText('Port').waitFor()
  await pick(line('New line 1').getByLabel('Product'), 'Bread')
  await line('New line 1').getByLabel('Quantity').fill('4')
  await line('New line 1').getByLabel('Discount, %').fill('12.5')
  await line('New line 1').getByLabel('Tax, %').fill('19')
  await choose(line('New line 1').getByRole('combobox', { name: 'From' }), 'Yard')
  await form.getByText('no day can be promised for all of it').waitFor()
  await button('Add a line').click()
  await pick(line('New line 2').getByLabel('Product'), 'Roll')
  t.is(await line('New line 2').getByLabel('Tax, %').inputValue(), '19')
  await button('Add a charge').click()
  await form.getByLabel('For').fill('Shipping')
  await form.getByLabel('Amount').fill('4.9')
  t.is(await form.getByLabel('Its tax, %').inputValue(), '19')
  await form.getByLabel('Ordered').fill('2020-02-01')
  await form.getByLabel('Due').fill('2020-01-31')
  await form.getByText('it is due before it was ordered').waitFor()
  await form.getByText('it is due before today').waitFor()
  await form.getByLabel('Due').fill(dayAfter(5))
  await form.getByText('it is due before').waitFor({ state: 'detached' })
  await form.getByLabel('Reference').fill('WEB-1')
  await choose(form.getByRole('combobox', { name: 'Bill to' }), 'This address')
  const bill = form.getByRole('group', { name: 'Bill to: this address' })
  t.is(await bill.getByLabel('Town').inputValue(), 'Port')
  await bill.getByLabel('Country code').fill('NL')
  t.deepEqual(await seriousFaults(page), [])
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  const read = async () => (await shop.get('/sales-orders')).body.data[0]
  const linesOf = ({ items }: Awaited<ReturnType<typeof read>>) =>
    items.map((item: Awaited<ReturnType<typeof read>>) => [
      ...[item.sku, item.quantity, item.price, item.discount_percent, item.tax_rate, item.storage_place_id],
    ])
  const made = await read()
  t.deepEqual(linesOf(made), [
    ['BREAD', 4, 10, 12.5, 19, yard.id],
    ['ROLL', 1, 1, 0, 19, mill.id],
  ])
  t.like(made, {
    ...{ external_ref: 'WEB-1', ordered_at: '2020-02-01T00:00:00.000Z', delivery_date: `${dayAfter(5)}T00:00:00.000Z` },
    ...{ shipping_address: address, billing_address: { city: 'Port', country_code: 'NL', line_1: null } },
    ...{ charges: [{ title: 'Shipping', amount: 4.9, tax_rate: 19 }] },
  })

  await open('Edit')
  await line('Bread').getByLabel('Quantity').fill('2')
  await line('Bread').getByLabel('Price').fill('')
  await line('Bread').getByLabel('Discount, %').fill('')
  await line('Bread').getByLabel('Tax, %').fill('7')
  await choose(line('Bread').getByRole('combobox', { name: 'From' }), 'Mill')
  await line('Roll').getByLabel('Remove the line').check()
  await button('Add a line').click()
  await pick(line('New line 3').getByLabel('Product'), 'Roll')
  await line('New line 3').getByLabel('Quantity').fill('6')
  t.is(await line('New line 3').getByLabel('Tax, %').inputValue(), '7')
  await form.getByLabel('Amount').fill('0')
  await form.getByLabel('Ordered').fill('2020-02-03')
  await form.getByLabel('Reference').fill('WEB-2')
  await form.getByLabel('Priority').fill('3')
  await pick(form.getByRole('combobox', { name: 'Customer' }), 'Bar')
  await choose(form.getByRole('combobox', { name: 'Ship to' }), "The customer's address")
  await form.getByText('Hill').waitFor()
  await choose(form.getByRole('combobox', { name: 'Bill to' }), 'No address')
  await button('Save').click()
  await form.getByText('a number like 1.5').waitFor()
  await line('Bread').getByLabel('Price').fill('9.5')
  // Another person changes the order meanwhile. Fields that this person did not change keep the other person's values.
  await shop.patch(`/sales-orders/${made.id}`, { notes: `Gate ${HOSTILE}` })
  await button('Save').click()
  await form.getByText(/^notes: .*Gate/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await button('Apply again').dblclick()
  await page.getByText('SO-00001 is saved').waitFor()
  await form.waitFor({ state: 'detached' })
  const saved = await read()
  t.deepEqual(linesOf(saved), [
    ['BREAD', 2, 9.5, 0, 7, mill.id],
    ['ROLL', 6, 1, 0, 7, mill.id],
  ])
  t.like(saved, {
    ...{ notes: `Gate ${HOSTILE}`, external_ref: 'WEB-2', priority: 3, ordered_at: '2020-02-03T00:00:00.000Z' },
    ...{ customer: { title: 'Bar' }, shipping_address: { city: 'Hill' }, billing_address: null },
    ...{ delivery_date: made.delivery_date, charges: [{ title: 'Shipping', amount: 0 }] },
  })
  t.deepEqual(await seriousFaults(page), [])

  // Data that a form loads by itself is no change, so closing the form asks nothing.
  await open('Edit')
  await choose(form.getByRole('combobox', { name: 'Ship to' }), "The customer's address")
  await form.getByText('Hill').waitFor()
  await choose(form.getByRole('combobox', { name: 'Ship to' }), 'This address')
  await button('Back').click()
  await form.waitFor({ state: 'detached' })
  // A form that was opened and saved without a change sends none.
  await open('Edit')
  await button('Save').click()
  await form.waitFor({ state: 'detached' })
  t.is((await read()).updated_at, saved.updated_at)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('Edit')
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 412/ })
})

test('a purchase order is made and changed with discount, tax, place, supplier and the days of its lines', async t => {
  const { shop, yard, flourId } = await bakery()
  await shop.post('/suppliers', { title: 'Farm' })
  const { body: coop } = await shop.post('/suppliers', { title: 'Coop' })
  await shop.post('/supplier-items', {
    ...{ supplier_id: coop.id, item_variant_id: flourId, purchase_unit_name: 'bag', conversion_rate: 21, price: 30 },
  })
  const visit = await signedIn(browser, service, shop.token, '/purchase-orders')
  const { page } = visit
  const { form, button, open, line, choose, pick } = walk(page)
  await open('New purchase order')
  await pick(form.getByRole('combobox', { name: 'Supplier' }), 'Farm')
  await pick(line('New line 1').getByLabel('Product'), 'Flour')
  await line('New line 1').getByLabel('Quantity').fill('10')
  await line('New line 1').getByLabel('Discount, %').fill('5')
  await line('New line 1').getByLabel('Tax, %').fill('7')
  await line('New line 1').getByLabel('Line expected').fill(dayAfter(3))
  await line('New line 1').getByLabel('Batch').fill('F-1')
  await line('New line 1').getByLabel('Expires').fill(dayAfter(2))
  await form.getByText('a line expires before it arrives').waitFor()
  await line('New line 1').getByLabel('Expires').fill(dayAfter(90))
  await choose(form.getByRole('combobox', { name: 'Expected at' }), 'Yard')
  await form.getByLabel('Expected', { exact: true }).fill('2020-01-01')
  await form.getByText('it is expected before today').waitFor()
  await form.getByLabel('Reference').fill('F-9')
  t.deepEqual(await seriousFaults(page), [])
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  const read = async () => (await shop.get('/purchase-orders')).body.data[0]
  const made = await read()
  t.like(made, { storage_place_id: yard.id, external_ref: 'F-9', expected_date: '2020-01-01T00:00:00.000Z' })
  t.like(made.items[0], {
    ...{ quantity: 10, discount_percent: 5, tax_rate: 7, batch_number: 'F-1', expiry_date: dayAfter(90) },
    expected_date: `${dayAfter(3)}T00:00:00.000Z`,
  })

  await open('Edit')
  await pick(form.getByRole('combobox', { name: 'Supplier' }), 'Coop')
  await line('Flour').getByLabel('Discount, %').fill('0')
  await line('Flour').getByLabel('Tax, %').fill('19')
  await line('Flour').getByLabel('Line expected').fill('')
  await button('Add a line').click()
  await pick(line('New line 2').getByLabel('Product'), 'Flour')
  await line('New line 2').getByRole('combobox', { name: 'Counted in' }).waitFor()
  await line('New line 2').getByLabel('Quantity').fill('2')
  await form.getByText(/^42 pcs, usually €30\.00 for one bag$/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await button('Save').dblclick()
  await page.getByText('PO-00001 is saved').waitFor()
  await form.waitFor({ state: 'detached' })
  const saved = await read()
  t.is(saved.supplier.id, coop.id)
  t.deepEqual(
    saved.items.map((item: typeof saved) => [
      ...[item.quantity, item.purchase_quantity, item.discount_percent, item.tax_rate, item.expected_date],
    ]),
    [
      [10, null, 0, 19, null],
      [42, 2, 0, 19, null],
    ],
  )
  await shop.post(`/purchase-orders/${made.id}/receipts`, {
    storage_place_id: yard.id,
    items: [{ purchase_order_item_id: saved.items[1].id, quantity: 30 }],
  })
  await page.getByText('Partially received', { exact: true }).waitFor()
  await open('Receive')
  const bags = line('Flour, 12 pcs left')
  await choose(bags.getByRole('combobox', { name: 'Counted in' }), 'bag')
  await bags.getByLabel('Quantity').fill('1')
  await button('Receive').click()
  await bags.getByText('at most 12 stock units').waitFor()
  await bags.getByLabel('Quantity').fill('0.5')
  await form.getByLabel('Expires').first().fill('2020-01-31')
  await form.getByText('a line has expired before it arrived').waitFor()
  await form.getByLabel('Arrived on').fill('2020-01-30')
  await form.getByText('a line has expired').waitFor({ state: 'detached' })
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a new line has the tax of the line before, the first one that of the last order; no more is received than is due', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Mill' })
  const { body: bread } = await shop.post('/products', { title: 'Bread', sku: 'BREAD', price: 10 })
  const line = { item_variant_id: bread.variants[0].id, quantity: 1 }
  await shop.post('/customers', { title: 'Stranger' })
  await shop.post('/sales-orders', { customer: { title: 'Inn' }, items: [{ ...line, tax_rate: 7 }] })
  await shop.post('/sales-orders', { customer: { title: 'Other' }, items: [{ ...line, tax_rate: 19 }] })
  await shop.post('/purchase-orders', { supplier: { title: 'Farm' }, items: [{ ...line, tax_rate: 5.5 }] })

  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const form = formOf(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const pick = async (label: string, text: string, index = 0) => {
    await form.getByRole('combobox', { name: label, exact: true }).nth(index).fill(text)
    await page.getByRole('option', { name: new RegExp(`^${text}`) }).click()
  }
  const shows = (value: string, index = 0) =>
    form
      .getByLabel('Tax, %')
      .nth(index)
      .and(page.locator(`[value="${value}"]`))
      .waitFor()
  await page.getByRole('link', { name: 'New sales order' }).click()
  await pick('Customer', 'Stranger')
  await shows('19')
  await pick('Customer', 'Inn')
  await shows('7')
  await pick('Product', 'Bread')
  await form.getByRole('button', { name: 'Add a line' }).click()
  await pick('Product', 'Bread', 1)
  await shows('7', 1)
  await form.getByLabel('Tax, %').nth(1).fill('0')
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('heading', { name: 'SO-00003' }).waitFor()
  const sold = (await shop.get('/sales-orders?order=desc&limit=1')).body.data[0]
  t.deepEqual(
    sold.items.map(({ tax_rate }: { tax_rate: number }) => tax_rate),
    [7, 0],
  )

  await show(page, '/purchase-orders')
  await press('New purchase order')
  await pick('Supplier', 'Farm')
  await shows('5.5')
  await pick('Product', 'Bread')
  await form.getByLabel('Quantity').fill('4')
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('heading', { name: 'PO-00002' }).waitFor()
  const bought = (await shop.get('/purchase-orders?order=desc&limit=1')).body.data[0]
  t.is(bought.items[0].tax_rate, 5.5)
  await press('Receive')
  await form.getByLabel('Quantity').fill('5')
  await form.getByRole('button', { name: 'Receive' }).click()
  await form.getByText('at most 4').waitFor()
  t.is((await shop.get('/purchase-receipts')).body.data.length, 0)
  await form.getByLabel('Quantity').fill('4')
  await form.getByRole('button', { name: 'Receive' }).dblclick()
  await page.getByText('Received with PR-00001').first().waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('goods of several batches come back into the batches that left', async t => {
  const { shop } = await bakery()
  const dough = (await shop.post('/products', { title: 'Dough', sku: 'DOUGH', batch_tracked: true })).body.variants[0]
    .id
  const batches = ['D-1', 'D-2'].map(batch_number => ({ item_variant_id: dough, quantity: 5, batch_number }))
  const { body: brought } = await shop.post('/stock-adjustments', { items: batches })
  const items = [{ item_variant_id: dough, quantity: 3 }]
  const { body: sold } = await shop.post('/sales-orders', { customer: { title: 'Inn' }, items })
  const [first, second] = brought.items.map(({ batch_id }: { batch_id: string }) => batch_id)
  const line = { sales_order_item_id: sold.items[0].id }
  const left = [
    { ...line, quantity: 1, batch_id: first },
    { ...line, quantity: 2, batch_id: second },
  ]
  await shop.post(`/sales-orders/${sold.id}/shipments`, { items: left })
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const { form, button, open } = walk(page)
  await open('Return')
  await form.getByLabel('Quantity of Dough, batch D-1').fill('2')
  await button('Create').click()
  await form.getByText('at most 1').waitFor()
  await form.getByLabel('Quantity of Dough, batch D-1').fill('1')
  await form.getByLabel('Quantity of Dough, batch D-2').fill('0.5')
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00001' }).waitFor()
  for (const number of ['D-1', 'D-2']) await page.getByRole('table', { name: 'Lines' }).getByText(number).waitFor()
  t.deepEqual(
    (await shop.get('/sales-returns')).body.data[0].items.map((item: { batch_id: string; quantity: number }) => [
      item.batch_id,
      item.quantity,
    ]),
    [
      [second, 0.5],
      [first, 1],
    ],
  )
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what is noted on a return is given when it is announced, and changed after it came back', async t => {
  const { shop, breadId } = await bakery()
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: breadId, quantity: 5, unit_cost: 1 }] })
  const items = [{ item_variant_id: breadId, quantity: 2 }]
  const { body: sold } = await shop.post('/sales-orders', { customer: { title: 'Inn' }, items })
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const { form, button, open } = walk(page)
  await open('Return')
  await form.getByLabel('Quantity of Bread').fill('3')
  await button('Create').click()
  await form.getByText('at most 2').waitFor()
  await form.getByLabel('Quantity of Bread').fill('1')
  await form.getByLabel('Return reference').fill('R-1')
  await form.getByLabel('Notes').fill('By post')
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00001' }).waitFor()
  await open('Receive')
  await button('Receive').dblclick()
  await page.getByText('SR-00001 is back in stock').waitFor()
  await form.waitFor({ state: 'detached' })
  await open('Edit')
  await form.getByLabel('Reference').fill('X-1')
  await form.getByLabel('Notes').fill('')
  t.deepEqual(await seriousFaults(page), [])
  await button('Save').dblclick()
  await page.getByText('SR-00001 is saved').waitFor()
  const { sales_return } = (await shop.get('/sales-returns')).body.data[0]
  t.like(sales_return, { external_return_ref: 'R-1', external_ref: 'X-1', notes: null })
  await keptToItself(t, visit, { service, token: shop.token })
})
