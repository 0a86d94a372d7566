/** Counting in a real browser, by keys alone as a scanner types: what a scan finds, what is counted, and what the completion books. */

import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a shelf is counted by SKU and barcode, batch by batch; the completion says what it will do, and does it', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const { body: oak } = await shop.post('/products', { title: 'Oak', sku: 'OAK', barcode: '4012345678901' })
  await shop.post('/products', { title: 'Milk', sku: 'MILK', batch_tracked: true })
  const oakId = oak.variants[0].id
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: oakId, quantity: 10, unit_cost: 2 }] })
  const visit = await signedIn(browser, service, shop.token, '/stock-counts')
  const { page } = visit
  await page.getByText('Nothing has been counted yet').waitFor()
  await page.getByRole('button', { name: 'New count' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shelf A')
  await dialog.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'SC-00001' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  const code = page.getByLabel('SKU, barcode or name')
  const scan = async (text: string) => {
    await code.fill(text)
    await code.press('Enter')
  }
  const focused = (label: string) => page.locator('input:focus').and(page.getByLabel(label)).waitFor()
  await scan('4999')
  await page.getByText('No variant has this SKU, barcode or name').waitFor()
  await scan('4012345678901')
  await focused('Counted')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.getByText('Counted 7 pcs × Oak').waitFor()
  await focused('SKU, barcode or name')
  await page.keyboard.type('MILK')
  await page.keyboard.press('Enter')
  await focused('Batch number')
  await page.keyboard.type('M-1')
  await page.keyboard.press('Enter')
  await focused('Counted')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.getByText('Counted 2 pcs × Milk').waitFor()
  await page.getByRole('row', { name: /Milk.*M-1/ }).waitFor()
  await scan('OAK')
  await focused('Counted')
  await page.keyboard.type('six')
  await page.keyboard.press('Enter')
  await page
    .getByText(/a number/)
    .first()
    .waitFor()
  // Goods in another corner are added. A wrong count is replaced.
  await page.getByText('7 pcs are counted already: more is added').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByLabel('Counted', { exact: true }).fill('2')
  await page.keyboard.press('Enter')
  await page.getByText('Counted 2 pcs × Oak, 9 pcs in all').waitFor()
  const { data: counts } = (await shop.get('/stock-counts')).body
  const { data: counted } = (await shop.get(`/stock-counts/${counts[0].id}/items?item_variant_id=${oakId}`)).body
  t.is(counted[0].counted_quantity, 9)
  await scan('OAK')
  await focused('Counted')
  await page.keyboard.type('6')
  await page.getByRole('button', { name: 'Count anew' }).click()
  await page.getByText('Counted 6 pcs × Oak', { exact: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])

  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await dialog.getByRole('button', { name: 'What will happen?' }).click()
  await dialog.getByText('One adjustment books the differences of 2 of 2 lines.').waitFor()
  t.is((await shop.get('/stock-counts')).body.data[0].status, 'OPEN')
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
  await page.getByText('SC-00001 is done').waitFor()
  await page.getByRole('link', { name: 'its adjustment' }).click()
  await page.getByRole('link', { name: 'what was counted' }).waitFor()
  const { data } = (await shop.get(`/availability?item_variant_id=${oakId}`)).body
  t.is(data[0].quantity, 6)

  const { body: second } = await shop.post('/stock-counts', { title: 'By mistake' })
  await page.goto(`${service.url}/portal/stock-counts/${second.id}`)
  await page.getByRole('button', { name: 'Cancel count' }).click()
  await dialog.getByRole('button', { name: 'Cancel count' }).click()
  await page.getByText('SC-00002 is cancelled').waitFor()
  await page.getByLabel('SKU, barcode or name').waitFor({ state: 'detached' })
  await keptToItself(t, visit, { service, token: shop.token })
})
