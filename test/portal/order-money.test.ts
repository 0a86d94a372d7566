/** The charges of an order and its refunds, in a real browser: prices with tax, several taxes, vouchers, refunds. */

import type { Page } from 'playwright-core'
import { fitsAll, formOf, keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

function walk(page: Page) {
  const form = formOf(page)
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  return {
    form,
    button,
    open: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    line: (name: string) => form.getByRole('group', { name }),
    closed: () => form.waitFor({ state: 'detached' }),
    fact: (name: string) => page.locator(`dt:text-is("${name}") + dd`).textContent(),
    pick: async (field: ReturnType<Page['getByRole']>, text: string) => {
      await field.fill(text)
      await page.getByRole('option', { name: new RegExp(`^${text}`) }).click()
    },
  }
}

async function bakery() {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Mill' })
  const { body: bread } = await shop.post('/products', { title: 'Bread', sku: 'BREAD', price: 9.99 })
  const breadId: string = bread.variants[0].id
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: breadId, quantity: 20, unit_cost: 1 }] })
  await shop.post('/customers', { title: 'Inn' })
  return { shop, breadId }
}

test('an order has prices with tax, several taxes by name, money off, a line without a product and a voucher', async t => {
  const { shop } = await bakery()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const { form, button, open, line, closed, pick } = walk(page)
  await page.getByRole('link', { name: 'New sales order' }).click()
  await pick(form.getByRole('combobox', { name: 'Customer' }), 'Inn')
  await pick(line('New line 1').getByLabel('Product'), 'Bread')
  await line('New line 1').getByLabel('Price without tax').waitFor()
  await form.getByLabel('Prices are with tax').check()
  await line('New line 1').getByLabel('Price with tax').waitFor()
  await line('New line 1').getByLabel('Quantity').fill('2')
  await line('New line 1').getByLabel('Money off').fill('1.98')
  await button('Several taxes on line 1').click()
  await line('New line 1').getByRole('textbox', { name: 'Tax 1' }).fill('State')
  await line('New line 1').getByLabel('Rate, %').fill('4')
  await button('Another tax on line 1').click()
  await line('New line 1').getByLabel('Rate, %').nth(1).fill('1')
  await button('Add without a product').click()
  await line('New line 2').getByLabel('Name').fill('Gift wrapping')
  t.is(await line('New line 2').getByLabel('From').count(), 0)
  await line('New line 2').getByLabel('Price with tax').fill('2.40')
  await line('New line 2').getByLabel('Tax, %').fill('20')
  await button('Add a charge').click()
  await form.getByLabel('For').fill('Voucher')
  await form.getByLabel('Amount with tax').fill('-5')
  await form.getByLabel('Its tax, %').fill('20')
  await button('Create').click()
  await form.getByText('what it is called').waitFor()
  await line('New line 1').getByRole('textbox', { name: 'Tax 2' }).fill('City')
  t.deepEqual(await seriousFaults(page), [])
  // 2 * 9.99 - 1.98 = 18 with 5 %: 18 * 5 / 105 = 0.857. 2.40 with 20 %: 0.40. -5 with 20 %: -0.833.
  const totals = form.getByRole('status', { name: 'Totals' })
  for (const text of ['Net €14.97', 'Tax €0.43', 'Total €15.40']) await totals.getByText(text).waitFor()
  await line('New line 1').getByText('€18.00').waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  const read = async () => (await shop.get('/sales-orders')).body.data[0]
  const made = await read()
  t.like(made, {
    ...{ prices_include_tax: true, tax_rounding: 'LINE', tax_rounding_mode: 'HALF_UP', exchange_rate: 1 },
    ...{ total_amount: 14.97, tax_amount: 0.43, total_amount_with_tax: 15.4 },
  })
  t.like(made.items[0], {
    ...{ quantity: 2, price: 9.99, discount_amount: 1.98, tax_rate: 5, line_amount: 17.14, line_tax_amount: 0.86 },
    taxes: [
      { title: 'State', rate: 4, amount: 0.69 },
      { title: 'City', rate: 1, amount: 0.17 },
    ],
  })
  t.like(made.items[1], { title: 'Gift wrapping', item_variant_id: null, line_amount: 2, line_tax_amount: 0.4 })
  t.like(made.charges[0], { title: 'Voucher', amount: -4.17, tax_amount: -0.83, amount_with_tax: -5 })
  const lines = page.getByRole('table', { name: 'Lines' })
  for (const header of ['Price with tax', 'Amount with tax'])
    await lines.getByRole('columnheader', { name: header }).waitFor()
  const bread = lines.getByRole('row', { name: /^Bread/ })
  for (const text of ['State 4 %: €0.69', 'City 1 %: €0.17', '€18.00', '€1.98']) await bread.getByText(text).waitFor()
  await page.getByText('Voucher -€5.00').waitFor()

  // A changed line has its taxes computed again: 9.99 - 1.98 = 8.01, with 0.381 tax, of which 0.304 are the state's.
  await open('Edit')
  t.is(await form.getByLabel('Prices are with tax').count(), 0)
  await line('Bread').getByLabel('Quantity').fill('1')
  await form.getByLabel('Amount with tax').fill('-2')
  await button('What will happen?').click()
  await form.getByText('The order comes to €8.41 with tax, of it €0.45 tax.').waitFor()
  await button('Save').dblclick()
  await page.getByText('SO-00001 is saved').waitFor()
  await closed()
  const changed = await read()
  t.deepEqual(
    changed.items[0].taxes.map(({ amount }: { amount: number }) => amount),
    [0.3, 0.08],
  )
  t.like(changed.charges[0], { amount: -1.67, tax_amount: -0.33 })

  await show(page, `/print/pick-lists/${made.id}`)
  const picks = page.getByRole('table', { name: 'To pick' })
  t.regex(String(await picks.getByRole('row', { name: /Gift wrapping/ }).textContent()), /^–Gift wrapping–1$/)
  const { body: shipment } = await shop.post(`/sales-orders/${made.id}/shipments`, {})
  await show(page, `/print/packing-slips/${shipment.id}`)
  const parcel = page.getByRole('table', { name: 'In this parcel' })
  for (const title of ['Bread', 'Gift wrapping']) await parcel.getByRole('row', { name: new RegExp(title) }).waitFor()
  // While a line is incomplete, the voucher is more than the other lines.
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('taxes of one rate are rounded together where the order says so, and are then a rate alone', async t => {
  const { shop } = await bakery()
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const { form, button, line, pick, fact } = walk(page)
  await page.getByRole('link', { name: 'New sales order' }).click()
  await pick(form.getByRole('combobox', { name: 'Customer' }), 'Inn')
  await pick(line('New line 1').getByLabel('Product'), 'Bread')
  const choose = async (field: string, option: string) => {
    await form.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Taxes are rounded', 'Once for each rate')
  await choose('Rounded how', 'Down')
  t.is(await form.getByRole('button', { name: /taxes on/ }).count(), 0)
  await form.getByLabel('Currency').fill('usd')
  await form.getByLabel('Exchange rate').fill('0.925')
  await line('New line 1').getByLabel('Quantity').fill('1')
  await line('New line 1').getByLabel('Price').fill('0.09')
  await line('New line 1').getByLabel('Tax, %').fill('10')
  await button('Add a line').click()
  await pick(line('New line 2').getByLabel('Product'), 'Bread')
  await line('New line 2').getByLabel('Price').fill('0.09')
  // 0.009 and 0.009: each alone would be rounded down to 0.00, and together they are 0.01.
  for (const text of ['Tax $0.01', 'Total $0.19'])
    await form.getByRole('status', { name: 'Totals' }).getByText(text).waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  t.is(await fact('Taxes are rounded'), 'Once for each rate, down')
  t.is(await fact('Exchange rate'), '0.925')
  t.is(await fact('Prices'), 'without tax')
  const { data } = (await shop.get('/sales-orders')).body
  t.like(data[0], { tax_rounding: 'ORDER', tax_rounding_mode: 'DOWN', currency: 'USD', exchange_rate: 0.925 })
  await keptToItself(t, visit, { service, token: shop.token })
})

test('refunds with and without goods, of charges alone, say before what they pay back, and the order shows what is left', async t => {
  const { shop, breadId } = await bakery()
  // 35.70 with 5.70 tax, 4.90 with 0.78, and -5 with -0.80: 35.60 in all.
  const { body: sold } = await shop.post('/sales-orders', {
    ...{ customer: { title: 'Inn' }, prices_include_tax: true },
    items: [
      {
        item_variant_id: breadId,
        quantity: 3,
        price: 11.9,
        tax_rate: 19,
        external_ref: 'L-77',
        metadata: { card: 'To Ann' },
      },
    ],
    charges: [
      { title: 'Shipping', amount_with_tax: 4.9, tax_rate: 19, external_ref: 'shipping:1' },
      { title: 'Voucher', amount_with_tax: -5, tax_rate: 19 },
    ],
  })
  t.is(sold.total_amount_with_tax, 35.6)
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const { form, button, open, closed, fact } = walk(page)
  for (const text of ['Reference L-77', 'card: To Ann', 'Reference shipping:1']) await page.getByText(text).waitFor()
  // Before anything is shipped only money can be refunded.
  await open('Refund')
  t.is(await form.getByRole('table', { name: 'Quantities' }).count(), 0)
  await button('Back').click()
  await closed()
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})

  await open('Return')
  await form.getByLabel('Quantity of Bread').fill('1')
  await button('All of Shipping').click()
  t.is(await form.getByLabel('Money of Shipping').inputValue(), '4.9')
  await form.getByLabel('Money of Voucher').fill('1')
  await button('Create').click()
  await form.getByText('must be below 0: it is a voucher').waitFor()
  await form.getByLabel('Money of Voucher').fill('')
  await form.getByLabel('Money of Bread').fill('36')
  await button('Create').click()
  await form.getByText('at most 35.7').waitFor()
  await form.getByLabel('Money of Bread').fill('')
  t.deepEqual(await seriousFaults(page), [])
  await button('What will happen?').click()
  await form.getByText('1 pcs × Bread will come back: €11.90').waitFor()
  await form.getByText('Shipping: €4.90').waitFor()
  await form
    .getByText('The customer gets back €16.80 with tax, of it €2.68 tax. Of SO-00001 €18.80 are then left to refund.')
    .waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00001' }).waitFor()
  t.is(await fact('Refund with tax'), '€16.80')
  t.is(await fact('Tax'), '€2.68')
  const charges = page.getByRole('table', { name: 'Charges' })
  t.regex(String(await charges.getByRole('row', { name: /^Shipping/ }).textContent()), /€4\.12€0\.78€4\.90$/)
  await page.getByText('€11.90 with tax').waitFor()

  // A refund for goods that stay has a quantity, and no goods are returned.
  await page.getByRole('link', { name: 'SO-00001' }).click()
  await open('Return')
  await form.getByLabel('Quantity of Bread').fill('1')
  await form.getByLabel('Bread stays with the customer').check()
  await button('What will happen?').click()
  await form.getByText('1 pcs × Bread stays with the customer: €11.90').waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00002' }).waitFor()
  await page.getByRole('cell', { name: 'Stays with the customer' }).waitFor()
  await open('Mark as paid back')
  await button('Mark as paid back').dblclick()
  await page.getByText('SR-00002 is paid back').waitFor()

  // Money alone: 11.90 is left of the line. Of 5.00 the tax is round(5 * 5.70 / 35.70) = 0.80.
  await page.getByRole('link', { name: 'SO-00001' }).click()
  await open('Return')
  await form.getByLabel('Money of Bread').fill('5')
  await button('What will happen?').click()
  await form.getByText('Bread, money alone: €5.00').waitFor()
  await form.getByText('of it €0.80 tax. Of SO-00001 €1.90 are then left').waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00003' }).waitFor()
  await page.getByRole('cell', { name: 'Money alone' }).waitFor()
  await page.getByRole('link', { name: 'SO-00001' }).click()
  const returns = page.getByRole('table', { name: 'Returns' })
  await returns.getByRole('row', { name: /SR-00003.*money for Bread.*€0\.80.*€5\.00/ }).waitFor()
  t.is(await fact('Refunded with tax'), '€33.70')
  t.is(await fact('Left to refund with tax'), '€1.90')
  const { data } = (await shop.get('/sales-returns')).body
  t.like(data[1].items[0], { quantity: 1, restock: false, refund_amount_with_tax: 11.9 })
  t.like(data[2].items[0], { quantity: 0, refund_amount: 4.2, refund_tax_amount: 0.8 })

  // A finished order can still get a note.
  await open('Note')
  await form.getByLabel('Notes').fill('The customer called')
  await form.getByLabel('Reference').fill('WEB-7')
  t.deepEqual(await seriousFaults(page), [])
  await button('Save').dblclick()
  await page.getByText('SO-00001 is saved').waitFor()
  t.like((await shop.get(`/sales-orders/${sold.id}`)).body, {
    status: 'DONE',
    notes: 'The customer called',
    external_ref: 'WEB-7',
  })
  await keptToItself(t, visit, { service, token: shop.token })
})

test('an order shows what came back of its lines, and where: also what lies in quarantine', async t => {
  const { shop, breadId } = await bakery()
  const { body: sold } = await shop.post('/sales-orders', {
    ...{ customer: { title: 'Inn' }, prices_include_tax: true },
    items: [{ item_variant_id: breadId, quantity: 5, price: 12, tax_rate: 20 }],
  })
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})
  const line = { sales_order_item_id: sold.items[0].id }
  const announced = { sales_order_id: sold.id, items: [{ ...line, quantity: 1 }] }
  await shop.post('/sales-returns', announced)
  const { body: other } = await shop.post('/sales-returns', announced)
  await shop.post(`/sales-returns/${other.sales_return.id}/cancel`, {})

  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const { form, button, open } = walk(page)
  await open('Return')
  await form.getByRole('columnheader', { name: 'Amount, with tax' }).waitFor()
  await form.getByLabel('Quantity of Bread').fill('2')
  await form.getByLabel(/^Put it into quarantine/).check()
  await button('What will happen?').click()
  await form.getByText('2 pcs × Bread will come back into quarantine: €24.00').waitFor()
  await button('Create').dblclick()
  await page.getByRole('heading', { name: 'SR-00003' }).waitFor()
  await open('Receive')
  await form.getByText('What comes back is then back, in quarantine, at what it cost when it left.').waitFor()
  await button('Receive').dblclick()
  await page.getByText('SR-00003 is back, in quarantine').waitFor()
  const happened = page.getByRole('region', { name: 'What happened' })
  await happened.getByText('Back, in quarantine').waitFor()
  await page.getByRole('link', { name: 'SO-00001' }).click()
  const bread = page.getByRole('table', { name: 'Lines' }).getByRole('row', { name: /^Bread/ })
  await page.getByRole('columnheader', { name: 'Returned' }).waitFor()
  await bread.getByText('2 pcs').waitFor()
  await bread.getByText('1 to come back').waitFor()
  for (const text of ['Return created', 'Return cancelled', 'Return is back, in quarantine'])
    await happened.getByText(text).first().waitFor()
  await happened.getByText('SR-00003: 2 pcs × Bread; €24.00 with tax, of it €4.00 tax').waitFor()
  await fitsAll(t, page)
  await keptToItself(t, visit, { service, token: shop.token })
})
