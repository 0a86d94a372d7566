/** Quantities in the portal, in a real browser: each is shown with the unit of its goods. */
import { readFile } from 'node:fs/promises'
import { eventually } from '../support/eventually.ts'
import { keptToItself, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** Columns whose cells are quantities of goods. */
const QUANTITIES = [
  ...['Quantity', 'On hand', 'Available', 'Planned', 'Produced', 'Needed', 'Taken', 'Received', 'Packed', 'Shipped'],
  ...['Short', 'Demand', 'In stock', 'Change', 'There after', 'Then there', 'Missing'],
] as const

/**
 * The quantities without a unit in all tables. If no table is shown yet, the result says so, since an empty result would mean that each
 * quantity has a unit.
 */
const unitless = `(headers => {
  const tables = [...document.querySelectorAll('main table')]
  if (tables.length === 0) return ['no table']
  return tables.flatMap(table => {
    const names = [...table.querySelectorAll('thead th')].map(cell => cell.textContent)
    return [...table.querySelectorAll('tbody tr')].flatMap(row =>
      [...row.cells].flatMap((cell, index) =>
        headers.includes(names[index]) && /\\d/.test(cell.textContent) && !/\\d (kg|crates)|€/.test(cell.textContent)
          ? [names[index] + ': ' + cell.textContent] : []))
  })
})(${JSON.stringify(QUANTITIES)})`

test('each quantity of a list or table stands beside its unit, which is asked for once a screen, and files have it in a column', async t => {
  const shop = await service.tenant()
  const { made } = shop
  const hall = await made('/storage-places', { title: 'Hall' })
  const flour = await made('/products', { title: 'Flour', sku: 'FLOUR', type: 'MATERIAL', unit_name: 'kg' })
  const bread = await made('/products', { title: 'Bread', sku: 'BREAD', price: 7, unit_name: 'crates' })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  await made('/recipes', { item_variant_id: breadId, materials: [{ item_variant_id: flourId, quantity: 2 }] })
  await made('/stock-adjustments', { items: [{ item_variant_id: flourId, quantity: 9 }] })
  const bought = await made('/purchase-orders', {
    supplier: { title: 'Farm' },
    items: [{ item_variant_id: flourId, quantity: 8 }],
  })
  await made(`/purchase-orders/${bought.id}/receipts`, { storage_place_id: hall.id })
  const baked = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 4 })
  await made(`/manufacturing-orders/${baked.id}/start`, {})
  const sold = await made('/sales-orders', {
    customer: { title: 'Inn' },
    items: [
      { item_variant_id: breadId, quantity: 40 },
      { item_variant_id: flourId, quantity: 3 },
    ],
  })
  await made(`/sales-orders/${sold.id}/shipments`, {
    items: [{ sales_order_item_id: sold.items[1].id, quantity: 1 }],
  })

  const visit = await signedIn(browser, service, shop.token)
  const { page, requests } = visit
  const units = () => requests.filter(url => /\/products\?.*item_variant_id/.test(url))
  for (const path of [
    '/',
    '/stock',
    '/stock/batches',
    `/stock/${flour.id}`,
    `/stock/${flour.id}/${flourId}`,
    `/storage-places/${hall.id}`,
    `/sales-orders/${sold.id}`,
    `/purchase-orders/${bought.id}`,
    '/manufacturing-orders',
    `/manufacturing-orders/${baked.id}`,
    '/planner',
    '/planner/replenishment',
    `/planner/requirements?item_variant_id=${breadId}&quantity=50`,
    `/print/pick-lists/${sold.id}`,
    `/print/purchase-orders/${bought.id}`,
    `/print/work-orders/${baked.id}`,
  ]) {
    const before = units().length
    await show(page, path)
    await page.locator('main table tbody tr').first().waitFor()
    let found: readonly string[] = []
    const isWhole = async () => {
      found = await page.evaluate(unitless)
      return found.length === 0
    }
    await eventually(isWhole).catch(() => t.deepEqual(found, [], path))
    t.true(units().length - before <= 3, `${path}: ${units().slice(before)}`)
  }
  for (const [path, text] of [
    ['/recipes', '2 kg × Flour'],
    ['/purchase-receipts', '8 kg × Flour'],
    ['/stock-adjustments', '9 kg × Flour'],
    ['/sales-shipments', '1 kg'],
  ] as const) {
    await show(page, path)
    await page.getByRole('cell', { name: text }).waitFor()
  }

  await show(page, '/manufacturing-orders')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Manufacturing orders as CSV' }).click()
  const [header = '', row = ''] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n')
  t.regex(header, /Planned,Unit,Produced/)
  t.regex(row, /,4,crates,0,/)
  await keptToItself(t, visit, { service, token: shop.token })
})
