/** Work with stock in the portal, in a real browser: what moved and why, what is expired, and goods that are moved, scrapped and called back. */
import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** The cells of the one row of a table that has this text. */
const cells = async (page: Page, table: string, name: RegExp) => {
  const row = page.getByRole('table', { name: table, exact: true }).getByRole('row', { name })
  await row.first().waitFor()
  return row.first().getByRole('cell').allTextContents()
}

test('every movement names its document, reason, notes and person, and one of value alone shows its value', async t => {
  const shop = await service.tenant({ key: { userName: 'Ada' } })
  const { made } = shop
  const hall = await made('/storage-places', { title: 'Hall' })
  const flour = await made('/products', { title: 'Flour', sku: 'FLOUR', type: 'MATERIAL' })
  const bread = await made('/products', { title: 'Bread', sku: 'BREAD', price: 7 })
  const [variant, loaf] = [flour.variants[0].id, bread.variants[0].id]
  const baking = await made('/operations', { title: 'Baking', cost_per_hour: 10 })
  await made('/recipes', {
    item_variant_id: loaf,
    materials: [{ item_variant_id: variant, quantity: 2 }],
    operations: [{ operation_id: baking.id, duration: 0.5 }],
  })
  const bought = await made('/purchase-orders', {
    supplier: { title: 'Farm' },
    items: [{ item_variant_id: variant, quantity: 10, price: 1 }],
  })
  const received = await made(`/purchase-orders/${bought.id}/receipts`, {
    storage_place_id: hall.id,
    notes: HOSTILE,
    items: [{ purchase_order_item_id: bought.items[0].id, quantity: 10 }],
  })
  await made('/landed-costs', { purchase_receipt_id: received.id, items: [{ title: 'Freight', amount: 12.5 }] })
  const lost = await made('/stock-adjustments', {
    reason: 'DAMAGE',
    notes: 'A wet sack',
    items: [{ item_variant_id: variant, quantity: -1 }],
  })
  await made(`/stock-adjustments/${lost.id}/reverse`, { reason: 'It had dried' })
  const order = await made('/manufacturing-orders', { item_variant_id: loaf, quantity: 2, notes: 'For the fair' })
  await made(`/manufacturing-orders/${order.id}/start`, {})

  const visit = await signedIn(browser, service, shop.token, `/stock/${flour.id}/${variant}`)
  const { page } = visit
  const shown = async (name: RegExp) => (await cells(page, 'Movements', name)).slice(1)
  const [what, place, , quantity] = await shown(/Manufacturing write off/)
  t.regex(what ?? '', /MO-00001For the fair/)
  t.deepEqual([place, quantity], ['Hall', '-4 pcs'])
  t.regex((await shown(/Reversal/))[0] ?? '', /SA-00001It had dried/)
  t.regex((await shown(/^.*Adjustment SA-00001, reversed/))[0] ?? '', /Damage · A wet sack/)
  const [cost, , , value] = await shown(/Landed cost/)
  t.regex(cost ?? '', /LC-00001/)
  t.is(value, '+€12.50')
  t.regex((await shown(/Purchase receipt/))[0] ?? '', /PR-00001<img/)
  const movements = page.getByRole('table', { name: 'Movements' })
  t.is(
    await movements.getByRole('link', { name: 'SA-00001' }).first().getAttribute('href'),
    `/portal/stock-adjustments/${lost.id}`,
  )
  t.is(await movements.getByRole('cell', { name: 'Ada' }).count(), 5)
  t.deepEqual(await seriousFaults(page), [])

  await page.goto(`${service.url}/portal/production-tasks`)
  t.deepEqual((await cells(page, 'Production tasks', /Baking.*pcs/)).slice(0, 3), [
    'Baking',
    'MO-00001',
    '2 pcs × Bread',
  ])
  await keptToItself(t, visit, { service, token: shop.token })
})

/** Flour of three batches: one that is good at two places, one that is expired, and one in quarantine. */
async function batches(shop: Client) {
  const { made } = shop
  const hall = await made('/storage-places', { title: 'Hall' })
  const yard = await made('/storage-places', { title: 'Yard' })
  const flour = await made('/products', { title: 'Flour', sku: 'FLOUR', price: 2, batch_tracked: true })
  const variant = flour.variants[0].id
  const item = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...{ item_variant_id: variant, batch_number, quantity, expiry_date, unit_cost: 2 },
  })
  await made('/stock-adjustments', {
    items: [item('GOOD', 10, '2099-01-31'), item('OLD', 4, '2020-01-31'), item('KEPT', 3, '2099-03-31')],
  })
  const found = await shop.get('/batches')
  const idOf = (number: string): string =>
    found.body.data.find((batch: { number: string }) => batch.number === number).id
  await made('/stock-transfers', {
    ...{ from_storage_place_id: hall.id, to_storage_place_id: yard.id },
    items: [{ item_variant_id: variant, batch_id: idOf('GOOD'), quantity: 2 }],
  })
  await made('/stock-transfers', {
    ...{ from_storage_place_id: hall.id, to_storage_place_id: hall.id },
    items: [{ item_variant_id: variant, batch_id: idOf('KEPT'), quantity: 3, to_quarantine: true }],
  })
  return { made, hall, yard, flour, variant, idOf }
}

test('expired and quarantined goods are marked wherever they are shown, and are available nowhere', async t => {
  const shop = await service.tenant()
  const { flour, variant, idOf } = await batches(shop)
  const visit = await signedIn(browser, service, shop.token, '/stock')
  const { page } = visit
  // 15 in the hall, of which 4 are expired and 3 in quarantine.
  t.deepEqual((await cells(page, 'Stock', /Hall/)).slice(3), ['15 pcs', '3 pcs', '4 pcs', '0 pcs', '0 pcs', '8 pcs'])
  await page.getByText('4 pcs expired, 3 pcs in quarantine').waitFor()
  t.deepEqual((await cells(page, 'Stock', /Yard/)).slice(3), ['2 pcs', '0 pcs', '0 pcs', '0 pcs', '0 pcs', '2 pcs'])
  t.deepEqual(await seriousFaults(page), [])
  await page.goto(`${service.url}/portal/stock?q=OLD`)
  t.deepEqual((await cells(page, 'Stock', /Batch OLD/)).slice(3), [
    '4 pcs',
    '0 pcs',
    '4 pcs',
    '0 pcs',
    '0 pcs',
    '0 pcs',
  ])

  await page.goto(`${service.url}/portal/stock/batches`)
  const marks = async (table: string) => {
    const rows = page.getByRole('table', { name: table, exact: true }).getByRole('row')
    await rows.filter({ hasText: 'OLD' }).getByText('expired').first().waitFor()
    await rows.filter({ hasText: 'KEPT' }).getByText('in quarantine').first().waitFor()
    t.is(
      await rows
        .filter({ hasText: 'GOOD' })
        .getByText(/expired|in quarantine/)
        .count(),
      0,
      table,
    )
  }
  await marks('Stock by place and batch')
  await page.goto(`${service.url}/portal/trace`)
  await marks('Trace')
  await page.goto(`${service.url}/portal/trace/${idOf('OLD')}`)
  await page.getByText('expired', { exact: true }).first().waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.goto(`${service.url}/portal/stock/${flour.id}`)
  await page.getByRole('cell', { name: '10 pcs', exact: true }).waitFor()
  await page.getByRole('cell', { name: '17 pcs', exact: true }).waitFor()
  t.deepEqual((await cells(page, 'Variants', /FLOUR/)).slice(-3), ['17 pcs', '4 pcs', '10 pcs'])
  await page.goto(`${service.url}/portal/stock/${flour.id}/${variant}`)
  await marks('By place and batch')
  await marks('Batches')
  const facts = (await page.locator('dl').first().textContent()) ?? ''
  t.regex(facts, /On hand, all places17 pcsOf it in quarantine3 pcs.*Expired4 pcs.*Available10 pcs/)
  t.is((await cells(page, 'By place and batch', /OLD/))[8], '0 pcs')
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Batch', exact: true }).click()
  await page.getByRole('option', { name: 'OLD, to Jan 31, 2020, expired: 4' }).waitFor()
  await page.getByRole('option', { name: 'KEPT, to Mar 31, 2099, in quarantine: 3' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token })
})

test('rows of stock are moved, quarantined and scrapped together, and a batch is called back in one step', async t => {
  const shop = await service.tenant()
  const { hall, yard, idOf } = await batches(shop)
  const visit = await signedIn(browser, service, shop.token, '/stock/batches')
  const { page } = visit
  const form = page.getByRole('dialog')
  const said = (text: string) => page.getByText(text).first().waitFor()
  const there = async () =>
    Object.fromEntries(
      (await shop.get('/stock?limit=200')).body.data
        .filter(({ quantity }: { quantity: number }) => quantity > 0)
        .map(
          (row: { batch_number: string; storage_place_id: string; quantity: number; quarantine_quantity: number }) => [
            `${row.batch_number} ${row.storage_place_id === hall.id ? 'hall' : 'yard'}`,
            `${row.quantity}, ${row.quarantine_quantity} kept`,
          ],
        ),
    )

  // The steps are done by keyboard alone.
  for (const name of [/batch GOOD, Hall/, /batch KEPT, Hall/]) {
    await page.getByRole('checkbox', { name }).focus()
    await page.keyboard.press('Space')
  }
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Transfer', exact: true }).focus()
  await page.keyboard.press('Enter')
  await form.getByRole('combobox', { name: 'To' }).click()
  await page.getByRole('option', { name: 'Yard' }).click()
  await form.getByLabel('Quantity of Flour, batch GOOD, Hall').fill('9')
  await form.getByRole('button', { name: 'Transfer', exact: true }).click()
  await form.getByText('more than is there').waitFor()
  await form.getByLabel('Quantity of Flour, batch GOOD, Hall').fill('5')
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText(/^5 pcs × Flour, batch GOOD/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Transfer', exact: true }).dblclick()
  await said('Done with ST-00003')
  await form.waitFor({ state: 'detached' })
  t.deepEqual(await there(), {
    'GOOD hall': '3, 0 kept',
    'OLD hall': '4, 0 kept',
    'GOOD yard': '7, 0 kept',
    'KEPT yard': '3, 3 kept',
  })
  const { body: transfers } = await shop.get('/stock-transfers?order=desc&limit=1')
  t.is(transfers.data[0].items.length, 2)
  t.is(await page.getByRole('checkbox', { checked: true }).count(), 0)

  // A batch is recalled from all places in one step.
  await page.goto(`${service.url}/portal/trace/${idOf('GOOD')}`)
  await page.getByRole('table', { name: 'Where it lies', exact: true }).getByText('Yard').waitFor()
  await page.getByRole('button', { name: 'Quarantine all of it' }).click()
  await form.getByLabel('Notes').fill(HOSTILE)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Quarantine all of it' }).dblclick()
  await said('Done with ST-00004, ST-00005')
  await page.getByText('in quarantine', { exact: true }).first().waitFor()
  t.is(await page.getByRole('button', { name: 'Quarantine all of it' }).count(), 0)

  // Scrapped goods leave quarantine first, in the same step.
  await page.getByRole('checkbox', { name: /Yard/ }).check()
  await page.getByRole('button', { name: 'Scrap' }).click()
  await form.getByLabel(/^Quantity of/).fill('1.5')
  await form.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Loss' }).click()
  await form.getByRole('button', { name: 'Scrap' }).click()
  await said('Done with ST-00006, SA-00002')
  t.deepEqual(await there(), {
    'GOOD hall': '3, 3 kept',
    'OLD hall': '4, 0 kept',
    'GOOD yard': '5.5, 5.5 kept',
    'KEPT yard': '3, 3 kept',
  })
  const { body: adjustments } = await shop.get('/stock-adjustments?order=desc&limit=1')
  t.deepEqual([adjustments.data[0].reason, adjustments.data[0].storage_place_id], ['LOSS', yard.id])
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a batch is chosen when goods are shipped; what is expired or in quarantine cannot be', async t => {
  const shop = await service.tenant()
  const { made, hall, variant } = await batches(shop)
  await made('/stock-adjustments', {
    storage_place_id: hall.id,
    items: [{ item_variant_id: variant, batch_number: 'SOON', quantity: 5, expiry_date: '2098-01-01' }],
  })
  const sold = await made('/sales-orders', {
    customer: { title: 'Inn' },
    items: [{ item_variant_id: variant, quantity: 3 }],
  })
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sold.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  await form.getByRole('combobox', { name: 'Batch of Flour' }).click()
  const option = (name: RegExp) => page.getByRole('option', { name })
  await option(/^SOON/).waitFor()
  t.deepEqual(
    await Promise.all([/^OLD/, /^KEPT/, /^GOOD/].map(name => option(name).getAttribute('data-combobox-disabled'))),
    ['true', 'true', null],
  )
  await option(/^GOOD/).click()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Ship', exact: true }).dblclick()
  await page.getByText('Shipped with SH-00001').first().waitFor()
  const { body: left } = await shop.get(`/stock?storage_place_id=${hall.id}&batch_number=GOOD`)
  t.is(left.data[0].quantity, 5)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a place is counted on a phone: by words, with the batches that lie there', async t => {
  const shop = await service.tenant()
  const { made } = await batches(shop)
  await made('/products', { title: 'Flour sieve', sku: 'SIEVE', barcode: '4012345678901' })
  const count = await made('/stock-counts', { title: 'Shelf A' })
  const visit = await signedIn(browser, service, shop.token, `/stock-counts/${count.id}`, { width: 390, height: 844 })
  const { page } = visit
  const code = page.getByLabel('SKU, barcode or name')
  await code.waitFor()
  // The field is visible without scrolling.
  const box = await page.getByLabel('Counted', { exact: true }).boundingBox()
  t.true(box !== null && box.y + box.height <= 844)
  // A part of a barcode does not find its product by itself.
  await code.fill('34567890')
  await code.press('Enter')
  await page.getByRole('button', { name: 'Flour sieve · SIEVE' }).waitFor()
  await code.fill('flour')
  await code.press('Enter')
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Flour · FLOUR' }).click()
  const batch = page.getByLabel('Batch number')
  await page.locator('datalist option').first().waitFor({ state: 'attached' })
  t.deepEqual(
    await page.evaluate('[...document.querySelectorAll("datalist option")].map(option => option.value).toSorted()'),
    ['GOOD', 'KEPT', 'OLD'],
  )
  await batch.fill('GOOD')
  await batch.press('Enter')
  await page.getByLabel('Counted', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Count it' }).click()
  await page.getByText('Counted 7 pcs × Flour').waitFor()
  const { body: lines } = await shop.get(`/stock-counts/${count.id}/items`)
  t.deepEqual(
    lines.data.map(({ counted_quantity, expected_quantity }: Record<string, number>) => [
      counted_quantity,
      expected_quantity,
    ]),
    [[7, 8]],
  )
  t.deepEqual(await seriousFaults(page), [])
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what one costs has every digit, what several are worth the decimals of the currency', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const { body: oil } = await shop.post('/products', { title: 'Oil', sku: 'OIL' })
  const { id } = oil.variants[0]
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: id, quantity: 3, unit_cost: 1.1111 }] })
  const { page } = await signedIn(browser, service, shop.token, `/stock/${oil.id}/${id}`)
  const row = page.getByRole('table', { name: 'By place and batch' }).getByRole('row').nth(1)
  await row.getByText('€1.1111', { exact: true }).waitFor()
  await row.getByText('€3.33', { exact: true }).waitFor()
  t.is(await row.getByText('€3.33', { exact: true }).getAttribute('title'), '€3.3333')
  t.true((await cells(page, 'Movements', /Adjustment/)).includes('€3.33'))
})
