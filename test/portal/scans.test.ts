/** Scans in a real browser, typed as a scanner types: they count, receive and pick, and find records. Batch and expiry fill the form. */
import { openBrowser } from '../support/browser.ts'
import { FNC1, testCamera } from '../support/camera.ts'
import { eventually } from '../support/eventually.ts'
import { formOf, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const GTIN = '09521234543213'

test('a batch and its expiry read from a code are counted, received, picked and found', async t => {
  const shop = await service.tenant()
  const made = async (path: string, body: object) => (await shop.post(path, body)).body
  await made('/storage-places', { title: 'Hall' })
  const milk = await made('/products', {
    ...{ title: 'Milk', sku: 'MILK', batch_tracked: true },
    barcodes: ['M-PIECE', '9521234543213'],
  })
  // The titles of these products contain the code.
  for (let n = 0; n < 3; n++) await made('/products', { title: `Crate ${n} for M-PIECE`, sku: `CRATE-${n}` })
  const items = [{ item_variant_id: milk.variants[0].id, quantity: 5 }]
  const count = await made('/stock-counts', { title: 'Shelf A' })
  const buy = await made('/purchase-orders', { supplier: { title: 'Dairy' }, items })
  const sale = await made('/sales-orders', { customer: { title: 'Inn' }, items: [{ ...items[0], quantity: 2 }] })

  const visit = await signedIn(browser, service, shop.token, `/stock-counts/${count.id}`)
  const { page } = visit
  const focused = (label: string) => page.locator('input:focus').and(page.getByLabel(label)).waitFor()
  const code = page.getByLabel('SKU, barcode or name')
  await code.fill(`]C101${GTIN}1727113`)
  await code.press('Enter')
  await page.getByText(/are expected, in \(17\)/).waitFor()
  // What is typed next takes the place of a code that nothing has.
  await page.waitForFunction('document.activeElement.selectionStart < document.activeElement.selectionEnd')
  await code.fill(`]C101${GTIN}1749113010LOT-1`)
  await code.press('Enter')
  await focused('Counted')
  t.is(await page.getByLabel('Batch number').inputValue(), 'LOT-1')
  t.is(await page.getByLabel('Expires').inputValue(), '2049-11-30')
  t.deepEqual(await seriousFaults(page), [])
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.getByText('Counted 3 pcs × Milk').waitFor()
  await shop.post(`/stock-counts/${count.id}/complete`, {})
  const { body: batches } = await shop.get('/batches?number=LOT-1')
  t.like(batches.data[0], { expiry_date: '2049-11-30', quantity: 3 })

  const dialog = formOf(page)
  const scan = async (text: string) => {
    await dialog.getByLabel('Scan').fill(text)
    await dialog.getByLabel('Scan').press('Enter')
  }
  await page.goto(`${service.url}/portal/purchase-orders/${buy.id}`)
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await scan('CRATE-1')
  await dialog.getByText('No line of the order waits for this').waitFor()
  await scan(`(01)${GTIN}(17)481231(10)LOT-2`)
  await focused('Quantity')
  t.is(await dialog.getByLabel('Batch', { exact: true }).inputValue(), 'LOT-2')
  t.is(await dialog.getByLabel('Expires').inputValue(), '2048-12-31')
  t.deepEqual(await seriousFaults(page), [])
  await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
  await page.getByText(/Received with PR-/).waitFor()

  await page.goto(`${service.url}/portal/sales-orders/${sale.id}`)
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  await scan(`(01)${GTIN}(10)LOT-9`)
  await dialog.getByText('There is no batch LOT-9').waitFor()
  // The label of a batch contains its number.
  await scan('LOT-1')
  await focused('Quantity of Milk')
  t.regex(await dialog.getByRole('combobox', { name: 'Batch of Milk' }).inputValue(), /^LOT-1/)
  await dialog.getByLabel('Carrier').fill('Post')
  await dialog.getByLabel('Tracking number').fill('T1')
  await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
  await page.getByText(/Shipped with SH-/).waitFor()
  const { body: shipments } = await shop.get(`/sales-shipments?sales_order_id=${sale.id}`)
  t.is(shipments.data[0].items[0].batch_id, batches.data[0].id)
  t.like(shipments.data[0], { carrier: 'Post', tracking_number: 'T1' })

  await page.goto(`${service.url}/portal/sales-orders`)
  await page.getByRole('link', { name: 'New sales order' }).click()
  const product = dialog.getByLabel('Product')
  for (const text of ['M-PIECE', '9521234543213', `(01)${GTIN}(10)LOT-1`, 'LOT-2']) {
    await product.fill(text)
    await product.press('Enter')
    await eventually(async () => (await product.inputValue()) === 'Milk')
    await dialog.getByRole('button', { name: 'Clear Product' }).or(product).first().click()
  }
  await page.goto(`${service.url}/portal/`)
  const found = async (text: string, heading: string) => {
    await page.keyboard.press('Control+k')
    const find = page.getByRole('combobox', { name: 'Find' })
    await find.fill(text)
    await find.press('Enter')
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  await page.getByRole('button', { name: 'Find' }).waitFor()
  await found(`(01)${GTIN}(10)LOT-1`, 'Milk')
  await found('M-PIECE', 'Milk')
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})

test('a camera counts and receives as a scanner does, by the browser or by a library that is loaded only then', async t => {
  const camera = await testCamera()
  const seeing = await openBrowser(camera.args)
  t.teardown(() => seeing.close())
  const shop = await service.tenant()
  const made = async (path: string, body: object) => (await shop.post(path, body)).body
  await made('/storage-places', { title: 'Hall' })
  const milk = await made('/products', { title: 'Milk', sku: 'MILK', batch_tracked: true, barcode: GTIN })
  const items = [{ item_variant_id: milk.variants[0].id, quantity: 5 }]
  const count = await made('/stock-counts', { title: 'Shelf A' })
  const buy = await made('/purchase-orders', { supplier: { title: 'Dairy' }, items })
  const visit = await signedIn(seeing, service, shop.token, `/stock-counts/${count.id}`, { width: 390, height: 844 })
  const { page } = visit
  const isReader = (url: string) => /code-library|\.wasm$/.test(url)
  const scan = page.getByRole('button', { name: 'Use the camera' })
  const focused = (label: string) => page.locator('input:focus').and(page.getByLabel(label)).waitFor()

  await camera.show(`${FNC1}01${GTIN}1749113010LOT-1`)
  t.false(visit.requests.some(isReader))
  await scan.click()
  await focused('Counted')
  t.is(visit.requests.filter(isReader).length, 2)
  t.is(await page.getByLabel('Batch number').inputValue(), 'LOT-1')
  t.is(await page.getByLabel('Expires').inputValue(), '2049-11-30')
  await page.getByLabel('What the camera sees').waitFor({ state: 'detached' })
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.getByText('Counted 3 pcs × Milk').waitFor()

  // The camera sees no code: it stays on until it is switched off.
  await camera.show(null)
  await scan.click()
  await page.getByLabel('What the camera sees').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await scan.click()
  await page.getByLabel('What the camera sees').waitFor({ state: 'detached' })

  // A browser that reads codes itself. This one gives the text that an Android phone gives for an element string.
  await page.addInitScript(`window.BarcodeDetector = class {
    static getSupportedFormats = async () => ['code_128']
    detect = async () => [{ rawValue: '\\u001d01${GTIN}1748123110LOT-2' }]
  }`)
  await page.goto(`${service.url}/portal/purchase-orders/${buy.id}`)
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await scan.click()
  await focused('Quantity')
  t.is(await page.getByLabel('Batch', { exact: true }).inputValue(), 'LOT-2')
  t.is(await page.getByLabel('Expires').inputValue(), '2048-12-31')
  t.is(visit.requests.filter(isReader).length, 2)

  // A message says that the camera is not allowed.
  await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException('no', 'NotAllowedError')
  }`)
  await scan.click()
  await page.getByRole('alert').getByText('allow it for this page').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token })
})
