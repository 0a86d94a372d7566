/** Who did it, in the portal: every record shows who made and last changed it, and its history and the live events show who caused them. */

import { fitsAll, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a record shows who made and last changed it and its metadata, its history and the live events who did it', async t => {
  const ada = await service.tenant({ key: { userName: 'Ada' } })
  const { client: bob } = await service.key(ada.tenantId, { userName: `Bob ${HOSTILE}` })
  const { body: product } = await ada.post('/products', { title: 'Mug', sku: 'MUG', metadata: { origin: 'Meissen' } })
  const items = [{ item_variant_id: product.variants[0].id, quantity: 2 }]
  const { body: counted } = await ada.post('/stock-adjustments', { items, metadata: { sheet: '4' } })
  const { body: order } = await ada.post('/sales-orders', {
    ...{ customer: { title: 'Inn' }, items },
    metadata: { channel: 'web', note: HOSTILE },
  })
  await bob.patch(`/stock-adjustments/${counted.id}`, { notes: 'Counted again' })
  await bob.patch(`/products/${product.id}`, { category: 'Cups' })
  await bob.post(`/sales-orders/${order.id}/shipments`, {})

  const visit = await signedIn(browser, service, ada.token, `/sales-orders/${order.id}`)
  const { page } = visit
  const fact = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  const shows = async (metadata: readonly string[]) => {
    await fact('Created by').getByText('Ada').waitFor()
    await fact('Last changed by').getByText(`Bob ${HOSTILE}`).waitFor()
    const rows = page.getByRole('table', { name: 'Metadata' }).getByRole('row')
    t.deepEqual(await rows.allInnerTexts(), metadata)
    t.deepEqual(await seriousFaults(page), [])
  }
  await shows([`note\t${HOSTILE}`, 'channel\tweb'])
  const happened = page.getByRole('region', { name: 'What happened' })
  await happened
    .getByText(/, Ada$/)
    .first()
    .waitFor()
  await happened.getByText(`, Bob ${HOSTILE}`).waitFor()

  await page.goto(`${service.url}/portal/stock-adjustments/${counted.id}`)
  await shows(['sheet\t4'])
  await page.getByText('Counted again').first().waitFor()
  await page.goto(`${service.url}/portal/stock/${product.id}`)
  await shows(['origin\tMeissen'])
  await page.goto(`${service.url}/portal/webhooks/live`)
  await page
    .getByText(/^Bob .* · \d+ · /)
    .first()
    .waitFor()
  await page
    .getByText(/^Ada · \d+ · /)
    .first()
    .waitFor()
  await keptToItself(t, visit, { service, token: ada.token })
})

test('an order says who changed what of it, from what to what; two clicks show what else that person did', async t => {
  const ada = await service.tenant({ key: { userName: 'Ada' } })
  const { client: bob, keyId } = await service.key(ada.tenantId, { userName: 'Bob' })
  await service.key(ada.tenantId, { userName: 'Bob', name: 'till' })
  const { body: product } = await ada.post('/products', { title: 'Mug', sku: 'MUG' })
  const items = [{ item_variant_id: product.variants[0].id, quantity: 2 }]
  await ada.post('/stock-adjustments', { items: [{ ...items[0], quantity: 9 }] })
  const { body: order } = await ada.post('/sales-orders', { customer: { title: 'Inn' }, items })
  await bob.patch(`/sales-orders/${order.id}`, {
    ...{ notes: HOSTILE, delivery_date: '2031-05-06' },
    items: [{ id: order.items[0].id, quantity: 3 }],
  })
  await bob.patch(`/products/${product.id}`, { category: 'Cups' })
  const { body: shipment } = await bob.post(`/sales-orders/${order.id}/shipments`, {})
  await bob.post(`/sales-shipments/${shipment.id}/reverse`, { reason: 'Broken' })
  await bob.post(`/sales-orders/${order.id}/shipments`, { items: [{ sales_order_item_id: '1', quantity: 1 }] })

  const visit = await signedIn(browser, service, ada.token, `/sales-orders/${order.id}`)
  const { page } = visit
  let clicks = 0
  const click = async (name: string) => {
    clicks++
    await page.getByRole('link', { name, exact: true }).first().click()
  }
  const step = (title: string) => page.getByRole('region', { name: 'What happened' }).getByText(title).locator('..')
  const changed = step('Changed')
  await changed.getByText('MUG, quantity: 2 → 3').waitFor()
  await changed.getByText(`notes: empty → ${HOSTILE}`).waitFor()
  await changed.getByText('delivery date: empty → May 6, 2031').waitFor()
  await changed.getByRole('link', { name: 'Bob' }).waitFor()
  await step('Created').getByRole('link', { name: 'Ada' }).waitFor()
  await step('Shipped with SH-00001').getByText('delivery status: Not shipped → Shipped').waitFor()
  const reversed = step('SH-00001 was reversed')
  await reversed.getByText('Broken').waitFor()
  await reversed.getByText('MUG, shipped quantity: 3 → 0').waitFor()
  t.is(await page.getByText('updated at').count(), 0)
  await fitsAll(t, page)

  await click('Bob')
  await page.getByText('5 in all').waitFor()
  t.is(new URL(page.url()).searchParams.get('key_id'), keyId)
  await page.getByRole('row', { name: /Bob Sales order SO-00001: changed .*MUG, quantity: 2 → 3/ }).waitFor()
  await page.getByRole('row', { name: /Bob Product Mug: changed .*category: empty → Cups/ }).waitFor()
  await page.getByRole('row', { name: /Shipment SH-00001: created/ }).waitFor()
  await page.getByRole('row', { name: /Make: shipment of sales order Refused 4/ }).waitFor()
  t.is(await page.getByRole('link', { name: 'Ada' }).count(), 0)
  await fitsAll(t, page)
  await click('SO-00001')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  t.is(clicks, 2)

  await page.goto(`${service.url}/portal/requests`)
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'Ada' }).click()
  await page.getByText('3 in all').waitFor()
  await page.getByRole('row', { name: /Ada .*Sales order SO-00001: created/ }).waitFor()
  await page.getByRole('row', { name: /Ada Product Mug: created/ }).waitFor()
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: ada.token })

  const { client: seller } = await service.key(ada.tenantId, { scopes: ['read:sales', 'read:catalog', 'read:stock'] })
  const other = await signedIn(browser, service, seller.token, `/sales-orders/${order.id}`)
  await other.page.getByText('SH-00001 was reversed').waitFor()
  await other.page.getByRole('note').getByText('read:webhooks').waitFor()
  t.is(await other.page.getByText('Changed', { exact: true }).count(), 0)
  await keptToItself(t, other, { service, token: seller.token })
})

test('the history of an old order is looked for further back', async t => {
  const ada = await service.tenant({ key: { userName: 'Ada', ratePerMinute: 60_000, burst: 300 } })
  const { body: product } = await ada.post('/products', { title: 'Mug' })
  const body = { customer: { title: 'Inn' }, items: [{ item_variant_id: product.variants[0].id, quantity: 1 }] }
  const { body: made } = await ada.post('/sales-orders', body)
  await ada.patch(`/sales-orders/${made.id}`, { notes: 'Ring twice' })
  const { body: other } = await ada.post('/sales-orders', body)
  const requests = Array.from({ length: 100 }, (_, index) => ({
    ...{ method: 'PATCH', path: `/sales-orders/${other.id}`, idempotency_key: `change-${index}` },
    body: { notes: `Ring ${index} times` },
  }))
  t.is((await ada.request('POST', '/bulk', { key: null, body: { requests } })).status, 200)
  const { page } = await signedIn(browser, service, ada.token, `/sales-orders/${made.id}`)
  await page.getByText(/^Changes before .* are not shown/).waitFor()
  t.is(await page.getByText('notes: empty → Ring twice').count(), 0)
  await page.getByRole('button', { name: 'Look further back' }).click()
  await page.getByText('notes: empty → Ring twice').waitFor()
  await page.getByRole('button', { name: 'Look further back' }).waitFor({ state: 'detached' })
  t.pass()
})
