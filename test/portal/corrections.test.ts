/** Corrections in the portal, in a real browser: of orders, materials, batches and booked documents. */

import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { bakery, HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** Short functions for the steps of these tests. */
function walk(page: Page) {
  const form = page.getByRole('dialog')
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  return {
    form,
    button,
    open: (name: string) => page.getByRole('button', { name, exact: true }).first().click(),
    line: (name: string | RegExp) => form.getByRole('group', { name }).first(),
    said: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    closed: () => form.waitFor({ state: 'detached' }),
    goto: (path: string) => page.goto(`${service.url}/portal${path}`),
  }
}

/** The error that an input shows. */
const wrong = (input: ReturnType<Page['getByLabel']>, reason: RegExp) =>
  input.locator('xpath=ancestor::*[contains(@class, "mantine-InputWrapper-root")][1]').getByText(reason).waitFor()

test('a purchase order is changed between its receipts: refusals stand at their fields, and nobody overwrites another', async t => {
  const { shop, place, flourId } = await bakery(service)
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const { body: salt } = await shop.post('/products', { title: 'Salt', sku: 'SALT', purchase_price: 0.5 })
  const { body: order } = await shop.post('/purchase-orders', {
    supplier: { title: 'Farm' },
    notes: 'Gate 1',
    items: [
      { item_variant_id: flourId, quantity: 10, price: 2, batch_number: 'F-1' },
      { item_variant_id: salt.variants[0].id, quantity: 3, price: 1.000001 },
    ],
  })
  await shop.post(`/purchase-orders/${order.id}/receipts`, {
    storage_place_id: place.id,
    items: [{ purchase_order_item_id: order.items[0].id, quantity: 4 }],
  })
  const visit = await signedIn(browser, service, shop.token, `/purchase-orders/${order.id}`)
  const { page } = visit
  const { form, button, open, line, said, closed } = walk(page)

  await open('Edit')
  t.deepEqual(await seriousFaults(page), [])
  await line('Flour').getByLabel('Quantity, 4 received').fill('3')
  await line('Salt').getByLabel('Remove the line').check()
  await form.getByRole('button', { name: 'Add a line' }).click()
  await button('Save').click()
  await form.getByText('choose a product').waitFor()
  await line('New line').getByLabel('Product').fill('salt')
  await page.getByRole('option', { name: /^Salt/ }).click()
  await line('New line').getByLabel('Quantity').fill('0.0000001')
  await button('Save').click()
  await wrong(line('Flour').getByLabel(/^Quantity/), /4/)
  await wrong(line('New line').getByLabel('Quantity'), /decimal/)
  await line('New line').getByLabel('Quantity').fill('7.5')
  await line('Flour')
    .getByLabel(/^Quantity/)
    .fill('5.25')
  await line('Flour').getByLabel('Expires').fill('2099-01-31')
  await form.getByLabel('Expected', { exact: true }).fill('2026-12-11')
  await form.getByRole('combobox', { name: /^Expected at/ }).click()
  await page.getByRole('option', { name: 'Yard' }).click()

  // Another person changes the order meanwhile. Fields that this person did not change keep the other person's values.
  await shop.patch(`/purchase-orders/${order.id}`, { notes: `Gate 2 ${HOSTILE}` })
  await button('Try again').click()
  await form.getByText(/^notes: Gate 1 → Gate 2/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await button('Apply again').dblclick()
  await wrong(line('Flour').getByLabel('Expires'), /batch/)
  await line('Flour').getByLabel('Expires').fill('')
  await button('Apply again').dblclick()
  await said('PO-00001 is saved')
  await closed()
  const { body: saved } = await shop.get(`/purchase-orders/${order.id}`)
  t.like(saved, { notes: `Gate 2 ${HOSTILE}`, storage_place_id: yard.id, expected_date: '2026-12-11T00:00:00.000Z' })
  t.deepEqual(
    saved.items.map(({ sku, quantity, price, batch_number }: typeof saved) => [sku, quantity, price, batch_number]),
    [
      ['FLOUR', 5.25, 2, 'F-1'],
      ['SALT', 7.5, 0.5, null],
    ],
  )

  // Booked lines cannot be removed from the order. The form can start again with the current order.
  await open('Edit')
  await line('Flour').getByLabel('Remove the line').check()
  await button('Save').click()
  await line('Flour')
    .getByText(/must stay/)
    .waitFor()
  await shop.patch(`/purchase-orders/${order.id}`, { notes: 'Gate 3' })
  await button('Try again').click()
  await form.getByRole('button', { name: 'Reload the form' }).click()
  await form.locator('textarea', { hasText: 'Gate 3' }).waitFor()
  t.false(await line('Flour').getByLabel('Remove the line').isChecked())
  for (const [name, quantity] of [
    ['Flour', '4'],
    ['Salt', '1'],
  ] as const)
    await line(name)
      .getByLabel(/^Quantity/)
      .fill(quantity)
  await button('Save').click()
  await closed()
  await shop.post(`/purchase-orders/${order.id}/receipts`, { storage_place_id: place.id })
  await page.getByRole('button', { name: 'Receive' }).waitFor({ state: 'detached' })
  await open('Edit')
  t.is(await form.getByLabel('Expected at').count(), 0)
  await form.getByLabel('Reference').fill('P-7')
  await button('Save').click()
  await closed()
  await page.getByText('P-7', { exact: true }).waitFor()
  t.is((await shop.get(`/purchase-orders/${order.id}`)).body.external_ref, 'P-7')
  await page.setViewportSize({ width: 390, height: 844 })
  await open('Edit')
  t.deepEqual(await seriousFaults(page), [])
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|412)/ })
})

test('a manufacturing order is changed as far as it has come: all of it before the start, then less', async t => {
  const { shop, flourId, breadId } = await bakery(service)
  const { body: salt } = await shop.post('/products', { title: 'Salt', sku: 'SALT', purchase_price: 0.5 })
  await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: flourId, quantity: 50, unit_cost: 2, batch_number: 'F-1' },
      { item_variant_id: salt.variants[0].id, quantity: 5 },
    ],
  })
  const { body: order } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 2 })
  const read = async () => (await shop.get(`/manufacturing-orders/${order.id}`)).body
  const visit = await signedIn(browser, service, shop.token, `/manufacturing-orders/${order.id}`)
  const { page } = visit
  const { form, button, open, line, said, closed } = walk(page)

  await open('Edit')
  t.deepEqual(await seriousFaults(page), [])
  await form
    .getByLabel(/^Quantity/)
    .first()
    .fill('3')
  await form.getByRole('button', { name: 'Add a line' }).click()
  await line('New line').getByLabel('Product').fill('salt')
  await page.getByRole('option', { name: /^Salt/ }).click()
  await line('New line').getByLabel('Needed').fill('0')
  await form.getByLabel('Output batch').fill('B-9')
  await button('Save').click()
  await wrong(line('New line').getByLabel('Needed'), /greater|more/)
  await line('New line').getByLabel('Needed').fill('0.25')
  await button('Try again').dblclick()
  await said('MO-00001 is saved')
  await closed()
  const changed = await read()
  t.like(changed, { quantity: 3, output_batch_number: 'B-9' })
  t.deepEqual(
    changed.items.map(({ sku, quantity }: typeof changed) => [sku, quantity]),
    [
      ['FLOUR', 6],
      ['SALT', 0.25],
    ],
  )

  await open('Edit')
  await shop.post(`/manufacturing-orders/${order.id}/start`, {})
  await form.getByLabel('Due').fill('2026-12-24')
  await button('Save').click()
  await form.getByText('status: Not started → In progress').waitFor()
  await button('Apply again').click()
  await closed()
  await page.getByRole('definition').filter({ hasText: 'Dec 24, 2026' }).waitFor()
  await open('Edit')
  t.is(await form.getByLabel(/^Quantity/).count(), 0)
  await form.getByLabel('Priority').fill('7')
  await form.getByLabel('Output batch').fill('B-10')
  await button('Save').click()
  await closed()
  t.like(await read(), { priority: 7, output_batch_number: 'B-10', production_date: '2026-12-24T00:00:00.000Z' })
  await shop.post(`/manufacturing-orders/${order.id}/complete`, {})
  await page.getByRole('button', { name: 'Complete' }).waitFor({ state: 'detached' })
  await open('Edit')
  await form.getByLabel('Notes').fill(HOSTILE)
  await button('Save').click()
  await closed()
  t.is((await read()).notes, HOSTILE)
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|412)/ })
})

test('what was booked wrong is reversed after plain words and with a reason, and is marked wherever it is listed', async t => {
  const { shop, place, flourId, breadId, breadItemId } = await bakery(service)
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const line = (quantity: number) => ({ item_variant_id: flourId, quantity })
  const { body: order } = await shop.post('/purchase-orders', { supplier: { title: 'Farm' }, items: [line(10)] })
  for (const [quantity, batch_number] of [
    [6, 'F-1'],
    [4, 'F-2'],
  ] as const)
    await shop.post(`/purchase-orders/${order.id}/receipts`, {
      storage_place_id: place.id,
      items: [{ purchase_order_item_id: order.items[0].id, quantity, batch_number }],
    })
  const { body: counted } = await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: breadId, quantity: 5, batch_number: 'B-1' },
      { item_variant_id: flourId, quantity: -2 },
    ],
  })
  const { body: moved } = await shop.post('/stock-transfers', {
    from_storage_place_id: place.id,
    to_storage_place_id: yard.id,
    items: [{ item_variant_id: breadId, quantity: 1 }],
  })
  const sale = { customer: { title: 'Inn' }, items: [{ item_variant_id: breadId, quantity: 2.5 }] }
  const { body: sold } = await shop.post('/sales-orders', sale)
  await shop.post(`/sales-orders/${sold.id}/shipments`, {
    items: [{ sales_order_item_id: sold.items[0].id, quantity: 1.5 }],
  })
  // The rest is shipped from another place. Shipped goods are returned to the place from which they left.
  await shop.patch(`/sales-orders/${sold.id}`, { items: [{ id: sold.items[0].id, storage_place_id: yard.id }] })

  const visit = await signedIn(browser, service, shop.token, `/purchase-orders/${order.id}`)
  const { page } = visit
  const { form, button, open, said, closed, goto } = walk(page)
  const words = form.getByRole('list', { name: 'What it does' })
  const mark = (reason: string) => page.getByText(`: ${reason}`).first().waitFor()
  const reverse = async (number: string, reason: string) => {
    await open(`Reverse ${number}`)
    await form.getByLabel('Reason').fill(reason)
    await button('What will happen?').click()
    await form.getByText(/^Nothing stands in the way/).waitFor()
    t.deepEqual(await seriousFaults(page), [])
    await button('Reverse').dblclick()
    await said(`${number} is reversed`)
    await closed()
    await mark(reason)
    t.is(await page.getByRole('button', { name: `Reverse ${number}` }).count(), 0)
  }
  /** Checks the form at both widths. */
  const fits = async () => {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      t.deepEqual(await seriousFaults(page), [])
      t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), page.url())
    }
  }

  // A part of the first batch is gone: nothing is reversed, and the form shows what is short.
  await open('Reverse PR-00001')
  await button('Reverse').click()
  await wrong(form.getByLabel('Reason'), /say why/)
  await words.getByText(/^6 pcs × Flour, batch F-1 leaves Mill/).waitFor()
  await form.getByText('PO-00001 is open again and expects it').waitFor()
  await form.getByLabel('Reason').fill('Wrong supplier')
  await button('Reverse').click()
  await form.getByRole('alert').getByText(/FLOUR/).waitFor()
  await form.getByLabel(/^Reversed on/).fill('2020-01-01')
  await button('Try again').click()
  await wrong(form.getByLabel(/^Reversed on/), /before/)
  await button('Back').click()
  await button('Discard').click()
  await reverse('PR-00002', `Counted twice ${HOSTILE}`)
  await page.getByText('Open', { exact: true }).first().waitFor()
  t.is(await page.getByText(`: Counted twice ${HOSTILE}`).count(), 2)
  t.like((await shop.get(`/purchase-orders/${order.id}`)).body, {
    status: 'OPEN',
    delivery_status: 'PARTIALLY_RECEIVED',
  })
  await fits()
  await goto('/purchase-receipts')
  await mark(`Counted twice ${HOSTILE}`)
  await fits()

  await goto(`/sales-orders/${sold.id}`)
  await open('Reverse SH-00001')
  await words.getByText(/^1\.5 pcs × Bread.*, batch B-1 comes back to Mill/).waitFor()
  await form.getByText('SO-00001 reserves it again').waitFor()
  await button('Back').click()
  await reverse('SH-00001', 'Never left')
  await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
  await fits()
  await goto('/sales-shipments')
  await mark('Never left')

  // The variant's movements link to the documents that made them.
  await goto(`/stock/${breadItemId}/${breadId}`)
  await page.getByRole('row', { name: /Sales shipment SH-\d+, reversed/ }).waitFor()
  await page.getByRole('link', { name: moved.number }).first().click()
  await page.getByRole('heading', { name: moved.number }).waitFor()
  await open(`Reverse ${moved.number}`)
  await words.getByText(/^1 pcs × Bread.*, batch B-1 leaves Yard/).waitFor()
  await words.getByText(/^1 pcs × Bread.*, batch B-1 comes back to Mill/).waitFor()
  t.is(await words.getByRole('listitem').count(), 2)
  await button('Back').click()
  await reverse(moved.number, 'Stays here')
  await fits()
  await goto('/stock')
  await page.getByRole('link', { name: 'Transfers' }).click()
  await mark('Stays here')
  await goto('/stock-adjustments')
  await page.getByRole('link', { name: counted.number }).click()
  await page.getByRole('heading', { name: counted.number }).waitFor()
  // Another person reverses it while it is shown.
  await page.getByText('Live').waitFor()
  await shop.post(`/stock-adjustments/${counted.id}/reverse`, { reason: 'Miscounted' })
  await mark('Miscounted')
  await goto('/stock-adjustments')
  await mark('Miscounted')
  await fits()
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|409|412)/ })
})

test('a sales order shows its addresses, discounts and charges, and how a shipment travels can be said later', async t => {
  const { shop, breadId } = await bakery(service)
  await shop.post('/stock-adjustments', {
    items: [{ item_variant_id: breadId, quantity: 5, batch_number: 'B-1' }],
  })
  const { body: sold } = await shop.post('/sales-orders', {
    customer: { title: 'Inn', shipping_address: { name: HOSTILE, line_1: 'Kai 7', zip: '28217', city: 'Bremen' } },
    items: [{ item_variant_id: breadId, quantity: 2, price: 10, discount_percent: 12.5 }],
    charges: [{ title: 'Shipping', amount: 4.9 }],
  })
  await shop.post(`/sales-orders/${sold.id}/shipments`, { carrier: 'Post', tracking_number: 'P-1' })
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const { form, button, open, said, closed } = walk(page)
  for (const text of [HOSTILE, 'Kai 7', '28217 Bremen', '12.5 %', 'Shipping €4.90', 'Total €22.40', 'Post P-1'])
    await said(text)
  t.is(await page.getByText('Bill to').count(), 0)

  await open('Edit SH-00001')
  await form.getByLabel('Tracking address').fill('javascript:alert(1)')
  await form.getByLabel('Notes').fill(`Ring twice ${HOSTILE}`)
  t.deepEqual(await seriousFaults(page), [])
  await button('Save').click()
  await wrong(form.getByLabel('Tracking address'), /http:\/\/ or https:\/\//)
  await form.getByLabel('Tracking address').fill('https://post.example/P-1')
  await button('Try again').click()
  await said('SH-00001 is saved')
  await closed()
  await said(`Ring twice ${HOSTILE}`)
  const link = page.getByRole('link', { name: 'Post P-1' })
  t.deepEqual(
    [await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')],
    ['https://post.example/P-1', 'noopener noreferrer', '_blank'],
  )
  const { data } = (await shop.get(`/sales-orders/${sold.id}/shipments`)).body
  t.like(data[0], { carrier: 'Post', tracking_url: 'https://post.example/P-1', notes: `Ring twice ${HOSTILE}` })
  t.deepEqual(await seriousFaults(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('more is issued to a started order, what is left comes back, the order ends without output, and a batch is put right', async t => {
  const { shop, flourId, breadId } = await bakery(service)
  const { body: salt } = await shop.post('/products', { title: 'Salt', sku: 'SALT', purchase_price: 0.5 })
  const saltId = salt.variants[0].id
  await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: flourId, quantity: 3, unit_cost: 2, batch_number: 'F-1', expiry_date: '2098-01-01' },
      { item_variant_id: flourId, quantity: 3, unit_cost: 2, batch_number: 'F-2', expiry_date: '2099-01-01' },
      { item_variant_id: saltId, quantity: 5 },
    ],
  })
  const { body: order } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 1 })
  await shop.post(`/manufacturing-orders/${order.id}/start`, {})
  const there = async (variantId: string) =>
    (await shop.get(`/stock?item_variant_id=${variantId}`)).body.data
      .map(({ batch_number, quantity }: { batch_number: string | null; quantity: number }) => [batch_number, quantity])
      .filter(([, quantity]: [unknown, number]) => quantity > 0)

  const visit = await signedIn(browser, service, shop.token, `/manufacturing-orders/${order.id}`)
  const { page } = visit
  const { form, button, open, line, said, closed, goto } = walk(page)
  await open('Issue materials')
  await form.getByRole('button', { name: 'Add another material' }).click()
  await line('Another material').getByLabel('Quantity').fill('-1')
  await button('Issue').click()
  await wrong(line('Another material').getByLabel('Quantity'), /greater than 0/)
  await form.getByText('choose a product').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await line('Another material').getByLabel('Product').fill('salt')
  await page.getByRole('option', { name: /^Salt/ }).click()
  await line('Another material').getByLabel('Quantity').fill('0.5')
  await line('Flour').getByLabel('Quantity').fill('9')
  await form.getByText('Flour: 9 pcs wanted, 4 pcs can be taken.').waitFor()
  await button('Issue').click()
  await form.getByRole('alert').getByText(/FLOUR/).waitFor()
  await line('Flour').getByLabel('Quantity').fill('1.25')
  await line('Flour').getByRole('combobox', { name: 'Batch' }).click()
  await page.getByRole('option', { name: /^F-2/ }).click()
  await button('What will happen?').click()
  await form.getByText(/^The materials of the order have cost €.* then, €.* now\.$/).waitFor()
  await button('Issue').dblclick()
  await said('Issued to MO-00001')
  await closed()
  t.deepEqual(await there(flourId), [
    ['F-1', 1],
    ['F-2', 1.75],
  ])
  t.deepEqual(await there(saltId), [[null, 4.5]])

  // The form is filled with what the page shows: the taken quantity and its batches.
  const taken = page.getByRole('table', { name: 'Materials' }).getByRole('row', { name: /Flour/ })
  await taken.getByText('3.25').waitFor()
  await taken.getByText(/6\.50?$/).waitFor()
  await open('Return materials')
  await form.getByLabel('Quantity of Flour, batch F-1').fill('2')
  await form.getByLabel('Quantity of Flour, batch F-2').fill('1.5')
  await button('Return').click()
  await wrong(form.getByLabel('Quantity of Flour, batch F-2'), /at most 1\.25/)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByLabel('Quantity of Flour, batch F-2').fill('1.25')
  await form.getByLabel('Quantity of Salt').fill('0.5')
  await button('Return').dblclick()
  await said('Materials of MO-00001 are back in stock')
  await closed()
  t.deepEqual(await there(flourId), [
    ['F-1', 3],
    ['F-2', 3],
  ])
  await page.getByText('Materials came back').first().waitFor()
  await page.getByRole('button', { name: 'Return materials' }).waitFor({ state: 'detached' })
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    t.deepEqual(await seriousFaults(page), [])
  }

  await open('Complete')
  await form.getByLabel('Quantity').fill('0')
  await form.getByLabel(/^This ends the order/).check()
  await button('Complete').dblclick()
  await page.getByText('MO-00001 is done', { exact: true }).waitFor()
  t.like((await shop.get(`/manufacturing-orders/${order.id}`)).body, { status: 'DONE', released_quantity: 0 })

  const { body: batches } = await shop.get('/batches?number=F-1')
  const [batch] = batches.data
  await goto(`/trace/${batch.id}`)
  await open('Edit')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByLabel('Number').fill('F-2')
  await button('Save').click()
  await wrong(form.getByLabel('Number'), /taken/)
  await shop.patch(`/batches/${batch.id}`, { manufacture_date: '2026-11-01' })
  await form.getByLabel('Number').fill(`F-1 ${HOSTILE}`.slice(0, 60))
  await form.getByLabel('Expires').fill('')
  await button('Try again').click()
  await form.getByText(/^manufacture date: empty → /).waitFor()
  await button('Apply again').click()
  await page.getByRole('heading', { name: /^Batch F-1 </ }).waitFor()
  await closed()
  t.like((await shop.get(`/batches/${batch.id}`)).body, {
    number: `F-1 ${HOSTILE}`.slice(0, 60),
    manufacture_date: '2026-11-01',
    expiry_date: null,
  })
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|412|422)/ })
})
