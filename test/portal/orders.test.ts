/** Orders in the portal, in a real browser: what is bought, made, sold and comes back is what the service has booked. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { builtPortal, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>alert(1)</script>`

const services = await testServices()
const service = await startService(services)
await builtPortal()
const browser = await openBrowser()
test.after.always(async () => {
  await browser.close()
  await service.close()
  await services.close()
})

type Shop = Awaited<ReturnType<typeof service.tenant>>

/** Flour is bought and bread is made of it, 2 of flour and half an hour of baking each; both are kept in batches. */
async function bakery() {
  const shop = await service.tenant()
  const { body: place } = await shop.post('/storage-places', { title: `Mill ${HOSTILE}` })
  const batched = { batch_tracked: true, shelf_life_days: 10 }
  const { body: flour } = await shop.post('/products', { title: 'Flour', sku: 'FLOUR', type: 'MATERIAL', ...batched })
  const { body: bread } = await shop.post('/products', {
    title: `Bread ${HOSTILE}`,
    sku: 'BREAD',
    price: 7,
    ...batched,
  })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  const { body: baking } = await shop.post('/operations', { title: `Baking ${HOSTILE}`, cost_per_hour: 10 })
  await shop.post('/recipes', {
    item_variant_id: breadId,
    materials: [{ item_variant_id: flourId, quantity: 2 }],
    operations: [{ operation_id: baking.id, duration: 0.5 }],
  })
  await shop.post('/suppliers', { title: `Farm ${HOSTILE}` })
  await shop.post('/customers', { title: `Inn ${HOSTILE}` })
  return { shop, place, flourId, breadId }
}

async function onStock(shop: Shop, variantId: string): Promise<number> {
  const { body } = await shop.get(`/availability?item_variant_id=${variantId}`)
  return body.data.reduce((sum: number, row: { quantity: number }) => sum + row.quantity, 0)
}

const choose = async (page: Page, label: string, q: string, option: RegExp) => {
  await page.getByRole('dialog').getByLabel(label).fill(q)
  await page.getByRole('option', { name: option }).click()
}

test('people buy, make, sell and take back through the screens, and every step is booked once', async t => {
  t.timeout(8 * 60_000)
  const { shop, flourId, breadId } = await bakery()
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const said = (text: string) => page.getByText(text).first().waitFor()

  // Buy: from the number that leads to the list.
  await page.getByRole('link', { name: /Open purchase orders/ }).click()
  await said('Nothing matches these filters')
  await press('Clear filters')
  await said('There are no purchase orders yet')
  await press('New purchase order')
  await press('Create')
  await form.getByText('choose a supplier').waitFor()
  await choose(page, 'Supplier', 'farm', /^Farm/)
  await choose(page, 'Product', 'flour', /^Flour/)
  await form.getByLabel('Quantity').fill('10.5')
  await form.getByLabel('Price').fill('1.000001')
  t.deepEqual(await seriousFaults(page), [])
  await press('Create')
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  await said('Nothing has arrived yet')

  await press('Receive')
  await form.getByLabel('Quantity').fill('11')
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await form.getByText(/req_/).waitFor()
  await form.getByLabel('Quantity').fill('4')
  await form.getByLabel('Batch').fill(`F1 ${HOSTILE}`.slice(0, 60))
  await form.getByLabel('Expires').fill('2099-01-31')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: /Receive|Try again/ }).dblclick()
  await said('Received with PR-00001')
  await said('Partially received')
  t.is(await onStock(shop, flourId), 4)

  // Without a connection nothing is booked; when it is back the same form books it once.
  await press('Receive')
  await form.getByLabel('Quarantine').check()
  await page.context().setOffline(true)
  await form.getByRole('button', { name: 'Receive', exact: true }).click()
  await page.getByText('You are offline').waitFor()
  await form.getByText('The service did not answer').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  await said('Received with PR-00002')
  await page.getByText('Done', { exact: true }).waitFor()
  const { body: receipts } = await shop.get('/purchase-receipts')
  t.deepEqual(
    receipts.data.map(({ items }: { items: { quantity: number; quarantine: boolean }[] }) =>
      items.map(({ quantity, quarantine }) => [quantity, quarantine]),
    ),
    [[[4, false]], [[6.5, true]]],
  )
  t.is(await page.getByRole('button', { name: 'Receive' }).count(), 0)

  // Make: the quarantined flour is not there for it.
  await page.getByRole('link', { name: 'Manufacturing', exact: true }).click()
  await said('Nothing is made yet')
  await press('New manufacturing order')
  await choose(page, 'Product', 'bread', /^Bread/)
  await form.getByLabel('Quantity').fill('3')
  await press('Create')
  await page.getByRole('heading', { name: 'MO-00001' }).waitFor()
  await page.getByRole('cell', { name: '€6.00', exact: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await press('Start')
  await form.getByRole('button', { name: 'Start', exact: true }).click()
  await form.getByRole('alert').getByText(/FLOUR/).waitFor()
  await form.getByLabel('Quantity of Flour').fill('3.5')
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  await said('MO-00001 is started')
  t.is(await onStock(shop, flourId), 7)

  await press('Block')
  await form.getByLabel('Reason').fill(HOSTILE)
  await form.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alert').getByText(HOSTILE).waitFor()
  t.is(await page.getByRole('button', { name: 'Complete' }).count(), 0)
  await press('Unblock')
  await form.getByRole('button', { name: 'Unblock', exact: true }).click()
  await press('Complete')
  await form.getByLabel('Quantity').fill('1')
  await form.getByLabel('Batch').fill('B-1')
  await form.getByLabel(/^Baking/).fill('0.75')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Complete', exact: true }).dblclick()
  await said('MO-00001 is done in part')
  await page.getByRole('link', { name: 'B-1' }).waitFor()

  // What somebody else does meanwhile is said before anything is booked.
  await press('Complete')
  const { body: made } = await shop.get('/manufacturing-orders')
  const order = made.data[0]
  await shop.post(`/manufacturing-orders/${order.id}/complete`, { quantity: 0.5, output_batch_number: 'B-1' })
  await form.getByRole('button', { name: 'Complete', exact: true }).click()
  await form.getByText('released quantity: 1 → 1.5').waitFor()
  t.is(await onStock(shop, breadId), 1.5)
  await form.getByLabel('Quantity').fill('1.5')
  await form.getByRole('button', { name: 'Apply again' }).click()
  await page.getByText('MO-00001 is done', { exact: true }).waitFor()
  const { body: done } = await shop.get(`/manufacturing-orders/${order.id}`)
  t.like(done, { status: 'DONE', released_quantity: 3, actual_cost: { total_cost: 11, wip_cost: 0, is_final: true } })
  await page.getByRole('cell', { name: '€11.00', exact: true }).first().waitFor()
  t.deepEqual(await seriousFaults(page), [])

  // Sell and take back.
  await page.getByRole('link', { name: 'Sales orders', exact: true }).click()
  await press('New sales order')
  await choose(page, 'Customer', 'inn', /^Inn/)
  await choose(page, 'Product', 'bread', /^Bread/)
  await form.getByLabel('Quantity').fill('2')
  await press('Create')
  await page.getByRole('heading', { name: 'SO-00001' }).waitFor()
  await press('Ship')
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await said('Shipped with SH-00001')
  t.is(await onStock(shop, breadId), 1)
  for (const quantity of ['0.5', '1.5']) {
    await press('Return')
    await form.getByLabel(/^Quantity of Bread/).fill(quantity)
    await form.getByLabel('Reason').fill(HOSTILE)
    if (quantity === '0.5') t.deepEqual(await seriousFaults(page), [])
    await form.getByRole('button', { name: 'Announce' }).dblclick()
    await page.getByRole('heading', { name: /^SR-0000/ }).waitFor()
    if (quantity === '0.5') {
      await press('Cancel return')
      await form.getByRole('button', { name: 'Cancel return', exact: true }).click()
      await page.getByText('Cancelled', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'SO-00001' }).click()
    }
  }
  t.is(await onStock(shop, breadId), 1)
  t.deepEqual(await seriousFaults(page), [])
  await press('Receive')
  await form.getByRole('button', { name: 'Receive', exact: true }).dblclick()
  await said('SR-00002 is back in stock')
  await page.getByText('€10.50').waitFor()
  t.is(await onStock(shop, breadId), 2.5)
  const { body: returns } = await shop.get('/sales-returns')
  t.deepEqual(
    returns.data.map((one: { sales_return: { status: string } }) => one.sales_return.status),
    ['CANCELLED', 'RETURNED'],
  )
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, {
    service,
    token: shop.token,
    expected: /status of (400|409|412|422)|ERR_INTERNET_DISCONNECTED/,
  })
})

test('what is over can be deleted or closed, what is not there says so, and every list fits dark colours and a phone', async t => {
  t.timeout(8 * 60_000)
  const { shop, place, flourId, breadId } = await bakery()
  const line = { item_variant_id: flourId, quantity: 3 }
  const { body: bought } = await shop.post('/purchase-orders', { supplier: { title: 'Farm' }, items: [line] })
  await shop.post(`/purchase-orders/${bought.id}/receipts`, {
    storage_place_id: place.id,
    items: [{ purchase_order_item_id: bought.items[0].id, quantity: 1 }],
  })
  const { body: made } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 1 })
  const { body: kept } = await shop.post('/manufacturing-orders', { item_variant_id: breadId, quantity: 2 })
  await shop.post('/stock-adjustments', { items: [{ item_variant_id: breadId, quantity: 5, batch_number: 'B' }] })
  const sale = { customer: { title: 'Inn' }, items: [{ item_variant_id: breadId, quantity: 2 }] }
  const { body: sold } = await shop.post('/sales-orders', sale)
  await shop.post(`/sales-orders/${sold.id}/shipments`, {})
  const returned = { sales_order_item_id: sold.items[0].id, quantity: 1, reason: HOSTILE }
  await shop.post('/sales-returns', { sales_order_id: sold.id, items: [returned] })

  const visit = await signedIn(browser, service, shop.token, `/manufacturing-orders/${made.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete' }).click()
  await form.getByRole('button', { name: 'Delete' }).dblclick()
  await page.getByText('MO-00001 is deleted').waitFor()
  await page.getByRole('link', { name: 'MO-00002' }).waitFor()
  await page.getByRole('link', { name: 'MO-00001' }).waitFor({ state: 'detached' })
  t.is((await shop.get(`/manufacturing-orders/${made.id}`)).status, 404)

  const goto = (path: string) => page.goto(`${service.url}/portal${path}`)
  await goto(`/purchase-orders/${bought.id}`)
  await page.getByRole('button', { name: 'Close short' }).click()
  await form.getByLabel('Reason').fill(HOSTILE)
  await form.getByRole('button', { name: 'Close short' }).dblclick()
  await page.getByText('Closed short').waitFor()
  t.like((await shop.get(`/purchase-orders/${bought.id}`)).body, { status: 'DONE', close_reason: HOSTILE })

  const stranger = await service.tenant()
  const foreign = `/portal/manufacturing-orders/${kept.id}`
  const other = await signedIn(browser, service, stranger.token, foreign.replace('/portal', ''))
  await other.page.getByRole('alert').getByText(/req_/).waitFor()
  t.false((await other.page.content()).includes('MO-00002'))
  t.deepEqual(await seriousFaults(other.page), [])
  await other.page.context().close()
  for (const [path, reason] of [
    ['/purchase-orders/999999999', /req_/],
    ['/sales-returns/none', 'not an id'],
  ] as const) {
    await goto(path)
    await page.getByRole('alert').getByText(reason).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  }

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, shown] of [
    [`/manufacturing-orders?status=NOT_STARTED&item_variant_id=${breadId}&type=MAKE_TO_STOCK`, 'MO-00002'],
    [`/manufacturing-orders/${kept.id}`, 'MO-00002'],
    ['/production-tasks?status=NOT_STARTED', 'Not started'],
    ['/purchase-orders?status=DONE&delivery_status=PARTIALLY_RECEIVED', 'PO-00001'],
    [`/purchase-orders/${bought.id}`, 'PR-00001'],
    [`/purchase-receipts?storage_place_id=${place.id}`, 'PR-00001'],
    [`/sales-shipments?item_variant_id=${breadId}`, 'SH-00001'],
    ['/sales-returns?status=NOT_RETURNED', 'SR-00001'],
  ] as const) {
    await goto(path)
    await page.locator('main').getByText(shown).first().waitFor()
    t.deepEqual(await seriousFaults(page), [], path)
    t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${path} on a phone`)
  }
  for (const path of ['/manufacturing-orders', '/purchase-orders', '/purchase-receipts', '/sales-returns']) {
    // What is no filter of the list is not asked for.
    await goto(`${path}?number=NONE&received_after=2999-01-01`)
    await page.getByText('Nothing matches these filters').waitFor()
  }
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 404/ })
})
