/** A working day in the portal by keyboard alone, from an empty tenant: no clicks, and every field is filled by key presses. */
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { fitsAll, keptToItself, signedIn } from '../support/portal.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** What has the focus: its role or element, and its name. */
const FOCUSED = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return 'nothing'
  const labels = [...(element.labels ?? [])].map(label => label.textContent).join(' ')
  const isPart = element.matches('main, form')
  const name = element.getAttribute('aria-label') ?? (labels || (isPart ? '' : element.textContent))
  return (element.getAttribute('role') ?? element.tagName.toLowerCase()) + ' ' + name.replace(' *', '').trim()
})()`

/** The most key presses that a person should need to reach something on the same screen. */
const KEYS_MAX = 45

function keyboardOf(page: Page) {
  const { keyboard } = page
  const focused = () => page.evaluate<string>(FOCUSED)
  const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
  const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' })
  /** Presses Tab until the named element has the focus, as a person does. */
  const to = async (wanted: RegExp, tab = 'Tab') => {
    const seen: string[] = []
    for (let keys = 0; keys <= KEYS_MAX; keys++) {
      const now = await focused()
      if (wanted.test(now)) return
      seen.push(now)
      await keyboard.press(tab)
    }
    throw new Error(`${wanted} is not reached by ${tab}: ${seen.join(', ')}`)
  }
  const press = async (wanted: RegExp) => {
    await to(wanted)
    await keyboard.press('Enter')
  }
  return {
    focused,
    said,
    heading,
    closed,
    to,
    press,
    key: (name: string) => keyboard.press(name),
    /** Opens a form, whose first field has the focus then; one without fields holds it itself. */
    open: async (button: RegExp, first: RegExp) => {
      await press(button)
      await page.getByRole('dialog').waitFor()
      await eventually(async () => first.test(await focused()), { what: `the focus in ${first}` })
    },
    /** Types into a field, replacing its text. */
    type: async (field: RegExp, text: string) => {
      await to(field)
      await keyboard.type(text)
    },
    /** Takes the first record that is found for the text. */
    pick: async (field: RegExp, text: string, found: RegExp) => {
      await to(field)
      await keyboard.type(text)
      await page.getByRole('option', { name: found }).waitFor()
      await keyboard.press('Enter')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
    },
    /** Goes to a screen by the navigation, backwards from the main part. */
    screen: async (link: string, title = link) => {
      await to(new RegExp(`^a ${link}$`), 'Shift+Tab')
      await keyboard.press('Enter')
      await heading(title)
    },
  }
}

test('a whole day is worked by keyboard alone: each document is booked once, and the focus is never lost', async t => {
  const shop = await service.tenant()
  const visit = await browser.visit(`${service.url}/portal/`)
  const { page } = visit
  const keys = keyboardOf(page)
  const { type, pick, open, press, screen, key, said, heading, closed, focused } = keys
  // The focus moves to the main part on a new screen, and when the button that had it is gone.
  const onMain = async () => {
    await closed()
    await page.locator('main:focus').waitFor()
  }

  await page.locator('input:focus').waitFor()
  await type(/^input API key/, shop.token)
  await key('Enter')

  // An empty tenant is guided from step to step.
  await said('First steps')
  await open(/^button New storage place/, /^input Name/)
  await type(/^input Name/, 'Hall')
  await key('Enter')
  await said('Hall is made')
  await onMain()
  await open(/^button New product/, /^input Name/)
  await type(/^input Name$/, 'Oak')
  await type(/^input SKU/, 'OAK')
  await type(/^input Purchase price/, '4')
  await key('Enter')
  await said('Oak is made')
  await onMain()
  await open(/^button New customer/, /^input Name/)
  await type(/^input Name/, 'Inn')
  await key('Enter')
  await said('Inn is made')
  await onMain()

  await screen('Products')
  await open(/^button New product/, /^input Name/)
  // A form that is left goes back to the button that opened it; one that holds something asks first.
  await key('Escape')
  await closed()
  await page.locator('button:focus', { hasText: 'New product' }).waitFor()
  await open(/^button New product/, /^input Name/)
  await key('Enter')
  await press(/^button Create/)
  // The focus is on the field that is missing.
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  t.is(await focused(), 'input Name')
  await type(/^input Name$/, 'Bench')
  await key('Escape')
  t.is(await focused(), 'button Go on')
  await key('Enter')
  t.is(await focused(), 'input Name')
  await type(/^input SKU/, 'BENCH')
  await type(/^input Price/, '50')
  await key('Enter')
  await said('Bench is made')
  await heading('Bench')
  await onMain()

  await screen('Recipes')
  await open(/^button New recipe/, /^combobox Makes/)
  await pick(/^combobox Makes/, 'bench', /Bench/)
  await pick(/^combobox Material/, 'oak', /Oak/)
  await type(/^input Quantity/, '2')
  await press(/^button Add a material/)
  // The focus moves to a new line. When a line is removed it moves to the button that adds one.
  t.is(await focused(), 'combobox Material')
  await press(/^button Remove material 2/)
  t.is(await focused(), 'button Add a material')
  await press(/^button Create/)
  await said(/The recipe of Bench is made/)
  await onMain()

  await screen('Suppliers')
  await open(/^button New supplier/, /^input Name/)
  await type(/^input Name/, 'Farm')
  await key('Enter')
  await said('Farm is made')
  await heading('Farm')
  await onMain()

  await screen('Purchase orders')
  await open(/^button New purchase order/, /^combobox Supplier/)
  await pick(/^combobox Supplier/, 'farm', /Farm/)
  await pick(/^combobox Product/, 'oak', /Oak/)
  await type(/^input Quantity/, '10')
  await key('Enter')
  await said('PO-00001 is made')
  await heading('PO-00001')
  await onMain()
  await open(/^button Receive/, /^(input|combobox) /)
  await type(/^input Quantity/, '8')
  await key('Enter')
  await said(/PR-00001/)
  await closed()
  // The rest may arrive later: the button stays until everything is received.
  t.is(await focused(), 'button Receive')
  // A form belongs to the order as it is shown: the order is read again after the dialog has closed.
  await said('Partially received')
  await open(/^button Receive/, /^(input|combobox) /)
  await press(/^button Receive/)
  await said(/PR-00002/)
  await onMain()

  await screen('Manufacturing', 'Manufacturing orders')
  await open(/^button New manufacturing order/, /^combobox Product/)
  await pick(/^combobox Product/, 'bench', /Bench/)
  await type(/^input Quantity/, '6')
  await key('Enter')
  await said('MO-00001 is made')
  await heading('MO-00001')
  await onMain()
  await open(/^button Start/, /^input /)
  await press(/^button Start/)
  // 12 are needed and 10 are in stock: the focus stays in the form after the refusal.
  await page
    .getByRole('alert')
    .getByText(/not enough OAK/)
    .waitFor()
  await page.locator('[role=dialog] button[type=submit]:focus').waitFor()
  t.is(await focused(), 'button Try again')
  await type(/^input .*Oak|^input Quantity/, '10')
  await key('Enter')
  await said('MO-00001 is started')
  await onMain()
  await open(/^button Complete/, /^input Quantity|^form /)
  await type(/^input Quantity/, '6')
  await key('Enter')
  await said('MO-00001 is done')
  await onMain()

  await screen('Sales orders')
  // An order is entered on a page of its own, where Enter moves from line to line.
  await press(/^a New sales order/)
  await page.locator('input:focus').and(page.getByLabel('Customer')).waitFor()
  await pick(/^combobox Customer/, 'inn', /Inn/)
  await pick(/^combobox Product/, 'bench', /Bench/)
  await type(/^input Quantity/, '2')
  await key('Control+Enter')
  await said('SO-00001 is made')
  await heading('SO-00001')
  await onMain()
  await open(/^button Pack/, /^input /)
  await press(/^button Pack/)
  await said(/^Packed with/)
  // Nothing is left to pack, so the button is gone.
  await onMain()
  await screen('Sales orders')
  await press(/^a SO-00001/)
  await heading('SO-00001')
  await open(/^button Ship/, /^input /)
  await press(/^button Ship/)
  await said(/^Shipped with SH-00001/)
  await onMain()

  await screen('Stock')
  await press(/^a Counts/)
  await heading('Stock counts')
  await open(/^button New count/, /^input Name/)
  await press(/^button Begin/)
  await heading('SC-00001')
  await page.locator('input:focus').and(page.getByLabel('SKU, barcode or name')).waitFor()
  await page.keyboard.type('BENCH')
  await key('Enter')
  await page
    .locator('input:focus')
    .and(page.getByLabel('Counted', { exact: true }))
    .waitFor()
  await page.keyboard.type('3')
  await key('Enter')
  await page.getByRole('table').getByText('BENCH', { exact: true }).waitFor()
  await page.locator('input:focus').and(page.getByLabel('SKU, barcode or name')).waitFor()
  await open(/^button Complete/, /^input Booked on/)
  await press(/^button Complete/)
  await said('SC-00001 is done')
  await onMain()

  // The order is found by search, and its paper is opened and closed.
  await key('Control+k')
  await page.locator('[role=dialog] input:focus').waitFor()
  await page.keyboard.type('so-00001')
  await key('Enter')
  await heading('SO-00001')
  await onMain()
  await press(/^a Packing slip/)
  await page.locator('.sheet').waitFor()
  await onMain()
  await press(/^a Back/)
  await heading('SO-00001')
  await onMain()

  await bookedOnce(t, shop)
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 422/ })
})

test('a sales order of three lines is entered by keyboard alone, for a new customer, and says at once what it comes to', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  await shop.post('/customers', { title: 'Innkeeper' })
  for (const [title, price] of [
    ['Bench', 100],
    ['Chair', 40],
    ['Stool', 20],
  ] as const)
    await shop.post('/products', { title, sku: title.toUpperCase(), price })
  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const { keyboard } = page
  const { type, pick, press, to, key, said, focused } = keyboardOf(page)
  await page.evaluate(`window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true)`)
  const form = page.getByRole('form', { name: 'New sales order' })
  const totals = form.getByRole('status', { name: 'Totals' })
  const line = (n: number) => form.getByRole('group', { name: `New line ${n}` })

  await press(/^a New sales order/)
  await page.locator('input:focus').and(form.getByLabel('Customer')).waitFor()
  // Another customer's name begins with the same letters. The last option makes a new customer of the typed text.
  await keyboard.type('Inn')
  await page.getByRole('option', { name: 'Inn is new: make it' }).waitFor()
  await key('ArrowUp')
  await key('Enter')
  await type(/^input E-mail/, 'inn@example.com')
  await type(/^input Country/, 'at')
  await to(/^input Prices are with tax/)
  await key('Space')
  await pick(/^combobox Product/, 'bench', /Bench/)
  await type(/^input Quantity/, '2')
  await type(/^input Tax, %/, '20')
  await totals.getByText('Total €200.00').waitFor()
  t.is(await line(1).getByLabel('Price with tax').getAttribute('placeholder'), '100')
  await line(1).getByText('€200.00').waitFor()
  await key('Enter')
  t.is(await focused(), 'combobox Product')
  await pick(/^combobox Product/, 'chair', /Chair/)
  await type(/^input Quantity/, '3')
  await type(/^input Discount, %/, '10')
  await line(2).getByText('€108.00').waitFor()
  await key('Enter')
  await pick(/^combobox Product/, 'stool', /Stool/)
  await type(/^input Price with tax/, '19.99')
  // 200 + 108 + 19.99, with a sixth of each line as tax.
  for (const text of ['Net €273.33', 'Tax €54.66', 'Total €327.99']) await totals.getByText(text).waitFor()
  await line(3).getByText('€19.99').waitFor()
  t.deepEqual((await shop.get('/sales-orders')).body.data, [])
  t.is((await shop.get('/customers')).body.data.length, 1)
  await fitsAll(t, page)
  await key('Control+Enter')
  await said('SO-00001 is made')
  await page.getByRole('heading', { level: 1, name: 'SO-00001' }).waitFor()
  t.is(await page.evaluate('window.clicks'), 0)

  const [made] = (await shop.get('/sales-orders')).body.data
  t.like(made, { prices_include_tax: true, total_amount: 273.33, total_amount_with_tax: 327.99 })
  const { body: customer } = await shop.get(`/customers/${made.customer.id}`)
  t.like(customer, { title: 'Inn', email: 'inn@example.com', country_code: 'AT' })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Sales orders' }).waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

/** The records that the day made, read through the API. */
async function bookedOnce(t: ExecutionContext, shop: Client) {
  const list = async (path: string) => (await shop.get(path)).body.data
  const one = async (path: string, expected: object) => {
    const all = await list(path)
    t.is(all.length, 1, path)
    t.like(all[0], expected, path)
    return all[0]
  }
  await one('/storage-places', { title: 'Hall' })
  await one('/customers', { title: 'Inn' })
  await one('/suppliers', { title: 'Farm' })
  await one('/recipes', { materials: [{ sku: 'OAK', quantity: 2 }] })
  const products = await list('/products')
  t.deepEqual(products.map(({ title }: { title: string }) => title).toSorted(), ['Bench', 'Oak'])

  await one('/purchase-orders', {
    number: 'PO-00001',
    status: 'DONE',
    items: [{ quantity: 10, received_quantity: 10 }],
  })
  const receipts: { items: { quantity: number }[] }[] = await list('/purchase-receipts?order=asc')
  t.deepEqual(
    receipts.map(({ items }) => items.map(({ quantity }) => quantity)),
    [[8], [2]],
  )
  await one('/manufacturing-orders', { number: 'MO-00001', status: 'DONE', quantity: 6, released_quantity: 6 })
  await one('/sales-orders', {
    ...{ number: 'SO-00001', delivery_status: 'SHIPPED' },
    items: [{ quantity: 2, packed_quantity: 2, shipped_quantity: 2 }],
  })
  await one('/sales-shipments', { number: 'SH-00001', items: [{ quantity: 2 }] })
  await one('/stock-counts', { number: 'SC-00001', status: 'DONE', line_count: 1, difference_count: 1 })
  await one('/stock-adjustments', { items: [{ sku: 'BENCH', quantity: -1 }] })
  t.deepEqual(await list('/stock-transfers'), [])
  const entries: { sku: string; quantity: number }[] = await list('/stock')
  t.deepEqual(Object.fromEntries(entries.map(({ sku, quantity }) => [sku, quantity])), { BENCH: 3, OAK: 0 })
}
