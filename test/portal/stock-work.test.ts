/** Work with stock in the portal, in a real browser: what moved and why, what is expired, and goods that are moved, scrapped and called back. */
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import type { Client } from '../support/service.ts'
import { portalService } from './portal-service.ts'
import { HOSTILE } from './shop.ts'

const { service, browser } = await portalService()

/** Posts what must be taken. */
const posting = (t: ExecutionContext, shop: Client) => async (path: string, body: object) => {
  const reply = await shop.post(path, body)
  t.true(reply.status < 300, reply.text)
  return reply.body
}

/** The cells of the one row of a table that has this text. */
const cells = async (page: Page, table: string, name: RegExp) => {
  const row = page.getByRole('table', { name: table, exact: true }).getByRole('row', { name })
  await row.first().waitFor()
  return row.first().getByRole('cell').allTextContents()
}

test('every movement names its document, reason, notes and person, and one of value alone shows its value', async t => {
  t.timeout(6 * 60_000)
  const shop = await service.tenant({ key: { userName: 'Ada' } })
  const made = posting(t, shop)
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
  t.deepEqual([place, quantity], ['Hall', '-4'])
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
  t.deepEqual((await cells(page, 'Production tasks', /Baking/)).slice(0, 3), ['Baking', 'MO-00001', '2 × Bread'])
  await keptToItself(t, visit, { service, token: shop.token })
})
