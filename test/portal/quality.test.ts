/** Traces, webhooks and security in the portal, in a real browser: the screens show and do what the API does. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { fitsAll, keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe, subscriptionOf, webhookBench } from '../webhooks/bench.ts'
import { receiver } from '../webhooks/receiver.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const test = testsOf(import.meta)

const { browser } = await portalService()
const service = ofTests(test, webhookBench)

/** The text of the file that this button makes, without its byte order mark. */
async function downloaded(page: Page, name: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return (await readFile(await (await coming).path(), 'utf8')).replace(/^\uFEFF/, '')
}

test('a batch is found, shown both ways, and its customers to call are told, also as files without formulas', async t => {
  const shop = await service.tenant()
  const { made } = shop
  const variant = async (title: string, sku: string) =>
    (await made('/products', { title, sku, batch_tracked: true, is_producible: true })).variants[0].id
  const place = await makePlace(shop, 'Roastery')
  const [green, roast] = [await variant(`Green ${HOSTILE}`, 'GREEN'), await variant('Roast', 'ROAST')]
  const lot = '=HYPERLINK("https://example.com","G-1")'
  await made('/stock-adjustments', {
    storage_place_id: place.id,
    items: [{ item_variant_id: green, quantity: 10, unit_cost: 2, batch_number: lot }],
  })
  await made('/recipes', { item_variant_id: roast, materials: [{ item_variant_id: green, quantity: 0.5 }] })
  const order = await made('/manufacturing-orders', { item_variant_id: roast, quantity: 5 })
  await made(`/manufacturing-orders/${order.id}/start`, {})
  await made(`/manufacturing-orders/${order.id}/complete`, { output_batch_number: 'R-1' })
  const customer = await made('/customers', { title: '@SUM(1+1), "Inn"', phone: '+49 421 1', email: 'inn@example.com' })
  for (const quantity of [1.000001, 2]) {
    const sold = await made('/sales-orders', {
      customer_id: customer.id,
      items: [{ item_variant_id: roast, quantity }],
    })
    await made(`/sales-orders/${sold.id}/shipments`, {})
  }

  const visit = await signedIn(browser, service, shop.token, '/trace')
  const { page } = visit
  await page.getByRole('link', { name: 'R-1', exact: true }).waitFor()
  await fitsAll(t, page)
  await page.getByLabel('Batch number').fill('R-2')
  await page.getByLabel('Batch number').press('Enter')
  await page.getByText('Nothing matches these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Batch number').fill(lot)
  await page.getByLabel('Batch number').press('Enter')
  await page.getByRole('link', { name: 'R-1', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: lot, exact: true }).click()

  await page.getByRole('heading', { name: `Batch ${lot}` }).waitFor()
  const call = page.getByRole('region', { name: 'Customers to call' }).first()
  await call.getByText('3.000001 pcs × Roast').waitFor()
  await call.getByText('SH-00001').waitFor()
  await call.getByText('+49 421 1').waitFor()
  await fitsAll(t, page)
  const forward = page.getByRole('region', { name: 'Where it went' }).first()
  await forward.getByText('2.5 pcs').waitFor()
  t.deepEqual(await forward.locator('.trace-quantity').allTextContents(), [
    '2.5 pcs',
    '7.5 pcs',
    '5 pcs',
    '1.000001 pcs',
    '2 pcs',
    '1.999999 pcs',
  ])
  // The next step can be reached by keyboard.
  await forward.getByRole('link', { name: /R-1/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Batch R-1' }).waitFor()
  const backward = page.getByRole('region', { name: 'Where it came from' }).first()
  await backward.getByRole('link', { name: /HYPERLINK/ }).waitFor()
  await backward.getByText('Table', { exact: true }).click()
  await backward
    .getByRole('cell', { name: `Green ${HOSTILE}` })
    .first()
    .waitFor()
  t.is(await backward.getByRole('row').count(), 1 + 3)
  t.deepEqual(await seriousFaults(page), [])

  const { body: trace } = await shop.get(`/batches?number=R-1`)
  const { id } = trace.data[0]
  const customers = await downloaded(page, 'Customers to call as CSV')
  t.deepEqual(customers.split('\r\n').slice(0, 3), [
    'customer,country_code,phone,email,sku,title,batch_number,shipped_quantity,returned_quantity,shipments',
    `"'@SUM(1+1), ""Inn""",,'+49 421 1,inn@example.com,ROAST,Roast,R-1,3.000001,0,SH-00001 SH-00002`,
    '',
  ])
  const rows = (await downloaded(page, 'Where it came from as CSV')).split('\r\n')
  t.is(rows.length, 2 + (await shop.get(`/batches/${id}/trace?direction=backward`)).body.rows.length)
  t.true(rows.some(row => row.startsWith(`1,CONSUMED,2.5,"'=HYPERLINK(""https://example.com"",""G-1"")",GREEN,`)))
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a subscription is made, tested, changed, rotated, recovered and deleted, and every delivery tells what was sent', async t => {
  const shop = await service.tenant()
  const hook = await receiver()
  t.teardown(() => hook.close())
  const visit = await signedIn(browser, service, shop.token, '/webhooks')
  const { page } = visit
  const form = page.getByRole('dialog')
  /** Opens the form of a step, and sends it. */
  const step = async (name: string, submit = name) => {
    await page.getByRole('button', { name, exact: true }).click()
    await form.getByRole('button', { name: submit, exact: true }).last().click()
  }
  const idle = () => form.waitFor({ state: 'detached' })

  await page.getByText('Nobody is told of events yet').waitFor()
  await step('New subscription', 'Create')
  await form.getByText('where to send events to').waitFor()
  await form.getByLabel('Address').fill('http://169.254.169.254/latest')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText(/req_/).waitFor()
  await form.getByLabel('Address').fill(hook.url)
  await form.getByLabel('What it is for').fill(`Shop ${HOSTILE}`)
  await form.getByRole('switch').click()
  await form.getByRole('combobox', { name: 'Events' }).fill('storage_place.cr')
  await page.getByRole('option', { name: 'storage_place.created' }).click()
  await form.getByLabel('What it is for').click()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Try again' }).dblclick()
  const secret = page.getByText(/^whsec_/)
  const first = (await secret.textContent()) ?? ''
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('heading', { name: `Shop ${HOSTILE}` }).waitFor()
  t.false((await visit.stored()).includes(first))
  const [made, ...others] = (await shop.get('/webhook-subscriptions')).body.data
  t.deepEqual([made.events, others], [['storage_place.created'], []])

  await page.getByText('Nothing was sent yet').waitFor()
  await step('Send a test', 'Send')
  await idle()
  const shown = page.getByRole('region', { name: 'Deliveries' }).first()
  await shown.getByRole('link', { name: 'webhook.test' }).waitFor()
  await shown.getByText('Succeeded').waitFor()
  await makePlace(shop, `Hall ${HOSTILE}`)
  await shown.getByRole('link', { name: 'storage_place.created' }).click()
  await form.getByText('"sequence"').waitFor()
  const sent = await form.getByRole('region', { name: 'What was sent' }).textContent()
  const arrived = await eventually(() => hook.arrivals.find(({ body }) => body.type === 'storage_place.created'))
  t.deepEqual(JSON.parse(sent ?? ''), arrived.body)
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('dialog', { name: 'Send again' }).getByRole('button', { name: 'Send again' }).click()
  await eventually(() => hook.arrivals.filter(({ body }) => body.id === arrived.body.id).length === 2)
  await form.getByRole('button', { name: 'Close' }).click()
  await idle()
  await fitsAll(t, page)

  // A delivery changes the record, but none of the fields that this form shows.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await shop.post(`/webhook-subscriptions/${made.id}/test`, {})
  await eventually(async () => (await deliveriesOf(shop, made.id)).every(({ status }) => status === 'succeeded'))
  await form.getByLabel('What it is for').fill('Shop')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor()
  await idle()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await shop.patch(`/webhook-subscriptions/${made.id}`, { description: 'Till' })
  await form.getByLabel('What it is for').fill('Market')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('description: Shop → Till').waitFor()
  await form.getByRole('button', { name: 'Apply again' }).click()
  await page.getByRole('heading', { name: 'Market' }).waitFor()
  await idle()

  await step('Disable')
  await page.getByText('Disabled', { exact: true }).waitFor()
  await idle()
  for (const title of ['A', 'B']) await makePlace(shop, title)
  await step('Enable')
  await page.getByText('Active', { exact: true }).waitFor()
  await idle()
  await step('Recover', 'Send')
  await page.getByText('Nothing of it waits any more').waitFor()
  t.deepEqual(
    hook.arrivals.map(({ body }) => body.data.title).filter(title => ['A', 'B'].includes(title)),
    ['A', 'B'],
  )
  await step('Rotate secret', 'Rotate')
  t.not(await secret.textContent(), first)
  await page.getByRole('button', { name: 'I have kept it' }).click()

  hook.answer(response => response.writeHead(500).end())
  await makePlace(shop, 'C')
  await page.getByText('Why it failed').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Pending' }).click()
  await page.keyboard.press('Escape')
  await shown.getByRole('cell', { name: '500' }).waitFor()
  // A delivery that failed and is tried again is shown as failing and not as pending.
  await shown.getByText('Failing').waitFor()
  t.is(await shown.getByRole('cell', { name: 'Pending' }).count(), 0)
  t.is(await shown.getByText('Succeeded').count(), 0)
  t.regex(page.url(), /status=pending/)
  t.is((await subscriptionOf(shop, made.id)).consecutive_failures > 0, true)
  await step('Delete')
  await page.getByText('Nobody is told of events yet').waitFor()
  t.deepEqual((await shop.get('/webhook-subscriptions')).body.data, [])
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of (400|404|412)/ })
})

test('events show as they happen, can be paused without missing one, and each kind has a schema and an example', async t => {
  const shop = await service.tenant()
  await makePlace(shop, `Before ${HOSTILE}`)
  const visit = await signedIn(browser, service, shop.token, '/webhooks/live')
  const { page } = visit
  const event = (title: string) => page.getByRole('button', { name: `storage_place.created ${title}` })
  await event(`Before ${HOSTILE}`).waitFor()
  await makePlace(shop, 'Meanwhile')
  await event('Meanwhile').waitFor()
  await event('Meanwhile').click()
  await page.getByText('"title": "Meanwhile"').waitFor()
  await fitsAll(t, page)
  await page.getByRole('button', { name: 'Pause' }).click()
  for (const title of ['One', 'Two']) await makePlace(shop, title)
  t.is(await event('One').count(), 0)
  await page.getByRole('button', { name: 'Go on' }).click()
  await event('Two').waitFor()
  t.deepEqual(
    (await page.locator('[data-accordion-control]').allTextContents()).map(
      text => /created ([A-Z][a-z]+)/.exec(text)?.[1],
    ),
    ['Two', 'One', 'Meanwhile', 'Before'],
  )
  await page.getByRole('combobox', { name: 'Types' }).fill('product.cr')
  await page.getByRole('option', { name: 'product.created' }).click()
  await page.getByText('No event of these types yet').waitFor()
  await shop.post('/products', { title: 'Oak' })
  await page.getByRole('button', { name: 'product.created Oak' }).waitFor()
  t.is(await event('Two').count(), 0)

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Event kinds' }).click()
  await page.getByRole('button', { name: /^storage_place.created/ }).click()
  await page.getByRole('heading', { name: 'Example: the last one of yours' }).waitFor()
  await page.getByRole('region', { name: 'Example of storage_place.created' }).getByText('"title": "Two"').waitFor()
  await page.getByRole('region', { name: 'Schema of storage_place.created' }).getByText('"minimum": 1').waitFor()
  await page.getByRole('button', { name: /^sales_order.shipped/ }).click()
  await page.getByRole('heading', { name: 'Example', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Example of sales_order.shipped' }).getByText('"number": "text"').waitFor()
  await fitsAll(t, page)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('telemetry stands beside its baseline by metric, key and route; without scopes all of it is closed', async t => {
  const shop = await service.tenant()
  await shop.get('/products/1')
  await makePlace(shop)
  const visit = await signedIn(browser, service, shop.token, '/trace')
  const { page } = visit
  const windowEnd = Date.now() + 60_000
  const window = `windowStart=${new Date(windowEnd - 86_400_000).toISOString()}&windowEnd=${new Date(windowEnd).toISOString()}`
  await eventually(async () =>
    (await shop.get(`/security/telemetry?${window}`)).body.by_route.some(
      ({ route }: Loose) => route === '/storage-places',
    ),
  )
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('img', { name: /a plot of Requests, Mean of the week before/ }).waitFor()
  await page.getByRole('region', { name: 'By key' }).getByText('(yours)').first().waitFor()
  const place = page.getByRole('row', { name: /POST \/storage-places$|POST \/storage-places / })
  t.deepEqual(await place.getByRole('cell').allTextContents(), [
    'Make: storage placePOST /storage-places',
    '1',
    '0',
    '',
  ])
  const missed = page.getByRole('row', { name: /^Not found/ })
  t.deepEqual((await missed.getByRole('cell').allTextContents()).slice(0, 5), ['Not found', 'Normal', '1', '0', '0'])
  await missed.getByRole('link').click()
  await page.getByRole('img', { name: /a plot of Not found/ }).waitFor()
  t.regex(page.url(), /metric=not_found/)
  await fitsAll(t, page)
  await page.getByLabel('Day (UTC)').fill(new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10))
  await page.getByText('No key was used on this day').waitFor()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  await place.waitFor()
  await keptToItself(t, visit, { service, token: shop.token })

  const { token } = await service.key(shop.tenantId, { scopes: ['read:webhooks'] })
  await subscribe(shop, 'https://example.com/hooks')
  const other = await signedIn(browser, service, token, '/security')
  for (const [name, path, scope] of [
    ['Security', '/security', 'read:security-telemetry'],
    ['Trace', '/trace', 'read:stock'],
  ] as const) {
    await other.page.getByRole('link', { name: new RegExp(`${name} closed: needs ${scope}`) }).click()
    await other.page.waitForURL(`**/portal${path}`)
    await other.page.getByRole('main').getByText(scope).waitFor()
  }
  await other.page.getByRole('link', { name: 'Webhooks' }).click()
  t.true(await other.page.getByRole('button', { name: 'New subscription' }).isDisabled())
  await other.page.getByRole('link', { name: 'https://example.com/hooks' }).click()
  t.true(await other.page.getByRole('button', { name: 'Rotate secret' }).isDisabled())
  t.deepEqual(await seriousFaults(other.page), [])
  await keptToItself(t, other, { service, token })
})

test('keys are found with what became of their requests, and one is revoked', async t => {
  const shop = await service.tenant({ key: { userName: 'jane', name: 'office' } })
  const other = await service.key(shop.tenantId, { name: `shop ${HOSTILE}` })
  await shop.request('POST', '/suppliers', { body: { title: 'Farm' }, key: 'order-17' })
  await other.client.request('PATCH', '/suppliers/1', { body: { title: HOSTILE } })
  const visit = await signedIn(browser, service, shop.token, '/trace')
  const { page } = visit
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('row', { name: /^office jane Valid/ }).waitFor()
  await page.getByRole('link', { name: 'Who did what' }).click()
  await page.getByRole('row', { name: /jane Supplier Farm: created Done POST \/suppliers .*order-17/ }).waitFor()
  const refused = page.getByRole('row', { name: /Refused 404 not_found no such supplier PATCH \/suppliers\/1 / })
  await fitsAll(t, page)
  await page.getByRole('textbox', { name: 'Idempotency key' }).fill('order-17')
  await page.keyboard.press('Enter')
  await page.getByText('1 in all').waitFor()
  t.is(await refused.count(), 0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await refused.getByRole('link', { name: `key ${other.keyId}` }).click()
  await page.getByText('1 in all').waitFor()
  await page.getByRole('link', { name: 'API keys' }).first().click()
  await page.getByRole('link', { name: `shop ${HOSTILE}` }).click()
  await page.getByRole('heading', { name: `shop ${HOSTILE}` }).waitFor()
  await refused.waitFor()
  t.is(await page.getByRole('row', { name: /order-17/ }).count(), 0)
  await fitsAll(t, page)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked', { exact: true }).first().waitFor()
  t.is((await shop.get(`/api-keys/${other.keyId}`)).body.status, 'revoked')
  await keptToItself(t, visit, { service, token: shop.token })
})
